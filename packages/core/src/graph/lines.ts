/**
 * L1: the lines of a graph: trunks, branches, agents. A line is a walk down from its roots: at a fork the children
 * that stay inline follow in their order, the others start lines of their own. Every placed node is on exactly one
 * line (F13).
 */

import type { Agent } from './agents.js'
import { originalOf } from './copies.js'
import { type Domain, domainName } from './domains.js'
import { AnswerBelow, Failure } from './facts.js'
import { verdictAt, verdictAtRoots } from './forks/ladder.js'
import { laterAttached } from './forks/shared.js'
import { liveLeaf } from './live.js'
import { mainFile } from './order.js'
import { isConversation } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** What a line is. */
export type LineKind = 'trunk' | 'branch' | 'agent'
/** What became of a line. `taken-back`: a prompt that was cancelled; `retry`: a failed request; `copy`: all of it is elsewhere. */
export type LineStatus = 'live' | 'abandoned' | 'taken-back' | 'retry' | 'copy'

/** A path of the conversation: a trunk, a branch or a subagent. */
export interface Line {
  /** Its index in `graph.lines()`. */
  readonly index: number
  /** The session of a trunk, `session@1f00ab34cd56` for a branch, `session#agent-id` for a subagent. */
  readonly id: string
  readonly kind: LineKind
  readonly domain: Domain
  /** The first node; null for an empty trunk. */
  readonly head: number | null
  /** Its nodes from top to bottom. */
  readonly nodes: readonly number[]
  /** The node of another line it hangs on; null for roots. */
  readonly at: number | null
  readonly status: LineStatus
  /** L12: the index of the branch by which it goes on at its last fork; null where it ends by itself. */
  readonly next: number | null
}

/** The same while lines are laid out. */
interface OpenLine extends Line {
  at: number | null
  status: LineStatus
  next: number | null
}

/** All lines, and on which of them each node is. */
export interface Layout {
  readonly lines: readonly Line[]
  /** Line index by sighting; none for what is not placed. */
  readonly lineOf: Int32Array
}

/** Lays out all lines. Linear in the nodes. */
export function layOutLines(state: State, agents: readonly Agent[]): Layout {
  const lines: OpenLine[] = []
  const lineOf = new Int32Array(state.table.size).fill(t.none)
  for (const domain of state.domains.list) {
    const first = lines.length
    layOutDomain(state, domain, lines)
    nameBranches(state, domain, lines, first)
    setStatuses(state, domain, lines.slice(first))
  }
  for (const line of lines) for (const node of line.nodes) lineOf[node] = line.index
  attachAgents(agents, lines, lineOf)
  for (const line of lines)
    if (line.kind === 'branch') continueBy(state, line, aboveLine(state, lines, lineOf, line))
  return { lines, lineOf }
}

/** The line of the same conversation that a line leaves; null for a trunk, and where another conversation is above. */
function aboveLine(
  { table }: State,
  lines: readonly OpenLine[],
  lineOf: Int32Array,
  { at, domain }: Line,
): OpenLine | null {
  const above = at === null ? undefined : lines[t.int(lineOf, originalOf(table, at))]
  return above?.domain.index === domain.index ? above : null
}

/** L12: a line goes on by its live branch, else by the last one that was abandoned behind its last message. */
function continueBy({ table }: State, { index, at, status }: Line, above: OpenLine | null): void {
  if (above === null || (status !== 'live' && status !== 'abandoned')) return
  if (status === 'live') above.next = index
  if (status === 'live' || above.status === 'live') return
  const last = above.nodes.findLastIndex(node => isConversation(table, node))
  if (above.nodes.includes(at ?? t.none, last)) above.next = index
}

/** A line that is still to be walked. */
interface Start {
  readonly kind: LineKind
  readonly heads: readonly number[]
  readonly at: number | null
}

/** The next line's number, and the lines still to walk. */
interface Open {
  readonly index: number
  readonly starts: Start[]
}

function layOutDomain(state: State, domain: Domain, lines: OpenLine[]): void {
  const verdict = verdictAtRoots(state, domain.index)
  const attached = laterAttached(state, domain.index)
  const branches = [...(verdict?.branches ?? []), ...attached]
  const kind = domain.kind === 'session' ? 'trunk' : 'agent'
  const starts: Start[] = [{ kind, heads: trunkRoots(state, domain, branches), at: null }]
  for (const head of branches) starts.push({ kind: 'branch', heads: [head], at: aboveOf(state, head) })
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i]
    if (start !== undefined) lines.push(walkStart(state, domain, start, { index: lines.length, starts }))
  }
}

/** The roots that stay on the trunk, in the order of writing; by time where nothing is linked. */
function trunkRoots(state: State, domain: Domain, branches: readonly number[]): readonly number[] {
  const verdict = verdictAtRoots(state, domain.index)
  if (verdict !== null && verdict.inline.length === domain.roots.length) return verdict.inline
  const away = new Set(branches)
  return domain.roots.filter(root => !away.has(root))
}

