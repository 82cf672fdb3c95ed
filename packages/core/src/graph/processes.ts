/**
 * Where a process ended. What stands before was loaded from the file by the next one; what follows is what a process had
 * in memory. New releases end with a `cost-state`; older ones with a `last-prompt`, which they also write within a turn
 * and before a compaction; the oldest leave no mark. A process that was killed leaves none either, but the next one may
 * begin with a stub, with a hook that runs at its start, or with a prompt right behind an unfinished reply.
 */

import { answerBefore } from './answer-before.js'
import { subtypeOf } from './compactions.js'
import type { OpenFile } from './file-record.js'
import { usageOf } from './messages.js'
import { atTheEnd, hasCostStates, type Moment } from './moment.js'
import { countBefore, countWhile } from './positions.js'
import { requestSize } from './request-size.js'
import { isAnswer, isConversation, isInput, marksNoEnds, startsTurn, walksParents } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The row before which all was loaded from the file by the process that wrote an entry; 0 where nothing tells. */
export function lastProcessEnd(
  state: State,
  file: OpenFile,
  node: number,
  moment: Moment = atTheEnd,
): number {
  if (node === t.none) return 0
  return lastMark(state, file, node, row => {
    const end = hasCostStates(file, moment)
      ? file.costStates.findLast(mark => mark < row)
      : file.lastPrompts.findLast(mark => mark < row && endsProcess(state, file, mark))
    return Math.max(lastStart(file, row), end ?? 0, lastLoss(state, file, row))
  })
}

/** The same for many entries of a file: given the rows at which processes ended. */
export function lastEndAmong(state: State, file: OpenFile, node: number, ends: readonly number[]): number {
  if (node === t.none) return 0
  return lastMark(state, file, node, row => {
    const end = ends[countWhile(ends, each => each < row) - 1] ?? 0
    return Math.max(lastStart(file, row), end, lastLoss(state, file, row))
  })
}

/**
 * The last mark of the process that wrote a prompt. Where the prompt hangs on rows written late (L9), its process has had the turn
 * in memory that these rows belong to: marks behind that turn are another one's (walks of two writers, 2.1.79).
 */
function lastMark(state: State, file: OpenFile, prompt: number, markBefore: (row: number) => number): number {
  const { table } = state
  let node = prompt
  for (let steps = 0; ; steps++) {
    const mark = markBefore(t.int(table.row, node))
    const before = steps < mostTurns ? promptInMemory(state, file, node, mark) : t.none
    if (before === t.none || mark === 0) return mark
    node = before
  }
}

/** How many turns of a process are gone back over marks of another one, at most. */
const mostTurns = 64

/** The prompt of the turn before, where late rows or sizes show that the process of a prompt has run it; none where none do. */
function promptInMemory(state: State, file: OpenFile, prompt: number, mark: number): number {
  const { table } = state
  if (hasLostNothing(state, file, prompt, mark)) return promptOf(table, t.int(table.parent, prompt))
  let late = t.none
  let end = t.int(table.parent, prompt)
  let isHooked = false
  for (let steps = 0; steps < longTurn && isLate(table, file, end, mark); steps++) {
    isHooked ||= isStopSummary(state, end)
    late = end
    end = t.int(table.parent, end)
  }
  if (late === t.none || end === t.none || t.int(table.file, end) !== file.index) return t.none
  const last = file.spoken[countBefore(table, file.spoken, t.int(table.row, late)) - 1] ?? t.none
  return isHooked || t.real(table.time, late) < t.real(table.time, last) ? promptOf(table, end) : t.none
}

/**
 * Whether the first request of a turn that goes on from before a mark is longer than the last one of the turn that it hangs on: of 2.1.0 to
 * 2.1.6x a process that has loaded the file would have left something out. Two processes took turns (walk of 2.1.4).
 */
function hasLostNothing(state: State, file: OpenFile, prompt: number, mark: number): boolean {
  const { table } = state
  const parent = t.int(table.parent, prompt)
  if (parent === t.none || t.int(table.file, parent) !== file.index || t.int(table.row, parent) >= mark)
    return false
  if (!walksParents(state, prompt) || !marksNoEnds(state, prompt)) return false
  const before = requestSize(state, answerBefore(state, prompt))
  return before > 0 && requestSize(state, answerBehind(state, file, prompt)) > before
}

