/** Where blame finds sessions: the index says which of them touched a file, and only these are read. */
import { entryId } from '@dagline/core'
import type { Json } from '@dagline/core/parse'
import type { FoundText, IndexStore, RangeReader, SessionFact } from '@dagline/store'
import { openReading, type ReadGraph } from '../contents/reading.js'
import { createGraphs } from '../graphs/indexed.js'
import type { Host } from '../host/host.js'
import { type LiveIndex, openLiveIndex } from '../index/live-index.js'
import { askIndex } from '../index/open.js'

/** A session with its graph. */
export interface BlameSession extends ReadGraph {
  readonly fact: SessionFact
}

/** Sessions by the index. */
export interface BlameSource {
  readonly index: IndexStore
  readonly ranges: RangeReader
  readonly roots: readonly number[]
  /** The paths that calls name. */
  readonly touched: () => ReadonlySet<string>
  /** Null for a session that the index does not have. Graphs are not kept: what is asked of one is asked at once. */
  readonly open: (session: string) => BlameSession | null
  readonly record: (session: ReadGraph, node: number) => Json | null
}

/** Sessions that were opened, to be closed. */
export type OpenSessions = BlameSource & Pick<LiveIndex, 'sessions' | 'close'>

/** Asks the sessions of an index that is up to date with the roots. */
export async function askSessions<T>(
  host: Host,
  { index }: { readonly index: string | null },
  ask: (source: OpenSessions) => T | Promise<T>,
): Promise<T> {
  return await askIndex(host, { index }, async ({ path, found, ranges }) => {
    const source = openSessions(
      path,
      found.map(({ root }) => root),
      ranges,
    )
    try {
      return await ask(source)
    } finally {
      source.close()
    }
  })
}

/** Opens the sessions of an index below some roots. */
export function openSessions(path: string, folders: readonly string[], ranges: RangeReader): OpenSessions {
  const live = openLiveIndex(path, folders, () => {})
  const [graphs, index, roots] = [createGraphs(), live.index(), live.rootIds()]
  return {
    index,
    ranges,
    roots,
    touched: touchedPaths(index, roots),
    sessions: live.sessions,
    open: id => {
      const [session] = live.find(id)
      return session === undefined ? null : { ...session, ...graphs.of(index, session) }
    },
    record: openReading(ranges, folders).record,
    close: () => {
      ranges.close()
      live.close()
    },
  }
}

/** The paths that calls name, read when they are first asked for. */
function touchedPaths(index: IndexStore, roots: readonly number[]): BlameSource['touched'] {
  let paths: ReadonlySet<string> | null = null
  return () => {
    paths ??= new Set(index.touches(roots).map(({ path }) => path))
    return paths
  }
}

/** An entry in its session. */
export interface BlamedEntry {
  readonly session: BlameSession
  readonly node: number
}

/** The entries of some texts that were found, each once, session by session. */
export function* entriesOf(source: BlameSource, found: Iterable<FoundText>): Generator<BlamedEntry> {
  const bySession = new Map<string, Set<string>>()
  for (const { session, node } of found) {
    if (session === null || node === null) continue
    bySession.set(session, (bySession.get(session) ?? new Set()).add(node))
  }
  for (const [id, nodes] of bySession) {
    const session = source.open(id)
    for (const uuid of session === null ? [] : nodes) {
      const node = session?.graph.index(entryId(uuid)) ?? null
      if (session !== null && node !== null) yield { session, node }
    }
  }
}
