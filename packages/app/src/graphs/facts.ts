/** The graph of a project in the words of the contract: plain data, made item by item when asked for. */

import {
  type Agent,
  type Diagnostic,
  type Epoch,
  type Graph,
  type Line,
  type Session,
  type Totals,
  type WorkflowRun,
  walkTree,
} from '@dagline/core'
import { isoTime } from '@dagline/core/format'
import { type ProjectLocation, projectName } from '../files/projects.js'
import { allDiagnostics, type LoadedProject, loadProject, type Meter } from './project.js'

/** The lists of the contract, in its order. */
export const PARTS = [
  'files',
  'sessions',
  'lines',
  'folded',
  'forks',
  'agents',
  'epochs',
  'queue',
  'operations',
  'workflows',
  'edges',
] as const
export type Part = (typeof PARTS)[number]

/** An item of a list: plain data. */
export type Item = Readonly<Record<string, unknown>>

export interface ToolFacts {
  readonly calls: number
  readonly results: number
  readonly unanswered: readonly ToolEnd[]
  readonly stray: readonly ToolEnd[]
}

/** A call, or the result of one. */
interface ToolEnd {
  readonly id: string
  readonly node: string
}

/** Everything the contract lists of one project: plain data, the items of long lists as JSON. */
export interface ProjectFacts {
  readonly root: string
  readonly parts: Readonly<Record<Part, readonly string[]>>
  readonly live: readonly (readonly [file: string, nodes: string])[]
  readonly tools: ToolFacts
  readonly diagnostics: readonly string[]
  readonly totals: Totals
}

/** Reads a project and describes all of it. */
export function describeProject(location: ProjectLocation, meter?: Meter): ProjectFacts {
  return describeLoaded(loadProject(location, meter))
}

/** Describes all of a project that was read. */
function describeLoaded(loaded: LoadedProject): ProjectFacts {
  const { graph } = loaded
  const items = itemsOf(loaded)
  const texts = (part: Part): readonly [Part, readonly string[]] => [
    part,
    Array.from(items[part](), item => JSON.stringify(item)),
  ]
  return {
    root: loaded.root,
    parts: Object.fromEntries(PARTS.map(texts)) as ProjectFacts['parts'],
    live: liveFacts(graph),
    tools: toolFacts(graph),
    diagnostics: allDiagnostics(loaded).map(diagnosticJson),
    totals: graph.totals(),
  }
}

/** The items of each list, made one at a time. */
export function itemsOf(loaded: LoadedProject): Readonly<Record<Part, () => Iterable<Item>>> {
  const { graph } = loaded
  const lines = lineNames(graph)
  return {
    files: () => mapped(graph.files(), fileFacts),
    sessions: () => sessionItems(loaded),
    lines: () => lineItems(graph, lines),
    folded: () =>
      mapped(graph.folded(), ({ node, under, why }) => ({
        node: graph.id(node),
        under: graph.id(under),
        why,
      })),
    forks: () => mapped(graph.forks(), fork => forkFacts(graph, fork, lines)),
    agents: () => mapped(graph.agents(), agent => agentFacts(graph, agent, lines)),
    epochs: () => mapped(graph.epochs(), epoch => epochFacts(graph, epoch)),
    queue: () => queueFacts(graph),
    operations: () => mapped(graph.operations(), operation => operationFacts(graph, operation)),
    workflows: () => mapped(graph.workflows(), run => workflowFacts(graph, run)),
    edges: () => edgeFacts(graph),
  }
}

function* mapped<T>(values: Iterable<T>, map: (value: T) => Item): Generator<Item> {
  for (const value of values) yield map(value)
}

/** S1: depth first, a whole line and then what leaves it. */
function* sessionItems(loaded: LoadedProject): Generator<Item> {
  for (const step of walkTree(loaded.graph))
    if (step.kind === 'session') yield sessionFacts(loaded, step.session)
}

function* lineItems(graph: Graph, names: LineNames): Generator<Item> {
  for (const step of walkTree(graph)) if (step.kind === 'line') yield lineFacts(graph, step.line, names)
}

/** A diagnostic as the contract has it. */
export function diagnosticFacts({ rule, severity, file, row, node, message }: Diagnostic): Item {
  return { rule, severity, file, row, node, message }
}

/** The same as JSON. */
export function diagnosticJson(diagnostic: Diagnostic): string {
  return JSON.stringify(diagnosticFacts(diagnostic))
}

function fileFacts({
  facts,
  bytes,
  rows,
  entries,
  blank,
  damaged,
  continuation,
  joined,
  pieces,
}: ReturnType<Graph['files']>[number]): Item {
  const { path, kind, session, agent } = facts
  const counts = { rows, entries, blank, damaged, continuation, joined, pieces }
  return { path, kind, session, agent, bytes, ...counts }
}

