import { describe, expect, it } from 'vitest'
import { createHeights } from './heights.js'

describe('heights', () => {
  it('answer as a plain array does, after any changes', () => {
    const sizes = Array.from({ length: 1000 }, (_, at) => 10 + (at % 7))
    const heights = createHeights(Float64Array.from(sizes))
    let state = 3
    const next = (most: number): number => {
      state = (state * 48_271) % 2_147_483_647
      return state % most
    }
    for (let round = 0; round < 300; round++) {
      const place = next(1000)
      sizes[place] = next(90)
      heights.set(place, sizes[place])
      const start = sizes.slice(0, place).reduce((sum, size) => sum + size, 0)
      expect(heights.startOf(place)).toBe(start)
      const offset = next(40_000)
      let [at, rest] = [0, offset]
      while (at < 999 && rest >= (sizes[at] ?? 0)) rest -= sizes[at++] ?? 0
      expect(heights.indexAt(offset)).toBe(at)
    }
    expect(heights.total()).toBe(sizes.reduce((sum, size) => sum + size, 0))
    expect(heights.startOf(1000)).toBe(heights.total())
  })

  it('stay within the list', () => {
    const heights = createHeights(Float64Array.from([10, 10]))
    expect([heights.indexAt(-50), heights.indexAt(15), heights.indexAt(500)]).toEqual([0, 1, 1])
    expect(heights.startOf(-3)).toBe(0)
    const none = createHeights(new Float64Array(0))
    expect([none.total(), none.indexAt(10), none.startOf(5)]).toEqual([0, 0, 0])
  })
})