/** Whether a row that is not part of the conversation was written behind a mark. */
function isLate(table: t.Table, { index }: OpenFile, node: number, mark: number): boolean {
  if (node === t.none || isConversation(table, node) || t.int(table.file, node) !== index) return false
  return t.int(table.row, node) > mark
}

/** The prompt, or the notification, of the turn that an entry stands in. */
function promptOf(table: t.Table, entry: number): number {
  let node = entry
  for (let steps = 0; node !== t.none && steps < longTurn; steps++) {
    if (isInput(table, node)) return node
    node = t.int(table.parent, node)
  }
  return t.none
}

function isStopSummary(state: State, node: number): boolean {
  return t.byte(state.table.kind, node) === t.System && subtypeOf(state, node) === 'stop_hook_summary'
}

/** The `last-prompt` rows of a file at which processes ended. */
export function endsByPrompt(state: State, file: OpenFile): readonly number[] {
  return file.lastPrompts.filter(mark => endsProcess(state, file, mark))
}

function lastStart({ starts }: OpenFile, row: number): number {
  return starts[countWhile(starts, first => first <= row) - 1] ?? 0
}

/** Whether a process is known to have ended, or another one to have begun, between two rows. */
export function hasEnded(state: State, file: OpenFile, from: number, to: number): boolean {
  const lastOf = (rows: readonly number[]): number => rows[countWhile(rows, row => row < to) - 1] ?? 0
  if (lastOf(file.costStates) > from || lastOf(file.starts) > from) return true
  const prompt = lastOf(file.lastPrompts)
  return prompt > from && endsProcess(state, file, prompt)
}

/** Whether a turn begins behind a `last-prompt`, which is not a compaction and does not follow at once. */
function endsProcess(state: State, file: OpenFile, row: number): boolean {
  const { table } = state
  if (file.midway[countWhile(file.midway, each => each < row)] === row) return false
  const next = file.spoken[countBefore(table, file.spoken, row)]
  if (next === undefined) return true
  if (!startsTurn(table, next) || t.byte(table.says, next) === t.SaysSummary) return false
  return !followsAtOnce(table, file, next) || lacksSummary(state, file, next)
}

/**
 * Whether a prompt hangs on an answer, though the turns before ended with a summary of stop hooks. That of the last turn stays in the
 * memory of a process that ends (walks of 2.1.126, whose next process begins after 500 ms).
 */
function lacksSummary(state: State, { nodes }: OpenFile, prompt: number): boolean {
  const { table } = state
  const answer = t.int(table.parent, prompt)
  if (answer === t.none || !isAnswer(state, answer)) return false
  const from = countBefore(table, nodes, t.int(table.row, prompt))
  return nodes.slice(Math.max(0, from - longTurn), from).some(node => isStopSummary(state, node))
}

/**
 * Whether a process may have begun with a prompt, where releases leave no mark of it. A hook summary stays in memory until
 * the next prompt, so a prompt that hangs on one is of the same process, and so is one that follows at once.
 */
function mayStartProcess(state: State, file: OpenFile, node: number): boolean {
  const { table } = state
  if (t.byte(table.says, node) !== t.SaysPrompt) return false
  const parent = t.int(table.parent, node)
  const isOnSummary = parent !== t.none && isStopSummary(state, parent)
  return !isOnSummary && !followsAtOnce(table, file, node)
}

/**
 * Whether an entry was written so soon after the one before it that no process can have started in between. One that goes
 * on from before the last turn comes from a new process, however soon: nobody rewinds that fast.
 */
function followsAtOnce(table: t.Table, file: OpenFile, node: number): boolean {
  const { spoken } = file
  const at = countBefore(table, spoken, t.int(table.row, node)) - 1
  const before = spoken[at]
  if (before === undefined || t.real(table.time, node) - t.real(table.time, before) >= quickestStart)
    return false
  return !leavesLastTurn(table, file, node, at)
}

