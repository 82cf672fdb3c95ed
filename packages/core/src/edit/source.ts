/** What plans are made from: a graph, and what was seen of its files beside it. */

import type { Graph } from '../graph/graph.js'
import { fileOf, locationOf, readingDiagnostics } from '../graph/nodes.js'
import { withEllipsis } from '../model/ellipsis.js'
import { groupBy } from '../model/group.js'
import type { FileId, SessionId } from '../model/ids.js'
import { Blank, EmptyBlock, NoData, NoMessageId, NothingToSend, Unsigned } from '../resume/content-marks.js'
import { nthOf, type Survey, type SurveyedNote } from '../resume/survey.js'
import type { RowLocation } from './plan.js'

/** A project that was read to be edited. */
export interface EditSource {
  readonly graph: Graph
  /** By path; files without one are taken to hold nothing odd. */
  readonly surveys: ReadonlyMap<string, Survey>
}

/** The session that an edit writes. The caller chooses its id and time: the core has no clock and no random numbers. */
export interface NewSession {
  /** The id of the new session. */
  readonly session: SessionId
  /** Milliseconds since 1970. */
  readonly now: number
  /** A title for it instead of the one that is made from the source's. */
  readonly title: string | null
}

/** Rows that were damaged and read nevertheless: what is written of them is the record, not the bytes. */
function damagedRows({ graph }: EditSource): ReadonlyMap<string, ReadonlySet<number>> {
  const known = damaged.get(graph)
  if (known !== undefined) return known
  const byFile = groupBy(readingDiagnostics(graph), ({ file }) => file)
  const rows = new Map([...byFile].map(([file, found]) => [file, new Set(found.map(({ row }) => row ?? -1))]))
  damaged.set(graph, rows)
  return rows
}

const damaged = new WeakMap<Graph, ReadonlyMap<string, ReadonlySet<number>>>()

/** Where a note stands. */
export function noteLocation(source: EditSource, file: FileId, note: SurveyedNote): RowLocation {
  const { row, offset, length, nth } = note
  return { file, offset, length, nth, isDamaged: damagedRows(source).get(file)?.has(row) ?? false }
}

/** Where the row of a node stands. */
export function rowLocation(source: EditSource, node: number): RowLocation {
  const { graph, surveys } = source
  const file = fileOf(graph, node).facts.path
  const { row, offset, length } = locationOf(graph, node)
  return {
    file,
    offset,
    length,
    nth: nthOf(surveys.get(file), row, graph.id(node)),
    isDamaged: damagedRows(source).get(file)?.has(row) ?? false,
    isUnnamed: (marksAt(source, node) & NoMessageId) !== 0,
  }
}

/** What cannot be sent of an entry; see survey.ts. */
export function marksAt({ graph, surveys }: EditSource, node: number): number {
  return surveys.get(fileOf(graph, node).facts.path)?.marks.get(graph.id(node)) ?? 0
}

/** Whether an entry has anything that can be sent. */
export function isSendable(source: EditSource, node: number): boolean {
  return (marksAt(source, node) & NothingToSend) === 0
}

/** Whether blocks of an entry have to be taken out before the rest of it can be sent. */
export function needsCleaning(source: EditSource, node: number): boolean {
  return isSendable(source, node) && (marksAt(source, node) & (EmptyBlock | Blank | NoData | Unsigned)) !== 0
}

/** The title of a session, on one line. */
export function titleOf({ graph }: EditSource, session: SessionId): string {
  return (graph.session(session)?.title ?? 'Untitled session').replace(/\s+/g, ' ').trim().slice(0, 100)
}

/** Lists cut titles at their end, and what was done stands there. */
const MOST_TITLE = 48

/** The title of a new session: that of the old one, and what was done. */
export function titleWith(mark: string, title: string): string {
  const end = ` (${mark})`
  if (title.endsWith(end)) return title
  return withEllipsis(title, MOST_TITLE) + end
}

/** A time as rows have it; null where there is no valid one. */
export function isoTimeOf(time: number | null): string | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
