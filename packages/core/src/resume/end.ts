/**
 * D16, D21: where the loader takes the conversation to end. Releases go by the time, by the last row, or by a note of the last entry
 * (`last-prompt`), which the client writes now and then.
 */
import { never } from '../model/entry.js'
import { leadsOn } from './batch.js'
import type { Release } from './releases.js'
import { isMessageAt, isSidechainAt, type LoadedRows, NO_PARENT, timeAt } from './rows.js'
import type { EndNotes } from './survey.js'

/** What is known of a file when its end is looked for. */
interface Ending {
  readonly loaded: LoadedRows
  readonly release: Release
  /** What the file itself notes of its end. */
  readonly notes: EndNotes
  /** Whether the newest compaction kept entries. */
  readonly hasKept: boolean
}

/** The place of the end; none where nothing is loaded. It may be a hook or notice: the message above it is meant then. */
export function endOf(ending: Ending): number {
  const { loaded, release } = ending
  switch (release.endsBy) {
    case 'time':
      return latest(loaded, place => release.followsSidechains || !isSidechainAt(loaded, place))
    case 'row':
      return ifResumable(loaded, endOfTips(ending, NO_PARENT))
    case 'note':
      return ifResumable(loaded, endByNote(ending))
    default:
      return never(release.endsBy)
  }
}

/** The client prints "No conversation found" where the last message is one of a sidechain or has no time. */
function ifResumable(loaded: LoadedRows, end: number): number {
  const message = messageAbove(loaded, end)
  if (message === NO_PARENT) return end
  return isSidechainAt(loaded, message) || Number.isNaN(timeAt(loaded, message)) ? NO_PARENT : end
}

/**
 * The noted entry is the end unless the last row leads up to it: what a process wrote that was killed before it could
 * write the note is forgotten. Behind kept entries a note counts only where the user has gone back by hand.
 */
function endByNote(ending: Ending): number {
  const { loaded, release, notes, hasKept } = ending
  if (notes.isEmptied) return NO_PARENT
  const noted = loaded.places.get(notes.leafNote ?? '') ?? NO_PARENT
  const isThere = noted !== NO_PARENT && loaded.dropped[noted] === 0
  const isByHand = isThere && notes.isByHand
  if (!hasKept || (isByHand && !isSidechainAt(loaded, noted))) {
    const isLeft = isThere && !isByHand && leadsOn(loaded, noted, release.notesWholeMessages)
    const end = isThere && !isLeft ? noted : lastEnd(ending)
    if (messageAbove(loaded, end) !== NO_PARENT) return end
  }
  return endOfTips(ending, isThere ? noted : NO_PARENT)
}

/** The last row; where the file notes no end and has newer entries, the latest of those that hang below it. */
function lastEnd({ loaded, release, notes }: Ending): number {
  const { last } = loaded
  if (!release.endsBelowRepeat || notes.hasEndNote || last === NO_PARENT) return last
  // One that a compaction has dropped may be newer, too.
  const newest = latestOfAll(loaded, place => !isSidechainAt(loaded, place))
  return newest === last ? last : latestBelow(loaded, last)
}

/** Where the file has one end, that; else the noted one if it is an end, else the last row, else the latest. */
function endOfTips({ loaded, release }: Ending, noted: number): number {
  const tips = tipsOf(loaded, release)
  if (tips.size > 1) {
    const isEnd = tips.has(noted) && !(release.notesWholeMessages && leadsOn(loaded, noted, true))
    const end = isEnd ? noted : loaded.last
    if (end !== NO_PARENT && messageAbove(loaded, end) !== NO_PARENT) return end
  }
  const end = latest(loaded, place => tips.has(place) && !isSidechainAt(loaded, place))
  return end === NO_PARENT && tips.size === 0 && release.endsBy === 'note'
    ? latest(loaded, place => !isSidechainAt(loaded, place))
    : end
}

/** The messages with no message below: those that stand at, or next above, the ends of all branches. */
function tipsOf(loaded: LoadedRows, release: Release): ReadonlySet<number> {
  const { parents, dropped } = loaded
  const [hasChild, hasMessage] = [new Uint8Array(parents.length), new Uint8Array(parents.length)]
  for (const [place, parent] of parents.entries()) {
    if (parent < 0 || dropped[place] === 1) continue
    hasChild[parent] = 1
    if (isMessageAt(loaded, place)) hasMessage[parent] = 1
  }
  const above = new Int32Array(parents.length).fill(UNKNOWN)
  const tips = new Set<number>()
  for (const place of parents.keys()) {
    if (dropped[place] === 1 || hasChild[place] === 1) continue
    const tip = knownAbove(loaded, place, above)
    if (tip !== NO_PARENT && (release.endsBy === 'row' || hasMessage[tip] === 0)) tips.add(tip)
  }
  return tips
}

const UNKNOWN = -3

/** The message at or above a place; what is found is noted for all places on the way. */
function knownAbove(loaded: LoadedRows, from: number, above: Int32Array): number {
  const path: number[] = []
  let place = from
  while (place >= 0 && above[place] === UNKNOWN && !isMessageAt(loaded, place)) {
    above[place] = NO_PARENT
    path.push(place)
    place = loaded.parents[place] ?? NO_PARENT
  }
  const found = place >= 0 && isMessageAt(loaded, place) ? place : (above[place] ?? NO_PARENT)
  for (const each of path) above[each] = found
  return found
}

/** The message at or above a place; none where that was dropped. */
function messageAbove(loaded: LoadedRows, start: number): number {
  if (start < 0 || loaded.dropped[start] === 1) return NO_PARENT
  return knownAbove(loaded, start, new Int32Array(loaded.rows.length).fill(UNKNOWN))
}

/** Of the entries that were not dropped, the latest that is meant. */
function latest(loaded: LoadedRows, isMeant: (place: number) => boolean): number {
  return latestOfAll(loaded, place => loaded.dropped[place] === 0 && isMeant(place))
}

/** The entry with the latest time, of several at one instant the first. */
function latestOfAll(loaded: LoadedRows, isMeant: (place: number) => boolean): number {
  let [end, time] = [NO_PARENT, Number.NEGATIVE_INFINITY]
  for (const place of loaded.rows.keys()) {
    if (!(timeAt(loaded, place) > time) || !isMeant(place)) continue
    end = place
    time = timeAt(loaded, place)
  }
  return end
}

/** The entry with the latest time below a place, of several at one instant the last; the place itself without any. */
function latestBelow(loaded: LoadedRows, start: number): number {
  const { parents, dropped } = loaded
  const known = new Uint8Array(parents.length)
  known[start] = BELOW
  let [end, time] = [start, Number.NEGATIVE_INFINITY]
  for (const place of parents.keys()) {
    if (place === start || dropped[place] === 1 || isSidechainAt(loaded, place)) continue
    if (!(timeAt(loaded, place) >= time) || sideOf(parents, place, known) !== BELOW) continue
    end = place
    time = timeAt(loaded, place)
  }
  return end
}

const BELOW = 1
const ELSEWHERE = 2

/** Whether a place stands below one that is known to; what is found is noted for all places on the way. */
function sideOf(parents: Int32Array, from: number, known: Uint8Array): number {
  const path: number[] = []
  let place = from
  while (place >= 0 && known[place] === 0) {
    known[place] = ELSEWHERE
    path.push(place)
    place = parents[place] ?? NO_PARENT
  }
  const side = place >= 0 ? (known[place] ?? ELSEWHERE) : ELSEWHERE
  for (const each of path) known[each] = side
  return side
}
