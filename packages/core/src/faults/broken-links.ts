/** Links that lead to no entry of the file: found once, reported and repaired by the kinds that name them. */
import { type Draft, mainNodes } from '../edit/draft.js'
import {
  callsOf,
  entryBefore,
  isAssistant,
  isConversation,
  isCutFromParent,
  isInFile,
  isResult,
  nodeCount,
  none,
  parentIdOf,
  parentLinks,
  parentOf,
  toolsOf,
} from '../graph/nodes.js'
import { cutCycles } from '../graph/parents.js'
import type { FaultContext, Finding } from './fault.js'

/** A link that leads nowhere. */
export interface BrokenLink {
  /** `absent`: an answer or result names no parent. `missing`: its parent is in no file. `elsewhere`: in another file. */
  readonly why: 'absent' | 'missing' | 'elsewhere' | 'cycle'
  /** The entry of the file that it goes on from; `none` where nothing stands before it. */
  readonly above: number
}

/** The broken link of an entry; null where its parent stands in the file, or nothing is lost without one. */
export function brokenLinkAt(context: FaultContext, node: number): BrokenLink | null {
  const { graph, file } = context
  if (parentIdOf(graph, node) === null) return absentLinkAt(context, node)
  const parent = parentOf(graph, node)
  if (parent !== none && isInFile(graph, parent, file)) return null
  const above = entryBefore(graph, node)
  if (isCutFromParent(graph, node)) return { why: 'cycle', above }
  // With nothing before it in the file nothing is lost at a parent that is not there.
  if (above === none) return null
  return { why: parent === none ? 'missing' : 'elsewhere', above }
}

/** An answer or a result cannot begin a conversation: a result goes on from its call, an answer from the entry before it. */
function absentLinkAt(context: FaultContext, node: number): BrokenLink | null {
  const { graph } = context
  if (!isResult(graph, node) && !isAssistant(graph, node)) return null
  const known = [parentOf(graph, node), callAbove(context, node), entryBefore(graph, node)]
  const above = known.find(each => each !== none)
  return above === undefined ? null : { why: 'absent', above }
}

/** The last call before a result that it answers; none where there is none in the file. */
function callAbove({ graph, file }: FaultContext, node: number): number {
  if (!isResult(graph, node)) return none
  const calls = toolsOf(graph, node).flatMap(tool => callsOf(graph, tool))
  return calls.findLast(call => call < node && isInFile(graph, call, file)) ?? none
}

/** A broken link that was found, and its repair. */
export interface LinkFinding extends Finding {
  readonly at: number
  readonly above: number
  /** The sentence of the repair. */
  readonly why: string
}

/**
 * Relinks what was found above every entry of the conversation. A new link can lead to entries that nothing hung on, so it is
 * followed, too; notes beside the conversation stay as they are.
 */
export function relinkFound(draft: Draft, found: readonly LinkFinding[]): void {
  if (found.length === 0) return
  const { graph, isRelinked } = draft
  const links = new Map(found.map(link => [link.at, link]))
  const walked = new Uint8Array(nodeCount(graph))
  for (const start of mainNodes(draft)) {
    let node = isConversation(graph, start) ? start : none
    while (node !== none && walked[node] !== 1) {
      walked[node] = 1
      const link = links.get(node)
      if (link !== undefined && !isRelinked(node)) {
        draft.relink(node, link.above)
        draft.note(node, link.why)
      }
      node = Number(draft.linkOf(node))
    }
  }
  openNewCycles(draft)
}

/** Entries may hang on later rows, so a parent that stands before can close a cycle: one further up is taken instead. */
export function openNewCycles(draft: Draft): void {
  const relinked = draft.relinked()
  if (relinked.length === 0) return
  const links = parentLinks(draft.graph)
  for (const [node, parent] of relinked) links[node] = parent
  cutCycles(links, mainNodes(draft), cycle => {
    const bent = cycle.find(draft.isRelinked) ?? none
    if (bent === none) return
    const free = freeBefore(draft, links, bent)
    links[bent] = free
    draft.relink(bent, free)
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
  // A walk that never ends is in another cycle: nothing may hang there either.
  return node !== none
}
