/** L13, X17, X18: what the requests of a history carried: of one answer, of all, and between two. */
import { contextAttachments, contextEntries, type FileRecord, type Graph, isSummary } from '@dagline/core'
import type { Summary } from '@dagline/core/content'
import {
  contextWindow,
  conversationFiles,
  findLeftOut,
  isSameConversation,
  type MeasuredContext,
  measureContexts,
  nodeNamed,
  type SharedEntry,
  shareByEntry,
  type TokensOf,
} from '@dagline/core/measure'
import type { ContextDifference, ContextItem, ContextReport, RequestContext } from '@dagline/core/protocol'
import { type Contents, openContents } from '../contents/records.js'
import { takeWeights } from '../contents/weights.js'
import { findRoots, nothingFound, type ProjectLocation, projectLocations } from '../files/projects.js'
import { type LoadedProject, loadProject, meterOf } from '../graphs/project.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { openConversation, pathsOf, sessionsNamed } from '../locate/ref.js'

/** Every answer of some sessions, or in every file of some paths, subagents included, file by file. */
export function* listContexts(words: readonly string[], host: Host): Generator<RequestContext> {
  if (sessionsNamed(words, host) !== null) {
    for (const word of words) yield* contextsOfSession(word, host)
    return
  }
  const locations = projectLocations(findRoots(pathsOf(words, host), host))
  if (locations.length === 0) host.note(nothingFound(words, host))
  for (const location of locations) yield* contextsOf(location, host)
}

function* contextsOf(location: ProjectLocation, host: Host): Generator<RequestContext> {
  const weights = takeWeights()
  const meter = meterOf(host)
  const { graph } = loadProject(location, meter, { see: weights.see })
  meter.done()
  for (const { facts } of graph.files())
    for (const measured of measureContexts(graph, facts.path, weights.of(graph)))
      yield requestFacts(graph, measured)
}

/** What is linked with the session is read, too: a copy of a message may be all that another file has of its usage (T3). */
function* contextsOfSession(word: string, host: Host): Generator<RequestContext> {
  const weights = takeWeights()
  const { loaded, session } = openConversation(word, host, { see: weights.see })
  const { graph } = loaded
  const agents = graph.agents().filter(({ domain }) => domain.session === session.id)
  const files = [null, ...agents.map(({ id }) => id)].flatMap(agent =>
    conversationFiles(graph, session.id, agent),
  )
  for (const { facts } of new Set(files))
    for (const measured of measureContexts(graph, facts.path, weights.of(graph)))
      yield requestFacts(graph, measured)
}

function requestFacts(graph: Graph, { context, tokens }: MeasuredContext): RequestContext {
  const ids = (nodes: readonly number[]): readonly string[] => nodes.map(node => graph.id(node))
  return {
    file: context.file,
    message: context.message,
    reply: ids(context.reply),
    entries: ids(contextEntries(context)),
    unknown: context.unknown,
    tokens: { total: tokens.total, parts: tokens.parts },
  }
}

/** Which answer of a conversation is meant, where no entry was named. */
export interface ContextOptions {
  /** The first answer whose request filled so much of the window, in percent. */
  readonly at?: number | null
}

/** A conversation with the tokens of all its requests, one of which is meant. */
export interface ChosenContext {
  readonly graph: Graph
  readonly measured: readonly MeasuredContext[]
  readonly tokensOf: TokensOf
  /** The position of the answer that is meant. */
  readonly index: number
}

interface OpenContexts extends ChosenContext {
  readonly loaded: LoadedProject
}

/** Gives an entry in one line. */
export type SummaryOf = (node: number) => Summary

/** The request behind the answer that a reference means: of an entry the next answer at or behind it, else the last one. */
export function reportContext(host: Host, ref: string, { at = null }: ContextOptions = {}): ContextReport {
  const open = openContexts(host, ref)
  return withContents(open.loaded, contents =>
    reportOf({ ...open, index: at === null ? open.index : indexAt(open, at) }, contents.summary),
  )
}

/** H14: the uuids of what the request behind an answer carried, attachments included. */
export function entriesSeenAt(host: Host, ref: string): readonly string[] {
  // The answer narrows a search, and no session is chosen by it.
  const { graph, measured, index } = openContexts({ ...host, note: () => {} }, ref)
  const context = measured[index]?.context
  if (context === undefined) return []
  return [...contextEntries(context), ...contextAttachments(context)].map(node => graph.id(node))
}

