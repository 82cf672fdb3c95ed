/** HU16, HU61: announcements between the processes of a hub, over a connection that is made again when it is lost. */

import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'

/** Announces that the judge has work; the payload is `tenant:person`. */
export const PUSHED = 'dagline_pushed'
/** Announces that a person was judged; the payload is `tenant:person`. */
export const JUDGED = 'dagline_judged'

/** Milliseconds between two attempts to connect again. */
const RETRY_AFTER = 1000

/** A subscription to a channel. */
export interface Listener {
  readonly close: () => Promise<void>
}

/**
 * Calls `hear` with the payload of each announcement on a channel. After a lost connection `hear` gets null, because
 * announcements may have been missed. Throws what the driver throws where the first connection fails.
 */
export async function listenTo(
  pool: pg.Pool,
  channel: string,
  hear: (payload: string | null) => void,
): Promise<Listener> {
  let isClosed = false
  let current: pg.PoolClient | null = null
  let reconnecting: Promise<void> = Promise.resolve()
  const connect = async (): Promise<void> => {
    const client = await pool.connect()
    try {
      await client.query(`LISTEN ${channel}`)
    } catch (error) {
      client.release(true)
      throw error
    }
    client.on('notification', message => hear(message.payload ?? ''))
    for (const event of ['error', 'end'] as const) client.on(event, () => drop(client))
    current = client
  }
  const drop = (client: pg.PoolClient): void => {
    if (current !== client) return
    release()
    reconnecting = reconnect()
  }
  const release = (): void => {
    const client = current
    current = null
    client?.release(true)
  }
  const reconnect = async (): Promise<void> => {
    while (!isClosed && current === null) {
      await setTimeout(RETRY_AFTER, null, { ref: false })
      // The next attempt, or the next query of the caller, fails for the same reason.
      if (!isClosed) await connect().catch(() => {})
    }
    if (!isClosed) hear(null)
  }
  await connect()
  return {
    close: async () => {
      isClosed = true
      release()
      await reconnecting
      // The connection may have been made while this waited.
      release()
    },
  }
}
