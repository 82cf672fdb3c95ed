import type { Draft } from '../edit/draft.js'
import type { Graph } from '../graph/graph.js'
import {
  compactionBetween,
  entryBefore,
  findAncestor,
  isAssistant,
  isConversation,
  isInFile,
  isPrompt,
  isSidechain,
  liveChain,
  liveLeaf,
  none,
  parentOf,
  roleOf,
  rowOf,
} from '../graph/nodes.js'
import { GoesOn } from '../resume/content-marks.js'
import { openNewCycles } from './broken-links.js'
import {
  counted,
  type EntriesFinding,
  type FaultContext,
  type FaultKind,
  findingAt,
  findingFor,
  fromDiagnostics,
  markOf,
} from './fault.js'

/** Entries to hang on those before them; `why` is empty where the conversation stays as it is. */
interface StaleFinding extends EntriesFinding {
  readonly why: string
}

/** D4: the conversation goes on from an entry that was not the last, and there was no rewind. */
export const staleParent: FaultKind<StaleFinding> = {
  id: 'stale-parent',
  rule: 'D4',
  title: 'continues from an old entry',
  meaning:
    'The client continued from an older entry than the last one: after a crash, a compaction, or for no visible reason.',
  cost: 'The turns in between are on no live branch: neither the model nor a resume sees them.',
  remedy: 'The repair links the conversation to the entry that was written before it.',
  fix: 'dagline repair SESSION',
  find: context => {
    const chain = liveChain(context.graph, liveLeaf(context.graph, context.file))
    return [
      ...forgottenTurns(context, chain),
      ...wentOnByItself(context),
      ...hungBeforeCompaction(context),
      ...lateCommands(context, chain),
    ]
  },
  stages: ['links'],
  repair: (draft, found) => {
    for (const { nodes, why } of found) if (why !== '') for (const node of nodes) relink(draft, node, why)
    openNewCycles(draft)
  },
}

/** F1: after a crash the conversation went on from an older part of a message, and the turns since were forgotten. */
function forgottenTurns(context: FaultContext, chain: readonly number[]): readonly StaleFinding[] {
  const { graph } = context
  const why = 'After a crash it was hung on an older part of a message, and the turns since were lost'
  return fromDiagnostics(context, ['dag/forgotten-turns'], () => 'warning').map(found => {
    const at = found.node === null ? none : (graph.index(found.node) ?? none)
    const below = chain.slice(0, Math.max(0, chain.indexOf(at)))
    const prompt = below.findLast(node => isPrompt(graph, node))
    return { ...found, why, nodes: prompt === undefined ? [] : [prompt] }
  })
}

/** Prompts that the client makes up when it goes on by itself, hung on an entry that was not the last. */
function wentOnByItself(context: FaultContext): readonly StaleFinding[] {
  const { graph, file } = context
  const why = 'For no visible reason, the client continued from an entry that was not the last'
  return file.nodes.flatMap(node => {
    if ((markOf(context, node) & GoesOn) === 0) return []
    const [parent, before] = [parentOf(graph, node), entryBefore(graph, node)]
    if (parent === none || before === none || !isLaterPart(graph, parent, before)) return []
    const message = `The client went on by itself, past what stands up to row ${rowOf(graph, before)}.`
    return [{ ...findingAt(context, node, 'warning', message), why, nodes: [node] }]
  })
}

/** Whether the entry before is a later part of the same conversation: neither a hook or notice, nor another branch. */
function isLaterPart(graph: Graph, parent: number, before: number): boolean {
  if (findAncestor(graph, before, node => node === parent) === none) return false
  return findAncestor(graph, before, node => node === parent || isConversation(graph, node)) !== parent
}

/** Entries behind a finished compaction that hang on one before it which it did not keep, and that nobody typed. */
function hungBeforeCompaction(context: FaultContext): readonly StaleFinding[] {
  const { graph, file, lost } = context
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
    const found = { ...findingAt(context, node, 'warning', message), why: '', nodes: [node] }
    // Where a resume loads all of the conversation, it stays as it is.
    return [lost.length === 0 ? { ...found, fix: null } : found]
  })
}

/** F8: 1.0.x hangs every local command of a process on its one caveat: a resume steps over the messages in between. */
function lateCommands(context: FaultContext, chain: readonly number[]): readonly StaleFinding[] {
  const { graph, file, lost } = context
  const late = file.nodes.filter(node => {
    const parent = parentOf(graph, node)
    if (parent === none || roleOf(graph, node) !== 'command') return false
    return roleOf(graph, parent) === 'caveat' && entryBefore(graph, node) !== parent
  })
  const message = `${counted(late.length, 'local command hangs', 'local commands hang')} on the first note of a process: a resume can step over the messages in between.`
  const why = 'The client hung it on the first note of its process, however many messages came since'
  const found = findingFor(context, late, lost.length === 0 ? null : 'error', message)
  const isLate = new Set(late)
  return found.map(each => ({ ...each, why, nodes: chain.filter(node => isLate.has(node)) }))
}

/** Hangs an entry on the one written before it, unless that hangs below it. */
function relink(draft: Draft, node: number, why: string): void {
  const { graph } = draft
  const before = entryBefore(graph, node)
  if (before === none || findAncestor(graph, before, above => above === node) !== none) return
  draft.relink(node, before)
  draft.note(node, `${why}; it goes on from the entry before it, on row ${rowOf(graph, before)}.`)
}
