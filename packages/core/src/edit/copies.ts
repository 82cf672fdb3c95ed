/** G7: history that stands in a file more than once, under new ids. Newer releases send parts of the one with the other. */
import { copiesAmong, isConversation, kindOf, none, parentOf, subtypeOf, timeOf } from '../graph/nodes.js'
import { type Draft, mainNodes, noteRepair } from './draft.js'

/** Leaves entries out that repeat others of the file under new ids: what hangs on them goes on from those. */
export function leaveCopiesOut(draft: Draft): boolean {
  const nodes = mainNodes(draft)
  for (const [node, original] of copiesAmong(draft.graph, nodes)) leaveOut(draft, node, original)
  const copies = [...draft.copies.keys()]
  const [first] = copies
  if (first === undefined) return false
  leaveTwigsOut(draft, nodes)
  noteRepair(
    draft,
    'duplicate-row',
    first,
    `${copies.length} entries repeat earlier ones of the file under new ids.`,
  )
  return true
}

function leaveOut(draft: Draft, node: number, original: number): void {
  draft.dropped.add(node)
  draft.copies.set(node, original)
  draft.parents.set(node, original)
}

/** Notices beside the conversation that hang on copies: those that hang on the originals at the same time are repeated. */
function leaveTwigsOut(draft: Draft, nodes: readonly number[]): void {
  const look = (node: number, parent: number): string =>
    `${parent} ${kindOf(draft.graph, node)} ${subtypeOf(draft.graph, node)} ${timeOf(draft.graph, node)}`
  const isTwig = (node: number): boolean => !isConversation(draft.graph, node) && !draft.dropped.has(node)
  const known = new Map<string, number>()
  for (const node of nodes.filter(isTwig)) {
    const parent = parentOf(draft.graph, node)
    const isOnCopy = parent !== none && draft.dropped.has(parent)
    const above = isOnCopy ? (draft.parents.get(parent) ?? parent) : parent
    const original = known.get(look(node, above))
    if (isOnCopy && original !== undefined) leaveOut(draft, node, original)
    else known.set(look(node, above), node)
  }
}

/** The entry that stands for one in the new file: the one that it repeats, where it was left out. */
export function standIn({ copies }: Draft, node: number): number {
  return copies.get(node) ?? node
}
