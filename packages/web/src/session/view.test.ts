import { FIRST_CHOICE, type FoldChoice } from '@dagline/core/view'
import { describe, expect, it } from 'vitest'
import { sheetOf } from '../../test/sheets.js'
import { dayAt } from './dividers.js'
import { collectFacts } from './facts.js'
import { buildView, type View } from './view.js'

interface Shaped {
  readonly view: View
  readonly say: (place: number) => string
}

function viewIn(shape: string, choose: (line: (token: string) => number) => Partial<FoldChoice>): Shaped {
  const { sheet, row, say } = sheetOf(shape)
  const line = (token: string): number => sheet.rows.line[row(token)] ?? -1
  const view = buildView(sheet, collectFacts(sheet), { ...FIRST_CHOICE, ...choose(line) })
  return { view, say: place => say([view.rows[place]?.row ?? -1]) }
}

/** The tokens after which something ends. */
function ends({ view, say }: Shaped): string[] {
  return [...view.ends].map(([place, ended]) => `${say(place)} ${ended.length}`)
}

const rewound = 's1: u1 a1 u2 a2 u3 a3 / s1: a1 > u4@+30m a4 u5 a5'

describe('ends', () => {
  it('[F12] of an opened branch: after its last row', () => {
    expect(ends(viewIn(rewound, line => ({ open: new Set([line('u2')]) })))).toEqual(['a3 1'])
    expect(ends(viewIn(rewound, () => ({})))).toEqual([])
  })

  it('[F12] of an abandoned branch that is shown', () => {
    expect(ends(viewIn(rewound, () => ({ branches: new Map([[0, 0]]) })))).toEqual(['a3 1'])
    expect(ends(viewIn(rewound, () => ({ branches: new Map([[0, 1]]) })))).toEqual([])
  })

  it('[A5] of subagents, the innermost first', () => {
    const shape = `s1: u1 a1[t1:Task>x]
s1/x: u2 a2[t2:Task>y]
s1/y: u3 a3
s1: a1 > r1[t1>x] a4`
    const shaped = viewIn(shape, line => ({ open: new Set([line('u2'), line('u3')]) }))
    expect(ends(shaped)).toEqual(['a3 2'])
    const [ended] = shaped.view.ends.values()
    expect(ended?.map(({ agent }) => shaped.view.sheet.lines[agent]?.depth)).toEqual([2, 1])
  })
})

describe('days', () => {
  it('begin where the row above is of another day', () => {
    const { view, say } = viewIn('s1: u1 a1 u2@+25h a2 u3@+50h', () => ({}))
    const begun = view.rows.flatMap((_, place) => (dayAt(view, place) === null ? [] : [say(place)]))
    expect(begun).toEqual(['u2', 'u3'])
  })
})
