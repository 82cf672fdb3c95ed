import { type Draft, noteRepair } from '../edit/draft.js'
import type { Graph } from '../graph/graph.js'
import {
  compactionBetween,
  entryBefore,
  holdsInput,
  isAssistant,
  isConversation,
  isInFile,
  isPrompt,
  isSidechain,
  liveChain,
  liveLeaf,
  nodeCount,
  none,
  parentOf,
  roleOf,
  rowOf,
  unitOf,
} from '../graph/nodes.js'
import { positionsIn } from '../graph/positions.js'
import { GoesOn } from '../resume/content-marks.js'
import { openNewCycles } from './broken-links.js'
import {
  counted,
  type ExaminedFile,
  type FaultContext,
  type FaultKind,
  type FoundFault,
  faultAt,
  fromDiagnostics,
  markOf,
} from './fault.js'

/** D4: the conversation goes on from an entry that was not the last, and nobody went back. */
export const staleParent: FaultKind = {
  id: 'stale-parent',
  title: 'goes on from an old entry',
  meaning:
    'After a crash, a compaction or by itself, the client went on from an older entry than the last one.',
  cost: 'The turns in between are on no live branch: neither the model nor a resume sees them.',
  fix: 'dagline repair SESSION',
  find: context => [
    ...fromDiagnostics(context, ['dag/forgotten-turns'], () => 'warning'),
    ...wentOnByItself(context),
    ...hungBeforeCompaction(context),
    ...laterCommands(context),
  ],
  repairs: [{ stage: 'links', change: repairStaleParents }],
}

/** Prompts that the client makes up when it goes on by itself, hung on an entry that was not the last. */
function promptsBesideTheEnd(examined: ExaminedFile): readonly number[] {
  const { graph, file } = examined
  return file.nodes.filter(node => {
    if ((markOf(examined, node) & GoesOn) === 0) return false
    const parent = parentOf(graph, node)
    const before = entryBefore(graph, node)
    return parent !== none && before !== none && parent !== before && !isBeside(examined, parent, before)
  })
}

function wentOnByItself(context: FaultContext): readonly FoundFault[] {
  return promptsBesideTheEnd(context).map(node => {
    const skipped = rowOf(context.graph, entryBefore(context.graph, node))
    const message = `The client went on by itself, past what stands up to row ${skipped}.`
    return faultAt(context, node, 'warning', message)
  })
}

/** Whether the entry before is not a later part of the same conversation: a hook or notice, or another branch. */
function isBeside({ graph }: ExaminedFile, parent: number, before: number): boolean {
  for (let node = before, left = nodeCount(graph); node !== none && left > 0; left--) {
    if (node === parent) return !hasTalkBetween(graph, parent, before)
    node = parentOf(graph, node)
  }
  return true
}

function hasTalkBetween(graph: Graph, parent: number, before: number): boolean {
  for (let node = before; node !== parent && node !== none; node = parentOf(graph, node))
    if (isConversation(graph, node)) return true
  return false
}

/** Entries behind a finished compaction that hang on one before it which it did not keep, and that nobody typed. */
function hungBeforeCompaction(context: FaultContext): readonly FoundFault[] {
  const { graph, file } = context
  const finished = file.compactions.filter(({ summary }) => summary !== none)
  if (finished.length === 0) return []
  return file.nodes.flatMap(node => {
    const parent = parentOf(graph, node)
    if (parent === none || !isAssistant(graph, node) || isSidechain(graph, node)) return []
    const row = rowOf(graph, node)
    const over = finished.findLast(({ boundary }) => rowOf(graph, boundary) < row)
    if (over === undefined || !isInFile(graph, parent, file)) return []
    if (rowOf(graph, parent) >= rowOf(graph, over.boundary)) return []
    if (compactionBetween(graph, node, parent) !== null) return []
    const message = `An answer hangs on an entry before the compaction on row ${rowOf(graph, over.boundary)}.`
    const found = faultAt(context, node, 'warning', message)
    // Where a resume loads all of the conversation, it stays as it is.
    return [context.lost.length === 0 ? { ...found, fix: null } : found]
  })
}

/** F8: 1.0.x hangs every local command of a process on its one caveat: those that something was said before since. */
function lateCommands(graph: Graph, nodes: readonly number[]): readonly number[] {
  return nodes.filter(node => {
    const parent = parentOf(graph, node)
    if (parent === none || roleOf(graph, node) !== 'command') return false
    return roleOf(graph, parent) === 'caveat' && entryBefore(graph, node) !== parent
  })
}

/** A resume steps from such a command over what was said since. */
function laterCommands(context: FaultContext): readonly FoundFault[] {
  const { graph, file, lost } = context
  const late = lost.length === 0 ? [] : lateCommands(graph, file.nodes)
  const [first] = late
  if (first === undefined) return []
  const message = `${counted(late.length, 'local command hangs', 'local commands hang')} on the first note of a process: a resume can step over what was said in between.`
  return [{ ...faultAt(context, first, 'error', message), count: late.length }]
}

function repairStaleParents(draft: Draft): void {
  if (!draft.wants('stale-parent')) return
  const { graph, file } = draft
  const chain = liveChain(graph, liveLeaf(graph, file))
  repairForgotten(draft, chain)
  for (const node of lateCommands(graph, chain))
    rehang(draft, node, 'The client hung it on the first note of its process, however much was said since')
  for (const node of promptsBesideTheEnd(draft))
    if (!draft.parents.has(node))
      rehang(draft, node, 'The client went on by itself from an entry that was not the last')
  openNewCycles(draft)
}

/** F1: after a crash the conversation went on from an older part of a message, and the turns since were forgotten. */
function repairForgotten(draft: Draft, chain: readonly number[]): void {
  const { graph, source } = draft
  const places = positionsIn(chain, nodeCount(graph))
  for (const fork of source.graph.forks()) {
    const at = fork.at ?? none
    const place = places.get(at)
    if (fork.kind !== 'rewind' || place === undefined) continue
    const inMessage = fork.children.filter(child => unitOf(graph, child) === unitOf(graph, at))
    const typed = fork.children.filter(child => holdsInput(graph, child))
    if (inMessage.length < 2 || typed.length < 2) continue
    const prompt = promptBelow(draft, chain, place)
    if (prompt !== none)
      rehang(
        draft,
        prompt,
        'After a crash it was hung on an older part of a message, and the turns since were lost',
      )
  }
}

/** The prompt next to a place of a chain, towards its end. */
function promptBelow({ graph }: Draft, chain: readonly number[], place: number): number {
  for (let at = place - 1; at >= 0; at--) {
    const node = chain[at] ?? none
    if (isPrompt(graph, node)) return node
  }
  return none
}

function rehang(draft: Draft, node: number, why: string): void {
  const before = entryBefore(draft.graph, node)
  if (before === none || isAbove(draft, node, before)) return
  draft.parents.set(node, before)
  noteRepair(
    draft,
    'stale-parent',
    node,
    `${why}; it goes on from the entry before it, on row ${rowOf(draft.graph, before)}.`,
  )
}

/** Whether a node is above another, or is it. */
function isAbove({ graph }: Draft, above: number, below: number): boolean {
  for (let node = below, left = nodeCount(graph); node !== none && left > 0; left--) {
    if (node === above) return true
    node = parentOf(graph, node)
  }
  return false
}
