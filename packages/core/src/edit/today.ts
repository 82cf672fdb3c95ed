/** What a resume loads of a file today, held against its conversation: a repair may not take any of it away. */
import { unitOf } from '../graph/facts.js'
import { firstPartOf } from '../graph/message-book.js'
import * as t from '../graph/table.js'
import { callsOf, toolsOf } from '../graph/tool-book.js'
import { Blank, EmptyBlock, Unsigned } from '../resume/content-marks.js'
import { type Bench, compactionIn, isMarked, type Said } from './bench.js'
import { standIn } from './leave-copies.js'

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

/** What is loaded today; where the conversation has a copy of an entry, or one that says the same at the same time, that one. */
function withSame(bench: Bench, today: readonly number[], talk: readonly Said[]): readonly number[] {
  const said = new Set(talk)
  if (today.every(node => said.has(node))) return today
  const nodes = talk.filter(item => typeof item === 'number')
  const originals = new Map(nodes.map(node => [originalOf(bench, node), node]))
  const looks = new Map(nodes.map(node => [looksOf(bench, node), node]))
  return today.map(node => {
    if (said.has(node)) return node
    return originals.get(originalOf(bench, node)) ?? looks.get(looksOf(bench, node) ?? '') ?? node
  })
}

/** G7: the entry that a copy repeats, or the entry itself. */
function originalOf({ state }: Bench, node: number): number {
  const original = t.int(state.table.copyOf, node)
  return original === t.none ? node : original
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

/** Of what is loaded today, what a resume must load of the result: all that is not said again, or summed up, there. */
export function whatMustStay(
  bench: Bench,
  today: readonly number[],
  talk: readonly Said[],
): readonly number[] {
  const summed = summedUp(bench, talk)
  const said = new Set(talk)
  return withSame(bench, uniqueIn(bench, today), talk).filter(
    node => said.has(node) || !isSummed(bench, summed, node),
  )
}

/** Whether an entry, or the call that it answers, is summed up. */
function isSummed({ state }: Bench, summed: ReadonlySet<number>, node: number): boolean {
  if (summed.has(node) || t.byte(state.table.says, node) !== t.SaysResult) return summed.has(node)
  return toolsOf(state, node).some(tool => callsOf(state, tool).some(call => summed.has(call)))
}

/** What the summary stands for that a conversation begins with: entries above its boundary are not taken away by a repair. */
function summedUp(bench: Bench, talk: readonly Said[]): ReadonlySet<number> {
  const { table } = bench.state
  const summed = new Set<number>()
  const compaction = compactionIn(bench, talk)
  let node = compaction === null ? t.none : t.int(table.up, compaction.boundary)
  for (let left = table.size; node !== t.none && left > 0; left--, node = t.int(table.up, node)) {
    summed.add(node)
    const message = t.int(table.message, node)
    if (message === t.none) continue
    for (let part = firstPartOf(bench.state, message); part !== t.none; part = t.int(table.nextPart, part))
      summed.add(part)
  }
  return summed
}
