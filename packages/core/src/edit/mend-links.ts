/** Parents that lead nowhere, in circles or astray. What a resume loses, it loses here. */
import { lastBefore } from '../graph/compactions.js'
import { Input, unitOf } from '../graph/facts.js'
import { cutCycles } from '../graph/link.js'
import { isConversation, liveChain, liveLeaf } from '../graph/live.js'
import { positionsIn } from '../graph/positions.js'
import * as t from '../graph/table.js'
import { callsOf, toolsOf } from '../graph/tool-book.js'
import { GoesOn } from '../resume/content-marks.js'
import { type Bench, dropRow, isMarked, mainNodes, mend } from './bench.js'

/** Gives every entry that the talk hangs on a parent that stands in the file. */
export function mendLinks(bench: Bench): void {
  mendParents(bench)
  if (bench.wants('stale-parent')) {
    const chain = liveChain(bench.state, liveLeaf(bench.state, bench.file), t.none)
    mendForgotten(bench, chain)
    mendCommands(bench, chain)
    mendGoingOn(bench)
  }
  if (bench.wants('broken-compaction')) mendUnfinished(bench)
  cutNewCycles(bench)
}

/** Walks up from every entry of the talk. A mended link leads to entries that nothing hung on before. */
function mendParents(bench: Bench): void {
  const { table } = bench.state
  const walked = new Uint8Array(table.size)
  for (const start of mainNodes(bench)) {
    let node = isConversation(table, start) ? start : t.none
    while (node !== t.none && walked[node] === 0) {
      walked[node] = 1
      if (t.int(table.file, node) === bench.file.index) mendParent(bench, node)
      node = bench.parents.get(node) ?? t.int(table.parent, node)
    }
  }
}

function mendParent(bench: Bench, node: number): void {
  const { state, file } = bench
  const { table } = state
  const named = table.parentIds[node] ?? null
  if (named === null) {
    mendRoot(bench, node)
    return
  }
  const parent = t.int(table.parent, node)
  if (parent !== t.none && t.int(table.file, parent) === file.index) return
  const isCut = t.marked(table, node, t.CutParent)
  const kind = isCut ? 'cycle' : 'dangling-parent'
  const before = lastBefore(state, node)
  // With nothing before it in the file nothing is lost at a parent that is not there; a circle must be opened.
  if ((before === t.none && !isCut) || !bench.wants(kind)) return
  if (!isCut && t.byte(table.says, node) === t.SaysSummary) {
    mendSummary(bench, node, before)
    return
  }
  bench.parents.set(node, before)
  const row = before === t.none ? null : t.int(table.row, before)
  const place = row === null ? 'nothing, as the first entry' : `the entry written before it, on row ${row}`
  if (isCut) mend(bench, kind, node, `Its parents lead back to it; it goes on from ${place}.`)
  else if (parent === t.none)
    mend(bench, kind, node, `Its parent ${named} was never written; it goes on from ${place}.`)
  else mend(bench, kind, node, `Its parent ${named} stands in another file; it goes on from ${place}.`)
}

/** An answer or a result cannot begin a conversation: without a parent a result goes on from its call, an answer from the entry before it. */
function mendRoot(bench: Bench, node: number): void {
  const { state } = bench
  const isResult = t.byte(state.table.says, node) === t.SaysResult
  if (!isResult && t.byte(state.table.kind, node) !== t.Assistant) return
  const known = [t.int(state.table.parent, node), callAbove(bench, node), lastBefore(state, node)]
  const above = known.find(each => each !== t.none) ?? t.none
  if (above === t.none || !bench.wants('dangling-parent')) return
  bench.parents.set(node, above)
  const what = isResult ? 'A result' : 'An answer'
  const row = t.int(state.table.row, above)
  mend(bench, 'dangling-parent', node, `${what} without a parent; it goes on from the entry on row ${row}.`)
}

/** The last call before a result that it answers; none where there is none in the file. */
function callAbove({ state, file }: Bench, node: number): number {
  const { table } = state
  if (t.byte(table.says, node) !== t.SaysResult) return t.none
  const calls = toolsOf(state, node).flatMap(tool => callsOf(state, tool))
  return calls.findLast(call => call < node && t.int(table.file, call) === file.index) ?? t.none
}

/**
 * C4: a summary whose boundary was never written: the conversation begins with it, as it does behind a boundary. Where a resume
 * loads entries before it today, it goes on from them: nothing that is loaded may go.
 */
function mendSummary(bench: Bench, node: number, before: number): void {
  const isBehind = [...bench.today].some(loaded => loaded < node)
  bench.parents.set(node, isBehind ? before : t.none)
  const place = isBehind ? 'goes on from the entry written before it' : 'begins the conversation'
  mend(bench, 'dangling-parent', node, `The boundary of its compaction was never written; it ${place}.`)
}

