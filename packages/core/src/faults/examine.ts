/** The examination: for each session what is wrong with its file, and how much of it a resume loads. */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import {
  callsOf,
  hasCalls,
  isApiError,
  isAssistant,
  isResult,
  isThinkingOnly,
  isUser,
  knownTimeOf,
  nodeCount,
  toolIdOf,
  toolsOf,
  unitOf,
} from '../graph/nodes.js'
import { createNodeList } from '../graph/positions.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { groupBy } from '../model/group.js'
import { type FileId, type SessionId, sessionId } from '../model/ids.js'
import { shellWord } from '../model/shell.js'
import { Unsigned, WrongRole } from '../resume/content-marks.js'
import type { LiveConversation, LoadedConversation } from '../resume/conversation.js'
import { type LoadOptions, loadedBy } from '../resume/load.js'
import { isHollow } from '../resume/sent.js'
import { NO_SURVEY, type Survey } from '../resume/survey.js'
import {
  type DiskSurvey,
  type Fault,
  type FaultContext,
  type FaultKind,
  type Finding,
  markOf,
} from './fault.js'
import { DISK_KINDS, FAULT_KINDS } from './kinds.js'
import { pushedFix } from './pushed-fix.js'

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
export function hasResumeProblem({ coverage, faults }: Pick<Examination, 'coverage' | 'faults'>): boolean {
  return coverage.now < coverage.possible || faults.some(({ effect }) => effect !== 'none')
}

/** What is wrong with a session. */
export interface SessionHealth {
  readonly session: SessionId
  readonly file: FileId
  readonly title: string | null
  /** The time of the last entry; null where it has none. */
  readonly last: number | null
  readonly bytes: number
  readonly coverage: ResumeCoverage
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
  /** HU56: the files are on a hub: the commands that are named work with `--hub`. */
  readonly isPushed?: boolean
}

/** Examines every session file of a graph, by path. S8: a file without any entry, damaged or not, is not a session. */
export function examine(graph: Graph, options: ExamOptions = {}): readonly SessionHealth[] {
  const isWanted = ({ facts, nodes, damaged }: FileRecord): boolean =>
    facts.kind === 'session' && (nodes.length > 0 || damaged > 0) && (options.only?.(facts.path) ?? true)
  const diagnostics = groupBy(allDiagnostics(graph, options), ({ file }) => file)
  return graph
    .files()
    .filter(isWanted)
    .map(file => healthOf(examineWith(graph, file, diagnostics.get(file.facts.path) ?? [], options)))
}

/** Examines one file, to repair it. */
export function examineFile(graph: Graph, file: FileRecord, options: ExamOptions = {}): Examination {
  const { path } = file.facts
  const diagnostics = allDiagnostics(graph, options).filter(found => found.file === path)
  return examineWith(graph, file, diagnostics, options)
}

function allDiagnostics(graph: Graph, { found = [] }: ExamOptions): readonly Diagnostic[] {
  return [...found, ...graph.diagnostics()]
}

/** A file that was examined. A repair starts from it, so that what was found is what is repaired. */
export interface Examination {
  readonly context: FaultContext
  readonly coverage: ResumeCoverage
  readonly faults: readonly Fault[]
  /** What each kind has found, harmless or not. */
  readonly found: ReadonlyMap<FaultKind, readonly Finding[]>
}

function examineWith(
  graph: Graph,
  file: FileRecord,
  diagnostics: readonly Diagnostic[],
  { surveys, version, isPushed = false }: ExamOptions,
): Examination {
  const { path } = file.facts
  const survey = surveys?.get(path) ?? NO_SURVEY
  const { live, loaded, lost, more, coverage } = compareLoaded(graph, path, {
    survey,
    ...(version === undefined ? {} : { version }),
  })
  const context: FaultContext = {
    graph,
    session: file.facts.session ?? sessionId(path),
    file,
    live: new Set(live),
    loaded,
    lost,
    more,
    diagnostics,
    survey,
    toolId: (_, tool) => toolIdOf(graph, tool),
  }
  return { context, coverage, ...findAll(context, isPushed) }
}

