/** A node with several children, as the rungs of the ladder look at it. */
import { lazily } from '../../model/group.js'
import { AnswerBelow, Below, Failure, Input, Mixed } from '../facts.js'
import { compareWritten } from '../order.js'
import { isConversation } from '../sightings.js'
import type { State } from '../state.js'
import * as t from '../table.js'

export interface ForkContext {
  readonly state: State
  /** None where the fork is between the roots of a conversation. */
  readonly parent: number
  /** All children that are not copies, in the order of writing. */
  readonly children: readonly number[]
  /** The children without entries beside the conversation that lead nowhere. */
  readonly rest: readonly number[]
  /** The last written prompt of each text among them. */
  readonly lastPrompts: () => ReadonlyMap<number, number>
  readonly copies: readonly number[]
}

/** A rung: the first one that applies gives the verdict. */
export interface Rung {
  readonly rule: 'F1' | 'F2' | 'F3' | 'F4' | 'F5' | 'F6' | 'F7' | 'F8' | 'F9' | 'F10'
  readonly kind: ForkKind
  readonly applies: (fork: ForkContext) => boolean
  /** How the children are placed, where not by the common order. */
  readonly order?: (fork: ForkContext) => readonly number[]
  readonly evidence: (fork: ForkContext) => string
}

/** The fork as the rungs see it. */
export function makeFork(
  state: State,
  parent: number,
  children: readonly number[],
  copies: readonly number[],
): ForkContext {
  const rest = children.filter(child => !isSideEntry(state, child))
  return { state, parent, children, rest, copies, lastPrompts: lazily(() => lastPrompts(state, rest)) }
}

function lastPrompts(state: State, rest: readonly number[]): ReadonlyMap<number, number> {
  const last = new Map<number, number>()
  for (const child of rest) if (isPrompt(state, child)) last.set(t.real(state.table.hash, child), child)
  return last
}

/** F2: an entry beside the conversation, with no conversation below it. */
function isSideEntry(state: State, child: number): boolean {
  return isStructural(state, child) && !has(state, child, Below)
}

/** Whether an entry is not part of the conversation itself. */
export function isStructural({ table }: State, node: number): boolean {
  return !isConversation(table, node)
}

/** Whether a fact holds for a node and what lies below it. */
export function has(state: State, node: number, fact: number): boolean {
  return (t.byte(state.table.facts, node) & fact) !== 0
}

export const isUser = (state: State, node: number): boolean => t.byte(state.table.kind, node) === t.User
export const isAssistant = (state: State, node: number): boolean =>
  t.byte(state.table.kind, node) === t.Assistant
export const isPrompt = (state: State, node: number): boolean =>
  t.byte(state.table.says, node) === t.SaysPrompt
export const hasInput = (state: State, node: number): boolean => has(state, node, Input)
export const hasAnswer = (state: State, node: number): boolean => has(state, node, AnswerBelow)
export const hasFailure = (state: State, node: number): boolean => has(state, node, Failure)

/** Whether the conversation goes on below a child: more than one message or prompt lies there. */
export function grows(state: State, child: number): boolean {
  return t.int(state.table.span, child) === Mixed
}

/** The order children are placed in: what ends first, what goes on last; each in the order of writing. */
export function placingOrder(state: State, children: readonly number[]): readonly number[] {
  return [...children].sort((a, b) => growth(state, a) - growth(state, b) || compareWritten(state, a, b))
}

/** 0: what ends by itself; 1: what goes on. What people typed keeps its position in time. */
function growth(state: State, child: number): number {
  if (isUser(state, child) && !belongsBefore(t.byte(state.table.says, child))) return 1
  return grows(state, child) && has(state, child, AnswerBelow | Input) ? 1 : 0
}

/** Results and interrupt notes belong to what stands before them. */
function belongsBefore(says: number): boolean {
  return says === t.SaysResult || says === t.SaysInterrupt
}

/** "1 result", "3 results", "2 children". */
export function countNoun(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun.endsWith('child') ? `${noun}ren` : `${noun}s`}`
}

/** The kinds of verdicts (F1 to F12). Only `rewind` and `two-writers` make branches. */
export type ForkKind =
  | 'parallel'
  | 'structural'
  | 'structural-result'
  | 'dead-end'
  | 'passthrough'
  | 'continuation'
  | 'replay'
  | 'companion'
  | 'retry'
  | 'taken-back'
  | 'two-writers'
  | 'rewind'

/** The rule of docs/SPEC.md that decided on a fork. */
export type ForkRule = 'F1' | 'F2' | 'F3' | 'F4' | 'F5' | 'F6' | 'F7' | 'F8' | 'F9' | 'F10' | 'F11' | 'F12'

/** A verdict: what the fork is, and what became of each child. Nothing is dropped (F13). */
export interface Verdict {
  readonly kind: ForkKind
  readonly rule: ForkRule
  /** Children that stay on the line, in the order they are placed. */
  readonly inline: readonly number[]
  /** Children that start a branch, in the order of writing. */
  readonly branches: readonly number[]
  /** Children that are folded as copies. */
  readonly copies: readonly number[]
  /** One sentence; made when asked for, since most verdicts are never read. */
  readonly evidence: () => string
}