/** Whether an entry hangs on one that stands before the turn which the entry at a position of `spoken` is in. */
function leavesLastTurn(table: t.Table, { index, spoken }: OpenFile, node: number, at: number): boolean {
  const parent = t.int(table.parent, node)
  if (parent === t.none || t.int(table.file, parent) !== index) return false
  const row = t.int(table.row, parent)
  for (let i = at; i >= 0 && at - i < longTurn; i--) {
    const entry = spoken[i] ?? t.none
    if (t.int(table.row, entry) <= row) return false
    if (startsTurn(table, entry)) return true
  }
  return false
}

/** Entries of a turn that are looked at, at most. */
const longTurn = 512

/**
 * Milliseconds from the last row of a process to the first prompt of the next: at least 1,100 in 62 walks of 2.1.75 to
 * 2.1.197. A process that goes on by itself, or gets its next prompt from a program, needs at most 800.
 */
const quickestStart = 900

/** Whether another process may have begun with a prompt, and the tokens of its first request do not tell. */
export function mayBeStart(state: State, file: OpenFile, node: number): boolean {
  return mayStartProcess(state, file, node) && !keepsCache(state, file, node) && !isLoss(state, file, node)
}

/**
 * Whether the first request of a turn is shorter than the last one of the turn before, though that was answered: of 2.1.0 to
 * 2.1.6x only a process that has loaded the file leaves something out (walks of 2.1.31).
 */
function isLoss(state: State, file: OpenFile, prompt: number): boolean {
  if (!walksParents(state, prompt) || !marksNoEnds(state, prompt)) return false
  const next = requestSize(state, answerBehind(state, file, prompt))
  return next > 0 && next < requestSize(state, answerBefore(state, prompt))
}

/**
 * Whether another process began with a prompt, where that process is known to have loaded less: then its first request is shorter than
 * the last one of the turn before.
 */
export function startAt(state: State, file: OpenFile, prompt: number): 'began' | 'went-on' | 'unknown' {
  if (!mayStartProcess(state, file, prompt)) return 'went-on'
  const next = requestSize(state, answerBehind(state, file, prompt))
  const before = requestSize(state, answerBefore(state, prompt))
  if (next === 0 || before === 0 || next === before) return 'unknown'
  return next < before ? 'began' : 'went-on'
}

/** The row of the last prompt, up to one, that is known by its size to be the first of a process; 0 for none. */
function lastLoss(state: State, file: OpenFile, row: number): number {
  const { losses } = lossesOf(state, file)
  return losses[countWhile(losses, loss => loss <= row) - 1] ?? 0
}

/** The rows of prompts that are known so, as far as a file was looked at. Files grow: the last prompt may have no answer yet. */
interface Losses {
  readonly losses: number[]
  looked: number
}

const lossesIn = new WeakMap<readonly number[], Losses>()

function lossesOf(state: State, file: OpenFile): Losses {
  const { spoken } = file
  const known = lossesIn.get(spoken) ?? { losses: [], looked: 0 }
  lossesIn.set(spoken, known)
  for (; known.looked < spoken.length; known.looked++) {
    const node = spoken[known.looked] ?? t.none
    if (!mayStartProcess(state, file, node)) continue
    if (answerBehind(state, file, node) === t.none) break
    if (isLoss(state, file, node)) known.losses.push(t.int(state.table.row, node))
  }
  return known
}

/**
 * Whether the first request of a turn read from the cache all that the last request of the turn before had put there: the
 * API finds only an equal beginning, so nothing of it was left out.
 */
function keepsCache(state: State, file: OpenFile, prompt: number): boolean {
  const { table, messages } = state
  const next = answerBehind(state, file, prompt)
  const before = usageOf(messages, t.int(table.message, answerBefore(state, prompt)))
  if (before === null) return false
  const cached = before.cacheRead + before.cacheWrite5m + before.cacheWrite1h
  const read = usageOf(messages, t.int(table.message, next))?.cacheRead ?? 0
  // No request reads what none has written: such usage is made up.
  return cached >= smallestCache && read >= cached && read < 2 * cached
}

/** The first answer on the rows behind a prompt, as far as a bounded search finds it. */
function answerBehind(state: State, { spoken }: OpenFile, prompt: number): number {
  const from = countBefore(state.table, spoken, t.int(state.table.row, prompt) + 1)
  return spoken.slice(from, from + nearRows).find(node => isAnswer(state, node)) ?? t.none
}

/** Tokens below which the API caches nothing. */
const smallestCache = 1024

const nearRows = 64
