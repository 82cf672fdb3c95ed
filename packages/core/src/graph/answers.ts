/** Answers of the model, and the chain of entries that the request behind each was made of. */
import { linkOf } from './adopt.js'
import { unitOf } from './facts.js'
import { entriesIn, type OpenFile } from './file-record.js'
import { liveChain } from './live.js'
import { partsOf } from './messages.js'
import type { Moment } from './moment.js'
import {
  fileOf,
  isAnswer,
  isConversation,
  losesProgress,
  sendsOpenCalls,
  walksParents,
  writesCosts,
} from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** An answer in one file: copies of a session have their own. */
export interface Answer {
  readonly state: State
  readonly file: OpenFile
  /** Its entries in the order of rows, and the first of them. */
  readonly reply: readonly number[]
  readonly first: number
  /** When the request was sent. */
  readonly moment: Moment
}

/** The answer that an entry is a part of. */
export function answerOf(state: State, node: number): Answer {
  const file = fileOf(state, node)
  const reply = replyOf(state, node)
  const first = reply[0] ?? node
  return { state, file, reply, first, moment: momentOf(state, first) }
}

function replyOf(state: State, node: number): readonly number[] {
  const { table } = state
  const message = t.int(table.message, node)
  if (message === t.none) return [node]
  const isHere = (part: number): boolean =>
    t.int(table.file, part) === t.int(table.file, node) &&
    t.marked(table, part, t.Carried) === t.marked(table, node, t.Carried)
  return partsOf(state, message).filter(isHere)
}

function momentOf(state: State, first: number): Moment {
  const { file, time } = state.table
  return {
    file: t.int(file, first),
    row: rowOfRequest(state.table, first),
    time: t.real(time, first),
    answer: first,
    walksParents: walksParents(state, first),
    sendsOpenCalls: sendsOpenCalls(state, first),
    writesCosts: writesCosts(state, first),
    losesProgress: losesProgress(state, first),
  }
}

/**
 * The first row that was written after the request. An answer can stand on a row before the entry that it hangs on: what stands up
 * to there was written before it (subagents of 2.1.42 and 2.1.101).
 */
function rowOfRequest({ file, parent, row }: t.Table, first: number): number {
  const own = t.int(row, first)
  const above = t.int(parent, first)
  if (above === t.none || t.int(file, above) !== t.int(file, first)) return own
  return Math.max(own, t.int(row, above) + 1)
}

/** The answers in a file, in the order of their first rows. */
export function* answersIn(state: State, file: OpenFile): Generator<Answer> {
  const seen = new Set<number>()
  for (const node of entriesIn(file)) {
    if (!isAnswer(state, node) || isAlsoInOwnFile(state, node)) continue
    const message = t.int(state.table.message, node)
    if (seen.has(message)) continue
    if (message !== t.none) seen.add(message)
    yield answerOf(state, node)
  }
}

/** A9: what a progress row repeats of a subagent that has a transcript. */
function isAlsoInOwnFile({ table }: State, node: number): boolean {
  return t.marked(table, node, t.Carried) && t.int(table.owner, node) !== node
}

/** The chain above an answer, last entry first, up to its beginning or to an entry at which to stop. */
export function chainAbove({ state, first }: Answer, stopsAt: (node: number) => boolean): readonly number[] {
  const chain = liveChain(state, first, node => stopsAt(node) || beginsSubagent(state, node))
  return chain.slice(ownLength(state, chain, unitOf(state, first)))
}

/** How many entries at the beginning of a chain belong to the answer itself. */
function ownLength(state: State, chain: readonly number[], unit: number): number {
  let own = 0
  for (const [i, node] of chain.entries()) {
    if (!isConversation(state.table, node)) continue
    if (unitOf(state, node) !== unit) break
    own = i + 1
  }
  return own
}

/**
 * Whether a subagent begins here, though a parent leads on into the conversation that started it. The parent of an inline
 * sidechain, or an entry with calls, is where it was started from. A subagent whose own file goes on from another entry
 * has inherited the conversation: so do those that write the summary of a compaction (`acompact-`, 2.1.39), by their usage.
 */
function beginsSubagent(state: State, node: number): boolean {
  const { table } = state
  if (!t.marked(table, node, t.Sidechain)) return false
  const above = linkOf(state, node)
  if (above === t.none || t.marked(table, above, t.Sidechain)) return false
  return fileOf(state, node).facts.kind !== 'agent' || t.marked(table, above, t.HasCalls)
}
