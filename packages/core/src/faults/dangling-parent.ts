import {
  entryBefore,
  holdsConversation,
  isConversation,
  isSidechain,
  parentIdOf,
  timeOf,
} from '../graph/nodes.js'
import { brokenLinkAt, repairBrokenLinks } from './broken-links.js'
import { counted, type FaultContext, type FaultKind, type FoundFault, faultAt } from './fault.js'

/** D3: an entry hangs on one that the file does not hold. */
export const danglingParent: FaultKind = {
  id: 'dangling-parent',
  title: 'missing parent',
  meaning: 'An entry hangs on one that was never written to this file, so the conversation is cut in two.',
  cost: 'A resume loads only what comes after the cut, unless the entry before is less than five seconds older.',
  fix: 'dagline repair SESSION',
  find: context => danglers(context).map(node => describe(context, node)),
  repairs: [{ stage: 'links', change: repairBrokenLinks }],
}

/** Entries of the main conversation whose parent is not in the file, though something stands before them. */
function danglers(context: FaultContext): readonly number[] {
  const { graph, file } = context
  return file.nodes.filter(node => {
    if (isSidechain(graph, node)) return false
    const link = brokenLinkAt(context, node)
    return link?.why === 'missing' || link?.why === 'elsewhere'
  })
}

function describe(context: FaultContext, node: number): FoundFault {
  const { graph, loaded, lost, live } = context
  const parent = parentIdOf(graph, node)?.slice(0, 8)
  if (loaded.stop?.node === node && lost.length > 0)
    return faultAt(
      context,
      node,
      'error',
      `Its parent ${parent} is not in the file: a resume loses ${counted(lost.length, 'message')} before it.`,
    )
  const isFar = !isNear(context, node)
  if (isFar && live.has(node))
    return faultAt(
      context,
      node,
      'warning',
      `Its parent ${parent} is not in the file: a resume can end here.`,
    )
  const why = isFar ? 'it is on no live branch' : 'the entry before it makes it good'
  const found = faultAt(context, node, 'info', `Its parent ${parent} is not in the file; ${why}.`)
  return isRepaired(context, node) ? found : { ...found, fix: null }
}

/** A repair links what the conversation hangs on; notes beside it stay as they are. */
function isRepaired({ graph }: FaultContext, node: number): boolean {
  return isConversation(graph, node) || holdsConversation(graph, node)
}

/** Newer releases go on at the entry before, where that is less than five seconds older. */
function isNear({ graph }: FaultContext, node: number): boolean {
  const age = timeOf(graph, node) - timeOf(graph, entryBefore(graph, node))
  return age >= 0 && age < 5000
}
