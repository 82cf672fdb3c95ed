/**
 * L2, L3, L11: what the conversation's next request carries, in the order of sending.
 *
 *   leaf -> chain of parents -> cut at the newest compaction, kept entries put in at its anchor
 *        -> all parts of every message on it, the results of their calls -> less what is never sent (sending.ts)
 */

import { markedLeaf } from './active.js'
import { isLinked, linkOf } from './adopt.js'
import {
  type CompactionRecord,
  compactionBetween,
  continuesAt,
  isSummary,
  lastBefore,
} from './compactions.js'
import { unitOf } from './facts.js'
import type { OpenFile } from './file-record.js'
import { endOfTurnBefore } from './late-rows.js'
import { atTheEnd, type Moment } from './moment.js'
import { countBefore, positionsIn } from './positions.js'
import { lastProcessEnd } from './processes.js'
import { lastStartOn, type Sending } from './sending.js'
import { sendingOrder } from './sending-order.js'
import {
  fileOf,
  isConversation,
  isInput,
  sendsOpenCalls,
  sightingIn,
  startsTurn,
  writesCosts,
} from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { overtakenFrom } from './unsent.js'

/** What the next request of a file carries, and what is needed to carry on from it. */
export interface Live {
  readonly nodes: readonly number[]
  /** The last prompt on the chain: what stands before it will not change by ordinary rows. */
  readonly prompt: number
  readonly loadedUpTo: number
  /** The other files that the chain passes through. */
  readonly others: ReadonlySet<number>
}

/** The live conversation of a file, from its leaf up. */
export function liveConversation(state: State, file: OpenFile): Live {
  const leaf = liveLeaf(state, file)
  if (leaf === t.none) return { nodes: [], prompt: t.none, loadedUpTo: 0, others: new Set() }
  return sendChain(state, file, liveChain(state, leaf), leaf)
}

/** From a chain, last entry first, or the lower part of one, to what is sent. */
export function sendChain(state: State, file: OpenFile, chain: readonly number[], leaf: number): Live {
  return sendFrom(state, file, chain, { leaf, isWhole: false })
}

/** The same for a process that starts from the file: it sends every message whole, also one resumed in the middle. */
export function resumeChain(state: State, file: OpenFile, chain: readonly number[], leaf: number): Live {
  return sendFrom(state, file, chain, { leaf, isWhole: true })
}

function sendFrom(
  state: State,
  file: OpenFile,
  newestFirst: readonly number[],
  how: Pick<Sending, 'isWhole' | 'leaf'>,
): Live {
  const { table } = state
  const chain = newestFirst.toReversed()
  const prompt = newestFirst.find(node => isInput(table, node)) ?? t.none
  const moment = nextOf(state, prompt)
  const loadedUpTo = lastProcessEnd(state, file, prompt, moment)
  const files = filesOn(table, chain)
  const positions = positionsIn(chain, table.size)
  const turn = chain.findLastIndex(node => startsTurn(table, node))
  const lastUnit = unitOf(state, how.leaf)
  const nodes = sendingOrder({
    ...{ ...how, state, file, chain, files, positions, turn, loadedUpTo, lastUnit },
    overtakenFrom: overtakenFrom(table, chain, turn, moment),
    ...{ moment, lostUpTo: 0, lastStart: lastStartOn(state, file, chain) },
  })
  const others = new Set([...files].filter(index => index !== file.index))
  return { nodes, prompt, loadedUpTo, others }
}

/** After all that was read, by the release of the last prompt. */
function nextOf(state: State, prompt: number): Moment {
  if (prompt === t.none) return atTheEnd
  return {
    ...atTheEnd,
    sendsOpenCalls: sendsOpenCalls(state, prompt),
    writesCosts: writesCosts(state, prompt),
  }
}

/** L2: the conversation entry written last; `is_active` decides where it is used. */
export function liveLeaf(state: State, file: OpenFile): number {
  const { table } = state
  const isHere = (node: number): boolean => isMain(state, file, node)
  if (file.active) return markedLeaf(state, file.nodes.filter(isHere))
  const last = file.nodes.findLast(node => isHere(node) && isConversation(table, node)) ?? t.none
  return deepest(state, file, last)
}

