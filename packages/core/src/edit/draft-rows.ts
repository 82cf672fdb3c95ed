/** From a draft to the rows of the new file. */
import { entryOf, isSidechain, kindOf, nodeInFile, none, parentOf, rowOf } from '../graph/nodes.js'
import { groupBy } from '../model/group.js'
import { asObject, type Json } from '../parse/json.js'
import { standIn } from './copies.js'
import {
  compactionIn,
  type Draft,
  idOf,
  isBelow,
  type MadeRow,
  newParentOf,
  patchRow,
  type Said,
} from './draft.js'
import { inLineOrder } from './line.js'
import {
  createRowList,
  DAMAGED_PIECES,
  DAMAGED_ROW,
  type PlannedRows,
  type RowList,
  type RowPatch,
  type RowPlaceIn,
} from './plan.js'
import { type EditMake, notePlace, placeOf } from './source.js'
import { addEnd, addTitle } from './title.js'

/**
 * All rows of the file in order: entries and notes as they stand, made rows in their places, the title last. `talk` is what
 * is said.
 */
export function allRows(
  draft: Draft,
  talk: readonly Said[],
  end: { readonly make: EditMake; readonly title: string } | null,
): PlannedRows {
  const { source, graph } = draft
  const rows = createRowList()
  const { last, leaf } = endOf(draft, talk)
  const others = rowsWithoutEntry(draft)
  let next = 0
  const addNotes = (upTo: number): void => {
    for (let other = others[next]; other !== undefined && other.row < upTo; other = others[++next])
      rows.add(other.place)
  }
  if (draft.start !== null) rows.addNew(draft.start.made.record)
  const slots = inOrder(draft)
  const ordered = inLineOrder(slots, draft.line)
  const before = groupBy(draft.early, ([, at]) => at)
  const add = (node: number): void => {
    if (!draft.dropped.has(node)) rows.add(placeOf(source, node), patchOf(draft, node))
  }
  for (const [place, node] of ordered.entries()) {
    const slot = slots[place] ?? node
    addNotes(rowOf(graph, slot))
    for (const [early] of before.get(node) ?? []) add(early)
    if (!draft.early.has(node)) add(node)
    for (const made of draft.made.get(slot) ?? []) rows.addNew(recordOf(draft, made))
  }
  addNotes(Number.POSITIVE_INFINITY)
  if (hasEndNote(draft) || !endsAt(draft, ordered, slots, leaf)) addLeafNote(draft, rows, leaf)
  if (end !== null) {
    const nodes = ordered.filter(node => isRow(draft, node))
    // A row that is made has the time of the one before it, which is then the first of the two.
    const isAtEnd = (node: number): boolean => leaf === idOf(draft, last) && isBelow(draft, node, last)
    addEnd(rows, source, end.make, { leaf, last, nodes, isAtEnd })
    addTitle(rows, end.make, end.title)
  }
  return rows.rows
}

/** A row that is in no chain, or a part of one. */
interface OtherRow {
  readonly row: number
  readonly place: RowPlaceIn
}

/** Notes and damaged bytes by row. What is damaged stays in the file, in rows of its own: nothing that was written goes. */
function rowsWithoutEntry({ source, file }: Draft): readonly OtherRow[] {
  const { path } = file.facts
  const notes = source.surveys.get(path)?.notes ?? []
  const noted = notes.map((note): OtherRow => ({ row: note.row, place: notePlace(source, path, note) }))
  if (file.damagedRows.length === 0) return noted
  const damaged = file.damagedRows.map(({ row, offset, length, isWhole }): OtherRow => {
    const nth = isWhole ? DAMAGED_ROW : DAMAGED_PIECES
    return { row, place: { file: path, offset, length, nth, isDamaged: false } }
  })
  return [...noted, ...damaged].sort((a, b) => a.row - b.row)
}

/** The last entry that is said, and the uuid of the last row. Behind a compaction that is the summary, also where entries were kept. */
function endOf(draft: Draft, talk: readonly Said[]): { readonly last: number; readonly leaf: string } {
  const last = talk.findLast(item => typeof item === 'number') ?? none
  const compaction = compactionIn(draft, talk)
  if (compaction?.preserved.includes(last) === true)
    return { last: compaction.summary, leaf: idOf(draft, compaction.summary) }
  return { last, leaf: idOf(draft, talk.at(-1) ?? last) }
}

