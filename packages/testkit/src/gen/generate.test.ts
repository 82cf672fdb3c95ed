import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveLive, parseRows } from '../../test/naive.js'
import { type Json, parseJson } from '../base/json.js'
import { ACTION_NAMES, ACTIONS, type ActionName } from './actions.js'
import { type Generated, type GenerateOptions, generate, PLAIN_WALK } from './generate.js'
import { STYLE_NAMES, STYLES, type StyleName } from './styles.js'
import type { Weights } from './walk.js'

const style = fc.constantFrom(...STYLE_NAMES)
const seed = fc.integer({ min: 0, max: 1_000_000 })

/** Nothing but plain turns and the named actions. */
function only(...names: ActionName[]): Partial<Weights> {
  const off = Object.fromEntries(ACTION_NAMES.map(name => [name, 0]))
  const on = Object.fromEntries(['turn', ...names].map(name => [name, 5]))
  return { ...off, ...on, openEnd: 0, unwritten: 0 }
}

/** Files whose live set differs between the truth and the naive reading. */
function disagreements({ files, truth }: Generated): string[] {
  return files.flatMap(({ path, text }) => {
    const naive = naiveLive(parseRows(text))
    const live = new Set(truth.live[path])
    return text === '' || (naive.size === live.size && [...naive].every(uuid => live.has(uuid))) ? [] : [path]
  })
}

const rowsOf = ({ files }: Generated): Json[] => files.flatMap(({ text }) => parseRows(text))

describe('a generated project', () => {
  it('is the same for the same seed', () => {
    fc.assert(
      fc.property(seed, style, fc.boolean(), (at, name, damage) => {
        const options: GenerateOptions = { style: name, damage }
        expect(generate(at, options)).toEqual(generate(at, options))
      }),
      { numRuns: 30 },
    )
  })

  it('differs from seed to seed', () => {
    expect(generate(1).files).not.toEqual(generate(2).files)
  })

  it('has JSON on every row', () => {
    fc.assert(
      fc.property(seed, style, (at, name) => {
        const lines = generate(at, { style: name }).files.flatMap(({ text }) => text.split('\n').slice(0, -1))
        expect(lines.filter(line => parseJson(line) === null)).toEqual([])
      }),
    )
  })

  it('keeps to its style', () => {
    for (const name of STYLE_NAMES) {
      const rows = rowsOf(generate(11, { style: name, actions: 30 }))
      const versions = new Set(rows.flatMap(({ version }) => (version === undefined ? [] : [version])))
      expect([...versions]).toEqual(name === 'seed' ? [] : [name])
      expect(rows.some(({ type }) => type === 'human')).toBe(name === 'seed')
    }
  })

  it('can change its style on the way', () => {
    const list: StyleName[] = ['2.0.64', '2.1.41', '2.1.197']
    const generated = generate(3, { style: list, actions: 60, weights: { resume: 8 } })
    const versions = new Set(rowsOf(generated).flatMap(({ version }) => (version ? [version] : [])))
    expect([...versions].sort()).toEqual([...list].sort())
  })

  it('streams the same text that it would collect', () => {
    const texts = new Map<string, string>()
    const writeRow = (path: string, text: string): void => {
      texts.set(path, (texts.get(path) ?? '') + text)
    }
    const options: GenerateOptions = { style: '2.1.325', actions: 30, damage: true }
    const streamed = generate(5, { ...options, writeRow })
    const collected = generate(5, options)
    expect(streamed.files).toEqual([])
    expect(streamed.truth).toEqual(collected.truth)
    expect([...texts].map(([path, text]) => ({ path, text }))).toEqual(collected.files)
  })

  it('can be one large session', () => {
    let bytes = 0
    const sessions = new Set<string>()
    const { truth } = generate(6, {
      style: '2.1.197',
      entries: 50_000,
      oneSession: true,
      writeRow: (path, text) => {
        bytes += text.length
        if (!path.includes('/agent-')) sessions.add(path)
      },
    })
    expect(truth.entries).toBeGreaterThanOrEqual(50_000)
    expect(truth.entries).toBeLessThan(52_000)
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(sessions.size).toBe(1)
  })
})

describe('the truth and the naive reading', () => {
  it('agree on plain walks in every style', () => {
    fc.assert(
      fc.property(seed, style, (at, name) => {
        expect(disagreements(generate(at, { style: name, weights: PLAIN_WALK }))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('agree through compactions and kills, where rows are in order and no echo hangs on a preserved entry', () => {
    const weights = { lateRow: 0, replay: 0, unwritten: 0 }
    const styles = STYLE_NAMES.filter(name => !STYLES[name].preserves)
    fc.assert(
      fc.property(seed, fc.constantFrom(...styles), (at, name) => {
        expect(disagreements(generate(at, { style: name, weights }))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  // D1 (kill), D5 (late rows) and replays are what the naive reading is known to get wrong.
  const apart: readonly ActionName[] = ['kill', 'lateRow', 'replay']
  const pairs = STYLE_NAMES.flatMap(name =>
    ACTION_NAMES.filter(action => ACTIONS[action].fits(STYLES[name]) && !apart.includes(action)).map(
      action => [name, action] as const,
    ),
  )
  it.each(pairs)('agree in style %s on %s', (name, action) => {
    for (let at = 0; at < 5; at++) {
      expect(disagreements(generate(at, { style: name, weights: only(action), actions: 8 }))).toEqual([])
    }
  })

  it.each([
    ['2.1.197', 'kill'],
    ['2.1.197', 'lateRow'],
    ['1.0.66', 'replay'],
  ] as const)('part in style %s on %s', (name, action) => {
    const seeds = Array.from({ length: 40 }, (_, at) => at)
    const parted = seeds.filter(
      at => disagreements(generate(at, { style: name, weights: only(action), actions: 8 })).length > 0,
    )
    expect(parted.length).toBeGreaterThan(0)
  })
})
