/** From a bench to the rows of the new file. */
import { isConversation } from '../graph/live.js'
import { sightingIn } from '../graph/state.js'
import * as t from '../graph/table.js'
import { asObject } from '../parse/json.js'
import { type Bench, patchRow } from './bench.js'
import { createRowList, type PlannedRows, type RowList, type RowPatch } from './plan.js'
import { type EditMake, notePlace, placeOf } from './source.js'
import { addTitle } from './title.js'

/**
 * All rows of the file in order: entries and notes as they stand, made rows in their places, the title last. `leaf` is the
 * last that is said.
 */
export function allRows(
  bench: Bench,
  leaf: string,
  end: { readonly make: EditMake; readonly title: string } | null,
): PlannedRows {
  const { source, state, file } = bench
  const rows = createRowList()
  const notes = source.surveys.get(file.facts.path)?.notes ?? []
  let next = 0
  const addNotes = (upTo: number): void => {
    for (let note = notes[next]; note !== undefined && note.row < upTo; note = notes[++next])
      rows.add(notePlace(source, file.facts.path, note))
  }
  if (bench.start !== null) rows.addNew(bench.start.made.record)
  for (const node of inOrder(bench)) {
    addNotes(t.int(state.table.row, node))
    if (!bench.dropped.has(node)) rows.add(placeOf(source, node), patchOf(bench, node))
    for (const { record } of bench.made.get(node) ?? []) rows.addNew(record)
  }
  addNotes(Number.POSITIVE_INFINITY)
  addLeafNote(bench, rows, leaf)
  if (end !== null) addTitle(rows, end.make, end.title)
  return rows.rows
}

/**
 * Newer releases go to the end that was noted last, else to the last row. Where something was said since the note, or the last
 * row hangs on an older entry, the end is noted anew.
 */
function addLeafNote(bench: Bench, rows: RowList, leaf: string): void {
  if (!isNotedEarly(bench) && leadsUpTo(bench, leaf)) return
  const record = asObject({ type: 'last-prompt', leafUuid: leaf, sessionId: bench.session })
  if (record !== null) rows.addNew(record)
}

function isNotedEarly({ source, state: { table }, file }: Bench): boolean {
  const noted = source.surveys.get(file.facts.path)?.notes.findLast(({ type }) => type === 'last-prompt')
  const last = file.nodes.findLast(node => isConversation(table, node))
  return noted !== undefined && last !== undefined && t.int(table.row, last) > noted.row
}

/** Whether the last row of the conversation's file stands at an entry or below it. An entry that is made is where it is put. */
function leadsUpTo(bench: Bench, leaf: string): boolean {
  const { state, file, dropped, parents } = bench
  const { table } = state
  const end = sightingIn(state, leaf, file.index)
  const isRow = (node: number): boolean => !dropped.has(node) && !t.marked(table, node, t.Sidechain)
  let node = file.nodes.findLast(isRow) ?? t.none
  for (let left = table.size; node !== t.none && node !== end && left > 0; left--)
    node = parents.get(node) ?? t.int(table.parent, node)
  return end === t.none || node === end
}

/** Entries and repeated rows by place. */
function inOrder({ file }: Bench): readonly number[] {
  return file.repeats.length === 0 ? file.nodes : [...file.nodes, ...file.repeats].sort((a, b) => a - b)
}

/** What is changed in a row, its parent included: rows that are left out hand their children on to their own parent. */
function patchOf(bench: Bench, node: number): RowPatch | undefined {
  const { table } = bench.state
  const patch = bench.patches.get(node)
  if (bench.start?.node === node) return { ...patch, parent: bench.start.made.id }
  const recorded = t.int(table.parent, node)
  const parent = keptAbove(bench, bench.parents.get(node) ?? recorded)
  const isNew = bench.parents.has(node) || parent !== recorded
  if (!isNew) return patch
  return { ...patch, parent: parent === t.none ? null : t.idOf(table, parent) }
}

/** The next entry above that stays. Types that nobody knows are stepped over: a client that does not know them either would end there. */
function keptAbove({ dropped, parents, state }: Bench, start: number): number {
  const { table } = state
  const isOver = (node: number): boolean => dropped.has(node) || t.byte(table.kind, node) === t.Opaque
  let node = start
  for (let left = table.size; node !== t.none && isOver(node) && left >= 0; left--)
    node = parents.get(node) ?? t.int(table.parent, node)
  return node
}

/** Boundaries name what will be in the file, and nothing else. */
export function keepWhatStays(bench: Bench): void {
  const { table } = bench.state
  for (const { boundary, logical, preserved } of bench.file.compactions) {
    const kept = preserved.filter(node => !bench.dropped.has(node))
    const uuids = kept.flatMap(node => [
      ...(bench.start?.node === node ? [bench.start.made.id] : []),
      t.idOf(table, node),
      ...(bench.made.get(node) ?? []).map(({ id }) => id),
    ])
    const named = namedBy(bench, boundary)
    const isSame = kept.length === named && uuids.length === named
    if (bench.dropped.has(boundary) || bench.emptied.has(boundary) || named === 0 || isSame) continue
    const logicalParent = logical === t.none ? null : t.idOf(table, logical)
    patchRow(bench, boundary, { kept: { logicalParent, uuids } })
  }
}

/** How many entries a boundary says it keeps; `preservedSegment` names only the ends. */
export function namedBy({ state }: Bench, boundary: number): number {
  const entry = state.table.entries[boundary]
  return entry?.kind === 'system' ? (entry.compaction?.preserved.length ?? 0) : 0
}
