/**
 * Linking: from filed sightings to the tree of lines. Stages in order, as in docs/ARCHITECTURE.md:
 *
 *   owners -> parents -> cycles -> copies -> compactions -> domains -> up -> children and facts
 *
 * New rows that cannot change what is linked are hung one by one (`extend`); anything else (a uuid seen twice, a
 * missing parent that turns up, a copy) links everything again (`relink`). Both give the same graph: a property test says so.
 */

import { pushTo } from '../model/group.js'
import { adopt, cutAdoptedCycles, linkOf } from './adopt.js'
import {
  type CompactionRecord,
  compactionBetween,
  continuesAt,
  fileCompaction,
  isSummary,
  lastBefore,
  namesLater,
} from './compactions.js'
import { findCopies, isAtCopiedParent, originalOf } from './copies.js'
import { assignDomain, createDomains, domainOf, type OpenDomain } from './domains.js'
import { addOwnFacts, rootsKey, tellAncestors } from './facts.js'
import { entriesIn } from './file-record.js'
import { endOfTurnBefore } from './late-rows.js'
import { firstPartOf } from './messages.js'
import { compareLocations, filesInOrder } from './order.js'
import { chooseOwners, cutCycles, cutParentCycle, linkParent, noteFirstOwn } from './parents.js'
import { fileOf, isPlaced } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { callsOf, resultsOf, toolsOf } from './tools.js'

/** Links everything that was added since the last time. */
export function linkRows(state: State): void {
  const from = state.linked
  if (from === state.table.size && !state.stale) return
  // Every new row owns its node until linking says otherwise.
  for (let node = from; node < state.table.size; node++) state.table.owner[node] = node
  if (from === 0 || state.stale || !extend(state, from)) relink(state)
  state.linked = state.table.size
  state.stale = false
}

/** Hangs the new sightings. False where one of them may change what is already linked: nothing is lost then. */
function extend(state: State, from: number): boolean {
  const fresh: number[] = []
  for (let node = from; node < state.table.size; node++) if (!isRepeated(state, node)) fresh.push(node)
  if (fresh.some(node => disturbs(state, node))) return false
  for (const node of fresh) linkParent(state, node)
  if (!fresh.every(node => hangsBackwards(state, node))) return false
  if (fresh.some(node => endsOpenCompaction(state, node, from) || repeatsRoot(state, node))) return false
  if (fresh.some(node => namesLater(state, node))) return false
  for (const node of fresh) adopt(state, node)
  for (const node of fresh) noteFirstOwn(state, fileOf(state, node))
  for (const node of fresh) fileCompaction(state, node)
  for (const node of fresh) assignDomain(state, node)
  for (const node of fresh) hang(state, node)
  for (const node of fresh) adoptOrphans(state, node)
  return true
}

/** An orphan can be hung on its parent at once where the two have nothing else to do with each other. */
function canAdopt(state: State, parent: number, orphan: number): boolean {
  const { table } = state
  if (orphan >= state.linked || !isPlaced(state, orphan) || t.int(table.up, orphan) !== t.none) return false
  if (t.int(table.file, orphan) !== t.int(table.file, parent)) return false
  if (t.marked(table, orphan, t.Sidechain | t.Boundary) || state.originals.size > 0) return false
  return !isBelow(state, table.parentIds[parent] ?? null, orphan)
}

/** Whether an entry of this uuid hangs below a node, as far as a bounded search can tell; then all is linked again. */
function isBelow(state: State, id: string | null, above: number): boolean {
  const { table } = state
  const open = [above]
  for (let looked = 0; open.length > 0; looked++) {
    const node = open.pop() ?? t.none
    if (t.idOf(table, node) === id || looked > 256) return true
    for (const child of t.childrenOf(table, node)) open.push(child)
  }
  return false
}

/** Hangs the entries that have waited for this one. */
function adoptOrphans(state: State, node: number): void {
  const { table } = state
  const id = t.idOf(table, node)
  for (const orphan of state.wanted.get(id) ?? []) {
    const { roots } = domainOf(state, orphan)
    roots.splice(roots.lastIndexOf(orphan), 1)
    state.orphans.delete(orphan)
    state.live.delete(t.int(table.file, orphan))
    table.parent[orphan] = node
    table.parentIds[orphan] = id
    hang(state, orphan)
  }
  state.wanted.delete(id)
}

