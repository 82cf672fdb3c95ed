/** The heights of many items. Both questions are quick: where does an item begin, and which item is at an offset. */

export interface Heights {
  readonly count: number
  /** The height of all items together. */
  readonly total: () => number
  readonly sizeOf: (index: number) => number
  /** Where an item begins; the total for the index after the last. */
  readonly startOf: (index: number) => number
  /** The item at an offset; the first or the last one for offsets beyond the ends. */
  readonly indexAt: (offset: number) => number
  readonly set: (index: number, size: number) => void
}

/** Items are summed up in blocks of this size: a change touches one block, a question a few hundred numbers at most. */
const BLOCK = 256

/** Takes over the array of heights. */
export function createHeights(sizes: Float64Array): Heights {
  const count = sizes.length
  const blocks = new Float64Array(Math.ceil(count / BLOCK))
  let total = 0
  for (let index = 0; index < count; index++) {
    const block = Math.floor(index / BLOCK)
    blocks[block] = (blocks[block] ?? 0) + (sizes[index] ?? 0)
    total += sizes[index] ?? 0
  }
  const sum = (numbers: Float64Array, from: number, to: number): number => {
    let value = 0
    for (let at = from; at < to; at++) value += numbers[at] ?? 0
    return value
  }
  return {
    count,
    total: () => total,
    sizeOf: index => sizes[index] ?? 0,
    startOf: index => {
      const end = Math.min(Math.max(0, index), count)
      const block = Math.floor(end / BLOCK)
      return sum(blocks, 0, block) + sum(sizes, block * BLOCK, end)
    },
    indexAt: offset => {
      let [block, rest] = [0, offset]
      while (block < blocks.length - 1 && rest >= (blocks[block] ?? 0)) rest -= blocks[block++] ?? 0
      let index = block * BLOCK
      const last = Math.min(count, index + BLOCK) - 1
      while (index < last && rest >= (sizes[index] ?? 0)) rest -= sizes[index++] ?? 0
      return Math.max(0, Math.min(index, count - 1))
    },
    set: (index, size) => {
      const change = size - (sizes[index] ?? 0)
      const block = Math.floor(index / BLOCK)
      sizes[index] = size
      blocks[block] = (blocks[block] ?? 0) + change
      total += change
    },
  }
}
