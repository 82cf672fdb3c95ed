/** The examination: for each session what is wrong with its file, and how much of it a resume reaches. */

import type { Graph } from '../graph/graph.js'
import { createNodeList } from '../graph/positions.js'
import type { FileRecord } from '../graph/state.js'
import * as t from '../graph/table.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type FileExtras, NO_EXTRAS } from './extras.js'
import type { Fault, FaultKind, Finding, Patient } from './faults/fault.js'
import { FAULT_KINDS } from './faults/kinds.js'
import { type Loaded, loadedBy } from './loader.js'
import { isHollow } from './sent.js'

/** How much of a session's conversation a resume loads. */
export interface Reach {
  /** Entries of the conversation that a resume loads today. */
  readonly now: number
  /** Entries of the conversation: what a resume of the repaired session loads. */
  readonly possible: number
}

/** What is wrong with a session. */
export interface SessionHealth {
  readonly session: string
  readonly file: string
  readonly title: string | null
  /** The last time that something was written, or NaN. */
  readonly last: number
  readonly bytes: number
  readonly reach: Reach
  readonly faults: readonly Fault[]
}

export interface ExamOptions {
  /** What is known of files beside the graph, by path. */
  readonly extras?: ReadonlyMap<string, FileExtras>
  /** What reading has found; what the graph finds is asked from it. */
  readonly found?: readonly Diagnostic[]
  /** The release that would resume; the newest known without one. */
  readonly version?: string
  /** Only these files are examined. */
  readonly only?: (path: string) => boolean
}

/** Examines every session file of a graph, by path. */
export function examine(graph: Graph, options: ExamOptions = {}): readonly SessionHealth[] {
  const findings = byFile([...(options.found ?? []), ...graph.diagnostics()])
  return graph
    .files()
    .filter(({ facts }) => facts.kind === 'session' && (options.only?.(facts.path) ?? true))
    .map(file => examineFile(graph, file, findings.get(file.facts.path) ?? [], options))
}

/** D2: how much a resume of a file reaches, now and after a repair. */
export function reachOf(
  graph: Graph,
  path: string,
  options: Pick<ExamOptions, 'extras' | 'version'> = {},
): Reach {
  const extras = options.extras?.get(path) ?? NO_EXTRAS
  const loaded = loadedBy(graph, path, { ...versionIn(options), extras })
  const live = sayings(graph, path, extras)
  return { now: live.length - lostOf(graph, live, loaded).length, possible: live.length }
}

function versionIn({ version }: Pick<ExamOptions, 'version'>): { readonly version?: string } {
  return version === undefined ? {} : { version }
}

function byFile(findings: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>()
  for (const found of findings) {
    const list = files.get(found.file)
    if (list === undefined) files.set(found.file, [found])
    else list.push(found)
  }
  return files
}

function examineFile(
  graph: Graph,
  file: FileRecord,
  findings: readonly Diagnostic[],
  options: ExamOptions,
): SessionHealth {
  const { path } = file.facts
  const extras = options.extras?.get(path) ?? NO_EXTRAS
  const session = file.facts.session ?? path
  const loaded = loadedBy(graph, path, { ...versionIn(options), extras })
  const live = sayings(graph, path, extras)
  const lost = lostOf(graph, live, loaded)
  const patient: Patient = {
    graph,
    state: graph.state,
    session,
    file,
    live: new Set(live),
    loaded,
    lost,
    findings,
    extras,
  }
  const faults = FAULT_KINDS.flatMap(kind => kind.find(patient).map(found => faultOf(kind, found, session)))
  const last = file.nodes.at(-1)
  return {
    session,
    file: path,
    title: graph.sessions().find(({ id }) => id === session)?.title ?? null,
    last: last === undefined ? Number.NaN : t.real(graph.state.table.time, last),
    bytes: file.bytes,
    reach: { now: live.length - lost.length, possible: live.length },
    faults: faults.sort((a, b) => RANK[a.severity] - RANK[b.severity]),
  }
}

const RANK = { error: 0, warning: 1, info: 2 } as const

/** The conversation without what is blank: models and people say such now and then, and nothing is lost with it. */
function sayings(graph: Graph, path: string, { marks }: FileExtras): readonly number[] {
  const { table } = graph.state
  const live = graph.live(path)
  return marks.size === 0 ? live : live.filter(node => !isHollow(marks.get(t.idOf(table, node)) ?? 0))
}

/** Of what is live, what the loader does not give: neither the entry nor one that repeats it. */
function lostOf(graph: Graph, live: readonly number[], { nodes }: Loaded): readonly number[] {
  const loaded = createNodeList(nodes.length, graph.state.table.size)
  for (const node of nodes) {
    loaded.add(node)
    loaded.add(graph.originalOf(node))
  }
  return live.filter(node => !loaded.has(node) && !loaded.has(graph.originalOf(node)))
}

function faultOf(kind: FaultKind, { count = 1, ...found }: Finding, session: string): Fault {
  const fix = found.fix === null ? null : kind.fix
  return { id: kind.id, ...found, count, fix: fix?.replace('SESSION', session.slice(0, 8)) ?? null }
}
