/**
 * G2: entries that name no parent and do not begin a conversation. An answer needs a question before it and a result its call, so
 * one without a parent goes on from an entry that stands before it in its file:
 *
 *     u1  a1[t1]  r1[t1]<-  a2<-         r1 goes on from a1, the entry with its call; a2 from r1, the entry before it
 *
 * Sidechain rows of a file in which no sidechain row names a parent follow each other likewise, prompts included, up to
 * the next prompt that is the prompt of a call.
 */

import { entryBefore, isSummary, lastBefore } from './compactions.js'
import { callAnswered } from './facts.js'
import type { OpenFile } from './file-record.js'
import { partsOf } from './messages.js'
import { cutCycles } from './parents.js'
import { fileOf, isOldest } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** Notes what an entry without a parent goes on from; nothing for true roots. */
export function adopt(state: State, node: number): void {
  const { table } = state
  if (table.parentIds[node] !== null || t.marked(table, node, t.Boundary) || isSummary(state, node)) return
  const above = isReply(table, node) ? aboveReply(state, node) : aboveUnlinked(state, node)
  if (above !== t.none) state.adopted.set(node, above)
}

/** The entry that another goes on from: its parent, or what stands in for one that it does not name. */
export function linkOf(state: State, node: number): number {
  const parent = t.int(state.table.parent, node)
  return parent === t.none ? (state.adopted.get(node) ?? t.none) : parent
}

/** Whether any entry of this entry's kind of chain, in its file, names a parent. */
export function isLinked(state: State, node: number): boolean {
  const file = fileOf(state, node)
  return isInlineSide(state.table, file, node) ? file.links.side : file.links.main
}

/** Adopted entries may hang on later rows: what would close a cycle is a root after all. */
export function cutAdoptedCycles(state: State, order: Iterable<number>): void {
  if (state.adopted.size === 0) return
  const links = Int32Array.from(state.table.parent)
  for (const [node, above] of state.adopted) links[node] = above
  cutCycles(links, order, cycle => {
    for (const node of cycle) {
      if (!state.adopted.delete(node)) continue
      links[node] = t.none
      return
    }
  })
}

function isReply(table: t.Table, node: number): boolean {
  return t.byte(table.kind, node) === t.Assistant || t.byte(table.says, node) === t.SaysResult
}

/** Files in which no main entry names a parent are read by rows as a whole (F6). */
function aboveReply(state: State, node: number): number {
  const { table } = state
  const file = fileOf(state, node)
  if (!file.links.main && !isInlineSide(table, file, node)) return t.none
  if (beginsReplay(state, node)) return t.none
  const call = callAnswered(state, node)
  return call !== t.none && isBefore(table, call, node) ? call : lastBefore(state, node)
}

/**
 * G7: 1.0.24 to 1.0.5x, fed by another program, write the history again before each turn and leave out what was typed: it begins with
 * the first answer (walks of 1.0.35).
 */
function beginsReplay(state: State, node: number): boolean {
  const { table } = state
  if (t.byte(table.kind, node) !== t.Assistant || !isOldest(state, node)) return false
  const message = t.int(table.message, node)
  const isSame = (part: number): boolean =>
    isBefore(table, part, node) && t.real(table.hash, part) === t.real(table.hash, node)
  return partsOf(state, message).some(isSame)
}

function isBefore(table: t.Table, a: number, b: number): boolean {
  if (t.int(table.file, a) !== t.int(table.file, b) || t.int(table.row, a) >= t.int(table.row, b))
    return false
  return t.marked(table, a, t.Sidechain) === t.marked(table, b, t.Sidechain)
}

function aboveUnlinked(state: State, node: number): number {
  const { table } = state
  const file = fileOf(state, node)
  if (!isInlineSide(table, file, node) || file.links.side || isPromptOfCall(state, node)) return t.none
  const before = entryBefore(state, node)
  return before !== t.none && t.marked(table, before, t.Sidechain) ? before : t.none
}

function isInlineSide(table: t.Table, file: OpenFile, node: number): boolean {
  return t.marked(table, node, t.Sidechain) && file.facts.kind !== 'agent'
}

/** Whether an entry before it in the file has a call with these words as its prompt. */
function isPromptOfCall(state: State, node: number): boolean {
  const caller = fileOf(state, node).callPrompts.get(t.real(state.table.hash, node))
  return caller !== undefined && caller < node
}
