/** Recordings, broken at some of their places in every way that was met in the wild. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { blocksOf, type Json, objectOf, parseRowText, textIn } from '../harness/json.ts'
import { markRow } from '../harness/marks.ts'
import { type CaseSource, caseOf, type LabCase, type Wants } from './case.ts'
import { RECORDINGS } from './recorded.ts'

/** Recordings with different shapes: plain, parallel calls, thinking, rewinds, compactions, hooks, walks. */
const CHOSEN = [
  '2.1.325/s20_edits_todos',
  '2.1.325/s03_parallel_tools',
  '2.1.325/s04_sequential_thinking',
  '2.1.325/s13_rewind',
  '2.1.325/s09_compact_headless',
  '2.1.325/s15_hooks',
  'random-2.1.325/105',
  'random-2.1.197/303',
  '2.0.64/s20_edits_todos',
]

/** How many places of a session are broken, each in a case of its own. */
const PLACES = 3

export const broken: CaseSource = {
  name: 'broken',
  cases: (wants, isThorough) => brokenSessions(wants, isThorough ? PLACES : 1),
}

/** Broken sessions, each recording at so many places in each way. */
export function* brokenSessions(wants: Wants, places: number): Generator<LabCase> {
  for (const recording of CHOSEN)
    for (const source of sessionsOf(recording)) yield* breakings(source, wants, places)
}

interface Source {
  readonly name: string
  readonly session: string
  readonly rows: readonly string[]
}

function sessionsOf(recording: string): readonly Source[] {
  const root = join(RECORDINGS, recording, 'projects')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => /[0-9a-f-]{36}\.jsonl$/.test(path) && !path.includes('subagents'))
    .sort()
    .slice(0, 1)
    .map(path => ({
      name: recording,
      session: basename(path, '.jsonl'),
      rows: rowsOf(join(root, path)),
    }))
}

/** Marked before they are broken: a torn row cannot be marked any more. */
function rowsOf(path: string): readonly string[] {
  const rows = readFileSync(path, 'utf8').trimEnd().split('\n')
  return rows.map((row, at) => markRow(row, at + 1))
}

function* breakings(source: Source, wants: Wants, places: number): Generator<LabCase> {
  for (const [kind, { picks, breaks }] of Object.entries(BREAKINGS)) {
    if (!wants(kind)) continue
    const fitting = source.rows.flatMap((row, at) => {
      const json = parseRowText(row)
      return json !== null && picks(json, at, source.rows) ? [at] : []
    })
    for (const at of spread(fitting, places)) {
      const text = breaks([...source.rows], at)
      yield caseOf(kind, `${source.name} row ${at + 1}`, source.session, text)
    }
  }
}

/** Some of a list, far from each other. */
function spread(places: readonly number[], count: number): readonly number[] {
  if (places.length <= count) return places
  return Array.from(
    { length: count },
    (_, nth) => places[Math.floor(((nth + 0.5) * places.length) / count)] ?? 0,
  )
}

interface Breaking {
  /** Whether a row can be broken so. */
  readonly picks: (json: Json, at: number, rows: readonly string[]) => boolean
  readonly breaks: (rows: string[], at: number) => string
}

const MISSING = '00000000-dead-4bad-8bad-000000000000'

