import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { block, dagline, json, onRecorded, type Ran } from './run.js'

type Line = Readonly<Record<string, unknown>>

interface Answer {
  readonly id: string
  readonly model?: string
  readonly at?: string
  readonly session?: string
  readonly usage?: object
}

/** An answer with a message of its own. */
function answer({ id, model = 'claude-opus-4-6', at, session = 's1', usage }: Answer): Line {
  const used = { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 1_000_000, ...usage }
  return {
    type: 'assistant',
    uuid: `${session}-${id}`,
    parentUuid: null,
    sessionId: session,
    timestamp: at ?? '2026-05-01T12:00:00.000Z',
    message: { id, model, role: 'assistant', content: [], stop_reason: 'end_turn', usage: used },
  }
}

/** Runs on files of a home of its own: project/session to lines. */
async function onFiles<T>(
  files: Readonly<Record<string, readonly Line[]>>,
  use: (run: (...words: string[]) => Ran) => T,
): Promise<T> {
  return await withHome([], home => {
    for (const [path, lines] of Object.entries(files)) {
      const file = join(home.projects, `${path}.jsonl`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    }
    return use((...words) => dagline(['usage', ...words], { CLAUDE_CONFIG_DIR: home.config }))
  })
}

describe('usage', () => {
  it('[X4] prints a table with its sum, and notes about it', () => {
    expect(block(onRecorded('usage', '--by', 'project').stdout)).toMatchInlineSnapshot(`
      "
      project                                    API messages  input  output  cache read  write 5m     cost  models
      -home-dev-shop                                       11    132     528      26,400     1,320  $0.0230  opus-5-5
      -home-dev-lab-s08-background-agent-proj               6     75     135      18,634       615  $0.0098  opus-5-5
      -home-dev-lab-s12-fork-session-proj                   6     75     135      16,429       615  $0.0094  opus-5-5
      -home-dev-lab-s06-parallel-subagents-proj             6     75     135      15,558       615  $0.0092  opus-5-5
      -home-dev-lab-s13-rewind-proj                         5     60     110      14,746       510  $0.0079  opus-5-5
      -home-dev-lab-s09-compact-headless-proj               4     47      87      11,274       407  $0.0062  opus-5-5
      ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
      total                                                38    464   1,130     103,041     4,082  $0.0655

      - Costs are Anthropic's list prices in USD (as of 2026-10-09), not a bill: subscriptions, discounts
        and other providers differ.
      "
    `)
  })

  it('[X4] has the fields of the contract', () => {
    const printed = json(onRecorded('usage', '--json'))
    expect(Object.keys(printed)).toEqual([
      'dagline',
      'by',
      'totals',
      'rows',
      'unknownModels',
      'unpriced',
      'undercounted',
      'pricesAsOf',
    ])
    expect(printed.totals).toEqual({
      messages: 38,
      input: 464,
      output: 1130,
      cacheRead: 103041,
      cacheWrite5m: 4082,
      cacheWrite1h: 0,
      costUSD: 0.0654742,
      webSearches: 0,
    })
    expect(printed.rows.reduce((sum: number, row: { messages: number }) => sum + row.messages, 0)).toBe(38)
    expect(Object.keys(printed.rows[0])).toEqual(['key', ...Object.keys(printed.totals), 'models'])
    expect(printed.rows[0].models).toEqual(['claude-opus-5-5'])
    expect(printed.undercounted).toMatchObject({ messages: 0, why: expect.stringContaining('2.1.59') })
    expect(printed.pricesAsOf).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it.each(['day', 'week', 'month', 'project', 'session', 'model', 'agent', 'branch'])(
    '[X4] --by %s adds up to the same',
    by => {
      const { totals, rows } = json(onRecorded('usage', '--by', by, '--json'))
      expect(totals.messages).toBe(38)
      for (const name of ['messages', 'input', 'output', 'cacheRead', 'cacheWrite5m', 'costUSD']) {
        const sum = rows.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0), 0)
        expect(sum).toBeCloseTo(totals[name], 9)
      }
    },
  )

  it('[X4] --branch prints the cost of abandoned branches, and their share', () => {
    const { totals, whole, rows } = json(onRecorded('usage', '--branch', 'abandoned', '--json'))
    expect(rows.map(({ key, messages }: Line) => [key, messages])).toEqual([
      ['7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815@3946ca64-ff7', 2],
      ['a2a9607f-5536-4fe0-bc51-987050a2a441@7e083490-9b5', 2],
    ])
    expect([totals.messages, whole.messages]).toEqual([4, 38])
    const text = onRecorded('usage', '--branch', 'abandoned').stdout
    expect(text).toContain('a2a9607f@7e083490-9b5')
    expect(text).toContain('Abandoned branches, with their subagents, cost $0.0073 of $0.0655 (11 %)')
  })

  it('--markdown is a table for reports', () => {
    const { stdout } = onRecorded('usage', '--by', 'branch', '--markdown')
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      '| branches | API messages | input | output | cache read | write 5m | cost | models |',
      '|---|---:|---:|---:|---:|---:|---:|---|',
      '| live | 34 | 417 | 991 | 92,327 | 3,639 | $0.0581 | opus-5-5 |',
      '| abandoned | 4 | 47 | 139 | 10,714 | 443 | $0.0073 | opus-5-5 |',
      '| **total** | **38** | **464** | **1,130** | **103,041** | **4,082** | **$0.0655** |  |',
    ])
  })

  it('has help with examples', () => {
    const { stdout, code } = dagline(['usage', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('Examples:\n  $ dagline usage')
  })
})

describe('usage without an index', () => {
  const KEYS = ['day', 'project', 'model'] as const

  it('[X10] makes no index, and says what the index says', async () => {
    await withHome([], home => {
      const index = join(home.config, 'index.db')
      const ask = (...words: string[]): Ran => onRecorded('usage', '--json', '--index', index, ...words)
      const before = KEYS.map(by => ask('--by', by))
      expect(existsSync(index)).toBe(false)
      const times = ['--since', '2026-01-01T00:07', '--project', 'lab'] as const
      const some = ask(...times)
      expect(json(ask('--by', 'session')).totals).toEqual(json(before[0] ?? some).totals)
      expect(existsSync(index)).toBe(true)
      expect(KEYS.map(by => ask('--by', by))).toEqual(before)
      expect(ask(...times)).toEqual(some)
    })
  })

  it('[X10] reads again what an index lags far behind, and leaves the index to others', async () => {
    await withHome([], home => {
      const [file, index] = [join(home.projects, '-p', 's1.jsonl'), join(home.config, 'index.db')]
      const ask = (...words: string[]): number =>
        json(dagline(['usage', '--json', '--index', index, ...words], { CLAUDE_CONFIG_DIR: home.config }))
          .totals.messages
      const write = (count: number): void => {
        mkdirSync(dirname(file), { recursive: true })
        const rows = Array.from({ length: count }, (_, at) => JSON.stringify(answer({ id: `m${at}` })))
        writeFileSync(file, rows.join('\n'))
      }
      write(2)
      expect(ask('--by', 'session')).toBe(2)
      const { size, mtimeMs } = statSync(index)
      write(9)
      expect(ask()).toBe(9)
      expect(statSync(index)).toMatchObject({ size, mtimeMs })
      expect(ask('--by', 'session')).toBe(9)
    })
  })
})

describe('the reports of ccusage', () => {
  const rows = (...times: readonly string[]): Readonly<Record<string, readonly Line[]>> => ({
    '-p/s1': times.map((at, nth) => answer({ id: `m${nth}`, at })),
  })

  it('[X11] blocks are windows of five hours from a full hour on, with the gaps between them', async () => {
    const times = ['2026-05-01T12:40', '2026-05-01T16:59', '2026-05-01T17:00', '2026-05-02T09:30']
    await onFiles(rows(...times.map(time => `${time}:00.000Z`)), run => {
      const { rows, blocks, totals } = json(run('blocks', '--json'))
      expect(rows.map(({ key, messages, isActive }: Line) => [key, messages, isActive])).toEqual([
        ['2026-05-01T12:00:00.000Z', 2, false],
        ['2026-05-01T17:00:00.000Z', 1, false],
        ['2026-05-02T09:00:00.000Z', 1, false],
      ])
      expect(
        blocks.map(({ id, isGap, entries, totalTokens }: Line) => [id, isGap, entries, totalTokens]),
      ).toEqual([
        ['2026-05-01T12:00:00.000Z', false, 2, 2_000_060],
        ['2026-05-01T17:00:00.000Z', false, 1, 1_000_030],
        ['gap-2026-05-01T22:00:00.000Z', true, 0, undefined],
        ['2026-05-02T09:00:00.000Z', false, 1, 1_000_030],
      ])
      expect(totals).toMatchObject({ messages: 4, inputTokens: 40, outputTokens: 80, totalTokens: 4_000_120 })
      expect(run('blocks').stdout).toContain('2026-05-01 12:00 to 17:00')
    })
  })

  it('[X11] the window of now is active', async () => {
    await onFiles(rows(new Date().toISOString()), run => {
      expect(json(run('blocks', '--json')).rows).toMatchObject([{ isActive: true }])
      expect(run('blocks').stdout).toMatch(/active: .* left/)
    })
  })

  it('[X11] daily, weekly, monthly and session have the lists and names of ccusage', async () => {
    await onFiles(rows('2026-01-01T12:00:00.000Z'), run => {
      const sums = { inputTokens: 10, outputTokens: 20, cacheReadTokens: 1_000_000, totalTokens: 1_000_030 }
      const used = { ...sums, modelsUsed: ['claude-opus-4-6'] }
      expect(json(run('daily', '--json')).daily).toMatchObject([{ date: '2026-01-01', ...used }])
      const { weekly, rows } = json(run('weekly', '--json', '-s', '20251229', '-u', '20260101'))
      expect(weekly).toMatchObject([{ week: '2025-12-29', ...used }])
      expect(rows).toMatchObject([{ key: '2026-W01' }])
      expect(json(run('monthly', '--json')).monthly).toMatchObject([{ month: '2026-01', ...used }])
      expect(json(run('session', '--json')).sessions).toMatchObject([{ sessionId: 's1', projectPath: '-p' }])
      expect(run('daily', '--by', 'model').stderr).toContain('daily and --by model are two reports')
    })
  })
})

describe('usage of several files', () => {
  it('[T3] counts a message once, over files and projects', async () => {
    const files = {
      '-p/s1': [answer({ id: 'm1' }), answer({ id: 'm1' })],
      '-p/s2': [answer({ id: 'm1', session: 's2' }), answer({ id: 'm2', session: 's2' })],
      '-q/s3': [answer({ id: 'm2', session: 's3', at: '2026-05-02T12:00:00.000Z' })],
    }
    const { totals, rows } = await onFiles(files, run => json(run('--by', 'session', '--json')))
    expect(totals).toMatchObject({ messages: 2, input: 20, output: 40 })
    expect(rows.map(({ key, messages }: Line) => `${key} ${messages}`)).toEqual(['s1 1', 's2 1'])
  })

  it('[X5] lists models without a price with their tokens, and omits them from the cost', async () => {
    const files = { '-p/s1': [answer({ id: 'm1' }), answer({ id: 'm2', model: 'glm-\u001b[31m4.7' })] }
    const [text, facts] = await onFiles(files, run => [run().stdout, json(run('--json'))])
    expect(facts.unknownModels).toEqual(['glm-\u001b[31m4.7'])
    expect(facts.totals).toMatchObject({ messages: 2, costUSD: 0.50055 })
    expect(text).toContain('No price is known for glm-4.7 (1 API message, 1,000,010 tokens in, 20 out)')
    expect(text).toContain('$0.5006*')
    expect(text).not.toContain('\u001b')
  })

  it('[X6] reports how many messages have too little output', async () => {
    const start = answer({ id: 'm1', usage: { output_tokens: 1 } })
    const message = Object(start['message'])
    const cut = { ...message, stop_reason: null, content: [{ type: 'text', text: 'x'.repeat(4000) }] }
    const files = { '-p/s1': [{ ...start, message: cut }, answer({ id: 'm2' })] }
    const [text, facts] = await onFiles(files, run => [run().stdout, json(run('--json'))])
    expect(facts.undercounted).toMatchObject({ messages: 1, output: 1, missingOutput: 999 })
    expect(text).toContain('Output is too low for 1 API message of 2 (50 %)')
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Counted: 1 output token; the texts have at least 1,000 more.',
    )
  })

  it('filters by day, month, project and session', async () => {
    const files = {
      '-home-one/s1': [answer({ id: 'm1', at: '2026-04-30T23:30:00.000Z' }), answer({ id: 'm2' })],
      '-home-two/s2': [answer({ id: 'm3', session: 's2', at: '2026-06-01T00:30:00.000Z' })],
    }
    const counts = await onFiles(files, run => {
      const messages = (...words: string[]): number => json(run('--json', ...words)).totals.messages
      return [
        messages('--since', '2026-05'),
        messages('--until', '2026-05'),
        messages('--since', '2026-05-01', '--until', '2026-05-01'),
        messages('--project', 'TWO'),
        messages('--session', 's1'),
        messages('--session', 'latest'),
        messages('--since', '2030'),
      ]
    })
    expect(counts).toEqual([2, 2, 1, 1, 2, 1, 0])
  })

  it('rejects what it cannot find, in one sentence', async () => {
    const files = { '-p/s1': [answer({ id: 'm1' })], '-p/s2': [answer({ id: 'm2', session: 's2' })] }
    const said = await onFiles(files, run =>
      [
        ['--since', '1 May'],
        ['--until', '2026-02-31x'],
        ['--session', 's'],
        ['--session', 'zz'],
        ['--project', 'zz'],
        ['--by', 'color'],
      ].map(words => {
        const { stderr, code } = run(...words)
        return `${code} ${stderr.trim().split(':')[1]?.trim()}`
      }),
    )
    expect(said).toEqual([
      expect.stringMatching(/^1 1 May is not a valid date\./),
      expect.stringMatching(/^1 2026-02-31x is not a valid date\./),
      '1 2 sessions begin with s',
      expect.stringMatching(/^1 No session begins with zz\./),
      expect.stringMatching(/^1 No project matches zz\./),
      expect.stringMatching(/^1 option '--by <what>' argument 'color' is invalid/),
    ])
  })

  it('says so when there is nothing', async () => {
    const ran = await onFiles({}, run => run())
    expect([ran.stdout, ran.code]).toEqual(['', 0])
    expect(ran.stderr).toContain('No transcripts in')
    const kept = await onFiles({ '-p/s1': [answer({ id: 'm1' })] }, run => run('--branch', 'abandoned'))
    expect([kept.stdout, kept.stderr]).toEqual(['', expect.stringContaining('No abandoned branch has usage')])
    const empty = await onFiles({}, run => json(run('--json')))
    expect(empty).toMatchObject({ totals: { messages: 0, costUSD: 0 }, rows: [] })
  })
})