function isMain(state: State, file: OpenFile, node: number): boolean {
  return file.facts.kind === 'agent' || !t.marked(state.table, node, t.Sidechain)
}

/** L2: a reply can stand on a row before its prompt (2.1.101); such rows are near each other. */
function deepest(state: State, file: OpenFile, last: number): number {
  const { table } = state
  let leaf = last
  for (let i = file.nodes.length - 1, end = Math.max(0, i - nearRows); i >= end; i--) {
    const node = file.nodes[i] ?? t.none
    if (t.int(table.parent, node) !== leaf || node === leaf || !isConversation(table, node)) continue
    if (!isMain(state, file, node)) continue
    leaf = node
    i = file.nodes.length
  }
  return leaf
}

const nearRows = 64

/**
 * The chain of a leaf, last entry first: up to the root, or to the boundary of the newest compaction; or only up to an
 * entry at which to stop. Entries that a compaction kept are on the chain, but never stopped at.
 */
export function liveChain(
  state: State,
  leaf: number,
  stopsAt: (node: number) => boolean = () => false,
): readonly number[] {
  const { table } = state
  const chain: number[] = []
  const kept = keptAfter(state, leaf, chain)
  pushKept(chain, kept, kept.length)
  for (let node = leaf, left = table.size; node !== t.none && left > 0; left--) {
    chain.push(node)
    if (stopsAt(node)) break
    const parent = plainParent(table, node)
    if (parent !== t.none) {
      node = parent
      continue
    }
    const staying = stayingBefore(state, node, chain)
    if (staying === t.none && endsEpoch(state, node)) break
    node = staying === t.none ? stepUp(state, node, chain) : staying
  }
  return chain
}

/** The parent of an entry, where no other rule can have a say: so it is nearly everywhere. */
function plainParent(table: t.Table, node: number): number {
  const parent = t.int(table.parent, node)
  if (parent === t.none || startsTurn(table, node)) return t.none
  if (t.marked(table, parent, t.Kept | t.Boundary)) return t.none
  const says = t.byte(table.says, parent)
  return says === t.SaysSummary || says === t.SaysCaveat ? t.none : parent
}

/** C1: a boundary; or, in agents of 2.0.x, a summary that stands in the chain without any boundary. */
function endsEpoch(state: State, node: number): boolean {
  const { table } = state
  if (t.marked(table, node, t.Boundary)) return true
  if (!isSummary(state, node)) return false
  return !state.compactionOf.has(node)
}

/**
 * C2: the last entry that stays before a compaction which summarized only what follows it. The boundary does not name what stays: a
 * process that has loaded the file begins at the summary (walk of 2.1.42).
 */
function stayingBefore(state: State, node: number, chain: readonly number[]): number {
  if (!t.marked(state.table, node, t.Boundary)) return t.none
  const record = state.compactionOf.get(node)
  if (record?.followsLogical !== true || record.summary === t.none) return t.none
  return wasLoaded(state, node, chain) ? t.none : record.logical
}

/** One step towards the root; entries that a compaction kept are put in on the way. */
function stepUp(state: State, node: number, chain: number[]): number {
  const parent = linkOf(state, node)
  if (parent === t.none) return stepOverGap(state, node)
  if (isLaterCommand(state, node, parent)) return lastBefore(state, node)
  const compaction = compactionBetween(state, node, parent)
  if (compaction === null) {
    const end = endInMemory(state, node, chain)
    const next = end === t.none ? parent : end
    const kept = keptAfter(state, next, chain)
    pushKept(chain, kept, kept.length)
    return next
  }
  const position = compaction.preserved.indexOf(parent)
  pushKept(chain, compaction.preserved, position < 0 ? compaction.preserved.length : position + 1)
  return compaction.anchoredAtBoundary ? compaction.boundary : continuesAt(compaction, node)
}

/**
 * F8: 1.0.x hangs every local command of a process on its one caveat, however much was written in between. The command
 * goes on from what was written before it.
 */
function isLaterCommand({ table }: State, node: number, parent: number): boolean {
  return t.byte(table.says, parent) === t.SaysCaveat && t.byte(table.says, node) === t.SaysCommand
}

