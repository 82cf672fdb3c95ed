/** What the loader model makes of rows as they stand in the file: every case here was resumed with 2.1.325. */

import { expect, it } from 'vitest'
import { readSession } from '../../../lab/harness/graph.ts'
import { examine, hasResumeProblem, type SessionHealth } from '../src/faults/index.js'
import { rowOf } from '../src/graph/nodes.js'
import { fileId } from '../src/index.js'
import { loadedBy } from '../src/resume/index.js'

const SESSION = '11111111-2222-4333-8444-555555555555'
const START = Date.UTC(2026, 0, 5)
const ALL = [1, 2, 3, 4, 5, 6]

function uuidOf(n: number): string {
  return `0000000${n}-0000-4000-8000-000000000000`
}

/** A prompt (odd numbers) or an answer that hangs on the number before, a second later. */
function row(n: number, fields: object = {}, message: object = {}): string {
  const isPrompt = n % 2 === 1
  const content = isPrompt
    ? { role: 'user', content: `prompt ${n}` }
    : { id: `msg_${n}`, role: 'assistant', content: [{ type: 'text', text: `answer ${n}` }] }
  return JSON.stringify({
    parentUuid: n === 1 ? null : uuidOf(n - 1),
    sessionId: SESSION,
    type: isPrompt ? 'user' : 'assistant',
    message: { ...content, ...message },
    uuid: uuidOf(n),
    timestamp: new Date(START + n * 1000).toISOString(),
    ...fields,
  })
}

/** All rows, some of them changed. */
function rows(changes: Readonly<Record<number, string>> = {}): readonly string[] {
  return ALL.map(n => changes[n] ?? row(n))
}

interface Read {
  /** The numbers in what is loaded, by the texts that say them. */
  readonly loaded: string
  readonly health: SessionHealth
}

function read(lines: readonly string[], version?: string): Read {
  const { graph, path, survey } = readSession(SESSION, `${lines.join('\n')}\n`)
  const [health] = examine(graph, { surveys: new Map([[path, survey]]) })
  if (health === undefined) throw new Error('The session was not examined.')
  const { nodes } = loadedBy(graph, fileId(path), { survey, ...(version === undefined ? {} : { version }) })
  const saying = nodes.map(node => /(?:prompt|answer) (\d)/.exec(lines[rowOf(graph, node) - 1] ?? '')?.[1])
  return { loaded: saying.map(number => number ?? '-').join(' '), health }
}

const torn = row(3).slice(0, 40)

it.each([
  ['a torn row is not there', rows({ 3: torn }), '1 2 4 5 6'],
  ['nor is what is joined to it', [row(1), row(2), torn + row(4), row(5), row(6)], '1 2 5 6'],
  ['of joined rows the first is read', [row(1), row(2), row(3) + row(4), row(5), row(6)], '1 2 3 5 6'],
  ['whatever stands behind it', rows({ 3: `${row(3)}xyz` }), '1 2 3 4 5 6'],
  ['but nothing may stand before it', rows({ 3: `xyz${row(3)}` }), '1 2 4 5 6'],
  ['NUL bytes inside make it unreadable', rows({ 3: row(3).replace(',', ',\0\0') }), '1 2 4 5 6'],
  ['in texts, too', rows({ 3: row(3).replace('prompt', '\0prompt') }), '1 2 4 5 6'],
  ['and before it', rows({ 3: `\0\0${row(3)}` }), '1 2 4 5 6'],
  ['NUL bytes behind it do no harm', rows({ 3: `${row(3)}\0\0` }), '1 2 3 4 5 6'],
])('[D14] %s', (_, lines, loaded) => {
  expect(read(lines).loaded).toBe(loaded)
})

it.each([
  [
    'a time that is missing in the middle does no harm',
    rows({ 3: row(3, { timestamp: undefined }) }),
    '1 2 3 4 5 6',
  ],
  ['without one on the last message nothing is found', rows({ 6: row(6, { timestamp: undefined }) }), ''],
  ['nor with one that is not a time', rows({ 6: row(6, { timestamp: 'soon' }) }), ''],
])('[D14] %s', (_, lines, loaded) => {
  expect(read(lines).loaded).toBe(loaded)
})

