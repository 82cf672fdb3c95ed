/** Why a node is where it is: the rules that placed it, each with its evidence. */

import { actorName } from './actors.js'
import { compactionBetween } from './compactions.js'
import { domainOf } from './domains.js'
import { whyNotLive } from './explain-live.js'
import type { Graph } from './graph.js'
import { fileOf, sightings } from './sightings.js'
import { stateOf } from './state.js'
import * as t from './table.js'
import { callsOf, endingOf, resultsOf, toolId, toolsOf } from './tool-index.js'

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
  const places = (seen: readonly number[]): string =>
    seen.map(each => fileOf(stateOf(graph), each).facts.path.split('/').at(-1)).join(', ')
  const rows = others.filter(seen => !isCarried(seen))
  const carried = others.filter(isCarried)
  const found: Because[] = []
  const where = `the same uuid also stands in ${places(rows)}`
  if (rows.length > 0) found.push(because('G1', `${where}; the session that began first owns it`))
  if (carried.length > 0)
    found.push(because('A9', `progress rows of ${places(carried)} repeat it; it counts once`))
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
    const place = branches.includes(node) ? 'starts a branch' : 'stays on the line'
    const what = at === node ? 'its own children are' : `it ${place}, its siblings are`
    return because(rule, `${what} ${kind}: ${evidence}`)
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
    const spawn = domain.agent === null ? null : graph.spawnOf(domain.agent)
    const at = graph.agents().find(agent => agent.domain === domain)?.at ?? null
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
  if (line === null || line.status === 'live') return line?.status ?? 'none'
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