/**
 * The end of the turn before, where rows written late stand between: for the process that wrote the entry. One that has
 * loaded the file follows parents (L9; recording random-2.1.75/9164).
 */
function endInMemory(state: State, node: number, chain: readonly number[]): number {
  const end = endOfTurnBefore(state, node)
  return end === t.none || wasLoaded(state, node, chain) ? t.none : end
}

/** Whether the process of the last prompt on a chain has loaded an entry above it from a file. */
function wasLoaded(state: State, node: number, chain: readonly number[]): boolean {
  const { table } = state
  const prompt = chain.find(at => isInput(table, at))
  if (prompt === undefined) return false
  const file = fileOf(state, node)
  if (fileOf(state, prompt) !== file) return true
  return t.int(table.row, node) < lastProcessEnd(state, file, prompt)
}

/**
 * G2: a parent that was never written is the recorder's fault; the process had the conversation before it in
 * memory, so the chain goes on at the entry written before. A cut cycle likewise, and every entry of a file in which
 * none names a parent. A true root ends it.
 */
function stepOverGap(state: State, node: number): number {
  const isGap = state.table.parentIds[node] !== null || !isLinked(state, node)
  return isGap ? lastBefore(state, node) : t.none
}

/** C4: what is on the chain already hangs behind the boundary: it was not there to be kept, and stays where it is. */
function pushKept(chain: number[], kept: readonly number[], count: number): void {
  if (count === 0) return
  const onChain = new Set(chain)
  for (let i = count - 1; i >= 0; i--) {
    const node = kept[i] ?? t.none
    if (!onChain.has(node)) chain.push(node)
  }
}

/** C2: what a compaction carries on right after this entry, where it is the anchor. */
function keptAfter(state: State, node: number, chain: readonly number[]): readonly number[] {
  const { table } = state
  const boundary = t.marked(table, node, t.Boundary)
  if (!boundary && !isSummary(state, node)) return []
  const record = state.compactionOf.get(node)
  if (record === undefined || record.anchoredAtBoundary !== boundary) return []
  if (!boundary && !isAnchor(state, node, record)) return []
  if (isKeptLost(state, record, chain) || isBackBeforeKept(state, node, chain)) return []
  return record.preserved
}

/**
 * L22: whether the process went back to before what a compaction kept: a later turn hangs on the anchor, too. Going back to the turn
 * that stood there first leads to the last kept entry. A process that loads the file puts the kept entries in again.
 */
function isBackBeforeKept(state: State, anchor: number, chain: readonly number[]): boolean {
  const { table } = state
  const turn = chain.at(-1) ?? t.none
  if (turn === t.none || t.int(table.parent, turn) !== anchor || !startsTurn(table, turn)) return false
  const { nodes } = fileOf(state, anchor)
  const from = countBefore(table, nodes, t.int(table.row, anchor) + 1)
  const first = nodes.slice(from, from + nearRows).find(each => t.int(table.parent, each) === anchor)
  return first !== undefined && first !== turn && !wasLoaded(state, turn, chain)
}

/**
 * L18: whether the process of the last prompt on a chain has loaded a compaction that names an entry which was never written, such
 * as the context of a hook. It finds none of the kept entries then (recording random-2.1.170/8170).
 */
function isKeptLost(
  state: State,
  { boundary, keepsAll }: CompactionRecord,
  chain: readonly number[],
): boolean {
  return !keepsAll && wasLoaded(state, boundary, chain)
}

/** Whether kept entries come after this summary: a copy of a compaction may name one from elsewhere in its file. */
function isAnchor(state: State, summary: number, { anchor }: CompactionRecord): boolean {
  if (anchor === null) return true
  const named = sightingIn(state, anchor, t.int(state.table.file, summary))
  return named === t.none || named === summary
}

/** The files of the entries of a chain. */
export function filesOn(table: t.Table, chain: readonly number[]): ReadonlySet<number> {
  const files = new Set<number>()
  let last = t.none
  for (const node of chain) {
    const file = t.int(table.file, node)
    // Neighbours nearly always stand in the same one.
    if (file !== last) files.add(file)
    last = file
  }
  return files
}
