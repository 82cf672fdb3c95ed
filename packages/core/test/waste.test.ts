/** Waste in conversations whose usage the test sets: every figure is known to the token. */

import { findWaste, HOW_TO_AVOID, WASTE_KINDS, type Waste, type WasteFacts } from '@dagline/core/waste'
import { expandShape, generate, STYLE_NAMES, type TextFile } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCallFacts, readMessageUsage, readResultFacts } from '../src/content/index.js'
import { type Graph, parseRow, startGraph } from '../src/index.js'
import { addUsage, createPricer, LIST_PRICES, type MessageUsage } from '../src/measure/index.js'
import { withCarried } from '../src/parse/index.js'
import { factsOf } from './support.js'

interface Read {
  readonly graph: Graph
  readonly facts: WasteFacts
}

function read(files: readonly TextFile[], metas: readonly TextFile[] = []): Read {
  const usage = new Map<string, MessageUsage>()
  const calls = new Map()
  const results = new Map()
  const see = withCarried((json, record) => {
    addUsage(usage, readMessageUsage(json))
    for (const call of readCallFacts(json)) calls.set(call.id, call)
    for (const result of readResultFacts(json, record)) results.set(result.id, result)
  })
  const builder = startGraph()
  for (const file of files)
    file.text.split('\n').forEach((text, index) => {
      const raw = { row: index + 1, offset: 0, length: text.length, text, whole: true }
      builder.addRow(factsOf(file.path, metas), parseRow(raw, see))
    })
  return { graph: builder.build(), facts: { usage, calls, results } }
}

/** `+{json}` of an answer that used these tokens. */
function used(tokens: {
  readonly input?: number
  readonly read?: number
  readonly m5?: number
  readonly h1?: number
  readonly output?: number
}): string {
  const { input = 0, read = 0, m5 = 0, h1 = 0, output = 0 } = tokens
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: m5 + h1,
    cache_creation: { ephemeral_5m_input_tokens: m5, ephemeral_1h_input_tokens: h1 },
    output_tokens: output,
  }
  return `+${JSON.stringify({ message: { usage } })}`
}

/** `+{json}` of a result with a text of so many characters. */
function said(id: string, characters: number, letter = 'x', isError = false): string {
  const content = letter.repeat(characters)
  return `+${JSON.stringify({
    message: {
      content: [{ type: 'tool_result', tool_use_id: `toolu_${id}`, content, is_error: isError }],
    },
  })}`
}

/** `+{json}` of an answer that calls a tool. */
function calls(id: string, name: string, input: object, tokens: Parameters<typeof used>[0]): string {
  const overlay = JSON.parse(used(tokens).slice(1))
  const content = [{ type: 'tool_use', id: `toolu_${id}`, name, input }]
  return `+${JSON.stringify({ message: { ...overlay.message, content } })}`
}

const price = createPricer(LIST_PRICES)

interface Sum {
  readonly kind: string
  readonly tokens: number
  readonly costUSD: number
  readonly shares: string
}

/** What is found in a shape: kinds, tokens, cost, and `token:tokens` of every message. */
function waste(shape: string): readonly Sum[] {
  const expanded = expandShape(shape)
  const { graph, facts } = read(expanded.files, expanded.metas)
  const found = findWaste(graph, facts)
  expectWithinUsage(found, facts)
  return found.map(({ kind, shares }) => ({
    kind,
    tokens: shares.reduce((sum, { tokens }) => sum + tokens, 0),
    costUSD: Math.round(shares.reduce((sum, { costUSD }) => sum + (costUSD ?? 0), 0) * 1e6),
    shares: shares.map(({ ref, tokens }) => `${expanded.say([ref])}:${tokens}`).join(' '),
  }))
}

/** X41: of no message more than it used, in tokens and money; every share names an entry. */
function expectWithinUsage(found: readonly Waste[], { usage }: WasteFacts): void {
  const sums = new Map<string, { tokens: number; cost: number }>()
  for (const { message, ref, tokens, costUSD } of found.flatMap(({ shares }) => shares)) {
    const sum = sums.get(message) ?? { tokens: 0, cost: 0 }
    sums.set(message, { tokens: sum.tokens + tokens, cost: sum.cost + (costUSD ?? 0) })
    expect(tokens).toBeGreaterThan(0)
    expect(ref).not.toBe('')
  }
  for (const [message, { tokens, cost }] of sums) {
    const one = usage.get(message)
    if (one === undefined) throw new RangeError(`no usage of ${message}`)
    const all = one.input + one.output + one.cacheRead + one.cacheWrite5m + one.cacheWrite1h
    expect(tokens).toBeLessThanOrEqual(all)
    expect(cost).toBeLessThanOrEqual((price(one) ?? 0) + 1e-12)
  }
}

