import { describe, expect, it } from 'vitest'
import { withEllipsis } from './ellipsis.js'

describe('withEllipsis', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['two words', 5, 'two…'],
    ['ab😀cd', 4, 'ab…'],
    ['ab😀cd', 5, 'ab😀…'],
  ])('%j in %i characters is %j', (text, most, expected) => {
    expect(withEllipsis(text, most)).toBe(expected)
  })
})
