/** T3: one message that was seen several times, in parts, copies and replays: what counts, and whose it is. */

import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import type { MessageUsage, UsageRow, UsageStatus } from '../model/billing.js'
import { compareText } from '../model/group.js'
import { entryId } from '../model/ids.js'

/** T3: each message once: the rows of one `message.id` joined. */
export function uniqueMessages(rows: Iterable<UsageRow>): readonly UsageRow[] {
  const messages = new Map<string, UsageRow>()
  for (const row of rows) {
    const known = messages.get(row.message)
    messages.set(row.message, known === undefined ? row : mergeRows(known, row))
  }
  return [...messages.values()]
}

/**
 * One message that was seen twice: the part or copy with the largest output tells the tokens. A part that grew from
 * the stream's start to its end is final even without a stop reason; a copy with its usage zeroed says nothing.
 */
export function mergeUsage<T extends MessageUsage>(a: T, b: T): T {
  const most = compareUsage(a, b) >= 0 ? a : b
  const isGrown = a.output > 0 && b.output > 0 && a.output !== b.output
  const isFinal = a.isFinal || b.isFinal || isGrown
  const written = Math.max(a.written, b.written)
  const time = earliest(a.time, b.time)
  if (most.isFinal === isFinal && most.written === written && most.time === time) return most
  return { ...most, isFinal, written, time }
}

/** Adds what an entry says of its message to what is known of all messages, by their ids; null says nothing. */
export function addUsage(messages: Map<string, MessageUsage>, usage: MessageUsage | null): void {
  if (usage === null) return
  const before = messages.get(usage.message)
  messages.set(usage.message, before === undefined ? usage : mergeUsage(before, usage))
}

/** The same, with whose it is: the earliest row's, live if any is. */
export function mergeRows(a: UsageRow, b: UsageRow): UsageRow {
  const usage = mergeUsage(a, b)
  const { project, session, agent, agentId, line, version } = compareOwners(a, b) <= 0 ? a : b
  const status = STATUSES[Math.min(STATUSES.indexOf(a.status), STATUSES.indexOf(b.status))] ?? 'live'
  return { ...usage, project, session, agent, agentId, line, version, status }
}

/** From what counts most. */
const STATUSES: readonly UsageStatus[] = ['live', 'abandoned', 'taken-back', 'retry', 'copy']

/** By output, then by all else that is added up, so that the order of rows never matters. */
function compareUsage(a: MessageUsage, b: MessageUsage): number {
  return (
    a.output - b.output ||
    a.cacheRead - b.cacheRead ||
    a.cacheWrite1h - b.cacheWrite1h ||
    a.cacheWrite5m - b.cacheWrite5m ||
    a.input - b.input ||
    a.webSearches - b.webSearches ||
    compareText(servedBy(a), servedBy(b))
  )
}

function servedBy({ model, tier, speed, geo }: MessageUsage): string {
  return [model, tier, speed, geo].join(' ')
}

/** The original is the earliest; a copy keeps the time or has a later one. Then by name. */
function compareOwners(a: UsageRow, b: UsageRow): number {
  return (a.time ?? Infinity) - (b.time ?? Infinity) || compareText(ownerName(a), ownerName(b))
}

/** Begins with the project and what ends it, so that the project decides where it differs, whatever follows. */
function ownerName({ project, session, agent, agentId, line, version }: UsageRow): string {
  return [project, session, agent, line, agentId, version].join('\0')
}

function earliest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

/** In the corpus final usages have up to 4.3 characters per token (99 % of 4,043 messages); those of a stream's start 87 in the median. */
const MOST_CHARACTERS_PER_TOKEN = 5
const USUAL_CHARACTERS_PER_TOKEN = 4

/** X6: Whether a message says less output than its text can have been: only the usage of the stream's start was written. */
export function isUndercounted({ isFinal, written, output }: MessageUsage): boolean {
  return !isFinal && written > output * MOST_CHARACTERS_PER_TOKEN
}

/** What an undercounted message must have put out beyond what it says, in tokens: a lower bound. */
export function missingTokens({ written, output }: MessageUsage): number {
  return Math.round(written / USUAL_CHARACTERS_PER_TOKEN) - output
}

// X4: the messages of a project with whose they are: session, agent, branch, and what became of it.

/** What one assistant record says of its message, and where it stands. */
export interface UsagePart {
  readonly usage: MessageUsage
  /** The record's uuid; null for the rare one without. */
  readonly entry: string | null
  readonly session: string | null
  readonly version: string | null
}

/** The name of the project that a session belongs to. */
export type ProjectOf = (session: string) => string

/** Joins the parts of each message and says whose it is; linear in the parts. A repeated part changes nothing. */
export function assignUsage(
  graph: Graph,
  parts: Iterable<UsagePart>,
  projectOf: ProjectOf,
): readonly UsageRow[] {
  return uniqueMessages(assignedRows(graph, parts, projectOf))
}

function* assignedRows(graph: Graph, parts: Iterable<UsagePart>, projectOf: ProjectOf): Generator<UsageRow> {
  const ownerOf = ownerReader(graph)
  for (const { usage, entry, session, version } of parts) {
    const line = session ?? ''
    const owner = ownerOf(entry) ?? { session: line, agent: null, agentId: null, line, status: 'live' }
    yield { ...usage, ...owner, project: projectOf(owner.session), version }
  }
}

/** Whose a message is. */
type Owner = Pick<UsageRow, 'session' | 'agent' | 'agentId' | 'line' | 'status'>

/** Finds whose an entry is; what is the same for a whole line is found once. */
function ownerReader(graph: Graph): (entry: string | null) => Owner | null {
  const agents = new Map(graph.agents().map(({ domain, name }) => [domain.index, name]))
  const known = new Map<number, Owner>()
  return entry => {
    const node = entry === null ? null : graph.index(entryId(entry))
    const line = node === null ? null : graph.lineOf(node)
    if (node === null || line === null) return null
    let owner = known.get(line.index)
    if (owner === undefined) {
      const { id, status } = branchOf(graph, line)
      const { session, agent: agentId, index } = line.domain
      owner = { session, agent: agents.get(index) ?? null, agentId, line: id, status }
      known.set(line.index, owner)
    }
    return owner
  }
}

/** The session of a line. The graph has no session of which only subagent files exist; the entries of these files name it. */
export function lineSession(graph: Graph, { domain, nodes }: Line): string {
  return graph.session(domain.session)?.id ?? sessionNamed(graph, nodes)
}

function sessionNamed(graph: Graph, nodes: readonly number[]): string {
  for (const node of nodes) {
    const { session, file }: { readonly session: string; readonly file: string } = graph.node(node)
    if (session !== file) return session
  }
  return nodes[0] === undefined ? '' : graph.node(nodes[0]).session
}

/** Agents within agents are few; more steps than this are a cycle. */
const MOST_STEPS = 100

/** L12, X4: the branch that a line counts for, whole: by the line that it begins with. */
export function branchOf(graph: Graph, line: Line): Line {
  return graph.branchStart(branchLineOf(graph, line))
}

/** The branch of the session that an agent was spawned on; an abandoned attempt of the agent itself stays its own. */
export function branchLineOf(graph: Graph, line: Line): Line {
  let branch = line
  for (let step = 0; step < MOST_STEPS && branch.domain.kind === 'agent'; step++) {
    if (branch.kind === 'branch' && branch.status !== 'live') return branch
    const above = branch.at === null ? null : graph.lineOf(branch.at)
    if (above === null) return branch
    branch = above
  }
  return branch
}
