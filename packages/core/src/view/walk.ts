/**
 * Which rows a view of a session has, and in which order. From top to bottom, oldest first:
 *
 *   an abandoned branch stands right after its fork, whole; the conversation goes on below it
 *   an agent stands, whole, before the first row that is later than its end, at the latest before its result
 *
 * Every node of the chosen lines is one row, or is counted as left out. No recursion; linear in nodes.
 */

import type { Graph, SessionJunction } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { none, timeOf } from '../graph/nodes.js'
import type { SessionId } from '../model/ids.js'
import { isLandmark, isUnfinishedBoundary, orderLine } from './order.js'
import type { EdgeKind, LeftOut, View, ViewEdge, ViewRow } from './rows.js'
import { type Scene, sceneOf } from './scene.js'

/** What a walk over a session shows, and what it folds. */
export interface WalkOptions {
  /** Folded lines are one row each. */
  readonly branches: 'fold' | 'show'
  readonly agents: 'fold' | 'show'
  /** Whether a node is shown; `isSpoken` shows the conversation, `() => true` everything. */
  readonly shows: (graph: Graph, node: number) => boolean
  /** Begin with this line instead of the session's trunk; the node it leaves is shown before it. */
  readonly line?: Line
  /** Agents that only warm up are shown too. */
  readonly warmups?: boolean
}

/**
 * The rows of a session from top to bottom, and what was left out. `layOutLanes` gives them lanes, `renderText` draws them.
 *
 *   walkSession(graph, id, { branches: 'fold', agents: 'fold', shows: isSpoken })
 */
export function walkSession(graph: Graph, session: SessionId, options: WalkOptions): View {
  const walk: Walk = {
    graph,
    scene: sceneOf(graph, session),
    options,
    rows: [],
    stack: [],
    seen: new Set(),
    ended: new Map(),
    left: { branches: 0, agents: 0, structural: 0 },
  }
  if (options.line === undefined) startSession(walk)
  else startLine(walk, options.line)
  run(walk)
  if (options.line === undefined) walkRest(walk)
  return { rows: walk.rows, left: walk.left }
}

function run(walk: Walk): void {
  for (let cursor = walk.stack.at(-1); cursor !== undefined; cursor = walk.stack.at(-1)) step(walk, cursor)
}

/** The rows of given nodes, one below the other: a live conversation. */
export function walkNodes(graph: Graph, nodes: readonly number[]): View {
  const rows = nodes.flatMap((node, row): ViewRow[] => {
    const line = graph.lineOf(node)
    const parents = row === 0 ? [] : [{ row: row - 1, kind: 'line' as const }]
    return line === null ? [] : [{ ...plainRow(graph, node, line), parents }]
  })
  return { rows, left: { branches: 0, agents: 0, structural: 0 } }
}

interface Walk {
  readonly graph: Graph
  readonly scene: Scene
  readonly options: WalkOptions
  readonly rows: ViewRow[]
  readonly stack: Cursor[]
  /** Lines that were entered or folded. */
  readonly seen: Set<number>
  /** The last row of each agent that was walked, by line. */
  readonly ended: Map<number, number>
  readonly left: { -readonly [K in keyof LeftOut]: LeftOut[K] }
}

/** A line that is being walked. */
interface Cursor {
  readonly line: Line
  readonly nodes: readonly number[]
  readonly depth: number
  /** How its first row hangs on the rows above. */
  readonly entry: ViewEdge | null
  readonly aside: boolean
  /** The cursor whose lane this one continues. */
  readonly host: Cursor | null
  /** An agent whose lane stays open until its result. */
  readonly returns: boolean
  readonly waiting: Waiting[]
  /** How many of `waiting` have been taken from its front. Removing them one by one would be quadratic. */
  taken: number
  next: number
  last: number
}

/** A line that leaves the cursor's, and waits for its turn. */
interface Waiting {
  readonly line: Line
  readonly kind: 'agent' | 'onward'
  /** The row of the call. */
  readonly from: number
  /** The line stands before the first row that is later. */
  readonly until: number
}

/** More agents than this are not drawn side by side. */
const mostWaiting = 16

