/**
 * E16: the promised conversation as one line: results of parallel calls, and parts beside the chain, hang on one another in
 * the order of sending. What is not promised stays where it hung, so branches stay branches.
 */

import type { CompactionRecord } from '../graph/compactions.js'
import { children, isApiError, isBoundary, isSummary, nodeCount, none } from '../graph/nodes.js'
import type { ConversationItem, PromisedConversation } from '../resume/conversation.js'
import { compactionIn, conversationEntries, type Draft, newParentOf } from './draft.js'
import { insertCarried, isSteppedOver } from './line.js'

/** Hangs the items of the promised conversation on one another; returns the entries of that line in its order. */
export function linearize(draft: Draft): readonly number[] {
  const promised = draft.promised()
  const compaction = compactionIn(draft, promised)
  const [beginning] = promised
  const hasBeginning = typeof beginning === 'object'
  const behind = compaction === null ? (hasBeginning ? 1 : 0) : positionAfterKept(compaction, promised)
  const ends = endsOf(compaction)
  const chain = chainOf(draft, promised, ends)
  const line = insertCarried(draft.graph, chain, promised.slice(behind), node => isCarried(draft, node))
  const [first] = line
  if (first !== undefined && compaction !== null && hangsOver(draft, first, ends))
    hang(draft, first, promised[behind - 1])
  else if (typeof first === 'number' && compaction === null && !chain.includes(first))
    draft.relink(first, hasBeginning ? beginning : none)
  hangAll(draft, line)
  if (compaction !== null) linearizeKept(draft, compaction)
  return conversationEntries(line)
}

/** C2: what a compaction kept hangs on one another, too: 2.1.101 takes what stands between its two ends. */
function linearizeKept(draft: Draft, { preserved }: CompactionRecord): void {
  const kept = preserved.map(draft.standIn).filter(node => !draft.isDropped(node))
  const [first = none] = kept
  const isInOrder = kept.every((node, position) => position === 0 || node > (kept[position - 1] ?? none))
  const end = newParentOf(draft, first)
  const chain = isInOrder ? chainUp(draft, kept.at(-1) ?? none, node => node === end) : []
  if (!chain.includes(first)) return
  const all = kept.flatMap(node => [node, ...draft.insertedBehind(node)])
  hangAll(
    draft,
    insertCarried(draft.graph, chain, all, node => isCarried(draft, node)),
  )
}

function hangAll(draft: Draft, line: PromisedConversation): void {
  for (let position = 1; position < line.length; position++) hang(draft, line[position], line[position - 1])
}

/** Where the summary and what the compaction kept end: they are linked by its list, not by their parents. */
function positionAfterKept(
  { summary, preserved }: CompactionRecord,
  conversation: PromisedConversation,
): number {
  const head = new Set<ConversationItem>([summary, ...preserved])
  let position = conversation.findLastIndex(item => head.has(item)) + 1
  while (typeof conversation[position] === 'object') position++
  return position
}

/** Entries at which a compaction is gone over: what hangs there goes on behind the summary. */
function endsOf(compaction: CompactionRecord | null): ReadonlySet<ConversationItem> {
  return new Set(compaction === null ? [] : [compaction.logical, ...compaction.preserved])
}

/** The parents of the last entry, up to the first one, or to what a compaction gives; the last entry first. */
function chainOf(
  draft: Draft,
  conversation: PromisedConversation,
  ends: ReadonlySet<ConversationItem>,
): readonly number[] {
  const isOver = (node: number): boolean => ends.size > 0 && isSummary(draft.graph, node)
  const isEnd = (node: number): boolean => ends.has(node) || isOver(node) || isBoundary(draft.graph, node)
  return chainUp(draft, conversationEntries(conversation).at(-1) ?? none, isEnd)
}

function chainUp(draft: Draft, last: number, isEnd: (node: number) => boolean): readonly number[] {
  const chain: number[] = []
  let item: ConversationItem = last
  for (let left = nodeCount(draft.graph); typeof item === 'number' && item !== none && left > 0; left--) {
    if (isEnd(item)) break
    if (!draft.isDropped(item)) chain.push(item)
    item = draft.linkOf(item)
  }
  return chain
}

/**
 * What stays on the line beside what is sent: all but what some release does not read. 1.0.x sends notices of failed requests,
 * so these hang beside it, unless a branch begins there.
 */
function isCarried({ graph, isDropped }: Draft, node: number): boolean {
  if (isDropped(node) || isSteppedOver(graph, node)) return false
  return !isApiError(graph, node) || children(graph, node).length > 1
}

/** Whether an entry hangs on one from before the compaction: newer releases send it behind the summary, others do not. */
function hangsOver(draft: Draft, item: ConversationItem, ends: ReadonlySet<ConversationItem>): boolean {
  if (typeof item === 'object') return true
  let above = draft.linkOf(item)
  while (typeof above === 'number' && above !== none && draft.isDropped(above) && !ends.has(above))
    above = draft.linkOf(above)
  return above !== none && ends.has(above)
}

function hang(draft: Draft, item: ConversationItem | undefined, above: ConversationItem | undefined): void {
  // What an inserted beginning stands before hangs on that, whatever else stood above it.
  const [beginning, first] = draft.promised()
  const isFirst = item === first && typeof beginning === 'object'
  if (item === undefined || above === undefined || isFirst) return
  if (typeof item === 'object' || newParentOf(draft, item) !== above) draft.relink(item, above)
}
