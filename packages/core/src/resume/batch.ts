/**
 * Whether the last row leads up to a noted entry. Newer releases take the calls of one message for one thing: a note on one
 * of them, or on its result, is also passed where the conversation went on from another.
 *
 *     a1 ─ a2 ─ r2 (noted)         a1 and a2 are parts of one message
 *      └─ r1 ─ a3 (the last row)
 */
import * as t from '../graph/table.js'
import { toolsOf } from '../graph/tool-book.js'
import { type LoadedRows, NO_PARENT } from './rows.js'

/** Walks up from the last row; with `whole` also the other calls of the noted message count. */
export function leadsOn(loaded: LoadedRows, noted: number, whole: boolean): boolean {
  const { parents, dropped, last } = loaded
  const batch = whole ? batchOf(loaded, noted) : null
  let below = NO_PARENT
  let isInside = false
  let place = last >= 0 && dropped[last] === 0 ? last : NO_PARENT
  for (let left = parents.length; place >= 0 && left > 0; left--) {
    if (place === noted) return true
    if (batch !== null) {
      if (place === batch.call && (isInside || isOtherResult(loaded, below, batch))) return true
      if (place !== batch.call && isCallOf(loaded, place, batch.message)) {
        if (batch.above.has(place)) return true
        isInside = true
      } else if (!isOfBatch(loaded, place, batch.message)) isInside = false
    }
    below = place
    place = parents[place] ?? NO_PARENT
  }
  return false
}

/** A message with calls, seen from one of its entries. */
interface Batch {
  readonly message: number
  /** The entry with the noted call. */
  readonly call: number
  /** What stands above it and belongs to the same message. */
  readonly above: ReadonlySet<number>
  /** The calls that are answered where the note is. */
  readonly answered: ReadonlySet<number>
}

function batchOf(loaded: LoadedRows, noted: number): Batch | null {
  const { state, parents, rows } = loaded
  const said = pastNotices(loaded, noted)
  const isResult = t.byte(state.table.says, rows[said] ?? t.none) === t.SaysResult
  const call = isResult ? (parents[said] ?? NO_PARENT) : said
  const node = rows[call] ?? t.none
  if (node === t.none || !t.marked(state.table, node, t.HasCalls)) return null
  const message = t.int(state.table.message, node)
  if (message === t.none || (!isResult && said !== noted)) return null
  const answered = new Set(isResult ? toolsOf(state, rows[said] ?? t.none) : [])
  return { message, call, above: batchAbove(loaded, call, message), answered }
}

/** The first entry at or above a place that is no hook, notice or reminder. */
function pastNotices(loaded: LoadedRows, start: number): number {
  let place = start
  for (let left = loaded.rows.length; place >= 0 && left > 0 && isNotice(loaded, place); left--)
    place = loaded.parents[place] ?? NO_PARENT
  return place
}

function batchAbove(loaded: LoadedRows, call: number, message: number): ReadonlySet<number> {
  const above = new Set<number>()
  let place = loaded.parents[call] ?? NO_PARENT
  while (place >= 0 && place !== call && !above.has(place) && isOfBatch(loaded, place, message)) {
    above.add(place)
    place = loaded.parents[place] ?? NO_PARENT
  }
  return above
}

/** A result of the same entry's calls that is not the one where the note is. */
function isOtherResult({ state, rows }: LoadedRows, place: number, { call, answered }: Batch): boolean {
  const node = rows[place] ?? t.none
  if (answered.size === 0 || node === t.none || t.byte(state.table.says, node) !== t.SaysResult) return false
  const called = new Set(toolsOf(state, rows[call] ?? t.none))
  return toolsOf(state, node).some(tool => called.has(tool) && !answered.has(tool))
}

function isCallOf({ state, rows }: LoadedRows, place: number, message: number): boolean {
  const node = rows[place] ?? t.none
  return t.marked(state.table, node, t.HasCalls) && t.int(state.table.message, node) === message
}

/** Parts of the message, results, and what hangs between them. */
function isOfBatch(loaded: LoadedRows, place: number, message: number): boolean {
  const { state, rows } = loaded
  const node = rows[place] ?? t.none
  if (t.byte(state.table.kind, node) === t.Assistant) return t.int(state.table.message, node) === message
  return t.byte(state.table.says, node) === t.SaysResult || isNotice(loaded, place)
}

/** Hooks, notices and what the client adds by itself. */
function isNotice({ state, rows }: LoadedRows, place: number): boolean {
  const { table } = state
  const node = rows[place] ?? t.none
  switch (t.byte(table.kind, node)) {
    case t.Attachment:
      return true
    case t.System:
      return !t.marked(table, node, t.Boundary)
    default:
      return BY_ITSELF.has(t.byte(table.says, node))
  }
}

const BY_ITSELF: ReadonlySet<number> = new Set([t.SaysMeta, t.SaysCaveat])
