/** Nodes in lists: where each stands, and lists in which each stands once. Both are quick for a million of them. */

import * as t from './table.js'

/** Positions by node. */
export type Positions = Pick<ReadonlyMap<number, number>, 'has' | 'get'>

/** A list in which each node stands once, in the order in which they were added. */
interface NodeList {
  readonly list: readonly number[]
  readonly add: (node: number) => void
  readonly has: (node: number) => boolean
}

/** A list that is a good part of all nodes has a column beside it; for a short one that would cost too much. */
const PART = 16

/** The positions of the nodes of a list, out of so many nodes; of one that stands there twice the last. */
export function positionsIn(list: readonly number[], all: number): Positions {
  if (list.length * PART < all) return new Map(list.map((node, position) => [node, position]))
  const column = new Int32Array(all)
  for (let position = 0; position < list.length; position++) column[list[position] ?? 0] = position + 1
  const at = (node: number): number => column[node] ?? 0
  return { has: node => at(node) > 0, get: node => (at(node) > 0 ? at(node) - 1 : undefined) }
}

/** Numbers below a limit, each marked or not. */
interface Marks {
  readonly has: (number: number) => boolean
  readonly add: (number: number) => void
}

/** No marks yet; about so many are expected, of numbers below a limit. */
export function createMarks(expected: number, limit: number): Marks {
  if (expected * PART < limit) return new Set<number>()
  const column = new Uint8Array(limit)
  return {
    has: number => column[number] === 1,
    add: number => {
      column[number] = 1
    },
  }
}

/** An empty list that will have about so many nodes, out of all. */
export function createNodeList(expected: number, all: number): NodeList {
  const list: number[] = []
  const marks = createMarks(expected, all)
  const add = (node: number): void => {
    if (marks.has(node)) return
    marks.add(node)
    list.push(node)
  }
  return { list, has: node => marks.has(node), add }
}

/** How many of these entries, in the order of rows, stand before a row. */
export function countBefore({ row: rows }: t.Table, nodes: readonly number[], row: number): number {
  return countWhile(nodes, node => t.int(rows, node) < row)
}

/** How many items a list has before the first that fails a test, which then fails for all others; by binary search. */
export function countWhile<T>(list: readonly T[], test: (item: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = list[middle]
    if (item !== undefined && test(item)) low = middle + 1
    else high = middle
  }
  return low
}
