/**
 * L5: live conversations are remembered. Rows that only go on from the last prompt cost in proportion to
 * themselves: what stands before that prompt is taken over.
 */
import type { OpenFile } from './file-record.js'
import { type Live, liveChain, liveConversation, liveLeaf, sendChain } from './live.js'
import { firstPartOf } from './messages.js'
import type { State } from './state.js'
import * as t from './table.js'
import { callsOf, toolsOf } from './tools.js'

/** A live conversation, and how much of the graph it was computed from. */
export interface LiveMemory {
  readonly live: Live
  readonly linked: number
  /** How many of the file's own sightings that were. */
  readonly nodes: number
  /** The same of the other files that the conversation passes through. */
  readonly others: ReadonlyMap<number, number>
}

/** The live nodes of a file. */
export function liveOf(state: State, file: OpenFile): readonly number[] {
  const known = state.live.get(file.index)
  if (known?.linked === state.linked) return known.live.nodes
  const live = (known === undefined ? null : goOn(state, file, known)) ?? liveConversation(state, file)
  const others = new Map([...live.others].map(index => [index, sizeOf(state, index)]))
  state.live.set(file.index, { live, linked: state.linked, nodes: file.nodes.length, others })
  return live.nodes
}

function sizeOf(state: State, file: number): number {
  return state.files[file]?.nodes.length ?? 0
}

/** The next live conversation from the one before; null where the new rows reach behind its last prompt. */
function goOn(state: State, file: OpenFile, known: LiveMemory): Live | null {
  const { prompt } = known.live
  for (const [index, size] of known.others) if (sizeOf(state, index) !== size) return null
  if (file.nodes.length === known.nodes) return known.live
  if (prompt === t.none || t.int(state.table.file, prompt) !== file.index) return null
  if (reachesBehind(state, file, known)) return null
  const leaf = liveLeaf(state, file)
  const chain = liveChain(state, leaf, node => node === prompt)
  if (chain.at(-1) !== prompt) return null
  const next = sendChain(state, file, chain, leaf)
  if (next.loadedUpTo !== known.live.loadedUpTo) return null
  if (next.nodes.some(node => isSentBefore(state, node, prompt))) return null
  const kept = known.live.nodes.indexOf(prompt)
  if (kept < 0) return null
  const others = new Set([...known.live.others, ...next.others])
  return { ...next, others, nodes: [...known.live.nodes.slice(0, kept), ...next.nodes] }
}

/** Whether an entry is sent before the prompt, wherever it stands on the chain: it is older, or answers an older call. */
function isSentBefore(state: State, node: number, prompt: number): boolean {
  if (isBefore(state, node, prompt)) return true
  if (t.byte(state.table.kind, node) !== t.User) return false
  return toolsOf(state, node).some(tool => callsOf(state, tool).some(call => isBefore(state, call, prompt)))
}

/** Whether an entry stands on a row before the prompt, or in another file. */
function isBefore({ table }: State, node: number, prompt: number): boolean {
  return (
    t.int(table.row, node) < t.int(table.row, prompt) || t.int(table.file, node) !== t.int(table.file, prompt)
  )
}

/** Whether a new entry is a part or result of a message that stands before the last prompt, or a compaction. */
function reachesBehind(state: State, file: OpenFile, known: LiveMemory): boolean {
  const { table } = state
  const { prompt } = known.live
  for (let i = known.nodes; i < file.nodes.length; i++) {
    const node = file.nodes[i] ?? t.none
    if (t.marked(table, node, t.Boundary) || t.byte(table.says, node) === t.SaysSummary) return true
    const message = t.int(table.message, node)
    if (message !== t.none && isBefore(state, firstPartOf(state, message), prompt)) return true
    if (isSentBefore(state, node, prompt)) return true
  }
  return false
}
