import { expect, test } from 'vitest'
import { colorRows } from './diff-colors.js'
import { rowsOfTexts } from './diff-rows.js'

/** Rows as text: scopes in brackets, changes in stars. */
function say(before: string, after: string, language: string): readonly string[] {
  return colorRows(rowsOfTexts(before, after), language).map(({ row, pieces }) => {
    const words = pieces.map(({ text, scope, isChanged }) => {
      const colored = scope === '' ? text : `[${scope} ${text}]`
      return isChanged ? `*${colored}*` : colored
    })
    return `${row.kind} ${words.join('')}`
  })
}

test('diffs have syntax colors beside the marks of what changed', () => {
  expect(say('const a = "one"', 'const a = "two"', 'ts')).toEqual([
    'removed [keyword const] a = [string "]*[string one]*[string "]',
    'added [keyword const] a = [string "]*[string two]*[string "]',
  ])
})

test('a comment over several lines is one in both files', () => {
  expect(say('/* a\nb */\nc', '/* a\nx */\nc', 'ts')).toEqual([
    'same [comment /* a]',
    'removed *[comment b]*[comment  */]',
    'added *[comment x]*[comment  */]',
    'same c',
  ])
})

test('a text without a language has no colors, and nothing is lost', () => {
  expect(say('a\n\nconst', 'a\n\nlet', '')).toEqual(['same a', 'same ', 'removed const', 'added let'])
})
