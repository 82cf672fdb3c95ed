/** Questions about the rows of a transcript, and changes to them: what corruptions are made of. */
import { blocksOf, type Json, objectOf, parseJson, textIn } from '../base/json.js'
import type { Rng } from '../base/rng.js'

/** A way to corrupt a session at one of its rows. */
interface Corruption {
  /** Whether a row can be corrupted so. */
  readonly picks: (json: Json, at: number, rows: readonly string[]) => boolean
  /** The text of the corrupted file. */
  readonly breaks: (rows: string[], at: number, rng: Rng) => string
}

/** Corruptions by their names. */
export type Corruptions = Readonly<Record<string, Corruption>>

/** A uuid that no entry has. */
export const ABSENT = '00000000-dead-4bad-8bad-000000000000'

const MOST_CACHED = 20_000
const CACHE = new Map<string, Json | null>()

/**
 * The object on a row, or null where the row holds none. Corruptions look at every row of a session many times, so it is
 * cached, and shared: callers copy it before they change it.
 */
export function rowJson(row: string | undefined): Readonly<Json> | null {
  if (row === undefined) return null
  const known = CACHE.get(row)
  if (known !== undefined) return known
  if (CACHE.size >= MOST_CACHED) CACHE.clear()
  const json = parseJson(row)
  CACHE.set(row, json)
  return json
}

/** The text of a file with these rows. */
export function written(rows: readonly string[]): string {
  return rows.map(row => `${row}\n`).join('')
}

/** The rows with other fields in one of them. */
export function replaced(rows: string[], at: number, fields: Json): string[] {
  return rows.with(at, JSON.stringify({ ...rowJson(rows[at]), ...fields }))
}

/** The text with other fields in one row. */
export function put(rows: string[], at: number, fields: Json): string {
  return written(replaced(rows, at, fields))
}

const HOUR = 3_600_000

/** The row and all after it, an hour later. */
export function laterFrom(rows: string[], from: number): string[] {
  return rows.map((row, at) => {
    const json = at < from ? null : rowJson(row)
    const time = Date.parse(textIn(json, 'timestamp') ?? '')
    if (json === null || Number.isNaN(time)) return row
    return JSON.stringify({ ...json, timestamp: new Date(time + HOUR).toISOString() })
  })
}

/** Whether a row has a uuid. */
export function isEntryRow(row: string | undefined): boolean {
  return row !== undefined && textIn(rowJson(row), 'uuid') !== null
}

