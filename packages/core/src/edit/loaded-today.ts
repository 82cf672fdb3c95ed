/** What a resume loads of a file today, compared with its conversation: a repair may not take any of it away. */

import {
  callsOf,
  copiedFrom,
  findLineAncestor,
  isResult,
  isThinkingOnly,
  kindOf,
  lineParentOf,
  messageOf,
  none,
  partsOf,
  roleOf,
  textHashOf,
  timeOf,
  toolsOf,
} from '../graph/nodes.js'
import { Blank, EmptyBlock, Unsigned } from '../resume/content-marks.js'
import type { LiveConversation, PromisedConversation } from '../resume/conversation.js'
import { compactionIn, conversationEntries, type Draft } from './draft.js'
import { marksAt } from './source.js'

/** Entries that will be in the file, each once. */
export function uniqueIn(draft: Draft, nodes: readonly number[]): readonly number[] {
  return [...new Set(nodes.map(draft.standIn))].filter(node => !draft.isDropped(node))
}

/** Whether what is loaded today has all of the conversation that can be sent: where it has other things, one has to choose. */
export function hasAllOf(draft: Draft, today: readonly number[], live: LiveConversation): boolean {
  const there = new Set(withSame(draft, uniqueIn(draft, today), live))
  const isSendable = (node: number): boolean =>
    (marksAt(draft.source, node) & (EmptyBlock | Blank | Unsigned)) === 0 &&
    !isThinkingOnly(draft.graph, node)
  return live.every(node => there.has(node) || !isSendable(node) || isStray(draft, node))
}

function isStray({ graph }: Draft, node: number): boolean {
  if (!isResult(graph, node)) return false
  return toolsOf(graph, node).every(tool => callsOf(graph, tool).length === 0)
}

/** What is loaded today; where the conversation has a copy of an entry, or one that says the same at the same time, that one. */
function withSame(
  draft: Draft,
  today: readonly number[],
  conversation: PromisedConversation,
): readonly number[] {
  const items = new Set(conversation)
  if (today.every(node => items.has(node))) return today
  const nodes = conversationEntries(conversation)
  const originals = new Map(nodes.map(node => [originalOf(draft, node), node]))
  const looks = new Map(nodes.map(node => [looksOf(draft, node), node]))
  return today.map(node => {
    if (items.has(node)) return node
    return originals.get(originalOf(draft, node)) ?? looks.get(looksOf(draft, node) ?? '') ?? node
  })
}

/** G7: the entry that a copy repeats, or the entry itself. */
function originalOf({ graph }: Draft, node: number): number {
  const original = copiedFrom(graph, node)
  return original === none ? node : original
}

/** What an entry is known by without any id: what it is, what it says and when; null without a time. */
export function looksOf({ graph }: Pick<Draft, 'graph'>, node: number): string | null {
  const time = timeOf(graph, node)
  if (Number.isNaN(time)) return null
  return `${kindOf(graph, node)} ${roleOf(graph, node)} ${textHashOf(graph, node)} ${time}`
}

/** Of what is loaded today, what a resume must load of the result: all that the result does not repeat or sum up. */
export function whatMustStay(
  draft: Draft,
  today: readonly number[],
  conversation: PromisedConversation,
): readonly number[] {
  const summed = summedUp(draft, conversation)
  const items = new Set(conversation)
  return withSame(draft, uniqueIn(draft, today), conversation).filter(
    node => items.has(node) || !isSummed(draft, summed, node),
  )
}

/** Whether an entry, or the call that it answers, is summed up. */
function isSummed({ graph }: Draft, summed: ReadonlySet<number>, node: number): boolean {
  if (summed.has(node) || !isResult(graph, node)) return summed.has(node)
  return toolsOf(graph, node).some(tool => callsOf(graph, tool).some(call => summed.has(call)))
}

/** What the summary stands for that a conversation begins with: a repair does not remove entries above its boundary. */
function summedUp(draft: Draft, conversation: PromisedConversation): ReadonlySet<number> {
  const { graph } = draft
  const summed = new Set<number>()
  const compaction = compactionIn(draft, conversation)
  if (compaction === null) return summed
  findLineAncestor(graph, lineParentOf(graph, compaction.boundary), node => {
    summed.add(node)
    for (const part of partsOf(graph, messageOf(graph, node))) summed.add(part)
    return false
  })
  return summed
}
