/** A session that is followed as its files grow: what is there first, then what happens. */
import type { Graph } from '@dagline/core'
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
  /** Waits for changes and returns what each brings, until `stop` is called. */
  readonly changes: () => AsyncIterable<FollowedBatch>
  /** The session in the graph of a batch; null while it has no entries. */
  readonly find: (graph: Graph) => SessionGraph | null
  readonly stop: () => void
}

/** Starts to follow a session. Nothing is read before the first look. */
export function openFollowed(location: SessionLocation, host: Host): FollowedSession {
  const follow = followSession(location, location.id ?? '')
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
      if (batch === null) await waker.wait()
      else yield batch
    }
  }
  const stop = (): void => {
    isStopped = true
    waker?.stop()
  }
  return { location, look, changes, find: graph => foundIn(location, graph), stop }
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
