/**
 * L9: rows written late. A process has its conversation in memory and writes what is new when the next turn begins. Rows
 * that are not part of the conversation (progress, hook summaries, failed requests) stand early in memory, but are written only then,
 * and the prompt, written together with them, hangs on them:
 *
 *     u1 -> a1[call] -> r1 -> a2        in memory: u1 a1 p1 r1 a2 u2
 *             '-> p1 -> u2              a2 was sent with u2, though no parent leads from u2 to a2
 *
 * The process that wrote the prompt goes on from the end of the turn. A process that loads the file walks parents and
 * has lost the rest of that turn. Evidence: `progress` in random-2.1.75/9163, `api_error` in random-2.1.197/318,
 * `stop_hook_summary` in random-2.1.101/507. The row's own time shows that it is late. A row that was made after the
 * entries before it is not: that is a rewind.
 */

import { countBefore } from './positions.js'
import { fileOf, isConversation, startsTurn } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/**
 * The entry after which the writer of a turn's first entry went on, where rows written late stand between the two; none
 * where its parents lead there.
 */
export function endOfTurnBefore(state: State, node: number): number {
  const { table } = state
  if (!startsTurn(table, node)) return t.none
  const budget = { steps: mostSteps }
  let row = t.int(table.parent, node)
  for (let rows = 0; rows < mostRows && budget.steps > 0; rows++) {
    if (row === t.none || isConversation(table, row)) break
    const end = restOfTurn(state, row, budget)
    if (end !== t.none) return t.real(table.time, row) < t.real(table.time, end) ? end : t.none
    row = t.int(table.parent, row)
  }
  return t.none
}

/** How many rows that are not part of the conversation stand between two turns at most. */
const mostRows = 20_000

/** How many entries are looked at for one prompt at most. Files made to be slow have thousands of such prompts. */
const mostSteps = 5000

interface Budget {
  steps: number
}

/** The last entry of the turn that a row hangs in, where it was written before that row; else none. */
function restOfTurn(state: State, late: number, budget: Budget): number {
  const { table } = state
  const parent = t.int(table.parent, late)
  const { index, spoken } = fileOf(state, late)
  if (parent === t.none || t.int(table.file, parent) !== index) return t.none
  const before = countBefore(table, spoken, t.int(table.row, late))
  const last = spoken[before - 1] ?? t.none
  if (last === t.none || t.int(table.row, last) <= t.int(table.row, parent)) return t.none
  const start = startOfTurn(table, parent, budget)
  for (let i = before - 1; i >= 0 && budget.steps > 0; i--) {
    const node = spoken[i] ?? t.none
    if (t.int(table.row, node) <= t.int(table.row, parent)) return t.none
    // Another process may write to the same file: its turns lead to another start.
    const end = endOfTurn(table, node, start, budget)
    if (end !== t.none) return end
  }
  return t.none
}

/** The entry that began the turn of an entry. */
function startOfTurn(table: t.Table, from: number, budget: Budget): number {
  let node = from
  for (; budget.steps > 0 && !startsTurn(table, node); budget.steps--) {
    const parent = t.int(table.parent, node)
    if (parent === t.none) break
    node = parent
  }
  return node
}

/** Up from an entry to the start of a turn: the last entry of that turn on the way; none where it does not lead there. */
function endOfTurn(table: t.Table, from: number, start: number, budget: Budget): number {
  let end = t.none
  let node = from
  for (; budget.steps > 0 && node !== start && node !== t.none; budget.steps--) {
    if (t.int(table.row, node) < t.int(table.row, start)) return t.none
    if (startsTurn(table, node)) end = t.none
    else if (end === t.none && isConversation(table, node)) end = node
    node = t.int(table.parent, node)
  }
  return node === start ? end : t.none
}
