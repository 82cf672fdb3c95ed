/**
 * F6: an assistant entry with calls, whose children are further assistant entries and the results of its calls:
 * the answer went on while the tool ran. Also the rest of recording shapes: where fewer than two children are turns
 * or have typed input below them, nobody went back.
 */
import { callAnswered } from '../facts.js'
import type { State } from '../state.js'
import * as t from '../table.js'
import { type Fork, hasAnswer, hasInput, isAssistant, isUser, type Rung } from './fork.js'
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

/** What is left where no rung applies and nobody can have gone back. */
export function isRecordingShape(fork: Fork, heads: readonly number[]): boolean {
  const { state } = fork
  if (heads.filter(child => hasInput(state, child) || isAnsweredTurn(fork, child)).length > 1) return false
  return !isAnsweredTwice(fork, heads)
}

/** A notification or command that the model answered is a turn like a typed one: the user can go back behind it. */
function isAnsweredTurn({ state }: Fork, child: number): boolean {
  const head = behindNotes(state, child)
  const says = t.byte(state.table.says, head)
  return (says === t.SaysNotification || says === t.SaysCommand) && hasAnswer(state, head)
}

/** Between two turns stand a few notes: how long the turn took, what is told to the model along with the next one. */
const mostNotes = 8

/** The first entry behind the notes that begin with a child; the child itself where it is none. */
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
function isAnsweredTwice(fork: Fork, heads: readonly number[]): boolean {
  const { state, parent } = fork
  if (parent < 0 || !isUser(state, parent) || t.byte(state.table.says, parent) === t.SaysResult) return false
  return heads.filter(child => isAssistant(state, child)).length > 1
}

export const recordingShape: Pick<Rung, 'rule' | 'kind' | 'evidence'> = {
  rule: 'F6',
  kind: 'continuation',
  evidence: () => 'fewer than two children have typed input below: nobody went back here',
}
