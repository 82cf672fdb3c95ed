/**
 * The rows of one file as Claude Code reads them: no other file is looked at, a row that is no JSON object is not there,
 * and of a uuid that is written twice the last row counts.
 */

import { subtypeOf } from '../graph/compactions.js'
import { isConversation } from '../graph/conversation.js'
import type { FileRecord } from '../graph/file-record.js'
import { type State, sightingIn } from '../graph/state.js'
import * as t from '../graph/table.js'
import type { Release } from './releases.js'
import type { FileExtras, NamelessEntry } from './survey.js'

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
  /** The entry on the last row that is none of a sidechain; it may be one that was written again. */
  readonly last: number
  /** Some row is not the one that the graph has for its uuid: two entries carry it, and the later one counts. */
  readonly hasOtherRows: boolean
  /** The entry without a uuid, which is no node: its row is `NAMELESS`. */
  readonly nameless: NamelessEntry | null
}

/** In `rows`: the entry without a uuid. */
export const NAMELESS = -2

/** When the entry at a position was written, or NaN. */
export function timeAt({ state, rows, nameless }: LoadedRows, place: number): number {
  const node = rows[place] ?? t.none
  return node === NAMELESS ? (nameless?.time ?? Number.NaN) : t.real(state.table.time, node)
}

export function isSidechainAt({ state, rows, nameless }: LoadedRows, place: number): boolean {
  const node = rows[place] ?? t.none
  return node === NAMELESS ? nameless?.isSidechain === true : t.marked(state.table, node, t.Sidechain)
}

/** Whether a user or assistant entry stands at a position. */
export function isMessageAt({ state, rows, nameless }: LoadedRows, place: number): boolean {
  const node = rows[place] ?? t.none
  if (node === NAMELESS) return nameless?.type === 'user' || nameless?.type === 'assistant'
  return isConversation(state.table, node)
}

export function isBoundaryAt({ state, rows, nameless }: LoadedRows, place: number): boolean {
  const node = rows[place] ?? t.none
  return node === NAMELESS ? nameless?.compaction != null : t.marked(state.table, node, t.Boundary)
}

/** The uuid that the entry at a position names as its parent. */
export function parentIdAt({ state, rows, nameless }: LoadedRows, place: number): string | null {
  const node = rows[place] ?? t.none
  return (node === NAMELESS ? nameless?.parent : state.table.parentIds[node]) ?? null
}

/** Where entries stand in that order: by uuid, or by the node that the uuid has in the file. */
export interface Places {
  readonly get: (id: string) => number | undefined
  readonly of: (node: number) => number | undefined
}

/** Who reads from which node on, and which record is the first on rows with several. */
export interface Reading extends Pick<FileExtras, 'firsts' | 'nameless'> {
  readonly release: Release
  readonly from: number
}

/** Reads and links them. */
export function loadRows(state: State, file: FileRecord, reading: Reading): LoadedRows {
  const nameless = namelessIn(state, reading)
  const counted = withNameless(state, countedRows(state, file, reading), nameless)
  const places = placesOf(state, file, counted.firsts)
  const steps = reading.release.progress === 'skipped' ? stepsOver(state, file) : NO_STEPS
  const linking = { state, file, places, steps, nameless }
  const parents = Int32Array.from(counted.rows, row => parentOf(linking, row))
  const last = counted.last === t.none ? NO_PARENT : (places.of(counted.last) ?? NO_PARENT)
  const hasOtherRows =
    file.repeats.length > 0 &&
    counted.nodes.some(node => node >= 0 && t.marked(state.table, node, t.Repeated))
  const dropped = new Uint8Array(parents.length)
  return { state, rows: counted.nodes, parents, places, dropped, last, hasOtherRows, nameless }
}

/** The entry without a uuid, where the release reads as far as its row. */
function namelessIn({ table }: State, { nameless, from }: Reading): NamelessEntry | null {
  return nameless === null || (from > 0 && nameless.row < t.int(table.row, from)) ? null : nameless
}

/** Puts the entry without a uuid in its position. */
function withNameless({ table }: State, counted: CountedRows, nameless: NamelessEntry | null): CountedRows {
  if (nameless === null) return counted
  const { firsts, nodes, rows, last } = counted
  const behind = firsts.findIndex(node => t.int(table.row, node) > nameless.firstRow)
  const place = behind < 0 ? firsts.length : behind
  const isLast =
    !nameless.isSidechain &&
    rows.every(row => t.int(table.row, row) < nameless.row || t.marked(table, row, t.Sidechain))
  return {
    firsts: firsts.toSpliced(place, 0, NAMELESS),
    nodes: nodes.toSpliced(place, 0, NAMELESS),
    rows: rows.toSpliced(place, 0, NAMELESS),
    last: isLast ? NAMELESS : last,
  }
}

/** Entries in the order of the loader, in three lists: the first row that has the uuid, the node, the row that counts. */
interface CountedRows {
  readonly firsts: readonly number[]
  readonly nodes: readonly number[]
  readonly rows: readonly number[]
  /** The first row of the entry on the last row. */
  readonly last: number
}

