/**
 * F8: caveats, local commands and their output, image notes, notices, and the stub that a resume writes beside
 * them. On public transcripts the commonest shape that looks like a rewind and is none.
 */
import type { State } from '../state.js'
import * as t from '../table.js'
import { count, type Fork, hasAnswer, hasInput, isAssistant, isPrompt, isUser, type Rung } from './fork.js'

export const companion: Rung = {
  rule: 'F8',
  kind: 'companion',
  applies: fork => fork.rest.some(child => isCompanion(fork, child)),
  evidence: fork => {
    const found = fork.rest.filter(child => isCompanion(fork, child)).length
    return `${count(found, 'local command, caveat or stub')} with no typed input and no answer below`
  },
}

/** A caveat introduces local commands; several of them hang on it side by side, whatever follows them. */
export function isCaveatList(fork: Fork): boolean {
  const { state, parent, rest } = fork
  if (parent < 0 || t.byte(state.table.says, parent) !== t.SaysCaveat) return false
  return rest.filter(child => isPrompt(state, child)).length < 2
}

/**
 * A resume writes a stub in the place of an answer that was broken off, and the conversation goes on below the stub
 * (random-2.0.10/9118). Nobody went back where no typed input lies below the answer.
 */
export function isStubInstead({ state, parent, rest }: Fork): boolean {
  if (parent < 0 || !isUser(state, parent)) return false
  const stubs = rest.filter(child => isStub(state, child))
  const others = rest.filter(child => !isStub(state, child))
  return stubs.length > 0 && others.every(child => isAssistant(state, child) && !hasInput(state, child))
}

export const stubInstead: Pick<Rung, 'rule' | 'kind' | 'evidence'> = {
  rule: 'F8',
  kind: 'companion',
  evidence: () => 'an answer that was broken off, and the stub that a resume wrote in its place',
}

function isStub(state: State, node: number): boolean {
  return t.marked(state.table, node, t.Synthetic) && !t.marked(state.table, node, t.ApiError)
}

/** A companion of a turn that leads to no conversation of its own. */
export function isCompanion(fork: Fork, child: number): boolean {
  const { state } = fork
  if (hasInput(state, child) || hasAnswer(state, child)) return false
  if (t.marked(state.table, child, t.Synthetic)) return isStub(state, child)
  return isUser(state, child) && companions.has(t.byte(state.table.says, child))
}

const companions: ReadonlySet<number> = new Set([
  t.SaysCaveat,
  t.SaysCommand,
  t.SaysOutput,
  t.SaysNotification,
  t.SaysMeta,
])
