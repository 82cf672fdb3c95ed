/** The examination: for each session what is wrong with its file, and how much of it a resume reaches. */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import {
  callsOf,
  hasCalls,
  isAssistant,
  isResult,
  isThinkingOnly,
  isUser,
  nodeCount,
  timeOf,
  toolsOf,
  unitOf,
} from '../graph/nodes.js'
import { createNodeList } from '../graph/positions.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type FileId, type SessionId, sessionId } from '../model/ids.js'
import { Unsigned } from '../resume/content-marks.js'
import { type Loaded, type LoadOptions, loadedBy } from '../resume/load.js'
import { isHollow } from '../resume/sent.js'
import { NO_SURVEY, type Survey } from '../resume/survey.js'
import type { Fault, FaultContext, FaultKind, FoundFault } from './fault.js'
import { FAULT_KINDS } from './kinds.js'

/** How much of a session's conversation a resume loads. */
export interface ResumeCoverage {
  /** Entries of the conversation that a resume loads today. */
  readonly now: number
  /** Entries of the conversation: what a resume of the repaired session loads. */
  readonly possible: number
  /** Entries that a resume loads today and that are not part of the conversation. */
  readonly more: number
}

/** D20: whether a resume loses something, or the API refuses what it sends. Whatever else is found is a note. */
export function isIll({ reach, faults }: Pick<SessionHealth, 'reach' | 'faults'>): boolean {
  return reach.now < reach.possible || faults.some(({ effect }) => effect !== 'none')
}

/** What is wrong with a session. */
export interface SessionHealth {
  readonly session: SessionId
  readonly file: FileId
  readonly title: string | null
  /** The last time that something was written, or NaN. */
  readonly last: number
  readonly bytes: number
  readonly reach: ResumeCoverage
  readonly faults: readonly Fault[]
}

/** What an examination knows beside the graph, and what it looks at. */
export interface ExamOptions {
  /** What is known of files beside the graph, by path. */
  readonly surveys?: ReadonlyMap<string, Survey>
  /** What reading has found; what the graph finds is asked from it. */
  readonly found?: readonly Diagnostic[]
  /** The release that would resume; the newest known without one. */
  readonly version?: string
  /** Only these files are examined. */
  readonly only?: (path: FileId) => boolean
}

/** Examines every session file of a graph, by path. */
export function examine(graph: Graph, options: ExamOptions = {}): readonly SessionHealth[] {
  const diagnostics = byFile([...(options.found ?? []), ...graph.diagnostics()])
  return graph
    .files()
    .filter(({ facts }) => facts.kind === 'session' && (options.only?.(facts.path) ?? true))
    .map(file => examineFile(graph, file, diagnostics.get(file.facts.path) ?? [], options))
}

/** D2: how much a resume of a file reaches, now and after a repair. */
export function coverageOf(graph: Graph, path: FileId, options: LoadOptions = {}): ResumeCoverage {
  const { survey = NO_SURVEY } = options
  const loaded = loadedBy(graph, path, options)
  const loadable = loadableIn(graph, path, survey)
  const lost = lostOf(graph, loadable, loaded)
  const more = moreOf(graph, new Set(graph.live(path)), loaded)
  return { now: loadable.length - lost.length, possible: loadable.length, more: more.length }
}

function versionIn({ version }: Pick<ExamOptions, 'version'>): { readonly version?: string } {
  return version === undefined ? {} : { version }
}

function byFile(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>()
  for (const found of diagnostics) {
    const list = files.get(found.file)
    if (list === undefined) files.set(found.file, [found])
    else list.push(found)
  }
  return files
}

function examineFile(
  graph: Graph,
  file: FileRecord,
  diagnostics: readonly Diagnostic[],
  options: ExamOptions,
): SessionHealth {
  const { path } = file.facts
  const survey = options.surveys?.get(path) ?? NO_SURVEY
  const session = file.facts.session ?? sessionId(path)
  const loaded = loadedBy(graph, path, { ...versionIn(options), survey })
  const loadable = loadableIn(graph, path, survey)
  const lost = lostOf(graph, loadable, loaded)
  const live = new Set(graph.live(path))
  const more = moreOf(graph, live, loaded)
  const context: FaultContext = {
    graph,
    session,
    file,
    live,
    loaded,
    lost,
    more,
    diagnostics,
    survey,
  }
  const faults: Fault[] = []
  for (const kind of FAULT_KINDS)
    faults.push(...kind.find(context, faults).map(found => faultOf(kind, found, session)))
  const last = file.nodes.at(-1)
  return {
    session,
    file: path,
    title: graph.sessions().find(({ id }) => id === session)?.title ?? null,
    last: last === undefined ? Number.NaN : timeOf(graph, last),
    bytes: file.bytes,
    reach: { now: loadable.length - lost.length, possible: loadable.length, more: more.length },
    faults: withWorkingFixes(faults, context).toSorted((a, b) => RANK[a.severity] - RANK[b.severity]),
  }
}

