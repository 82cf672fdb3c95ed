/** Parents that lead nowhere, in circles or astray. What a resume loses, it loses here. */

import {
  callsOf,
  children,
  entryBefore,
  holdsInput,
  isAssistant,
  isConversation,
  isCutFromParent,
  isInFile,
  isPrompt,
  isResult,
  isSummary,
  liveChain,
  liveLeaf,
  nodeCount,
  none,
  parentIdOf,
  parentLinks,
  parentOf,
  roleOf,
  rowOf,
  toolsOf,
  unitOf,
} from '../graph/nodes.js'
import { cutCycles } from '../graph/parents.js'
import { positionsIn } from '../graph/positions.js'
import { GoesOn } from '../resume/content-marks.js'
import { type Bench, dropRow, isMarked, mainNodes, mend } from './bench.js'

/** Gives every entry that the talk hangs on a parent that stands in the file. */
export function mendLinks(bench: Bench): void {
  mendParents(bench)
  if (bench.wants('stale-parent')) {
    const chain = liveChain(bench.graph, liveLeaf(bench.graph, bench.file))
    mendForgotten(bench, chain)
    mendCommands(bench, chain)
    mendGoingOn(bench)
  }
  if (bench.wants('broken-compaction')) mendUnfinished(bench)
  cutNewCycles(bench)
}

/** Walks up from every entry of the talk. A mended link leads to entries that nothing hung on before. */
function mendParents(bench: Bench): void {
  const walked = new Uint8Array(nodeCount(bench.graph))
  for (const start of mainNodes(bench)) {
    let node = isConversation(bench.graph, start) ? start : none
    while (node !== none && walked[node] === 0) {
      walked[node] = 1
      if (isInFile(bench.graph, node, bench.file)) mendParent(bench, node)
      node = bench.parents.get(node) ?? parentOf(bench.graph, node)
    }
  }
}

function mendParent(bench: Bench, node: number): void {
  const { graph, file } = bench
  const named = parentIdOf(graph, node) ?? null
  if (named === null) {
    mendRoot(bench, node)
    return
  }
  const parent = parentOf(graph, node)
  if (parent !== none && isInFile(graph, parent, file)) return
  const isCut = isCutFromParent(graph, node)
  const kind = isCut ? 'cycle' : 'dangling-parent'
  const before = entryBefore(graph, node)
  // With nothing before it in the file nothing is lost at a parent that is not there; a circle must be opened.
  if ((before === none && !isCut) || !bench.wants(kind)) return
  if (!isCut && isSummary(graph, node)) {
    mendSummary(bench, node, before)
    return
  }
  bench.parents.set(node, before)
  const row = before === none ? null : rowOf(graph, before)
  const place = row === null ? 'nothing, as the first entry' : `the entry written before it, on row ${row}`
  if (isCut) mend(bench, kind, node, `Its parents lead back to it; it goes on from ${place}.`)
  else if (parent === none)
    mend(bench, kind, node, `Its parent ${named} was never written; it goes on from ${place}.`)
  else mend(bench, kind, node, `Its parent ${named} stands in another file; it goes on from ${place}.`)
}

/** An answer or a result cannot begin a conversation: without a parent a result goes on from its call, an answer from the entry before it. */
function mendRoot(bench: Bench, node: number): void {
  const { graph } = bench
  const isAnswer = isResult(graph, node)
  if (!isAnswer && !isAssistant(graph, node)) return
  const known = [parentOf(graph, node), callAbove(bench, node), entryBefore(graph, node)]
  const above = known.find(each => each !== none) ?? none
  if (above === none || !bench.wants('dangling-parent')) return
  bench.parents.set(node, above)
  const what = isAnswer ? 'A result' : 'An answer'
  const row = rowOf(graph, above)
  mend(bench, 'dangling-parent', node, `${what} without a parent; it goes on from the entry on row ${row}.`)
}

/** The last call before a result that it answers; none where there is none in the file. */
function callAbove({ graph, file }: Bench, node: number): number {
  if (!isResult(graph, node)) return none
  const calls = toolsOf(graph, node).flatMap(tool => callsOf(graph, tool))
  return calls.findLast(call => call < node && isInFile(graph, call, file)) ?? none
}

/**
 * C4: a summary whose boundary was never written: the conversation begins with it, as it does behind a boundary. Where a resume
 * loads entries before it today, it goes on from them: nothing that is loaded may go.
 */
function mendSummary(bench: Bench, node: number, before: number): void {
  const isBehind = [...bench.today].some(loaded => loaded < node)
  bench.parents.set(node, isBehind ? before : none)
  const place = isBehind ? 'goes on from the entry written before it' : 'begins the conversation'
  mend(bench, 'dangling-parent', node, `The boundary of its compaction was never written; it ${place}.`)
}