const BREAKINGS: Readonly<Record<string, Breaking>> = {
  'missing parent': { picks: isLinked, breaks: (rows, at) => put(rows, at, { parentUuid: MISSING }) },
  'missing parent, an hour later': {
    picks: isLinked,
    breaks: (rows, at) => written(laterFrom(replaced(rows, at, { parentUuid: MISSING }), at)),
  },
  'own parent': {
    picks: isLinked,
    breaks: (rows, at) => put(rows, at, { parentUuid: fieldOf(rows, at, 'uuid') }),
  },
  'circle of parents': {
    picks: (json, at, rows) => isLinked(json, at, rows) && childOf(rows, at) !== null,
    breaks: (rows, at) => put(rows, at, { parentUuid: childOf(rows, at) }),
  },
  'row gone': { picks: isLinked, breaks: (rows, at) => written(rows.toSpliced(at, 1)) },
  'result gone': { picks: isResult, breaks: (rows, at) => written(rows.toSpliced(at, 1)) },
  'call gone': { picks: isCall, breaks: (rows, at) => written(rows.toSpliced(at, 1)) },
  'torn row': {
    picks: isLinked,
    breaks: (rows, at) => written(rows.with(at, (rows[at] ?? '').slice(0, 90))),
  },
  'torn last row': {
    picks: (_, at, rows) => at === rows.length - 1,
    breaks: (rows, at) => rows.with(at, (rows[at] ?? '').slice(0, 60)).join('\n'),
  },
  'two entries on one row': {
    picks: (json, at, rows) => isLinked(json, at, rows) && isEntryRow(rows[at + 1]),
    breaks: (rows, at) => written(rows.toSpliced(at, 2, `${rows[at]}${rows[at + 1]}`)),
  },
  'entry and note on one row': {
    picks: isLinked,
    breaks: (rows, at) => written(rows.with(at, `${rows[at]}{"type":"mode","mode":"normal"}`)),
  },
  'NUL bytes before a row': {
    picks: isLinked,
    breaks: (rows, at) => written(rows.with(at, `\0\0\0\0${rows[at]}`)),
  },
  'NUL bytes behind a row': {
    picks: isLinked,
    breaks: (rows, at) => written(rows.with(at, `${rows[at]}\0\0`)),
  },
  'rows written twice': {
    picks: (_, at) => at === 0,
    breaks: rows => written([...rows, ...rows]),
  },
  'old row written again': { picks: isLinked, breaks: (rows, at) => written([...rows, rows[at] ?? '']) },
  'rows reversed': { picks: (_, at) => at === 0, breaks: rows => written(rows.toReversed()) },
  'CRLF and byte order mark': {
    picks: (_, at) => at === 0,
    breaks: rows => `\ufeff${rows.join('\r\n')}\r\n`,
  },
  'empty answer': { picks: isAnswer, breaks: (rows, at) => put(rows, at, emptied(rows, at)) },
  'empty prompt': { picks: isPrompt, breaks: (rows, at) => put(rows, at, emptied(rows, at)) },
  'thinking without signature': {
    picks: isThinking,
    breaks: (rows, at) => put(rows, at, unsigned(rows, at)),
  },
  'same tool id twice': {
    picks: (json, at, rows) => isCall(json, at, rows) && callBefore(rows, at) !== null,
    breaks: (rows, at) =>
      written(rows).replaceAll(callOn(rows, at) ?? MISSING, callBefore(rows, at) ?? MISSING),
  },
  'hook at the end': { picks: isLinked, breaks: (rows, at) => written([...rows, hookOn(rows, at)]) },
  'progress at the end': { picks: isLinked, breaks: (rows, at) => written([...rows, progressOn(rows, at)]) },
  'killed after a rewind': { picks: isAnswer, breaks: (rows, at) => written([...rows, ...turnOn(rows, at)]) },
  'summary gone': {
    picks: json => json['isCompactSummary'] === true,
    breaks: (rows, at) => written(rows.toSpliced(at, 1)),
  },
  'kept entry gone': {
    picks: json => textIn(json, 'uuid') !== null && json['subtype'] === 'compact_boundary',
    breaks: (rows, at) => written(withoutKept(rows, at)),
  },
  "another session's id": {
    picks: isLinked,
    breaks: (rows, at) => put(rows, at, { sessionId: '99999999-9999-4999-8999-999999999999' }),
  },
  'notes only': { picks: (_, at) => at === 0, breaks: rows => written(rows.filter(row => !isEntryRow(row))) },
}

function written(rows: readonly string[]): string {
  return rows.map(row => `${row}\n`).join('')
}

function replaced(rows: string[], at: number, fields: Json): string[] {
  return rows.with(at, JSON.stringify({ ...parseRowText(rows[at] ?? ''), ...fields }))
}

function put(rows: string[], at: number, fields: Json): string {
  return written(replaced(rows, at, fields))
}

const HOUR = 3_600_000

/** The row and all after it, an hour later. */
function laterFrom(rows: string[], from: number): string[] {
  return rows.map((row, at) => {
    const json = at < from ? null : parseRowText(row)
    const time = Date.parse(textIn(json, 'timestamp') ?? '')
    if (json === null || Number.isNaN(time)) return row
    return JSON.stringify({ ...json, timestamp: new Date(time + HOUR).toISOString() })
  })
}

function isEntryRow(row: string | undefined): boolean {
  return row !== undefined && textIn(parseRowText(row), 'uuid') !== null
}

function isLinked(json: Json, at: number, _rows: readonly string[]): boolean {
  return at > 0 && textIn(json, 'uuid') !== null && textIn(json, 'parentUuid') !== null && isMessage(json)
}

function isMessage(json: Json): boolean {
  return json['type'] === 'user' || json['type'] === 'assistant'
}

function contentOf(json: Json | null): readonly Json[] {
  return blocksOf(objectOf(json?.['message'])?.['content'])
}