// claude-opus-4-8: 5 input, 6.25 and 10 written, 0.5 read, 25 output, in USD for a million tokens.
describe('branches', () => {
  it('[X42] a rewind wastes all of the requests on the branch that it abandoned', () => {
    const a = used({ input: 100, output: 10 })
    const shape = `s1: u1"one" a1${a} u2"two" a2${used({ input: 7, read: 200, m5: 1000, output: 30 })} u3"on" a3${a}\ns1: a1 > u4"else"@+30m a4${a}`
    expect(waste(shape)).toEqual([
      { kind: 'rewind', tokens: 1347, costUSD: 7 * 5 + 100 + 6250 + 750 + 750, shares: 'a2:1237 a3:110' },
    ])
  })

  it('[X42] a retry wastes the whole request of the reply that broke off', () => {
    const a = used({ input: 100, output: 10 })
    const broken = used({ input: 3, read: 500, m5: 200, output: 40 })
    expect(waste(`s1: u1"one" a1[t1:Bash]${broken} a2${a} u2"on" a3${a}`)).toEqual([
      { kind: 'retry', tokens: 743, costUSD: 3 * 5 + 250 + 1250 + 1000, shares: 'a1:743' },
    ])
    expect(waste(`s1: u1"one" a1[t1:Bash]${broken} r1[t1] a2${a}`)).toEqual([])
  })

  it('[X42] a branch that another session goes on from is not wasted', () => {
    const shape = `s1: u1"one" a1 u2"two" a2\ns1: a1 > u3"three"@+30m a3\ns2: u1 a1 u2 a2 u4"on"@+90m a4`
    expect(waste(shape)).toEqual([])
  })

  it('[X42] a subagent that was never answered wastes its requests, once the conversation went on', () => {
    const agent = `s1/x: ~u9"do t1" ~a9[t9]${used({ input: 50, output: 5 })} ~r9[t9]`
    expect(
      waste(`s1: u1 a1[t1:Task>x] u2"next"@+1m a2\n${agent}`).map(({ kind, shares }) => [kind, shares]),
    ).toEqual([['subagent', 'a9:55']])
    expect(waste(`s1: u1 a1[t1:Task>x]\n${agent}`)).toEqual([])
  })
})

describe('the prompt cache', () => {
  const first = used({ input: 1, m5: 10_000, output: 10 })
  it.each([
    ['5 minutes', '6m', { read: 2000, m5: 9000 }, 8000, 8000 * (6.25 - 0.5)],
    ['a part was new', '6m', { read: 8000, m5: 9000 }, 2000, 2000 * (6.25 - 0.5)],
    ['an hour', '61m', { read: 0, h1: 12_000 }, 10_000, 10_000 * (10 - 0.5)],
  ])('[X43] %s: what was cached and is written again', (_, pause, tokens, sum, costUSD) => {
    const shape = `s1: u1 a1${first} u2@+${pause} a2${used({ ...tokens, input: 3, output: 1 })}`
    expect(waste(shape)).toEqual([{ kind: 'cache-expiry', tokens: sum, costUSD, shares: `a2:${sum}` }])
  })

  it.each([
    ['too soon', '4m', { read: 0, m5: 12_000 }],
    ['too soon for an hour', '50m', { read: 0, h1: 12_000 }],
    ['all was read', '6m', { read: 10_000, m5: 3000 }],
  ])('[X43] %s: nothing', (_, pause, tokens) => {
    expect(waste(`s1: u1 a1${first} u2@+${pause} a2${used(tokens)}`)).toEqual([])
  })
})

const path = { file_path: '/a.ts' }

describe('repeated calls', () => {
  const reads = (second: string, between = ''): string =>
    `s1: u1 a1[t1:Read]${calls('t1', 'Read', path, { m5: 1000, output: 20 })} r1[t1]${said('t1', 900)} ${between}` +
    `a2[t2:Read]${calls('t2', 'Read', path, { read: 1000, m5: 320, output: 30 })} r2[t2]${second} ` +
    `a3${used({ read: 1320, m5: 330, output: 40 })} u2 a4${used({ read: 1650, m5: 90, output: 5 })}`

  it('[X44] a read of an unchanged file: its call, and its text in every request that carried it', () => {
    // a3 has 330 tokens more than a2, of which 30 are a2's own answer.
    expect(waste(reads(said('t2', 900)))).toEqual([
      {
        kind: 'repeated-read',
        tokens: 30 + 300 + 300,
        costUSD: 30 * 25 + 300 * 6.25 + 300 * 0.5,
        shares: 'a2:30 a3:300 a4:300',
      },
    ])
  })

  it('[X44] the file had changed: nothing', () => {
    expect(waste(reads(said('t2', 900, 'y')))).toEqual([])
  })

  const fails = (tool: string): string =>
    `s1: u1 a1[t1:Bash]${calls('t1', 'Bash', { command: 'x' }, { m5: 1000, output: 20 })} r1[t1!]${said('t1', 120, 'e', true)} ` +
    `a2[t2:${tool}]${calls('t2', tool, path, { read: 1000, m5: 70, output: 30 })} r2[t2]${said('t2', 40)} ` +
    `a3[t3:Bash]${calls('t3', 'Bash', { command: 'x' }, { read: 1070, m5: 50, output: 25 })} r3[t3!]${said('t3', 120, 'e', true)} ` +
    `a4${used({ read: 1120, m5: 85, output: 4 })}`

  it('[X44] a call that failed as before, though nothing was edited', () => {
    expect(waste(fails('Glob'))).toEqual([
      { kind: 'failed-call', tokens: 25 + 60, costUSD: 25 * 25 + 60 * 6.25, shares: 'a3:25 a4:60' },
    ])
  })

  it('[X44] a file was edited before it failed again: nothing', () => {
    expect(waste(fails('Edit'))).toEqual([])
  })
})

