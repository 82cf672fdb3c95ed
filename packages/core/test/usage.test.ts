/**
 * Usage of real files, against counts that know nothing of graphs: on the recordings of the real CLI, with its copies
 * and replays, and on the public corpus where it is.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { carryInProgress, expandShape, listRecordings, type TextFile } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { readMessageUsage } from '../src/content/index.js'
import { parseRow, startGraph } from '../src/index.js'
import {
  assignUsage,
  costOf,
  type MessageUsage,
  tallyUsage,
  type UsagePart,
  type UsageRow,
  type UsageTally,
} from '../src/measure/index.js'
import { withCarried } from '../src/parse/index.js'
import { findCorpus } from './corpus.js'
import { factsOf } from './support.js'

const utc = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The messages of some files, as the command finds them. */
function usageOf(files: readonly TextFile[], metas: readonly TextFile[] = []): readonly UsageRow[] {
  const builder = startGraph()
  const parts: UsagePart[] = []
  for (const file of files) {
    const facts = factsOf(file.path, metas)
    file.text.split('\n').forEach((text, index) => {
      const raw = { row: index + 1, offset: 0, length: text.length, text, whole: true }
      const see = withCarried((json, entry) => {
        const usage = readMessageUsage(json)
        const id = 'id' in entry ? entry.id : null
        if (usage !== null) parts.push({ usage, entry: id, session: entry.session, version: null })
      })
      builder.addRow(facts, parseRow(raw, see))
    })
  }
  return assignUsage(builder.build(), parts, session => session)
}

type Count = readonly [messages: number, input: number, output: number, read: number, written: number]

/** The same by plain JSON: of each message id, on whatever row it stands, the numbers with the largest output. */
function naiveCount(files: readonly TextFile[]): Count {
  const best = new Map<string, readonly number[]>()
  for (const line of files.flatMap(({ text }) => text.split('\n'))) {
    const used = naiveLine(line)
    if (used === null) continue
    const [id, numbers] = used
    const known = best.get(id)
    if (known === undefined || (numbers[1] ?? 0) > (known[1] ?? 0)) best.set(id, numbers)
  }
  const sum = (at: number): number => [...best.values()].reduce((total, all) => total + (all[at] ?? 0), 0)
  return [best.size, sum(0), sum(1), sum(2), sum(3)]
}

type NaiveRecord = Record<string, Record<string, unknown> & { usage?: Record<string, number> }>

function naiveLine(line: string): readonly [id: string, numbers: readonly number[]] | null {
  try {
    const json = JSON.parse(line) ?? {}
    return naiveUsage(json.data?.type === 'agent_progress' ? json.data.message : json)
  } catch {
    return null
  }
}

function naiveUsage({ type, message }: NaiveRecord): readonly [string, readonly number[]] | null {
  if (String(type) !== 'assistant' || typeof message?.id !== 'string') return null
  if (message.model === '<synthetic>') return null
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
    message.usage ?? {}
  const numbers = [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens]
  return [message.id, numbers.map(number => number ?? 0)]
}

function countOf({ totals }: UsageTally): Count {
  const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h } = totals
  return [messages, input, output, cacheRead, cacheWrite5m + cacheWrite1h]
}

function filesIn(dir: string, ending: string): readonly TextFile[] {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()
  return paths
    .filter(path => path.endsWith(ending))
    .map(path => ({ path, text: readFileSync(join(dir, path), 'utf8') }))
}

const bundled = join(import.meta.dirname, '../../../fixtures/recordings')
const recordings = listRecordings(bundled).map(({ name, projectsDir }) => [name, projectsDir] as const)

describe('recordings of the real CLI', () => {
  it.each(recordings)('[T3] %s: every message once', (_, dir) => {
    const files = filesIn(dir, '.jsonl')
    const rows = usageOf(files, filesIn(dir, '.meta.json'))
    expect(countOf(tallyUsage(rows, 'branch', utc))).toEqual(naiveCount(files))
  })

  it.each(recordings.filter(([name]) => /1\.0\.66\/s11_resume|s12_fork_session|s24e_branch/.test(name)))(
    '[T3] %s: a copy adds nothing to what it copies',
    (_, dir) => {
      const files = filesIn(dir, '.jsonl')
      const entries = files.flatMap(({ text }) => text.split('\n')).filter(line => naiveLine(line) !== null)
      const { totals } = tallyUsage(usageOf(files), 'session', utc)
      const ids = entries.map(line => naiveLine(line)?.[0])
      expect(entries.length).toBeGreaterThan(totals.messages)
      expect(totals.messages).toBe(new Set(ids).size)
    },
  )

  it('[T3] 1.0.66 copies all history on resume: the first session keeps what it paid for', () => {
    const files = filesIn(join(bundled, '1.0.66/s11_resume/projects'), '.jsonl')
    const [first] = usageOf(files)
    const owners = tallyUsage(usageOf(files), 'session', utc).groups
    expect(owners.reduce((sum, { messages }) => sum + messages, 0)).toBe(naiveCount(files)[0])
    const inFirst = files.filter(({ text }) => text.includes(first?.message ?? ''))
    expect(inFirst.length).toBeGreaterThan(1)
    const times = inFirst.map(({ text }) => /"timestamp":"([^"]+)"/.exec(text)?.[1] ?? '')
    const oldest = inFirst[times.indexOf([...times].sort()[0] ?? '')]
    expect(oldest?.path).toContain(first?.session)
  })

  it('[X5] costs are those that the CLI itself has reckoned', () => {
    const stated = recordings.flatMap(([, dir]) => filesIn(dir, '.jsonl').flatMap(statedCosts))
    expect(stated.length).toBeGreaterThan(20)
    for (const { usage, cost } of stated) expect(costOf(usage)).toBeCloseTo(cost, 9)
  })

  it('[X4] tells what an abandoned branch has cost', () => {
    const files = filesIn(join(bundled, '2.1.325/s13_rewind/projects'), '.jsonl')
    const groups = tallyUsage(usageOf(files), 'branch', utc).groups
    expect(groups.map(({ key }) => key).sort()).toEqual(['abandoned', 'live'])
    for (const { cost } of groups) expect(cost).toBeGreaterThan(0)
  })
})

