import { describe, expect, it } from 'vitest'
import { wordsOf } from '../db/words.js'
import { snippetOf } from './snippet.js'
import { foldText, parseQuery } from './words.js'

const phrases = (text: string) => parseQuery(text).phrases.map(({ words }) => words.join(' '))

describe('queries', () => {
  it('[H1] each word is a part of the query', () => {
    expect(phrases('fix the build')).toEqual(['fix', 'the', 'build'])
    expect(parseQuery('fix the build').literals).toEqual([])
  })

  it('[H1] a text in quotes is one part of the query', () => {
    expect(phrases('"exact phrase" more')).toEqual(['exact phrase', 'more'])
    expect(parseQuery('"exact phrase"').literals).toEqual(['exact phrase'])
  })

  it.each([
    ['src/app.ts', 'src app ts', 'src/app.ts'],
    ['foo-bar', 'foo bar', 'foo-bar'],
    ['C++', 'C', 'c++'],
    ['snake_case', 'snake case', 'snake_case'],
    ["don't", 'don t', "don't"],
    ['NOT', 'NOT', undefined],
    ['a*', 'a', 'a*'],
    ['col:x', 'col x', 'col:x'],
    ['(x)', 'x', '(x)'],
  ])('[H1] %s is text, never syntax', (text, phrase, literal) => {
    expect(phrases(text)).toEqual([phrase])
    expect(parseQuery(text).literals[0]).toBe(literal)
  })

  it('[H1] a lone quote is a character like any other', () => {
    expect(phrases('say "hello')).toEqual(['say', 'hello'])
    expect(parseQuery('"hello').literals).toEqual(['"hello'])
  })

  it('[H1] punctuation alone is not a word', () => {
    expect(parseQuery('=> ++')).toMatchObject({ phrases: [], literals: ['=>', '++'] })
  })

  it('[H2] scripts without spaces are found by their characters', () => {
    expect(wordsOf('検索機能')).toEqual(['検', '索', '機', '能'])
    expect(wordsOf('用git提交')).toEqual(['用', 'git', '提', '交'])
    expect(parseQuery('検索').literals).toEqual([])
  })

  it('[H1] the last word may be incomplete while it is being typed', () => {
    expect(parseQuery('fix buil', { isUnfinished: true }).phrases.map(({ isPrefix }) => isPrefix)).toEqual([
      false,
      true,
    ])
    expect(parseQuery('fix build ', { isUnfinished: true }).phrases.some(({ isPrefix }) => isPrefix)).toBe(
      false,
    )
  })
})

describe('folding', () => {
  it('[H1] leaves out case and diacritics, and keeps every place', () => {
    expect(foldText('Ärger\tNOËL')).toBe('arger noel')
    for (const text of ['İstanbul', 'straße', 'ﬁn', '😀 Ünïcode', 'e\u0301'])
      expect(foldText(text)).toHaveLength(text.length)
  })
})

describe('snippets', () => {
  const shown = (text: string, query: string) => {
    const { text: snippet, marks } = snippetOf(text, parseQuery(query).parts)
    return marks.map(([start, end]) => snippet.slice(start, end))
  }

  it('[H4] marks what was asked for, as it is written', () => {
    expect(shown('The Build fails; build again', 'build')).toEqual(['Build', 'build'])
    expect(shown('Un café noir', 'cafe')).toEqual(['café'])
    expect(shown('新しい検索機能です', '検索')).toEqual(['検索'])
    expect(shown('edit src/app.ts now', 'src/app.ts')).toEqual(['src/app.ts'])
  })

  it('[H4] words are marked rather than parts of words', () => {
    expect(shown('rebuild, then build', 'build')).toEqual(['build'])
    expect(shown('rebuild', 'build')).toEqual(['build'])
  })

  it('[H4] a long text is cut around the place', () => {
    const { text, marks } = snippetOf(`${'x '.repeat(500)}needle${' y'.repeat(500)}`, ['needle'])
    expect(text.length).toBeLessThan(170)
    expect(text).toMatch(/^….*needle.*…$/)
    expect(marks).toHaveLength(1)
  })

  it('[H4] shows the place where most of the words stand together', () => {
    const { text } = snippetOf(`apple ${'x '.repeat(200)} apple and pear`, ['apple', 'pear'])
    expect(text).toContain('apple and pear')
  })

  it('[H7] marks what a pattern matches', () => {
    const { text, marks } = snippetOf('a TODO(me) b', [], /TODO\(\w+\)/g)
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['TODO(me)'])
  })
})
