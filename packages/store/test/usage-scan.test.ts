/** The pass over the rows that carry usage, against the parser that reads every row. */
import { join } from 'node:path'
import { readMessageUsage } from '@dagline/core/content'
import { GIANT_ROW } from '@dagline/core/files'
import type { MessageUsage } from '@dagline/core/measure'
import { withCarried } from '@dagline/core/parse'
import { generate, STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { discover } from '../src/files/discover.js'
import { parseTranscript } from '../src/files/parse.js'
import { createUsageScanner } from '../src/files/usage-scan.js'
import { temporaryFolder, writeFiles } from './temporary.js'

const runs = { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 150), seed: 20_261_117 }

/** What the parser finds, as the index counts it. */
function parsed(root: string, path: string): readonly MessageUsage[] {
  const parts: MessageUsage[] = []
  const see = withCarried((json, record) => {
    const usage = record.kind === 'assistant' ? readMessageUsage(json) : null
    if (usage !== null) parts.push(usage)
  })
  parseTranscript(root, path, () => {}, { see }).finish()
  return parts
}

const FILE = 's.jsonl'

function expectSame(content: string | Uint8Array, blocks: readonly number[] = [64, 4096]): number {
  const folder = temporaryFolder()
  writeFiles(folder, { [FILE]: content })
  const wanted = parsed(folder, FILE)
  for (const block of blocks) expect(createUsageScanner(block)(folder, FILE).parts).toEqual(wanted)
  return wanted.length
}

const answer = (id: string, more: object = {}): string =>
  JSON.stringify({
    type: 'assistant',
    uuid: `u-${id}`,
    parentUuid: null,
    timestamp: '2026-05-01T12:00:00.000Z',
    message: {
      id,
      model: 'claude-opus-5-5',
      content: [{ type: 'text', text: 'hi' }],
      usage: { output_tokens: 3 },
    },
    ...more,
  })
const progress = (agent: string | null, id: string): string =>
  JSON.stringify({
    ...{ type: 'progress', uuid: `p-${id}`, parentUuid: null, parentToolUseID: 't1' },
    timestamp: '2026-05-01T12:00:01.000Z',
    data: { type: 'agent_progress', agentId: agent, message: JSON.parse(answer(id)) },
  })
const pretty = (row: string): string => JSON.stringify(JSON.parse(row), null, 2)
const prompt = '{"type":"user","uuid":"u1","parentUuid":null,"message":{"content":"say \\"assistant\\""}}'

describe('usage without an index', () => {
  it.each([
    ['nothing', '', 0],
    ['whole rows', `${answer('a')}\n${prompt}\n${answer('b')}\n`, 2],
    ['no newline at the end', `${prompt}\n${answer('a')}`, 1],
    ['a torn last row', `${answer('a')}\n${answer('b').slice(0, -9)}`, 1],
    ['CRLF and blank rows', `${answer('a')}\r\n\r\n\n \n${answer('b')}\r\n`, 2],
    ['several records on one row', `${answer('a')}${answer('b')}\n${prompt}${answer('c')}\n`, 3],
    ['a record over several rows', `${pretty(answer('a'))}\n${answer('b')}\n${pretty(answer('c'))}`, 3],
    ['a record broken before a comma', `${answer('a').replace(',"uuid"', '\n,"uuid"')}\n${answer('b')}\n`, 2],
    ['an answer as the value of another record', `{"type":"x","a":\n${answer('a')}\n}\n${answer('b')}\n`, 1],
    ['an answer behind a torn record', `{"type":"x","a":\n${answer('a')}\n${answer('b')}\n`, 2],
    ['a record torn behind a brace', `{"a":{"b":1}\n${answer('a')}\n`, 1],
    ['a text torn behind a brace', `{"a":"b}\n${answer('a')}\n`, 1],
    ['an answer torn in its middle', `${answer('a').slice(0, 90)}}\n${answer('b')}\n`, 1],
    ['NUL bytes within the type', `${answer('a').replace('assistant', 'assis\0tant')}\n${answer('b')}\n`, 2],
    ['NUL bytes before a row', `\0\0${answer('a')}\n`, 1],
    ['a byte order mark', `\ufeff${answer('a')}\n`, 1],
    ['spaces in the JSON', `${answer('a').replaceAll('":', '" : ')}\n`, 1],
    ['no uuid, no id, the client itself', `${answer('a', { uuid: null })}\n${answer('')}\n`, 0],
    [
      'messages in progress rows',
      `${progress('a1', 'a')}\n${progress(null, 'b')}\n${pretty(progress('a1', 'c'))}\n`,
      2,
    ],
    ['rows that are not objects', `["assistant"]\n"assistant"\n7\n${answer('a')}\n`, 1],
  ])('[X10] finds what the parser finds: %s', (_, text, count) => {
    expect(expectSame(text)).toBe(count)
  })

  it('[X10] finds what the parser finds: bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0x0a]),
      Buffer.from(answer('a')),
      Buffer.from([0x0a, 0xc3]),
    ])
    expect(expectSame(bytes)).toBe(1)
    expect(expectSame(bytes.fill(0xfe, 20, 22))).toBe(0)
  })

  it('[X10] leaves rows that are reduced to the parser', () => {
    const long = answer('a', { extra: 'x'.repeat(GIANT_ROW) })
    expect(expectSame(`${answer('b')}\n${long}\n`, [2 ** 20])).toBe(2)
    expect(expectSame(`${answer('b')}\n${long}`, [2 ** 20])).toBe(2)
  })

  it('[P11] says which file could not be read', () => {
    const { parts, diagnostics } = createUsageScanner()(temporaryFolder(), 'gone.jsonl')
    expect(parts).toEqual([])
    expect(diagnostics.map(({ rule }) => rule)).toEqual(['store/vanished'])
  })

  it('[X10] finds what the parser finds in recordings and samples', () => {
    const fixtures = join(import.meta.dirname, '../../../fixtures')
    const scan = createUsageScanner(4096)
    let parts = 0
    for (const { root, projects } of discover([join(fixtures, 'recordings'), join(fixtures, 'samples')]))
      for (const { path } of projects.flatMap(({ files }) => files)) {
        const wanted = parsed(root, path)
        expect(scan(root, path).parts).toEqual(wanted)
        parts += wanted.length
      }
    expect(parts).toBeGreaterThan(100)
  })

  it('[X10] finds what the parser finds in conversations with random damage', () => {
    const aDamage = fc.record({
      at: fc.nat(),
      cut: fc.nat(300),
      put: fc.constantFrom('', '\n', '}', '{', '"', '\0', '}\n{'),
    })
    const aFile = fc.record({
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      style: fc.constantFrom(...STYLE_NAMES),
      damage: fc.array(aDamage, { maxLength: 5 }),
    })
    const folder = temporaryFolder()
    fc.assert(
      fc.property(aFile, ({ seed, style, damage }) => {
        const { files } = generate(seed, { style, actions: 3 })
        const text = damage.reduce(
          (text, { at, cut, put }) =>
            text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + cut),
          files[0]?.text ?? '',
        )
        writeFiles(folder, { [FILE]: text })
        expect(createUsageScanner(512)(folder, FILE).parts).toEqual(parsed(folder, FILE))
      }),
      runs,
    )
  })
})
