/** Parents as recorded: resolved, orphans noted, cycles cut (G1-G4). */

import { pushTo } from '../model/group.js'
import type { OpenFile } from './file-record.js'
import { compareLocations, compareTimes, compareWritten } from './order.js'
import { fileOf, sessionOf, sightingIn, sightingOf, sightings } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** G1, G4: resolves the parent in the sighting's own file first, then anywhere in the project. */
export function linkParent(state: State, node: number): void {
  const { table } = state
  const id = table.parentIds[node] ?? null
  if (id === null) return
  const parent = findNear(table, id, node) ?? findParent(state, id, t.int(table.file, node))
  if (parent === t.none) {
    pushTo(state.wanted, id, node)
    state.orphans.add(node)
    return
  }
  // The parsed copy of the uuid goes; both now share one string.
  table.parentIds[node] = t.idOf(table, parent)
  table.parent[node] = parent
}

/** Nearly every parent is one of the last few rows of the same file: no look-up is needed. */
function findNear(table: t.Table, id: string, node: number): number | undefined {
  const file = t.int(table.file, node)
  for (let near = node - 1; near >= 0 && near >= node - 8; near--) {
    if (table.ids[near] === id && t.int(table.file, near) === file && !t.marked(table, near, t.Repeated))
      return near
  }
  return undefined
}

function findParent(state: State, id: string, file: number): number {
  const inFile = sightingIn(state, id, file)
  if (inFile !== t.none) return inFile
  const anywhere = sightingOf(state, id)
  if (anywhere === t.none || t.int(state.table.sameId, anywhere) === t.none) return anywhere
  return [...sightings(state, id)].reduce((best, node) =>
    compareWritten(state, node, best) < 0 ? node : best,
  )
}

/**
 * G1: one sighting of each uuid owns the node: that of the original session. Where rows of one session lie in
 * several files (2.0.x forks keep the session id on copied rows), the session's own file has it.
 */
export function chooseOwners(state: State): void {
  for (const file of state.files) {
    file.firstOwn = Number.NaN
    noteFirstOwn(state, file)
  }
  for (const id of state.shared) {
    const all = [...sightings(state, id)].filter(node => !t.marked(state.table, node, t.Carried))
    const owner = ownerAmong(state, all)
    for (const node of all) state.table.owner[node] = owner
  }
  for (const file of state.files) {
    for (const node of file.carried) state.table.owner[node] = ownerOfCarried(state, node)
  }
}

/** A11: the subagent's own file wins over what progress rows carry of it. */
function ownerOfCarried(state: State, node: number): number {
  const { table } = state
  const all = [...sightings(state, t.idOf(table, node))]
  if (all.length === 1) return node
  const row = all.find(seen => !t.marked(table, seen, t.Carried))
  return row === undefined ? ownerAmong(state, all) : t.int(table.owner, row)
}

/**
 * The sighting in the original file. Where one of the files has nothing of its own, it may be the copy or the one
 * that was copied whole: then only the path is left to decide, the same way for all.
 */
function ownerAmong(state: State, all: readonly number[]): number {
  const isOpen = all.some(node => Number.isNaN(fileOf(state, node).firstOwn))
  const compareRest = isOpen ? (isInAgents(state, all) ? compareEnded : () => 0) : compareOwn
  const compare = (a: number, b: number): number =>
    compareClaims(state, a, b) || compareRest(state, a, b) || compareLocations(state, a, b)
  return all.reduce((best, node) => (compare(node, best) < 0 ? node : best))
}

/** Whether all these sightings stand in files of different agents. */
function isInAgents(state: State, all: readonly number[]): boolean {
  const agents = all.flatMap(node => fileOf(state, node).facts.agent ?? [])
  return agents.length === all.length && new Set(agents).size === all.length
}

/** A10: of one agent's files under two ids, the one that goes on has the conversation; the others are copies of its start. */
function compareEnded(state: State, a: number, b: number): number {
  const [endsA, endsB] = [a, b].map(node => Number.isNaN(fileOf(state, node).firstOwn))
  return Number(endsA) - Number(endsB)
}

function compareOwn(state: State, a: number, b: number): number {
  return fileOf(state, a).firstOwn - fileOf(state, b).firstOwn
}

/** Notes when something first happened in a file that it does not share, once it has. */
export function noteFirstOwn(state: State, file: OpenFile): void {
  if (Number.isNaN(file.firstOwn)) file.firstOwn = firstOwnTime(state, file)
}

function firstOwnTime(state: State, file: OpenFile): number {
  const { table } = state
  const own = file.nodes.find(node => !state.shared.has(t.idOf(table, node)))
  const time = own === undefined ? Number.NaN : t.real(table.time, own)
  return Number.isNaN(file.firstNote) || time < file.firstNote ? time : file.firstNote
}

function compareClaims(state: State, a: number, b: number): number {
  const homeA = isAtHome(state, a)
  if (homeA !== isAtHome(state, b)) return homeA ? -1 : 1
  const [fileA, fileB] = [fileOf(state, a), fileOf(state, b)]
  return compareTimes(fileA.firstTime, fileB.firstTime) || Number(fileA.stamped) - Number(fileB.stamped)
}

function isAtHome(state: State, node: number): boolean {
  return fileOf(state, node).facts.session === sessionOf(state, node)
}

/**
 * G3: cuts each cycle of links once, at its first written node. Linear: every node is walked over once.
 * `cut` says which node of the cycle to cut and does it.
 */
export function cutCycles(
  links: Int32Array,
  nodes: Iterable<number>,
  cut: (cycle: readonly number[]) => void,
): void {
  const walk = new Int32Array(links.length)
  let turn = 0
  for (const start of nodes) {
    turn++
    let node = start
    while (node !== t.none && t.int(walk, node) === 0) {
      walk[node] = turn
      node = t.int(links, node)
    }
    if (node !== t.none && t.int(walk, node) === turn) cut(cycleFrom(links, node))
  }
}

function cycleFrom(links: Int32Array, start: number): readonly number[] {
  const cycle = [start]
  for (let node = t.int(links, start); node !== start; node = t.int(links, node)) cycle.push(node)
  return cycle
}

/** Cuts a cycle of recorded parents at its first written node. */
export function cutParentCycle(state: State, cycle: readonly number[]): void {
  const { table } = state
  const first = cycle.reduce((best, node) => (compareWritten(state, node, best) < 0 ? node : best))
  table.parent[first] = t.none
  t.mark(table, first, t.CutParent)
  state.cuts.push(first)
}
