/** Who a caller is, and of whom the caller sees something: what filters of the page and of commands offer. */
import { type HubDatabase, numberIn, textIn } from '../db/database.js'
import type { Caller } from '../model/index.js'

interface WhoAmI {
  readonly name: string
  readonly role: Caller['role']
  readonly scopes: readonly string[]
  /** Persons of whom the caller sees sessions. */
  readonly persons: readonly { readonly id: number; readonly name: string }[]
  /** The names of their machines. */
  readonly machines: readonly string[]
}

const SEEN = `
  SELECT DISTINCT person.id, person.name, machine.name AS machine FROM raw_file file
  JOIN access_person person ON person.tenant = file.tenant AND person.id = file.person
  JOIN raw_machine machine ON machine.tenant = file.tenant AND machine.id = file.machine
  WHERE file.tenant = $1 AND file.audience = ANY (dagline_audiences()) ORDER BY person.name, machine.name`

/** What a caller may know of itself and of others. */
export async function whoAmI(database: HubDatabase, caller: Caller): Promise<WhoAmI> {
  const rows = await database.transact(async queries => {
    await queries.query(
      "SELECT set_config('dagline.tenant', $1, true), set_config('dagline.person', $2, true)",
      [String(caller.tenant), String(caller.person)],
    )
    return await queries.query(SEEN, [caller.tenant])
  })
  const persons = new Map(rows.map(row => [numberIn(row, 'id'), textIn(row, 'name')]))
  return {
    name: caller.name,
    role: caller.role,
    scopes: [...caller.scopes],
    persons: [...persons].map(([id, name]) => ({ id, name })),
    machines: [...new Set(rows.map(row => textIn(row, 'machine')))],
  }
}
