import { describe, expect, it } from 'vitest'
import { createRng } from './rng.js'

const draws = (seed: number): number[] => {
  const rng = createRng(seed)
  return Array.from({ length: 200 }, () => rng.next())
}

describe('chance', () => {
  it('is the same for the same seed and another for the next', () => {
    expect(draws(7)).toEqual(draws(7))
    expect(draws(7)).not.toEqual(draws(8))
    expect(draws(7)).not.toEqual(draws(7 + 0x1_0000_0000))
  })

  it('stays within its bounds and reaches them', () => {
    const rng = createRng(1)
    const ints = Array.from({ length: 500 }, () => rng.between(3, 6))
    expect(new Set(ints)).toEqual(new Set([3, 4, 5, 6]))
    expect(draws(3).every(value => value >= 0 && value < 1)).toBe(true)
  })

  it('picks by weight', () => {
    const rng = createRng(2)
    const counts = { never: 0, some: 0, much: 0 }
    for (let at = 0; at < 1000; at++) counts[rng.weighted({ never: 0, some: 1, much: 9 }) ?? 'never']++
    expect(counts.never).toBe(0)
    expect(counts.much).toBeGreaterThan(counts.some * 5)
    expect(rng.weighted({ none: 0 })).toBeNull()
  })

  it('shuffles without losing anything', () => {
    const list = Array.from({ length: 50 }, (_, at) => at)
    const mixed = createRng(3).shuffle(list)
    expect(mixed).not.toEqual(list)
    expect(mixed.toSorted((a, b) => a - b)).toEqual(list)
  })

  it('makes uuids of version 4', () => {
    const rng = createRng(4)
    const uuids = Array.from({ length: 1000 }, () => rng.uuid())
    expect(new Set(uuids).size).toBe(1000)
    for (const uuid of uuids) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })

  it('refuses to pick from nothing', () => {
    expect(() => createRng(5).pick([])).toThrow(RangeError)
  })
})
