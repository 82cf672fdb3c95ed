import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchLines, NO_LINE } from './match.js'

const lines = fc.array(
  fc.oneof(
    fc.constantFrom('', '}', 'return x', 'end'),
    fc.nat(12).map(n => `line ${n} of a file`),
  ),
  { maxLength: 40 },
)

describe('matchLines', () => {
  it('[Z1] property: matches are equal lines in order, and between two of them no line is left that both have', () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const matched = [...matchLines(a, b)]
        const pairs = matched.flatMap((at, nth) => (at === NO_LINE ? [] : [[at, nth] as const]))
        for (const [at, nth] of pairs) expect(a[at]).toBe(b[nth])
        const ends = [[-1, -1] as const, ...pairs, [a.length, b.length] as const]
        for (const [nth, [aEnd, bEnd]] of ends.entries()) {
          const before = ends[nth - 1]
          if (before === undefined) continue
          const [aStart, bStart] = before
          expect(aEnd).toBeGreaterThan(aStart)
          const left = new Set(a.slice(aStart + 1, aEnd))
          expect(b.slice(bStart + 1, bEnd).filter(line => left.has(line))).toEqual([])
        }
      }),
      { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 500) },
    )
  })

  it('[Z1] property: a text is matched with itself, and with what was put into it', () => {
    fc.assert(
      fc.property(lines, lines, fc.nat(40), (a, put, at) => {
        const fresh = put.map((line, nth) => `${line} put in ${nth}`)
        const b = [...a.slice(0, at), ...fresh, ...a.slice(at)]
        const matched = [...matchLines(a, b)]
        expect(matched.filter(each => each !== NO_LINE)).toEqual([...a.keys()])
        expect([...matchLines(a, a)]).toEqual([...a.keys()])
      }),
    )
  })

  it.each([
    ['a block between equal brackets', 'f {|}|g {|}', 'f {|}|new one {|}|g {|}', '0 1 - - 2 3'],
    ['a telling line before a bracket', 'one|two|}|four', 'one|two|four|}', '0 1 3 -'],
    ['nothing in common', 'one|two', 'three|four', '- -'],
    ['nothing before', '', 'three', '-'],
  ])('[Z1] %s', (_, a, b, expected) => {
    const split = (text: string): readonly string[] => (text === '' ? [] : text.split('|'))
    const matched = [...matchLines(split(a), split(b))]
    expect(matched.map(at => (at === NO_LINE ? '-' : at)).join(' ')).toBe(expected)
  })

  it('[Z1] gives up on texts that have too little in common, quickly', () => {
    const many = (seed: number): readonly string[] =>
      Array.from({ length: 4000 }, (_, nth) => `${(nth * seed) % 1000}`)
    expect([...matchLines(many(7), many(11))].length).toBe(4000)
  })
})
