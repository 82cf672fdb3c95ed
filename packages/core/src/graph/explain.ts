/** Why a node is where it is: the rules that placed it, each with its evidence. */

import { actorName } from './actors.js'
import { compactionBetween, isSummary } from './compactions.js'
import { originalOf } from './copies.js'
import { domainOf } from './domains.js'
import { unitOf } from './facts.js'
import type { Graph } from './graph.js'
import { endOfTurnBefore } from './late-rows.js'
import { livePath } from './lines.js'
import { liveChain, liveLeaf } from './live.js'
import { partsOf } from './messages.js'
import { fileOf, isConversation, sightings, startsTurn } from './sightings.js'
import { type State, stateOf } from './state.js'
import * as t from './table.js'
import { callsOf, endingOf, resultFor, resultsOf, toolId, toolsOf } from './tools.js'

/** One reason why a node is where it is: the rule of docs/SPEC.md, and the evidence in the files. */
export interface Because {
  readonly rule: string
  readonly evidence: string
}

function because(rule: string, evidence: string): Because {
  return { rule, evidence }
}

/** All reasons, from identity to liveness. */
export function explainNode(graph: Graph, node: number): readonly Because[] {
  return [
    ...identity(graph, node),
    hanging(graph, node),
    ...forking(graph, node),
    ...belonging(graph, node),
    ...pairing(graph, node),
    ...queueing(graph, node),
    liveness(graph, node),
  ]
}

function short(graph: Graph, node: number): string {
  const { file, row } = graph.node(node)
  return `${graph.id(node).slice(0, 12)} (${file.split('/').at(-1)} row ${row})`
}

/** G1: who owns it, and where else it stands. */
function identity(graph: Graph, node: number): readonly Because[] {
  const others = [...sightings(stateOf(graph), graph.id(node))].filter(seen => seen !== node)
  const isCarried = (seen: number): boolean => t.marked(stateOf(graph).table, seen, t.Carried)
  const filesWith = (seen: readonly number[]): string =>
    seen.map(each => fileOf(stateOf(graph), each).facts.path.split('/').at(-1)).join(', ')
  const rows = others.filter(seen => !isCarried(seen))
  const carried = others.filter(isCarried)
  const found: Because[] = []
  const where = `the same uuid also stands in ${filesWith(rows)}`
  if (rows.length > 0) found.push(because('G1', `${where}; the session that began first owns it`))
  if (carried.length > 0)
    found.push(because('A9', `progress rows of ${filesWith(carried)} repeat it; it counts once`))
  return found
}

/** G2, G3, C1, G7: what it hangs on. */
function hanging(graph: Graph, node: number): Because {
  const state = stateOf(graph)
  const { table } = state
  const parent = t.int(table.parent, node)
  const up = t.int(table.up, node)
  const original = graph.originalOf(node)
  if (original !== node) {
    const why = t.marked(table, node, t.Stamped)
      ? 'its fork stamp names it'
      : 'same content, by message id, tool ids or time and text'
    return because('G7', `a copy of ${short(graph, original)}: ${why}`)
  }
  if (t.marked(table, node, t.CutParent)) return because('G3', 'its parents lead back to it; the link is cut')
  if (state.orphans.has(node)) return because('G2', `its parent ${table.parentIds[node]} was never written`)
  if (t.marked(table, node, t.Carried)) {
    const order = parent === t.none ? 'it is the first' : `it follows ${short(graph, parent)}`
    return because('A9', `read from a progress row, which names no parent: by rows ${order}`)
  }
  if (parent === t.none)
    return up === t.none ? because('S3', 'a root: it has no parent') : continued(graph, node, up)
  const compaction = compactionBetween(state, node, parent)
  if (compaction !== null) {
    const over = short(graph, compaction.boundary)
    return because('C2', `hangs on an entry that compaction ${over} kept, so it follows that compaction`)
  }
  if (up === t.none)
    return because('G3', 'its links lead back to it over copies or compactions; it stands as a root')
  if (up === t.int(table.owner, parent) || up === parent)
    return because('G1', `its parent is ${short(graph, parent)}`)
  return because('G7', `its parent is a copy, so it follows the original ${short(graph, up)}`)
}

function continued(graph: Graph, node: number, up: number): Because {
  const record = stateOf(graph).compactionOf.get(node)
  const how =
    record === undefined || (record.logical === t.none && record.preserved.length === 0)
      ? 'the entry written before it'
      : record.logical === t.none
        ? 'the last entry it preserved'
        : 'its logical parent'
  return because('C1', `a compaction: it continues ${short(graph, up)}, ${how}`)
}

/** F: the verdicts at its parent and at itself. */
function forking(graph: Graph, node: number): readonly Because[] {
  return graph.forksAbout(node).map(({ at, branches, rule, kind, evidence }) => {
    const role = branches.includes(node) ? 'starts a branch' : 'stays on the line'
    const what = at === node ? 'its children are' : `it ${role} at`
    return because(rule, `${what} a fork of kind ${kind}: ${evidence}`)
  })
}