/** A row that is made, hung where the line has it. */
function recordOf({ madeOn }: Draft, { id, record }: MadeRow): Json {
  const parent = madeOn.get(id)
  return parent === undefined ? record : { ...record, parentUuid: parent }
}

/**
 * Newer releases go to the end that was noted last, else to the last row. Where an end was noted, which may be another one, or
 * the last row hangs on an older entry, the end is noted anew.
 */
function addLeafNote(draft: Draft, rows: RowList, leaf: string): void {
  const record = asObject({ type: 'last-prompt', leafUuid: leaf, sessionId: draft.session })
  if (record !== null) rows.addNew(record)
}

function hasEndNote({ source, file }: Draft): boolean {
  return source.surveys.get(file.facts.path)?.notes.some(({ type }) => type === 'last-prompt') ?? false
}

/** Whether the last row of the conversation's file stands at an entry or below it. */
function endsAt(draft: Draft, ordered: readonly number[], slots: readonly number[], leaf: string): boolean {
  const { graph, file, made } = draft
  const end = nodeInFile(graph, leaf, file)
  const last = slots.findLastIndex(node => isRow(draft, node))
  if (end === none) {
    const lastMade = slots.findLastIndex(slot => made.has(slot))
    return lastMade >= last && made.get(slots[lastMade] ?? none)?.at(-1)?.id === leaf
  }
  return isBelow(draft, ordered[last] ?? none, end)
}

/** Whether an entry of the main conversation will be in the file. */
function isRow({ graph, dropped }: Draft, node: number): boolean {
  return !dropped.has(node) && !isSidechain(graph, node)
}

/** Entries and repeated rows by place. */
function inOrder({ file }: Draft): readonly number[] {
  return file.repeats.length === 0 ? file.nodes : [...file.nodes, ...file.repeats].sort((a, b) => a - b)
}

/** What is changed in a row, its parent included: rows that are left out hand their children on to their own parent. */
function patchOf(draft: Draft, node: number): RowPatch | undefined {
  const patch = draft.patches.get(node)
  if (draft.start?.node === node) return { ...patch, parent: draft.start.made.id }
  const made = draft.onMade.get(node)
  if (made !== undefined) return { ...patch, parent: made }
  const recorded = parentOf(draft.graph, node)
  const parent = newParentOf(draft, node)
  const isNew = draft.parents.has(node) || parent !== recorded
  if (!isNew) return patch
  return { ...patch, parent: parent === none ? null : draft.graph.id(parent) }
}

/** Boundaries name what will be in the file, and nothing else. */
export function keepWhatStays(draft: Draft): void {
  for (const record of draft.file.compactions) {
    const { boundary, logical, preserved } = record
    if (draft.dropped.has(boundary) || draft.emptied.has(boundary)) continue
    // Of a list with an entry that the client does not know it keeps nothing at all.
    const isKept = (node: number): boolean =>
      !draft.dropped.has(node) && kindOf(draft.graph, node) !== 'opaque'
    const kept = preserved.map(node => standIn(draft, node)).filter(isKept)
    const uuids = kept.flatMap(node => [
      ...(draft.start?.node === node ? [draft.start.made.id] : []),
      idOf(draft, node),
      ...(draft.made.get(node) ?? []).map(({ id }) => id),
    ])
    const named = namedBy(draft, boundary)
    const from = standIn(draft, logical)
    const isSame =
      kept.length === named && uuids.length === named && kept.every((node, at) => node === preserved[at])
    if ((named === 0 || isSame) && from === logical) continue
    const logicalParent = from === none ? null : idOf(draft, from)
    patchRow(draft, boundary, named === 0 ? { logical: logicalParent } : { kept: { logicalParent, uuids } })
  }
}

/** How many entries a boundary says it keeps; `preservedSegment` names only the ends. */
export function namedBy({ graph }: Draft, boundary: number): number {
  const entry = entryOf(graph, boundary)
  return entry?.kind === 'system' ? (entry.compaction?.preserved.length ?? 0) : 0
}
