/** HU44: live follow. What judges announce reaches the pages of those who see it, and nobody else. */
import type { ServerEvent } from '@dagline/core/protocol'
import type { SSEStreamingApi } from 'hono/streaming'
import type { HubDatabase } from '../db/database.js'
import { listenTo } from '../db/listen.js'
import type { Reader, ReaderPool } from './wire.js'

/** What judges announce; the payload is `tenant:person`. */
const JUDGED = 'dagline_judged'
/** Milliseconds: what comes in quick succession is told together. */
const TOGETHER = 150
/** Something is sent at least this often, in milliseconds: otherwise a lost connection goes unnoticed. */
const HEARTBEAT = 25_000

export interface Feed {
  /** Tells a page what changes, until it goes, or its login counts for nothing. */
  readonly follow: (reader: Reader, stream: SSEStreamingApi, isLetIn: () => Promise<boolean>) => Promise<void>
  readonly close: () => Promise<void>
}

interface Follower {
  readonly reader: Reader
  readonly send: (event: ServerEvent) => void
  readonly end: () => void
  readonly isLetIn: () => Promise<boolean>
}

/** Listens to the judges. */
export async function createFeed(
  database: HubDatabase,
  readers: Pick<ReaderPool, 'changes'>,
  report: (error: Error) => void,
): Promise<Feed> {
  const followers = new Set<Follower>()
  let waiting = new Set<number>()
  let timer: NodeJS.Timeout | null = null
  const tell = async (tenants: ReadonlySet<number>): Promise<void> => {
    for (const follower of followers) {
      if (!tenants.has(follower.reader.tenant)) continue
      try {
        if (!(await follower.isLetIn())) follower.end()
        else {
          const sessions = await readers.changes(follower.reader)
          if (sessions.length > 0) follower.send({ kind: 'changed', sessions })
        }
      } catch (error) {
        report(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }
  const heard = await listenTo(database.pool, JUDGED, payload => {
    const tenant = Number(payload?.split(':')[0])
    if (Number.isInteger(tenant)) waiting.add(tenant)
    else for (const { reader } of followers) waiting.add(reader.tenant)
    timer ??= setTimeout(() => {
      const tenants = waiting
      waiting = new Set()
      timer = null
      void tell(tenants)
    }, TOGETHER)
  })
  return {
    follow: async (reader, stream, isLetIn) => {
      let end: () => void = () => {}
      const ended = new Promise<void>(resolve => {
        end = resolve
      })
      const send = (event: ServerEvent): void => void stream.writeSSE({ data: JSON.stringify(event) })
      const follower = { reader, send, end, isLetIn }
      stream.onAbort(end)
      // Changes are told from here on.
      await readers.changes(reader)
      followers.add(follower)
      const heartbeat = setInterval(async () => {
        if (await isLetIn().catch(() => false)) void stream.write(': \n\n')
        else end()
      }, HEARTBEAT)
      send({ kind: 'sync', status: { state: 'done', bytes: 0, bytesDone: 0, message: null, unread: [] } })
      await ended
      clearInterval(heartbeat)
      followers.delete(follower)
    },
    close: async () => {
      if (timer !== null) clearTimeout(timer)
      for (const { end } of followers) end()
      await heard.close()
    },
  }
}