/** `cost-state` rows: the counters of a process by model, with the cost as the CLI reckons it. */
function statedCosts({ text }: TextFile): readonly { readonly usage: MessageUsage; readonly cost: number }[] {
  const rows = text.split('\n').filter(line => line.includes('"type":"cost-state"'))
  return rows.flatMap(line =>
    Object.entries<Record<string, number>>(JSON.parse(line).modelUsage).map(([model, used]) => {
      const hour = used.cacheCreationEphemeral1hInputTokens ?? 0
      const usage: MessageUsage = {
        message: 'm',
        model,
        time: null,
        input: used.inputTokens ?? 0,
        output: used.outputTokens ?? 0,
        cacheRead: 0,
        cacheWrite5m: (used.cacheCreationInputTokens ?? 0) - hour,
        cacheWrite1h: hour,
        webSearches: used.webSearchRequests ?? 0,
        ...{ tier: null, speed: null, geo: null, isFinal: true, written: 0 },
      }
      // One sum of many requests: reads apart, so that they do not look like one long prompt.
      const reads = costOf({
        ...usage,
        input: 0,
        output: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        cacheRead: 1000,
      })
      const read = ((reads ?? 0) / 1000) * (used.cacheReadInputTokens ?? 0)
      return { usage, cost: (used.costUSD ?? 0) - read }
    }),
  )
}

describe('shapes', () => {
  it('[X4] an agent is on the branch that spawned it', () => {
    const { files, metas } = expandShape(`
      s1: u1 a1 u2 a2[t1:Task]
      s1/x: u3 a3
      s1: a2 > r1[t1] a4
      s1: a1 > u4@+30m a5
    `)
    const rows = usageOf(withUsage(files), metas)
    const labels = rows.map(({ agent, status, line }) => `${agent} ${status} ${line.split('@')[0]}`)
    expect(labels.sort()).toEqual([
      'general-purpose abandoned s1',
      'null abandoned s1',
      'null abandoned s1',
      'null live s1',
      'null live s1',
    ])
    expect(new Set(rows.filter(({ status }) => status === 'abandoned').map(({ line }) => line)).size).toBe(1)
  })
})

/** Each answer a message of its own. */
function withUsage(files: readonly TextFile[]): readonly TextFile[] {
  return files.map(({ path, text }) => ({
    path,
    text: text
      .split('\n')
      .map(line => {
        const json = line === '' ? null : JSON.parse(line)
        if (json?.type !== 'assistant') return line
        const message = {
          ...json.message,
          id: `msg-${json.uuid}`,
          model: 'claude-opus-4-6',
          usage: { input_tokens: 1 },
        }
        return JSON.stringify({ ...json, message })
      })
      .join('\n'),
  }))
}

describe('subagents in progress rows', () => {
  const used = (output: number): string =>
    `+{"message":{"model":"claude-opus-4-6","usage":{"input_tokens":${output + 1},"output_tokens":${output},"cache_read_input_tokens":7}}}`
  const shape = `s1: u1 a1[t1:Task>x]${used(10)} / s1/x: u2 a2[t2]${used(20)} r2[t2] a3=a2[t3]${used(25)} r3[t3] a4${used(30)}
s1: a1 > r1[t1>x] a5${used(40)}`

  it.each([
    ['the rows are all there is', false, [3, 78, 75, 21, 0]],
    ['the file is there, too', true, [4, 109, 105, 28, 0]],
  ])('[T3] [A9] %s: every message once, with its largest output', (_, keepsFile, count) => {
    const files = carryInProgress(expandShape(shape).files, { agent: 'x', call: 'toolu_t1', keepsFile })
    const rows = usageOf(files)
    expect(countOf(tallyUsage(rows, 'day', utc))).toEqual(naiveCount(files))
    expect(naiveCount(files)).toEqual(count)
    const byAgent = tallyUsage(rows, 'agent', utc).groups.map(({ key, messages }) => [key, messages])
    expect(byAgent).toContainEqual(['general-purpose', keepsFile ? 2 : 1])
  })
})

const root = findCorpus()
if (root === null) {
  process.stderr.write(
    'not run: usage of the corpus (no DAGLINE_CORPUS, no ../shared/corpus/projects.tar.xz)\n',
  )
}

describe.runIf(root !== null && existsSync(root))('the public corpus', () => {
  it('[T3] counts to the token what a naive count does', { timeout: 120_000 }, () => {
    const all: UsageRow[] = []
    const files: TextFile[] = []
    for (const name of readdirSync(root ?? '').sort()) {
      const project = filesIn(join(root ?? '', name), '.jsonl')
      all.push(...usageOf(project, filesIn(join(root ?? '', name), '.meta.json')))
      files.push(...project)
    }
    const tally = tallyUsage(all, 'day', utc)
    expect(countOf(tally)).toEqual(naiveCount(files))
    expect(tally.totals.messages).toBe(11_422)
    expect(tally.unpriced.map(({ key }) => key)).toEqual(['glm-4.7'])
    expect(tally.undercounted.messages / tally.totals.messages).toBeCloseTo(0.48, 1)
  })
})
