/** G7: history that stands in a file more than once, under new ids. Newer releases send parts of the one with the other. */
import { isConversation, kindOf, none, parentOf, subtypeOf, timeOf } from '../graph/nodes.js'
import { type Draft, mainNodes } from './draft.js'

/** Leaves copies out, given with the entries that they repeat: what hangs on them goes on from those. */
export function dropCopies(all: Draft, copies: ReadonlyMap<number, number>): void {
  const draft = all.as('duplicate-row')
  const [first] = copies.keys()
  if (first === undefined) return
  for (const [node, original] of copies) draft.replace(node, original)
  dropCopiesBeside(draft)
  draft.note(
    first,
    `${copies.size} ${copies.size === 1 ? 'entry repeats' : 'entries repeat'} earlier ones of the file under new ids.`,
  )
}

/** Leaves out notices beside the conversation that hang on copies where the original has the same at the same time. */
function dropCopiesBeside(draft: Draft): void {
  const { graph, isDropped, standIn } = draft
  const known = new Map<string, number>()
  for (const node of mainNodes(draft)) {
    if (isConversation(graph, node) || isDropped(node)) continue
    const parent = parentOf(graph, node)
    const isOnCopy = parent !== none && isDropped(parent)
    const looks = `${standIn(parent)} ${kindOf(graph, node)} ${subtypeOf(graph, node)} ${timeOf(graph, node)}`
    const original = known.get(looks)
    if (isOnCopy && original !== undefined) draft.replace(node, original)
    else known.set(looks, node)
  }
}
