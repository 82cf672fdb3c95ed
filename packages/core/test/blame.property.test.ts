import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AttributedLine, attributeLines } from '../src/blame/index.js'
import { COMMON, createWorld, steps, type World } from './blame-world.js'

function linesOf({ events, track, lines }: World): readonly AttributedLine[] {
  return attributeLines(events, { track, content: lines.join('\n') }).lines
}

describe('blame', () => {
  it('[Z1] property: names the call for every line that a session wrote, and none for the others', () => {
    fc.assert(
      fc.property(steps(true), plan => {
        const world = createWorld(plan, false)
        const found = linesOf(world).map(({ origin }) => (origin.kind === 'edit' ? origin.edit : 'hand'))
        expect(found).toEqual(world.lines.map(line => world.writers.get(line)))
      }),
      { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 400) },
    )
  })

  it('[Z1] property: where the file before a call is not recorded, a line may be undecided, never wrong', () => {
    let [decided, all] = [0, 0]
    fc.assert(
      fc.property(steps(null), plan => {
        const world = createWorld(plan, false)
        for (const { text, origin } of linesOf(world)) {
          const writer = world.writers.get(text)
          all++
          if (origin.kind === 'undecided') continue
          decided++
          expect([text, origin.kind === 'edit' ? origin.edit : 'hand']).toEqual([text, writer])
        }
      }),
      { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 400) },
    )
    expect(decided / all).toBeGreaterThan(0.8)
  })

  it('[Z2] property: lines that stand in many places are only given to calls that wrote such a line', () => {
    fc.assert(
      fc.property(steps(true), plan => {
        const world = createWorld(plan, true)
        for (const { text, origin } of linesOf(world)) {
          if (!COMMON.includes(text)) {
            expect([text, origin.kind === 'edit' ? origin.edit : 'hand']).toEqual([
              text,
              world.writers.get(text),
            ])
          } else if (origin.kind === 'edit')
            expect(JSON.stringify(world.events[origin.edit]?.change)).toContain(text)
        }
      }),
    )
  })

  it('[Z3] property: the lines of all calls add up to those that are attributed', () => {
    fc.assert(
      fc.property(steps(null), plan => {
        const { events, track, lines } = createWorld(plan, true)
        const result = attributeLines(events, { track, content: lines.join('\n') })
        const given = result.lines.filter(({ origin }) => origin.kind === 'edit').length
        expect(result.edits.reduce((sum, { present }) => sum + present, 0)).toBe(given)
        for (const { fate, present, written } of result.edits) {
          expect(present).toBeLessThanOrEqual(written)
          expect(fate === 'present').toBe(present > 0)
        }
      }),
    )
  })
})