/** N1: after a crash the conversation went on from an older part of a message, and the turns since were forgotten. */
function mendForgotten(bench: Bench, chain: readonly number[]): void {
  const { state, source } = bench
  const { table } = state
  const places = positionsIn(chain, table.size)
  for (const fork of source.graph.forks()) {
    const place = places.get(fork.at)
    if (fork.kind !== 'rewind' || place === undefined) continue
    const inMessage = fork.children.filter(child => unitOf(state, child) === unitOf(state, fork.at))
    const typed = fork.children.filter(child => (t.byte(table.facts, child) & Input) !== 0)
    if (inMessage.length < 2 || typed.length < 2) continue
    const prompt = promptBelow(bench, chain, place)
    if (prompt !== t.none)
      rehang(
        bench,
        prompt,
        'After a crash it was hung on an older part of a message, and the turns since were lost',
      )
  }
}

/** The prompt next to a place of a chain, towards its end. */
function promptBelow({ state }: Bench, chain: readonly number[], place: number): number {
  for (let at = place - 1; at >= 0; at--) {
    const node = chain[at] ?? t.none
    if (t.byte(state.table.says, node) === t.SaysPrompt) return node
  }
  return t.none
}

/** F8: 1.0.x hangs every local command of a process on its one caveat, and a resume steps over what was said since. */
function mendCommands(bench: Bench, chain: readonly number[]): void {
  const { state } = bench
  const { table } = state
  for (const node of chain) {
    const parent = t.int(table.parent, node)
    if (t.byte(table.says, node) !== t.SaysCommand || parent === t.none) continue
    if (t.byte(table.says, parent) === t.SaysCaveat && lastBefore(state, node) !== parent)
      rehang(bench, node, 'The client hung it on the first note of its process, however much was said since')
  }
}

/** The prompt that the client makes up when it goes on by itself, hung on an entry that was not the last. */
function mendGoingOn(bench: Bench): void {
  for (const node of mainNodes(bench)) {
    if (!isMarked(bench, node, GoesOn) || bench.parents.has(node)) continue
    const parent = t.int(bench.state.table.parent, node)
    const before = lastBefore(bench.state, node)
    if (parent !== t.none && before !== parent && isAbove(bench, parent, before))
      rehang(bench, node, 'The client went on by itself from an entry that was not the last')
  }
}

function rehang(bench: Bench, node: number, why: string): void {
  const { table } = bench.state
  const before = lastBefore(bench.state, node)
  if (before === t.none || isAbove(bench, node, before)) return
  bench.parents.set(node, before)
  mend(
    bench,
    'stale-parent',
    node,
    `${why}; it goes on from the entry before it, on row ${t.int(table.row, before)}.`,
  )
}

/** Whether a node is above another, or is it. */
function isAbove({ state }: Bench, above: number, below: number): boolean {
  for (let node = below, left = state.table.size; node !== t.none && left > 0; left--) {
    if (node === above) return true
    node = t.int(state.table.parent, node)
  }
  return false
}

/** C4: a boundary without a summary, with a conversation that hangs on it: a resume would stop there. */
function mendUnfinished(bench: Bench): void {
  const { state, file } = bench
  const { table } = state
  const rehung = new Set(bench.parents.values())
  for (const { boundary, summary, logical } of file.compactions) {
    if (summary !== t.none || (t.int(table.first, boundary) === t.none && !rehung.has(boundary))) continue
    const before = logical === t.none ? lastBefore(state, boundary) : logical
    bench.parents.set(boundary, before)
    const why = 'The compaction has no summary: it was not finished, and the conversation goes on without it.'
    dropRow(bench, 'broken-compaction', boundary, why)
  }
}

/** Entries may hang on later rows, so a parent that stands before can close a circle: one further up is taken instead. */
function cutNewCycles(bench: Bench): void {
  const { state, parents } = bench
  if (parents.size === 0) return
  const links = Int32Array.from(state.table.parent)
  for (const [node, parent] of parents) links[node] = parent
  cutCycles(links, mainNodes(bench), cycle => {
    const bent = cycle.find(node => parents.has(node)) ?? t.none
    if (bent === t.none) return
    const free = freeBefore(bench, links, bent)
    links[bent] = free
    parents.set(bent, free)
  })
}

/** The nearest entry written before one that does not hang below it; none where there is none near. */
function freeBefore({ state }: Bench, links: Int32Array, node: number): number {
  let before = lastBefore(state, node)
  for (let left = MOST_TRIED; before !== t.none && left > 0; left--) {
    if (!leadsTo(links, before, node)) return before
    before = lastBefore(state, before)
  }
  return t.none
}

const MOST_TRIED = 64

function leadsTo(links: Int32Array, below: number, above: number): boolean {
  let node = below
  for (let left = links.length; node !== t.none && node !== above && left > 0; left--)
    node = t.int(links, node)
  // A walk that never ends is in another circle: nothing may hang there either.
  return node !== t.none
}
