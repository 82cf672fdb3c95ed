/**
 * A file under edit. The steps of an edit decide about its rows through a few verbs; nothing else changes a draft, and no row
 * is made before all steps are done (`draft-rows.ts`).
 */

import type { CompactionRecord } from '../graph/compactions.js'
import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import {
  isConversation,
  isInFile,
  isRepeated,
  isSidechain,
  kindOf,
  nodeCount,
  none,
  parentOf,
  rowOf,
} from '../graph/nodes.js'
import { pushTo } from '../model/group.js'
import type { EntryId, SessionId } from '../model/ids.js'
import type { ConversationItem, InsertedRow, PromisedConversation } from '../resume/conversation.js'
import type { Change, RowPatch } from './plan.js'
import type { EditSource } from './source.js'

/** What a draft is made of, and what stays the same while it is changed. */
export interface DraftFacts {
  readonly source: EditSource
  readonly graph: Graph
  readonly file: FileRecord
  /** The id of the session that will be written. */
  readonly session: SessionId
  /** The time of the edit, in milliseconds since 1970. */
  readonly now: number
  /** The promised conversation becomes one line of entries; not where only some kinds of faults are repaired. */
  readonly isLinear: boolean
}

/** A file under edit. */
export interface Draft extends DraftFacts {
  /** Leaves a row out: what hangs on it then hangs on its parent. With a reason, the change is noted. */
  readonly drop: (node: number, why?: string) => void
  /** Leaves a row out that repeats another entry: what hangs on it then hangs on that one. */
  readonly replace: (node: number, original: number) => void
  /** Hangs an entry or an inserted row on another one; `none` makes it a root. */
  readonly relink: (item: ConversationItem, parent: ConversationItem) => void
  /** Changes fields of a row. */
  readonly rewrite: (node: number, patch: RowPatch) => void
  /** Inserts a row behind the row of an entry. */
  readonly insert: (row: InsertedRow, behind: number) => void
  /** Writes a row before another one. */
  readonly moveBefore: (node: number, other: number) => void
  /** Sets what a resume of the result has to load. */
  readonly promise: (conversation: PromisedConversation) => void
  /** Adds to the list of changes that the user reads; `none` and a row where a row has no entry. */
  readonly note: (node: number, why: string, row?: number | null) => void
  /** The same draft; changes that are noted through it are of this kind. */
  readonly as: (kind: string) => Draft

  readonly isDropped: (node: number) => boolean
  /** The entry that stands for one in the new file: the one that it repeats, where it was replaced. */
  readonly standIn: (node: number) => number
  readonly isRelinked: (node: number) => boolean
  /** What an item hangs on, dropped or not; `none` for a root. */
  readonly linkOf: (item: ConversationItem) => ConversationItem
  /** Entries of the file that were relinked to other entries of it. */
  readonly relinked: () => readonly (readonly [node: number, parent: number])[]
  readonly patchOf: (node: number) => RowPatch | undefined
  readonly insertedBehind: (node: number) => readonly InsertedRow[]
  /** Rows that are written before this one; null for a row that is itself written elsewhere. */
  readonly movedBefore: (node: number) => readonly number[] | null
  readonly promised: () => PromisedConversation
  readonly changes: readonly Change[]
}

