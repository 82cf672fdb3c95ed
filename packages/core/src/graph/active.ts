/**
 * L2: the live leaf of a file whose entries carry `is_active`. The mark decides fork by fork, from the roots down: the
 * marked child, else the child with a mark below it, else the one that was written to last.
 */
import { isConversation } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** What is known of an entry and everything below it. */
interface Below {
  readonly children: number[]
  hasMark: boolean
  /** The last row with conversation, at or below the entry. */
  lastRow: number
}

type Tree = ReadonlyMap<number, Below>

/** The leaf that the marks lead to among the entries of a conversation; none where no entry is a message. */
export function markedLeaf(state: State, nodes: readonly number[]): number {
  const tree = treeOf(state, nodes)
  let leaf = t.none
  let children = tree.get(t.none)?.children ?? []
  while (children.length > 0) {
    const next = children.reduce((best, child) => better(state.table, tree, best, child))
    if (isConversation(state.table, next)) leaf = next
    children = tree.get(next)?.children ?? []
  }
  return leaf
}

function better(table: t.Table, tree: Tree, a: number, b: number): number {
  const [rankA, rankB] = [rankOf(table, tree, a), rankOf(table, tree, b)]
  if (rankA !== rankB) return rankA > rankB ? a : b
  return (tree.get(a)?.lastRow ?? 0) > (tree.get(b)?.lastRow ?? 0) ? a : b
}

function rankOf(table: t.Table, tree: Tree, node: number): number {
  if (t.marked(table, node, t.Active)) return 2
  return tree.get(node)?.hasMark === true ? 1 : 0
}

/** The entries by their parents, roots under none, each with what lies below it. */
function treeOf(state: State, nodes: readonly number[]): Tree {
  const { table } = state
  const tree = new Map<number, Below>([[t.none, emptyBelow()]])
  for (const node of nodes) tree.set(node, emptyBelow())
  const parents = new Map(nodes.map(node => [node, parentIn(table, tree, node)]))
  for (const [node, parent] of parents) tree.get(parent)?.children.push(node)
  for (const node of downwards(tree).reverse()) {
    const below = tree.get(node)
    const above = tree.get(parents.get(node) ?? t.none)
    if (below === undefined || above === undefined) continue
    below.hasMark ||= t.marked(table, node, t.Active)
    if (isConversation(table, node)) below.lastRow = Math.max(below.lastRow, t.int(table.row, node))
    above.hasMark ||= below.hasMark
    above.lastRow = Math.max(above.lastRow, below.lastRow)
  }
  return tree
}

function emptyBelow(): Below {
  return { children: [], hasMark: false, lastRow: 0 }
}

/** The recorded parent; a compaction's boundary goes on from what it compacted. None where that is in another file. */
function parentIn(table: t.Table, tree: Tree, node: number): number {
  const parent = t.int(table.parent, node)
  const above = parent === t.none ? t.int(table.up, node) : parent
  return tree.has(above) ? above : t.none
}

/** All entries, parents before children. */
function downwards(tree: Tree): number[] {
  const order = [...(tree.get(t.none)?.children ?? [])]
  for (let i = 0; i < order.length; i++)
    for (const child of tree.get(order[i] ?? t.none)?.children ?? []) order.push(child)
  return order
}
