/** Links that lead to no entry of the file: found once, reported and repaired by the kinds that name them. */
import { type Draft, mainNodes, noteRepair } from '../edit/draft.js'
import {
  callsOf,
  entryBefore,
  isAssistant,
  isConversation,
  isCutFromParent,
  isInFile,
  isResult,
  isSummary,
  nodeCount,
  none,
  parentIdOf,
  parentLinks,
  parentOf,
  rowOf,
  toolsOf,
} from '../graph/nodes.js'
import { cutCycles } from '../graph/parents.js'
import type { ExaminedFile } from './fault.js'

/** A link that leads nowhere. */
interface BrokenLink {
  readonly kind: 'dangling-parent' | 'cycle'
  /** `absent`: an answer or result names no parent. `missing`: its parent is in no file. `elsewhere`: in another file. */
  readonly why: 'absent' | 'missing' | 'elsewhere' | 'cycle'
  /** The entry of the file that it goes on from; `none` where nothing stands before it. */
  readonly above: number
}

/** The broken link of an entry; null where its parent stands in the file, or nothing is lost without one. */
export function brokenLinkAt(examined: ExaminedFile, node: number): BrokenLink | null {
  const { graph, file } = examined
  if (parentIdOf(graph, node) === null) return absentLinkAt(examined, node)
  const parent = parentOf(graph, node)
  if (parent !== none && isInFile(graph, parent, file)) return null
  const above = entryBefore(graph, node)
  if (isCutFromParent(graph, node)) return { kind: 'cycle', why: 'cycle', above }
  // With nothing before it in the file nothing is lost at a parent that is not there.
  if (above === none) return null
  return { kind: 'dangling-parent', why: parent === none ? 'missing' : 'elsewhere', above }
}

/** An answer or a result cannot begin a conversation: a result goes on from its call, an answer from the entry before it. */
function absentLinkAt(examined: ExaminedFile, node: number): BrokenLink | null {
  const { graph } = examined
  if (!isResult(graph, node) && !isAssistant(graph, node)) return null
  const known = [parentOf(graph, node), callAbove(examined, node), entryBefore(graph, node)]
  const above = known.find(each => each !== none)
  return above === undefined ? null : { kind: 'dangling-parent', why: 'absent', above }
}

/** The last call before a result that it answers; none where there is none in the file. */
function callAbove({ graph, file }: ExaminedFile, node: number): number {
  if (!isResult(graph, node)) return none
  const calls = toolsOf(graph, node).flatMap(tool => callsOf(graph, tool))
  return calls.findLast(call => call < node && isInFile(graph, call, file)) ?? none
}

/** Repairs the broken links above every entry of the conversation; a repaired link leads to entries that nothing hung on. */
export function repairBrokenLinks(draft: Draft): void {
  const { graph, file } = draft
  const walked = new Uint8Array(nodeCount(graph))
  for (const start of mainNodes(draft)) {
    let node = isConversation(graph, start) ? start : none
    while (node !== none && walked[node] !== 1) {
      walked[node] = 1
      if (isInFile(graph, node, file) && !draft.parents.has(node)) repairLink(draft, node)
      node = draft.parents.get(node) ?? parentOf(graph, node)
    }
  }
  openNewCycles(draft)
}

function repairLink(draft: Draft, node: number): void {
  const link = brokenLinkAt(draft, node)
  if (link === null || !draft.wants(link.kind)) return
  if (isSummary(draft.graph, node) && link.kind === 'dangling-parent' && link.why !== 'absent')
    repairSummary(draft, node, link.above)
  else {
    draft.parents.set(node, link.above)
    noteRepair(draft, link.kind, node, sentenceOf(draft, node, link))
  }
}

function sentenceOf({ graph }: Draft, node: number, { why, above }: BrokenLink): string {
  const row = above === none ? 0 : rowOf(graph, above)
  const target = above === none ? 'nothing, as the first entry' : `the entry written before it, on row ${row}`
  const named = parentIdOf(graph, node)
  switch (why) {
    case 'absent':
      return `${isResult(graph, node) ? 'A result' : 'An answer'} without a parent; it goes on from the entry on row ${row}.`
    case 'cycle':
      return `Its parents lead back to it; it goes on from ${target}.`
    case 'missing':
      return `Its parent ${named} was never written; it goes on from ${target}.`
    default:
      return `Its parent ${named} stands in another file; it goes on from ${target}.`
  }
}

/**
 * C4: a summary whose boundary was never written: the conversation begins with it, as it does behind a boundary. Where a resume
 * loads entries before it today, it goes on from them: nothing that is loaded may go.
 */
function repairSummary(draft: Draft, node: number, before: number): void {
  const isBehind = [...draft.today].some(loaded => loaded < node)
  draft.parents.set(node, isBehind ? before : none)
  const how = isBehind ? 'goes on from the entry written before it' : 'begins the conversation'
  noteRepair(draft, 'dangling-parent', node, `The boundary of its compaction was never written; it ${how}.`)
}

/** Entries may hang on later rows, so a parent that stands before can close a circle: one further up is taken instead. */
export function openNewCycles(draft: Draft): void {
  const { graph, parents } = draft
  if (parents.size === 0) return
  const links = parentLinks(graph)
  for (const [node, parent] of parents) links[node] = parent
  cutCycles(links, mainNodes(draft), cycle => {
    const bent = cycle.find(node => parents.has(node)) ?? none
    if (bent === none) return
    const free = freeBefore(draft, links, bent)
    links[bent] = free
    parents.set(bent, free)
  })
}

/** The nearest entry written before one that does not hang below it; none where there is none near. */
function freeBefore({ graph }: Draft, links: Int32Array, node: number): number {
  let before = entryBefore(graph, node)
  for (let left = MOST_TRIED; before !== none && left > 0; left--) {
    if (!leadsTo(links, before, node)) return before
    before = entryBefore(graph, before)
  }
  return none
}

const MOST_TRIED = 64

function leadsTo(links: Int32Array, below: number, above: number): boolean {
  let node = below
  for (let left = links.length; node !== none && node !== above && left > 0; left--)
    node = links[node] ?? none
  // A walk that never ends is in another circle: nothing may hang there either.
  return node !== none
}
