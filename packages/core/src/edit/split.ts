/** E7: splitting: the live conversation as two sessions, cut before a turn. */

import type { FileRecord } from '../graph/file-record.js'
import { liveLeaf, none } from '../graph/nodes.js'
import type { SentConversation } from '../resume/conversation.js'
import { planLine } from './checkout.js'
import type { EditPlan } from './plan.js'
import { sentAt, sentBefore, sentFrom } from './sent.js'
import { type EditSource, type NewSession, titleOf, titleWith } from './source.js'
import { promptOf } from './turns.js'

/** The plans of both halves, or a sentence. The second begins with the prompt of the turn of a node. */
export function planSplit(
  source: EditSource,
  file: FileRecord,
  node: number,
  targets: readonly [NewSession, NewSession],
): readonly [EditPlan, EditPlan] | string {
  const { graph } = source
  const leaf = liveLeaf(graph, file)
  const prompt = promptOf(graph, node)
  if (leaf === none || prompt === none) return 'No prompt stands before that point: choose a later one.'
  const whole = sentAt(graph, leaf)
  const second = sentFrom(whole, prompt)
  if (second === null)
    return `${graph.id(prompt)} is not in the live conversation: \`dagline checkout\` makes a session of that branch.`
  const first = sentBefore(whole, prompt)
  if (first.sent.length === 0) return 'That is the first turn: nothing comes before it. Choose a later one.'
  const title = titleOf(source, graph.node(prompt).session)
  const planHalf = (half: SentConversation, index: 0 | 1): EditPlan | string => {
    const target = targets[index]
    const name = target.title ?? titleWith(`part ${index + 1}`, title)
    return planLine(source, [half], { ...target, command: 'split', node: prompt, title: name })
  }
  const one = planHalf(first, 0)
  if (typeof one === 'string') return one
  const two = planHalf(second, 1)
  return typeof two === 'string' ? two : [one, two]
}
