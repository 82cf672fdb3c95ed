/** Two paths compared from the last node that both have: what was asked, done, changed and spent. */
import { isRewind } from '../graph/fork-list.js'
import type { Graph } from '../graph/graph.js'
import { isAnswer, isConversation, knownTimeOf, messageOf, none, timeOf } from '../graph/nodes.js'
import { addTime, emptyRange, type TimeRange } from '../graph/order.js'
import { compareText } from '../model/group.js'
import type { MessageId, SessionId } from '../model/ids.js'
import type { ComparedCall, ComparedSide, ComparedTurn, Comparison } from '../protocol/messages.js'
import { type AgentLines, agentLines, gatherAgents, pathThrough } from './paths.js'
import { joinRows } from './rows.js'
import { addSpent, nothingSpent, type Priced, type Spent, spentOn } from './spent.js'
import { type Call, callsIn } from './tools.js'
import { tokensIn } from './usage.js'

/** What comparing needs to be told: the graph keeps no contents. */
export interface CompareOptions {
  /** The words of a prompt or of an answer; null where it says nothing. */
  readonly wordsOf: (node: number) => string | null
  /** The calls of an entry, in their order. */
  readonly callsOf: (node: number) => readonly CallWords[]
  /** The price of a message in dollars, by its `message.id`. Null where it is not known. */
  readonly costOf?: (message: MessageId) => number | null
  /** The title of a session where it is another than the graph's. */
  readonly titleOf?: (session: SessionId) => string | null
  /** How many turns of each side are told with their words; 400 unless given. */
  readonly most?: number
}

/** A call in short. */
export interface CallWords {
  /** The argument that says most. */
  readonly text: string
  /** The file that it names; null for none. */
  readonly path: string | null
}

/** A path of some graph, by a node on it. */
export interface ComparedPath {
  readonly graph: Graph
  readonly node: number
  readonly options: CompareOptions
}

/** Compares the paths through two nodes of a graph: branches, a branch and a trunk, or sessions with a shared history. */
export function compareLines(graph: Graph, a: number, b: number, options: CompareOptions): Comparison {
  const [one, other] = [pathThrough(graph, a), pathThrough(graph, b)]
  const shared = commonLength(one, other)
  const common = one.slice(0, shared)
  const sides = [
    sideOf({ graph, node: a, options }, one, common),
    sideOf({ graph, node: b, options }, other, common),
  ] as const
  return { fork: forkAt(graph, common, sides), sides }
}

/** Compares paths of two graphs, which share nothing. */
export function compareApart(a: ComparedPath, b: ComparedPath): Comparison {
  const whole = (compared: ComparedPath): ComparedSide =>
    sideOf(compared, pathThrough(compared.graph, compared.node), [])
  return { fork: null, sides: [whole(a), whole(b)] }
}

function commonLength(one: readonly number[], other: readonly number[]): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function forkAt(
  graph: Graph,
  common: readonly number[],
  [one, other]: readonly [ComparedSide, ComparedSide],
): Comparison['fork'] {
  const at = common.at(-1) ?? null
  if (at === null && one.session !== other.session) return null
  const parts = graph
    .forks()
    .find(fork => fork.at === at && isRewind(fork) && isWithin(graph, fork.domain, one))
  return {
    node: at === null ? null : graph.id(at),
    session: at === null ? one.session : (graph.lineOf(at)?.domain.session ?? graph.node(at).session),
    shared: common.length,
    evidence: parts?.evidence ?? null,
  }
}

/** Forks between roots have no node: the conversation tells them apart. */
function isWithin(graph: Graph, domain: number, side: ComparedSide): boolean {
  return graph.lines().some(line => line.domain.index === domain && line.id === side.line)
}

/** What the parts of a side are counted with. */
interface Count extends ComparedPath {
  readonly agents: AgentLines
  readonly priced: Priced
  /** Messages that count already: those of the shared part first. */
  readonly seen: Set<number>
}

/** A prompt and what followed on it; without a prompt where the paths part in the middle of a turn. */
interface Turn {
  readonly nodes: readonly number[]
  readonly prompt: number
  readonly spent: Spent
}

const MOST_TURNS = 400

function sideOf(compared: ComparedPath, path: readonly number[], common: readonly number[]): ComparedSide {
  const { graph, node, options } = compared
  const own = path.slice(common.length)
  const count = startCount(compared, common)
  const turns = turnsOf(graph, own).map(nodes => countTurn(count, nodes))
  const { nodes, agents } = gatherAgents(own, count.agents)
  const line = graph.lineOf(own[0] ?? node)
  const session = line?.domain.session ?? graph.node(node).session
  return {
    ref: graph.id(node),
    session,
    line: line?.id ?? session,
    status: line?.status ?? 'live',
    title: titleOf(compared, session),
    ...timesOf(graph, nodes),
    ...figuresOf(turns),
    agents,
    ...workOf(count, nodes),
    turnCount: turns.filter(({ prompt }) => prompt !== none).length,
    turns: turns.slice(0, options.most ?? MOST_TURNS).map(turn => tellTurn(count, turn)),
  }
}

