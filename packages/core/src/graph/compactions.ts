/**
 * Compactions (C1, C2; A8 in a subagent): a boundary starts a new epoch. On disk it is a root; it continues the line of its logical
 * parent. Preserved entries are live again right after the anchor, without moving from their own line:
 *
 *     u1 a1 u2 a2 | boundary summary u3        preserved: u2 a2, anchor: summary
 *     sent:         boundary summary u2 a2 u3
 *
 * "Summarize from here" anchors at the boundary itself: kept entries first, then the summary. 2.1.55 and 2.1.75 name no
 * kept entries for it, only how many messages were summarized: all up to the logical parent stays (s13d of both).
 */

import type { Compaction } from '../model/entry.js'
import { pushTo } from '../model/group.js'
import type { EntryId } from '../model/ids.js'
import type { OpenFile } from './file-record.js'
import { nameOf } from './names.js'
import { countBefore } from './positions.js'
import { fileOf, sightingIn } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** A compaction as its file records it. */
export interface CompactionRecord {
  readonly boundary: number
  /** The entry the compacted conversation ended in; none where it was never written. */
  readonly logical: number
  readonly preserved: readonly number[]
  /** Whether all entries that it names as kept are there: else a process that loads the file keeps none of them. */
  readonly keepsAll: boolean
  /** The uuid of the entry that the preserved ones come after; null where the boundary names none. */
  readonly anchor: EntryId | null
  readonly anchoredAtBoundary: boolean
  /** All up to the logical parent stays in the conversation, before the summary. */
  readonly followsLogical: boolean
  /** None until it is written: an unfinished compaction (C4). */
  readonly summary: number
}

/** The same until its summary is read. */
export interface OpenCompaction extends CompactionRecord {
  summary: number
}

/** Files the boundary, or joins the summary to its boundary. */
export function fileCompaction(state: State, node: number): void {
  const { table } = state
  if (t.marked(table, node, t.Boundary)) fileBoundary(state, node)
  else if (isSummary(state, node)) joinSummary(state, node)
}

/** A compaction's summary. */
export function isSummary({ table }: State, node: number): boolean {
  return t.byte(table.says, node) === t.SaysSummary
}

/** The subtype of a system, attachment or progress entry. */
export function subtypeOf(state: State, node: number): string {
  return nameOf(state.subtypes, t.word(state.table.subtype, node))
}

function fileBoundary(state: State, node: number): void {
  const entry = state.table.entries[node]
  if (entry?.kind !== 'system' || entry.compaction === null) return
  const { compaction } = entry
  const file = fileOf(state, node)
  const find = (id: string | null): number => (id === null ? t.none : sightingIn(state, id, file.index))
  for (const id of namedBy(compaction)) if (find(id) === t.none) state.named.add(id)
  const preserved = compaction.preserved.map(find).filter(kept => kept !== t.none)
  const logical = find(compaction.logicalParent)
  const keepsSome = compaction.preserved.length > 0 || compaction.segment !== null
  const record: OpenCompaction = {
    boundary: node,
    logical,
    preserved: preserved.length > 0 ? preserved : segmentNodes(state, file, compaction.segment),
    keepsAll: preserved.length === compaction.preserved.length,
    anchor: compaction.anchor,
    anchoredAtBoundary: compaction.anchor === entry.id,
    followsLogical: compaction.summarized !== null && !keepsSome && logical !== t.none,
    summary: t.none,
  }
  file.compactions.push(record)
  state.compactionOf.set(node, record)
  // What hangs on an entry that simply stays was written after going back to it.
  const goesOn = record.followsLogical ? t.none : record.logical
  for (const kept of withoutLater(state, node, [...record.preserved, goesOn])) keep(state, kept, record)
}

/** The uuids that a boundary names. */
function namedBy({ logicalParent, preserved, segment }: Compaction): readonly string[] {
  const ends = segment === null ? [] : [segment.head, segment.tail]
  return logicalParent === null ? [...preserved, ...ends] : [logicalParent, ...preserved, ...ends]
}

/** Whether a boundary names entries that were written after it: then links lead forwards. */
export function namesLater(state: State, node: number): boolean {
  const entry = state.table.entries[node]
  if (entry?.kind !== 'system' || entry.compaction === null) return false
  const file = t.int(state.table.file, node)
  return namedBy(entry.compaction).some(id => sightingIn(state, id, file) > node)
}

