/**
 * L13: a conversation as its requests grow. From one answer to the next mostly a few entries are added at the end: the chain
 * is walked up to where it meets that of the answer before, and what is sent is computed again from the first message on that
 * can have changed. So all contexts of a conversation cost about as much as the last one alone.
 */
import { type Answer, chainAbove } from './answers.js'
import { dependsOnProcess } from './broken-replies.js'
import { followsRest, isGap, isShrunk } from './context-doubts.js'
import type { Context, ContextChange } from './contexts.js'
import { unitOf } from './facts.js'
import type { OpenFile } from './file-record.js'
import { partsOf } from './messages.js'
import { hasCostStates, type Moment } from './moment.js'
import { countBefore, countWhile } from './positions.js'
import { lastEndAmong, lastProcessEnd, mayBeStart, startAt } from './processes.js'
import { answeredAt, isLoaded, messageAt, type Sending } from './sending.js'
import { sentAt } from './sending-order.js'
import { attachedAt } from './sent-attachments.js'
import {
  fileOf,
  isConversation,
  isEarly,
  isInput,
  losesProgress,
  startsTurn,
  walksParents,
} from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { overtakenFrom as firstOvertaken } from './unsent.js'

/** A conversation up to the answer that was looked at last. */
export interface Growing {
  readonly state: State
  readonly file: OpenFile
  /** The `last-prompt` rows at which processes ended, where many answers are asked for; else they are looked for. */
  readonly promptEnds: readonly number[] | null
  /** The context of that answer. */
  last: Context | null
  /** Its chain, the oldest entry first, and the position of each entry on it. */
  readonly chain: number[]
  readonly positions: Map<number, number>
  /** The entries that the chain was walked through; the others on it were kept by a compaction. */
  readonly walked: Set<number>
  /** How many entries of the chain stand in each file. */
  readonly files: Map<number, number>
  /** The position of the last prompt, and of the last entry that began a turn, at or before each entry; else -1. */
  readonly prompts: number[]
  readonly turns: number[]
  /** L14: the positions of prompts that another process may have begun with, and of messages it would have sent less of. */
  readonly starts: number[]
  readonly partials: number[]
  /** L7: those of them of which every later turn may send something else. */
  readonly changing: number[]
  /** L14: the positions of entries whose parent is in no file, and of answers to requests that had shrunk. */
  readonly gaps: number[]
  readonly shrinks: number[]
  /** L14: the positions of entries that follow the end of a turn by L9, where no parent leads there. */
  readonly rests: number[]
  /** L21: the positions where the chain comes from a file that a process does not read when it loads the one that goes on. */
  readonly borders: number[]
  /** The positions of prompts behind one with which a process began, and of those that may be such. */
  readonly restarts: number[]
  readonly doubtfulStarts: number[]
  /** L13: the positions of progress rows of a release that does not load them. */
  readonly progress: number[]
  /** L8: the positions of answers with calls, of 1.x and 2.0.x, right behind which a turn begins. */
  readonly bareCuts: number[]
  /** What the request carried, and how much of that was sent up to each entry of the chain. */
  readonly sent: number[]
  readonly isSent: Set<number>
  readonly sentUpTo: number[]
  /** The attachments beside it, and how many of them came up to each entry of the chain. */
  readonly attached: number[]
  readonly attachedUpTo: number[]
  /** Where on the chain each message was sent, and the messages in the order of these positions. */
  readonly messages: Map<number, number>
  readonly messageOrder: number[]
  moment: Moment | null
  /** How many entries of the file had been written by then. */
  written: number
  loadedUpTo: number
  lostUpTo: number
  /** The position of the first entry that the last turn does not send, as it came later; else that of the turn. */
  overtakenFrom: number
}

/** A conversation of which nothing was looked at yet. */
export function createGrowing(
  state: State,
  file: OpenFile,
  promptEnds: readonly number[] | null = null,
): Growing {
  return {
    ...{ state, file, promptEnds, last: null, moment: null, written: 0, loadedUpTo: 0, lostUpTo: 0 },
    overtakenFrom: -1,
    ...{ chain: [], positions: new Map(), walked: new Set(), files: new Map() },
    ...{
      prompts: [],
      turns: [],
      starts: [],
      partials: [],
      changing: [],
      gaps: [],
      shrinks: [],
      bareCuts: [],
      rests: [],
      progress: [],
      borders: [],
      restarts: [],
      doubtfulStarts: [],
    },
    ...{ attached: [], attachedUpTo: [] },
    ...{ sent: [], isSent: new Set(), sentUpTo: [], messages: new Map(), messageOrder: [] },
  }
}