/** A message that hangs on another. */
export function isLinked(json: Json, at: number, _rows: readonly string[]): boolean {
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

/** A user entry with results of tools. */
export function isResult(json: Json, _at: number, _rows: readonly string[]): boolean {
  return json['type'] === 'user' && hasBlock(json, 'tool_result')
}

/** An answer with calls. */
export function isCall(json: Json, _at: number, _rows: readonly string[]): boolean {
  return json['type'] === 'assistant' && hasBlock(json, 'tool_use')
}

/** An answer with thoughts. */
export function isThinking(json: Json): boolean {
  return json['type'] === 'assistant' && hasBlock(json, 'thinking')
}

/** An answer with text. */
export function isAnswer(json: Json): boolean {
  return json['type'] === 'assistant' && hasBlock(json, 'text')
}

/** What the user said. */
export function isPrompt(json: Json): boolean {
  return json['type'] === 'user' && !hasBlock(json, 'tool_result') && json['isCompactSummary'] !== true
}

/** A field of a row. */
export function fieldOf(rows: readonly string[], at: number, name: string): string | null {
  return textIn(rowJson(rows[at]), name)
}

/** The uuid of a later entry that hangs on the one at a place. */
export function childOf(rows: readonly string[], at: number): string | null {
  const uuid = fieldOf(rows, at, 'uuid')
  const child = rows.findIndex((row, place) => place > at && textIn(rowJson(row), 'parentUuid') === uuid)
  return child < 0 ? null : fieldOf(rows, child, 'uuid')
}

/** The message of a row with empty text. */
export function emptied(rows: readonly string[], at: number, content: readonly Json[] = [EMPTY]): Json {
  const message = objectOf(rowJson(rows[at])?.['message']) ?? {}
  return { message: { ...message, content } }
}

const EMPTY = { type: 'text', text: '' }

/** The message of a row with a long text before what it says. */
export function lengthened(rows: readonly string[], at: number, length: number): Json {
  const json = rowJson(rows[at])
  const words = 'so many words '.repeat(Math.ceil(length / 14))
  const content = contentOf(json).map(block =>
    block['type'] === 'text' ? { ...block, text: `${words}${block['text']}` } : block,
  )
  return { message: { ...objectOf(json?.['message']), content } }
}

/** The message of a row with thoughts that nobody has signed. */
export function unsigned(rows: readonly string[], at: number): Json {
  const json = rowJson(rows[at])
  const content = contentOf(json).map(block =>
    block['type'] === 'thinking' ? { ...block, signature: '' } : block,
  )
  return { message: { ...objectOf(json?.['message']), content } }
}

/** The id of the first call on a row. */
export function callOn(rows: readonly string[], at: number): string | null {
  const call = contentOf(rowJson(rows[at])).find(block => block['type'] === 'tool_use')
  return textIn(call ?? null, 'id')
}

/** The id of the last call before a row. */
export function callBefore(rows: readonly string[], at: number): string | null {
  const before = rows.findLastIndex((_, place) => place < at && callOn(rows, place) !== null)
  return before < 0 ? null : callOn(rows, before)
}

/** Whether a row is the first of its file. */
export function isFirst(_json: Json, at: number): boolean {
  return at === 0
}

/** The place of the first answer of the main conversation, or -1. */
export function firstAnswer(rows: readonly string[]): number {
  return rows.findIndex(isMainAnswer)
}

/** The place of the last one. */
export function lastAnswer(rows: readonly string[]): number {
  return rows.findLastIndex(isMainAnswer)
}

function isMainAnswer(row: string): boolean {
  const json = rowJson(row)
  return json?.['type'] === 'assistant' && json['isSidechain'] !== true
}

/** A part of a message that goes on, and that something was typed behind. */
export function isEarlyPart(json: Json, at: number, rows: readonly string[]): boolean {
  const message = messageOn(rows[at])
  if (json['type'] !== 'assistant' || message === null || messageOn(rows[at + 1]) !== message) return false
  return rows.slice(at + 1).some(row => isPrompt(rowJson(row) ?? {}))
}

function messageOn(row: string | undefined): string | null {
  return textIn(objectOf(rowJson(row)?.['message']), 'id')
}

/** The message of a row with other fields. */
export function messageWith(rows: readonly string[], at: number, fields: Json): Json {
  return { message: { ...objectOf(rowJson(rows[at])?.['message']), ...fields } }
}

/** The blocks of a row's message; none where there is no message. */
export function blocksOn(row: string | undefined): readonly Json[] {
  return contentOf(rowJson(row))
}

/** Rows without some of their fields. */
export function withoutFields(
  rows: readonly string[],
  isMeant: (at: number) => boolean,
  name: string,
): string[] {
  return rows.map((row, at) => {
    const json = isMeant(at) ? rowJson(row) : null
    if (json === null) return row
    const { [name]: _, ...rest } = json
    return JSON.stringify(rest)
  })
}

/** The latest time on the rows up to a place, in milliseconds; a fixed day where there is none. */
export function timeUpTo(rows: readonly string[], at: number): number {
  const times = rows.slice(0, at + 1).map(row => Date.parse(textIn(rowJson(row), 'timestamp') ?? ''))
  return times.findLast(time => !Number.isNaN(time)) ?? Date.UTC(2026, 0, 5)
}

/** The places of the prompts of the main conversation. */
export function promptPlaces(rows: readonly string[]): readonly number[] {
  return rows.flatMap((row, at) => {
    const json = rowJson(row)
    return json !== null && isPrompt(json) && isLinked(json, at, rows) && json['isMeta'] !== true ? [at] : []
  })
}
