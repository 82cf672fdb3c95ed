/** HU44, HU61: live follow. Announcements of the judges reach the pages of those who may see the session, and no others. */
import { groupBy } from '@dagline/core/model'
import type { ServerEvent } from '@dagline/core/protocol'
import type { SSEStreamingApi } from 'hono/streaming'
import type { HubDatabase } from '../db/database.js'
import { JUDGED } from '../db/listen.js'
import type { Reader, ReaderPool } from './wire.js'

/** Milliseconds: what comes in quick succession is told together. */
const TOGETHER = 150
/** Something is sent at least this often, in milliseconds: otherwise a lost connection goes unnoticed. */
const HEARTBEAT = 25_000

export interface Feed {
  /** Tells a page what changes, until it is closed or its login ends. */
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
  const reportAny = (error: unknown): void =>
    report(error instanceof Error ? error : new Error(String(error)))
  /** Asks once what changed, for all pages of the same person and filter. */
  const tellSame = async (reader: Reader, same: readonly Follower[]): Promise<void> => {
    const letIn = await Promise.all(same.map(({ isLetIn }) => isLetIn()))
    const told = same.filter((follower, at) => {
      if (letIn[at] !== true) follower.end()
      return letIn[at] === true
    })
    if (told.length === 0) return
    const sessions = await readers.changes(reader)
    // What changed is not known: an empty list tells the page to load everything again.
    if (sessions === null || sessions.length > 0)
      for (const { send } of told) send({ kind: 'changed', sessions: sessions ?? [] })
  }
  const tell = async (tenants: ReadonlySet<number>): Promise<void> => {
    const wanted = [...followers].filter(({ reader }) => tenants.has(reader.tenant))
    for (const [, same] of groupBy(wanted, ({ reader }) => JSON.stringify(reader))) {
      const [first] = same
      if (first !== undefined) await tellSame(first.reader, same).catch(reportAny)
    }
  }
  const heard = await database.listen(JUDGED, payload => {
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
      followers.add(follower)
      // Changes are told from here on; what happened before is told to the other pages of the person.
      const key = JSON.stringify(reader)
      const others = [...followers].filter(each => each !== follower && JSON.stringify(each.reader) === key)
      await (others.length > 0 ? tellSame(reader, others) : readers.changes(reader)).catch(reportAny)
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