function walkStart(state: State, domain: Domain, start: Start, { index, starts }: Open): OpenLine {
  const nodes = walkDown(state, start.heads, (head, at) => starts.push({ kind: 'branch', heads: [head], at }))
  const head = start.heads[0] ?? null
  const at = start.kind === 'branch' ? start.at : aboveOf(state, head)
  return {
    index,
    id: domainName(domain),
    kind: start.kind,
    domain,
    head,
    at,
    nodes,
    status: 'live',
    next: null,
  }
}

/**
 * The nodes of a line from its heads on; `branch` hears of every branch that starts on the way. A compaction hangs on
 * what it compacted, but heads that were written before it come first (L1): a hook left in flight stands before the
 * compaction that cut it off.
 */
function walkDown(
  state: State,
  heads: readonly number[],
  branch: (head: number, at: number) => void,
): readonly number[] {
  const nodes: number[] = []
  const waiting = [...heads].reverse()
  const stack: number[] = []
  for (let node = waiting.pop(); node !== undefined; node = stack.pop() ?? waiting.pop()) {
    const earlier = t.marked(state.table, node, t.Boundary) ? waiting.at(-1) : undefined
    if (earlier !== undefined && isWrittenBefore(state.table, earlier, node)) {
      stack.push(node)
      node = earlier
      waiting.pop()
    }
    nodes.push(node)
    const first = t.int(state.table.first, node)
    if (first === t.none) continue
    const verdict = t.int(state.table.next, first) === t.none ? null : verdictAt(state, node)
    if (verdict === null) stack.push(first)
    else {
      for (let i = verdict.inline.length - 1; i >= 0; i--) stack.push(verdict.inline[i] ?? t.none)
      for (const head of verdict.branches) branch(head, node)
    }
  }
  return nodes
}

function isWrittenBefore(table: t.Table, a: number, b: number): boolean {
  return t.int(table.file, a) === t.int(table.file, b) && t.int(table.row, a) < t.int(table.row, b)
}

/** The node of another line that the head of a line hangs on. */
function aboveOf(state: State, head: number | null): number | null {
  return head === null ? null : t.orNull(t.int(state.table.up, head))
}

/** F12: `{session}@{uuid12}`, longer where twelve characters are not unique. */
function nameBranches(state: State, domain: Domain, lines: OpenLine[], first: number): void {
  const base = domainName(domain)
  const branches = lines.slice(first).filter(line => line.kind === 'branch')
  let open = branches.map(line => ({ line, id: t.idOf(state.table, line.head ?? t.none) }))
  for (let length = 12; open.length > 0; length += 4) {
    const counts = new Map<string, number>()
    for (const { id } of open) counts.set(id.slice(0, length), (counts.get(id.slice(0, length)) ?? 0) + 1)
    open = open.filter(({ line, id }) => {
      const unique = counts.get(id.slice(0, length)) === 1 || length >= id.length
      if (unique) lines[line.index] = { ...line, id: `${base}@${id.slice(0, length)}` }
      return !unique
    })
  }
}

/** L4: which lines the live leaf is on, and what became of the others. */
function setStatuses(state: State, domain: Domain, lines: readonly OpenLine[]): void {
  const branches = lines.filter(line => line.kind === 'branch')
  const path = branches.length === 0 ? nowhere : livePath(state, domain)
  for (const line of branches) line.status = branchStatus(state, line.head ?? t.none, path)
  // G6: every entry of the session stands in another one, too.
  if (domain.roots.length === 0) for (const line of lines) if (line.kind !== 'branch') line.status = 'copy'
}

const nowhere: ReadonlySet<number> = new Set()

/** A4: an agent hangs on the call that spawned it, or where it says, and what became of that line became of it. */
function attachAgents(agents: readonly Agent[], lines: readonly OpenLine[], lineOf: Int32Array): void {
  const byDomain = new Map(lines.filter(line => line.kind === 'agent').map(line => [line.domain.index, line]))
  for (const { domain, at } of [...agents].sort((a, b) => a.depth - b.depth)) {
    const line = byDomain.get(domain.index)
    if (line === undefined || at === null) continue
    line.at = at
    if (line.status !== 'copy') line.status = lines[t.int(lineOf, at)]?.status ?? 'live'
  }
}

function branchStatus(state: State, head: number, path: ReadonlySet<number>): LineStatus {
  if (path.has(head)) return 'live'
  const facts = t.byte(state.table.facts, head)
  if ((facts & AnswerBelow) !== 0) return 'abandoned'
  return (facts & Failure) === 0 ? 'taken-back' : 'retry'
}

/** The nodes from the live leaf up to the root of its conversation, over compactions. */
export function livePath(state: State, domain: Domain): ReadonlySet<number> {
  const path = new Set<number>()
  const file = mainFile(state, domain)
  const leaf = file === null ? t.none : liveLeaf(state, file)
  let node = leaf === t.none ? t.none : originalOf(state.table, leaf)
  while (node !== t.none && t.int(state.table.domain, node) === domain.index) {
    path.add(node)
    node = t.int(state.table.up, node)
  }
  return path
}
