/**
 * F6: an assistant entry with calls, whose children are further assistant entries and the results of its calls:
 * the answer went on while the tool ran. Also the rest of recording shapes: where fewer than two children are turns
 * or have typed input below them, it is not a rewind.
 */

import { callAnswered, unitOf } from '../facts.js'
import type { State } from '../state.js'
import * as t from '../table.js'
import {
  countNoun,
  type ForkContext,
  grows,
  hasAnswer,
  hasInput,
  isAssistant,
  isUser,
  type Rung,
} from './fork.js'
import { isForgotten } from './inline.js'

export const continuation: Rung = {
  rule: 'F6',
  kind: 'continuation',
  applies: fork => {
    const { state, parent, rest } = fork
    if (parent < 0 || !t.marked(state.table, parent, t.HasCalls)) return false
    const both = rest.some(child => isAssistant(state, child)) && rest.some(child => isUser(state, child))
    return (
      both &&
      !isForgotten(fork) &&
      rest.every(child => isAssistant(state, child) || callAnswered(state, child) === parent)
    )
  },
  // Both sides may go on for long: each stands where it was first written.
  order: fork => fork.children,
  evidence: () => 'the answer goes on beside the results of its own calls, by tool ids',
}

/** What is left where no rung applies and which cannot be a rewind. */
export function isRecordingShape(fork: ForkContext, heads: readonly number[]): boolean {
  const { state } = fork
  if (heads.filter(child => hasInput(state, child) || isAnsweredTurn(fork, child)).length > 1) return false
  return !isAnsweredTwice(fork, heads)
}

/** A notification or command that the model answered is a turn like a typed one: the user can go back behind it. */
function isAnsweredTurn({ state }: ForkContext, child: number): boolean {
  const head = behindNotes(state, child)
  const says = t.byte(state.table.says, head)
  return (says === t.SaysNotification || says === t.SaysCommand) && hasAnswer(state, head)
}

/** Between two turns stand a few notes: how long the turn took, what is told to the model along with the next one. */
const mostNotes = 8

/** The first entry behind the notes that begin with a child; the child itself where it is not a note. */
function behindNotes({ table }: State, child: number): number {
  let node = child
  for (let steps = 0; steps < mostNotes && isNote(table, node); steps++) {
    const below = t.int(table.first, node)
    if (below === t.none || t.int(table.next, below) !== t.none) break
    node = below
  }
  return node
}

function isNote(table: t.Table, node: number): boolean {
  const kind = t.byte(table.kind, node)
  return (kind !== t.User && kind !== t.Assistant) || t.byte(table.says, node) === t.SaysMeta
}

/** The seeds' regenerated response: one prompt with two answers of different messages. */
function isAnsweredTwice(fork: ForkContext, heads: readonly number[]): boolean {
  const { state, parent } = fork
  if (parent < 0 || !isUser(state, parent) || t.byte(state.table.says, parent) === t.SaysResult) return false
  return heads.filter(child => isAssistant(state, child)).length > 1
}

export const recordingShape: Pick<Rung, 'rule' | 'kind' | 'evidence'> = {
  rule: 'F6',
  kind: 'continuation',
  evidence: () => 'fewer than two children have typed input below: not a rewind',
}

// F12: `--resume-session-at` in the middle of a turn. A turn begins at a part of a message, and the rest of the message,
// or the answer to the result of its call, stands beside it: a branch that was left, although nothing was typed below it
// (random-2.1.75/9164, random-2.1.325/9030). A call that was killed looks alike, but nothing came of it.

/** What was left at a part of a message where a new turn begins; empty where it is another kind of fork. */
export function leftWithinMessage({ state, parent, rest }: ForkContext): readonly number[] {
  if (parent < 0 || !isAssistant(state, parent)) return []
  const turns = rest.filter(child => beginsTurn(state, child))
  if (turns.length !== 1) return []
  // What was left stands before the new turn. A prompt typed while a tool runs stands before the result.
  const before = rest.slice(
    0,
    rest.findIndex(child => beginsTurn(state, child)),
  )
  return before.filter(child => isLeft(state, parent, child))
}

/** One sentence about such a fork. */
export function resumedEvidence(left: readonly number[]): string {
  return `a turn begins in the middle of a message: ${countNoun(left.length, 'child')} with the rest of it were left`
}

function beginsTurn(state: State, child: number): boolean {
  const says = t.byte(state.table.says, child)
  return says === t.SaysPrompt || (says === t.SaysNotification && hasInput(state, child))
}

function isLeft(state: State, parent: number, child: number): boolean {
  if (isUser(state, child)) return callAnswered(state, child) === parent && grows(state, child)
  return isAssistant(state, child) && unitOf(state, child) === unitOf(state, parent) && hasCome(state, child)
}

/** Whether anything came of the rest of a message: words, a result of a call, or another message. */
function hasCome(state: State, part: number): boolean {
  if (grows(state, part)) return true
  const { table } = state
  const open = [part]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isUser(state, node) || isWords(table, node)) return true
    for (const child of t.childrenOf(table, node)) open.push(child)
  }
  return false
}

function isWords(table: t.Table, node: number): boolean {
  return t.byte(table.kind, node) === t.Assistant && !t.marked(table, node, t.ThinkingOnly | t.HasCalls)
}
