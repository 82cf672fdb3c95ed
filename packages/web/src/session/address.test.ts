import { FIRST_CHOICE, reveal, tailKey } from '@dagline/core/view'
import { describe, expect, it } from 'vitest'
import { sheetOf } from '../../test/sheets.js'
import { choiceOf, nameChoice, parsePlace, placeQuery } from './address.js'

const SHAPE = `s1: u1 a1 u2 a2[t1:Task>x] / s1/x: u9 a9 / s1: a2 > r2[t1>x] a3
s1: a1 > u3@+30m a4 u4 a5 / s1: a4 > u5@+60m a6`

describe('[V4] an address', () => {
  it('keeps the branch and the subagent of every entry, in the next version of the session, too', () => {
    const { sheet, row } = sheetOf(SHAPE)
    const longer = sheetOf(`${SHAPE} / s1: a3 > u6@+70m a8 / s1: a3 > u7@+80m a7`)
    for (const token of ['u1', 'u2', 'a9', 'a3', 'a5', 'a6']) {
      const choice = reveal(sheet, row(token), FIRST_CHOICE)
      const query = placeQuery({ at: 'n1', find: 'a b', shown: nameChoice(sheet, choice) })
      const { at, find, shown } = parsePlace(new URLSearchParams(query), '')
      expect([at, find, shown && choiceOf(sheet, shown)]).toEqual(['n1', 'a b', choice])
      const later = shown && choiceOf(longer.sheet, shown)
      expect([token, later && reveal(longer.sheet, longer.row(token), later)]).toEqual([token, later])
    }
  })

  it('keeps what is opened, the level, and what continues after a fork', () => {
    const { sheet } = sheetOf(SHAPE)
    const tails = sheet.forks.map((_, fork) => tailKey(sheet, fork))
    const open = new Set([...sheet.lines.keys(), ...tails])
    const choice = { level: 'all', liveOnly: true, branches: new Map(), open } as const
    const { shown } = parsePlace(
      new URLSearchParams(placeQuery({ at: '', find: '', shown: nameChoice(sheet, choice) })),
      '',
    )
    expect(shown && choiceOf(sheet, shown)).toEqual(choice)
  })

  it('is short where nothing was chosen, and ignores what the session does not have', () => {
    const { sheet } = sheetOf(SHAPE)
    expect(placeQuery({ at: '', find: '', shown: nameChoice(sheet, FIRST_CHOICE) })).toBe('')
    const { shown } = parsePlace(new URLSearchParams('level=x&branch=nothing&open=__proto__&branch='), '')
    expect(shown && choiceOf(sheet, shown)).toEqual(FIRST_CHOICE)
    expect(parsePlace(new URLSearchParams('at=a&level=all'), 'b')).toEqual({ at: 'b', find: '', shown: null })
  })
})
