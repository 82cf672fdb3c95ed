import {
  entryBefore,
  holdsConversation,
  isConversation,
  isInFile,
  isSidechain,
  nodeInFile,
  none,
  parentIdOf,
  parentOf,
  timeOf,
} from '../graph/nodes.js'
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
function danglers({ graph, file }: Patient): readonly number[] {
  return file.nodes.filter(node => {
    const parent = parentIdOf(graph, node) ?? null
    if (parent === null || isSidechain(graph, node)) return false
    const known = parentOf(graph, node)
    if (known !== none && isInFile(graph, known, file)) return false
    return nodeInFile(graph, parent, file) === none && entryBefore(graph, node) !== none
  })
}

function describe(patient: Patient, node: number): Finding {
  const { graph, loaded, lost, live } = patient
  const parent = parentIdOf(graph, node)?.slice(0, 8)
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
function isRepaired({ graph }: Patient, node: number): boolean {
  return isConversation(graph, node) || holdsConversation(graph, node)
}

/** Newer releases go on at the entry before, where that is less than five seconds older. */
function isNear({ graph }: Patient, node: number): boolean {
  const age = timeOf(graph, node) - timeOf(graph, entryBefore(graph, node))
  return age >= 0 && age < 5000
}