/** A summary whose boundary was linked without it: what hangs over the boundary hangs elsewhere now. */
function endsOpenCompaction(state: State, node: number, from: number): boolean {
  if (!isSummary(state, node)) return false
  const open = fileOf(state, node).compactions.at(-1)
  return open !== undefined && open.summary === t.none && open.boundary < from
}

/** A root with the text and time of another root may be a copy of it. */
function repeatsRoot(state: State, node: number): boolean {
  const { table } = state
  if (t.byte(table.kind, node) !== t.User || table.parentIds[node] !== null) return false
  const look = rootLook(table, node)
  const known = state.rootLooks.has(look)
  state.rootLooks.add(look)
  return known
}

function rootLook(table: t.Table, node: number): string {
  return `${t.real(table.time, node)} ${t.real(table.hash, node)}`
}

function isRepeated(state: State, node: number): boolean {
  return t.marked(state.table, node, t.Repeated)
}

/** Whether a new sighting has to do with what is linked in other ways than by hanging on it. */
function disturbs(state: State, node: number): boolean {
  const { table } = state
  const id = t.idOf(table, node)
  if (state.stamps.has(id) || state.named.has(id) || t.marked(table, node, t.Stamped)) return true
  if (!(state.wanted.get(id) ?? []).every(orphan => canAdopt(state, node, orphan))) return true
  // G1: the first thing of its own may show which of two copies is the original.
  if (fileOf(state, node).shares && Number.isNaN(fileOf(state, node).firstOwn)) return true
  const tools = toolsOf(state, node)
  if (t.byte(table.kind, node) === t.User) return tools.some(tool => resultsOf(state, tool).length > 1)
  if (tools.some(tool => isLateCall(state, tool))) return true
  return hasEarlierLook(state, node)
}

/** A call written twice, or after its result. */
function isLateCall(state: State, tool: number): boolean {
  if (callsOf(state, tool).length > 1) return true
  return resultsOf(state, tool).some(node => node < state.linked)
}

/** A part whose message already has a part with the same words: it may be a copy. */
function hasEarlierLook(state: State, node: number): boolean {
  const { table } = state
  const message = t.int(table.message, node)
  const hash = t.real(table.hash, node)
  if (message === t.none || hash === 0) return false
  let part = firstPartOf(state, message)
  for (; part !== t.none && part < node; part = t.int(table.nextPart, part)) {
    if (t.real(table.hash, part) === hash) return true
  }
  return false
}

/** Cycles, and turns written twice, need a look at the whole: they cannot come from links to earlier entries. */
function hangsBackwards(state: State, node: number): boolean {
  const { table } = state
  const parent = t.int(table.parent, node)
  if (parent === t.none) return true
  if (parent >= node || t.int(table.file, parent) !== t.int(table.file, node)) return false
  if (t.byte(table.kind, node) !== t.User) return true
  if (state.originals.has(parent)) return false
  return !isAtCopiedParent(table, node) && !repeatsSibling(table, node, parent)
}

function repeatsSibling(table: t.Table, node: number, parent: number): boolean {
  // Siblings of the same batch hang on nothing yet; they stand right before.
  for (let before = node - 1; before > parent && before > node - 64; before--) {
    if (t.int(table.parent, before) === parent && looksAlike(table, before, node)) return true
  }
  let sibling = t.int(table.first, parent)
  // Among very many siblings all is linked again, in one pass, rather than each new one held against all others.
  for (let looked = 0; sibling !== t.none; sibling = t.int(table.next, sibling), looked++) {
    if (looked > 1024 || looksAlike(table, sibling, node)) return true
  }
  return false
}

function looksAlike(table: t.Table, a: number, b: number): boolean {
  return t.real(table.time, a) === t.real(table.time, b) && t.real(table.hash, a) === t.real(table.hash, b)
}

/** Links everything from scratch, from the columns alone. */
function relink(state: State): void {
  reset(state)
  chooseOwners(state)
  const order = nodesInOrder(state)
  for (const node of order) linkParent(state, node)
  cutCycles(state.table.parent, order, cycle => cutParentCycle(state, cycle))
  for (const node of order) adopt(state, node)
  cutAdoptedCycles(state, order)
  findCopies(state)
  for (const node of order) fileCompaction(state, node)
  for (const node of order) assignDomain(state, node)
  for (const node of order) if (isPlaced(state, node)) state.table.up[node] = upOf(state, node)
  cutCycles(state.table.up, order, cycle => cutUpCycle(state, cycle))
  for (const node of order) if (isPlaced(state, node)) hangAt(state, node)
  for (const node of order)
    if (state.table.parentIds[node] === null) state.rootLooks.add(rootLook(state.table, node))
  for (const node of order) noteReplay(state, node)
}

