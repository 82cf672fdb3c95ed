import { describe, expect, it } from 'vitest'
import { countLines, firstLines } from './clamp.js'

describe('long texts', () => {
  it('show their first lines', () => {
    expect(firstLines('a\nb\nc\nd\ne\nf\ng', 3)).toEqual({ shown: 'a\nb\nc', more: 4 })
    expect(firstLines('a\nb\nc\nd\ne', 3)).toEqual({ shown: 'a\nb\nc\nd\ne', more: 0 })
    expect(firstLines('', 3)).toEqual({ shown: '', more: 0 })
  })

  it('count lines as people do', () => {
    expect(['', 'a', 'a\n', 'a\nb', '\n'].map(countLines)).toEqual([0, 1, 1, 2, 1])
  })
})