/** What every kind finds in a file, and the faults of the report. */
function findAll(context: FaultContext, isPushed: boolean): Pick<Examination, 'found' | 'faults'> {
  const found = new Map<FaultKind, readonly Finding[]>()
  const faults: Fault[] = []
  for (const kind of FAULT_KINDS) {
    const ofKind = kind.find(context, faults)
    found.set(kind, ofKind)
    faults.push(...ofKind.flatMap(each => faultOf(kind, each, context.session)))
  }
  const needsRepair = isRefusedCheckout(faults, context)
  const named = isPushed
    ? withPushedFixes(faults, needsRepair)
    : withWorkingFixes(faults, context, needsRepair)
  const sorted = named.toSorted((a, b) => RANK[a.severity] - RANK[b.severity])
  return { found, faults: sorted }
}

const RANK = { error: 0, warning: 1, info: 2 } as const

/**
 * D10, D11, D12: the health of a session with what the disk says now. `health` is that of an examination that was not told
 * of the disk; it may be much older, as long as the files are the same.
 */
export function withDiskFaults<H extends SessionHealth>(health: H, survey: DiskSurvey): H {
  const found = DISK_KINDS.flatMap(kind =>
    kind.find({ survey }).flatMap(each => faultOf(kind, each, health.session)),
  )
  const known = health.faults.some(isRestored) || found.some(isRestored) ? survey.disk?.isInArchive() : true
  return known === false ? withoutRestore(merged(health, found)) : merged(health, found)
}

/** D11: a restore helps only where the archive has something to restore. */
function withoutRestore<H extends SessionHealth>(health: H): H {
  const faults = health.faults.map(fault => (isRestored(fault) ? { ...fault, fix: null } : fault))
  return { ...health, faults }
}

function isRestored({ fix }: Fault): boolean {
  return fix?.startsWith('dagline restore') === true
}

function merged<H extends SessionHealth>(health: H, found: readonly Fault[]): H {
  if (found.length === 0) return health
  const order = (id: string): number => FAULT_KINDS.findIndex(kind => kind.id === id)
  const faults = [...health.faults, ...found].toSorted(
    (a, b) => RANK[a.severity] - RANK[b.severity] || order(a.id) - order(b.id),
  )
  return { ...health, faults }
}

function healthOf({ context, coverage, faults }: Examination): SessionHealth {
  const { graph, file } = context
  const last = file.nodes.at(-1)
  const session = listedSession(context)
  return {
    session,
    file: file.facts.path,
    title: graph.session(session)?.title ?? null,
    last: last === undefined ? null : knownTimeOf(graph, last),
    bytes: file.bytes,
    coverage,
    faults,
  }
}

/** S8: the session that lists show: that of the file's name, else that of its entries. */
function listedSession({ graph, file, session }: FaultContext): SessionId {
  const first = file.nodes[0]
  if (first === undefined || graph.session(session) !== null) return session
  return graph.node(first).session
}

/** A file's conversation and what a resume loads, compared. */
interface Comparison extends Pick<FaultContext, 'loaded' | 'lost' | 'more'> {
  readonly live: LiveConversation
  readonly coverage: ResumeCoverage
}

/** D2: how much a resume of a file loads, now and after a repair. */
export function compareLoaded(graph: Graph, path: FileId, options: LoadOptions = {}): Comparison {
  const live = graph.live(path)
  const loaded = loadedBy(graph, path, options)
  const loadable = loadableOf(graph, live, options.survey ?? NO_SURVEY)
  const lost = lostOf(graph, loadable, loaded)
  const more = moreOf(graph, live, loaded)
  const possible = loadable.length
  return { live, loaded, lost, more, coverage: { now: possible - lost.length, possible, more: more.length } }
}

/**
 * The command that works. Where a resume loads other messages instead of the lost ones, a repair would take those away and
 * asks; a checkout of the conversation does not.
 */
function withWorkingFixes(
  faults: readonly Fault[],
  { lost, more }: FaultContext,
  needsRepair: boolean,
): readonly Fault[] {
  const isChoice = lost.length > 0 && more.length > 0
  return faults.map(fault => {
    const session = wholeSessionIn(fault)
    if (session === null) return fault
    if (isChoice && fault.effect !== 'none')
      return {
        ...fault,
        fix: needsRepair ? `dagline repair ${session} --accept-loss` : `dagline checkout ${session}`,
      }
    return needsRepair ? { ...fault, fix: `dagline repair ${session}` } : fault
  })
}

/** The session that a command repairs or checks out as a whole; null for any other command. */
function wholeSessionIn({ fix }: Fault): string | null {
  const [, command, session = '', ...rest] = fix?.split(' ') ?? []
  const isWhole = (command === 'repair' || command === 'checkout') && !session.includes(':')
  return isWhole && rest.length === 0 ? session : null
}

