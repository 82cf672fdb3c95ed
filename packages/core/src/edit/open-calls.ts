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
import { type Draft, dropRow, type Said } from './draft.js'

/** Calls without a result of the messages up to an entry. */
function openCallsAt(draft: Draft, leaf: number): readonly number[] {
  return openCallsOn(draft, [...liveChain(draft.graph, leaf)].reverse())
}

/** Calls without a result of the messages on a chain, also in parts beside it. */
export function openCallsOn(draft: Draft, chain: readonly number[]): readonly number[] {
  const open = new Set<number>()
  let before = none
  for (const node of chain) {
    const message = isAssistant(draft.graph, node) ? messageOf(draft.graph, node) : none
    // Parts of a message stand next to each other, but for results between them.
    if (message !== none && message === before) continue
    if (message !== none) before = message
    for (const part of message === none ? [node] : partsStaying(draft, node))
      if (isOpenCall(draft, part)) open.add(part)
  }
  return [...open]
}

/** Whether some call of an entry has no result. */
function isOpenCall({ graph }: Draft, node: number): boolean {
  if (!hasCalls(graph, node)) return false
  return toolsOf(graph, node).some(tool => resultFor(graph, tool, node) === none)
}

/** The parts of an entry's message that stay in the file, by rows. */
export function partsStaying({ graph, file, dropped }: Draft, node: number): readonly number[] {
  const message = messageOf(graph, node)
  if (message === none) return [node]
  const isOut = (part: number): boolean =>
    !isInFile(graph, part, file) || isRepeated(graph, part) || dropped.has(part)
  const parts = partsOf(graph, message).filter(part => !isOut(part))
  return parts.length < 2 ? parts : parts.toSorted((a, b) => a - b)
}

/** Calls that nothing answers, of messages on the way to an entry: a resume would make answers up where the end is open. */
export function dropOpenCalls(draft: Draft, talk: readonly Said[], leaf: number): void {
  const open = openCallsAt(draft, leaf)
  const said = new Set(open.length === 0 ? [] : talk)
  for (const node of open)
    if (!said.has(node)) dropRow(draft, 'unanswered-call', node, 'Nothing answers it, and it is not sent.')
}

/** Calls of the last message that nothing answers: a resume would make the answer up, and they say nothing. */
export function dropOpenEnd(draft: Draft, talk: readonly Said[]): readonly Said[] {
  const calls = talk.filter(node => typeof node === 'number').filter(node => isOpenCall(draft, node))
  const answered = calls.length === 0 ? null : answersIn(draft, talk)
  const open = new Set<Said>(calls.filter(node => answered?.(node) === false))
  if (open.size === 0) return talk
  for (const node of open)
    dropRow(draft, 'unanswered-call', Number(node), 'Nothing answers it, and the conversation ends with it.')
  return withoutThoughts(
    draft,
    talk.filter(node => !open.has(node)),
  )
}

/** Which calls a conversation has an answer to, a made one or its own. */
export function answersIn({ graph, source }: Draft, talk: readonly Said[]): (call: number) => boolean {
  const made = new Set<unknown>()
  const tools = new Set<number>()
  for (const item of talk) {
    if (typeof item === 'object') made.add(item.record.sourceToolAssistantUUID)
    else if (isUser(graph, item)) for (const tool of toolsOf(graph, item)) tools.add(tool)
  }
  return call => made.has(source.graph.id(call)) || toolsOf(graph, call).some(tool => tools.has(tool))
}

/** L7: thoughts that are left of a message without its calls are not sent. */
function withoutThoughts(draft: Draft, talk: readonly Said[]): readonly Said[] {
  const last = talk.findLastIndex(node => typeof node !== 'number' || !isThinkingOnly(draft.graph, node))
  for (const node of talk.slice(last + 1))
    if (typeof node === 'number')
      dropRow(
        draft,
        'unanswered-call',
        node,
        'Its call is left out, and a thought is not sent without what it led to.',
      )
  return talk.slice(0, last + 1)
}