function startSession(walk: Walk): void {
  const { trunk, beginnings } = walk.scene
  if (trunk === null) {
    for (const line of beginnings.toReversed()) push(walk, line, { aside: true })
    return
  }
  const cursor = push(walk, trunk, {})
  leaveBy(walk, cursor, beginnings)
}

/** What no other line leads to: agents without a known call, and whatever else is left where all is shown. */
function walkRest(walk: Walk): void {
  const { branches, agents, warmups } = walk.options
  const whole = branches === 'show' && agents === 'show'
  for (const line of whole ? walk.scene.lines : walk.scene.strays) {
    if (walk.seen.has(line.index)) continue
    const agent = walk.scene.agentOf.get(line.index)
    if (agent?.state === 'warmup' && warmups !== true) walk.left.agents++
    else if (agents === 'fold') fold(walk, 'agent', line, { entry: null, depth: 0 })
    else push(walk, line, { depth: agent?.depth ?? 0, aside: true })
    run(walk)
  }
}

function startLine(walk: Walk, line: Line): void {
  const spawn = walk.scene.agentOf.get(line.index)?.at ?? null
  const at = line.kind === 'agent' ? spawn : line.at
  const home = at === null ? null : walk.graph.lineOf(at)
  const depth = walk.graph.agents().find(agent => agent.domain === line.domain)?.depth ?? 0
  if (at !== null && home !== null) walk.rows.push(plainRow(walk.graph, at, home))
  const entry = home === null ? null : { row: 0, kind: 'line' as const }
  push(walk, line, { depth, entry })
}

/** Starts to walk a line. */
function push(walk: Walk, line: Line, how: Partial<Cursor>): Cursor {
  const { depth = 0, entry = null, aside = false, host = null, returns = true } = how
  const { agents, shows } = walk.options
  const lanes = agents === 'show' ? walk.scene.agentsAt : noLanes
  const nodes = walk.seen.has(line.index) ? [] : orderLine(walk.graph, line.nodes, lanes, shows)
  const cursor = {
    line,
    nodes,
    depth,
    entry,
    aside,
    host,
    returns,
    waiting: [],
    taken: 0,
    next: 0,
    last: none,
  }
  walk.seen.add(line.index)
  walk.stack.push(cursor)
  return cursor
}

const noLanes: ReadonlyMap<number, readonly Line[]> = new Map()

function step(walk: Walk, cursor: Cursor): void {
  const node = cursor.nodes[cursor.next]
  const due = takeDue(walk, cursor, node ?? none)
  if (due !== null) enter(walk, cursor, due)
  else if (node === undefined) finish(walk, cursor)
  else {
    cursor.next++
    if (walk.options.shows(walk.graph, node)) addRow(walk, cursor, node)
    else walk.left.structural++
    leaveBy(walk, cursor, walk.scene.branchesAt.get(node) ?? [])
    for (const agent of walk.scene.agentsAt.get(node) ?? []) sendOut(walk, cursor, agent)
  }
}

/** The line that stands before the node; at the end of the line all that wait, in their order. */
function takeDue(walk: Walk, cursor: Cursor, node: number): Waiting | null {
  const count = countWaiting(cursor)
  if (count === 0) return null
  if (node === none || count > mostWaiting) return cursor.waiting[cursor.taken++] ?? null
  const waiting = untaken(cursor)
  const time = timeOf(walk.graph, node)
  const at = waiting.findIndex(
    ({ until, line }) => until < time || walk.scene.homeOf.get(line.index) === node,
  )
  return at < 0 ? null : (waiting.splice(at, 1)[0] ?? null)
}

function countWaiting({ waiting, taken }: Cursor): number {
  return waiting.length - taken
}

/** The lines that still wait, without those that were taken. */
function untaken(cursor: Cursor): Waiting[] {
  if (cursor.taken > 0) cursor.waiting.splice(0, cursor.taken)
  cursor.taken = 0
  return cursor.waiting
}

function enter(walk: Walk, cursor: Cursor, { line, kind, from }: Waiting): void {
  if (kind === 'agent') {
    // One too many to be drawn side by side leaves like a branch, and does not come back.
    const returns = countWaiting(cursor) < mostWaiting
    const entry = from === none ? null : returns ? edge(from, 'spawn') : edge(cursor.last, 'branch')
    push(walk, line, { depth: cursor.depth + 1, entry, aside: entry === null, returns })
    return
  }
  const { depth, last, aside } = cursor
  const entry = last === none ? cursor.entry : edge(last, 'line')
  push(walk, line, { depth, entry, aside, host: cursor })
}

