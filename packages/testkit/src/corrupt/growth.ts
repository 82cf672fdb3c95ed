/** What is written behind, into or again in a transcript: late notes, further turns, history a second time. */
import { type Json, objectOf, textIn } from '../base/json.js'
import { fieldOf, isEntryRow, replaced, rowJson, timeUpTo } from './rows.js'

/** A note of a hook that hangs on the entry at a place. */
export function hookOn(rows: readonly string[], at: number): string {
  return rowBeside(rows, at, { type: 'attachment', attachment: HOOK })
}

const HOOK = { type: 'hook_success', hookName: 'Stop', toolUseID: 'x', hookEvent: 'Stop', content: '' }

/** A note of progress that hangs on the entry at a place. */
export function progressOn(rows: readonly string[], at: number): string {
  return rowBeside(rows, at, { type: 'progress', data: { type: 'hook_progress' }, toolUseID: 'x' })
}

/** An entry of a type that nobody knows. */
export function strangerOn(rows: readonly string[], at: number): string {
  return rowBeside(rows, at, { type: 'unheard-of' })
}

/** A uuid that no other has: a session can be corrupted several times, and grows each time. */
function madeUuid(rows: readonly string[], letter: string, nth = 0): string {
  const digits = `${rows.length}`.padStart(8, '0')
  return `00000000-0000-4000-8000-${digits}${letter.repeat(3)}${nth}`
}

/** A late entry that hangs on the one at a place. */
function rowBeside(rows: readonly string[], at: number, fields: Json): string {
  const json = rowJson(rows[at]) ?? {}
  return JSON.stringify({
    ...envelopeOf(json),
    parentUuid: json['uuid'],
    uuid: madeUuid(rows, 'a'),
    ...fields,
  })
}

/** What an entry of the same session and process would have, too: not what it says, nor what it is a copy of. */
function envelopeOf(json: Json): Json {
  const { message: _, forkedFrom: _source, requestId: _request, promptId: _prompt, ...rest } = json
  const { isApiErrorMessage: _notice, error: _error, ...envelope } = rest
  return envelope
}

/** An entry is put between the one at a place and its parent. */
export function between(
  rows: readonly string[],
  at: number,
  made: (rows: readonly string[], at: number) => string,
): readonly string[] {
  const parent = rows.findIndex(row => textIn(rowJson(row), 'uuid') === fieldOf(rows, at, 'parentUuid'))
  if (parent < 0) return rows
  return replaced([...rows], at, { parentUuid: madeUuid(rows, 'a') }).toSpliced(at, 0, made(rows, parent))
}

/** What a further turn is like. */
interface Turn {
  readonly asked: string
  readonly answer: string
  /** Tells the ids and marks of several apart. */
  readonly nth?: number
  /** Fields of the prompt. */
  readonly fields?: Json
}

/** A prompt and its answer that hang on the entry at a place, some seconds after the last entry. */
export function turnOn(rows: readonly string[], at: number, turn: Turn): readonly [string, string] {
  const { asked, answer, nth = 0, fields = {} } = turn
  const json = rowJson(rows[at]) ?? {}
  const envelope = envelopeOf(json)
  const last = timeUpTo(rows, rows.length - 1)
  const after = (seconds: number): string => new Date(last + 1000 * (seconds + nth)).toISOString()
  const [promptId, answerId] = [madeUuid(rows, 'b', nth), madeUuid(rows, 'c', nth)]
  const mark = 3000 + 4 * (rows.length % 400) + 2 * nth
  const question = { role: 'user', content: fields['isMeta'] === true ? asked : `${asked} ⟦${mark}⟧` }
  const text = fields['isMeta'] === true ? answer : `${answer} ⟦${mark + 1}⟧`
  const message = { ...reply(rows), id: `msg_lab_${rows.length}_${nth}`, content: [{ type: 'text', text }] }
  const asks = { type: 'user', parentUuid: json['uuid'], uuid: promptId, timestamp: after(10), ...fields }
  const answers = { type: 'assistant', parentUuid: promptId, uuid: answerId, timestamp: after(12) }
  return [
    JSON.stringify({ ...envelope, ...asks, message: question }),
    JSON.stringify({ ...envelope, ...answers, message }),
  ]
}

/** The envelope of some answer. */
function reply(rows: readonly string[]): Json {
  const row = rows.find(each => rowJson(each)?.['type'] === 'assistant')
  return objectOf(rowJson(row)?.['message']) ?? { type: 'message', role: 'assistant' }
}

/** The note that a turn was where the conversation ended. */
export function endNote(rows: readonly string[], nth = 0): string {
  const sessionId = fieldOf(rows, rows.findLastIndex(isEntryRow), 'sessionId')
  return JSON.stringify({
    type: 'last-prompt',
    lastPrompt: 'lab',
    leafUuid: madeUuid(rows, 'c', nth),
    sessionId,
  })
}

/** Added to the mark of an entry for each copy of it that stands before. */
export const COPY_MARKS = 5000

/** Which ids are new where history is written a second time; uuids always are. */
interface Renewal {
  readonly messageIds?: boolean
  readonly toolIds?: boolean
}

/** The rows, and all entries once more under new ids. */
export function withHistoryAgain(rows: readonly string[], renewal: Renewal = {}): readonly string[] {
  const entries = rows.filter(isEntryRow)
  const marks = entries.flatMap(row => [...row.matchAll(/⟦(\d+)⟧/g)].map(match => Number(match[1])))
  const times = 1 + Math.max(0, ...marks.map(mark => Math.floor(mark / COPY_MARKS)))
  const again = entries.map(row => {
    const marked = row.replaceAll(/⟦(\d+)⟧/g, (_, mark: string) => `⟦${Number(mark) + COPY_MARKS * times}⟧`)
    const json = rowJson(withNewIds(marked, renewal)) ?? {}
    const [uuid, parentUuid] = [renamed(json['uuid'], times), renamed(json['parentUuid'], times)]
    return JSON.stringify({ ...json, uuid, parentUuid })
  })
  return [...rows, ...again]
}

function withNewIds(row: string, { messageIds = false, toolIds = false }: Renewal): string {
  const named = messageIds ? row.replaceAll(/"id":"msg_/g, '"id":"msg_again_') : row
  return toolIds ? named.replaceAll(/"toolu_/g, '"toolu_again_') : named
}

/** The same with marks as at first: what says something else is not a copy, and nobody could tell that history repeats. */
export function withEqualMarks(text: string): string {
  return text.replaceAll(/⟦(\d+)⟧/g, (_, mark: string) => `⟦${Number(mark) % COPY_MARKS}⟧`)
}

function renamed(uuid: unknown, times: number): string | null {
  return typeof uuid === 'string' ? `${uuid.slice(0, -4)}${String(times).padStart(4, '0')}` : null
}

/**
 * Progress rows that are written when a turn is over and hang on its prompt, and the next prompt hangs on them: what
 * 2.1.75 writes when it is driven by the SDK.
 */
export function lateProgress(rows: readonly string[], at: number): readonly string[] {
  const before = rows.findLastIndex((row, place) => place < at && rowJson(row)?.['type'] === 'user')
  if (before < 0) return rows
  const late = JSON.stringify({
    ...rowJson(progressOn(rows, before)),
    timestamp: fieldOf(rows, at, 'timestamp'),
  })
  return replaced([...rows], at, { parentUuid: madeUuid(rows, 'a') }).toSpliced(at, 0, late)
}
