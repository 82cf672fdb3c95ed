import { lastBefore } from '../graph/compactions.js'
import { isConversation } from '../graph/conversation.js'
import { Conversation } from '../graph/facts.js'
import { sightingIn } from '../graph/state.js'
import * as t from '../graph/table.js'
import { counted, type FaultKind, type Finding, findingAt, type Patient } from './fault.js'

/** D3: an entry hangs on one that the file does not hold. */
export const danglingParent: FaultKind = {
  id: 'dangling-parent',
  title: 'missing parent',
  meaning: 'An entry hangs on one that was never written to this file, so the conversation is cut in two.',
  cost: 'A resume loads only what comes after the cut, unless the entry before is less than five seconds older.',
  fix: 'dagline repair SESSION',
  find: patient => danglers(patient).map(node => describe(patient, node)),
}

/** Entries of the main conversation whose parent is not in the file, though something stands before them. */
function danglers({ state, file }: Patient): readonly number[] {
  const { table } = state
  return file.nodes.filter(node => {
    const parent = table.parentIds[node] ?? null
    if (parent === null || t.marked(table, node, t.Sidechain)) return false
    const known = t.int(table.parent, node)
    if (known !== t.none && t.int(table.file, known) === file.index) return false
    return sightingIn(state, parent, file.index) === t.none && lastBefore(state, node) !== t.none
  })
}

function describe(patient: Patient, node: number): Finding {
  const { state, loaded, lost, live } = patient
  const parent = state.table.parentIds[node]?.slice(0, 8)
  if (loaded.stop?.node === node && lost.length > 0)
    return findingAt(
      patient,
      node,
      'error',
      `Its parent ${parent} is not in the file: a resume loses ${counted(lost.length, 'message')} before it.`,
    )
  const isFar = !isNear(patient, node)
  if (isFar && live.has(node))
    return findingAt(
      patient,
      node,
      'warning',
      `Its parent ${parent} is not in the file: a resume can end here.`,
    )
  const why = isFar ? 'it is on no live branch' : 'the entry before it makes it good'
  const found = findingAt(patient, node, 'info', `Its parent ${parent} is not in the file; ${why}.`)
  return isRepaired(patient, node) ? found : { ...found, fix: null }
}

/** A repair links what the conversation hangs on; notes beside it stay as they are. */
function isRepaired({ state: { table } }: Patient, node: number): boolean {
  return isConversation(table, node) || (t.byte(table.facts, node) & Conversation) !== 0
}

/** Newer releases go on at the entry before, where that is less than five seconds older. */
function isNear({ state }: Patient, node: number): boolean {
  const { time } = state.table
  const age = t.real(time, node) - t.real(time, lastBefore(state, node))
  return age >= 0 && age < 5000
}
