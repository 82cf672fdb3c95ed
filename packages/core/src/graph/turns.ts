/**
 * S6: turns. One begins with a prompt, or with a command that the model answered: a skill, or a command with a prompt of its
 * own. A local command (`/exit`, `/model`, `!ls`) prints its output and asks the model nothing, so it begins none, and what
 * it writes is not a part of the turn before. To a subagent the frame of a message is a prompt, too.
 */

import { subtypeOf } from './compactions.js'
import type { Line } from './lines.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The nodes that begin turns, on all lines. Linear in the nodes. */
export function findTurnStarts(state: State, lines: readonly Line[]): ReadonlySet<number> {
  const starts = new Set<number>()
  for (const { domain, nodes } of lines) {
    const own = domain.kind === 'session' ? turnStarts(state, nodes) : taskPrompts(state, nodes)
    for (const node of own) starts.add(node)
  }
  return starts
}

/** The nodes among those of a conversation, in their order, that begin turns. */
export function* turnStarts(state: State, nodes: Iterable<number>): Generator<number> {
  const { table } = state
  let command = t.none
  for (const node of nodes) {
    if (isAnswer(table, node) && command !== t.none) yield command
    if (t.byte(table.says, node) === t.SaysPrompt) yield node
    if (t.byte(table.says, node) === t.SaysCommand) command = node
    else if (endsCommand(state, node)) command = t.none
  }
}

function isAnswer(table: t.Table, node: number): boolean {
  return t.byte(table.kind, node) === t.Assistant && !t.marked(table, node, t.ApiError | t.Synthetic)
}

/** Behind these an answer is not one to the command any more: its output, other input, a compaction, another answer. */
function endsCommand(state: State, node: number): boolean {
  const { table } = state
  const kind = t.byte(table.kind, node)
  if (kind === t.User) return ENDS_COMMAND.has(t.byte(table.says, node))
  if (kind === t.System) return t.marked(table, node, t.Boundary) || subtypeOf(state, node) === LOCAL
  return kind === t.Assistant || t.marked(table, node, t.QueuedPrompt)
}

const ENDS_COMMAND: ReadonlySet<number> = new Set([
  t.SaysPrompt,
  t.SaysOutput,
  t.SaysNotification,
  t.SaysSummary,
])

/** Newer releases write local commands and what they print as notices. */
const LOCAL = 'local_command'

/** Whether a node was written by a local command: a caveat, its output, or a command that begins no turn. */
export function isLocal(state: State, node: number, starts: ReadonlySet<number>): boolean {
  const { table } = state
  const says = t.byte(table.says, node)
  if (says === t.SaysCaveat || says === t.SaysOutput) return true
  if (says === t.SaysCommand) return !starts.has(node)
  return t.byte(table.kind, node) === t.System && subtypeOf(state, node) === LOCAL
}

/**
 * Prompts to a subagent: its first one, or a message in the frame that the client puts around it (recordings
 * s24c_send_message and s24h_teammates of 2.1.325). Notices of tasks are not prompts.
 */
function* taskPrompts({ table }: State, nodes: readonly number[]): Generator<number> {
  for (const node of nodes) {
    const says = t.byte(table.says, node)
    if (says === t.SaysPrompt || (says === t.SaysNotification && isTask(table, node))) yield node
  }
}

function isTask(table: t.Table, node: number): boolean {
  const entry = table.entries[node]
  const head = entry?.kind === 'user' ? (entry.text?.head ?? '') : ''
  return /^\s*(?:<(?:teammate|agent)-message\b|The coordinator sent a message)/.test(head)
}
