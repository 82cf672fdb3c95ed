import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutToSize, sizeOf, tokensAsSize } from './tokens.js'

it.each([
  ['abc', 1],
  ['жжжж', 2],
  ['漢字', 2],
  ['😀', 2],
  ['漢abc', 2],
])('[B1] %s takes %i tokens', (text, tokens) => {
  expect(sizeOf(text)).toBe(tokensAsSize(tokens))
})

it('[B1] property: what is cut to a size has at most that size, is a beginning, and says that it was cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(200), (text, most) => {
      const cut = cutToSize(text, most)
      if (sizeOf(text) <= most) expect(cut).toBe(text)
      else {
        expect(cut.endsWith(' [cut]')).toBe(true)
        const kept = cut.slice(0, -' [cut]'.length)
        expect([text.startsWith(kept), sizeOf(kept) <= most]).toEqual([true, true])
        // No half of a surrogate pair.
        expect(encodeURIComponent(kept)).toBeDefined()
      }
    }),
  )
})
