import { FIRST_CHOICE, foldSheet } from '@dagline/core/view'
import { describe, expect, it } from 'vitest'
import { sheetOf } from '../../test/sheets.js'
import { collectFacts } from './facts.js'
import { holds, planLanes } from './lane-plan.js'
import { drawLanes } from './lanes.js'

const scale = { gap: 10, middle: 20 }

/** Lanes above and below each row, and which of them are dimmed: `01>0 (1)`. */
function plan(shape: string, open: readonly string[] = []): string[] {
  const { sheet, row } = sheetOf(shape)
  const facts = collectFacts(sheet)
  const lines = new Set(open.map(token => sheet.rows.line[row(token)] ?? -1))
  const { rows } = foldSheet(sheet, { ...FIRST_CHOICE, open: lines })
  const { above, below, dim } = planLanes(rows, facts.abandoned, sheet)
  const set = (bits: number): string => [0, 1, 2, 3].filter(lane => holds(bits, lane)).join('')
  return rows.map((_, at) => `${set(above[at] ?? 0)}>${set(below[at] ?? 0)} (${set(dim[at] ?? 0)})`)
}

const rewound = 's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3'

describe('lanes', () => {
  it('[F12] an abandoned branch leaves the lane and ends, dimmed', () => {
    expect(plan(rewound)).toEqual(['>0 ()', '0>0 ()', '0>0 (1)', '0>0 (1)', '0> (1)'])
    expect(plan(rewound, ['u2'])).toEqual(['>0 ()', '0>0 ()', '0>01 (1)', '01>0 (1)', '0>0 (1)', '0> (1)'])
  })

  it('[A4] a subagent opens a lane at its call and closes it at its result', () => {
    const shape = 's1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a3'
    expect(plan(shape)).toEqual(['>0 ()', '0>0 ()', '0> ()'])
    expect(plan(shape, ['u2'])).toEqual(['>0 ()', '0>01 ()', '01>01 ()', '01>01 ()', '01>0 ()', '0> ()'])
  })

  it('are strokes that meet between rows', () => {
    const row = { lane: 0, from: null, opens: [1], closes: [], ends: [] }
    const { strokes, curves, dot } = drawLanes(row, 0b001, 0b011, scale)
    expect(dot).toBe(7)
    expect(strokes).toEqual([
      { lane: 0, x: 7, from: 0, to: null },
      { lane: 1, x: 17, from: 34, to: null },
    ])
    expect(curves).toEqual([{ lane: 1, path: 'M7 20C17 20 17 20 17 34' }])
  })

  it('join and leave in curves', () => {
    const home = drawLanes({ lane: 0, from: null, opens: [], closes: [1], ends: [1] }, 0b11, 0b01, scale)
    expect(home.strokes).toContainEqual({ lane: 1, x: 17, from: 0, to: 6 })
    expect(home.curves).toEqual([{ lane: 1, path: 'M17 6C17 20 17 20 7 20' }])
    const left = drawLanes({ lane: 1, from: 0, opens: [], closes: [], ends: [1] }, 0b01, 0b01, scale)
    expect(left.strokes).toEqual([{ lane: 0, x: 7, from: 0, to: null }])
    expect(left.curves).toEqual([{ lane: 1, path: 'M7 6C7 20 7 20 17 20' }])
  })
})
