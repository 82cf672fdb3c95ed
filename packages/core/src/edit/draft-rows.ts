/** From a draft to the rows of the new file. */
import type { CompactionRecord } from '../graph/compactions.js'
import { entryOf, isSidechain, kindOf, nodeInFile, none, parentOf, rowOf } from '../graph/nodes.js'
import type { EntryId } from '../model/ids.js'
import type { Json } from '../parse/json.js'
import type { InsertedRow } from '../resume/conversation.js'
import { compactionIn, conversationEntries, type Draft, isBelow, itemId, newParentOf } from './draft.js'
import { inLineOrder } from './line.js'
import { addEnd, addTitle } from './new-rows.js'
import {
  createRowList,
  DAMAGED_PIECES,
  DAMAGED_ROW,
  type PlannedRows,
  type RowLocation,
  type RowPatch,
} from './plan.js'
import { type NewSession, noteLocation, rowLocation } from './source.js'

/**
 * All rows of the file in order: entries and notes as they stand, inserted rows in their positions, the title last. The entries
 * of the line take the positions that they have among them, in its order.
 */
export function draftRows(
  draft: Draft,
  line: readonly number[],
  title: { readonly target: NewSession; readonly title: string } | null,
): PlannedRows {
  const { source, graph, file } = draft
  const rows = createRowList()
  const { last, leaf } = endOf(draft)
  const others = rowsWithoutEntry(draft)
  let next = 0
  const addOthers = (upTo: number): void => {
    for (let other = others[next]; other !== undefined && other.row < upTo; other = others[++next])
      rows.add(other.location)
  }
  const [first] = draft.promised()
  if (typeof first === 'object') rows.addNew(first.record)
  const slots =
    file.repeats.length === 0 ? file.nodes : [...file.nodes, ...file.repeats].sort((a, b) => a - b)
  const ordered = inLineOrder(slots, line)
  const kept = keptLists(draft)
  const add = (node: number): void => {
    if (!draft.isDropped(node)) rows.add(rowLocation(source, node), patchOf(draft, node, kept.get(node)))
  }
  for (const [position, node] of ordered.entries()) {
    const slot = slots[position] ?? node
    addOthers(rowOf(graph, slot))
    const moved = draft.movedBefore(node)
    moved?.forEach(add)
    if (moved !== null) add(node)
    for (const row of draft.insertedBehind(slot)) rows.addNew(linkedRecord(draft, row))
  }
  addOthers(Number.POSITIVE_INFINITY)
  if (hasEndNote(draft) || !endsAt(draft, ordered, slots, leaf)) rows.addNew(leafNote(draft, leaf))
  if (title !== null) {
    const nodes = ordered.filter(node => isRow(draft, node))
    // An inserted row has the time of the one before it, which is then the first of the two.
    const isAtEnd = (node: number): boolean => leaf === itemId(draft, last) && isBelow(draft, node, last)
    addEnd(rows, source, title.target, { leaf, last, nodes, isAtEnd })
    addTitle(rows, title.target, title.title)
  }
  return rows.rows
}

/** A row that is in no chain, or a part of one. */
interface OtherRow {
  readonly row: number
  readonly location: RowLocation
}

/** Notes and damaged bytes by row. What is damaged stays in the file, in rows of its own: nothing that was written goes. */
function rowsWithoutEntry({ source, file }: Draft): readonly OtherRow[] {
  const { path } = file.facts
  const notes = source.surveys.get(path)?.notes ?? []
  const noted = notes.map((note): OtherRow => ({ row: note.row, location: noteLocation(source, path, note) }))
  if (file.damagedRows.length === 0) return noted
  const damaged = file.damagedRows.map(({ row, offset, length, isWhole }): OtherRow => {
    const nth = isWhole ? DAMAGED_ROW : DAMAGED_PIECES
    return { row, location: { file: path, offset, length, nth, isDamaged: false } }
  })
  return [...noted, ...damaged].sort((a, b) => a.row - b.row)
}

