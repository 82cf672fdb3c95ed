/**
 * One line of parents: what is sent in its order, and what stands between. Releases up to 2.1.41 walk the parents alone, and
 * so send all of a conversation that is one line; newer ones send the same.
 *
 *   u1 a1[t1] a2[t2]  a1 > r1[t1]  a2 > r2[t2] a3   ->   u1 a1 a2 r1 r2 a3
 */
import type { Graph } from '../graph/graph.js'
import { isThinkingOnly, kindOf, nodeCount, none, unitOf } from '../graph/nodes.js'
import { positionsIn } from '../graph/positions.js'
import type { ConversationItem } from '../resume/conversation.js'

/** What is sent, in its order, with the rest of the chain (last entry first) that is carried: each behind the unit that it followed. */
export function insertCarried<T extends ConversationItem>(
  graph: Graph,
  chain: readonly number[],
  sent: readonly T[],
  isCarried: (node: number) => boolean,
): readonly (T | number)[] {
  const positions = positionsIn(sent.map(numberOf), nodeCount(graph))
  const line: (T | number)[] = []
  let next = 0
  const addUpTo = (end: number): void => {
    for (; next < end; next++) line.push(sent[next] ?? none)
  }
  for (let i = chain.length - 1; i >= 0; i--) {
    const node = chain[i] ?? none
    const position = positions.get(node)
    if (position !== undefined) addUpTo(endOfUnit(graph, sent, position))
    else if (isCarried(node)) line.push(node)
  }
  addUpTo(sent.length)
  return line
}

/** The position after the last entry of the unit at a position; inserted results belong to the unit before them. */
export function endOfUnit(graph: Graph, sent: readonly ConversationItem[], position: number): number {
  const unit = unitOf(graph, numberOf(sent[position]))
  let end = position + 1
  for (; end < sent.length; end++) {
    const item = sent[end]
    if (typeof item === 'number' && unitOf(graph, item) !== unit) break
  }
  return end
}

/** L7: thinking is sent with what follows it in its message: where that is gone, it is left out. Early releases did send it. */
export function withoutBareThinking<T extends ConversationItem>(
  { graph }: { readonly graph: Graph },
  conversation: readonly T[],
): readonly T[] {
  const unit = (item: T): number => unitOf(graph, numberOf(item))
  const isThinking = (item: T): boolean => typeof item === 'number' && isThinkingOnly(graph, item)
  const answered = new Set(conversation.filter(item => !isThinking(item)).map(unit))
  return conversation.filter(item => !isThinking(item) || answered.has(unit(item)))
}

/** Entries that some release does not read: what hangs on one is lost to it. */
export function isSteppedOver(graph: Graph, node: number): boolean {
  const kind = kindOf(graph, node)
  return kind === 'progress' || kind === 'opaque'
}

/** Rows with the entries of a line in its order, in the positions that these have among them. */
export function inLineOrder(rows: readonly number[], line: readonly number[]): readonly number[] {
  if (isWithin(line, rows)) return rows
  const inLine = new Set(line)
  const present = new Set(rows)
  const ordered = line.filter(node => present.has(node))
  let next = 0
  return rows.map(row => (inLine.has(row) ? (ordered[next++] ?? row) : row))
}

/** Whether a list has all of another in the same order: nearly always, and then nothing has to be sorted or looked up. */
export function isWithin<T>(part: readonly T[], all: readonly T[]): boolean {
  let next = 0
  for (const item of all) if (next < part.length && item === part[next]) next++
  return next === part.length
}

function numberOf(item: ConversationItem | undefined): number {
  return typeof item === 'number' ? item : none
}