function hasBlock(json: Json, type: string): boolean {
  return contentOf(json).some(block => block['type'] === type)
}

function isResult(json: Json, _at: number, _rows: readonly string[]): boolean {
  return json['type'] === 'user' && hasBlock(json, 'tool_result')
}

function isCall(json: Json, _at: number, _rows: readonly string[]): boolean {
  return json['type'] === 'assistant' && hasBlock(json, 'tool_use')
}

function isThinking(json: Json): boolean {
  return json['type'] === 'assistant' && hasBlock(json, 'thinking')
}

function isAnswer(json: Json): boolean {
  return json['type'] === 'assistant' && hasBlock(json, 'text')
}

function isPrompt(json: Json): boolean {
  return json['type'] === 'user' && !hasBlock(json, 'tool_result') && json['isCompactSummary'] !== true
}

function fieldOf(rows: readonly string[], at: number, name: string): string | null {
  return textIn(parseRowText(rows[at] ?? ''), name)
}

/** The uuid of a later entry that hangs on the one at a place. */
function childOf(rows: readonly string[], at: number): string | null {
  const uuid = fieldOf(rows, at, 'uuid')
  const child = rows.findIndex((row, place) => place > at && textIn(parseRowText(row), 'parentUuid') === uuid)
  return child < 0 ? null : fieldOf(rows, child, 'uuid')
}

function emptied(rows: readonly string[], at: number): Json {
  const message = objectOf(parseRowText(rows[at] ?? '')?.['message']) ?? {}
  return { message: { ...message, content: [{ type: 'text', text: '' }] } }
}

function unsigned(rows: readonly string[], at: number): Json {
  const json = parseRowText(rows[at] ?? '')
  const content = contentOf(json).map(block =>
    block['type'] === 'thinking' ? { ...block, signature: '' } : block,
  )
  return { message: { ...objectOf(json?.['message']), content } }
}

function callOn(rows: readonly string[], at: number): string | null {
  const call = contentOf(parseRowText(rows[at] ?? '')).find(block => block['type'] === 'tool_use')
  return textIn(call ?? null, 'id')
}

function callBefore(rows: readonly string[], at: number): string | null {
  const before = rows.findLastIndex((_, place) => place < at && callOn(rows, place) !== null)
  return before < 0 ? null : callOn(rows, before)
}

function hookOn(rows: readonly string[], at: number): string {
  const attachment = {
    type: 'hook_success',
    hookName: 'Stop',
    toolUseID: 'x',
    hookEvent: 'Stop',
    content: '',
  }
  return twig(rows, at, { type: 'attachment', attachment })
}

function progressOn(rows: readonly string[], at: number): string {
  return twig(rows, at, { type: 'progress', data: { type: 'hook_progress' }, toolUseID: 'x' })
}

/** A late entry that hangs on the one at a place. */
function twig(rows: readonly string[], at: number, fields: Json): string {
  const json = parseRowText(rows[at] ?? '') ?? {}
  const { message: _, ...envelope } = json
  const uuid = '00000000-0000-4000-8000-00000000aaaa'
  return JSON.stringify({ ...envelope, parentUuid: json['uuid'], uuid, ...fields })
}

/** A further turn that hangs on an older entry: a process went back, and was killed before it noted its end. */
function turnOn(rows: readonly string[], at: number): readonly string[] {
  const json = parseRowText(rows[at] ?? '') ?? {}
  const { message: _, ...envelope } = json
  const timestamp = textIn(parseRowText(rows.findLast(isEntryRow) ?? ''), 'timestamp')
  const [prompt, answer] = ['00000000-0000-4000-8000-00000000bbbb', '00000000-0000-4000-8000-00000000cccc']
  const asked = { role: 'user', content: 'back to here ⟦9001⟧' }
  const said = {
    ...objectOf(json['message']),
    id: 'msg_lab',
    content: [{ type: 'text', text: 'gladly ⟦9002⟧' }],
  }
  return [
    { ...envelope, type: 'user', parentUuid: json['uuid'], uuid: prompt, timestamp, message: asked },
    { ...envelope, type: 'assistant', parentUuid: prompt, uuid: answer, timestamp, message: said },
  ].map(row => JSON.stringify(row))
}

/** Without the last entry that a compaction kept. */
function withoutKept(rows: readonly string[], at: number): readonly string[] {
  const meta = objectOf(parseRowText(rows[at] ?? '')?.['compactMetadata'])
  const kept = objectOf(meta?.['preservedMessages'])?.['uuids']
  const last = Array.isArray(kept) ? kept.at(-1) : null
  return rows.filter(row => textIn(parseRowText(row), 'uuid') !== last)
}