/** What entered and left between two requests. */
export function compareContexts(host: Host, a: string, b: string): ContextDifference {
  const [from, to] = [reportContext(host, a), reportContext(host, b)]
  const idsOf = ({ items }: ContextReport): ReadonlySet<string> => new Set(items.map(({ node }) => node))
  const [before, after] = [idsOf(from), idsOf(to)]
  return {
    from,
    to,
    entered: to.items.filter(({ node }) => !before.has(node)),
    left: from.items.filter(({ node }) => !after.has(node)),
  }
}

function withContents<T>({ root, graph }: LoadedProject, use: (contents: Contents) => T): T {
  const contents = openContents(root, graph)
  try {
    return use(contents)
  } finally {
    contents.close()
  }
}

function openContexts(host: Host, ref: string): OpenContexts {
  const weights = takeWeights()
  const { loaded, session, line, file, entry } = openConversation(ref, host, { see: weights.see })
  const { graph } = loaded
  const node = entry ?? nodeNamed(graph, line?.id ?? session.id)
  const path = file ?? fileOfNode(graph, node) ?? graph.currentFile(session.id)
  if (path === null) throw new UserError(`${ref} has no transcript here. Give a session, an entry or a path.`)
  const all = measureContexts(graph, path.facts.path, weights.of(graph))
  const measured = inConversation(graph, all, entry ?? node)
  const index = indexOf(graph, measured, entry ?? null, node)
  if (index < 0)
    throw new UserError(`${ref} has no answer of the model. Give a session or an entry that was answered.`)
  return { loaded, graph, measured, tokensOf: weights.of(graph), index }
}

/** The requests of an entry's conversation, if there are any: a file may also hold those of subagents. */
function inConversation(
  graph: Graph,
  measured: readonly MeasuredContext[],
  node: number | null,
): readonly MeasuredContext[] {
  if (node === null) return measured
  const own = measured.filter(({ context }) => isSameConversation(graph, context.reply[0] ?? -1, node))
  return own.length > 0 ? own : measured
}

function fileOfNode(graph: Graph, node: number | null): FileRecord | null {
  const path = node === null ? null : graph.node(node).file
  return graph.files().find(({ facts }) => facts.path === path) ?? null
}

/** The answer that an entry is a part of, else the first that carried it; without an entry the last on the way of `end`. */
export function indexOf(
  graph: Graph,
  measured: readonly MeasuredContext[],
  entry: number | null,
  end: number | null,
): number {
  const isIn = (nodes: readonly number[], node: number): boolean =>
    nodes.some(each => graph.id(each) === graph.id(node))
  if (entry !== null) {
    const own = measured.findIndex(({ context }) => isIn(context.reply, entry))
    return own >= 0 ? own : measured.findIndex(({ context }) => isIn(context.added, entry))
  }
  const last = end === null ? -1 : measured.findLastIndex(({ context }) => isIn(context.reply, end))
  return last >= 0 ? last : measured.length - 1
}

/** The first answer whose request filled so many percent of the window. */
function indexAt({ measured }: OpenContexts, share: number): number {
  const window = windowOf(measured)
  const index = measured.findIndex(({ tokens }) => (tokens.total ?? 0) >= (share / 100) * window)
  if (index >= 0) return index
  const most = Math.max(0, ...measured.map(({ tokens }) => tokens.total ?? 0))
  throw new UserError(
    `No request filled ${share} % of the window; the largest filled ${Math.floor((100 * most) / window)} %. Give a smaller share.`,
  )
}

function windowOf(measured: readonly MeasuredContext[]): number {
  return contextWindow(measured.map(({ tokens }) => tokens.total))
}

function reportOf(chosen: ChosenContext, summaryOf: SummaryOf): ContextReport {
  return {
    ...requestReport(chosen),
    items: itemsOf(chosen, requestAt(chosen), summaryOf),
    dropped: droppedBefore(chosen, summaryOf),
  }
}

/** All about a request but its entries one by one. */
export function requestReport(chosen: ChosenContext): Omit<ContextReport, 'dropped' | 'items'> {
  const { graph, measured, index } = chosen
  const at = requestAt(chosen)
  const first = graph.node(at.context.reply[0] ?? -1)
  return {
    context: requestFacts(graph, at),
    session: first.session,
    agent: first.agent,
    time: first.time,
    answer: index + 1,
    answers: measured.length,
    window: windowOf(measured),
    out: findLeftOut(graph, at.context),
    compaction: compactionBefore(chosen),
  }
}