function startCount(compared: ComparedPath, common: readonly number[]): Count {
  const { graph, options } = compared
  const usage = new Map([...graph.usage()].map(each => [each.message, each.usage]))
  const seen = new Set(common.map(node => messageOf(graph, node)))
  return { ...compared, agents: agentLines(graph), priced: { graph, usage, options }, seen }
}

function titleOf({ graph, options }: ComparedPath, session: SessionId): string | null {
  const given = options.titleOf?.(session) ?? null
  return given ?? graph.sessions().find(({ id }) => id === session)?.title ?? null
}

/** The nodes cut before each turn. What stands before the first is a turn if it is part of the conversation. */
function turnsOf(graph: Graph, nodes: readonly number[]): readonly (readonly number[])[] {
  const starts = nodes.flatMap((node, index) => (graph.startsTurn(node) ? [index] : []))
  const before = nodes.slice(0, starts[0])
  const turns = starts.map((start, nth) => nodes.slice(start, starts[nth + 1]))
  return before.some(node => isConversation(graph, node)) ? [before, ...turns] : turns
}

function countTurn({ graph, agents, priced, seen }: Count, nodes: readonly number[]): Turn {
  const first = nodes[0] ?? none
  const spent = spentOn(priced, gatherAgents(nodes, agents).nodes, seen)
  return { nodes, prompt: graph.startsTurn(first) ? first : none, spent }
}

/** The first and the last time of some nodes; null where none is dated. */
export function timesOf(graph: Graph, nodes: readonly number[]): Readonly<TimeRange> {
  const range = emptyRange()
  for (const node of nodes) addTime(range, timeOf(graph, node))
  return range
}

type Figures = Pick<ComparedSide, 'messages' | 'tokens' | 'output' | 'cost'>

function figuresOf(turns: readonly Turn[]): Figures {
  const sum = turns.reduce((total, { spent }) => addSpent(total, spent), nothingSpent)
  return { messages: sum.messages, tokens: tokensIn(sum), output: sum.output, cost: sum.costUSD }
}

/** Tools by calls, and files that calls have written, by path. */
function workOf(count: Count, nodes: readonly number[]): Pick<ComparedSide, 'tools' | 'files'> {
  const tools: ComparedSide['tools'][number][] = []
  const files = new Map<string, number>()
  for (const node of nodes) {
    const calls = callsIn(count.graph, node)
    for (const call of calls) tools.push({ name: call.tool, calls: 1, errors: isFailed(call) ? 1 : 0 })
    for (const path of writtenBy(count, node, calls)) files.set(path, (files.get(path) ?? 0) + 1)
  }
  return {
    tools: joinRows(tools, ['name'], 'calls'),
    files: [...files].sort(([a], [b]) => compareText(a, b)).map(([path, edits]) => ({ path, edits })),
  }
}

/** Tools that change the file they name. */
const WRITING: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

/** The files that the calls of an entry have changed: a call that failed, or never ended, has changed none. */
function writtenBy({ options }: Count, node: number, calls: readonly Call[]): readonly string[] {
  if (!calls.some(({ tool }) => WRITING.has(tool))) return []
  const words = options.callsOf(node)
  return calls.flatMap(({ tool, ending }, nth) => {
    const path = words[nth]?.path ?? null
    const isDone = ending === 'ok' || ending === 'spilled'
    return WRITING.has(tool) && isDone && path !== null ? [path] : []
  })
}

function isFailed({ ending }: Call): boolean {
  return ending === 'error' || ending === 'denied'
}

function tellTurn(count: Count, { nodes, prompt, spent }: Turn): ComparedTurn {
  const { graph, options } = count
  const first = nodes[0] ?? none
  return {
    node: graph.id(first),
    time: knownTimeOf(graph, first),
    prompt: prompt === none ? null : (options.wordsOf(prompt) ?? graph.node(prompt).head ?? ''),
    answer: lastAnswer(count, nodes),
    calls: nodes.flatMap(node => tellCalls(count, node)),
    cost: spent.costUSD,
  }
}

function lastAnswer({ graph, options }: Count, nodes: readonly number[]): string | null {
  for (const node of nodes.toReversed()) {
    const words = isAnswer(graph, node) ? options.wordsOf(node) : null
    if (words !== null && words.trim() !== '') return words
  }
  return null
}

function tellCalls({ graph, options }: Count, node: number): readonly ComparedCall[] {
  const calls = callsIn(graph, node)
  const words = calls.length === 0 ? [] : options.callsOf(node)
  return calls.map((call, nth) => ({
    node: graph.id(node),
    tool: call.tool,
    text: words[nth]?.text ?? '',
    failed: isFailed(call),
  }))
}
