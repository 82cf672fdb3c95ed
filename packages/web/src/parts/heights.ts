/** Heights of many rows, so that both questions are quick: where does a row begin, and which row is at an offset. */

export interface Heights {
  readonly count: number
  /** The height of all rows together. */
  readonly total: () => number
  readonly sizeOf: (place: number) => number
  /** Where a row begins; the total for the place after the last. */
  readonly startOf: (place: number) => number
  /** The row at an offset; the first or the last one beyond the ends. */
  readonly placeAt: (offset: number) => number
  readonly set: (place: number, size: number) => void
}

/** Rows are summed up in blocks of this size: a change touches one block, a question a few hundred numbers at most. */
const BLOCK = 256

/** The heights of rows, which are taken over. */
export function createHeights(sizes: Float64Array): Heights {
  const count = sizes.length
  const blocks = new Float64Array(Math.ceil(count / BLOCK))
  let total = 0
  for (let place = 0; place < count; place++) {
    const block = Math.floor(place / BLOCK)
    blocks[block] = (blocks[block] ?? 0) + (sizes[place] ?? 0)
    total += sizes[place] ?? 0
  }
  const sum = (numbers: Float64Array, from: number, to: number): number => {
    let value = 0
    for (let at = from; at < to; at++) value += numbers[at] ?? 0
    return value
  }
  return {
    count,
    total: () => total,
    sizeOf: place => sizes[place] ?? 0,
    startOf: place => {
      const end = Math.min(Math.max(0, place), count)
      const block = Math.floor(end / BLOCK)
      return sum(blocks, 0, block) + sum(sizes, block * BLOCK, end)
    },
    placeAt: offset => {
      let [block, rest] = [0, offset]
      while (block < blocks.length - 1 && rest >= (blocks[block] ?? 0)) rest -= blocks[block++] ?? 0
      let place = block * BLOCK
      const last = Math.min(count, place + BLOCK) - 1
      while (place < last && rest >= (sizes[place] ?? 0)) rest -= sizes[place++] ?? 0
      return Math.max(0, Math.min(place, count - 1))
    },
    set: (place, size) => {
      const change = size - (sizes[place] ?? 0)
      const block = Math.floor(place / BLOCK)
      sizes[place] = size
      blocks[block] = (blocks[block] ?? 0) + change
      total += change
    },
  }
}
