/**
 * F12: `--resume-session-at` in the middle of a turn. A turn begins at a part of a message, and the rest of the message,
 * or the answer to the result of its call, stands beside it: a branch that was left, although nothing was typed below it
 * (random-2.1.75/9164, random-2.1.325/9030). A call that was killed looks alike, but nothing came of it.
 */
import { callAnswered, unitOf } from '../facts.js'
import type { State } from '../state.js'
import * as t from '../table.js'
import { count, type Fork, grows, hasInput, isAssistant, isUser } from './fork.js'

/** What was left at a part of a message where a new turn begins; empty where it is another kind of fork. */
export function leftWithinMessage({ state, parent, rest }: Fork): readonly number[] {
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
  return `a turn begins in the middle of a message: ${count(left.length, 'child')} with the rest of it were left`
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