/**
 * HU56: the command that works on a hub. Nobody repairs what lies there; a checkout makes a session of one's own, which loads all
 * of the conversation, or is repaired like any other.
 */
function withPushedFixes(faults: readonly Fault[], needsRepair: boolean): readonly Fault[] {
  return faults.map(fault => {
    const isNote = fault.effect === 'none' && fault.fix?.startsWith('dagline repair') === true
    const isNone = isNote || (needsRepair && wholeSessionIn(fault) !== null)
    return { ...fault, fix: isNone ? null : pushedFix(fault.fix) }
  })
}

/**
 * A checkout copies entries as they are, and is refused where two calls share an id, a call has no result, or a message is in
 * the wrong role.
 */
function isRefusedCheckout(faults: readonly Fault[], context: FaultContext): boolean {
  const has = (kind: string): boolean => faults.some(({ id }) => id === kind)
  return has('duplicate-tool-id') || (has('wrong-role') && hasWrongRole(context)) || hasOpenCall(context)
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

/** Whether the conversation has a message in another role than that of its entry. */
function hasWrongRole(context: FaultContext): boolean {
  return [...context.live].some(node => (markOf(context, node) & WrongRole) !== 0)
}

/** The part of a survey that marks entries. */
export type MarkSurvey = Pick<Survey, 'marks'>

/**
 * D2: the entries of a file's conversation that a resume can load: without what is blank, thinking that no answer
 * follows or that has no signature, and results whose call is gone. The API does not take these, and a repair leaves them out;
 * so it does with notices of failed requests, which only old releases send (L7).
 */
export function loadableIn(graph: Graph, path: FileId, survey: MarkSurvey): readonly number[] {
  return loadableOf(graph, graph.live(path), survey)
}

function loadableOf(graph: Graph, live: LiveConversation, { marks }: MarkSurvey): readonly number[] {
  const here = createNodeList(live.length, nodeCount(graph))
  for (const node of live) here.add(node)
  const spoken = new Set<number>()
  const markOf = (node: number): number => marks.get(graph.id(node)) ?? 0
  for (const node of live)
    if (isSpoken(graph, node) && !isHollow(markOf(node))) spoken.add(unitOf(graph, node))
  return live.filter(node => {
    const mark = markOf(node)
    if (isHollow(mark) || isApiError(graph, node)) return false
    if (isThinkingOnly(graph, node)) return (mark & Unsigned) === 0 && spoken.has(unitOf(graph, node))
    if (!isResult(graph, node)) return true
    return toolsOf(graph, node).some(tool => callsOf(graph, tool).some(call => here.has(call)))
  })
}

function isSpoken(graph: Graph, node: number): boolean {
  return isAssistant(graph, node) && !isThinkingOnly(graph, node)
}

/** Of what can be loaded, what the loader does not give: neither the entry nor one that repeats it. */
function lostOf(graph: Graph, loadable: readonly number[], { nodes }: LoadedConversation): readonly number[] {
  const loaded = createNodeList(nodes.length, nodeCount(graph))
  for (const node of nodes) {
    loaded.add(node)
    loaded.add(graph.originalOf(node))
  }
  return loadable.filter(node => !loaded.has(node) && !loaded.has(graph.originalOf(node)))
}

/** Of what the loader gives, what is not part of the conversation: neither the entry nor one that it repeats. */
function moreOf(graph: Graph, live: LiveConversation, { nodes }: LoadedConversation): readonly number[] {
  const isLive = new Set(live)
  if (nodes.every(node => isLive.has(node))) return []
  const originals = new Set(live.map(node => graph.originalOf(node)))
  return nodes.filter(node => !isLive.has(node) && !originals.has(graph.originalOf(node)))
}

/** A finding as a fault of the report; nothing where it is harmless. */
function faultOf(
  { id, fix: usual, isRefused = false }: FaultKind,
  { severity, count = 1, ...found }: Finding,
  session: string,
): readonly Fault[] {
  if (severity === null) return []
  const { node, row, message } = found
  const fix = found.fix === undefined ? usual : found.fix
  const effect = severity !== 'error' ? 'none' : isRefused ? 'refused' : 'loss'
  return [
    {
      id,
      severity,
      node,
      row,
      message,
      effect,
      count,
      fix: fix?.replace('SESSION', () => shellWord(session.slice(0, 8))) ?? null,
    },
  ]
}