/**
 * The command that works. Where a resume loads other messages instead of the lost ones, a repair would take those away and
 * asks; a checkout of the conversation does not. A checkout copies calls as they are, and is refused where two share an id or
 * one has no result.
 */
function withWorkingFixes(faults: readonly Fault[], context: FaultContext): readonly Fault[] {
  const isChoice = context.lost.length > 0 && context.more.length > 0
  const needsRepair = faults.some(({ id }) => id === 'duplicate-tool-id') || hasOpenCall(context)
  return faults.map(fault => {
    const [, command, session, ...rest] = fault.fix?.split(' ') ?? []
    const isWhole = (command === 'repair' || command === 'checkout') && session?.includes(':') === false
    if (!isWhole || rest.length > 0) return fault
    if (isChoice && fault.effect !== 'none')
      return {
        ...fault,
        fix: needsRepair ? `dagline repair ${session} --accept-loss` : `dagline checkout ${session}`,
      }
    return needsRepair ? { ...fault, fix: `dagline repair ${session}` } : fault
  })
}

/** Whether the conversation has a call without its result. */
function hasOpenCall({ graph, live }: FaultContext): boolean {
  const answered = new Set<number>()
  for (const node of live)
    if (isUser(graph, node)) for (const tool of toolsOf(graph, node)) answered.add(tool)
  for (const node of live)
    if (hasCalls(graph, node) && toolsOf(graph, node).some(tool => !answered.has(tool))) return true
  return false
}

const RANK = { error: 0, warning: 1, info: 2 } as const

/**
 * D2: the entries of a file's conversation that a resume can load: without what is blank, thoughts that nothing was said
 * after or nobody signed, and results whose call is gone. The API takes no such, and a repair leaves them out.
 */
export function loadableIn(graph: Graph, path: FileId, { marks }: Pick<Survey, 'marks'>): readonly number[] {
  const live = graph.live(path)
  const here = createNodeList(live.length, nodeCount(graph))
  for (const node of live) here.add(node)
  const spoken = new Set<number>()
  const markOf = (node: number): number => marks.get(graph.id(node)) ?? 0
  for (const node of live)
    if (isSpoken(graph, node) && !isHollow(markOf(node))) spoken.add(unitOf(graph, node))
  return live.filter(node => {
    const mark = markOf(node)
    if (isHollow(mark)) return false
    if (isThinkingOnly(graph, node)) return (mark & Unsigned) === 0 && spoken.has(unitOf(graph, node))
    if (!isResult(graph, node)) return true
    return toolsOf(graph, node).some(tool => callsOf(graph, tool).some(call => here.has(call)))
  })
}

function isSpoken(graph: Graph, node: number): boolean {
  return isAssistant(graph, node) && !isThinkingOnly(graph, node)
}

/** Of what can be reached, what the loader does not give: neither the entry nor one that repeats it. */
function lostOf(graph: Graph, loadable: readonly number[], { nodes }: Loaded): readonly number[] {
  const loaded = createNodeList(nodes.length, nodeCount(graph))
  for (const node of nodes) {
    loaded.add(node)
    loaded.add(graph.originalOf(node))
  }
  return loadable.filter(node => !loaded.has(node) && !loaded.has(graph.originalOf(node)))
}

/** Of what the loader gives, what is not part of the conversation: neither the entry nor one that it repeats. */
function moreOf(graph: Graph, live: ReadonlySet<number>, { nodes }: Loaded): readonly number[] {
  if (nodes.every(node => live.has(node))) return []
  const originals = new Set([...live].map(node => graph.originalOf(node)))
  return nodes.filter(node => !live.has(node) && !originals.has(graph.originalOf(node)))
}

function faultOf(kind: FaultKind, { count = 1, ...found }: FoundFault, session: string): Fault {
  const fix = found.fix === undefined ? kind.fix : found.fix
  const effect = found.severity !== 'error' ? 'none' : kind.isRefused === true ? 'refused' : 'loss'
  return { id: kind.id, ...found, effect, count, fix: fix?.replace('SESSION', session.slice(0, 8)) ?? null }
}
