/** Y8: sessions as spans of OpenTelemetry. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expandShape, STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { World } from '../../store/test/world.js'
import { type ExportOptions, type FaceHistory, openFaceHistory } from '../src/index.js'
import { countBy } from './lake.js'
import { ownFolder } from './own-folders.js'

const folder = ownFolder()

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code: number }
}

const OPTIONS: ExportOptions = {
  ...{ format: 'otel', out: null, project: null, tree: false, branch: 'all', depth: 9, tools: true },
  ...{ redact: null, names: [], allowSecrets: true, force: false },
}

let places = 0

function newWorld(): World {
  return new World(join(folder, String(++places), 'projects'))
}

function openWorld({ root }: World): FaceHistory {
  return openFaceHistory({ roots: [root], index: join(root, '..', 'index.db') })
}

/** The texts of all files that an export of a project writes. */
async function exportProject(
  history: FaceHistory,
  project: string,
  options: Partial<ExportOptions> = {},
): Promise<string> {
  const out = join(folder, `spans-${++places}`)
  const exporter = { approve: async () => {}, print: async () => {} }
  await history.export(null, { ...OPTIONS, ...options, project, out }, exporter)
  const files = readdirSync(out).filter(name => name.endsWith('.otel.jsonl'))
  const text = files.map(name => readFileSync(join(out, name), 'utf8')).join('')
  rmSync(out, { recursive: true })
  return text
}

function spansIn(text: string): readonly Span[] {
  const lines = text.split('\n').filter(line => line !== '')
  return lines.flatMap(line => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans)
}

function attributeOf({ attributes }: Span, key: string): unknown {
  return Object.values(attributes.find(attribute => attribute.key === key)?.value ?? {})[0]
}

function writeShape({ root }: World, shape: string): void {
  const project = new World(join(root, '-proj'))
  for (const { path, text } of expandShape(shape).files) {
    mkdirSync(dirname(join(project.root, path)), { recursive: true })
    writeFileSync(join(project.root, path), text)
  }
}

const nameOf = (span: Span): string => `${span.traceId} ${span.spanId}`

