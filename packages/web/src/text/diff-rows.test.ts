import { describe, expect, it } from 'vitest'
import { countChanges, type DiffRow, rowsOfHunks, rowsOfTexts } from './diff-rows.js'

const SYMBOLS = { same: ' ', removed: '-', added: '+', gap: '~' }

/** Rows as `symbol numbers text`, with the part that differs in brackets. */
function lines(rows: readonly DiffRow[]): string[] {
  return rows.map(({ kind, text, before, after, part }) => {
    const marked =
      part === null ? text : `${text.slice(0, part[0])}[${text.slice(...part)}]${text.slice(part[1])}`
    return `${SYMBOLS[kind]}${before ?? ''}:${after ?? ''} ${marked}`
  })
}

describe('rows of a diff', () => {
  it('show the differences between two texts', () => {
    expect(lines(rowsOfTexts('a\nconst x = 1\nc\n', 'a\nconst x = 2\nc\nd\n'))).toEqual([
      ' 1:1 a',
      '-2: const x = [1]',
      '+:2 const x = [2]',
      ' 3:3 c',
      '+:4 d',
    ])
  })

  it('omit lines far from any change', () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`)
    const after = before.with(10, 'other')
    expect(lines(rowsOfTexts(before.join('\n'), after.join('\n')))).toEqual([
      '~: ',
      ' 8:8 line 7',
      ' 9:9 line 8',
      ' 10:10 line 9',
      '-11: line 10',
      '+:11 other',
      ' 12:12 line 11',
      ' 13:13 line 12',
      ' 14:14 line 13',
      '~: ',
    ])
  })

  it('follow the recorded hunks', () => {
    const rows = rowsOfHunks([
      { oldStart: 5, newStart: 5, lines: [' a', '-b', '+c', '\\ No newline at end of file'] },
      { oldStart: 40, newStart: 41, lines: ['+new'] },
    ])
    expect(lines(rows)).toEqual([' 5:5 a', '-6: b', '+:6 c', '~: ', '+:41 new'])
    expect(countChanges(rows)).toEqual({ removed: 1, added: 2 })
  })

  it('of an empty text show all of the other', () => {
    expect(lines(rowsOfTexts('', 'a\nb'))).toEqual(['+:1 a', '+:2 b'])
    expect(rowsOfTexts('', '')).toEqual([])
  })
})