/** C4: what hangs behind the boundary, as in copies of a session, goes on from its parent and not over the boundary. */
function withoutLater(state: State, boundary: number, named: readonly number[]): readonly number[] {
  const { table } = state
  const kept = named.filter(node => node !== t.none)
  const isLater = (node: number): boolean => t.int(table.row, node) >= t.int(table.row, boundary)
  if (!kept.some(isLater)) return kept
  const behind = new Set([boundary])
  const walked = new Set<number>()
  for (const start of kept) {
    const path: number[] = []
    let node = start
    while (node !== t.none && isLater(node) && !behind.has(node) && !walked.has(node)) {
      path.push(node)
      walked.add(node)
      node = t.int(table.parent, node)
    }
    if (behind.has(node)) for (const each of path) behind.add(each)
  }
  return kept.filter(node => !behind.has(node))
}

function keep(state: State, node: number, record: CompactionRecord): void {
  t.mark(state.table, node, t.Kept)
  if (state.keptBy.get(node)?.at(-1) !== record) pushTo(state.keptBy, node, record)
}

/** `preservedSegment` names only the ends: the kept entries are the chain between them. */
function segmentNodes(
  state: State,
  file: OpenFile,
  segment: { readonly head: string; readonly tail: string } | null,
): readonly number[] {
  if (segment === null) return []
  const head = sightingIn(state, segment.head, file.index)
  const nodes: number[] = []
  let node = sightingIn(state, segment.tail, file.index)
  for (let steps = 0; node !== t.none && steps < file.nodes.length; steps++) {
    nodes.push(node)
    if (node === head) return nodes.reverse()
    node = t.int(state.table.parent, node)
  }
  return []
}

function joinSummary(state: State, node: number): void {
  const open = state.compactionOf.get(fileOf(state, node).compactions.at(-1)?.boundary ?? t.none)
  if (open === undefined || open.summary !== t.none) return
  open.summary = node
  state.compactionOf.set(node, open)
}

/**
 * The newest compaction over whose edge this link reaches: the entry was written after the boundary, but hangs
 * on an entry that the boundary kept, or on its logical parent (L3). After a kill, a resumed process writes such links.
 */
export function compactionBetween(state: State, node: number, parent: number): CompactionRecord | null {
  // The mark is asked first: a look at the map for every link would cost more than all else here.
  if (!t.marked(state.table, parent, t.Kept)) return null
  const records = state.keptBy.get(parent)
  if (records === undefined) return null
  const row = t.int(state.table.row, node)
  let found: CompactionRecord | null = null
  for (const record of records) {
    // C4: without a summary the compaction was not finished; nothing goes on behind it.
    if (record.summary === t.none || record.boundary === node) continue
    if (t.int(state.table.row, record.boundary) < row) found = record
  }
  return found
}

/** Where an entry goes on that hangs over a compaction: at its summary; the summary itself at the boundary. */
export function continuesAt(record: CompactionRecord, node: number): number {
  return record.summary === t.none || record.summary === node ? record.boundary : record.summary
}

/** The last main entry on the rows before this one: where an unlinked compaction was made. */
export function lastBefore(state: State, node: number): number {
  const { table } = state
  const file = fileOf(state, node)
  const inAgentFile = file.facts.kind === 'agent'
  for (let i = positionOf(table, file, node) - 1; i >= 0; i--) {
    const before = file.nodes[i] ?? t.none
    if (inAgentFile || t.marked(table, before, t.Sidechain) === t.marked(table, node, t.Sidechain))
      return before
  }
  return t.none
}

/** The entry on the rows right before this one, of the main conversation or a sidechain; none for the first. */
export function entryBefore(state: State, node: number): number {
  const file = fileOf(state, node)
  return file.nodes[positionOf(state.table, file, node) - 1] ?? t.none
}

/** The position of a sighting among those of its file. */
function positionOf(table: t.Table, file: OpenFile, node: number): number {
  let position = countBefore(table, file.nodes, t.int(table.row, node))
  while (position < file.nodes.length && file.nodes[position] !== node) position++
  return position
}
