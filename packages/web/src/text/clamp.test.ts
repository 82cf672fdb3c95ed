import { describe, expect, it } from 'vitest'
import { countLines, firstLines, linesTo } from './clamp.js'

describe('long texts', () => {
  it('show their first lines', () => {
    expect(firstLines('a\nb\nc\nd\ne\nf\ng', 3)).toEqual({ shown: 'a\nb\nc', more: 4 })
    expect(firstLines('a\nb\nc\nd\ne', 3)).toEqual({ shown: 'a\nb\nc\nd\ne', more: 0 })
    expect(firstLines('', 3)).toEqual({ shown: '', more: 0 })
  })

  it('show all lines up to a word that must be visible', () => {
    expect(linesTo('a\nb\nNeedle here\nd', ['needle'])).toBe(3)
    expect(linesTo('a\nb', ['needle'])).toBe(0)
    expect(linesTo('a\nb', [])).toBe(0)
  })

  it('count no line after the last line break', () => {
    expect(['', 'a', 'a\n', 'a\nb', '\n'].map(countLines)).toEqual([0, 1, 1, 2, 1])
  })
})
