/** Compaction: the conversation is replaced by a summary, some of it may stay. */
import type { Json } from '../base/json.js'
import { attachmentBody, systemBody, userBody } from './bodies.js'
import { echoCommand } from './commands.js'
import { itemsOf, memoryOf } from './memory.js'
import type { Item, Node, Process, RewindPoint } from './model.js'
import { emit, record, words } from './recorder.js'

/** By command, by itself in mid turn, or by the two "Summarize" choices of the rewind menu. */
type CompactKind = 'manual' | 'auto' | 'upTo' | 'from'

/** Compacts the conversation of a process in the way of its style. */
export function compact(p: Process, kind: CompactKind): void {
  if (p.style.compaction === 'root') summarizeAtRoot(p)
  else if (p.style.compaction === 'seed') summarizeAsSeed(p)
  else summarizeBehindBoundary(p, kind)
  p.compacted ||= kind === 'manual'
  // The answers before it are out of reach now: to go on from one would be no child of the boundary's line.
  p.state = { ...p.state, answered: null }
}

/** 1.0.66: the summary is a new root, and nothing says what it follows. */
function summarizeAtRoot(p: Process): void {
  const before = p.state.tip
  p.state = { ...p.state, memory: null }
  record(p, summaryBody(p), { kind: 'user' }, { parent: null, before })
}

/** The described records: a boundary, and a summary that is sent like any other. */
function summarizeAsSeed(p: Process): void {
  const before = p.state.tip
  p.state = { ...p.state, memory: null }
  record(p, seedBody('compact_prelude', words(p.world, 'kept')), {}, { parent: null, before })
  record(p, seedBody('compact_recap', words(p.world, 'summary')), { kind: 'user' })
}

function seedBody(type: string, content: string): Json {
  return { type, message: { content } }
}

function summaryBody(p: Process): Json {
  const text = `This session is being continued from a previous conversation. ${words(p.world, 'summary')}`
  return userBody(p, text, { isCompactSummary: true, isVisibleInTranscriptOnly: true })
}

/** What stays, and where the summary continues from. */
interface Kept {
  readonly items: readonly Item[]
  /** The last entry that was summarised. */
  readonly logical: Node | null
}

function summarizeBehindBoundary(p: Process, kind: CompactKind): void {
  const { rng } = p.world
  if (kind === 'auto' && p.compacted && p.style.name === '2.1.197') repeatHistory(p)
  const kept = p.style.preserves ? keep(p, kind) : { items: [], logical: p.state.tip }
  const uuids = { boundary: rng.uuid(), summary: rng.uuid() }
  const anchor = kind === 'from' ? uuids.boundary : uuids.summary
  const before = p.state.tip
  const revived = p.revived
  p.state = { ...p.state, memory: null, points: pointsBehind(p, kept.items) }
  const body = boundaryBody(p, kind, { kept, anchor })
  record(p, body, {}, { parent: null, uuid: uuids.boundary, before })
  if (kind === 'auto' && p.style.name === '2.1.325') record(p, attachmentBody('session_context'))
  if (kind === 'from') recall(p, kept.items)
  record(p, summaryBody(p), { kind: 'user' }, { uuid: uuids.summary })
  if (kind !== 'from') recall(p, kept.items)
  if (kind === 'manual') echoCompact(p, kept.items, revived)
  for (const type of p.style.opening) record(p, attachmentBody(type, { content: `about ${type}` }))
}

/**
 * The ways back that lead behind the compaction. To go back to a kept prompt would keep the summary and part of what
 * was kept; no recording shows what is written then, and rule C2 does not say what is live.
 */
function pointsBehind({ state }: Process, kept: readonly Item[]): RewindPoint[] {
  const nodes = new Set<Node | null>(kept.map(({ node }) => node))
  const behind = state.points.filter(({ head }) => !nodes.has(head))
  return behind.map(point => (nodes.has(point.answered?.tip ?? null) ? { ...point, answered: null } : point))
}

/** Puts kept items back into memory without writing anything: they are live again where they are. */
function recall(p: Process, items: readonly Item[]): void {
  p.state = { ...p.state, memory: memoryOf([...itemsOf(p.state.memory), ...items]) }
}

/** After a kill the echo hangs on what was preserved last, not on the summary. */
function echoCompact(p: Process, kept: readonly Item[], revived: boolean): void {
  const tail = kept.at(-1)?.node ?? null
  if (revived && tail && p.world.rng.chance(0.5)) echoCommand(p, 'compact', tail)
  else echoCommand(p, 'compact')
}

interface BoundaryFacts {
  readonly kept: Kept
  readonly anchor: string
}

function boundaryBody(p: Process, kind: CompactKind, { kept, anchor }: BoundaryFacts): Json {
  const { rng } = p.world
  const lost = rng.chance(p.style.lostLogicalParent)
  const trigger = kind === 'auto' ? 'auto' : 'manual'
  const uuids = kept.items.map(({ node }) => node.uuid)
  const segment = { headUuid: uuids[0], anchorUuid: anchor, tailUuid: uuids.at(-1) }
  const preserved = {
    preservedSegment: segment,
    preservedMessages: { anchorUuid: anchor, uuids, allUuids: uuids },
  }
  return systemBody('compact_boundary', {
    content: 'Conversation compacted',
    logicalParentUuid: lost ? rng.uuid() : (kept.logical?.uuid ?? null),
    compactMetadata: {
      trigger,
      preTokens: rng.between(9000, 190_000),
      ...(uuids.length > 0 ? preserved : {}),
    },
  })
}

/** What is kept: the end of the conversation from a message or prompt on, or (`from`) all before a prompt. */
function keep(p: Process, kind: CompactKind): Kept {
  const items = itemsOf(p.state.memory)
  const start = kind === 'upTo' || kind === 'from' ? promptStart(p, items, kind) : tailStart(p, items, kind)
  if (kind !== 'from') return { items: items.slice(start), logical: p.state.tip }
  const kept = keepable(items.slice(0, start))
  // Summarized from the first prompt on, nothing is kept and nothing is named.
  return { items: kept, logical: kept.length === 0 ? null : p.state.tip }
}

/** A boundary and what it brought are not kept by the next one; summaries are, when they were sent. */
function keepable(items: readonly Item[]): Item[] {
  return items.filter(({ kind }) => kind !== 'other')
}

/** A prompt to cut at; "up to here" needs something before it. */
function promptStart(p: Process, items: readonly Item[], kind: CompactKind): number {
  const heads = new Set(p.state.points.map(({ head }) => head))
  const first = kind === 'upTo' ? items.findIndex(item => item.kind !== 'other') + 1 : 0
  const starts = items.flatMap(({ node }, at) => (heads.has(node) && at >= first ? [at] : []))
  return starts.length === 0 ? items.length : p.world.rng.pick(starts)
}

/** In mid turn the running message with its results; else the last message, or a little more. */
function tailStart(p: Process, items: readonly Item[], kind: CompactKind): number {
  const starts = items.flatMap((item, at) => (startsMessage(items, item) ? [at] : []))
  const back = kind === 'auto' ? 1 : p.world.rng.between(1, 3)
  return starts.at(-Math.min(back, starts.length)) ?? items.length
}

function startsMessage(items: readonly Item[], { message, answers, node }: Item): boolean {
  if (message === null || answers !== null) return false
  return items.find(other => other.message === message)?.node === node
}

/** Some releases: the history is written once more, row for row, before the second compaction of a process. */
function repeatHistory(p: Process): void {
  for (const { node } of itemsOf(p.state.memory)) {
    if (node.row) emit(p.world, p.file, { row: node.row, node, late: false })
  }
}
