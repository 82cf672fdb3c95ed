/** E7: picking: turns of one branch at the end of another, each whole. The merge that the client does not have. */
import { messageOf, none } from '../graph/nodes.js'
import type { SentConversation } from '../resume/conversation.js'
import { change, planLine } from './checkout.js'
import type { EditPlan } from './plan.js'
import { sentAt } from './sent.js'
import { type EditSource, type NewSession, titleOf, titleWith } from './source.js'
import { turnAt } from './turns.js'

/** The plan of a session that ends at `onto` and then has the turns of the picked nodes, or a sentence. */
export function planPick(
  source: EditSource,
  onto: number,
  picked: readonly number[],
  target: NewSession,
): EditPlan | string {
  const { graph } = source
  const parts: SentConversation[] = [sentAt(graph, onto)]
  for (const node of picked) {
    const turn = turnAt(graph, node)
    if (turn === null)
      return `${graph.id(node)} belongs to no whole turn: give a prompt, or an answer below one.`
    if (turn.sent.length === 0) return `Nothing of the turn of ${graph.id(node)} can be sent: choose another.`
    const shared = turn.sent.find(item => parts.some(part => isIn(source, part, item)))
    if (shared !== undefined)
      return `${graph.id(shared)} is in the conversation already: a turn can be picked once, from another branch.`
    parts.push(turn)
  }
  const title = target.title ?? titleWith('picked', titleOf(source, graph.node(onto).session))
  const plan = planLine(source, parts, { ...target, command: 'pick', node: onto, title })
  if (typeof plan === 'string') return plan
  const changes = picked.map(node =>
    change(source, node, 'picked', `Its turn now follows ${graph.id(onto).slice(0, 8)}.`),
  )
  return { ...plan, changes: [...plan.changes, ...changes] }
}

/** Whether a conversation has an entry, or another part of the same message: parts of one message are sent as one. */
function isIn({ graph }: EditSource, { sent }: SentConversation, node: number): boolean {
  const wanted = messageOf(graph, node)
  return sent.some(item => item === node || (wanted !== none && messageOf(graph, item) === wanted))
}
