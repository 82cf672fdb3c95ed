/**
 * What the loader makes of a compaction that kept entries: they are hung behind its anchor, what hung on the anchor goes
 * on from the last of them, and everything else before the boundary is dropped. Only the newest compaction counts, and
 * only if all entries that it names are there; else nothing is changed.
 *
 *     u1 a1 u2 a2 | c1 k1 u3       kept: u2 a2, anchor: k1
 *                   c1 k1 u2 a2 u3
 */
import * as t from '../graph/table.js'
import type { Compaction } from '../model/entry.js'
import type { Release } from './releases.js'
import { type LoadedRows, MISSING, NO_PARENT } from './rows.js'

/** Hangs the kept entries of the newest compaction behind its anchor. */
export function hangKept(loaded: LoadedRows, release: Release): void {
  if (release.kept === 'none') return
  const boundary = loaded.rows.findLastIndex(node => t.marked(loaded.state.table, node, t.Boundary))
  const compaction = boundary < 0 ? null : compactionAt(loaded, boundary)
  if (compaction === null) return
  const kept = keptPlaces(loaded, compaction, release)
  const anchor = loaded.places.get(compaction.anchor ?? '') ?? MISSING
  const last = kept.at(-1)
  if (last === undefined) {
    // A list of an earlier compaction is no longer good, but what stands before the newest one is dropped all the same.
    if (hasEarlierList(loaded, boundary)) dropBefore(loaded, boundary, new Set())
    return
  }
  dropBefore(loaded, boundary, new Set(kept))
  hangBehind(loaded, anchor, kept)
  loaded.ends.set(anchor, last)
  if (release.kept === 'list') redirectDropped(loaded, last)
}

function hasEarlierList(loaded: LoadedRows, boundary: number): boolean {
  return loaded.rows.slice(0, boundary).some((node, place) => {
    const compaction = t.marked(loaded.state.table, node, t.Boundary) ? compactionAt(loaded, place) : null
    return compaction !== null && (compaction.preserved.length > 0 || compaction.segment !== null)
  })
}

function compactionAt({ state, rows }: LoadedRows, place: number): Compaction | null {
  const entry = state.table.entries[rows[place] ?? t.none]
  return entry?.kind === 'system' ? entry.compaction : null
}

/** The places of the kept entries in order; none where one of them is missing. */
function keptPlaces(loaded: LoadedRows, compaction: Compaction, release: Release): readonly number[] {
  const { preserved, segment } = compaction
  if (release.kept === 'list' && preserved.length > 0) {
    const places = preserved.map(id => loaded.places.get(id))
    return places.every(place => place !== undefined) ? places : []
  }
  const head = segment?.head ?? preserved[0]
  const tail = segment?.tail ?? preserved.at(-1)
  return head === undefined || tail === undefined ? [] : placesBetween(loaded, head, tail)
}

/** The chain from the tail up to the head; none where it does not lead there. */
function placesBetween({ places, parents }: LoadedRows, head: string, tail: string): readonly number[] {
  const end = places.get(head)
  const between: number[] = []
  let place = places.get(tail) ?? NO_PARENT
  for (let left = parents.length; place >= 0 && left > 0; left--) {
    between.push(place)
    if (place === end) return between.reverse()
    place = parents[place] ?? NO_PARENT
  }
  return []
}

function hangBehind({ parents }: LoadedRows, anchor: number, kept: readonly number[]): void {
  const isKept = new Set(kept)
  const last = kept.at(-1) ?? anchor
  for (let place = 0; place < parents.length; place++)
    if (anchor >= 0 && parents[place] === anchor && !isKept.has(place)) parents[place] = last
  let above = anchor
  for (const place of kept) {
    parents[place] = above
    above = place
  }
}

function dropBefore({ dropped }: LoadedRows, boundary: number, kept: ReadonlySet<number>): void {
  for (let place = 0; place < boundary; place++) if (!kept.has(place)) dropped[place] = 1
}

/** What hangs on a dropped entry goes on from the last kept one. */
function redirectDropped({ parents, dropped }: LoadedRows, last: number): void {
  for (let place = 0; place < parents.length; place++) {
    const parent = parents[place] ?? MISSING
    if (parent >= 0 && dropped[parent] === 1 && dropped[place] === 0) parents[place] = last
  }
}
