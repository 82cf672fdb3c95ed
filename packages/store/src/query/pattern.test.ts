import { describe, expect, it } from 'vitest'
import { createMatcher, requiredLiteral } from './pattern.js'

/** A pattern whose first searches wait without using the processor until they are interrupted, as where others have it. */
class Starved extends RegExp {
  left = 2
  override [Symbol.search](text: string): number {
    if (this.left-- > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    return super[Symbol.search](text)
  }
}

describe('a pattern', () => {
  it('[H7] is tried again on a text where others had the processor', () => {
    const { match } = createMatcher(new Starved('wal'))
    const batch = ['a walrus', 'a seal'].map((text, item) => ({ text, item }))
    expect(match(batch)).toEqual({ matched: [], tried: 0, isSlow: false })
    expect(match(batch)).toEqual({ matched: [], tried: 0, isSlow: false })
    expect(match(batch)).toEqual({ matched: batch.slice(0, 1), tried: 2, isSlow: false })
  })

  it('[H7] is given up on a text that it never comes to an end with', () => {
    const pattern = new Starved('wal')
    pattern.left = 100
    const { match } = createMatcher(pattern)
    const batch = [{ text: 'a walrus', item: 0 }]
    const tried = Array.from({ length: 8 }, () => match(batch))
    expect(tried.map(({ isSlow }) => isSlow)).toEqual([...Array(7).fill(false), true])
  })

  it.each([
    ['(a+)+$', `${'a'.repeat(60)}b`],
    ['^(\\w+\\s?)*\\u0001$', 'word '.repeat(40)],
    ['(.*a){25}zq', 'aab '.repeat(60)],
  ])('[H7] is given up on a text that takes too long, and goes on with the next: %s', (source, text) => {
    const { match } = createMatcher(new RegExp(source, 'giu'))
    const batch = [text, 'short'].map((each, item) => ({ text: each, item }))
    let made = match(batch)
    while (made.tried === 0) made = match(batch)
    expect(made).toEqual({ matched: [], tried: 1, isSlow: true })
    expect(match(batch.slice(1))).toMatchObject({ tried: 1, isSlow: false })
  })

  it.each([
    ['shadow', 'shadow'],
    ['shadow.*branch\\d+', 'shadow'],
    ['^\\s*TODO\\(\\w+\\)', 'TODO'],
    ['colou?rs', 'colo'],
    ['a{3}bcd', 'bcd'],
    ['abcd+', 'abcd'],
    ['abc|def', null],
    ['(abc)?x', null],
    ['[abc]+de', null],
    ['\\bfoo\\u0041bar\\b', 'foo'],
    ['12345', null],
    ['ab*cdef*', 'cde'],
    ['(?:x(y)z)abc', 'abc'],
    ['x{2,3}?yes', 'yes'],
  ])('[H7] %s needs %s', (source, literal) => {
    expect(requiredLiteral(source)).toBe(literal)
  })

  it('[H7] is not tried on rows without its word, unless the word could be escaped', () => {
    const { canHold } = createMatcher(/shadow\w/giu)
    expect(
      ['{"a":"Shadows"}', '{"a":"ſhadows"}', '{"a":"\\u0073hadows"}', '{"a":"light"}'].map(canHold),
    ).toEqual([true, true, true, false])
  })
})
