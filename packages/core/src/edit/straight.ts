/**
 * E16: the live conversation of a file under edit as one line: results of parallel calls, and parts beside the chain, hang on one
 * another in the order of sending. What is not live stays where it hung, so branches stay branches.
 */

import type { CompactionRecord } from '../graph/compactions.js'
import { children, isApiError, isBoundary, isSummary, nodeCount, none, parentOf } from '../graph/nodes.js'
import { standIn } from './copies.js'
import { compactionIn, type Draft, newParentOf, type Said } from './draft.js'
import { isSteppedOver, placeAll } from './line.js'

/** Hangs what is said on one another. */
export function straighten(draft: Draft, talk: readonly Said[]): void {
  const compaction = compactionIn(draft, talk)
  const start = draft.start === null ? 0 : 1
  const behind = compaction === null ? start : placeBehind(compaction, talk)
  const ends = endsOf(compaction)
  const chain = chainOf(draft, talk, ends)
  const line = placeAll(draft.graph, chain, talk.slice(behind), node => isCarried(draft, node))
  const [first] = line
  if (first !== undefined && compaction !== null && hangsOver(draft, first, ends))
    hang(draft, first, talk[behind - 1])
  else if (typeof first === 'number' && compaction === null && !chain.includes(first))
    draft.parents.set(first, none)
  hangAll(draft, line)
  if (compaction !== null) straightenKept(draft, compaction)
  draft.line = line.filter(item => typeof item === 'number')
}

/** C2: what a compaction kept hangs on one another, too: 2.1.101 takes what stands between its two ends. */
function straightenKept(draft: Draft, { preserved }: CompactionRecord): void {
  const kept = preserved.map(node => standIn(draft, node)).filter(node => !draft.dropped.has(node))
  const [first = none] = kept
  const isInOrder = kept.every((node, place) => place === 0 || node > (kept[place - 1] ?? none))
  const chain = isInOrder
    ? chainUp(draft, kept.at(-1) ?? none, node => node === newParentOf(draft, first))
    : []
  if (!chain.includes(first)) return
  const all = kept.flatMap(node => [node, ...(draft.made.get(node) ?? [])])
  hangAll(
    draft,
    placeAll(draft.graph, chain, all, node => isCarried(draft, node)),
  )
}

function hangAll(draft: Draft, line: readonly Said[]): void {
  for (let place = 1; place < line.length; place++) hang(draft, line[place], line[place - 1])
}

/** Where the summary and what the compaction kept end: they are linked by its list, not by their parents. */
function placeBehind({ summary, preserved }: CompactionRecord, talk: readonly Said[]): number {
  const head = new Set<Said>([summary, ...preserved])
  let place = talk.findLastIndex(item => head.has(item)) + 1
  while (typeof talk[place] === 'object') place++
  return place
}

/** Entries at which a compaction is gone over: what hangs there goes on behind the summary. */
function endsOf(compaction: CompactionRecord | null): ReadonlySet<number> {
  return new Set(compaction === null ? [] : [compaction.logical, ...compaction.preserved])
}

/** The parents of the last that is said, up to the first, or to what a compaction gives; the last entry first. */
function chainOf(draft: Draft, talk: readonly Said[], ends: ReadonlySet<number>): readonly number[] {
  const last = talk.findLast(item => typeof item === 'number') ?? none
  const isOver = (node: number): boolean => ends.size > 0 && isSummary(draft.graph, node)
  return chainUp(draft, last, node => ends.has(node) || isOver(node) || isBoundary(draft.graph, node))
}

function chainUp(draft: Draft, last: number, isEnd: (node: number) => boolean): readonly number[] {
  const { parents, dropped, graph } = draft
  const chain: number[] = []
  let node = last
  for (let left = nodeCount(graph); node !== none && !isEnd(node) && left > 0; left--) {
    if (!dropped.has(node)) chain.push(node)
    node = parents.get(node) ?? parentOf(graph, node)
  }
  return chain
}

/**
 * What stays on the line beside what is sent: all but what some release does not read. 1.0.x sends notices of failed requests,
 * so these hang beside it, unless a branch begins there.
 */
function isCarried({ graph, dropped }: Draft, node: number): boolean {
  if (dropped.has(node) || isSteppedOver(graph, node)) return false
  return !isApiError(graph, node) || children(graph, node).length > 1
}

/** Whether an entry hangs on one from before the compaction: newer releases send it behind the summary, others do not. */
function hangsOver({ parents, dropped, graph }: Draft, item: Said, ends: ReadonlySet<number>): boolean {
  if (typeof item === 'object') return true
  let above = item
  do above = parents.get(above) ?? parentOf(graph, above)
  while (above !== none && dropped.has(above) && !ends.has(above))
  return above !== none && ends.has(above)
}

function hang(draft: Draft, item: Said | undefined, above: Said | undefined): void {
  if (item === undefined || above === undefined || item === draft.start?.node) return
  if (typeof item === 'object') {
    draft.madeOn.set(item.id, typeof above === 'number' ? draft.graph.id(above) : above.id)
  } else if (typeof above === 'object') draft.onMade.set(item, above.id)
  else if (newParentOf(draft, item) !== above) draft.parents.set(item, above)
}
