/** What writers announce, for whoever waits for it. */

import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'

/** Milliseconds until a connection that was lost is made again. */
const AGAIN = 1000

/**
 * Tells what is announced on a channel, until it is closed. After a connection was lost, `hear` gets null: something may
 * have been missed.
 */
export async function listenTo(
  pool: pg.Pool,
  channel: string,
  hear: (payload: string | null) => void,
): Promise<{ readonly close: () => Promise<void> }> {
  let isClosed = false
  let current: pg.PoolClient | null = null
  const connect = async (): Promise<void> => {
    const client = await pool.connect()
    client.on('notification', message => hear(message.payload ?? ''))
    client.on('error', () => void lost(client))
    client.on('end', () => void lost(client))
    await client.query(`LISTEN ${channel}`)
    current = client
  }
  const lost = async (client: pg.PoolClient): Promise<void> => {
    if (current !== client) return
    current = null
    client.release(true)
    while (!isClosed && current === null) {
      await setTimeout(AGAIN, null, { ref: false })
      await connect().catch(() => {})
    }
    if (!isClosed) hear(null)
  }
  await connect()
  return {
    close: async () => {
      isClosed = true
      const client = current
      current = null
      client?.release(true)
    },
  }
}