/** The request that is meant. */
export function requestAt({ measured, index }: ChosenContext): MeasuredContext {
  const at = measured[index]
  if (at === undefined) throw new RangeError(`answer ${index} outside 0..${measured.length - 1}`)
  return at
}

function itemsOf(
  { graph, tokensOf }: ChosenContext,
  measured: MeasuredContext,
  summaryOf: SummaryOf,
): readonly ContextItem[] {
  const sent = new Set(contextEntries(measured.context))
  return shareByEntry(measured, tokensOf)
    .filter(({ node, tokens }) => tokens > 0 || sent.has(node))
    .map(({ node, tokens }) => describeItem({ graph, tokensOf }, { node, tokens }, summaryOf))
}

/** The heaviest that the last compaction dropped. */
export function droppedBefore(chosen: ChosenContext, summaryOf: SummaryOf): readonly ContextItem[] {
  const around = aroundCompaction(chosen)
  if (around === null) return []
  const dropped = new Set(around.dropped)
  const shares = shareByEntry(around.before, chosen.tokensOf).filter(({ node }) => dropped.has(node))
  return heaviestOf(chosen, shares, summaryOf)
}

const MOST_ITEMS = 10

/** The heaviest of some entries, in one line each. */
export function heaviestOf(
  chosen: ChosenContext,
  shares: readonly SharedEntry[],
  summaryOf: SummaryOf,
): readonly ContextItem[] {
  const heaviest = shares.toSorted((a, b) => b.tokens - a.tokens).slice(0, MOST_ITEMS)
  return heaviest.filter(({ tokens }) => tokens > 0).map(share => describeItem(chosen, share, summaryOf))
}

/** An entry of a request in one line, with its tokens. */
function describeItem(
  { graph, tokensOf }: Pick<ChosenContext, 'graph' | 'tokensOf'>,
  { node, tokens }: SharedEntry,
  summaryOf: SummaryOf,
): ContextItem {
  const { id, time } = graph.node(node)
  const [heaviest] = tokensOf(node).toSorted((a, b) => b.tokens - a.tokens)
  const summary = summaryOf(node)
  const text = [...calledBy(graph, node, summaryOf), summary.text].join(': ')
  return { node: id, time, ...summary, text, category: heaviest?.category ?? 'reminders', tokens }
}

/** Of a result, the call that it answers: which file was read tells more than how the file begins. */
function calledBy(graph: Graph, node: number, summaryOf: SummaryOf): readonly string[] {
  if (graph.node(node).type !== 'result') return []
  const [ends, ...others] = graph.toolEnds(node)
  const call = others.length > 0 ? undefined : ends?.calls[0]
  return call === undefined ? [] : [summaryOf(call).text.slice(0, LONGEST_CALL)]
}

/** Characters of a call in front of its result. */
const LONGEST_CALL = 100

/** The requests around a compaction, and its summary. */
interface Around {
  readonly summary: number
  readonly before: MeasuredContext
  readonly after: MeasuredContext
  /** Entries that the request before had and the one after had not. */
  readonly dropped: readonly number[]
}

/** The requests around the last compaction before the one that is meant; null where there was none. */
function aroundCompaction({ graph, measured, index }: ChosenContext): Around | null {
  const at = measured[index]
  const summary =
    at === undefined ? undefined : contextEntries(at.context).findLast(node => isSummary(graph, node))
  if (summary === undefined) return null
  const first = measured.findIndex(({ context }) => context.added.includes(summary))
  const [before, after] = [measured[first - 1], measured[first]]
  if (before === undefined || after === undefined) return null
  const carried = new Set(contextEntries(after.context))
  const dropped = contextEntries(before.context).filter(node => !carried.has(node))
  return { summary, before, after, dropped }
}

function compactionBefore(chosen: ChosenContext): ContextReport['compaction'] {
  const around = aroundCompaction(chosen)
  if (around === null) return null
  const { graph } = chosen
  const { summary, before, after, dropped } = around
  const epoch = graph
    .epochs()
    .find(each => each.summary !== null && graph.id(each.summary) === graph.id(summary))
  return {
    boundary: graph.id(epoch?.boundary ?? summary),
    time: graph.node(summary).time,
    before: { total: before.tokens.total, parts: before.tokens.parts },
    after: { total: after.tokens.total, parts: after.tokens.parts },
    dropped: dropped.length,
  }
}
