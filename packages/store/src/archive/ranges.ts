/** Ranges of bytes within a block. */

/** From `start` up to `end`, which is not part of it. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The same bytes as ranges in order that neither overlap nor touch. */
export function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/** Merged ranges of blocks, by their numbers. */
export type RangesByBlock = ReadonlyMap<number, readonly Range[]>

/** The bytes of the uses of blocks that are wanted. */
export function rangesByBlock<T extends Range & { readonly block: number }>(
  uses: Iterable<T>,
  isWanted: (use: T) => boolean = () => true,
): RangesByBlock {
  const ranges = new Map<number, Range[]>()
  for (const use of uses) {
    if (!isWanted(use)) continue
    const { block, start, end } = use
    const own = ranges.get(block) ?? []
    own.push({ start, end })
    ranges.set(block, own)
  }
  return new Map([...ranges].map(([block, own]) => [block, mergeRanges(own)]))
}

/** How many bytes merged ranges have. */
export function lengthOf(merged: readonly Range[]): number {
  return merged.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** Whether a range lies within one of merged ranges. */
export function isCovered(merged: readonly Range[], { start, end }: Range): boolean {
  const found = merged[firstEndingAfter(merged, start)]
  return found !== undefined && found.start <= start && end <= found.end
}

/** Whether a range has a byte in common with merged ranges. */
export function overlaps(merged: readonly Range[], { start, end }: Range): boolean {
  const found = merged[firstEndingAfter(merged, start)]
  return found !== undefined && found.start < end
}

/** What merged ranges leave out of the first `length` bytes. */
export function gapsIn(merged: readonly Range[], length: number): readonly Range[] {
  const ends = [0, ...merged.map(({ end }) => end)]
  const starts = [...merged.map(({ start }) => start), length]
  return ends.flatMap((start, at) => {
    const end = starts[at] ?? length
    return start < end ? [{ start, end }] : []
  })
}

function firstEndingAfter(merged: readonly Range[], position: number): number {
  let low = 0
  let high = merged.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((merged[middle]?.end ?? 0) > position) high = middle
    else low = middle + 1
  }
  return low
}