/** What a request carried, as a change of the request before. Answers are asked for in the order of rows. */
export function growTo(growing: Growing, answer: Answer): ContextChange {
  const changed = moveTo(growing, answer)
  dropSent(growing, changed)
  const [kept, keptAttachments] = [growing.sent.length, growing.attached.length]
  const sending = sendingOf(growing, answer.moment)
  for (let at = changed; at < growing.chain.length; at++) addSentAt(growing, sending, at)
  return {
    base: kept + keptAttachments === 0 ? null : growing.last,
    ...{ kept, added: growing.sent.slice(kept) },
    attachments: { kept: keptAttachments, added: growing.attached.slice(keptAttachments) },
  }
}

function sendingOf(growing: Growing, moment: Moment): Sending {
  const { state, file, chain, positions, turns, files, loadedUpTo, lostUpTo, overtakenFrom } = growing
  return {
    ...{ state, file, chain, positions, loadedUpTo, lostUpTo, overtakenFrom, moment },
    files: new Set(files.keys()),
    turn: turns.at(-1) ?? -1,
    lastStart: growing.starts.at(-1) ?? -1,
    ...answeredAt(state.table, chain),
  }
}

// The chain of an answer, from that of the answer before.

/** A piece of a chain, the oldest entry first, and the position of the entry that it goes on from; -1 for none. */
interface Tail {
  readonly nodes: readonly number[]
  readonly walked: readonly number[]
  readonly join: number
}

/** Moves the chain to an answer; gives the position from which on what is sent may have changed. */
function moveTo(growing: Growing, answer: Answer): number {
  const { moment } = answer
  let tail = tailOf(growing, answer, growing.chain.length)
  const loadedUpTo = loadedBefore(growing, lastPrompt(growing, tail), moment)
  if (loadedUpTo !== growing.loadedUpTo) {
    // What the process of the answer before had in memory, this one has loaded.
    tail = tailOf(growing, answer, firstFrom(growing, Math.min(loadedUpTo, growing.loadedUpTo)))
    growing.loadedUpTo = loadedUpTo
  }
  const changed = changedFrom(growing, tail, writtenSince(growing, answer))
  const files = [...growing.files.keys()]
  dropChain(growing, tail.join + 1)
  for (const node of tail.nodes) pushChain(growing, node)
  for (const node of tail.walked) growing.walked.add(node)
  const overtaken = moveTurn(growing, moment)
  const isSame = files.length === growing.files.size && files.every(file => growing.files.has(file))
  return sendsAlike(growing, moment) && isSame ? Math.min(changed, overtaken) : 0
}

/** The first position from which on another turn changes what came after its prompt. */
function moveTurn(growing: Growing, moment: Moment): number {
  const { state, chain, turns, overtakenFrom: before } = growing
  growing.overtakenFrom = firstOvertaken(state.table, chain, turns.at(-1) ?? -1, moment)
  return growing.overtakenFrom === before
    ? chain.length
    : Math.max(0, Math.min(before, growing.overtakenFrom))
}

/** Whether a request is made as the one before was: by a release of the same kind. */
function sendsAlike(growing: Growing, moment: Moment): boolean {
  const { file, moment: before } = growing
  growing.moment = moment
  if (!losesAlike(growing, moment)) return false
  if (before === null || before.walksParents !== moment.walksParents) return false
  if (before.sendsOpenCalls !== moment.sendsOpenCalls) return false
  return hasCostStates(file, before) === hasCostStates(file, moment)
}

/** L13: whether the process of an answer has lost as much as that of the answer before. */
function losesAlike(growing: Growing, moment: Moment): boolean {
  const { chain, progress, lostUpTo: before } = growing
  const lost = countWhile(progress, at => isLoaded(growing, chain[at] ?? t.none))
  const lostByProgress = moment.losesProgress ? (progress[lost - 1] ?? -1) + 1 : 0
  growing.lostUpTo = Math.max(lostByProgress, lostAtBorder(growing))
  return growing.lostUpTo === before
}

/** L21: the position up to which the process has nothing, as it has loaded one file and what it goes on from stands in others. */
function lostAtBorder({ state, file, chain, borders, restarts, loadedUpTo }: Growing): number {
  const border = borders.at(-1)
  if (border === undefined) return 0
  const isBehind = (restarts.at(-1) ?? 0) > border
  return isBehind || isLoaded({ state, file, loadedUpTo }, chain[border] ?? t.none)
    ? border
    : (borders.at(-2) ?? 0)
}

