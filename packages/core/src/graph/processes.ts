/**
 * Where a process ended. What stands before was loaded from the file by the next one; what follows is what a process had
 * in memory. New releases end with a `cost-state`; older ones with a `last-prompt`, which they also write within a turn
 * and before a compaction; the oldest leave no mark. A process that was killed leaves none either, but the next one may
 * begin with a stub, with a hook that runs at its start, or with a prompt right behind an unfinished reply.
 */

import { linkOf } from './adopt.js'
import { subtypeOf } from './compactions.js'
import type { OpenFile } from './file-record.js'
import { usageOf } from './messages.js'
import { atTheEnd, hasCostStates, type Moment } from './moment.js'
import { countBefore, countWhile } from './positions.js'
import { isAnswer, startsTurn } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The row before which all was loaded from the file by the process that wrote an entry; 0 where nothing tells. */
export function lastProcessEnd(
  { table }: State,
  file: OpenFile,
  node: number,
  moment: Moment = atTheEnd,
): number {
  if (node === t.none) return 0
  const row = t.int(table.row, node)
  const end = hasCostStates(file, moment)
    ? file.costStates.findLast(mark => mark < row)
    : file.lastPrompts.findLast(mark => mark < row && endsProcess(table, file, mark))
  return Math.max(lastStart(file, row), end ?? 0)
}

/** The same for many entries of a file: given the rows at which processes ended. */
export function lastEndAmong(
  { table }: State,
  file: OpenFile,
  node: number,
  ends: readonly number[],
): number {
  if (node === t.none) return 0
  const row = t.int(table.row, node)
  return Math.max(lastStart(file, row), ends[countWhile(ends, end => end < row) - 1] ?? 0)
}

/** The `last-prompt` rows of a file at which processes ended. */
export function endsByPrompt({ table }: State, file: OpenFile): readonly number[] {
  return file.lastPrompts.filter(mark => endsProcess(table, file, mark))
}

function lastStart({ starts }: OpenFile, row: number): number {
  return starts[countWhile(starts, first => first <= row) - 1] ?? 0
}

/** Whether a process is known to have ended, or another one to have begun, between two rows. */
export function hasEnded({ table }: State, file: OpenFile, from: number, to: number): boolean {
  const lastOf = (rows: readonly number[]): number => rows[countWhile(rows, row => row < to) - 1] ?? 0
  if (lastOf(file.costStates) > from || lastOf(file.starts) > from) return true
  const prompt = lastOf(file.lastPrompts)
  return prompt > from && endsProcess(table, file, prompt)
}

/** Whether a turn begins behind a `last-prompt`, which is not a compaction and does not follow at once. */
function endsProcess(table: t.Table, file: OpenFile, row: number): boolean {
  const next = file.spoken[countBefore(table, file.spoken, row)]
  if (next === undefined) return true
  if (!startsTurn(table, next) || t.byte(table.says, next) === t.SaysSummary) return false
  return !followsAtOnce(table, file, next)
}

/**
 * Whether a process may have begun with a prompt, where releases leave no mark of it. A hook summary stays in memory until
 * the next prompt, so a prompt that hangs on one is of the same process, and so is one that follows at once.
 */
function mayStartProcess(state: State, file: OpenFile, node: number): boolean {
  const { table } = state
  if (t.byte(table.says, node) !== t.SaysPrompt) return false
  const parent = t.int(table.parent, node)
  const isOnSummary =
    t.byte(table.kind, parent) === t.System && subtypeOf(state, parent) === 'stop_hook_summary'
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

/** Whether another process may have begun with a prompt, and the cache does not tell otherwise. */
export function mayBeStart(state: State, file: OpenFile, node: number): boolean {
  return mayStartProcess(state, file, node) && !keepsCache(state, file, node)
}

/**
 * Whether the first request of a turn read from the cache all that the last request of the turn before had put there: the
 * API finds only an equal beginning, so nothing of it was left out.
 */
function keepsCache(state: State, { spoken }: OpenFile, prompt: number): boolean {
  const { table, messages } = state
  const from = countBefore(table, spoken, t.int(table.row, prompt) + 1)
  const next = spoken.slice(from, from + nearRows).find(node => isAnswer(state, node)) ?? t.none
  const before = usageOf(messages, t.int(table.message, answerBefore(state, prompt)))
  if (before === null) return false
  const cached = before.cacheRead + before.cacheWrite5m + before.cacheWrite1h
  const read = usageOf(messages, t.int(table.message, next))?.cacheRead ?? 0
  // No request reads what none has written: such usage is made up.
  return cached >= smallestCache && read >= cached && read < 2 * cached
}

/** Tokens below which the API caches nothing. */
const smallestCache = 1024

const nearRows = 64

/** The last answer above another one, as far as a bounded search finds it. */
export function answerBefore(state: State, node: number): number {
  const message = t.int(state.table.message, node)
  let above = linkOf(state, node)
  for (let steps = 0; above !== t.none && steps < 256; steps++) {
    if (isAnswer(state, above) && t.int(state.table.message, above) !== message) return above
    above = linkOf(state, above)
  }
  return t.none
}