function finish(walk: Walk, cursor: Cursor): void {
  walk.stack.pop()
  if (cursor.host !== null && cursor.last !== none) cursor.host.last = cursor.last
  const isAway = cursor.line.kind === 'agent' && cursor.returns && cursor.last !== none
  if (isAway) walk.ended.set(cursor.line.index, cursor.last)
}

function addRow(walk: Walk, cursor: Cursor, node: number): void {
  const before = cursor.last === none ? cursor.entry : edge(cursor.last, 'line')
  const parents = before === null ? [] : [before]
  for (const agent of walk.scene.agentsHome.get(node) ?? []) {
    const end = walk.ended.get(agent.index)
    if (end !== undefined && end !== cursor.last) parents.push(edge(end, 'return'))
    walk.ended.delete(agent.index)
  }
  const { depth, aside } = cursor
  const junctions = walk.scene.junctions.get(node) ?? noJunctions
  cursor.last = walk.rows.length
  const row = plainRow(walk.graph, node, cursor.line)
  walk.rows.push({ ...row, depth, parents, aside, junctions })
}

const noJunctions: readonly SessionJunction[] = []

function plainRow(graph: Graph, node: number, line: Line): ViewRow {
  return {
    kind: 'node',
    node,
    line,
    depth: 0,
    parents: [],
    aside: false,
    folded: 0,
    landmark: isLandmark(graph, node),
    unfinished: isUnfinishedBoundary(graph, node),
    junctions: noJunctions,
  }
}

function edge(row: number, kind: EdgeKind): ViewEdge {
  return { row, kind }
}

/** Branches that leave here: abandoned ones come next, the one that the conversation goes on with waits its turn. */
function leaveBy(walk: Walk, cursor: Cursor, branches: readonly Line[]): void {
  if (branches.length === 0) return
  const onward = branches.find(line => line.status === 'live') ?? fallback(cursor.line, branches)
  // Cursors are taken from the end of the stack, folded rows stand at once.
  const order = walk.options.branches === 'fold' ? branches : branches.toReversed()
  for (const line of order) if (line !== onward) branchOff(walk, cursor, line)
  if (onward !== null) {
    const time = timeOf(walk.graph, onward.head ?? none)
    cursor.waiting.push({ line: onward, kind: 'onward', from: none, until: time })
  }
}

/** Where no branch is live, an abandoned line ends in its last branch; a live one goes on by itself. */
function fallback(line: Line, branches: readonly Line[]): Line | null {
  return line.status === 'live' ? null : (branches.at(-1) ?? null)
}

function branchOff(walk: Walk, cursor: Cursor, line: Line): void {
  const { depth, last } = cursor
  const from = last === none ? (cursor.entry?.row ?? none) : last
  const entry = from === none ? null : edge(from, 'branch')
  if (walk.options.branches === 'fold') fold(walk, 'branch', line, { entry, depth })
  else push(walk, line, { depth, entry, aside: entry === null })
}

function sendOut(walk: Walk, cursor: Cursor, line: Line): void {
  const { last, depth } = cursor
  if (walk.options.agents === 'fold') {
    fold(walk, 'agent', line, { entry: last === none ? null : edge(last, 'spawn'), depth })
    return
  }
  const until = timeOf(walk.graph, line.nodes.at(-1) ?? none)
  cursor.waiting.push({ line, kind: 'agent', from: last, until })
}

/** A whole line as one row. */
function fold(
  walk: Walk,
  kind: 'branch' | 'agent',
  line: Line,
  { entry, depth }: Pick<Cursor, 'entry' | 'depth'>,
): void {
  walk.seen.add(line.index)
  if (line.head === null) return
  const folded = walk.scene.sizes().get(line.index) ?? 0
  const parents = entry === null ? [] : [entry]
  const deeper = kind === 'agent' ? depth + 1 : depth
  if (kind === 'branch') walk.left.branches++
  else walk.left.agents++
  walk.rows.push({
    ...plainRow(walk.graph, line.head, line),
    kind,
    depth: deeper,
    parents,
    aside: entry === null,
    folded,
    landmark: false,
  })
}