/** The chain of an answer up to where it meets the one before, at a position before a limit. */
function tailOf({ positions, walked }: Growing, answer: Answer, limit: number): Tail {
  const passed: number[] = []
  let join = -1
  const chain = chainAbove(answer, node => {
    const at = positions.get(node) ?? limit
    if (at < limit && walked.has(node)) join = at
    else passed.push(node)
    return join >= 0
  })
  return { nodes: chain.slice(0, join < 0 ? undefined : -1).reverse(), walked: passed, join }
}

function lastPrompt({ state: { table }, chain, prompts }: Growing, { nodes, join }: Tail): number {
  return nodes.findLast(node => isInput(table, node)) ?? chain[prompts[join] ?? -1] ?? t.none
}

function loadedBefore({ state, file, promptEnds }: Growing, prompt: number, moment: Moment): number {
  if (promptEnds === null) return lastProcessEnd(state, file, prompt, moment)
  return lastEndAmong(state, file, prompt, hasCostStates(file, moment) ? file.costStates : promptEnds)
}

/** The position of the first entry of the chain on this row of the file or a later one. */
function firstFrom({ state: { table }, file, chain, walked }: Growing, row: number): number {
  let at = chain.length
  for (let i = chain.length - 1; i >= 0; i--) {
    const node = chain[i] ?? t.none
    if (t.int(table.file, node) !== file.index || !walked.has(node)) continue
    if (t.int(table.row, node) < row) break
    at = i
  }
  return at
}

/** The entries of the file that stand between the answer before and this one. */
function writtenSince(growing: Growing, { first }: Answer): readonly number[] {
  const { state, file, written } = growing
  growing.written = Math.max(written, countBefore(state.table, file.nodes, t.int(state.table.row, first)))
  return file.nodes.slice(written, growing.written)
}

/**
 * The first position from which on what is sent may differ: where the chains part, or the first message with a part or
 * result among the entries that joined or left the chain or were written since, or the last message that both have.
 */
function changedFrom(growing: Growing, { nodes, join }: Tail, fresh: readonly number[]): number {
  const { state, chain, messages, turns } = growing
  let changed = join + 1
  const touch = (node: number): void => {
    changed = Math.min(changed, messages.get(unitOf(state, node)) ?? changed)
  }
  for (let at = join + 1; at < chain.length; at++) touch(chain[at] ?? t.none)
  for (const node of nodes) touch(node)
  for (const node of fresh) touch(node)
  for (let at = join; at >= 0; at--) {
    const node = chain[at] ?? t.none
    if (!isConversation(state.table, node)) continue
    touch(node)
    break
  }
  // L7: whether a reply was asked for again is told by the turn that it stands in.
  const isTurn = (node: number): boolean => startsTurn(state.table, node)
  const isOtherTurn = nodes.some(isTurn) || chain.slice(join + 1).some(isTurn)
  if (!isOtherTurn) return changed
  touch(chain[growing.bareCuts[0] ?? -1] ?? t.none)
  return Math.min(changed, growing.changing[0] ?? changed, Math.max(0, turns[join] ?? 0))
}

function dropChain(growing: Growing, length: number): void {
  const { state, chain, positions, walked, files, prompts, turns } = growing
  const { starts, gaps, shrinks, bareCuts, progress, rests, borders, restarts, doubtfulStarts } = growing
  for (let at = chain.length - 1; at >= length; at--) {
    const node = chain[at] ?? t.none
    const file = t.int(state.table.file, node)
    const left = (files.get(file) ?? 1) - 1
    if (left > 0) files.set(file, left)
    else files.delete(file)
    positions.delete(node)
    walked.delete(node)
  }
  for (const list of [chain, prompts, turns]) list.length = Math.min(list.length, length)
  for (const list of [starts, gaps, shrinks, bareCuts, progress, rests]) dropFrom(list, length)
  for (const list of [borders, restarts, doubtfulStarts]) dropFrom(list, length)
}

/** Drops positions from the end of an ascending list. */
function dropFrom(positions: number[], from: number): void {
  while ((positions.at(-1) ?? -1) >= from) positions.pop()
}

function pushChain(growing: Growing, node: number): void {
  const { chain, positions, files, prompts, turns } = growing
  const { table } = growing.state
  const at = chain.length
  const isTurn = startsTurn(table, node)
  if (isTurn) noteBareCut(growing)
  noteDoubts(growing, node, at)
  noteBorder(growing, node, at)
  if (isTurn && followsRest(table, chain, chain.at(-1) ?? t.none, node)) growing.rests.push(at)
  if (t.byte(table.kind, node) === t.Progress && losesProgress(growing.state, node)) growing.progress.push(at)
  chain.push(node)
  positions.set(node, at)
  prompts.push(isInput(table, node) ? at : (prompts.at(-1) ?? -1))
  turns.push(isTurn ? at : (turns.at(-1) ?? -1))
  const file = t.int(table.file, node)
  files.set(file, (files.get(file) ?? 0) + 1)
}