it.each([
  [
    'two entries with one uuid: the later counts, in a cycle here',
    rows({ 4: row(4, { uuid: uuidOf(2) }) }),
    '1 3 4 5 6',
  ],
  [
    'what hangs on the uuid hangs on the later one',
    rows({ 5: row(5, { uuid: uuidOf(3) }), 6: row(6, { parentUuid: uuidOf(3) }) }),
    '1 2 4 5 6',
  ],
  ['also at the end', rows({ 6: row(6, { uuid: uuidOf(4) }) }), '1 2 3 5 6'],
])('[D14] %s', (_, lines, loaded) => {
  expect(read(lines).loaded).toBe(loaded)
})

const call = (id: string): object => ({ content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] })
const answer = (id: string): object => ({
  content: [{ type: 'tool_result', tool_use_id: id, content: 'prompt 9' }],
})

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }

/** A call and a result with this content. */
function refusedResult(content: readonly object[]): readonly string[] {
  const result = { content: [{ type: 'tool_result', tool_use_id: 't1', content }] }
  return rows({ 2: row(2, {}, call('t1')), 3: row(3, {}, result) })
}

it('[D22] without message ids neither results nor parts beside the chain are put back', () => {
  const noId = { id: undefined }
  const lines = [
    row(1),
    row(2, {}, { ...call('t1'), ...noId }),
    row(4, { parentUuid: uuidOf(2) }, { ...call('t2'), ...noId }),
    row(3, { parentUuid: uuidOf(2) }, answer('t1')),
    row(5, {}, answer('t2')),
    row(6, {}, noId),
  ]
  expect(read(lines).loaded).toBe('1 - 9 6')
  expect(read([...lines.slice(0, 4), row(6, { parentUuid: uuidOf(3) }, noId)]).loaded).toBe('1 - 9 6')
})

/** An answer without a message id. */
function bare(n: number, message: object = {}, parent = n - 1): string {
  return row(n, { requestId: `req_${n}`, parentUuid: uuidOf(parent) }, { ...message, id: undefined })
}

const JOINED = [row(1), bare(2, call('t1')), row(3, {}, answer('t1')), bare(4), row(5), bare(6)]
const APART = [row(1), bare(2), row(3), bare(4), row(5), bare(6)]
/** Behind the last prompt, the first of two calls has no result. */
const OPEN = [
  ...JOINED.slice(0, 3),
  row(5, { parentUuid: uuidOf(3) }),
  bare(6, call('t2')),
  bare(8, call('t3'), 6),
  row(7, { parentUuid: uuidOf(8) }, answer('t3')),
  bare(4, {}, 7),
]
/** An answer with an id stands between two without. */
const MIXED = [
  row(1),
  bare(2, call('t1')),
  row(3, {}, answer('t1')),
  row(4, {}, call('t2')),
  row(5, {}, answer('t2')),
  bare(6, call('t3')),
  row(7, {}, answer('t3')),
]

it.each([
  ['are joined over a result and prompts behind it', JOINED, '1 - 4 6 9 5'],
  ['are not joined over a prompt', APART, '1 2 3 4 5 6'],
  ['keep an open call of the last message', [row(1), bare(2, call('t1')), bare(4, {}, 2)], '1 - 4'],
  ['keep an open call since the last prompt', OPEN, '1 - - - 4 9 5 9'],
  ['lose a result that no longer follows its call', MIXED, '1 - - 9 - 9'],
  ['lose an open call before a prompt', [row(1), bare(2, call('t1')), row(3), bare(4)], '1 3 4'],
])('[D22] answers without message ids %s', (_, lines, loaded) => {
  expect(read(lines).loaded).toBe(loaded)
})

it('[D8] answers without message ids are a fault where a resume does not send them where they stand', () => {
  expect(read(JOINED).health.faults).toMatchObject([
    { id: 'no-message-id', severity: 'warning', effect: 'none', count: 3, fix: 'dagline repair 11111111' },
  ])
  expect(read(APART).health.faults).toEqual([])
})

it('[D19] an open call of the last message is answered wherever its text stands', () => {
  const part = (n: number, message: object = {}): string =>
    row(n, { parentUuid: uuidOf(n === 4 ? 1 : 4) }, { id: 'msg_4', ...message })
  expect(read([row(1), part(4, call('t1')), part(6)]).loaded).toBe('1 - 6')
})

