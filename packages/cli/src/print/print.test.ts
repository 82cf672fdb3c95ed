import { jsonLines } from '@dagline/app'
import { cleanLine, cleanText, escapeJson, printableText } from '@dagline/core/content'
import { bytes, isoDay, isoTime, plural } from '@dagline/core/format'
import { describe, expect, it } from 'vitest'
import { styleFor } from './style.js'
import { tableLines } from './table.js'
import { fit, pad, widthOf, wrap } from './width.js'

describe('clean', () => {
  it('removes escape sequences with their contents', () => {
    expect(cleanText('a\u001b[1;31mb\u001b[0mc')).toBe('abc')
    expect(cleanText('a\u001b]8;;http://x\u001b\\link\u001b]8;;\u0007b')).toBe('alinkb')
    expect(cleanText('a\u009b2Jb\u001bcd\u001b')).toBe('abd')
    expect(cleanText('never ended \u001b]0;title\nnext line')).toBe('never ended \nnext line')
  })

  it('removes control characters, direction marks and lone surrogates, but keeps tabs and newlines', () => {
    expect(cleanText('a\u0000\u0007\u0008b\tc\r\nd\u202ee\ud800f')).toBe('ab\tc\nde\ufffdf')
  })

  it('[O1] [O2] leaves pairs of halves, and replaces or escapes everything else that acts or hides', () => {
    expect(printableText('a\u001b[1m😀\u009b\ud83d\u202eb\t\n')).toBe('a\ufffd[1m😀\ufffd\ufffdb\t\n')
    expect(escapeJson('"😀é\u009b\ud83d\u202e"')).toBe('"😀é\\u009b\\ud83d\\u202e"')
    for (const text of ['plain', '😀 漢字 e\u0301 👩\u200d💻'])
      expect([printableText(text), escapeJson(text)]).toEqual([text, text])
  })

  it('collapses white space to one line', () => {
    expect(cleanLine('  a \n\t b\u001b[K  ')).toBe('a b')
  })
})

describe('width', () => {
  it('counts wide characters as two columns and marks as none', () => {
    expect(['abc', '漢字', 'e\u0301', '👍', 'ｆｕｌｌ', '…'].map(widthOf)).toEqual([3, 4, 1, 2, 8, 1])
  })

  it('cuts to a width and never exceeds it', () => {
    expect(fit('abcdef', 4)).toBe('abc…')
    expect(fit('漢字漢字', 4)).toBe('漢…')
    expect(fit('abc', 3)).toBe('abc')
    expect(fit('abc', 0)).toBe('')
  })

  it('pads and wraps', () => {
    expect(pad('漢', 4)).toBe('漢  ')
    expect(pad('7', 3, 'right')).toBe('  7')
    expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
  })
})

describe('figures', () => {
  it('formats sizes, counts and times', () => {
    expect([0, 999, 1000, 49_199, 999_600, 4_200_000_000].map(bytes)).toEqual([
      '0 B',
      '999 B',
      '1 kB',
      '49.2 kB',
      '1 MB',
      '4.2 GB',
    ])
    expect([plural(1, 'branch', 'branches'), plural(1200, 'row')]).toEqual(['1 branch', '1,200 rows'])
    expect([isoTime(0), isoTime(Number.NaN), isoTime(9e15), isoDay(null)]).toEqual([
      '1970-01-01T00:00:00.000Z',
      null,
      null,
      '',
    ])
  })
})

describe('json', () => {
  it('writes plain fields, lists and records', () => {
    const fields = { one: 1, list: { list: [1, 'b'] }, none: { list: [] }, ready: { json: ['{"a":1}'] } }
    const record = { record: [['x', '[1]']] }
    const text = [...jsonLines([...Object.entries(fields), ['record', record]])].join('\n')
    expect(JSON.parse(text)).toEqual({
      one: 1,
      list: [1, 'b'],
      none: [],
      ready: [{ a: 1 }],
      record: { x: [1] },
    })
  })
})

describe('tables', () => {
  const style = styleFor(false)

  it('[X12] what stands behind a title gives way to it in a narrow table', () => {
    const tail = (): readonly string[] => ['(1 branch, 2 subagents)', '(1 branch)']
    const columns = [{ title: 'title', text: () => 'Fix the parser', tail, flexible: true }]
    const row = (width: number): string | undefined => [...tableLines([0], columns, { width, style })][1]
    expect([60, 30, 25, 16].map(row)).toEqual([
      'Fix the parser  (1 branch, 2 subagents)',
      'Fix the parser  (1 branch)',
      'Fix the parser',
      'Fix the parser',
    ])
  })

  it('[X12] an explanation is continued below instead of being cut', () => {
    const rows = [
      { name: 'theme', about: 'theme of the viewer' },
      { name: 'port', about: 'its port' },
    ]
    const columns = [
      { title: 'setting', text: (row: (typeof rows)[0]) => row.name },
      { title: 'for', text: (row: (typeof rows)[0]) => row.about, flexible: true, wraps: true },
    ]
    expect([...tableLines(rows, columns, { width: 25, style })]).toEqual([
      'setting  for',
      'theme    theme of the',
      '         viewer',
      'port     its port',
    ])
  })

  it('cuts the flexible column and hides empty ones', () => {
    const rows = [
      { name: 'a', size: 5, note: '', text: 'a rather long text' },
      { name: 'bb', size: 12, note: '', text: 'short' },
    ]
    const columns = [
      { title: 'name', text: (row: (typeof rows)[0]) => row.name },
      { title: 'size', text: (row: (typeof rows)[0]) => String(row.size), align: 'right' as const },
      { title: 'note', text: (row: (typeof rows)[0]) => row.note, hiddenIf: '' },
      { title: 'text', text: (row: (typeof rows)[0]) => row.text, flexible: true },
    ]
    expect([...tableLines(rows, columns, { width: 28, style })]).toEqual([
      'name  size  text',
      'a        5  a rather long t…',
      'bb      12  short',
    ])
  })

  it('cuts columns that may shrink before the flexible one has less than half, and before any is dropped', () => {
    const columns = [
      { title: 'project', text: () => 'somebody/a-long-name', shrinksTo: 8, keepsEnd: true, dropRank: 1 },
      { title: 'type', text: () => 'general-purpose', shrinksTo: 6 },
      { title: 'text', text: () => 'a text of thirty characters...', flexible: true },
    ]
    const row = (width: number): string | undefined => [...tableLines([0], columns, { width, style })][1]
    expect([80, 64, 56, 36, 30].map(row)).toEqual([
      'somebody/a-long-name  general-purpose  a text of thirty characters...',
      '…dy/a-long-name  general-purpose  a text of thirty characters...',
      '…ong-name  general-purpose  a text of thirty characters…',
      '…ng-name  gener…  a text of thirty…',
      'general-pur…  a text of thirt…',
    ])
  })

  it('drops columns by rank until the rest fits', () => {
    const columns = [
      { title: 'name', text: () => 'a' },
      { title: 'more', text: () => '1234', dropRank: 1 },
      { title: 'most', text: () => '5678', dropRank: 2 },
      { title: 'text', text: () => 'a rather long text', flexible: true },
    ]
    const titles = (width: number): string | undefined =>
      tableLines([0], columns, { width, style }).next().value?.replace(/ +/g, ' ')
    expect(titles(40)).toBe('name more most text')
    expect(titles(33)).toBe('name more text')
    expect(titles(27)).toBe('name text')
    expect(titles(5)).toBe('name text')
  })
})