/** A draft of a file about which nothing is decided yet. */
export function openDraft(facts: Omit<DraftFacts, 'graph'>): Draft {
  const { graph } = facts.source
  const dropped = new Set<number>()
  const originals = new Map<number, number>()
  const links = new Map<ConversationItem, ConversationItem>()
  const patches = new Map<number, RowPatch>()
  const inserted = new Map<number, InsertedRow[]>()
  const moved = new Map<number, number[]>()
  const away = new Set<number>()
  const changes: Change[] = []
  let promised: PromisedConversation = []
  const noteAs = (what: string, node: number, why: string, row: number | null = null): void => {
    if (node === none) changes.push({ what, node: null, row, why })
    else changes.push({ what, node: graph.id(node), row: rowOf(graph, node), why })
  }
  const draftOf = (kind: string): Draft => ({
    ...facts,
    graph,
    changes,
    drop: (node, why) => {
      dropped.add(node)
      if (why !== undefined) noteAs(kind, node, why)
    },
    replace: (node, original) => {
      dropped.add(node)
      originals.set(node, original)
      links.set(node, original)
    },
    relink: (item, parent) => links.set(item, parent),
    rewrite: (node, patch) => patches.set(node, { ...patches.get(node), ...patch }),
    insert: (row, behind) => pushTo(inserted, behind, row),
    moveBefore: (node, other) => {
      pushTo(moved, other, node)
      away.add(node)
    },
    promise: conversation => {
      promised = conversation
    },
    note: (node, why, row) => noteAs(kind, node, why, row),
    as: draftOf,
    isDropped: node => dropped.has(node),
    standIn: node => originals.get(node) ?? node,
    isRelinked: node => links.has(node),
    linkOf: item => links.get(item) ?? (typeof item === 'number' ? parentOf(graph, item) : item.parent),
    relinked: () => [...links].filter(isBetweenNodes),
    patchOf: node => patches.get(node),
    insertedBehind: node => inserted.get(node) ?? [],
    movedBefore: node => (away.has(node) ? null : (moved.get(node) ?? [])),
    promised: () => promised,
  })
  return draftOf('')
}

function isBetweenNodes(link: [ConversationItem, ConversationItem]): link is [number, number] {
  return link.every(end => typeof end === 'number')
}

/** Those items of a conversation that are entries of the file. */
export function conversationEntries(conversation: PromisedConversation): readonly number[] {
  return conversation.filter(item => typeof item === 'number')
}

/** The uuid of an item. */
export function itemId({ graph }: Draft, item: ConversationItem): EntryId {
  return typeof item === 'number' ? graph.id(item) : item.id
}

/** Whether an entry of the main conversation of the file will be in the new one. */
export function isInDraft({ graph, file, isDropped }: Draft, node: number): boolean {
  const isOff = isRepeated(graph, node) || isSidechain(graph, node) || isDropped(node)
  return isInFile(graph, node, file) && !isOff
}

/** The entries of the main conversation of a file, in the order of rows. */
export function mainNodes({ graph, file }: Pick<Draft, 'graph' | 'file'>): readonly number[] {
  return file.nodes.filter(node => !isSidechain(graph, node))
}

/** The newest compaction that a conversation begins with; null where there is none. */
export function compactionIn(
  { file }: Pick<Draft, 'file'>,
  conversation: PromisedConversation,
): CompactionRecord | null {
  if (file.compactions.length === 0) return null
  const items = new Set(conversation)
  return file.compactions.findLast(({ summary }) => items.has(summary)) ?? null
}

/**
 * What an item will hang on: rows that are left out hand it on to their own parent. Types that nobody knows are stepped over,
 * since a client that does not know them either would end there; where the conversation becomes a line, so is progress.
 */
export function newParentOf({ isDropped, linkOf, graph, isLinear }: Draft, child: number): ConversationItem {
  const isOverProgress = isLinear && isConversation(graph, child)
  const isOver = (item: ConversationItem): item is number => {
    if (typeof item === 'object' || item === none) return false
    const kind = kindOf(graph, item)
    return isDropped(item) || kind === 'opaque' || (isOverProgress && kind === 'progress')
  }
  let above = linkOf(child)
  for (let left = nodeCount(graph); isOver(above) && left >= 0; left--) above = linkOf(above)
  return above
}

/** Whether an entry is another item, or hangs below it. */
export function isBelow(draft: Draft, below: number, above: ConversationItem): boolean {
  let item: ConversationItem = below
  for (let left = nodeCount(draft.graph); item !== none && item !== above && left > 0; left--)
    item = typeof item === 'number' ? newParentOf(draft, item) : draft.linkOf(item)
  return item === above
}
