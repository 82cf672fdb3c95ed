/**
 * The rows of one file as Claude Code reads them: no other file is looked at, a row that is no JSON object is not there,
 * and of a uuid that is written twice the last row counts.
 */
import { subtypeOf } from '../graph/compactions.js'
import { type FileRecord, type State, sightingIn } from '../graph/state.js'
import * as t from '../graph/table.js'
import type { FileExtras } from './extras.js'
import type { Release } from './releases.js'

/** No entry: a root. */
export const NO_PARENT = -1
/** An entry that is named and not there. */
export const MISSING = -2

/** The entries of a file in the order of the loader, linked by their positions in it. */
export interface LoadedRows {
  readonly state: State
  readonly rows: readonly number[]
  /** The position of the parent, `NO_PARENT` or `MISSING`. */
  readonly parents: Int32Array
  readonly places: Places
  /** Entries that the loader has dropped: left out by a compaction. */
  readonly dropped: Uint8Array
  /** Where the conversation ends if it seems to end here: the last entry that a compaction kept, behind its anchor. */
  readonly ends: Map<number, number>
}

/** Where entries stand in that order: by uuid, or by the node that the uuid has in the file. */
export interface Places {
  readonly get: (id: string) => number | undefined
  readonly of: (node: number) => number | undefined
}

/** Who reads, and which record is the first on rows with several. */
export interface Reading extends Pick<FileExtras, 'firsts'> {
  readonly release: Release
}

/** Reads and links them. */
export function loadRows(state: State, file: FileRecord, reading: Reading): LoadedRows {
  const { firsts, nodes, rows } = countedRows(state, file, reading)
  const places = placesOf(state, file, firsts)
  const parents = new Int32Array(nodes.length)
  const skipped = reading.release.progress === 'skipped' ? skippedParents(state, file) : null
  for (const [place, row] of rows.entries()) parents[place] = parentOf({ state, file, places, skipped }, row)
  return { state, rows: nodes, parents, places, dropped: new Uint8Array(nodes.length), ends: new Map() }
}

/** Entries in the order of the loader, in three lists: the first row that has the uuid, the node, the row that counts. */
interface CountedRows {
  readonly firsts: readonly number[]
  readonly nodes: readonly number[]
  readonly rows: readonly number[]
}

/** The rows that the release takes for entries: of a uuid the last row counts, at the place of the first or of the last. */
function countedRows(state: State, file: FileRecord, { release, firsts }: Reading): CountedRows {
  const { table } = state
  const unread = unreadRows(state, file)
  const isCounted = (row: number): boolean => {
    if (!isEntry(state, row, release)) return false
    const place = t.int(table.row, row)
    return !unread.has(place) || (release.readsFirstOfRow && firsts.get(place) === t.idOf(table, row))
  }
  if (file.repeats.length > 0) return withRepeats(state, file, release, isCounted)
  const rows = file.nodes.filter(isCounted)
  return { firsts: rows, nodes: rows, rows }
}

function withRepeats(
  state: State,
  file: FileRecord,
  release: Release,
  isCounted: (row: number) => boolean,
): CountedRows {
  const counted = new Map<number, { readonly node: number; readonly row: number }>()
  for (const row of [...file.nodes, ...file.repeats].sort((a, b) => a - b)) {
    if (!isCounted(row)) continue
    const first = sightingIn(state, t.idOf(state.table, row), file.index)
    const before = counted.get(first)
    if (before !== undefined && release.repeatsMoveToEnd) counted.delete(first)
    counted.set(first, { node: before?.node ?? row, row })
  }
  const all = [...counted.values()]
  return { firsts: [...counted.keys()], nodes: all.map(({ node }) => node), rows: all.map(({ row }) => row) }
}

/** A file's nodes mostly have numbers next to each other: a column of their places costs less than a map. */
function placesOf(state: State, file: FileRecord, firsts: readonly number[]): Places {
  const [base = 0] = file.nodes
  const column = new Int32Array((file.nodes.at(-1) ?? base) - base + 1).fill(MISSING)
  for (const [place, node] of firsts.entries()) column[node - base] = place
  const of = (node: number): number | undefined => {
    const place = column[node - base] ?? MISSING
    return place === MISSING ? undefined : place
  }
  return { of, get: id => of(sightingIn(state, id, file.index)) }
}

/** Whether the release knows this type. */
function isEntry(state: State, node: number, { progress }: Release): boolean {
  switch (t.byte(state.table.kind, node)) {
    case t.Opaque:
      return false
    case t.Progress:
      return progress === 'entry'
    default:
      return subtypeOf(state, node) !== 'compact_prelude' && subtypeOf(state, node) !== 'compact_recap'
  }
}

/** Rows that dagline mends and Claude Code does not. */
function unreadRows(state: State, file: FileRecord): ReadonlySet<number> {
  const rows = new Set<number>()
  for (const { rule, file: path, row } of state.findings)
    if (path === file.facts.path && row !== null && UNREAD.has(rule)) rows.add(row)
  return rows
}

const UNREAD: ReadonlySet<string> = new Set(['parse/joined-rows', 'parse/nul-bytes', 'parse/not-json'])

/** What progress entries hang on, so that they can be stepped over. */
function skippedParents(state: State, file: FileRecord): ReadonlyMap<string, string | null> {
  const { table } = state
  const skipped = new Map<string, string | null>()
  for (const node of file.nodes)
    if (t.byte(table.kind, node) === t.Progress)
      skipped.set(t.idOf(table, node), table.parentIds[node] ?? null)
  return skipped
}

/** Rows that are being linked. */
interface Linking extends Pick<LoadedRows, 'state' | 'places'> {
  readonly file: FileRecord
  readonly skipped: ReadonlyMap<string, string | null> | null
}

function parentOf({ state, file, places, skipped }: Linking, node: number): number {
  const { table } = state
  let id = table.parentIds[node] ?? null
  if (id === null) return NO_PARENT
  const linked = t.int(table.parent, node)
  // The graph has looked it up already, unless it is none of this file's or is stepped over.
  if (linked !== t.none && t.int(table.file, linked) === file.index && !skipped?.has(id))
    return places.of(linked) ?? MISSING
  for (let left = skipped?.size ?? 0; id !== null && left > 0 && skipped?.has(id) === true; left--)
    id = skipped.get(id) ?? null
  return id === null ? NO_PARENT : (places.get(id) ?? MISSING)
}
