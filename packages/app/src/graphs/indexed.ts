/**
 * Graphs of file groups, from the rows that the index keeps. Some are kept; one whose files have only grown is
 * appended to, at a cost in proportion to what is new.
 */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { type FileFacts, type Graph, type GraphBuilder, type ParsedRow, startGraph } from '@dagline/core'
import { readMessageUsage } from '@dagline/core/content'
import type { MessageUsage } from '@dagline/core/measure'
import { type Json, withCarried } from '@dagline/core/parse'
import { changeOf, type IndexStore, type KnownFile, parseTranscript } from '@dagline/store'
import type { IndexedSession } from '../index/live-index.js'

/** The graph of a file group, and the state of files that it stands for. */
interface GroupGraph {
  readonly graph: Graph
  readonly version: string
  /** How it came from the graph before; null where it was built from the start, or a file was added. */
  readonly grown: Growth | null
}

/** Rows that were appended to a graph, which must not be queried any more. */
export interface Growth {
  readonly from: Graph
  /** What their messages cost, part by part. */
  readonly usages: readonly MessageUsage[]
}

interface Graphs {
  readonly of: (index: IndexStore, session: IndexedSession) => GroupGraph
  readonly clear: () => void
}

interface CachedGraph extends GroupGraph {
  readonly files: readonly KnownFile[]
  readonly nodes: number
}

/** What is kept at most: some graphs, or one that is larger than all of them may be. */
const MOST_GRAPHS = 8
const MOST_NODES = 400_000

/** Graphs, none of which is made yet. */
export function createGraphs(): Graphs {
  const cache = new Map<string, CachedGraph>()
  return {
    clear: () => cache.clear(),
    of: (index, session) => {
      const key = `${session.root} ${session.files[0]?.group ?? ''}`
      const known = cache.get(key)
      const made = known === undefined ? buildGroup(index, session) : renewed(index, session, known)
      cache.delete(key)
      cache.set(key, made)
      dropOldest(cache)
      return made
    },
  }
}

function dropOldest(cache: Map<string, CachedGraph>): void {
  const total = (): number => [...cache.values()].reduce((sum, { nodes }) => sum + nodes, 0)
  while (cache.size > 1 && (cache.size > MOST_GRAPHS || total() > MOST_NODES)) {
    const [oldest] = cache.keys()
    cache.delete(oldest ?? '')
  }
}

function renewed(index: IndexStore, session: IndexedSession, known: CachedGraph): CachedGraph {
  if (known.version === versionOf(session.files)) return known
  const grown = growthOf(index, session, known.files)
  return grown === null ? buildGroup(index, session) : appendTo(known.graph, session.files, grown)
}

/** A version that differs whenever the graph of the files may differ. */
function versionOf(files: readonly KnownFile[]): string {
  const known = versions.get(files)
  if (known !== undefined) return known
  const states = files.map(({ id, bytes, state, facts }) => [id, bytes, state?.mtime, facts])
  const version = hash('sha256', JSON.stringify(states), 'base64url').slice(0, 22)
  versions.set(files, version)
  return version
}

/** The live index gives the same list until the index changes. */
const versions = new WeakMap<readonly KnownFile[], string>()

function buildGroup(index: IndexStore, { files }: IndexedSession): CachedGraph {
  const builder = startGraph()
  for (const _ of addGroup(builder, index, files));
  return keep(builder.build(), files, null)
}

/** Adds the rows of a file group to a graph, one for each step, so that a caller can pause between two rows. */
export function* addGroup(
  builder: GraphBuilder,
  index: IndexStore,
  files: readonly KnownFile[],
): Generator<{ readonly file: KnownFile; readonly row: ParsedRow }> {
  for (const file of files) {
    for (const row of index.rowsOf(file.id)) {
      builder.addRow(file.facts, row)
      yield { file, row }
    }
    builder.addFile(file.facts, file.bytes)
  }
}

function keep(graph: Graph, files: readonly KnownFile[], grown: Growth | null): CachedGraph {
  const nodes = graph.files().reduce((sum, file) => sum + file.nodes.length, 0)
  return { graph, files, nodes, version: versionOf(files), grown }
}

function appendTo(graph: Graph, files: readonly KnownFile[], grown: readonly NewRows[]): CachedGraph {
  const builder = startGraph(graph)
  for (const { facts, rows } of grown) for (const row of rows) builder.addRow(facts, row)
  for (const { facts, bytes } of files) builder.addFile(facts, bytes)
  const usages = grown.every(each => each.usages !== null) ? grown.flatMap(each => each.usages ?? []) : null
  return keep(builder.build(), files, usages && { from: graph, usages })
}

/** Rows of a file that the graph does not have yet. */
interface NewRows {
  readonly facts: FileFacts
  readonly rows: Iterable<ParsedRow>
  /** What their messages cost; null where that is not known. */
  readonly usages: readonly MessageUsage[] | null
}

/** The rows that are new, where files have only grown or come; null where something else happened. */
function growthOf(
  index: IndexStore,
  { root, files }: IndexedSession,
  before: readonly KnownFile[],
): readonly NewRows[] | null {
  const known = new Map(before.map(file => [file.id, file]))
  const grown: NewRows[] = []
  for (const file of files) {
    const old = known.get(file.id)
    known.delete(file.id)
    const rows =
      old === undefined ? { rows: index.rowsOf(file.id), usages: null } : rowsSince(root, old, file)
    if (rows === null) return null
    grown.push({ facts: file.facts, ...rows })
  }
  return known.size === 0 ? grown : null
}

type Read = Omit<NewRows, 'facts'>

/** The rows between two states of a file; null where they are not two states of the same growing file. */
function rowsSince(root: string, old: KnownFile, now: KnownFile): Read | null {
  if (JSON.stringify(old.facts) !== JSON.stringify(now.facts)) return null
  const [from, to] = [old.state, now.state]
  if (from === null || to === null || old.isArchived || now.isArchived) return null
  if (from.size === to.size && from.mtime === to.mtime) return { rows: [], usages: [] }
  // A row that no newline ends is read again when it is finished: it cannot be taken back.
  if (from.size !== from.offset || to.size !== to.offset || to.offset <= from.offset) return null
  return readSince(root, old, to.offset)
}

function readSince(root: string, { path, state }: KnownFile, end: number): Read | null {
  try {
    if (state === null || changeOf(state, join(root, path)) !== 'grown') return null
  } catch {
    return null
  }
  const rows: ParsedRow[] = []
  const usages: MessageUsage[] = []
  const { offset, row } = state
  let ofRow: MessageUsage[] = []
  const { result } = parseTranscript(
    root,
    path,
    (parsed, raw) => {
      if (raw.offset < end) {
        rows.push(parsed)
        usages.push(...ofRow)
      }
      ofRow = []
    },
    { from: { offset, row }, see: withCarried(json => ofRow.push(...billed(json))) },
  )
  return result === null ? null : { rows, usages }
}

function billed(json: Json): readonly MessageUsage[] {
  const usage = readMessageUsage(json)
  return usage === null ? [] : [usage]
}
