/**
 * The rows of one file as Claude Code reads them: no other file is looked at, a row that is no JSON object is not there,
 * and of a uuid that is written twice the last row counts.
 */
import { subtypeOf } from '../graph/compactions.js'
import type { FileRecord, State } from '../graph/state.js'
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
  readonly places: ReadonlyMap<string, number>
  /** Entries that the loader has dropped: left out by a compaction. */
  readonly dropped: Uint8Array
  /** Where the conversation ends if it seems to end here: the last entry that a compaction kept, behind its anchor. */
  readonly ends: Map<number, number>
}

/** Who reads, and which record is the first on rows with several. */
export interface Reading extends Pick<FileExtras, 'firsts'> {
  readonly release: Release
}

/** Reads and links them. */
export function loadRows(state: State, file: FileRecord, reading: Reading): LoadedRows {
  const { table } = state
  const counted = countedRows(state, file, reading)
  const ids = [...counted.keys()]
  const places = new Map(ids.map((id, place) => [id, place]))
  const rows = [...counted.values()].map(({ node }) => node)
  const parents = new Int32Array(rows.length)
  const skipped = reading.release.progress === 'skipped' ? skippedParents(state, file) : null
  let place = 0
  for (const { row } of counted.values()) parents[place++] = parentOf(table, row, places, skipped)
  return { state, rows, parents, places, dropped: new Uint8Array(rows.length), ends: new Map() }
}

/** An entry, and the row of it that counts. */
interface Counted {
  readonly node: number
  readonly row: number
}

/** The rows that the release takes for entries: of a uuid the last row counts, at the place of the first or of the last. */
function countedRows(
  state: State,
  file: FileRecord,
  { release, firsts }: Reading,
): ReadonlyMap<string, Counted> {
  const { table } = state
  const unread = unreadRows(state, file)
  const all = file.repeats.length === 0 ? file.nodes : [...file.nodes, ...file.repeats].sort((a, b) => a - b)
  const counted = new Map<string, Counted>()
  for (const row of all) {
    const id = t.idOf(table, row)
    if (!isEntry(state, row, release)) continue
    const place = t.int(table.row, row)
    if (unread.has(place) && !(release.readsFirstOfRow && firsts.get(place) === id)) continue
    const before = counted.get(id)
    if (before !== undefined && release.repeatsMoveToEnd) counted.delete(id)
    counted.set(id, { node: before?.node ?? row, row })
  }
  return counted
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

function parentOf(
  table: t.Table,
  node: number,
  places: ReadonlyMap<string, number>,
  skipped: ReadonlyMap<string, string | null> | null,
): number {
  let id = table.parentIds[node] ?? null
  for (let left = skipped?.size ?? 0; id !== null && left > 0 && skipped?.has(id) === true; left--)
    id = skipped.get(id) ?? null
  return id === null ? NO_PARENT : (places.get(id) ?? MISSING)
}
