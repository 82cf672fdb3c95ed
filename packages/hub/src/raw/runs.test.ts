import { findRun } from '@dagline/store'
import { describe, expect, it } from 'vitest'
import { isBeginning, runsOfPlaces } from './runs.js'

const at = (block: number, start: number, length: number) => ({ block, start, length })

describe('runs', () => {
  it('joins pieces that lie one behind the other', () => {
    expect(runsOfPlaces([at(1, 0, 5), at(1, 5, 5), at(1, 20, 5), at(2, 25, 5)], 100)).toEqual([
      { position: 100, block: 1, start: 0, length: 10 },
      { position: 110, block: 1, start: 20, length: 5 },
      { position: 115, block: 2, start: 25, length: 5 },
    ])
  })

  it('sees that a version is the beginning of another one, however its runs are cut', () => {
    const whole = runsOfPlaces([at(1, 0, 10), at(2, 3, 4), at(2, 9, 1)], 0)
    expect(isBeginning(runsOfPlaces([at(1, 0, 10)], 0), whole)).toBe(true)
    expect(isBeginning(runsOfPlaces([at(1, 0, 10), at(2, 3, 2)], 0), whole)).toBe(true)
    expect(isBeginning(whole, whole)).toBe(true)
    expect(isBeginning([], whole)).toBe(true)
    expect(isBeginning(runsOfPlaces([at(1, 0, 10), at(2, 3, 6)], 0), whole)).toBe(false)
    expect(isBeginning(runsOfPlaces([at(1, 1, 3)], 0), whole)).toBe(false)
    expect(isBeginning(runsOfPlaces([at(1, 0, 10), at(2, 3, 4), at(2, 9, 2)], 0), whole)).toBe(false)
  })

  it('finds the run of a position, wherever reading was before', () => {
    const runs = runsOfPlaces([at(1, 0, 4), at(2, 0, 4), at(3, 0, 4), at(4, 0, 4)], 0)
    for (let position = 0; position < 16; position++)
      for (let near = 0; near < 4; near++) expect(findRun(runs, position, near)).toBe(position >> 2)
  })
})
