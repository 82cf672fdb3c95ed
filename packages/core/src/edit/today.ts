/** What a resume loads of a file today, held against its conversation: a repair may not take any of it away. */

import {
  callsOf,
  copiedFrom,
  isResult,
  isThinkingOnly,
  kindOf,
  lineParentOf,
  messageOf,
  nodeCount,
  none,
  partsOf,
  roleOf,
  textHashOf,
  timeOf,
  toolsOf,
  unitOf,
} from '../graph/nodes.js'
import { Blank, EmptyBlock, Unsigned } from '../resume/content-marks.js'
import { standIn } from './copies.js'
import { compactionIn, type Draft, isMarked, type Said } from './draft.js'

/** Entries that will be in the file, each once. */
export function uniqueIn(draft: Draft, nodes: readonly number[]): readonly number[] {
  return [...new Set(nodes.map(node => standIn(draft, node)))].filter(node => !draft.dropped.has(node))
}

/** Whether what is loaded today has all of the conversation that can be sent: where it has other things, one has to choose. */
export function hasAllOf(draft: Draft, today: readonly number[], live: readonly number[]): boolean {
  const there = new Set(withSame(draft, uniqueIn(draft, today), live))
  const isSendable = (node: number): boolean =>
    !isMarked(draft, node, EmptyBlock | Blank | Unsigned) && !isThinkingOnly(draft.graph, node)
  return live.every(node => there.has(node) || !isSendable(node) || isStray(draft, node))
}

function isStray({ graph }: Draft, node: number): boolean {
  if (!isResult(graph, node)) return false
  return toolsOf(graph, node).every(tool => callsOf(graph, tool).length === 0)
}

/** What is loaded today; where the conversation has a copy of an entry, or one that says the same at the same time, that one. */
function withSame(draft: Draft, today: readonly number[], talk: readonly Said[]): readonly number[] {
  const said = new Set(talk)
  if (today.every(node => said.has(node))) return today
  const nodes = talk.filter(item => typeof item === 'number')
  const originals = new Map(nodes.map(node => [originalOf(draft, node), node]))
  const looks = new Map(nodes.map(node => [looksOf(draft, node), node]))
  return today.map(node => {
    if (said.has(node)) return node
    return originals.get(originalOf(draft, node)) ?? looks.get(looksOf(draft, node) ?? '') ?? node
  })
}

/** G7: the entry that a copy repeats, or the entry itself. */
function originalOf({ graph }: Draft, node: number): number {
  const original = copiedFrom(graph, node)
  return original === none ? node : original
}

/** What an entry is known by without any id: what it is, what it says and when; null without a time. */
function looksOf({ graph }: Draft, node: number): string | null {
  const time = timeOf(graph, node)
  if (Number.isNaN(time)) return null
  return `${kindOf(graph, node)} ${roleOf(graph, node)} ${textHashOf(graph, node)} ${time}`
}

/** Thoughts are sent with what was said after them: where that is gone, they are not promised. */
export function withoutBareThoughts({ graph }: Draft, talk: readonly Said[]): readonly Said[] {
  const isThought = (node: number): boolean => isThinkingOnly(graph, node)
  const spoken = new Set<number>()
  for (const item of talk) if (typeof item === 'number' && !isThought(item)) spoken.add(unitOf(graph, item))
  return talk.filter(item => typeof item !== 'number' || !isThought(item) || spoken.has(unitOf(graph, item)))
}

/** Of what is loaded today, what a resume must load of the result: all that is not said again, or summed up, there. */
export function whatMustStay(
  draft: Draft,
  today: readonly number[],
  talk: readonly Said[],
): readonly number[] {
  const summed = summedUp(draft, talk)
  const said = new Set(talk)
  return withSame(draft, uniqueIn(draft, today), talk).filter(
    node => said.has(node) || !isSummed(draft, summed, node),
  )
}

/** Whether an entry, or the call that it answers, is summed up. */
function isSummed({ graph }: Draft, summed: ReadonlySet<number>, node: number): boolean {
  if (summed.has(node) || !isResult(graph, node)) return summed.has(node)
  return toolsOf(graph, node).some(tool => callsOf(graph, tool).some(call => summed.has(call)))
}

/** What the summary stands for that a conversation begins with: entries above its boundary are not taken away by a repair. */
function summedUp(draft: Draft, talk: readonly Said[]): ReadonlySet<number> {
  const summed = new Set<number>()
  const compaction = compactionIn(draft, talk)
  let node = compaction === null ? none : lineParentOf(draft.graph, compaction.boundary)
  for (
    let left = nodeCount(draft.graph);
    node !== none && left > 0;
    left--, node = lineParentOf(draft.graph, node)
  ) {
    summed.add(node)
    for (const part of partsOf(draft.graph, messageOf(draft.graph, node))) summed.add(part)
  }
  return summed
}