/** F7: remembers under which original a copied turn was hung, so that the fork it looks like has its verdict. */
function noteReplay(state: State, node: number): void {
  const { table } = state
  if (t.int(table.owner, node) !== node || t.int(table.copyOf, node) === t.none) return
  const parent = t.int(table.parent, node)
  const key = parent === t.none ? rootsKey(t.int(table.domain, node)) : parent
  if (parent !== t.none && !isPlaced(state, parent)) return
  pushTo(state.replays, key, node)
}

function reset(state: State): void {
  const { table } = state
  for (const column of [table.parent, table.up, table.domain, table.first, table.last, table.next])
    column.fill(t.none)
  table.facts.fill(0)
  table.span.fill(t.none)
  for (let node = 0; node < table.size; node++) {
    table.owner[node] = node
    table.marks[node] = t.word(table.marks, node) & ~(t.CutParent | t.Kept)
  }
  for (const file of state.files) file.compactions.length = 0
  state.keptBy.clear()
  state.compactionOf.clear()
  state.wanted.clear()
  state.named.clear()
  state.orphans.clear()
  state.adopted.clear()
  state.cuts.length = 0
  state.upCuts.clear()
  state.rootLooks.clear()
  state.domains = createDomains()
  state.live.clear()
  state.replays.clear()
}

/** All sightings by path and row, whatever the order of reading. */
function nodesInOrder(state: State): Int32Array {
  const order = new Int32Array(state.table.size)
  let count = 0
  for (const file of filesInOrder(state)) for (const node of entriesIn(file)) order[count++] = node
  return order.subarray(0, count)
}

function hang(state: State, node: number): void {
  state.table.up[node] = upOf(state, node)
  hangAt(state, node)
}

/** Where a node hangs in the tree of lines: on its parent, but over compactions, past copies and rows written late. */
function upOf(state: State, node: number): number {
  const { table } = state
  const parent = linkOf(state, node)
  if (parent === t.none) return upOfRoot(state, node)
  const compaction = compactionBetween(state, node, parent)
  if (compaction !== null) return originalOf(table, continuesAt(compaction, node))
  const end = endOfTurnBefore(state, node)
  return originalOf(table, end === t.none ? parent : end)
}

/** C1: a boundary goes on from its logical parent, else from a preserved entry, else from the entry before it. */
function upOfRoot(state: State, node: number): number {
  const { table } = state
  const boundary = t.marked(table, node, t.Boundary)
  if (!boundary && !(isSummary(state, node) && table.parentIds[node] === null)) return t.none
  const record = boundary ? state.compactionOf.get(node) : undefined
  const target = record === undefined || record.followsLogical ? t.none : endBefore(record)
  const found = target === t.none ? lastBefore(state, node) : target
  return found === t.none ? t.none : originalOf(table, found)
}

/** The entry that a compacted conversation ended in, as its boundary tells. */
function endBefore({ logical, preserved }: CompactionRecord): number {
  return logical === t.none ? (preserved.at(-1) ?? t.none) : logical
}

/** Going over compactions or past copies must not close a cycle: such a link falls back to the recorded parent. */
function cutUpCycle(state: State, cycle: readonly number[]): void {
  const { table } = state
  const bent = cycle.find(node => t.int(table.up, node) !== t.int(table.parent, node)) ?? cycle[0]
  if (bent === undefined) return
  state.upCuts.set(bent, t.int(table.up, bent))
  table.up[bent] = t.none
}

function hangAt(state: State, node: number): void {
  const { table } = state
  const above = t.int(table.up, node)
  addOwnFacts(state, node)
  if (above === t.none || t.int(table.domain, above) !== t.int(table.domain, node)) {
    addRoot(state, domainOf(state, node), node)
  } else appendChild(table, above, node)
  tellAncestors(state, node)
}

/** Roots stand by path and row, also where a domain lies in several files that grow in turns. */
function addRoot(state: State, { roots }: OpenDomain, node: number): void {
  const { file } = state.table
  const last = roots.at(-1)
  roots.push(node)
  if (last !== undefined && t.int(file, last) !== t.int(file, node))
    roots.sort((a, b) => compareLocations(state, a, b))
}

function appendChild(table: t.Table, above: number, node: number): void {
  const last = t.int(table.last, above)
  if (last === t.none) table.first[above] = node
  else table.next[last] = node
  table.last[above] = node
}
