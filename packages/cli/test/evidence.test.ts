/** The entries that waste and lessons name as their evidence can be opened, and sums are those of their parts. */
import { describe, expect, it } from 'vitest'
import { dagline, json, RECORDED, SAMPLES } from './run.js'

interface Evidence {
  readonly kind: string
  readonly refs: readonly string[]
  readonly shares?: readonly {
    readonly ref: string
    readonly tokens: number
    readonly costUSD: number | null
  }[]
}

/** The references that no command opens: entries with `show`, branches and subagents with `log`, sessions with both. */
function unopened(root: string, items: readonly Evidence[]): readonly string[] {
  const refs = new Set(
    items.flatMap(({ refs: own, shares = [] }) => [...own, ...shares.map(({ ref }) => ref)]),
  )
  const opens = (ref: string): boolean =>
    ['show', 'log'].some(command => dagline([command, ref, '--root', root]).code === 0)
  return [...refs].filter(ref => !opens(ref))
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

// DAGLINE_CORPUS names further projects roots.
const roots = [
  SAMPLES,
  RECORDED,
  ...(process.env['DAGLINE_CORPUS'] ?? '').split(':').filter(path => path !== ''),
]

describe.each(roots)('evidence in %s', root => {
  const ask = (command: string): ReturnType<typeof json> => json(dagline([command, '--json', '--root', root]))

  it('[X41] every figure of waste is the sum of messages that can be opened, and no more than usage', () => {
    const { waste, kinds, wasted, used } = ask('waste')
    expect(unopened(root, waste)).toEqual([])
    for (const { kind, tokens } of kinds) {
      const items: readonly Evidence[] = waste.filter((item: Evidence) => item.kind === kind)
      expect([kind, sumOf(items.flatMap(({ shares = [] }) => shares.map(each => each.tokens)))]).toEqual([
        kind,
        tokens,
      ])
    }
    expect(sumOf(kinds.map(({ tokens }: { tokens: number }) => tokens))).toBe(wasted.tokens)
    expect(wasted.costUSD ?? 0).toBeLessThanOrEqual(used.costUSD ?? 0)
    expect(used.costUSD).toBeCloseTo(ask('usage').totals.costUSD, 9)
  })

  it('[X19] every entry that a lesson names can be opened', () => {
    const { lessons } = ask('lessons')
    expect(unopened(root, lessons)).toEqual([])
    for (const { refs } of lessons) expect(refs).not.toEqual([])
  })
})

it('[X19] [X41] the samples have waste and lessons', () => {
  const count = (command: string, list: string): number =>
    json(dagline([command, '--json', '--root', SAMPLES]))[list].length
  expect(count('waste', 'waste')).toBeGreaterThan(0)
  expect(count('lessons', 'lessons')).toBeGreaterThan(0)
})
