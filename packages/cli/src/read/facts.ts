/** The graph of a project in the words of the contract: plain data, made item by item when asked for. */
import type { Agent, Graph, Line } from '@dagline/core'
import { isoTime } from '../print/figures.js'
import { projectName } from './places.js'
import type { Loaded } from './project.js'

/** The lists of the contract, in its order. */
export const PARTS = ['files', 'sessions', 'lines', 'folded', 'forks', 'agents', 'epochs', 'queue'] as const
export type Part = (typeof PARTS)[number]

type Item = Readonly<Record<string, unknown>>

export interface ToolFacts {
  readonly calls: number
  readonly results: number
  readonly unanswered: readonly Item[]
  readonly stray: readonly Item[]
}

export type Facts = { readonly [P in Part]: () => Iterable<Item> } & {
  readonly live: () => Iterable<readonly [string, readonly string[]]>
  readonly tools: () => ToolFacts
}

/** Everything the contract lists of one project. */
export function describeProject(loaded: Loaded): Facts {
  const { graph } = loaded
  const lines = lineNames(graph)
  return {
    files: () => graph.files().map(fileFacts),
    sessions: () => sessionFacts(loaded),
    lines: () => graph.lines().map(line => lineFacts(graph, line, lines)),
    folded: () =>
      graph.folded().map(({ node, under, why }) => ({ node: graph.id(node), under: graph.id(under), why })),
    forks: () => graph.forks().map(fork => forkFacts(graph, fork, lines)),
    live: () => liveFacts(graph),
    agents: () => graph.agents().map(agent => agentFacts(graph, agent, lines)),
    epochs: () => epochFacts(graph),
    queue: () => queueFacts(graph),
    tools: () => toolFacts(graph),
  }
}

/** Titles that were given to sessions in files of their own; they count more than any in the transcript. */
export function titleOf({ project }: Loaded, id: string, title: string | null): string | null {
  return project.titles.findLast(given => given.session === id)?.title ?? title
}

function fileFacts({
  facts,
  bytes,
  rows,
  entries,
  blank,
  damaged,
}: ReturnType<Graph['files']>[number]): Item {
  const { path, kind, session, agent } = facts
  return { path, kind, session, agent, bytes, rows, entries, blank, damaged }
}

function* sessionFacts(loaded: Loaded): Generator<Item> {
  const { graph, project } = loaded
  for (const session of graph.sessions()) {
    const { id, files, parent } = session
    yield {
      id,
      project: projectName(project),
      title: titleOf(loaded, id, session.title),
      first: isoTime(session.first),
      last: isoTime(session.last),
      files: files.map(({ facts }) => facts.path),
      parent: parent && { session: graph.node(parent.at).session, at: graph.id(parent.at), how: parent.how },
    }
  }
}

/** Names that lines are looked up by. */
interface LineNames {
  readonly sessions: ReadonlyMap<number, string>
  /** The trunk or agent line of a conversation. */
  readonly main: ReadonlyMap<number, Line>
  readonly agents: ReadonlyMap<number, Agent>
}

function lineNames(graph: Graph): LineNames {
  return {
    sessions: new Map(graph.sessions().map(({ index, id }) => [index, id])),
    main: new Map(graph.lines().flatMap(line => (line.kind === 'branch' ? [] : [[line.domain.index, line]]))),
    agents: new Map(graph.agents().map(agent => [agent.domain.index, agent])),
  }
}

function lineFacts(graph: Graph, line: Line, names: LineNames): Item {
  const { id, kind, domain, status, nodes } = line
  const first = nodes[0]
  const session =
    names.sessions.get(domain.session) ?? (first === undefined ? null : graph.node(first).session)
  const agent = names.agents.get(domain.index)
  const at = kind === 'agent' ? (agent?.spawnedBy?.node ?? -1) : line.at
  return {
    id,
    kind,
    session,
    agent: domain.agent,
    parent: at < 0 ? null : { line: graph.lineOf(at)?.id ?? null, at: graph.id(at) },
    status,
    nodes: nodes.map(node => graph.id(node)),
  }
}

function forkFacts(graph: Graph, fork: ReturnType<Graph['forks']>[number], names: LineNames): Item {
  const { at, domain, kind, rule, children, evidence } = fork
  const line = at < 0 ? names.main.get(domain) : graph.lineOf(at)
  return {
    at: at < 0 ? null : graph.id(at),
    line: line?.id ?? null,
    kind,
    rule,
    children: children.map(child => graph.id(child)),
    evidence,
  }
}

function* liveFacts(graph: Graph): Generator<readonly [string, readonly string[]]> {
  for (const { facts } of graph.files()) {
    if (facts.kind !== 'journal') yield [facts.path, graph.live(facts.path).map(node => graph.id(node))]
  }
}

function agentFacts(graph: Graph, agent: Agent, names: LineNames): Item {
  const { spawnedBy } = agent
  return {
    agent: agent.id,
    file: fileOfAgent(graph, agent),
    name: agent.name,
    depth: agent.depth,
    line: names.main.get(agent.domain.index)?.id ?? null,
    state: agent.state,
    spawnedBy: spawnedBy && {
      toolUse: spawnedBy.call.id,
      node: graph.id(spawnedBy.node),
      evidence: spawnedBy.evidence,
    },
  }
}

/** The agent's own file, the one with a sidecar first; the session's where the agent is inline. */
function fileOfAgent(graph: Graph, { domain, id }: Agent): string | null {
  const files = graph.files().filter(file => domain.files.has(file.index))
  const own = files.filter(({ facts }) => facts.agent === id)
  const best = own.find(({ facts }) => facts.meta !== null) ?? own[0] ?? files[0]
  return best?.facts.path ?? null
}

function* epochFacts(graph: Graph): Generator<Item> {
  for (const { boundary, trigger, preTokens, postTokens, preserved, summary } of graph.epochs()) {
    yield {
      boundary: graph.id(boundary),
      line: graph.lineOf(boundary)?.id ?? null,
      trigger,
      preTokens,
      postTokens,
      preserved: preserved.map(node => graph.id(node)),
      summary: summary < 0 ? null : graph.id(summary),
    }
  }
}

function* queueFacts(graph: Graph): Generator<Item> {
  for (const { file, steps } of graph.queues()) {
    for (const { note, became, node } of steps) {
      yield {
        file: file.facts.path,
        row: note.source.row,
        operation: note.operation,
        became,
        node: node < 0 ? null : graph.id(node),
      }
    }
  }
}

function toolFacts(graph: Graph): ToolFacts {
  const { calls, results, unanswered, stray } = graph.tools()
  const end = ({ id, node }: { readonly id: string; readonly node: number }): Item => ({
    id,
    node: graph.id(node),
  })
  return { calls, results, unanswered: unanswered.map(end), stray: stray.map(end) }
}
