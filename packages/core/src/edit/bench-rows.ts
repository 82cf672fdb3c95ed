/** From a bench to the rows of the new file. */
import * as t from '../graph/table.js'
import { type Bench, patchRow } from './bench.js'
import { createRowList, type PlannedRows, type RowPatch } from './plan.js'
import { type EditMake, notePlace, placeOf } from './source.js'
import { addTitle } from './title.js'

/** All rows of the file in order: entries and notes as they stand, made rows in their places, the title last. */
export function allRows(
  bench: Bench,
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
  if (end !== null) addTitle(rows, end.make, end.title)
  return rows.rows
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

function keptAbove({ dropped, parents, state }: Bench, start: number): number {
  let node = start
  for (let left = dropped.size; node !== t.none && dropped.has(node) && left >= 0; left--)
    node = parents.get(node) ?? t.int(state.table.parent, node)
  return node
}

/** Boundaries name what will be in the file, and nothing else. */
export function keepWhatStays(bench: Bench): void {
  const { table } = bench.state
  for (const { boundary, logical, preserved } of bench.file.compactions) {
    const kept = preserved.filter(node => !bench.dropped.has(node))
    const uuids = kept.flatMap(node => [
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
