/**
 * F8: caveats, local commands and their output, image notes, notices, and the stub that a resume writes beside
 * them. On public transcripts the commonest shape that looks like a rewind and is none.
 */
import * as t from '../table.js'
import { count, type Fork, hasAnswer, hasInput, isPrompt, isUser, type Rung } from './fork.js'

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

/** A companion of a turn that leads to no conversation of its own. */
export function isCompanion(fork: Fork, child: number): boolean {
  const { state } = fork
  if (hasInput(state, child) || hasAnswer(state, child)) return false
  if (t.marked(state.table, child, t.Synthetic)) return !t.marked(state.table, child, t.ApiError)
  return isUser(state, child) && companions.has(t.byte(state.table.says, child))
}

const companions: ReadonlySet<number> = new Set([
  t.SaysCaveat,
  t.SaysCommand,
  t.SaysOutput,
  t.SaysNotification,
  t.SaysMeta,
])
