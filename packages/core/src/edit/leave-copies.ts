/** G7: history that stands in a file more than once, under new ids. Newer releases send parts of the one with the other. */
import { copiesAmong, isConversation, kindOf, none, parentOf, subtypeOf, timeOf } from '../graph/nodes.js'
import { type Bench, mainNodes, mend } from './bench.js'

/** Leaves entries out that repeat others of the file under new ids: what hangs on them goes on from those. */
export function leaveCopiesOut(bench: Bench): boolean {
  const nodes = mainNodes(bench)
  for (const [node, original] of copiesAmong(bench.graph, nodes)) leaveOut(bench, node, original)
  const copies = [...bench.copies.keys()]
  const [first] = copies
  if (first === undefined) return false
  leaveTwigsOut(bench, nodes)
  mend(
    bench,
    'duplicate-row',
    first,
    `${copies.length} entries repeat earlier ones of the file under new ids.`,
  )
  return true
}

function leaveOut(bench: Bench, node: number, original: number): void {
  bench.dropped.add(node)
  bench.copies.set(node, original)
  bench.parents.set(node, original)
}

/** Notices beside the conversation that hang on copies: those that hang on the originals at the same time are repeated. */
function leaveTwigsOut(bench: Bench, nodes: readonly number[]): void {
  const look = (node: number, parent: number): string =>
    `${parent} ${kindOf(bench.graph, node)} ${subtypeOf(bench.graph, node)} ${timeOf(bench.graph, node)}`
  const isTwig = (node: number): boolean => !isConversation(bench.graph, node) && !bench.dropped.has(node)
  const known = new Map<string, number>()
  for (const node of nodes.filter(isTwig)) {
    const parent = parentOf(bench.graph, node)
    const isOnCopy = parent !== none && bench.dropped.has(parent)
    const above = isOnCopy ? (bench.parents.get(parent) ?? parent) : parent
    const original = known.get(look(node, above))
    if (isOnCopy && original !== undefined) leaveOut(bench, node, original)
    else known.set(look(node, above), node)
  }
}

/** The entry that stands for one in the new file: the one that it repeats, where it was left out. */
export function standIn({ copies }: Bench, node: number): number {
  return copies.get(node) ?? node
}
