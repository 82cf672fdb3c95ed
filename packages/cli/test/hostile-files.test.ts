/** P1, P9, P10: files made to exhaust a reader. Every reading command ends, and accounts for all that they hold. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf as exportedText } from './export-files.js'
import { ends as endsWithin } from './measured.js'
import { json, type Ran } from './run.js'

const CHILDREN = 50_000
const DEPTH = 100_000
const BLANKS = 1_000_000
const JOINED = 40

const uuid = (session: string, nth: number): string =>
  `${session}0000-0000-4000-8000-${String(nth).padStart(12, '0')}`
const idOf = (session: string): string => uuid(session, 0)
const textOf = (session: string, nth: number): string => `text ${session} ${nth}`

/** The nth entry of a session. Odd ones are prompts, even ones answers. */
function record(session: string, nth: number, more: object = {}): object {
  const text = textOf(session, nth)
  const answer = {
    id: `msg_${session}_${nth}`,
    role: 'assistant',
    model: 'claude-opus-5-5',
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [{ type: 'text', text }],
  }
  return {
    parentUuid: nth === 1 ? null : uuid(session, nth - 1),
    isSidechain: false,
    type: nth % 2 === 1 ? 'user' : 'assistant',
    message: nth % 2 === 1 ? { role: 'user', content: text } : answer,
    uuid: uuid(session, nth),
    sessionId: idOf(session),
    timestamp: new Date(Date.UTC(2026, 0, 1) + nth * 1000).toISOString(),
    version: '2.1.325',
    cwd: '/proj',
    ...more,
  }
}

const row = (session: string, nth: number, more?: object): string =>
  JSON.stringify(record(session, nth, more))
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

function joinedRecords(): string {
  return `${range(JOINED)
    .map(at => row('aaaa', at + 1))
    .join('')}\n`
}

/** A call and a result with 100,000 levels each, between two records of the same row. */
function deepRow(): string {
  const deep = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`
  const content = [{ type: 'tool_use', id: 't', name: 'Read', input: 7 }]
  const call = row('bbbb', 2, { message: { id: 'msg_bbbb_2', role: 'assistant', content }, toolUseResult: 7 })
  return `${row('bbbb', 1)}${call.replaceAll(':7', `:${deep}`)}${row('bbbb', 3)}\n`
}

function children(session: string, more: object): string {
  const all = range(CHILDREN).map(at => row(session, 2 * at + 3, { parentUuid: uuid(session, 1), ...more }))
  return `${row(session, 1)}\n${all.join('\n')}\n`
}

function blankRows(): string {
  return `${row('dddd', 1)}\n${'\n'.repeat(BLANKS)}${row('dddd', 2)}\n`
}

/** A record over several rows, then a row with two records between torn ones, then a row that is damaged. */
function tornRows(): string {
  const first = JSON.stringify(record('eeee', 1), null, 2)
  const torn = `{"type":"user","text":"torn {${row('eeee', 2)}${'{"a":['.repeat(DEPTH)}${row('eeee', 3)}`
  return `${first}\n${torn}\n!\n`
}

interface Hostile {
  readonly text: () => string
  /** What the graph says of the file. Counts that are not named are 0. */
  readonly counts: Readonly<Record<string, number>>
}

/** Each session is alone in its project, so that commands for one session read one file. */
const SESSIONS: ReadonlyMap<string, Hostile> = new Map([
  ['aaaa', { text: joinedRecords, counts: { rows: 1, entries: JOINED, joined: JOINED - 1 } }],
  ['bbbb', { text: deepRow, counts: { rows: 1, entries: 3, joined: 2 } }],
  ['cccc', { text: () => children('cccc', {}), counts: { rows: CHILDREN + 1, entries: CHILDREN + 1 } }],
  ['dddd', { text: blankRows, counts: { rows: BLANKS + 2, entries: 2, blank: BLANKS } }],
  [
    'eeee',
    { text: tornRows, counts: { rows: 16, entries: 3, joined: 1, damaged: 1, continuation: 13, pieces: 2 } },
  ],
  [
    'ffff',
    {
      text: () => children('ffff', { isSidechain: true }),
      counts: { rows: CHILDREN + 1, entries: CHILDREN + 1 },
    },
  ],
])
const NO_COUNTS = { rows: 0, entries: 0, joined: 0, blank: 0, damaged: 0, continuation: 0, pieces: 0 }
const ENTRIES = [...SESSIONS.values()].reduce((sum, { counts }) => sum + (counts['entries'] ?? 0), 0)

let home = ''

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'dagline-'))
  for (const [session, { text }] of SESSIONS) {
    const project = join(home, 'projects', `-${session}`)
    mkdirSync(project, { recursive: true })
    writeFileSync(join(project, `${idOf(session)}.jsonl`), text())
  }
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs a command that must end well within its memory. */
function ends(words: readonly string[]): Ran {
  const folders = { XDG_CACHE_HOME: join(home, 'cache'), XDG_DATA_HOME: join(home, 'data') }
  return endsWithin(words, { CLAUDE_CONFIG_DIR: home, ...folders })
}

