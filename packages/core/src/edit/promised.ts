/** The promised conversation of a draft: the live one, with what the repaired links lead to and without what is never sent. */
import type { Graph } from '../graph/graph.js'
import {
  compactionAt,
  hasCalls,
  isApiError,
  isAssistant,
  isBoundary,
  isInFile,
  isSummary,
  liveChain,
  messageOf,
  nodeCount,
  none,
  resultFor,
  sentOnChain,
  toolsOf,
} from '../graph/nodes.js'
import { createNodeList } from '../graph/positions.js'
import { Blank, NothingToSend } from '../resume/content-marks.js'
import { type Draft, isInDraft } from './draft.js'
import { answersIn } from './open-calls.js'
import { marksAt } from './source.js'

/** The conversation that ends in an entry, along the links of the draft. */
export function conversationAlong(draft: Draft, end: number): readonly number[] {
  const { graph, file, isRelinked } = draft
  const by = draft.isLinear ? 'loader' : 'writer'
  const pieces: (readonly number[])[] = []
  const seen = new Set<number>()
  let chain = liveChain(graph, end)
  let from = 0
  for (let leaf = end; leaf !== none && !seen.has(leaf); ) {
    seen.add(leaf)
    const kept = new Set(compactionAt(graph, chain.at(-1) ?? none)?.preserved)
    let at = from
    while (at < chain.length && (!isRelinked(chain[at] ?? none) || kept.has(chain[at] ?? none))) at++
    pieces.push(sentOnChain(graph, file, chain.slice(from, at + 1), { by, leaf: leaf === end ? leaf : none }))
    leaf = at < chain.length ? nodeAbove(draft, chain[at] ?? none) : none
    // Over most gaps the graph has gone the same way: the rest of the chain is that of the new link.
    const goesOn = chain[at + 1] === leaf && !isAnchor(graph, leaf)
    chain = goesOn || leaf === none ? chain : liveChain(graph, leaf)
    from = goesOn ? at + 1 : 0
  }
  const conversation = createNodeList(nodeCount(graph), nodeCount(graph))
  for (const piece of pieces.reverse()) {
    for (const node of piece) {
      // L7: only old releases send notices of failed requests; no resume has to.
      if (isApiError(graph, node)) continue
      const written = draft.standIn(node)
      if (isInFile(graph, written, file) && !draft.isDropped(written)) conversation.add(written)
    }
  }
  return partsInOrder(draft, conversation.list)
}

function nodeAbove({ linkOf }: Draft, node: number): number {
  const above = linkOf(node)
  return typeof above === 'number' ? above : none
}

/** Whether entries that a compaction kept stand behind this one. */
function isAnchor(graph: Graph, node: number): boolean {
  return isBoundary(graph, node) || isSummary(graph, node)
}

/** Parts whose links are repaired stand where they were written: the graph has sorted them by the links as they were. */
function partsInOrder({ graph, relinked }: Draft, conversation: readonly number[]): readonly number[] {
  const messages = new Set(relinked().map(([node]) => messageOf(graph, node)))
  const isSorted = (node: number): boolean => isAssistant(graph, node) && messages.has(messageOf(graph, node))
  const ordered = [...conversation]
  for (let start = 0; start < ordered.length; start++) {
    const message = messageOf(graph, ordered[start] ?? none)
    const isNext = (node: number): boolean => isSorted(node) && messageOf(graph, node) === message
    let end = start
    while (end < ordered.length && isNext(ordered[end] ?? none)) end++
    if (end - start > 1)
      ordered.splice(start, end - start, ...ordered.slice(start, end).sort((a, b) => a - b))
    start = Math.max(start, end - 1)
  }
  return ordered
}

/**
 * The conversation with results of its calls that stand beside it, as where messages have lost their ids or an entry its
 * parent: each goes behind the message of its call. A resume takes them from anywhere in the file, too.
 */
export function withOwnResults(draft: Draft, conversation: readonly number[]): readonly number[] {
  const found = resultsBeside(draft, conversation)
  if (found.size === 0) return conversation
  const whole: number[] = []
  let waiting: number[] = []
  for (const node of conversation) {
    if (!isAssistant(draft.graph, node)) {
      whole.push(...waiting)
      waiting = []
    }
    whole.push(node)
    waiting.push(...(found.get(node) ?? []))
  }
  return [...whole, ...waiting]
}

/** For each call that the conversation does not answer, the results that the file holds. */
function resultsBeside(
  draft: Draft,
  conversation: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const { graph } = draft
  const isAnswered = answersIn(draft, conversation)
  const calls = conversation.filter(node => hasCalls(graph, node) && !isAnswered(node))
  if (calls.length === 0) return new Map()
  const present = new Set(conversation)
  const isBeside = (result: number): boolean =>
    result !== none && isInDraft(draft, result) && !present.has(result)
  return new Map(
    calls.map(call => [
      call,
      toolsOf(graph, call)
        .map(tool => resultFor(graph, tool, call))
        .filter(isBeside),
    ]),
  )
}

/** Leaves out texts of white space. They are never sent; where the file is written from scratch, they are left out with the rest. */
export function dropBlank(draft: Draft): void {
  const left = draft.promised().filter(item => {
    const marks = typeof item === 'number' ? marksAt(draft.source, item) : 0
    if (typeof item !== 'number' || (marks & Blank) === 0) return true
    if ((marks & NothingToSend) !== 0) draft.as('empty-content').drop(item, 'It is white space alone.')
    else draft.rewrite(item, { clean: true })
    return !draft.isDropped(item)
  })
  draft.promise(left)
}
