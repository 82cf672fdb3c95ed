/**
 * D18: what the loader makes of a compaction that kept entries: they are hung behind its anchor, what hung on the anchor goes
 * on from the last of them, and everything else before the boundary is dropped. Only the newest compaction counts, and
 * only if all entries that it names are there; else nothing is changed.
 *
 *     u1 a1 u2 a2 | c1 k1 u3       kept: u2 a2, anchor: k1
 *                   c1 k1 u2 a2 u3
 */
import { entryOf, none } from '../graph/nodes.js'
import type { Compaction } from '../model/entry.js'
import type { Release } from './releases.js'
import {
  isBoundaryAt,
  isMessageAt,
  type LoadedRows,
  MISSING,
  NAMELESS,
  NO_PARENT,
  parentIdAt,
} from './rows.js'

/** Hangs the kept entries of the newest compaction behind its anchor; gives whether there are any. */
export function hangKept(loaded: LoadedRows, release: Release): boolean {
  if (release.kept === 'none') return false
  const boundary = loaded.rows.findLastIndex((_, place) => isBoundaryAt(loaded, place))
  const compaction = boundary < 0 ? null : compactionAt(loaded, boundary)
  if (compaction === null) return false
  if (!keepsSome(compaction, release)) {
    // A list of an earlier compaction is no longer good, but what stands before the newest one is dropped all the same.
    if (hasEarlierList(loaded, boundary, release)) dropBefore(loaded, boundary, new Set())
    return false
  }
  const kept = keptPlaces(loaded, compaction, release)
  const last = kept.at(-1)
  if (last === undefined) return false
  hangBehind(loaded, compaction.anchor, kept)
  dropBefore(loaded, boundary, new Set(kept), release.kept === 'list' ? last : MISSING)
  return true
}

/** Whether a compaction kept entries that the release knows of. */
export function keepsSome({ preserved, segment }: Compaction, release: Release): boolean {
  return segment !== null || (release.kept === 'list' && preserved.length > 0)
}

function hasEarlierList(loaded: LoadedRows, boundary: number, release: Release): boolean {
  return loaded.rows.slice(0, boundary).some((_, place) => {
    const compaction = isBoundaryAt(loaded, place) ? compactionAt(loaded, place) : null
    return compaction !== null && keepsSome(compaction, release)
  })
}

function compactionAt({ graph, rows, nameless }: LoadedRows, place: number): Compaction | null {
  if (rows[place] === NAMELESS) return nameless?.compaction ?? null
  const entry = entryOf(graph, rows[place] ?? none)
  return entry?.kind === 'system' ? entry.compaction : null
}

/** The places of the kept entries in order; none where one of them is missing. */
function keptPlaces(loaded: LoadedRows, compaction: Compaction, release: Release): readonly number[] {
  const { preserved, segment } = compaction
  if (release.kept === 'list' && preserved.length > 0) {
    const places = preserved.map(id => loaded.places.get(id))
    return places.every(place => place !== undefined) ? places : []
  }
  return segment === null ? [] : placesBetween(loaded, segment.head, segment.tail)
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

/** Also where the anchor itself is missing: what names it goes on from the last kept entry all the same. */
function hangBehind(loaded: LoadedRows, anchor: string | null, kept: readonly number[]): void {
  const { parents, places } = loaded
  const at = places.get(anchor ?? '') ?? MISSING
  const hangsOnAnchor = (place: number): boolean =>
    at === MISSING
      ? parents[place] === MISSING && parentIdAt(loaded, place) === anchor
      : parents[place] === at
  const last = kept.at(-1) ?? at
  for (let place = 0; place < parents.length; place++) if (hangsOnAnchor(place)) parents[place] = last
  let above = at
  for (const place of kept) {
    parents[place] = above
    above = place
  }
}

/** Drops what stands before a boundary and was not kept; messages that hang on it go on from the given entry. */
function dropBefore(
  loaded: LoadedRows,
  boundary: number,
  kept: ReadonlySet<number>,
  instead: number = MISSING,
): void {
  const { parents, dropped } = loaded
  for (let place = 0; place < boundary; place++) if (!kept.has(place)) dropped[place] = 1
  for (let place = 0; place < parents.length; place++) {
    const parent = parents[place] ?? NO_PARENT
    if (parent < 0 || dropped[parent] === 0) continue
    parents[place] = isMessageAt(loaded, place) ? instead : MISSING
  }
}
