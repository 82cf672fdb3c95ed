import { compactionBetween, lastBefore } from '../graph/compactions.js'
import { isConversation } from '../graph/live.js'
import * as t from '../graph/table.js'
import { GoesOn } from '../resume/content-marks.js'
import { counted, type FaultKind, type Finding, findingAt, findingsOf, type Patient } from './fault.js'

/** D4: the conversation goes on from an entry that was not the last, and nobody went back. */
export const staleParent: FaultKind = {
  id: 'stale-parent',
  title: 'goes on from an old entry',
  meaning:
    'After a crash, a compaction or by itself, the client went on from an older entry than the last one.',
  cost: 'The turns in between are on no live branch: neither the model nor a resume sees them.',
  fix: 'dagline repair SESSION',
  find: patient => [
    ...findingsOf(patient, ['dag/forgotten-turns'], () => 'warning'),
    ...wentOnByItself(patient),
    ...hungBeforeCompaction(patient),
    ...laterCommands(patient),
  ],
}

/** The prompt that the client makes up when it goes on by itself, hung on an entry that was not the last. */
function wentOnByItself(patient: Patient): readonly Finding[] {
  const { state, file, extras } = patient
  const { table } = state
  return file.nodes.flatMap(node => {
    if (((extras.marks.get(t.idOf(table, node)) ?? 0) & GoesOn) === 0) return []
    const parent = t.int(table.parent, node)
    const before = lastBefore(state, node)
    if (parent === t.none || before === t.none || parent === before || isBeside(patient, parent, before))
      return []
    const skipped = t.int(table.row, before)
    return [
      findingAt(
        patient,
        node,
        'warning',
        `The client went on by itself, past what stands up to row ${skipped}.`,
      ),
    ]
  })
}

/** Whether the entry before is no later part of the same talk: a hook or notice, or another branch. */
function isBeside({ state }: Patient, parent: number, before: number): boolean {
  const { table } = state
  for (let node = before, left = table.size; node !== t.none && left > 0; left--) {
    if (node === parent) return !hasTalkBetween(table, parent, before)
    node = t.int(table.parent, node)
  }
  return true
}

function hasTalkBetween(table: t.Table, parent: number, before: number): boolean {
  for (let node = before; node !== parent && node !== t.none; node = t.int(table.parent, node))
    if (isConversation(table, node)) return true
  return false
}

/** Entries behind a finished compaction that hang on one before it which it did not keep, and that nobody typed. */
function hungBeforeCompaction(patient: Patient): readonly Finding[] {
  const { state, file } = patient
  const { table } = state
  const finished = file.compactions.filter(({ summary }) => summary !== t.none)
  if (finished.length === 0) return []
  return file.nodes.flatMap(node => {
    const parent = t.int(table.parent, node)
    if (parent === t.none || t.byte(table.kind, node) !== t.Assistant || t.marked(table, node, t.Sidechain))
      return []
    const row = t.int(table.row, node)
    const over = finished.findLast(({ boundary }) => t.int(table.row, boundary) < row)
    if (over === undefined || t.int(table.file, parent) !== file.index) return []
    if (t.int(table.row, parent) >= t.int(table.row, over.boundary)) return []
    if (compactionBetween(state, node, parent) !== null) return []
    const message = `An answer hangs on an entry before the compaction on row ${t.int(table.row, over.boundary)}.`
    const found = findingAt(patient, node, 'warning', message)
    // Where a resume loads all of the conversation, it stays as it is.
    return [patient.lost.length === 0 ? { ...found, fix: null } : found]
  })
}

/** F8: 1.0.x hangs every local command of a process on its one caveat: a resume steps from there over what was said. */
function laterCommands(patient: Patient): readonly Finding[] {
  const { state, file, lost } = patient
  const { table } = state
  if (lost.length === 0) return []
  const late = file.nodes.filter(node => {
    const parent = t.int(table.parent, node)
    if (parent === t.none || t.byte(table.says, node) !== t.SaysCommand) return false
    return t.byte(table.says, parent) === t.SaysCaveat && lastBefore(state, node) !== parent
  })
  const [first] = late
  if (first === undefined) return []
  const message = `${counted(late.length, 'local command hangs', 'local commands hang')} on the first note of a process: a resume can step over what was said in between.`
  return [{ ...findingAt(patient, first, 'error', message), count: late.length }]
}
