/**
 * S1: all sessions and lines as one sequence, depth first. A session is a header and its whole trunk; then come the lines
 * that leave it, each followed by its own: branches, subagents, and sessions that go on from it.
 *
 *   s1: a b c d e f g
 *   s2: h i j, goes on from g         s1 abcdefg  s2 hij  s3 klm
 *   s3: k l m, goes on from e
 */

import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { none, placedNode, timeOf } from '../graph/nodes.js'
import { compareTimes } from '../graph/order.js'
import type { Session } from '../graph/sessions.js'
import { compareText, groupBy } from '../model/group.js'
import type { SessionId } from '../model/ids.js'

/** A session header, or a whole line. `depth` is the number of sessions above the session. */
export type TreeStep =
  | { readonly kind: 'session'; readonly session: Session; readonly depth: number }
  | {
      readonly kind: 'line'
      readonly line: Line
      /** The session it belongs to; null where no file of that session was read. */
      readonly session: Session | null
      readonly depth: number
    }

/** Which part of the session tree is walked. */
export interface TreeOptions {
  /** Only the tree that holds this session. */
  readonly session?: SessionId
}

/**
 * S1: all sessions and lines, depth first, each exactly once: a session, its trunk, then what leaves it. Children and roots
 * are in the order of their first entry; what only a cycle of sessions leads to comes last.
 */
export function* walkTree(graph: Graph, { session }: TreeOptions = {}): Generator<TreeStep> {
  const tree = buildTree(graph)
  if (session === undefined) {
    yield* walkFrom(tree, inOrder(tree, tree.children.get(none) ?? []))
    // A cycle has no root: it is entered at its first item.
    yield* walkFrom(tree, inOrder(tree, tree.items.keys()))
    return
  }
  const start = tree.items.findIndex(item => item.session?.id === session && item.isSession)
  if (start >= 0) yield* walkFrom(tree, [rootOf(tree, start)])
}

/** A session with its trunk, or another line. */
interface Item {
  readonly isSession: boolean
  readonly session: Session | null
  readonly line: Line | null
  readonly id: string
  /** The time of its first entry, where that is known. */
  readonly begun: number | null
}

interface Tree {
  readonly items: readonly Item[]
  /** By item; none for roots. */
  readonly parent: Int32Array
  /** By the item above; roots by none. */
  readonly children: ReadonlyMap<number, readonly number[]>
  /** Items that were given. */
  readonly seen: Uint8Array
}

function buildTree(graph: Graph): Tree {
  const items = itemsOf(graph)
  const parent = parentsOf(graph, items)
  const children = groupBy(items.keys(), item => parent[item] ?? none)
  return { items, parent, children, seen: new Uint8Array(items.length) }
}

function itemsOf(graph: Graph): readonly Item[] {
  const trunks = new Map<SessionId, Line>()
  for (const line of graph.lines()) if (line.kind === 'trunk') trunks.set(line.domain.session, line)
  const sessions = new Map(graph.sessions().map(session => [session.id, session]))
  const begun = (line: Line | null, otherwise: number | null): number | null =>
    line === null || line.head === null ? otherwise : timeOf(graph, line.head)
  const headed = graph.sessions().map((session): Item => {
    const line = trunks.get(session.id) ?? null
    return { isSession: true, session, line, id: session.id, begun: begun(line, session.first) }
  })
  const others = graph.lines().filter(line => line.kind !== 'trunk' || !sessions.has(line.domain.session))
  return [
    ...headed,
    ...others.map((line): Item => {
      const session = sessions.get(line.domain.session) ?? null
      return { isSession: false, session, line, id: line.id, begun: begun(line, null) }
    }),
  ]
}

/** The item that each item hangs on. */
function parentsOf(graph: Graph, items: readonly Item[]): Int32Array {
  const ofLine = new Map(items.flatMap(({ line }, item) => (line === null ? [] : [[line.index, item]])))
  const ofSession = new Map(
    items.flatMap(({ isSession, session }, item) =>
      isSession && session !== null ? [[session.id, item] as const] : [],
    ),
  )
  const mains = new Map(
    graph.lines().flatMap(line => (line.kind === 'branch' ? [] : [[line.domain.index, line]])),
  )
  const holding = (node: number): number => ofLine.get(graph.lineOf(node)?.index ?? none) ?? none
  return Int32Array.from(items, ({ isSession, session, line }, item) => {
    const at = isSession ? (session?.parent?.at ?? none) : (line?.at ?? none)
    const above = at === none ? none : holding(placedNode(graph, at))
    if (isSession || (above !== none && above !== item)) return above
    // It leaves no entry: a branch hangs on the main line of its conversation, a subagent on its session.
    const main = line?.kind === 'branch' ? ofLine.get(mains.get(line.domain.index)?.index ?? none) : undefined
    return main ?? (session === null ? undefined : ofSession.get(session.id)) ?? none
  })
}

/** Items by their first time. */
function inOrder({ items }: Tree, numbers: Iterable<number>): readonly number[] {
  return [...numbers].sort((a, b) => {
    const [first, second] = [items[a], items[b]]
    if (first === undefined || second === undefined) return 0
    return compareTimes(first.begun, second.begun) || compareText(first.id, second.id)
  })
}

/** The root above an item; in a cycle, the item itself. */
function rootOf({ parent }: Tree, start: number): number {
  const seen = new Set<number>()
  for (let item = start; !seen.has(item); item = parent[item] ?? none) {
    seen.add(item)
    if ((parent[item] ?? none) === none) return item
  }
  return start
}

function* walkFrom(tree: Tree, roots: readonly number[]): Generator<TreeStep> {
  const stack = roots.map(item => ({ item, depth: 0 })).reverse()
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { item, depth } = next
    if (tree.seen[item] === 1) continue
    tree.seen[item] = 1
    yield* stepsOf(tree.items[item], depth)
    for (const child of inOrder(tree, tree.children.get(item) ?? []).toReversed()) {
      const isDeeper = tree.items[child]?.isSession === true
      stack.push({ item: child, depth: isDeeper ? depth + 1 : depth })
    }
  }
}

function* stepsOf(item: Item | undefined, depth: number): Generator<TreeStep> {
  if (item === undefined) return
  const { isSession, session, line } = item
  if (isSession && session !== null) yield { kind: 'session', session, depth }
  if (line !== null) yield { kind: 'line', line, session, depth }
}
