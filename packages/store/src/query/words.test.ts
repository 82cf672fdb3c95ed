import { describe, expect, it } from 'vitest'
import { wordsOf } from '../db/words.js'
import { snippetOf } from './snippet.js'
import { foldText, parseQuery, phrasesOf } from './words.js'

const phrases = (text: string) =>
  phrasesOf(parseQuery(text), { isWhole: false }).map(
    ({ words, isPrefix }) => words.join(' ') + (isPrefix ? '*' : ''),
  )
const literals = (text: string) =>
  parseQuery(text)
    .filter(({ isLiteral }) => isLiteral)
    .map(part => part.text)

describe('queries', () => {
  it('[H1] each word is a part of the query', () => {
    expect(phrases('fix the build ')).toEqual(['fix', 'the', 'build'])
    expect(literals('fix the build')).toEqual([])
  })

  it('[H1] a text in quotes is one part of the query', () => {
    expect(phrases('"exact phrase" more')).toEqual(['exact phrase', 'more*'])
    expect(literals('"exact phrase"')).toEqual(['exact phrase'])
  })

  it.each([
    ['src/app.ts', 'src app ts', 'src/app.ts'],
    ['foo-bar', 'foo bar', 'foo-bar'],
    ['C++', 'C', 'c++'],
    ['snake_case', 'snake case', 'snake_case'],
    ["don't", 'don t', "don't"],
    ['NOT', 'NOT', undefined],
    ['a*b', 'a b', 'a*b'],
    ['col:x', 'col x', 'col:x'],
    ['(x)', 'x', '(x)'],
  ])('[H1] %s is text, never syntax', (text, phrase, literal) => {
    expect(phrases(`${text} `)).toEqual([phrase])
    expect(literals(text)[0]).toBe(literal)
  })

  it('[H1] a lone quote is a character like any other', () => {
    expect(phrases('say "hello')).toEqual(['say', 'hello*'])
    expect(literals('"hello')).toEqual(['"hello'])
  })

  it('[H1] punctuation alone is not a word', () => {
    expect([phrases('=> ++ *'), literals('=> ++ *')]).toEqual([[], ['=>', '++', '*']])
  })

  it('[H2] scripts without spaces are found by their characters', () => {
    expect(wordsOf('検索機能')).toEqual(['検', '索', '機', '能'])
    expect(wordsOf('用git提交')).toEqual(['用', 'git', '提', '交'])
    expect(literals('検索')).toEqual([])
  })

  it('[H9] the last word is a prefix from three letters on, unless something was typed behind it', () => {
    expect(phrases('fix buil')).toEqual(['fix', 'buil*'])
    expect(phrases('src/pages/sear')).toEqual(['src pages sear*'])
    for (const text of ['fix build ', '"build"', 'build,', 'bu', 'C++', '検索'])
      expect(phrases(text).filter(phrase => phrase.endsWith('*'))).toEqual([])
  })

  it('[H9] a star at the end of a word lets it go on, one in front of it lets it begin earlier', () => {
    expect(phrases('z* std** ab')).toEqual(['z*', 'std*', 'ab'])
    expect(phrases('*std')).toEqual(['std'])
    const stars = parseQuery('zst* *zst *zst* "*zst*"')
    expect(stars.map(({ isSuffix, isPrefix }) => [isSuffix, isPrefix])).toEqual([
      [false, true],
      [true, false],
      [true, true],
      [false, false],
    ])
    expect(stars.map(({ text }) => text)).toEqual(['zst', 'zst', 'zst', '*zst*'])
  })
})

describe('folding', () => {
  it('[S7] shows a command as it was typed, and a prompt without the marks of the editor', () => {
    const command =
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>twelve</command-args>'
    expect(snippetOf(command, ['twelve'])).toEqual({ text: '/review twelve', marks: [[8, 14]] })
    const opened = '<ide_opened_file>The user opened a.ts</ide_opened_file>\nfix it'
    expect(snippetOf(opened, ['fix']).text).not.toContain('<')
    expect(snippetOf(command, ['message']).text).toContain('<command-message>')
    expect(snippetOf(command, []).text).toBe('/review twelve')
  })

  it('[H1] leaves out case and diacritics, and keeps every place', () => {
    expect(foldText('Ärger\tNOËL')).toBe('arger noel')
    for (const text of ['İstanbul', 'straße', 'ﬁn', '😀 Ünïcode', 'e\u0301'])
      expect(foldText(text)).toHaveLength(text.length)
  })
})

describe('snippets', () => {
  const shown = (text: string, query: string) => {
    const { text: snippet, marks } = snippetOf(
      text,
      parseQuery(query).map(part => part.text),
    )
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
