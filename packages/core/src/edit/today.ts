/** What a resume loads of a file today, held against its conversation: a repair may not take any of it away. */
import { unitOf } from '../graph/facts.js'
import * as t from '../graph/table.js'
import { callsOf, toolsOf } from '../graph/tool-book.js'
import { type Bench, isMarked, type Said } from './bench.js'
import { standIn } from './leave-copies.js'
import { Blank, EmptyBlock, Unsigned } from './survey.js'

/** Entries that will be in the file, each once. */
export function uniqueIn(bench: Bench, nodes: readonly number[]): readonly number[] {
  return [...new Set(nodes.map(node => standIn(bench, node)))].filter(node => !bench.dropped.has(node))
}

/** Whether what is loaded today has all of the conversation that can be sent: where it has other things, one has to choose. */
export function hasAllOf(bench: Bench, today: readonly number[], live: readonly number[]): boolean {
  const there = new Set(withSame(bench, uniqueIn(bench, today), live))
  const isSendable = (node: number): boolean =>
    !isMarked(bench, node, EmptyBlock | Blank | Unsigned) &&
    !t.marked(bench.state.table, node, t.ThinkingOnly)
  return live.every(node => there.has(node) || !isSendable(node) || isStray(bench, node))
}

function isStray({ state }: Bench, node: number): boolean {
  if (t.byte(state.table.says, node) !== t.SaysResult) return false
  return toolsOf(state, node).every(tool => callsOf(state, tool).length === 0)
}

/** What is loaded today, where the conversation has an entry that says the same at the same time: that one instead. */
export function withSame(bench: Bench, today: readonly number[], talk: readonly Said[]): readonly number[] {
  const said = new Set(talk)
  const other = today.filter(node => !said.has(node))
  if (other.length === 0) return today
  const known = new Map(
    talk.filter(item => typeof item === 'number').map(node => [looksOf(bench, node), node]),
  )
  return today.map(node => (said.has(node) ? node : (known.get(looksOf(bench, node) ?? '') ?? node)))
}

/** What an entry is known by without any id: what it is, what it says and when; null without a time. */
function looksOf({ state: { table } }: Bench, node: number): string | null {
  const time = t.real(table.time, node)
  if (Number.isNaN(time)) return null
  return `${t.byte(table.kind, node)} ${t.byte(table.says, node)} ${t.real(table.print, node)} ${time}`
}

/** Thoughts are sent with what was said after them: where that is gone, they are not promised. */
export function withoutBareThoughts({ state }: Bench, talk: readonly Said[]): readonly Said[] {
  const { table } = state
  const isThought = (node: number): boolean => t.marked(table, node, t.ThinkingOnly)
  const spoken = new Set<number>()
  for (const item of talk) if (typeof item === 'number' && !isThought(item)) spoken.add(unitOf(state, item))
  return talk.filter(item => typeof item !== 'number' || !isThought(item) || spoken.has(unitOf(state, item)))
}
