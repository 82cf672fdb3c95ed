import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapsIn, isCovered, lengthOf, mergeRanges, overlaps, type Range } from './ranges.js'

const LENGTH = 40
const range = fc
  .tuple(fc.nat(LENGTH - 1), fc.integer({ min: 1, max: 8 }))
  .map(([start, length]): Range => ({ start, end: Math.min(LENGTH, start + length) }))

const bytesOf = (ranges: readonly Range[]): ReadonlySet<number> =>
  new Set(ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)))

describe('ranges of a block', () => {
  it('[K15] are merged, measured, compared and left out as sets of bytes are', () => {
    fc.assert(
      fc.property(fc.array(range), range, (ranges, other) => {
        const merged = mergeRanges(ranges)
        const bytes = bytesOf(ranges)
        const own = [...bytesOf([other])]
        expect(bytesOf(merged)).toEqual(bytes)
        expect(lengthOf(merged)).toBe(bytes.size)
        expect(isCovered(merged, other)).toBe(own.every(byte => bytes.has(byte)))
        expect(overlaps(merged, other)).toBe(own.some(byte => bytes.has(byte)))
        const gaps = bytesOf(gapsIn(merged, LENGTH))
        expect(gaps.size).toBe(LENGTH - bytes.size)
        expect([...gaps].some(byte => bytes.has(byte))).toBe(false)
      }),
    )
  })
})
