/** A file under repair: what was decided so far for each of its entries. The repairs of the folder write into it. */
import { isConversation } from '../graph/live.js'
import type { FileRecord, State } from '../graph/state.js'
import * as t from '../graph/table.js'
import type { Json } from '../parse/json.js'
import type { Change, RepairKind, RowPatch } from './plan.js'
import { type EditSource, marksAt } from './source.js'

/** A result, or another row, that stands in for something that was never written. */
export interface MadeRow {
  readonly id: string
  readonly record: Json
}

export interface Bench {
  readonly source: EditSource
  readonly state: State
  readonly file: FileRecord
  /** The id of the file that will be written. */
  readonly session: string
  /** Whether a kind of fault is to be mended. */
  readonly wants: (kind: RepairKind) => boolean
  /** Rows that will not be in the new file. */
  readonly dropped: Set<number>
  /** New parents; none for a root. */
  readonly parents: Map<number, number>
  readonly patches: Map<number, RowPatch>
  /** Rows to put in behind the row of an entry. */
  readonly made: Map<number, MadeRow[]>
  /** A row to put before everything, and the entry that hangs on it. */
  start: { readonly node: number; readonly made: MadeRow } | null
  /** Boundaries that keep nothing any more. */
  readonly emptied: Set<number>
  readonly changes: Change[]
}

/** A file on which nothing is decided yet; only the given kinds of faults are wanted, or all where there are none. */
export function openBench(
  source: EditSource,
  file: FileRecord,
  session: string,
  only: readonly RepairKind[],
): Bench {
  return {
    source,
    state: source.graph.state,
    file,
    session,
    wants: kind => only.length === 0 || only.includes(kind),
    dropped: new Set(),
    parents: new Map(),
    patches: new Map(),
    made: new Map(),
    start: null,
    emptied: new Set(),
    changes: [],
  }
}

/** An entry of the conversation: a node, or a row that is made. */
export type Said = number | MadeRow

/** Notes a fault that is mended at a node. */
export function mend(bench: Bench, kind: RepairKind, node: number, why: string): void {
  const { table } = bench.state
  bench.changes.push({ what: kind, node: t.idOf(table, node), row: t.int(table.row, node), why })
}

/** Adds to what is changed in a row. */
export function patchRow(bench: Bench, node: number, patch: RowPatch): void {
  bench.patches.set(node, { ...bench.patches.get(node), ...patch })
}

/** Leaves a row out, and tells why. */
export function dropRow(bench: Bench, kind: RepairKind, node: number, why: string): void {
  bench.dropped.add(node)
  mend(bench, kind, node, why)
}

/** Whether an entry has a mark of the survey. */
export function isMarked(bench: Bench, node: number, mark: number): boolean {
  return isConversation(bench.state.table, node) && (marksAt(bench.source, node) & mark) !== 0
}

/** The entries of the main conversation of the file, in the order of rows. */
export function mainNodes({ state, file }: Bench): readonly number[] {
  return file.nodes.filter(node => !t.marked(state.table, node, t.Sidechain))
}
