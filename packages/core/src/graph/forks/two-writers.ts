/** F11: two processes on one session: each writes to its own side of a fork. */

import { unitOf } from '../facts.js'
import { countWhile } from '../positions.js'
import { hasEnded } from '../processes.js'
import { fileOf } from '../sightings.js'
import type { State } from '../state.js'
import * as t from '../table.js'

/** One sentence that tells why two processes wrote the branches of a fork; null where nothing shows it. */
export function twoWritersEvidence(
  state: State,
  branches: readonly number[],
  lastRows: Int32Array,
): string | null {
  if (isInterleaved(state, branches, lastRows))
    return 'both sides were written to after the other began: two processes wrote to this session at the same time'
  if (tookTurns(state, branches, lastRows))
    return 'the later side is of a process that was running when the other was written: two processes, one after the other'
  return null
}

/**
 * Whether an older branch has conversation on rows after a younger branch of the same file began. Parts and results of
 * one message are always written in turns, so of each message only the last row counts, and of all the last two.
 */
function isInterleaved(state: State, branches: readonly number[], lastRows: Int32Array): boolean {
  const { table } = state
  const grown = new Map<number, readonly Grown[]>()
  for (const branch of branches) {
    const file = t.int(table.file, branch)
    const unit = unitOf(state, branch)
    const older = grown.get(file) ?? []
    if (older.some(each => each.unit !== unit && each.row > t.int(table.row, branch))) return true
    const all = [...older, { unit, row: t.int(lastRows, branch) }].sort((a, b) => b.row - a.row)
    const first = all[0]
    grown.set(file, [...all.slice(0, 1), ...all.filter(each => each.unit !== first?.unit).slice(0, 1)])
  }
  return false
}

/** How far a message was written to. */
interface Grown {
  readonly unit: number
  readonly row: number
}

/** Whether a side was begun by a process that cannot have loaded the side before it. */
function tookTurns(state: State, branches: readonly number[], lastRows: Int32Array): boolean {
  const { table } = state
  return branches.some((younger, i) => {
    const older = branches[i - 1]
    if (older === undefined || t.int(table.file, older) !== t.int(table.file, younger)) return false
    const prompt = firstPrompt(table, younger)
    if (prompt === t.none) return false
    return isOlderThan(table, prompt, older) || isStillRunning(state, prompt, t.int(lastRows, older))
  })
}

/** The prompt that a branch begins with, behind rows that are not part of the conversation. */
function firstPrompt(table: t.Table, branch: number): number {
  let node = branch
  for (let steps = 0; steps < 64 && node !== t.none; steps++) {
    if (t.byte(table.says, node) === t.SaysPrompt) return node
    if (t.byte(table.kind, node) === t.Assistant) return t.none
    node = t.int(table.first, node)
  }
  return t.none
}

/** Whether the prompt hangs on a row that was made before the other side, but written behind it. */
function isOlderThan(table: t.Table, prompt: number, other: number): boolean {
  let row = t.int(table.parent, prompt)
  for (let steps = 0; steps < 64 && row !== t.none && t.byte(table.kind, row) > t.Assistant; steps++) {
    const isLater = t.int(table.row, row) > t.int(table.row, other)
    if (isLater && t.real(table.time, row) < t.real(table.time, other)) return true
    row = t.int(table.parent, row)
  }
  return false
}

/** Without a terminal nobody can go back: a prompt from the queue is of a new process, or of one that still runs. */
function isStillRunning(state: State, prompt: number, since: number): boolean {
  const file = fileOf(state, prompt)
  const row = t.int(state.table.row, prompt)
  const isMarked = file.costStates.length + file.lastPrompts.length > 0
  const last = file.queue[countWhile(file.queue, note => note.source.row < row) - 1]
  const isQueued = last?.operation === 'dequeue' && last.source.row > since
  return isMarked && isQueued && !hasEnded(state, file, since, row)
}

/** For every node the last row with an answer or typed input at or below it, in one pass over the forest. */
export function lastConversationRows(state: State): Int32Array {
  const { table } = state
  const rows = new Int32Array(table.size)
  const order = nodesDownwards(state)
  for (let i = order.length - 1; i >= 0; i--) {
    const node = t.int(order, i)
    const kind = t.byte(table.kind, node)
    const own = kind === t.Assistant || t.byte(table.says, node) === t.SaysPrompt ? t.int(table.row, node) : 0
    rows[node] = Math.max(t.int(rows, node), own)
    const up = t.int(table.up, node)
    const joined = up !== t.none && t.int(table.domain, up) === t.int(table.domain, node)
    if (joined) rows[up] = Math.max(t.int(rows, up), t.int(rows, node))
  }
  return rows
}

/** All placed nodes, parents before children. */
function nodesDownwards(state: State): Int32Array {
  const { table } = state
  const order = new Int32Array(table.size)
  let size = 0
  for (const domain of state.domains.list) for (const root of domain.roots) order[size++] = root
  for (let i = 0; i < size; i++) {
    let child = t.int(table.first, t.int(order, i))
    for (; child !== t.none; child = t.int(table.next, child)) order[size++] = child
  }
  return order.subarray(0, size)
}