/** The last entry of the conversation, and the uuid of its last row. Behind a compaction that is the summary, also where entries were kept. */
function endOf(draft: Draft): { readonly last: number; readonly leaf: EntryId } {
  const promised = draft.promised()
  const last = conversationEntries(promised).at(-1) ?? none
  const compaction = compactionIn(draft, promised)
  if (compaction?.preserved.includes(last) === true)
    return { last: compaction.summary, leaf: itemId(draft, compaction.summary) }
  return { last, leaf: itemId(draft, promised.at(-1) ?? last) }
}

/** An inserted row with its parent. */
function linkedRecord(draft: Draft, row: InsertedRow): Json {
  return { ...row.record, parentUuid: itemId(draft, draft.linkOf(row)) }
}

/**
 * Newer releases go to the end that was noted last, else to the last row. Where an end was noted, which may be another one, or
 * the last row hangs on an older entry, the end is noted again.
 */
function leafNote({ session }: Draft, leaf: EntryId): Json {
  return { type: 'last-prompt', leafUuid: leaf, sessionId: session }
}

function hasEndNote({ source, file }: Draft): boolean {
  return source.surveys.get(file.facts.path)?.notes.some(({ type }) => type === 'last-prompt') ?? false
}

/** Whether the last row of the conversation's file stands at an entry or below it. */
function endsAt(draft: Draft, ordered: readonly number[], slots: readonly number[], leaf: EntryId): boolean {
  const { graph, file, insertedBehind } = draft
  const end = nodeInFile(graph, leaf, file)
  const last = slots.findLastIndex(node => isRow(draft, node))
  if (end !== none) return isBelow(draft, ordered[last] ?? none, end)
  const lastInserted = slots.findLastIndex(slot => insertedBehind(slot).length > 0)
  return lastInserted >= last && insertedBehind(slots[lastInserted] ?? none).at(-1)?.id === leaf
}

/** Whether an entry of the main conversation will be in the file. */
function isRow({ graph, isDropped }: Draft, node: number): boolean {
  return !isDropped(node) && !isSidechain(graph, node)
}

/** What is changed in a row, its parent included. */
function patchOf(draft: Draft, node: number, kept: RowPatch | undefined): RowPatch | undefined {
  const own = draft.patchOf(node)
  const patch = kept === undefined ? own : { ...own, ...kept }
  const parent = newParentOf(draft, node)
  if (!draft.isRelinked(node) && parent === parentOf(draft.graph, node)) return patch
  return { ...patch, parent: parent === none ? null : itemId(draft, parent) }
}

/** Boundaries name what will be in the file, and nothing else: the changes of those that name more or less. */
function keptLists(draft: Draft): ReadonlyMap<number, RowPatch> {
  const lists = draft.file.compactions.flatMap(record => {
    const isDecided = draft.isDropped(record.boundary) || draft.patchOf(record.boundary)?.kept !== undefined
    const patch = isDecided ? null : keptList(draft, record)
    return patch === null ? [] : [[record.boundary, patch] as const]
  })
  return new Map(lists)
}

function keptList(draft: Draft, { boundary, logical, preserved }: CompactionRecord): RowPatch | null {
  const { graph, isDropped, standIn, insertedBehind } = draft
  const [beginning, first] = draft.promised()
  // Of a list with an entry that the client does not know it keeps nothing at all.
  const isKept = (node: number): boolean => !isDropped(node) && kindOf(graph, node) !== 'opaque'
  const kept = preserved.map(standIn).filter(isKept)
  const uuids = kept.flatMap(node => {
    const before = node === first && typeof beginning === 'object' ? [beginning] : []
    return [...before, node, ...insertedBehind(node)].map(item => itemId(draft, item))
  })
  const named = keptCount(draft, boundary)
  const from = standIn(logical)
  const isSame =
    kept.length === named && uuids.length === named && kept.every((node, at) => node === preserved[at])
  if ((named === 0 || isSame) && from === logical) return null
  const logicalParent = from === none ? null : itemId(draft, from)
  return named === 0 ? { logical: logicalParent } : { kept: { logicalParent, uuids } }
}

/** How many entries a boundary says it keeps; `preservedSegment` names only the ends. */
export function keptCount({ graph }: Pick<Draft, 'graph'>, boundary: number): number {
  const entry = entryOf(graph, boundary)
  return entry?.kind === 'system' ? (entry.compaction?.preserved.length ?? 0) : 0
}
