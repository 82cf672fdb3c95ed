/** D17: the chain that the loader walks: from the end up, over gaps as far as the release bridges them. */
import type { Release } from './releases.js'
import { isBoundaryAt, isSidechainAt, type LoadedRows, MISSING, NO_PARENT, timeAt } from './rows.js'

/** Why a walk ended before a root. */
export type ChainStop = 'missing' | 'cycle' | 'hangs'

/** The chain of a leaf. */
interface LoadedChain {
  /** Places, the first entry first; cut at the newest compaction boundary on it. */
  readonly places: readonly number[]
  /** Where it broke off, and why; null where it came to a root. */
  readonly stop: { readonly place: number; readonly why: ChainStop } | null
}

/** The entry that replaces a missing parent may be older by so many milliseconds at most. */
const NEAR = 5000

/** A walk under way. */
interface Walk {
  readonly loaded: LoadedRows
  readonly release: Release
  /** 1 for places that were walked over. */
  readonly seen: Uint8Array
  /** Made when the first gap is met. */
  readonly byTime: () => Int32Array
}

/** Walks up from the leaf. */
export function walkChain(loaded: LoadedRows, release: Release, leaf: number): LoadedChain {
  let order: Int32Array | null = null
  const byTime = (): Int32Array => {
    order ??= placesByTime(loaded)
    return order
  }
  const walk: Walk = { loaded, release, seen: new Uint8Array(loaded.rows.length), byTime }
  const chain: number[] = []
  let stop: LoadedChain['stop'] = null
  for (let place = leaf; place >= 0; ) {
    walk.seen[place] = 1
    chain.push(place)
    const next = stepUp(walk, place)
    if (typeof next !== 'number') stop = { place, why: next }
    place = typeof next === 'number' ? next : NO_PARENT
  }
  if (stop?.why === 'hangs') return { places: [], stop }
  return { places: afterBoundary(loaded, chain.reverse()), stop }
}

/** The next place, or why there is none. */
function stepUp(walk: Walk, place: number): number | ChainStop {
  const { loaded, release, seen } = walk
  const parent = loaded.parents[place] ?? NO_PARENT
  if (parent === NO_PARENT) return NO_PARENT
  const isMissing = parent === MISSING
  if (!isMissing && seen[parent] !== 1) return parent
  if (!isMissing && release.cycles === 'hangs') return 'hangs'
  const bridges = isMissing ? release.bridgesGaps : release.cycles === 'bridges'
  const near = bridges ? nearBefore(walk, place) : NO_PARENT
  if (near !== NO_PARENT) return near
  return isMissing ? 'missing' : 'cycle'
}

/** The entry next before in time, where it is near enough; of several at one instant the first. */
function nearBefore(walk: Walk, place: number): number {
  const { loaded } = walk
  const time = timeAt(loaded, place)
  const isSide = isSidechainAt(loaded, place)
  const order = walk.byTime()
  let best = NO_PARENT
  for (let at = lastUpTo(loaded, order, time); at >= 0; at--) {
    const other = order[at] ?? NO_PARENT
    const age = time - timeAt(loaded, other)
    if (age > NEAR || (best !== NO_PARENT && age > time - timeAt(loaded, best))) break
    if (other === place || loaded.dropped[other] === 1 || walk.seen[other] === 1) continue
    if (isSidechainAt(loaded, other) === isSide) best = other
  }
  return best
}

/** Places by time, and by row within one instant; those without a time are left out. */
function placesByTime(loaded: LoadedRows): Int32Array {
  const timeOf = (place: number): number => timeAt(loaded, place)
  const dated = Int32Array.from(loaded.rows.keys()).filter(place => !Number.isNaN(timeOf(place)))
  return dated.sort((a, b) => timeOf(a) - timeOf(b) || a - b)
}

/** The position of the last place that is not later than a time. */
function lastUpTo(loaded: LoadedRows, order: Int32Array, time: number): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (timeAt(loaded, order[middle] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

function afterBoundary(loaded: LoadedRows, chain: readonly number[]): readonly number[] {
  const last = chain.findLastIndex(place => isBoundaryAt(loaded, place))
  return last < 0 ? chain : chain.slice(last)
}
