/** Why the next request of a file does not carry an entry. A reason is given only where its condition holds. */

import { isSummary } from './compactions.js'
import { originalOf } from './copies.js'
import { domainOf } from './domains.js'
import { isConversation, startsTurn } from './entries.js'
import { unitOf } from './facts.js'
import type { Graph } from './graph.js'
import { endOfTurnBefore } from './late-rows.js'
import { livePath } from './lines.js'
import { liveChain, liveLeaf } from './live.js'
import { partsOf } from './messages.js'
import { fileOf } from './sightings.js'
import type { State } from './state.js'
import { stateOf } from './state.js'
import * as t from './table.js'
import { resultFor, toolsOf } from './tool-index.js'

/** One clause. */
export function whyNotLive(graph: Graph, node: number): string {
  const state = stateOf(graph)
  const { table } = state
  if (!isConversation(table, node))
    return 'it is not a message, only context or a note beside the conversation'
  if (t.marked(table, node, t.ApiError)) return 'a notice of a failed request is not sent'
  if (domainOf(state, node).inline || t.marked(table, node, t.Carried))
    return 'it is an agent in a sidechain, which the main conversation does not carry'
  const line = graph.lineOf(node)
  if (line !== null && line.status !== 'live') return `its line is ${line.status}`
  const leaf = liveLeaf(state, fileOf(state, node))
  if (leaf === t.none) return 'its file has no conversation of its own'
  return whyNotOnChain(state, node, liveChain(state, leaf, t.none))
}

/** Why an entry of a live line is not in what is sent of a chain, which begins with the leaf. */
function whyNotOnChain(state: State, node: number, chain: readonly number[]): string {
  if (chain.some(each => each !== node && originalOf(state.table, each) === node))
    return 'the history was written again, and the copy of it is sent'
  if (isCompacted(state, node, chain)) return 'a later compaction has replaced it by its summary'
  if (isCutOff(state, node, chain))
    return 'the conversation was resumed in the middle of its message, and this was not sent after the cut'
  if (isUnanswered(state, node))
    return 'a call without any result is not sent once the conversation has gone on'
  if (isThought(state, node)) return 'a message of thinking only is not sent later'
  if (isPassedBy(state, node, chain))
    return 'the next prompt hangs on rows written late that lead past it, and the session was resumed by its parents'
  if (!livePath(state, domainOf(state, node)).has(node))
    return 'the conversation did not go on from it, and no message on the live chain has it as a part'
  return 'nothing in the file tells why'
}

/** Whether a compaction on the chain, written after the entry, took it out of the conversation. */
function isCompacted(state: State, node: number, chain: readonly number[]): boolean {
  const { table } = state
  const end = chain.at(-1) ?? t.none
  const isBehind = (other: number): boolean =>
    t.int(table.file, other) !== t.int(table.file, node) || t.int(table.row, node) < t.int(table.row, other)
  if (t.marked(table, end, t.Boundary) || isSummary(state, end)) return isBehind(end)
  return chain.some(each => t.marked(table, each, t.Boundary) && isBehind(each))
}

/** Whether a turn begins on the chain right behind a part of the entry's message. */
function isCutOff(state: State, node: number, chain: readonly number[]): boolean {
  const unit = unitOf(state, node)
  const last = chain.findIndex(each => isConversation(state.table, each) && unitOf(state, each) === unit)
  if (last < 0 || t.byte(state.table.kind, chain[last] ?? t.none) !== t.Assistant) return false
  const next = chain.slice(0, last).findLast(each => isConversation(state.table, each))
  return next !== undefined && startsTurn(state.table, next) && hasMore(state, unit, chain)
}

/** Whether parts or results of a message stand beside the chain. */
function hasMore(state: State, message: number, chain: readonly number[]): boolean {
  const onChain = new Set(chain)
  return partsOf(state, message).some(part => {
    const results = toolsOf(state, part).map(tool => resultFor(state, tool, part))
    return !onChain.has(part) || results.some(result => result !== t.none && !onChain.has(result))
  })
}

function isUnanswered(state: State, node: number): boolean {
  const tools = t.byte(state.table.kind, node) === t.Assistant ? toolsOf(state, node) : []
  return tools.some(tool => resultFor(state, tool, node) === t.none)
}

/** Whether thinking is all that can be sent of the entry's message. */
function isThought(state: State, node: number): boolean {
  if (!t.marked(state.table, node, t.ThinkingOnly)) return false
  const parts = partsOf(state, t.int(state.table.message, node))
  return parts.every(part => t.marked(state.table, part, t.ThinkingOnly) || isUnanswered(state, part))
}

/** Whether rows written late stand on the chain in the place of the turn that the entry belongs to. */
function isPassedBy(state: State, node: number, chain: readonly number[]): boolean {
  const { table } = state
  const row = t.int(table.row, node)
  const next = chain.findLast(each => startsTurn(table, each) && t.int(table.row, each) > row)
  return next !== undefined && endOfTurnBefore(state, next) !== t.none
}
