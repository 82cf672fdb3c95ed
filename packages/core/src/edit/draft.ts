/** A file under repair: what was decided so far for each of its entries. The repairs of the folder write into it. */

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
import type { Json } from '../parse/json.js'
import { NO_SURVEY, type Survey } from '../resume/survey.js'
import type { Change, RowPatch } from './plan.js'
import { type EditSource, marksAt } from './source.js'

/** A result, or another row, that stands in for something that was never written. */
export interface MadeRow {
  readonly id: string
  readonly record: Json
}

export interface Draft {
  readonly source: EditSource
  readonly graph: Graph
  readonly file: FileRecord
  readonly survey: Survey
  /** The id of the file that will be written. */
  readonly session: string
  /** The time of the edit, in milliseconds since 1970. */
  readonly now: number
  /** Whether a kind of fault is to be mended. */
  readonly wants: (kind: string) => boolean
  /** The live conversation becomes one line, whatever else is mended; not where only some faults are to be. */
  readonly isStraight: boolean
  /** Rows that will not be in the new file. */
  readonly dropped: Set<number>
  /** Of rows that are left out, those that repeat others of the file, and which. */
  readonly copies: Map<number, number>
  /** New parents; none for a root. */
  readonly parents: Map<number, number>
  readonly patches: Map<number, RowPatch>
  /** Rows to put in behind the row of an entry. */
  readonly made: Map<number, MadeRow[]>
  /** A row to put before everything, and the entry that hangs on it. */
  start: { readonly node: number; readonly made: MadeRow } | null
  /** Entries that hang on a row that is made, and rows that are made which hang on another than their call: by uuid. */
  readonly onMade: Map<number, string>
  readonly madeOn: Map<string, string>
  /** The entries of the live conversation's line, in its order: their rows stand in it, too. */
  line: readonly number[]
  /** Rows that are written before another. */
  readonly early: Map<number, number>
  /** Boundaries that keep nothing any more. */
  readonly emptied: Set<number>
  readonly changes: Change[]
  /** What a resume loads of the file today. */
  readonly today: ReadonlySet<number>
}

/** What is asked of a draft. */
interface DraftOptions {
  readonly only?: readonly string[]
  readonly today?: readonly number[] | undefined
  readonly now?: number
}

/** A file on which nothing is decided yet; only the given kinds of faults are wanted, or all where there are none. */
export function openDraft(
  source: EditSource,
  file: FileRecord,
  session: string,
  { only = [], today = [], now = 0 }: DraftOptions = {},
): Draft {
  return {
    source,
    graph: source.graph,
    file,
    survey: source.surveys.get(file.facts.path) ?? NO_SURVEY,
    session,
    now,
    wants: kind => only.length === 0 || only.includes(kind),
    isStraight: only.length === 0,
    dropped: new Set(),
    copies: new Map(),
    parents: new Map(),
    patches: new Map(),
    made: new Map(),
    start: null,
    onMade: new Map(),
    madeOn: new Map(),
    line: [],
    early: new Map(),
    emptied: new Set(),
    changes: [],
    today: new Set(today),
  }
}

/** An entry of the conversation: a node, or a row that is made. */
export type Said = number | MadeRow

/** The uuid of what is said. */
export function idOf({ graph }: Draft, item: Said): string {
  return typeof item === 'number' ? graph.id(item) : item.id
}

/** Notes a fault that is mended at a node. */
export function noteRepair(draft: Draft, kind: string, node: number, why: string): void {
  draft.changes.push({ what: kind, node: draft.graph.id(node), row: rowOf(draft.graph, node), why })
}

/** Adds to what is changed in a row. */
export function patchRow(draft: Draft, node: number, patch: RowPatch): void {
  draft.patches.set(node, { ...draft.patches.get(node), ...patch })
}

/** Leaves a row out, and tells why. */
export function dropRow(draft: Draft, kind: string, node: number, why: string): void {
  draft.dropped.add(node)
  noteRepair(draft, kind, node, why)
}

/** Whether an entry has a mark of the survey. */
export function isMarked(draft: Draft, node: number, mark: number): boolean {
  return isConversation(draft.graph, node) && (marksAt(draft.source, node) & mark) !== 0
}

/** Whether an entry of the main conversation of the file will be in the new one. */
export function isInDraft({ graph, file, dropped }: Draft, node: number): boolean {
  const isOff = isRepeated(graph, node) || isSidechain(graph, node) || dropped.has(node)
  return isInFile(graph, node, file) && !isOff
}

/** The entries of the main conversation of the file, in the order of rows. */
export function mainNodes({ graph, file }: Draft): readonly number[] {
  return file.nodes.filter(node => !isSidechain(graph, node))
}

/** The newest compaction that what is said begins with; null where there is none. */
export function compactionIn({ file }: Draft, talk: readonly Said[]): CompactionRecord | null {
  if (file.compactions.length === 0) return null
  const said = new Set(talk)
  return file.compactions.findLast(({ summary }) => said.has(summary)) ?? null
}

/**
 * What an entry will hang on: rows that are left out hand it on to their own parent. Types that nobody knows are stepped over,
 * since a client that does not know them either would end there; where the conversation becomes a line, so is progress.
 */
export function newParentOf({ dropped, parents, graph, isStraight }: Draft, child: number): number {
  const isOverProgress = isStraight && isConversation(graph, child)
  const isOver = (node: number): boolean => {
    const kind = kindOf(graph, node)
    return dropped.has(node) || kind === 'opaque' || (isOverProgress && kind === 'progress')
  }
  let node = parents.get(child) ?? parentOf(graph, child)
  for (let left = nodeCount(graph); node !== none && isOver(node) && left >= 0; left--)
    node = parents.get(node) ?? parentOf(graph, node)
  return node
}

/** Whether an entry is another, or hangs below it. */
export function isBelow(draft: Draft, below: number, above: number): boolean {
  let node = below
  for (let left = nodeCount(draft.graph); node !== none && node !== above && left > 0; left--)
    node = newParentOf(draft, node)
  return node === above
}
