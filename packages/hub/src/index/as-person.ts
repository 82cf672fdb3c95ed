import { READER_ROLE } from '../db/migrate.js'
import type { SyncConnection } from '../db/sync-connection.js'

/** Who reads. */
export interface ReaderOptions {
  readonly tenant: number
  readonly person: number
}

/** Who the last statement of a connection was for. */
const current = new WeakMap<SyncConnection, string>()

/** Gives a connection the rights of its owner again. */
export function becomeOwner(connection: SyncConnection): void {
  current.delete(connection)
  connection.send('RESET ROLE')
}

/** The same connection, in the name of a person, and with the rights of a reader. */
export function asPerson(connection: SyncConnection, { tenant, person }: ReaderOptions): SyncConnection {
  const name = `${tenant} ${person}`
  const become = (): void => {
    if (current.get(connection) === name) return
    connection.query(
      "SELECT set_config('role', $1, false), set_config('dagline.tenant', $2, false), set_config('dagline.person', $3, false), set_config('jit', 'off', false)",
      [READER_ROLE, String(tenant), String(person)],
    )
    current.set(connection, name)
  }
  return {
    ...connection,
    query: (text, values) => {
      become()
      return connection.query(text, values)
    },
  }
}
