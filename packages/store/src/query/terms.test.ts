import { describe, expect, it } from 'vitest'
import { closestTerms, termsWith } from './terms.js'

const WORDS = [
  '12',
  '212',
  'authentication 9',
  'authentic 2',
  'error 40',
  'mirror 3',
  'notification 5',
  'test 12',
  'tst',
  'unzstd',
  'zst 7',
  'zstd 2',
]
const vocabulary = WORDS.map(word => `${word.replace(' ', '\t')}${word.includes(' ') ? '' : '\t1'}\n`).join(
  '',
)

describe('words of the index', () => {
  const inside = (part: string, isSuffix: boolean, isPrefix: boolean) =>
    termsWith(vocabulary, part, { isSuffix, isPrefix }).join(' ')

  it('[H9] [H10] are found by their beginning, their end or a part, the most frequent first', () => {
    expect(inside('zst', false, false)).toBe('zst')
    expect(inside('zst', false, true)).toBe('zst zstd')
    expect(inside('zstd', true, false)).toBe('zstd unzstd')
    expect(inside('zst', true, true)).toBe('zst zstd unzstd')
    expect(inside('ror', true, true)).toBe('error mirror')
    expect(inside('nowhere', true, true)).toBe('')
  })

  it('[H10] are not found by how often they occur', () => {
    expect(inside('12', true, true)).toBe('12 212')
    expect(inside('40', true, true)).toBe('')
  })

  it.each([
    ['autentication', false, 'authentication'],
    ['athentication', false, 'authentication'],
    ['authetnicatoin', false, 'authentication'],
    ['notificatoin', false, 'notification'],
    ['xuthentication', false, 'authentication'],
    ['autentic', true, 'authentication authentic'],
    ['notifcat', true, 'notification'],
    ['eror', false, 'error'],
    ['tets', false, 'test'],
    ['ots', false, ''],
    ['elephant', false, ''],
  ])('[H10] %s is close to them', (word, isPrefix, expected) => {
    expect(closestTerms(vocabulary, word, isPrefix).join(' ')).toBe(expected)
  })
})
