/** F11: two processes on one session: both sides grow, their rows interleaved. */
import type { State } from '../state.js'
import * as t from '../table.js'

/** Whether an older branch has conversation on rows after a younger branch of the same file began. */
export function isInterleaved(state: State, branches: readonly number[], lastRows: Int32Array): boolean {
  const { table } = state
  const grown = new Map<number, number>()
  for (const branch of branches) {
    const file = t.int(table.file, branch)
    const older = grown.get(file) ?? 0
    if (older > t.int(table.row, branch)) return true
    grown.set(file, Math.max(older, t.int(lastRows, branch)))
  }
  return false
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
