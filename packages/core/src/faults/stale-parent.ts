import type { Graph } from '../graph/graph.js'
import {
  compactionBetween,
  entryBefore,
  isAssistant,
  isConversation,
  isInFile,
  isSidechain,
  nodeCount,
  none,
  parentOf,
  roleOf,
  rowOf,
} from '../graph/nodes.js'
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
  const { graph, file, extras } = patient
  return file.nodes.flatMap(node => {
    if (((extras.marks.get(graph.id(node)) ?? 0) & GoesOn) === 0) return []
    const parent = parentOf(graph, node)
    const before = entryBefore(graph, node)
    if (parent === none || before === none || parent === before || isBeside(patient, parent, before))
      return []
    const skipped = rowOf(graph, before)
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
function isBeside({ graph }: Patient, parent: number, before: number): boolean {
  for (let node = before, left = nodeCount(graph); node !== none && left > 0; left--) {
    if (node === parent) return !hasTalkBetween(graph, parent, before)
    node = parentOf(graph, node)
  }
  return true
}

function hasTalkBetween(graph: Graph, parent: number, before: number): boolean {
  for (let node = before; node !== parent && node !== none; node = parentOf(graph, node))
    if (isConversation(graph, node)) return true
  return false
}

/** Entries behind a finished compaction that hang on one before it which it did not keep, and that nobody typed. */
function hungBeforeCompaction(patient: Patient): readonly Finding[] {
  const { graph, file } = patient
  const finished = file.compactions.filter(({ summary }) => summary !== none)
  if (finished.length === 0) return []
  return file.nodes.flatMap(node => {
    const parent = parentOf(graph, node)
    if (parent === none || !isAssistant(graph, node) || isSidechain(graph, node)) return []
    const row = rowOf(graph, node)
    const over = finished.findLast(({ boundary }) => rowOf(graph, boundary) < row)
    if (over === undefined || !isInFile(graph, parent, file)) return []
    if (rowOf(graph, parent) >= rowOf(graph, over.boundary)) return []
    if (compactionBetween(graph, node, parent) !== null) return []
    const message = `An answer hangs on an entry before the compaction on row ${rowOf(graph, over.boundary)}.`
    const found = findingAt(patient, node, 'warning', message)
    // Where a resume loads all of the conversation, it stays as it is.
    return [patient.lost.length === 0 ? { ...found, fix: null } : found]
  })
}

/** F8: 1.0.x hangs every local command of a process on its one caveat: a resume steps from there over what was said. */
function laterCommands(patient: Patient): readonly Finding[] {
  const { graph, file, lost } = patient
  if (lost.length === 0) return []
  const late = file.nodes.filter(node => {
    const parent = parentOf(graph, node)
    if (parent === none || roleOf(graph, node) !== 'command') return false
    return roleOf(graph, parent) === 'caveat' && entryBefore(graph, node) !== parent
  })
  const [first] = late
  if (first === undefined) return []
  const message = `${counted(late.length, 'local command hangs', 'local commands hang')} on the first note of a process: a resume can step over what was said in between.`
  return [{ ...findingAt(patient, first, 'error', message), count: late.length }]
}
