/** Where paths part that people may want to compare: forks of a session, and nodes where another session goes on. */
import { type Fork, isRewind } from '../graph/fork-list.js'
import type { Graph } from '../graph/graph.js'
import { isConversation, knownTimeOf } from '../graph/nodes.js'
import type { SessionId } from '../model/ids.js'
import type { ComparableBranch, ComparableFork, CompareChoices } from '../protocol/messages.js'
import { pathThrough } from './paths.js'

/** The forks of a session with two or more paths, the newest first. */
export function listComparable(graph: Graph, session: SessionId): CompareChoices['forks'] {
  const forks = graph.forks().filter(fork => isRewind(fork) && isOf(graph, fork, session))
  const found = [
    ...forks.map(fork => describeFork(graph, fork)),
    ...graph.junctions().flatMap(junction => {
      const isNear = junction.session === session || sessionAt(graph, junction.at) === session
      return isNear ? [describeJunction(graph, junction)] : []
    }),
  ]
  return found.filter(({ branches }) => branches.length > 1).sort((a, b) => lastTime(b) - lastTime(a))
}

function isOf(graph: Graph, { at, branches }: Fork, session: SessionId): boolean {
  return [at, ...branches].some(node => node !== null && sessionAt(graph, node) === session)
}

function sessionAt(graph: Graph, node: number): SessionId {
  return graph.lineOf(node)?.domain.session ?? graph.node(node).session
}

function describeFork(graph: Graph, fork: Fork): ComparableFork {
  const heads = fork.children.map(child => graph.originalOf(child)).filter(child => leadsOn(graph, child))
  return {
    ...locate(graph, fork.at),
    kind: fork.kind,
    evidence: fork.evidence,
    branches: branchesFrom(graph, heads),
  }
}

/** Whether its line has messages from a node on. */
function leadsOn(graph: Graph, node: number): boolean {
  const line = graph.lineOf(node)
  if (line === null) return false
  return line.nodes.slice(line.nodes.indexOf(node)).some(each => isConversation(graph, each))
}

function describeJunction(
  graph: Graph,
  { at, session, how }: ReturnType<Graph['junctions']>[number],
): ComparableFork {
  const line = graph.lineOf(at)
  const next = line?.nodes[line.nodes.indexOf(graph.originalOf(at)) + 1] ?? null
  const trunk = graph.lines().find(({ kind, id }) => kind === 'trunk' && id === session)?.head ?? null
  const heads = [next, trunk].flatMap(node => (node !== null && leadsOn(graph, node) ? [node] : []))
  return { ...locate(graph, at), kind: how, evidence: null, branches: branchesFrom(graph, heads) }
}

function locate(graph: Graph, at: number | null): Pick<ComparableFork, 'node' | 'time'> {
  return at === null ? { node: null, time: null } : { node: graph.id(at), time: knownTimeOf(graph, at) }
}

function branchesFrom(graph: Graph, heads: readonly number[]): readonly ComparableBranch[] {
  return [...new Set(heads)].map(head => {
    const line = graph.lineOf(head)
    const path = pathThrough(graph, head)
    const own = path.slice(path.indexOf(head))
    const prompts = own.filter(node => graph.startsTurn(node))
    return {
      ref: graph.id(head),
      status: line?.status ?? 'live',
      time: knownTimeOf(graph, head),
      turns: prompts.length,
      words: graph.node(prompts[0] ?? head).head,
    }
  })
}

function lastTime({ branches }: ComparableFork): number {
  return Math.max(...branches.map(({ time }) => time ?? 0))
}
