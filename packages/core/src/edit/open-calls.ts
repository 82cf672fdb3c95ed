/** Calls that nothing answers: fork and trim leave them out, a repair answers them. */
import {
  hasCalls,
  isAssistant,
  isInFile,
  isRepeated,
  isThinkingOnly,
  isUser,
  liveChain,
  messageOf,
  none,
  partsOf,
  resultFor,
  toolsOf,
} from '../graph/nodes.js'
import type { PromisedConversation } from '../resume/conversation.js'
import { conversationEntries, type Draft } from './draft.js'

/** The parts of the messages on a chain, each once: also those that stand beside the chain. */
export function partsOnChain(draft: Draft, chain: readonly number[]): readonly number[] {
  const parts = new Set<number>()
  let before = none
  for (const node of chain) {
    const message = isAssistant(draft.graph, node) ? messageOf(draft.graph, node) : none
    // Parts of a message stand next to each other, but for results between them.
    if (message !== none && message === before) continue
    if (message !== none) before = message
    for (const part of message === none ? [node] : partsStaying(draft, node)) parts.add(part)
  }
  return [...parts]
}

/** Whether some call of an entry has no result. */
function isOpenCall({ graph }: Draft, node: number): boolean {
  return hasCalls(graph, node) && toolsOf(graph, node).some(tool => resultFor(graph, tool, node) === none)
}

/** The parts of an entry's message that stay in the file, by rows. */
export function partsStaying({ graph, file, isDropped }: Draft, node: number): readonly number[] {
  const message = messageOf(graph, node)
  if (message === none) return [node]
  const isOut = (part: number): boolean =>
    !isInFile(graph, part, file) || isRepeated(graph, part) || isDropped(part)
  const parts = partsOf(graph, message).filter(part => !isOut(part))
  return parts.length < 2 ? parts : parts.toSorted((a, b) => a - b)
}

/** Leaves out unanswered calls of messages on the way to an entry: a resume would make answers up where the end is open. */
export function dropOpenCalls(all: Draft, leaf: number): void {
  const draft = all.as('unanswered-call')
  const parts = partsOnChain(draft, liveChain(draft.graph, leaf).toReversed())
  const open = parts.filter(part => isOpenCall(draft, part))
  const promised = new Set(open.length === 0 ? [] : draft.promised())
  for (const node of open)
    if (!promised.has(node)) draft.drop(node, 'Nothing answers it, and it is not sent.')
}

/** Leaves out unanswered calls of the last message, and thinking that led to them: a resume would make the answer up. */
export function dropOpenEnd(all: Draft): void {
  const draft = all.as('unanswered-call')
  const promised = draft.promised()
  const calls = conversationEntries(promised).filter(node => isOpenCall(draft, node))
  const isAnswered = calls.length === 0 ? null : answersIn(draft, promised)
  const open = new Set(calls.filter(node => isAnswered?.(node) === false))
  if (open.size === 0) return
  for (const node of open) draft.drop(node, 'Nothing answers it, and the conversation ends with it.')
  const left = promised.filter(item => typeof item !== 'number' || !open.has(item))
  // L7: thinking that is left of a message without its calls is not sent.
  const end = left.findLastIndex(item => typeof item !== 'number' || !isThinkingOnly(draft.graph, item)) + 1
  for (const node of conversationEntries(left.slice(end)))
    draft.drop(node, 'Its call is left out, and a thought is not sent without what it led to.')
  draft.promise(left.slice(0, end))
}

/** Which calls a conversation has an answer to, an inserted one or its own. */
export function answersIn({ graph }: Draft, conversation: PromisedConversation): (call: number) => boolean {
  const calls = new Set<number>()
  const tools = new Set<number>()
  for (const item of conversation) {
    if (typeof item === 'object') calls.add(item.parent)
    else if (isUser(graph, item)) for (const tool of toolsOf(graph, item)) tools.add(tool)
  }
  return call => calls.has(call) || toolsOf(graph, call).some(tool => tools.has(tool))
}
