/**
 * D14: the rows of one file as Claude Code reads them: no other file is looked at, a row that is not a JSON object does not
 * count, and of a uuid that is written twice the last row counts.
 */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import {
  isBoundary,
  isConversation,
  isInFile,
  isRepeated,
  isSidechain,
  kindOf,
  messageOf,
  nodeInFile,
  none,
  parentIdOf,
  parentOf,
  readingDiagnostics,
  roleOf,
  rowOf,
  subtypeOf,
  textHashOf,
  timeOf,
  toolsOf,
} from '../graph/nodes.js'
import type { Release } from './releases.js'
import type { NamelessEntry, Survey } from './survey.js'

/** No entry: a root. */
export const NO_PARENT = -1
/** An entry that is named and not there. */
export const MISSING = -2

/** The entries of a file in the order of the loader, linked by their positions in it. */
export interface LoadedRows {
  readonly graph: Graph
  readonly file: FileRecord
  readonly rows: readonly number[]
  /** The position of the parent, `NO_PARENT` or `MISSING`. */
  readonly parents: Int32Array
  readonly places: Places
  /** Entries that the loader has dropped: left out by a compaction. */
  readonly dropped: Uint8Array
  /** The entry on the last row outside of sidechains; it may be one that was written again. */
  readonly last: number
  /** Some row is not the one that the graph has for its uuid: two entries carry it, and the later one counts. */
  readonly hasOtherRows: boolean
  /** The entry without a uuid, which is not a node: its row is `NAMELESS`. */
  readonly nameless: NamelessEntry | null
}

/** In `rows`: the entry without a uuid. */
export const NAMELESS = -2

/** When the entry at a position was written, or NaN. */
export function timeAt({ graph, rows, nameless }: LoadedRows, place: number): number {
  const node = rows[place] ?? none
  return node === NAMELESS ? (nameless?.time ?? Number.NaN) : timeOf(graph, node)
}

export function isSidechainAt({ graph, rows, nameless }: LoadedRows, place: number): boolean {
  const node = rows[place] ?? none
  return node === NAMELESS ? nameless?.isSidechain === true : isSidechain(graph, node)
}

/** Whether a user or assistant entry stands at a position. */
export function isMessageAt({ graph, rows, nameless }: LoadedRows, place: number): boolean {
  const node = rows[place] ?? none
  if (node === NAMELESS) return nameless?.type === 'user' || nameless?.type === 'assistant'
  return isConversation(graph, node)
}

export function isBoundaryAt({ graph, rows, nameless }: LoadedRows, place: number): boolean {
  const node = rows[place] ?? none
  return node === NAMELESS ? nameless?.compaction != null : isBoundary(graph, node)
}

/** The uuid that the entry at a position names as its parent. */
export function parentIdAt({ graph, rows, nameless }: LoadedRows, place: number): string | null {
  const node = rows[place] ?? none
  return (node === NAMELESS ? nameless?.parent : parentIdOf(graph, node)) ?? null
}

/** Where entries stand in that order: by uuid, or by the node that the uuid has in the file. */
interface Places {
  readonly get: (id: string) => number | undefined
  readonly of: (node: number) => number | undefined
}

/** Who reads from which node on, and which record is the first on rows with several. */
interface Reading extends Pick<Survey, 'firsts' | 'nameless'> {
  readonly release: Release
  readonly from: number
}

/** Reads and links them. */
export function loadRows(graph: Graph, file: FileRecord, reading: Reading): LoadedRows {
  const nameless = namelessIn(graph, reading)
  const counted = withNameless(graph, countedRows(graph, file, reading), nameless)
  const places = placesOf(graph, file, counted.firsts)
  const steps = reading.release.progress === 'skipped' ? stepsOver(graph, file) : NO_STEPS
  const linking = { graph, file, places, steps, nameless }
  const parents = Int32Array.from(counted.rows, row => positionOfParent(linking, row))
  const last = counted.last === none ? NO_PARENT : (places.of(counted.last) ?? NO_PARENT)
  const hasOtherRows =
    file.repeats.length > 0 && counted.nodes.some(node => node >= 0 && isRepeated(graph, node))
  const dropped = new Uint8Array(parents.length)
  return { graph, file, rows: counted.nodes, parents, places, dropped, last, hasOtherRows, nameless }
}

/** The entry without a uuid, where the release reads as far as its row. */
function namelessIn(graph: Graph, { nameless, from }: Reading): NamelessEntry | null {
  return nameless === null || (from > 0 && nameless.row < rowOf(graph, from)) ? null : nameless
}

