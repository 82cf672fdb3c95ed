import { describe, expect, it } from 'vitest'
import { CORRUPTIONS, corruptBySeed, corruptedSessions, sessionTexts } from './session.js'

const SOURCES = sessionTexts('fixtures/recordings')

describe('corrupted sessions', () => {
  it('are the same for the same seed, and other ones for another', () => {
    const [first, again, other] = [7, 7, 9].map(seed => corruptBySeed(SOURCES, seed).text)
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  it('have every kind alone, and combinations of two to four', { timeout: 60_000 }, () => {
    const all = [...corruptedSessions(SOURCES, { count: 2 * Object.keys(CORRUPTIONS).length })]
    const alone = new Set(all.flatMap(({ kinds }) => (kinds.length === 1 ? kinds : [])))
    expect(Object.keys(CORRUPTIONS).filter(kind => !alone.has(kind))).toEqual(['row of 11 MB'])
    expect(new Set(all.map(({ kinds }) => kinds.length))).toEqual(new Set([1, 2, 3, 4]))
  })

  it('leave the original as it is', () => {
    const texts = SOURCES.map(({ text }) => text)
    for (const { text, original, kinds } of corruptedSessions(SOURCES, { count: 60 })) {
      expect(texts).toContain(original)
      if (!kinds.includes('rows sorted by time')) expect(text).not.toBe(original)
    }
  })
})
