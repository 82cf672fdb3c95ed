/** What is said in a file under edit: the live conversation, with what mended links lead to. */
import { liveChain, resumeChain, sendChain } from '../graph/live.js'
import { createNodeList } from '../graph/positions.js'
import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'
import type { Bench } from './bench.js'
import { standIn } from './leave-copies.js'

/** The live conversation, with what the mended links lead to. */
export function talkOf(bench: Bench, end: number): readonly number[] {
  const { state, file, parents } = bench
  const send = bench.isStraight ? resumeChain : sendChain
  const pieces: (readonly number[])[] = []
  const seen = new Set<number>()
  let chain = liveChain(state, end, t.none)
  let from = 0
  for (let leaf = end; leaf !== t.none && !seen.has(leaf); ) {
    seen.add(leaf)
    const kept = new Set(state.compactionOf.get(chain.at(-1) ?? t.none)?.preserved)
    let at = from
    while (at < chain.length && (!parents.has(chain[at] ?? t.none) || kept.has(chain[at] ?? t.none))) at++
    pieces.push(send(state, file, chain.slice(from, at + 1), leaf === end ? leaf : t.none).nodes)
    leaf = at < chain.length ? (parents.get(chain[at] ?? t.none) ?? t.none) : t.none
    // Over most gaps the graph has gone the same way: the rest of the chain is that of the new link.
    const goesOn = chain[at + 1] === leaf && !isAnchor(state, leaf)
    chain = goesOn || leaf === t.none ? chain : liveChain(state, leaf, t.none)
    from = goesOn ? at + 1 : 0
  }
  pieces.reverse()
  const { size, file: files } = state.table
  const talk = createNodeList(size, size)
  const isIn = (node: number): boolean => t.int(files, node) === file.index && !bench.dropped.has(node)
  for (const piece of pieces) {
    for (const said of piece) {
      const node = standIn(bench, said)
      if (isIn(node)) talk.add(node)
    }
  }
  return partsInOrder(bench, talk.list)
}

/** Whether entries that a compaction kept stand behind this one. */
function isAnchor({ table }: State, node: number): boolean {
  return t.marked(table, node, t.Boundary) || t.byte(table.says, node) === t.SaysSummary
}

/** Parts whose links are mended stand where they were written: the graph has sorted them by the links as they were. */
function partsInOrder({ state, parents }: Bench, talk: readonly number[]): readonly number[] {
  const { table } = state
  const messages = new Set([...parents.keys()].map(node => t.int(table.message, node)))
  const isMended = (node: number): boolean =>
    t.byte(table.kind, node) === t.Assistant && messages.has(t.int(table.message, node))
  const ordered = [...talk]
  for (let start = 0; start < talk.length; start++) {
    let end = start
    while (end < talk.length && isMended(talk[end] ?? t.none) && isSameMessage(table, talk, start, end)) end++
    if (end - start > 1) ordered.splice(start, end - start, ...talk.slice(start, end).sort((a, b) => a - b))
    start = Math.max(start, end - 1)
  }
  return ordered
}

function isSameMessage(table: t.Table, talk: readonly number[], a: number, b: number): boolean {
  return t.int(table.message, talk[a] ?? t.none) === t.int(table.message, talk[b] ?? t.none)
}