/** The rows that the release takes for entries: of a uuid the last row counts, at the place of the first. */
function countedRows(state: State, file: FileRecord, { release, firsts, from }: Reading): CountedRows {
  const { table } = state
  const unread = unreadRows(state, file, release)
  const isCounted = (row: number): boolean => {
    if (row < from || !isEntry(state, row, release)) return false
    const place = t.int(table.row, row)
    return !unread.has(place) || (release.readsFirstOfRow && firsts.get(place) === t.idOf(table, row))
  }
  const isMain = (row: number): boolean => !t.marked(table, row, t.Sidechain)
  if (file.repeats.length > 0) return withRepeats(state, file, isCounted)
  const rows = file.nodes.filter(isCounted)
  return { firsts: rows, nodes: rows, rows, last: rows.findLast(isMain) ?? t.none }
}

function withRepeats(state: State, file: FileRecord, isCounted: (row: number) => boolean): CountedRows {
  const { table } = state
  const counted = new Map<number, { readonly node: number; readonly row: number }>()
  let last: number = t.none
  for (const row of rowsInOrder(file)) {
    if (!isCounted(row)) continue
    const first = sightingIn(state, t.idOf(table, row), file.index)
    counted.set(first, { node: counted.get(first)?.node ?? row, row })
    if (!t.marked(table, row, t.Sidechain)) last = first
  }
  const all = [...counted.values()]
  const nodes = all.map(({ node, row }) => (isSameEntry(table, node, row) ? node : row))
  return { firsts: [...counted.keys()], nodes, rows: all.map(({ row }) => row), last }
}

/** Whether a row repeats an entry, or is another one that carries its uuid. */
function isSameEntry(table: t.Table, a: number, b: number): boolean {
  if (a === b) return true
  const isSaid =
    t.byte(table.kind, a) === t.byte(table.kind, b) && t.byte(table.says, a) === t.byte(table.says, b)
  const isText = t.real(table.print, a) === t.real(table.print, b)
  const isMessage = t.int(table.message, a) === t.int(table.message, b)
  return isSaid && isText && isMessage && t.int(table.tool, a) === t.int(table.tool, b)
}

/** All rows with entries, also those that are written again. */
function rowsInOrder({ nodes, repeats }: FileRecord): readonly number[] {
  return repeats.length === 0 ? nodes : [...nodes, ...repeats].sort((a, b) => a - b)
}

/** A file's nodes mostly have numbers next to each other: a column of their places costs less than a map. */
function placesOf(state: State, file: FileRecord, firsts: readonly number[]): Places {
  const [base = 0] = file.nodes
  const column = new Int32Array((file.nodes.at(-1) ?? base) - base + 1).fill(MISSING)
  for (const [place, node] of firsts.entries()) if (node !== NAMELESS) column[node - base] = place
  const nameless = firsts.indexOf(NAMELESS)
  const of = (node: number): number | undefined => {
    if (node === NAMELESS) return nameless < 0 ? undefined : nameless
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
      return subtypeOf(state, node) !== 'compact_prelude'
  }
}

/** Rows that dagline reads and Claude Code does not, or not whole. */
function unreadRows(state: State, file: FileRecord, { readsFirstOfRow }: Release): ReadonlySet<number> {
  const rows = new Set<number>()
  const isUnread = (rule: string): boolean =>
    UNREAD.has(rule) || (rule === 'parse/multi-row' && !readsFirstOfRow)
  for (const { rule, file: path, row } of state.diagnostics)
    if (path === file.facts.path && row !== null && isUnread(rule)) rows.add(row)
  return rows
}

const UNREAD: ReadonlySet<string> = new Set(['parse/joined-rows', 'parse/nul-bytes', 'parse/not-json'])

/** What rows hang on whose parent is a progress entry that was read before them: that is stepped over. */
function stepsOver(state: State, file: FileRecord): ReadonlyMap<number, string | null> {
  const { table } = state
  const skipped = new Map<string, string | null>()
  const steps = new Map<number, string | null>()
  for (const row of rowsInOrder(file)) {
    const written = table.parentIds[row] ?? null
    const above = written === null ? undefined : skipped.get(written)
    if (t.byte(table.kind, row) === t.Progress)
      skipped.set(t.idOf(table, row), above === undefined ? written : above)
    else if (above !== undefined) steps.set(row, above)
  }
  return steps
}

const NO_STEPS: ReadonlyMap<number, string | null> = new Map()

/** Rows that are being linked. */
interface Linking extends Pick<LoadedRows, 'state' | 'places'> {
  readonly file: FileRecord
  readonly steps: ReadonlyMap<number, string | null>
  readonly nameless: NamelessEntry | null
}

function parentOf({ state, file, places, steps, nameless }: Linking, row: number): number {
  const { table } = state
  if (row === NAMELESS) {
    const parent = nameless?.parent ?? null
    return parent === null ? NO_PARENT : (places.get(parent) ?? MISSING)
  }
  const step = steps.get(row)
  const id = step === undefined ? (table.parentIds[row] ?? null) : step
  if (id === null) return NO_PARENT
  const linked = t.int(table.parent, row)
  // The graph has looked it up already, unless it is none of this file's or was stepped over.
  if (step === undefined && linked !== t.none && t.int(table.file, linked) === file.index)
    return places.of(linked) ?? MISSING
  return places.get(id) ?? MISSING
}
