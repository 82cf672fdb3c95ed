/**
 * Whether the last row leads up to a noted entry. Newer releases take the calls of one message for one thing: a note on one
 * of them, or on its result, is also passed where the conversation went on from another.
 *
 *     a1 ─ a2 ─ r2 (noted)         a1 and a2 are parts of one message
 *      └─ r1 ─ a3 (the last row)
 */
import {
  hasCalls,
  isAssistant,
  isBoundary,
  isResult,
  kindOf,
  messageOf,
  none,
  roleOf,
  toolsOf,
  type UserRole,
} from '../graph/nodes.js'
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
  const { graph, parents, rows } = loaded
  const last = pastNotices(loaded, noted)
  const isAnswer = isResult(graph, rows[last] ?? none)
  const call = isAnswer ? (parents[last] ?? NO_PARENT) : last
  const node = rows[call] ?? none
  if (node === none || !hasCalls(graph, node)) return null
  const message = messageOf(graph, node)
  if (message === none || (!isAnswer && last !== noted)) return null
  const answered = new Set(isAnswer ? toolsOf(graph, rows[last] ?? none) : [])
  return { message, call, above: batchAbove(loaded, call, message), answered }
}

/** The first entry at or above a place that is not a hook, notice or reminder. */
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
function isOtherResult({ graph, rows }: LoadedRows, place: number, { call, answered }: Batch): boolean {
  const node = rows[place] ?? none
  if (answered.size === 0 || node === none || !isResult(graph, node)) return false
  const called = new Set(toolsOf(graph, rows[call] ?? none))
  return toolsOf(graph, node).some(tool => called.has(tool) && !answered.has(tool))
}

function isCallOf({ graph, rows }: LoadedRows, place: number, message: number): boolean {
  const node = rows[place] ?? none
  return hasCalls(graph, node) && messageOf(graph, node) === message
}

/** Parts of the message, results, and what hangs between them. */
function isOfBatch(loaded: LoadedRows, place: number, message: number): boolean {
  const { graph, rows } = loaded
  const node = rows[place] ?? none
  if (isAssistant(graph, node)) return messageOf(graph, node) === message
  return isResult(graph, node) || isNotice(loaded, place)
}

/** Hooks, notices and what the client adds by itself. */
function isNotice({ graph, rows }: LoadedRows, place: number): boolean {
  const node = rows[place] ?? none
  switch (kindOf(graph, node)) {
    case 'attachment':
      return true
    case 'system':
      return !isBoundary(graph, node)
    default:
      return BY_ITSELF.has(roleOf(graph, node))
  }
}

const BY_ITSELF: ReadonlySet<UserRole> = new Set(['meta', 'caveat'])