/** F1: after a crash the conversation went on from an older part of a message, and the turns since were forgotten. */
function mendForgotten(bench: Bench, chain: readonly number[]): void {
  const { graph, source } = bench
  const places = positionsIn(chain, nodeCount(graph))
  for (const fork of source.graph.forks()) {
    const place = places.get(fork.at)
    if (fork.kind !== 'rewind' || place === undefined) continue
    const inMessage = fork.children.filter(child => unitOf(graph, child) === unitOf(graph, fork.at))
    const typed = fork.children.filter(child => holdsInput(graph, child))
    if (inMessage.length < 2 || typed.length < 2) continue
    const prompt = promptBelow(bench, chain, place)
    if (prompt !== none)
      rehang(
        bench,
        prompt,
        'After a crash it was hung on an older part of a message, and the turns since were lost',
      )
  }
}

/** The prompt next to a place of a chain, towards its end. */
function promptBelow({ graph }: Bench, chain: readonly number[], place: number): number {
  for (let at = place - 1; at >= 0; at--) {
    const node = chain[at] ?? none
    if (isPrompt(graph, node)) return node
  }
  return none
}

/** F8: 1.0.x hangs every local command of a process on its one caveat, and a resume steps over what was said since. */
function mendCommands(bench: Bench, chain: readonly number[]): void {
  const { graph } = bench
  for (const node of chain) {
    const parent = parentOf(graph, node)
    if (roleOf(graph, node) !== 'command' || parent === none) continue
    if (roleOf(graph, parent) === 'caveat' && entryBefore(graph, node) !== parent)
      rehang(bench, node, 'The client hung it on the first note of its process, however much was said since')
  }
}

/** The prompt that the client makes up when it goes on by itself, hung on an entry that was not the last. */
function mendGoingOn(bench: Bench): void {
  for (const node of mainNodes(bench)) {
    if (!isMarked(bench, node, GoesOn) || bench.parents.has(node)) continue
    const parent = parentOf(bench.graph, node)
    const before = entryBefore(bench.graph, node)
    if (parent !== none && before !== parent && isAbove(bench, parent, before))
      rehang(bench, node, 'The client went on by itself from an entry that was not the last')
  }
}

function rehang(bench: Bench, node: number, why: string): void {
  const before = entryBefore(bench.graph, node)
  if (before === none || isAbove(bench, node, before)) return
  bench.parents.set(node, before)
  mend(
    bench,
    'stale-parent',
    node,
    `${why}; it goes on from the entry before it, on row ${rowOf(bench.graph, before)}.`,
  )
}

/** Whether a node is above another, or is it. */
function isAbove({ graph }: Bench, above: number, below: number): boolean {
  for (let node = below, left = nodeCount(graph); node !== none && left > 0; left--) {
    if (node === above) return true
    node = parentOf(graph, node)
  }
  return false
}

/** C4: a boundary without a summary, with a conversation that hangs on it: a resume would stop there. */
function mendUnfinished(bench: Bench): void {
  const { graph, file } = bench
  const rehung = new Set(bench.parents.values())
  for (const { boundary, summary, logical } of file.compactions) {
    if (summary !== none || (children(graph, boundary).length === 0 && !rehung.has(boundary))) continue
    const before = logical === none ? entryBefore(graph, boundary) : logical
    bench.parents.set(boundary, before)
    const why = 'The compaction has no summary: it was not finished, and the conversation goes on without it.'
    dropRow(bench, 'broken-compaction', boundary, why)
  }
}

/** Entries may hang on later rows, so a parent that stands before can close a circle: one further up is taken instead. */
function cutNewCycles(bench: Bench): void {
  const { graph, parents } = bench
  if (parents.size === 0) return
  const links = parentLinks(graph)
  for (const [node, parent] of parents) links[node] = parent
  cutCycles(links, mainNodes(bench), cycle => {
    const bent = cycle.find(node => parents.has(node)) ?? none
    if (bent === none) return
    const free = freeBefore(bench, links, bent)
    links[bent] = free
    parents.set(bent, free)
  })
}

/** The nearest entry written before one that does not hang below it; none where there is none near. */
function freeBefore({ graph }: Bench, links: Int32Array, node: number): number {
  let before = entryBefore(graph, node)
  for (let left = MOST_TRIED; before !== none && left > 0; left--) {
    if (!leadsTo(links, before, node)) return before
    before = entryBefore(graph, before)
  }
  return none
}

const MOST_TRIED = 64

function leadsTo(links: Int32Array, below: number, above: number): boolean {
  let node = below
  for (let left = links.length; node !== none && node !== above && left > 0; left--)
    node = links[node] ?? none
  // A walk that never ends is in another circle: nothing may hang there either.
  return node !== none
}