describe('spans', () => {
  it('[Y8] are a session, its turns, messages, calls and subagents', async () => {
    const world = newWorld()
    writeShape(world, 's1: u1"look" a1[t1:Task]\ns1/x: u2 a2[t2:Bash] r2[t2] a3\ns1: a1 > r1[t1] a4')
    const spans = spansIn(await exportProject(openWorld(world), 'proj'))
    const parents = new Map(spans.map(span => [span.spanId, span]))
    const path = (span: Span): string => {
      const above = parents.get(span.parentSpanId ?? '')
      const [kind] = span.name.split(' ')
      return above === undefined ? `${kind}` : `${path(above)} > ${kind}`
    }
    expect(
      countBy(
        spans.map(span => ({ path: path(span) })),
        row => row['path'],
      ),
    ).toEqual({
      invoke_agent: 1,
      'invoke_agent > turn': 1,
      'invoke_agent > turn > chat': 2,
      'invoke_agent > turn > execute_tool': 1,
      'invoke_agent > turn > execute_tool > invoke_agent': 1,
      'invoke_agent > turn > execute_tool > invoke_agent > turn': 1,
      'invoke_agent > turn > execute_tool > invoke_agent > turn > chat': 2,
      'invoke_agent > turn > execute_tool > invoke_agent > turn > execute_tool': 1,
    })
    const turn = spans.find(({ name }) => name === 'turn')
    expect(turn && attributeOf(turn, 'gen_ai.input.messages')).toContain('look')
  })

  it('[Y8] of messages say why they ended, by the words of the conventions', async () => {
    const world = newWorld()
    const ends: readonly (readonly [Readonly<Record<string, unknown>>, object])[] = [
      [{ stop_reason: 'end_turn' }, { type: 'text', text: 'Done.' }],
      [{ stop_reason: 'max_tokens' }, { type: 'text', text: 'Cut' }],
      [{ stop_reason: 'tool_use' }, { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }],
      [{ stop_reason: null }, { type: 'tool_use', id: 'toolu_2', name: 'Read', input: {} }],
      [
        { stop_reason: null, isApiErrorMessage: true },
        { type: 'text', text: 'API Error: 529' },
      ],
    ]
    const id = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
    const rows = ends.map(([{ isApiErrorMessage, ...stop }, block], nth) => ({
      ...{ type: 'assistant', uuid: id(nth + 1), parentUuid: id(nth), sessionId: id(0), isApiErrorMessage },
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, nth + 1)).toISOString(),
      message: { id: `msg_${nth}`, role: 'assistant', model: 'claude-opus-4-6', ...stop, content: [block] },
    }))
    const prompt = { type: 'user', uuid: id(0), parentUuid: null, sessionId: id(0) }
    const first = { ...prompt, timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: 'Go.' } }
    const path = join(world.root, 'proj', `${id(0)}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, [first, ...rows].map(row => `${JSON.stringify(row)}\n`).join(''))
    const chats = spansIn(await exportProject(openWorld(world), 'proj')).filter(({ name }) =>
      /^chat/.test(name),
    )
    const messages = chats.flatMap(span => JSON.parse(String(attributeOf(span, 'gen_ai.output.messages'))))
    expect(messages.map(message => [message.role, message.finish_reason])).toEqual([
      ...['stop', 'length', 'tool_call', 'tool_call', 'error'].map(reason => ['assistant', reason]),
    ])
    const recorded = chats.map(({ attributes }) =>
      attributes.find(({ key }) => key === 'gen_ai.response.finish_reasons'),
    )
    expect(recorded[0]?.value).toEqual({ arrayValue: { values: [{ stringValue: 'end_turn' }] } })
    expect(recorded[3]).toBeUndefined()
    expect(chats.map(({ status }) => status?.code)).toEqual([...Array(4).fill(undefined), 2])
  })

  it('[Y8] of a fork are its own, with a link to where it comes from; rewinds have links, too', async () => {
    const world = newWorld()
    writeShape(world, 's1: u1 a1 u2 a2\ns1: a1 > u4@+30m a4\ns2: u1 a1 u2 a2 u3 a3')
    const spans = spansIn(await exportProject(openWorld(world), 'proj'))
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2)
    expect(spans.filter(({ name }) => name.startsWith('chat'))).toHaveLength(4)
    const known = new Set(spans.map(nameOf))
    const links = spans.flatMap(({ links: own = [] }) => own)
    expect(links.length).toBeGreaterThan(1)
    for (const { traceId, spanId } of links) expect(known).toContain(`${traceId} ${spanId}`)
  })

  it('[Y8] are whole and the same again for random conversations, and add up to usage', {
    timeout: 600_000,
  }, async () => {
    const aStory = fc.record({
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      style: fc.constantFrom(...STYLE_NAMES),
    })
    const tell = async ({
      seed,
      style,
    }: {
      readonly seed: number
      readonly style: (typeof STYLE_NAMES)[number]
    }) => {
      const world = newWorld()
      world.add(seed, { style, actions: 6 }, 1)
      const history = openWorld(world)
      const [project = ''] = readdirSync(world.root)
      const text = await exportProject(history, project)
      expect(await exportProject(history, project)).toBe(text)
      const spans = spansIn(text)
      const known = new Set(spans.map(nameOf))
      expect(known.size).toBe(spans.length)
      for (const { traceId, parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
        if (parentSpanId !== undefined) expect(known).toContain(`${traceId} ${parentSpanId}`)
        expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true)
      }
      const own = new Set((await history.sessionLists()).flat().map(({ session }) => session))
      const usage = (await history.usage()).filter(row => row.project === project && own.has(row.session))
      const output = spans.reduce(
        (sum, span) => sum + Number(attributeOf(span, 'gen_ai.usage.output_tokens') ?? 0),
        0,
      )
      expect(output).toBe(usage.reduce((sum, row) => sum + row.output, 0))
    }
    await fc.assert(fc.asyncProperty(aStory, tell), { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 6) })
  })

  it('[Y8] [R1] replace secrets, and keep their ids', async () => {
    const world = newWorld()
    const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
    const content = { message: { role: 'user', content: `use ${key}` } }
    writeShape(world, `s1: u1+${JSON.stringify(content)} a1[t1:Bash] r1[t1] a2`)
    const history = openWorld(world)
    const plain = spansIn(await exportProject(history, 'proj'))
    const redacted = await exportProject(history, 'proj', { redact: ['secrets'] })
    expect(redacted).not.toContain(key)
    expect(redacted).toContain('[redacted:')
    expect(spansIn(redacted).map(nameOf)).toEqual(plain.map(nameOf))
  })
})
