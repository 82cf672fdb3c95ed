/** Sessions in figures: what `ls`, `tree` and the overview show of each. */
import type { Diagnostic, Graph, Session } from '@dagline/core'
import { titleOf } from './facts.js'
import { type Place, projectName } from './places.js'
import { allFindings, type Loaded, loadProject, type Meter } from './project.js'

/** A session as it is listed. */
export interface SessionFigures {
  readonly session: string
  readonly project: string
  /** The folder the work was done in, as the transcript names it. */
  readonly cwd: string | null
  readonly title: string | null
  readonly file: string | null
  readonly first: number
  readonly last: number
  /** Prompts that a person typed, on all branches. */
  readonly turns: number
  readonly branches: number
  readonly agents: number
  readonly compactions: number
  readonly bytes: number
  readonly problems: number
  /** S4: nothing but a warm-up, or nothing at all. */
  readonly isIdle: boolean
  /** It begins with `/clear`. */
  readonly isCleared: boolean
  /** Where it hangs on another session. */
  readonly parent: { readonly session: string; readonly at: string; readonly how: string } | null
}

/** Reads a project and lists its sessions, by their first time. */
export function listSessions(place: Place, meter?: Meter): readonly SessionFigures[] {
  const loaded = loadProject(place, meter)
  const { graph } = loaded
  const cleared = new Set(graph.operations().flatMap(made => (made.kind === 'clear' ? [made.session] : [])))
  const tallies = tallySessions(loaded)
  const problems = countProblems(allFindings(loaded))
  return graph.sessions().map(session => {
    const tally = tallies.get(session.id) ?? newTally()
    const sum = session.files.reduce((total, { facts }) => total + (problems.get(facts.path) ?? 0), 0)
    return { ...describe(loaded, session, { ...tally, problems: sum }), isCleared: cleared.has(session.id) }
  })
}

interface Tally {
  turns: number
  nodes: number
  warmups: number
  branches: number
  agents: number
  compactions: number
}

function newTally(): Tally {
  return { turns: 0, nodes: 0, warmups: 0, branches: 0, agents: 0, compactions: 0 }
}

function tallySessions({ graph }: Loaded): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>()
  const names = new Map(graph.sessions().map(({ index, id }) => [index, id]))
  const of = (session: number): Tally => {
    const name = names.get(session) ?? ''
    const tally = tallies.get(name) ?? newTally()
    tallies.set(name, tally)
    return tally
  }
  for (const line of graph.lines()) {
    const tally = of(line.domain.session)
    if (line.kind === 'branch' && line.status !== 'live') tally.branches++
    if (line.domain.kind === 'session') tallyLine(graph, line.nodes, tally)
  }
  for (const agent of graph.agents()) if (agent.state !== 'warmup') of(agent.domain.session).agents++
  for (const { boundary } of graph.epochs()) {
    const line = graph.lineOf(boundary)
    if (line !== null) of(line.domain.session).compactions++
  }
  return tallies
}

function tallyLine(graph: Graph, nodes: readonly number[], tally: Tally): void {
  for (const node of nodes) {
    const { kind, type, head } = graph.node(node)
    tally.nodes++
    if (kind !== 'user') continue
    if (type !== 'prompt') continue
    tally.turns++
    if (head?.trim() === 'Warmup') tally.warmups++
  }
}

function describe(
  loaded: Loaded,
  session: Session,
  tally: Tally & { readonly problems: number },
): Omit<SessionFigures, 'isCleared'> {
  const { turns, branches, agents, compactions, problems } = tally
  const home = session.files.find(({ facts }) => facts.kind === 'session' && facts.session === session.id)
  return {
    session: session.id,
    project: projectName(loaded.project, home?.facts.path ?? null),
    cwd: (home ?? session.files[0])?.cwd ?? null,
    title: titleOf(loaded, session.id, session.title),
    file: (home ?? session.files[0])?.facts.path ?? null,
    first: session.first,
    last: session.last,
    turns,
    branches,
    agents,
    compactions,
    bytes: session.files.reduce((sum, file) => sum + file.bytes, 0),
    problems,
    isIdle: isIdle(session, tally),
    parent: parentOf(loaded.graph, session),
  }
}

function parentOf(graph: Graph, { parent }: Session): SessionFigures['parent'] {
  return parent && { session: graph.node(parent.at).session, at: graph.id(parent.at), how: parent.how }
}

/** Nothing of its own but warm-ups. A session that is a copy of another is not idle. */
function isIdle(session: Session, { nodes, turns, warmups }: Tally): boolean {
  if (nodes === 0) return session.files.every(file => file.nodes.length === 0)
  return turns > 0 && turns === warmups
}

/** Warnings and errors by file. */
function countProblems(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { file, severity } of diagnostics) {
    if (severity !== 'info') counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  return counts
}