it('[D2] an entry whose uuid is on two rows counts as the first of them says', () => {
  const blank = row(2, {}, { content: [{ type: 'text', text: '' }] })
  const { health } = read([row(1), blank, row(3), row(4), row(2)])
  expect(health.coverage).toMatchObject({ now: 3, possible: 3, more: 1 })
})

it.each([
  ['an empty prompt', rows({ 3: row(3, {}, { content: '' }) })],
  ['a blank prompt', rows({ 3: row(3, {}, { content: ' ' }) })],
  ['a result with an empty text', refusedResult([{ type: 'text', text: '' }])],
  ['a result with an image without data', refusedResult([IMAGE])],
  [
    'an image without data',
    rows({ 3: row(3, {}, { content: [{ type: 'text', text: 'prompt 3' }, IMAGE] }) }),
  ],
])('[D8] the API refuses %s: the session is ill', (_, lines) => {
  const { health } = read(lines)
  expect(health.faults.filter(({ effect }) => effect !== 'none')).toMatchObject([
    { id: 'empty-content', severity: 'error', effect: 'refused', fix: 'dagline repair 11111111' },
  ])
  expect(hasResumeProblem(health)).toBe(true)
})

it.each([
  ['a prompt without blocks', rows({ 3: row(3, {}, { content: [] }) })],
  ['a prompt with an empty block', rows({ 3: row(3, {}, { content: [{ type: 'text', text: '' }] }) })],
  ['an empty answer', rows({ 4: row(4, {}, { content: '' }) })],
  ['an open call at the end', rows({ 6: row(6, {}, call('t1')) })],
])('[D20] %s costs nothing: the session is healthy', (_, lines) => {
  const { health } = read(lines)
  expect(health.faults.every(({ effect, severity }) => effect === 'none' && severity !== 'error')).toBe(true)
  expect(hasResumeProblem(health)).toBe(false)
})

it('[D7] open calls at the end are left to the CLI, which answers them', () => {
  const { health } = read(rows({ 6: row(6, {}, call('t1')) }))
  expect(health.faults).toMatchObject([{ id: 'unanswered-call', severity: 'info', fix: null }])
})

it('[D2] says what a resume loads beside the conversation', () => {
  const { health } = read(rows({ 2: row(2, { uuid: uuidOf(4) }), 3: row(3, { parentUuid: uuidOf(4) }) }))
  expect(health.coverage.more).toBeGreaterThan(0)
  expect(health.faults.map(({ id }) => id)).toContain('more-loaded')
})

it('[D2] a resume that finds nothing reaches nothing, and a command is named', () => {
  const { health } = read(rows({ 6: row(6, { timestamp: undefined }) }))
  expect(health.coverage).toMatchObject({ now: 0, possible: 6 })
  expect(health.faults).toMatchObject([{ id: 'no-time', effect: 'loss', fix: 'dagline repair 11111111' }])
})

it('[D19] a blank prompt at the beginning is left out by 2.1.197, which puts words of its own before it', () => {
  const lines = rows({ 1: row(1, {}, { content: '' }) })
  expect(read(lines, '2.1.197').loaded).toBe('2 3 4 5 6')
  expect(read(lines).loaded).toBe('- 2 3 4 5 6')
})

it.each([
  [
    'beside another entry of the user',
    rows({
      3: row(3, {}, { content: '' }),
      4: row(5, { uuid: uuidOf(4), parentUuid: uuidOf(3) }),
      5: row(6, { uuid: uuidOf(5), parentUuid: uuidOf(4) }),
    }),
  ],
  [
    'beside a file that was attached',
    [
      ...rows({ 3: row(3, {}, { content: '' }), 4: row(4, { parentUuid: uuidOf(7) }) }),
      row(7, { type: 'attachment', attachment: { type: 'file' }, parentUuid: uuidOf(3), message: undefined }),
    ].toSorted(byParent),
  ],
])('[D19] a blank prompt is left out %s', (_, lines) => {
  const { health } = read(lines)
  expect(health.faults.filter(({ effect }) => effect === 'refused')).toEqual([])
})

/** The attachment stands before the answer that hangs on it. */
function byParent(a: string, b: string): number {
  return timeIn(a) - timeIn(b)
}

function timeIn(line: string): number {
  const json: { uuid: string } = JSON.parse(line)
  return json.uuid === uuidOf(7) ? 3.5 : Number(json.uuid.charAt(7))
}