/** Puts the entry without a uuid in its position. */
function withNameless(graph: Graph, counted: CountedRows, nameless: NamelessEntry | null): CountedRows {
  if (nameless === null) return counted
  const { firsts, nodes, rows, last } = counted
  const behind = firsts.findIndex(node => rowOf(graph, node) > nameless.firstRow)
  const place = behind < 0 ? firsts.length : behind
  const isLast =
    !nameless.isSidechain && rows.every(row => rowOf(graph, row) < nameless.row || isSidechain(graph, row))
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
function countedRows(graph: Graph, file: FileRecord, { release, firsts, from }: Reading): CountedRows {
  const unread = unreadRows(graph, file, release)
  const isCounted = (row: number): boolean => {
    if (row < from || !isEntry(graph, row, release)) return false
    const place = rowOf(graph, row)
    return !unread.has(place) || (release.readsFirstOfRow && firsts.get(place) === graph.id(row))
  }
  const isMain = (row: number): boolean => !isSidechain(graph, row)
  if (file.repeats.length > 0) return withRepeats(graph, file, isCounted)
  const rows = file.nodes.filter(isCounted)
  return { firsts: rows, nodes: rows, rows, last: rows.findLast(isMain) ?? none }
}

function withRepeats(graph: Graph, file: FileRecord, isCounted: (row: number) => boolean): CountedRows {
  const counted = new Map<number, { readonly node: number; readonly row: number }>()
  let last: number = none
  for (const row of rowsInOrder(file)) {
    if (!isCounted(row)) continue
    const first = nodeInFile(graph, graph.id(row), file)
    counted.set(first, { node: counted.get(first)?.node ?? row, row })
    if (!isSidechain(graph, row)) last = first
  }
  const all = [...counted.values()]
  const nodes = all.map(({ node, row }) => (isSameEntry(graph, node, row) ? node : row))
  return { firsts: [...counted.keys()], nodes, rows: all.map(({ row }) => row), last }
}

/** Whether a row repeats an entry, or is another one that carries its uuid. */
function isSameEntry(graph: Graph, a: number, b: number): boolean {
  if (a === b) return true
  const isSaid = kindOf(graph, a) === kindOf(graph, b) && roleOf(graph, a) === roleOf(graph, b)
  const isText = textHashOf(graph, a) === textHashOf(graph, b)
  const isMessage = messageOf(graph, a) === messageOf(graph, b)
  return isSaid && isText && isMessage && toolsOf(graph, a).join() === toolsOf(graph, b).join()
}

/** All rows with entries, also those that are written again. */
function rowsInOrder({ nodes, repeats }: FileRecord): readonly number[] {
  return repeats.length === 0 ? nodes : [...nodes, ...repeats].sort((a, b) => a - b)
}

/** A file's nodes mostly have numbers next to each other: a column of their places costs less than a map. */
function placesOf(graph: Graph, file: FileRecord, firsts: readonly number[]): Places {
  const [base = 0] = file.nodes
  const column = new Int32Array((file.nodes.at(-1) ?? base) - base + 1).fill(MISSING)
  for (const [place, node] of firsts.entries()) if (node !== NAMELESS) column[node - base] = place
  const nameless = firsts.indexOf(NAMELESS)
  const of = (node: number): number | undefined => {
    if (node === NAMELESS) return nameless < 0 ? undefined : nameless
    const place = column[node - base] ?? MISSING
    return place === MISSING ? undefined : place
  }
  return { of, get: id => of(nodeInFile(graph, id, file)) }
}

/** Whether the release knows this type. */
function isEntry(graph: Graph, node: number, { progress }: Release): boolean {
  switch (kindOf(graph, node)) {
    case 'opaque':
      return false
    case 'progress':
      return progress === 'entry'
    default:
      return subtypeOf(graph, node) !== 'compact_prelude'
  }
}

/** Rows that dagline reads and Claude Code does not, or not whole. */
function unreadRows(graph: Graph, file: FileRecord, { readsFirstOfRow }: Release): ReadonlySet<number> {
  const rows = new Set<number>()
  const isUnread = (rule: string): boolean =>
    UNREAD.has(rule) || (rule === 'parse/multi-row' && !readsFirstOfRow)
  for (const { rule, file: path, row } of readingDiagnostics(graph))
    if (path === file.facts.path && row !== null && isUnread(rule)) rows.add(row)
  return rows
}

const UNREAD: ReadonlySet<string> = new Set(['parse/joined-rows', 'parse/nul-bytes', 'parse/not-json'])

/** What rows hang on whose parent is a progress entry that was read before them: that is stepped over. */
function stepsOver(graph: Graph, file: FileRecord): ReadonlyMap<number, string | null> {
  const skipped = new Map<string, string | null>()
  const steps = new Map<number, string | null>()
  for (const row of rowsInOrder(file)) {
    const written = parentIdOf(graph, row)
    const above = written === null ? undefined : skipped.get(written)
    if (kindOf(graph, row) === 'progress') skipped.set(graph.id(row), above === undefined ? written : above)
    else if (above !== undefined) steps.set(row, above)
  }
  return steps
}

const NO_STEPS: ReadonlyMap<number, string | null> = new Map()

/** Rows that are being linked. */
interface Linking extends Pick<LoadedRows, 'graph' | 'places'> {
  readonly file: FileRecord
  readonly steps: ReadonlyMap<number, string | null>
  readonly nameless: NamelessEntry | null
}

function positionOfParent({ graph, file, places, steps, nameless }: Linking, row: number): number {
  if (row === NAMELESS) {
    const parent = nameless?.parent ?? null
    return parent === null ? NO_PARENT : (places.get(parent) ?? MISSING)
  }
  const step = steps.get(row)
  const id = step === undefined ? parentIdOf(graph, row) : step
  if (id === null) return NO_PARENT
  const linked = parentOf(graph, row)
  // The graph has looked it up already, unless it is not of this file or was stepped over.
  if (step === undefined && linked !== none && isInFile(graph, linked, file))
    return places.of(linked) ?? MISSING
  return places.get(id) ?? MISSING
}
