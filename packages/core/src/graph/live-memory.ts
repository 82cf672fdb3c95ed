/**
 * L5: live conversations are remembered. Rows that only go on from the last prompt cost in proportion to
 * themselves: what stands before that prompt is taken over.
 */
import { type Live, liveChain, liveConversation, liveLeaf, sendChain } from './live.js'
import { firstPartOf } from './message-book.js'
import type { FileRecord, State } from './state.js'
import * as t from './table.js'
import { callsOf, toolsOf } from './tool-book.js'

/** A live conversation, and how much of the graph it was computed from. */
export interface LiveMemory {
  readonly live: Live
  readonly settled: number
  /** How many of the file's own sightings that were. */
  readonly nodes: number
}

/** The live nodes of a file. */
export function liveOf(state: State, file: FileRecord): readonly number[] {
  const known = state.live.get(file.index)
  if (known?.settled === state.settled) return known.live.nodes
  const live = (known === undefined ? null : goOn(state, file, known)) ?? liveConversation(state, file)
  state.live.set(file.index, { live, settled: state.settled, nodes: file.nodes.length })
  return live.nodes
}

/** The next live conversation from the one before; null where the new rows reach behind its last prompt. */
function goOn(state: State, file: FileRecord, known: LiveMemory): Live | null {
  const { prompt } = known.live
  if (file.nodes.length === known.nodes) return known.live
  if (prompt === t.none || reachesBehind(state, file, known)) return null
  const leaf = liveLeaf(state, file)
  const chain = liveChain(state, leaf, prompt)
  if (chain.at(-1) !== prompt) return null
  const next = sendChain(state, file, chain, leaf)
  if (next.loadedUpTo !== known.live.loadedUpTo) return null
  if (next.nodes.some(node => t.int(state.table.row, node) < t.int(state.table.row, prompt))) return null
  const kept = known.live.nodes.indexOf(prompt)
  return kept < 0 ? null : { ...next, nodes: [...known.live.nodes.slice(0, kept), ...next.nodes] }
}

/** Whether a new entry is a part or result of a message that stands before the last prompt, or a compaction. */
function reachesBehind(state: State, file: FileRecord, known: LiveMemory): boolean {
  const { table } = state
  const row = t.int(table.row, known.live.prompt)
  const isBefore = (node: number): boolean =>
    t.int(table.row, node) < row || t.int(table.file, node) !== file.index
  for (let i = known.nodes; i < file.nodes.length; i++) {
    const node = file.nodes[i] ?? t.none
    if (t.marked(table, node, t.Boundary) || t.byte(table.says, node) === t.SaysSummary) return true
    const message = t.int(table.message, node)
    if (message !== t.none && isBefore(firstPartOf(state, message))) return true
    if (t.byte(table.kind, node) !== t.User) continue
    if (toolsOf(state, node).some(tool => callsOf(state, tool).some(isBefore))) return true
  }
  return false
}