/** A, L1: whose conversation and which line it is on. */
function belonging(graph: Graph, node: number): readonly Because[] {
  const line = graph.lineOf(node)
  const domain = domainOf(stateOf(graph), node)
  const found: Because[] = []
  if (line !== null)
    found.push(because('L1', `on line ${line.id} (${line.kind}, ${statusHere(graph, node)})`))
  if (domain.kind === 'agent') {
    const agent = graph.agents().find(known => known.domain === domain)
    const spawn = agent?.spawnedBy ?? null
    const at = agent?.at ?? null
    const where = at === null ? '' : `; it hangs on ${short(graph, at)}`
    const by =
      spawn === null
        ? `no call that spawned it was found${where}`
        : `spawned by call ${spawn.call.id} in ${short(graph, spawn.node)}, by ${spawn.evidence}`
    found.push(because('A2', `in agent ${domain.agent}: ${by}`))
  }
  return [...found, because('A1', `spoken by ${actorName(graph.actor(node))}`)]
}

/**
 * What became of the line of a node, seen from the node's own file. A branch that was left may be the conversation of
 * another session: `live here, abandoned in 4539d2d0`, `abandoned here, live in 7a0f3fa1`.
 */
export function statusHere(graph: Graph, node: number): string {
  const line = graph.lineOf(node)
  if (line === null) return 'none'
  // A line is current or not; whether the next request carries an entry of it is another question (L3).
  if (line.status === 'live') return 'current branch'
  const own = fileOf(stateOf(graph), node).facts
  const home = graph.session(line.domain.session)?.id ?? null
  if (graph.live(own.path).includes(node) && home !== null && home !== own.session)
    return `live here, ${line.status} in ${home.slice(0, 8)}`
  const others = carriers(graph, node).filter(session => session !== own.session && session !== home)
  return others.length === 0 ? line.status : `${line.status} here, live in ${others.join(', ')}`
}

/** The sessions whose next request carries a node or a copy of it, by the beginnings of their ids. */
function carriers(graph: Graph, node: number): readonly string[] {
  const nodeOf = (sighting: number): number => graph.originalOf(t.int(stateOf(graph).table.owner, sighting))
  const original = nodeOf(node)
  const files = graph
    .files()
    .filter(({ facts }) => graph.live(facts.path).some(each => nodeOf(each) === original))
  return [...new Set(files.flatMap(({ facts }) => facts.session?.slice(0, 8) ?? []))]
}

/** T1: its calls and results. */
function pairing(graph: Graph, node: number): readonly Because[] {
  const state = stateOf(graph)
  const calls = t.byte(state.table.kind, node) === t.Assistant
  return toolsOf(state, node).map((tool, nth) => {
    const others = calls ? resultsOf(state, tool) : callsOf(state, tool)
    // A copy of the session has the pair once more.
    const other = others.find(each => fileOf(state, each) === fileOf(state, node)) ?? others[0]
    const id = toolId(state, tool)
    if (calls) {
      const end = other === undefined ? 'has no result' : `is answered by ${short(graph, other)}`
      return because('T1', `its call ${id} ${end}`)
    }
    const from = other === undefined ? 'a call that is in no file read' : short(graph, other)
    return because('T1', `answers ${id} of ${from}: ${endingOf(state, node, nth)}`)
  })
}

/** Q1: that its text was queued first. */
function queueing(graph: Graph, node: number): readonly Because[] {
  return graph.queueOf(node).map(({ note, became }) => {
    const when = note.time === null ? '' : ` at ${new Date(note.time).toISOString()}`
    const what = note.operation === 'enqueue' ? 'its text was queued' : 'its text left the queue'
    return because('Q1', `${what}${when} (row ${note.source.row}) and became this ${became}`)
  })
}

/** L3: whether the next request carries it, and why not. */
function liveness(graph: Graph, node: number): Because {
  const file = fileOf(stateOf(graph), node).facts.path
  const position = graph.live(file).indexOf(node)
  if (position < 0) return because('L3', `not live: ${whyNotLive(graph, node)}`)
  return because('L3', `live: entry ${position + 1} of the next request of ${file.split('/').at(-1)}`)
}

// Why the next request of a file does not carry an entry. A reason is given only where its condition holds.

/** One clause. */
function whyNotLive(graph: Graph, node: number): string {
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
  return whyNotOnChain(state, node, liveChain(state, leaf))
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

/** Whether rows written late stand on the chain instead of the turn that the entry belongs to. */
function isPassedBy(state: State, node: number, chain: readonly number[]): boolean {
  const { table } = state
  const row = t.int(table.row, node)
  const next = chain.findLast(each => startsTurn(table, each) && t.int(table.row, each) > row)
  return next !== undefined && endOfTurnBefore(state, next) !== t.none
}
