/** Sessions in figures: what a list of sessions shows of each. */

import { type Diagnostic, type Graph, type Line, plainHead, type Session } from '@dagline/core'
import { countLostCalls, idleSessions } from '@dagline/core/measure'
import type { SessionShape } from '@dagline/core/protocol'
import { isAbandoned, shapeSessions } from '@dagline/core/view'
import type { SessionFact } from '../db/index-store.js'

/** A file of the graph, as far as the list of sessions depends on it. */
export interface SessionFile {
  readonly path: string
  readonly project: string
  readonly isArchived: boolean
}

/** The sessions of a graph, by their first time. */
export function sessionFacts(
  graph: Graph,
  files: readonly SessionFile[],
  diagnostics: readonly Diagnostic[],
): readonly SessionFact[] {
  const known: Known = {
    graph,
    files: new Map(files.map(file => [file.path, file])),
    tallies: tallySessions(graph),
    problems: countProblems(diagnostics),
    cleared: new Set(graph.operations().flatMap(made => (made.kind === 'clear' ? [made.session] : []))),
    shapes: shapeSessions(graph),
    idle: idleSessions(graph),
  }
  return graph.sessions().map(session => describe(known, session))
}

/** What is looked up for every session. */
interface Known {
  readonly graph: Graph
  readonly files: ReadonlyMap<string, SessionFile>
  readonly tallies: ReadonlyMap<string, Tally>
  readonly problems: ReadonlyMap<string, number>
  readonly cleared: ReadonlySet<string>
  readonly shapes: ReadonlyMap<string, SessionShape>
  readonly idle: ReadonlySet<string>
}

interface Tally {
  /** The first words that were typed. */
  prompt: string | null
  turns: number
  branches: number
  agents: number
  called: number
  compactions: number
}

function newTally(): Tally {
  return { prompt: null, turns: 0, branches: 0, agents: 0, called: 0, compactions: 0 }
}

function tallySessions(graph: Graph): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>()
  const of = (session: string): Tally => {
    const tally = tallies.get(session) ?? newTally()
    tallies.set(session, tally)
    return tally
  }
  for (const line of graph.lines()) {
    const tally = of(line.domain.session)
    if (isLeftBranch(graph, line)) tally.branches++
    if (line.domain.kind === 'session') tallyLine(graph, line.nodes, tally)
  }
  for (const agent of graph.agents()) if (agent.state !== 'warmup') of(agent.domain.session).agents++
  for (const [session, calls] of countLostCalls(graph)) of(session).called += calls
  for (const { boundary } of graph.epochs()) {
    const line = graph.lineOf(boundary)
    if (line !== null) of(line.domain.session).compactions++
  }
  return tallies
}

/** L12: a branch that goes on over its own forks is one. */
export function isLeftBranch(graph: Graph, line: Line): boolean {
  const isOwn = line.kind === 'branch' && line.domain.kind === 'session' && isAbandoned(line)
  return isOwn && graph.branchStart(line) === line
}

/** Longer first words are cut: lists do not show more. */
const MOST_WORDS = 200

function tallyLine(graph: Graph, nodes: readonly number[], tally: Tally): void {
  for (const node of nodes) {
    if (!graph.startsTurn(node)) continue
    tally.turns++
    const head = graph.node(node).head?.trim() ?? ''
    if (head !== '') tally.prompt ??= plainHead(head).slice(0, MOST_WORDS)
  }
}

function describe(
  { graph, files, tallies, problems, cleared, shapes, idle }: Known,
  session: Session,
): SessionFact {
  const tally = tallies.get(session.id) ?? newTally()
  const { prompt, turns, branches, agents, called, compactions } = tally
  const home = graph.currentFile(session.id)
  const homeFile = home === null ? undefined : files.get(home.facts.path)
  return {
    session: session.id,
    project: homeFile?.project ?? '',
    cwd: home?.cwd ?? null,
    title: session.title,
    prompt,
    shape: shapes.get(session.id) ?? null,
    file: home?.facts.path ?? null,
    first: session.first,
    last: session.last,
    turns,
    branches,
    agents,
    called,
    compactions,
    bytes: session.files.reduce((sum, file) => sum + file.bytes, 0),
    problems: session.files.reduce((sum, { facts }) => sum + (problems.get(facts.path) ?? 0), 0),
    isIdle: idle.has(session.id),
    isCleared: cleared.has(session.id),
    archivedOnly: session.files.every(({ facts }) => files.get(facts.path)?.isArchived === true),
    parent: parentOf(graph, session),
  }
}

function parentOf(graph: Graph, { parent }: Session): SessionFact['parent'] {
  return parent && { session: graph.node(parent.at).session, at: graph.id(parent.at), how: parent.how }
}

/** Warnings and errors by file. */
function countProblems(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { file, severity } of diagnostics) {
    if (severity !== 'info') counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  return counts
}
