/** E7: splitting: the live conversation as two sessions, cut before a turn. */

import type { FileRecord } from '../graph/file-record.js'
import { liveLeaf, none } from '../graph/nodes.js'
import { conversationAt, stretchBefore, stretchFrom } from './chain.js'
import { planLine } from './checkout.js'
import type { EditPlan } from './plan.js'
import { type EditMake, type EditSource, titleOf, titleWith } from './source.js'
import { promptOf } from './turns.js'

/** The plans of both halves, or a sentence. The second begins with the prompt of the turn of a node. */
export function planSplit(
  source: EditSource,
  file: FileRecord,
  node: number,
  makes: readonly [EditMake, EditMake],
): readonly [EditPlan, EditPlan] | string {
  const { graph } = source
  const leaf = liveLeaf(graph, file)
  const prompt = promptOf(graph, node)
  if (leaf === none || prompt === none) return 'No prompt stands before that point: choose a later one.'
  const whole = conversationAt(graph, leaf)
  const second = stretchFrom(whole, prompt)
  if (second === null)
    return `${graph.id(prompt)} is not in the live conversation: \`dagline checkout\` makes a session of that branch.`
  const first = stretchBefore(whole, prompt)
  if (first.sent.length === 0) return 'That is the first turn: there is nothing before it to split off.'
  const title = titleOf(source, graph.node(prompt).session)
  const halves = [first, second].map((half, place) =>
    planLine(source, [half], {
      ...makes[place === 0 ? 0 : 1],
      command: 'split',
      node: prompt,
      title: makes[place === 0 ? 0 : 1].title ?? titleWith(`part ${place + 1}`, title),
    }),
  )
  const [one = '', two = ''] = halves
  if (typeof one === 'string') return one
  return typeof two === 'string' ? two : [one, two]
}
