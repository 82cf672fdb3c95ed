/** A session that is followed as its files grow: what is there first, then what happens. */
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Graph } from '@dagline/core'
import { namedSession } from '@dagline/store'
import { noteFailures } from '../files/unread.js'
import type { Host } from '../host/host.js'
import { type SessionGraph, type SessionLocation, sessionGraph, sessionIn } from '../locate/session.js'
import { type Batch, followSession } from './follow.js'
import { type ReportedEvents, reportedSoFar, type SessionEvent, sessionEvents } from './session-events.js'
import { createWaker, type Waker } from './watch.js'

/** What a look at the files brought, and what it means. */
export interface FollowedBatch extends Batch {
  /** What happened, in order. Empty for the first batch: what is there before is not reported as an event. */
  readonly events: readonly SessionEvent[]
}

/** A session that is followed. */
export interface FollowedSession {
  readonly location: SessionLocation
  /** Looks at the files. Null where nothing is new. With `isLast` a row that no newline ends counts too, if it is whole. */
  readonly look: (isLast?: boolean) => FollowedBatch | null
  /** Waits for changes and returns what each brings, until `stop` is called, or `next` returns a session where it is asked. */
  readonly changes: () => AsyncIterable<FollowedBatch>
  /**
   * The path of the newest transcript that began in the same folder since, such as the one after `/clear`; null where none
   * did, and where one session was asked for and not the latest.
   */
  readonly next: () => string | null
  /** The session in the graph of a batch; null while it has no entries. */
  readonly find: (graph: Graph) => SessionGraph | null
  readonly stop: () => void
}

/** Starts to follow a session; with `isLatest` until a newer one begins. Nothing is read before the first look. */
export function openFollowed(
  location: SessionLocation,
  host: Host,
  { isLatest = false }: { readonly isLatest?: boolean } = {},
): FollowedSession {
  const follow = followSession(location, location.id ?? '')
  const newest = isLatest ? createNewcomers(location) : () => null
  let waker: Waker | null = null
  let isStopped = false
  let reported: ReportedEvents | null = null
  const look = (isLast = false): FollowedBatch | null => {
    const batch = follow.look(isLast)
    if (batch === null) return null
    noteFailures(host, location.root, batch.unread)
    // Without these files the answer is incomplete.
    if (batch.unread.length > 0) host.fail()
    const events = reported === null ? [] : [...sessionEvents(batch, reported)]
    reported ??= reportedSoFar(batch.graph)
    return { ...batch, events }
  }
  async function* changes(): AsyncGenerator<FollowedBatch> {
    waker ??= createWaker()
    while (!isStopped) {
      waker.watch(follow.folders())
      const batch = look()
      if (batch !== null) yield batch
      else if (newest() !== null) return
      else await waker.wait()
    }
  }
  const stop = (): void => {
    isStopped = true
    waker?.stop()
  }
  const next = (): string | null => (isStopped ? null : newest())
  return { location, look, changes, next, find: graph => foundIn(location, graph), stop }
}

/** S9: looks for transcripts that were not there at first, in the folder of the one that is followed. */
function createNewcomers({ root, file }: SessionLocation): () => string | null {
  if (file === null) return () => null
  const folder = join(root, dirname(file.path))
  const known = new Set(transcriptsIn(folder))
  return () => {
    const fresh = transcriptsIn(folder)
      .filter(name => !known.has(name))
      .map(name => join(folder, name))
      .filter(hasSession)
    return fresh.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1) ?? null
  }
}

/** The transcripts of sessions in a folder, by name. */
function transcriptsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.jsonl') && !name.startsWith('agent-'))
  } catch {
    return []
  }
}

/** Whether a row of a transcript is written. */
function hasSession(path: string): boolean {
  try {
    return namedSession(path) !== null
  } catch {
    return false
  }
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function foundIn({ root, project, file, id }: SessionLocation, graph: Graph): SessionGraph | null {
  const session = sessionIn(graph, id, file)
  if (session === null) return null
  const agent = file?.kind === 'agent' ? file.agent : null
  const line = graph
    .lines()
    .find(known => agent !== null && known.kind === 'agent' && known.domain.agent === agent)
  const loaded = { root, project, graph, found: [], fingerprints: new Map() }
  return sessionGraph({ loaded, session, line: line ?? null, file: null })
}
