/** Keeping the index up to date while the server runs, and telling the page what changed. */
import { groupBy } from '@dagline/core/model'
import type { SyncStatus, UnreadPath } from '@dagline/core/protocol'
import type { Label, SessionFact, SyncProgress } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import type { LiveSource } from './context.js'

/** Brings the index up to date, in another process; says how far it is, and in the end what could not be read. */
export type Sync = (tell: (progress: SyncProgress) => void) => Promise<readonly UnreadPath[]>

interface Syncing {
  /** Looks for changes; one that is under way is followed by another one. */
  readonly look: () => void
  readonly stop: () => void
}

/** Milliseconds between two reports of progress to the page. */
const TELL_EVERY = 200
/** More than these are not named. */
const MOST_UNREAD = 50
/** Milliseconds between two updates of the page while the index is being made. */
const SHOW_EVERY = 1500

/** Syncs that follow one another. */
export function createSyncing(opened: LiveSource, sync: Sync): Syncing {
  let [isRunning, isWanted, isStopped, isFirst] = [false, false, false, true]
  const run = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    while (isWanted && !isStopped) {
      isWanted = false
      await syncOnce(opened, { sync, isFirst, isStopped: () => isStopped })
      isFirst = false
    }
    isRunning = false
  }
  return {
    look: () => {
      isWanted = true
      void run()
    },
    stop: () => {
      isStopped = true
    },
  }
}

/** Tells which sessions are not what they were when it was called before; somebody else brings the index up to date. */
export function createChanges(opened: LiveSource): () => void {
  const { events } = opened.context
  let before: States | null = null
  return () => {
    opened.refresh()
    const after = statesOf(opened)
    if (before === null) events.tell({ kind: 'sync', status: { ...events.status(), state: 'done' } })
    const changed = before === null ? [] : differences(before, after)
    before = after
    if (changed.length > 0) events.tell({ kind: 'changed', sessions: changed })
  }
}

interface Round {
  readonly sync: Sync
  readonly isFirst: boolean
  readonly isStopped: () => boolean
}

/** The first one is always shown; later ones only where they have something to read. */
async function syncOnce(opened: LiveSource, { sync, isFirst, isStopped }: Round): Promise<void> {
  const { events } = opened.context
  const before = statesOf(opened)
  let status: SyncStatus = { ...events.status(), state: 'running', message: null }
  let [told, shown] = [0, performance.now()]
  if (isFirst) events.tell({ kind: 'sync', status })
  let hadNewest = false
  const tell = ({ bytes, totalBytes, hasNewest }: SyncProgress): void => {
    status = { ...status, bytes: totalBytes, bytesDone: bytes }
    const now = performance.now()
    // I9: the newest sessions are shown at once.
    const isNews = hasNewest && !hadNewest
    hadNewest = hasNewest
    if (isNews || now - told >= TELL_EVERY) {
      events.tell({ kind: 'sync', status })
      told = now
    }
    if (!isNews && now - shown < SHOW_EVERY) return
    shown = now
    events.tell({ kind: 'changed', sessions: [] })
  }
  try {
    const unread = (await sync(tell)).slice(0, MOST_UNREAD)
    status = { ...status, state: 'done', unread }
  } catch (error) {
    status = { ...status, state: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
  if (isStopped()) return
  opened.refresh()
  const changed = differences(before, statesOf(opened))
  const isNews = JSON.stringify(status.unread) !== JSON.stringify(events.status().unread)
  if (isFirst || isNews || told > 0 || status.state === 'failed') events.tell({ kind: 'sync', status })
  if (changed.length > 0) events.tell({ kind: 'changed', sessions: changed })
}

type States = ReadonlyMap<string, string>

/** What can be seen of sessions; empty while there is no index. */
function statesOf({ context }: LiveSource): States {
  try {
    const labels = groupBy(context.labels().values(), ({ session }) => session)
    return new Map(
      context.sessions().map(fact => [fact.session, stateOf(fact, labels.get(fact.session) ?? [])]),
    )
  } catch (error) {
    if (error instanceof UserError) return new Map()
    throw error
  }
}

function stateOf(
  { bytes, last, title, problems, project, parent, archivedOnly }: SessionFact,
  labels: readonly Label[],
): string {
  return JSON.stringify([bytes, last, title, problems, project, parent?.session, archivedOnly, labels])
}

/** Sessions that came, went or are not what they were. */
function differences(before: States, after: States): readonly string[] {
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].filter(id => before.get(id) !== after.get(id))
}