interface FileCounts extends Readonly<Record<keyof typeof NO_COUNTS, number>> {
  readonly path: string
}

describe('hostile files, all in one root', { timeout: 20 * 60_000 }, () => {
  it('[P1] [P9] [P10] graph counts every row and every record, and places all entries', async () => {
    const { files, totals } = json(ends(['graph', '--json']))
    for (const [session, { counts }] of SESSIONS) {
      const file = files.find(({ path }: FileCounts) => path.includes(idOf(session)))
      expect(file).toMatchObject({ ...NO_COUNTS, ...counts })
    }
    for (const { rows, joined, entries, blank, damaged, continuation } of [...files, totals])
      expect(rows + joined).toBe(entries + blank + damaged + continuation)
    expect(totals).toMatchObject({ entries: ENTRIES })
    expect(ends(['graph', '--summary']).stdout).toMatch(/100,050 nodes: 100,050 placed, 0 folded/)
  })

  it('[P1] [P9] [P10] sync, search and ls index the text of every record', async () => {
    ends(['sync'])
    expect(ends(['ls']).stdout.match(/^ {2}\S+0000 /gm)).toHaveLength(SESSIONS.size)
    const last = { aaaa: JOINED, bbbb: 3, cccc: 2 * CHILDREN + 1, dddd: 2, eeee: 3, ffff: 2 * CHILDREN + 1 }
    for (const [session, nth] of Object.entries(last))
      for (const text of [textOf(session, 1), textOf(session, nth)])
        expect(ends(['search', `"${text}"`]).stdout).toContain(text)
    const { hits } = json(ends(['search', 'aaaa', '--json', '--limit', '100']))
    expect(hits).toHaveLength(JOINED)
  })

  it.each([['tree'], ['usage'], ['stats'], ['census'], ['doctor'], ['prompts']])(
    '[P9] %s terminates',
    async command => {
      expect(ends([command]).stdout).not.toBe('')
    },
  )
})

describe.each([...SESSIONS.keys()])('the hostile session %s', { timeout: 20 * 60_000 }, session => {
  const [id, first] = [idOf(session), uuid(session, 1)]

  it.each([
    ['log', id],
    ['log', id, '--graph'],
    ['show', first],
    ['show', first, '--json'],
    ['branches', id, '--all'],
    ['timeline', id],
    ['stats', id],
    ['explain', first],
    ['doctor', id],
  ])('[P9] ends: %s %s', async (...words) => {
    ends(words)
  })

  it.each(['html', 'md', 'json', 'jsonl'])('[P9] export terminates and has every text: %s', async format => {
    const out = join(home, `${session}.${format}`)
    ends(['export', id, '--format', format, '--out', out])
    const texts = new Set(exportedText(out).match(/text [a-f]{4} \d+/g))
    const entries = SESSIONS.get(session)?.counts['entries'] ?? 0
    // The deep call is an entry without text.
    expect(texts.size).toBe(session === 'bbbb' ? entries - 1 : entries)
  })
})

it('[P9] tables of 50,000 sidechains have a row for every entry', async () => {
  const out = join(home, 'tables')
  ends(['export', idOf('ffff'), '--format', 'parquet', '--out', out])
  const file = await asyncBufferFromFile(join(out, 'nodes.parquet'))
  const rows = await parquetReadObjects({ file, columns: ['node'] })
  expect(new Set(rows.map(({ node }) => node)).size).toBe(CHILDREN + 1)
}, 600_000)

it('[P9] context, waste and tables of a deep row have its calls', async () => {
  for (const command of ['context', 'waste']) ends([command, idOf('bbbb')])
  const out = join(home, 'deep')
  ends(['export', idOf('bbbb'), '--format', 'parquet', '--out', out])
  const file = await asyncBufferFromFile(join(out, 'contents.parquet'))
  const rows = await parquetReadObjects({ file, columns: ['kind'] })
  expect(rows.map(({ kind }) => kind)).toContain('call')
}, 600_000)

it('[P9] a redacted transcript keeps a deep row in which nothing is replaced, byte for byte', async () => {
  const out = join(home, 'redacted.jsonl')
  ends(['export', idOf('bbbb'), '--format', 'jsonl', '--redact', '--out', out])
  expect(exportedText(out) === deepRow()).toBe(true)
}, 600_000)