/** L8: how such a message is sent is told by every later prompt. */
function noteBareCut({ state, chain, bareCuts }: Growing): void {
  const at = chain.findLastIndex(node => isConversation(state.table, node))
  const node = chain[at] ?? t.none
  const isAnswer = t.byte(state.table.kind, node) === t.Assistant
  if (!isAnswer || !isEarly(state, node)) return
  const parts = partsOf(state, messageAt(state.table, node))
  if (parts.some(part => t.marked(state.table, part, t.HasCalls))) bareCuts.push(at)
}

/** L14: notes what on the chain makes its contexts uncertain. */
function noteDoubts({ state, file, starts, gaps, shrinks }: Growing, node: number, at: number): void {
  if (mayBeStart(state, file, node)) starts.push(at)
  if (isGap(state, node)) gaps.push(at)
  // A copy of an answer was sent by another process.
  if (t.int(state.table.copyOf, node) === t.none && isShrunk(state, node)) shrinks.push(at)
}

/** L21: notes where the chain leaves another file, and where a process may have begun since that has not read that one. */
function noteBorder(growing: Growing, node: number, at: number): void {
  const { state, file, chain, borders } = growing
  if (file.facts.kind === 'agent') return
  if (isBorder(state, chain.at(-1), node)) {
    borders.push(at)
    return
  }
  if (borders.length === 0 || t.byte(state.table.says, node) !== t.SaysPrompt) return
  const start = startAt(state, file, node)
  if (start === 'began') growing.restarts.push(at)
  if (start === 'unknown') growing.doubtfulStarts.push(at)
}

/**
 * Whether the chain comes from a file that a process does not read when it loads the one that goes on: that of another session, or
 * of a subagent that suggests prompts. 2.1.25 may write an answer of the conversation only there (walk of 2.1.25).
 */
function isBorder(state: State, above: number | undefined, node: number): boolean {
  if (above === undefined) return false
  const [from, to] = [fileOf(state, above).facts, fileOf(state, node).facts]
  if (isEarly(state, node)) return from.session !== to.session
  return walksParents(state, node) && from.kind === 'agent' && to.kind !== 'agent'
}

// What is sent of the chain.

/** Whether a process that walks parents alone would not have sent all of a message, and none is known to have done so. */
function isPartlyBeside({ moment, positions }: Sending, nodes: readonly number[]): boolean {
  return moment.walksParents && nodes.some(node => !positions.has(node))
}

/** Drops what was sent from a position of the chain on. */
function dropSent(growing: Growing, from: number): void {
  const { sent, isSent, sentUpTo, messages, messageOrder } = growing
  dropFrom(growing.partials, from)
  dropFrom(growing.changing, from)
  const left = sentUpTo[from - 1] ?? 0
  for (let i = left; i < sent.length; i++) isSent.delete(sent[i] ?? t.none)
  sent.length = Math.min(sent.length, left)
  sentUpTo.length = Math.min(sentUpTo.length, from)
  growing.attached.length = Math.min(growing.attached.length, growing.attachedUpTo[from - 1] ?? 0)
  growing.attachedUpTo.length = Math.min(growing.attachedUpTo.length, from)
  for (let last = messageOrder.at(-1); last !== undefined; last = messageOrder.at(-1)) {
    if ((messages.get(last) ?? 0) < from) break
    messages.delete(last)
    messageOrder.pop()
  }
}

function addSentAt(growing: Growing, sending: Sending, at: number): void {
  const { state, chain, sent, isSent, sentUpTo, messages, messageOrder } = growing
  const node = chain[at] ?? t.none
  const message = messageAt(state.table, node)
  const nodes = messages.has(message) ? null : sentAt(sending, node)
  if (nodes !== null && message !== t.none) {
    messages.set(message, at)
    messageOrder.push(message)
  }
  const isBeside = nodes !== null && isPartlyBeside(sending, nodes)
  const isDoubtful = dependsOnProcess(sending, node)
  if (isBeside || isDoubtful) growing.partials.push(at)
  if (isDoubtful && isEarly(state, node)) growing.changing.push(at)
  for (const each of nodes ?? []) {
    if (isSent.has(each)) continue
    isSent.add(each)
    sent.push(each)
  }
  sentUpTo.push(sent.length)
  for (const attachment of attachedAt(sending, node, nodes ?? [])) growing.attached.push(attachment)
  growing.attachedUpTo.push(growing.attached.length)
}