/** A result of so many tokens, then answers that only add to it. */
function carried(size: number, requests: number): string {
  const call = calls('t1', 'Bash', { command: 'x' }, { m5: 1000, output: 20 })
  const later = Array.from({ length: requests }, (_, nth) => {
    const read = nth === 0 ? 1000 : 1020 + size + (nth - 1) * 15
    const tokens = used({ read, m5: nth === 0 ? 20 + size : 15, output: 5 })
    return `${nth === 0 ? '' : `u${nth + 1} `}a${nth + 2}${tokens}`
  })
  return `s1: u1 a1[t1:Bash]${call} r1[t1]${said('t1', size * 4)} ${later.join(' ')}`
}

describe('large results', () => {
  it('[X45] what one cost after the first request that carried it', () => {
    const [found, ...others] = waste(carried(6000, 31))
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'carried-result', tokens: 30 * 6000, costUSD: 30 * 6000 * 0.5 })
    expect(found?.shares).toMatch(/^a3:6000 a4:6000 .* a32:6000$/)
  })

  it('[X45] small ones, and those of few requests: nothing', () => {
    expect(waste(carried(4999, 31))).toEqual([])
    expect(waste(carried(6000, 20))).toEqual([])
  })

  const compacted = (trigger: string): string =>
    `s1: u1 a1[t1:Bash]${calls('t1', 'Bash', { command: 'x' }, { m5: 1000, output: 20 })} r1[t1]${said('t1', 80_000)} ` +
    `a2${used({ read: 1000, m5: 20_020, output: 50 })} c1+{"compactMetadata":{"trigger":"${trigger}"}} k1 u2 ` +
    `a3${used({ input: 2, read: 500, m5: 3000, output: 9 })}`

  it('[X45] a compaction soon after one: the result, and what the next request wrote anew', () => {
    expect(waste(compacted('auto'))).toEqual([
      {
        kind: 'compaction',
        tokens: 20_000 + 3002,
        costUSD: 20_000 * 6.25 + 10 + 3000 * 6.25,
        shares: 'a2:20000 a3:3002',
      },
    ])
  })

  it('[X45] a compaction that the user asked for: nothing', () => {
    expect(waste(compacted('manual'))).toEqual([])
  })
})

it('[X46] a prompt that was queued and never delivered costs nothing, and is told', () => {
  const row = (operation: string): string =>
    `s1: ! ${JSON.stringify({ type: 'queue-operation', operation, timestamp: '2026-01-01T00:00:00Z', sessionId: 's1', content: 'also this' })}`
  const { files } = expandShape(`s1: u1 a1\n${row('enqueue')}`)
  const { graph, facts } = read(files)
  expect(findWaste(graph, facts)).toMatchObject([
    { kind: 'lost-prompt', what: 'also this', refs: ['s1'], shares: [] },
  ])
})

it('[X41] every kind says what would avoid it', () => {
  expect(Object.keys(HOW_TO_AVOID)).toEqual([...WASTE_KINDS])
})

it.each(STYLE_NAMES)('[X41] never more than was used, in conversations written as %s does', style => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), seed => {
      const made = generate(seed, { style })
      const { graph, facts } = read(made.files, made.metas)
      const usage = new Map([...facts.usage].map(([id, each], nth) => [id, randomly(each, seed + nth)]))
      expectWithinUsage(findWaste(graph, { ...facts, usage }), { ...facts, usage })
    }),
    { numRuns: Number(process.env.DAGLINE_RUNS ?? 8) },
  )
})

/** Tokens that differ from message to message, so that every rule applies somewhere. */
function randomly(usage: MessageUsage, seed: number): MessageUsage {
  const some = (nth: number, most: number): number => Math.imul(seed + nth * 7919, 0x9e3779b1) >>> (0 % most)
  return {
    ...usage,
    input: some(1, 50) % 50,
    output: some(2, 3000) % 3000,
    cacheRead: some(3, 90_000) % 90_000,
    cacheWrite5m: some(4, 30_000) % 30_000,
    cacheWrite1h: some(5, 30_000) % 30_000,
  }
}