function sessionFacts(loaded: LoadedProject, session: Session): Item {
  const { graph, project } = loaded
  const { id, files, parent } = session
  return {
    id,
    project: projectName(project, graph.currentFile(id)?.facts.path ?? null),
    title: session.title,
    first: isoTime(session.first),
    last: isoTime(session.last),
    files: files.map(({ facts }) => facts.path),
    parent: parent && { session: graph.node(parent.at).session, at: graph.id(parent.at), how: parent.how },
  }
}

/** Names that lines are looked up by. */
interface LineNames {
  /** The trunk or agent line of a conversation. */
  readonly main: ReadonlyMap<number, Line>
  readonly agents: ReadonlyMap<number, Agent>
}

function lineNames(graph: Graph): LineNames {
  return {
    main: new Map(graph.lines().flatMap(line => (line.kind === 'branch' ? [] : [[line.domain.index, line]]))),
    agents: new Map(graph.agents().map(agent => [agent.domain.index, agent])),
  }
}

function lineFacts(graph: Graph, line: Line, names: LineNames): Item {
  const { id, kind, domain, status, nodes } = line
  const agent = names.agents.get(domain.index)
  const at = kind === 'agent' ? (agent?.at ?? null) : line.at
  return {
    id,
    kind,
    session: domain.session,
    agent: domain.agent,
    parent: at === null ? null : { line: graph.lineOf(at)?.id ?? null, at: graph.id(at) },
    status,
    nodes: nodes.map(node => graph.id(node)),
  }
}

function forkFacts(graph: Graph, fork: ReturnType<Graph['forks']>[number], names: LineNames): Item {
  const { at, domain, kind, rule, children, evidence } = fork
  const line = at === null ? names.main.get(domain) : graph.lineOf(at)
  return {
    at: at === null ? null : graph.id(at),
    line: line?.id ?? null,
    kind,
    rule,
    children: children.map(child => graph.id(child)),
    evidence,
  }
}

/** The live conversation of each file, as JSON. */
function liveFacts(graph: Graph): ProjectFacts['live'] {
  const files = graph.files().filter(({ facts }) => facts.kind !== 'journal')
  return files.map(({ facts }) => [
    facts.path,
    JSON.stringify(graph.live(facts.path).map(node => graph.id(node))),
  ])
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
    source: agent.source,
    spawnedBy: spawnedBy && {
      toolUse: spawnedBy.call.id,
      node: graph.id(spawnedBy.node),
      evidence: spawnedBy.evidence,
    },
  }
}

/** The agent's own file, no copy of it, the one with a sidecar first; the session's where the agent is inline. */
function fileOfAgent(graph: Graph, { domain, id }: Agent): string | null {
  const files = graph.files().filter(file => domain.files.has(file.index))
  const all = files.filter(({ facts }) => facts.agent === id)
  const originals = all.filter(({ stamped }) => !stamped)
  const own = originals.length > 0 ? originals : all
  const best = own.find(({ facts }) => facts.meta !== null) ?? own[0] ?? files[0]
  return best?.facts.path ?? null
}

function epochFacts(graph: Graph, epoch: Epoch): Item {
  const { boundary, trigger, preTokens, postTokens, durationMs, preserved, summary } = epoch
  return {
    boundary: graph.id(boundary),
    line: graph.lineOf(boundary)?.id ?? null,
    trigger,
    preTokens,
    postTokens,
    durationMs,
    preserved: preserved.map(node => graph.id(node)),
    summary: summary === null ? null : graph.id(summary),
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
        node: node === null ? null : graph.id(node),
      }
    }
  }
}

function operationFacts(
  graph: Graph,
  { kind, node, session, label }: ReturnType<Graph['operations']>[number],
): Item {
  return { kind, node: graph.id(node), session, time: isoTime(graph.node(node).time), label }
}

function workflowFacts(graph: Graph, run: WorkflowRun): Item {
  const { id, session, name, summary, state, call, durationMs } = run
  const phases = run.phases.map(({ title, agents }) => ({
    title,
    agents: agents.map(({ id: agent, label, hasResult }) => ({ agent, label, hasResult })),
  }))
  return {
    id,
    session,
    name,
    summary,
    state,
    call: call === null ? null : graph.id(call),
    durationMs,
    phases,
  }
}

/** G5: relations that are not parents. */
function* edgeFacts(graph: Graph): Generator<Item> {
  for (const { kind, from, file, row, to } of graph.edges()) {
    // A result and its call, the commonest pair by far, are found by their tool id.
    if (kind === 'answers') continue
    yield { kind, from: from === null ? null : graph.id(from), file: file.facts.path, row, to: graph.id(to) }
  }
}

/** How calls and results match. */
export function toolFacts(graph: Graph): ToolFacts {
  const { calls, results, unanswered, stray } = graph.tools()
  const end = ({ id, node }: { readonly id: string; readonly node: number }): ToolEnd => ({
    id,
    node: graph.id(node),
  })
  return { calls, results, unanswered: unanswered.map(end), stray: stray.map(end) }
}
