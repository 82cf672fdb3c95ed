/** What is written behind, into or again in a transcript: late notes, further turns, history a second time. */
import { type Json, objectOf, parseRowText, textIn } from '../harness/json.ts'
import { fieldOf, isEntryRow, replaced } from './rows.ts'

/** A note of a hook that hangs on the entry at a place. */
export function hookOn(rows: readonly string[], at: number): string {
  return twig(rows, at, { type: 'attachment', attachment: HOOK })
}

const HOOK = { type: 'hook_success', hookName: 'Stop', toolUseID: 'x', hookEvent: 'Stop', content: '' }

/** A note of progress that hangs on the entry at a place. */
export function progressOn(rows: readonly string[], at: number): string {
  return twig(rows, at, { type: 'progress', data: { type: 'hook_progress' }, toolUseID: 'x' })
}

/** An entry of a type that nobody knows. */
export function strangerOn(rows: readonly string[], at: number): string {
  return twig(rows, at, { type: 'unheard-of' })
}

const TWIG = '00000000-0000-4000-8000-00000000aaaa'

/** A late entry that hangs on the one at a place. */
function twig(rows: readonly string[], at: number, fields: Json): string {
  const json = parseRowText(rows[at] ?? '') ?? {}
  return JSON.stringify({ ...envelopeOf(json), parentUuid: json['uuid'], uuid: TWIG, ...fields })
}

/** What an entry of the same session and process would have, too: not what it says, nor what it is a copy of. */
function envelopeOf(json: Json): Json {
  const { message: _, forkedFrom: _source, requestId: _request, promptId: _prompt, ...envelope } = json
  return envelope
}

/** An entry is put between the one at a place and its parent. */
export function between(
  rows: readonly string[],
  at: number,
  made: (rows: readonly string[], at: number) => string,
): readonly string[] {
  const parent = rows.findIndex(row => textIn(parseRowText(row), 'uuid') === fieldOf(rows, at, 'parentUuid'))
  if (parent < 0) return rows
  return replaced([...rows], at, { parentUuid: TWIG }).toSpliced(at, 0, made(rows, parent))
}

/** What a further turn is like. */
export interface Turn {
  readonly asked: string
  readonly said: string
  /** Tells the ids and marks of several apart. */
  readonly nth?: number
  /** Fields of the prompt. */
  readonly fields?: Json
}

/** A prompt and its answer that hang on the entry at a place, some seconds after the last entry. */
export function turnOn(rows: readonly string[], at: number, turn: Turn): readonly [string, string] {
  const { asked, said, nth = 0, fields = {} } = turn
  const json = parseRowText(rows[at] ?? '') ?? {}
  const envelope = envelopeOf(json)
  const last = Date.parse(textIn(parseRowText(rows.findLast(isEntryRow) ?? ''), 'timestamp') ?? '')
  const after = (seconds: number): string => new Date(last + 1000 * (seconds + nth)).toISOString()
  const [prompt, answer] = [`00000000-0000-4000-8000-00000000bbb${nth}`, answerOf(nth)]
  const question = { role: 'user', content: asked }
  const message = { ...reply(rows), id: `msg_lab_${nth}`, content: [{ type: 'text', text: said }] }
  const asks = { type: 'user', parentUuid: json['uuid'], uuid: prompt, timestamp: after(10), ...fields }
  const answers = { type: 'assistant', parentUuid: prompt, uuid: answer, timestamp: after(12) }
  return [
    JSON.stringify({ ...envelope, ...asks, message: question }),
    JSON.stringify({ ...envelope, ...answers, message }),
  ]
}

function answerOf(nth: number): string {
  return `00000000-0000-4000-8000-00000000ccc${nth}`
}

/** The envelope of some answer. */
function reply(rows: readonly string[]): Json {
  const row = rows.find(each => parseRowText(each)?.['type'] === 'assistant')
  return objectOf(parseRowText(row ?? '')?.['message']) ?? { type: 'message', role: 'assistant' }
}

/** The note that a turn was where the conversation ended. */
export function endNote(rows: readonly string[], nth = 0): string {
  const sessionId = fieldOf(rows, rows.findLastIndex(isEntryRow), 'sessionId')
  return JSON.stringify({ type: 'last-prompt', lastPrompt: 'lab', leafUuid: answerOf(nth), sessionId })
}

/** Added to the marks of what is written a second time. */
const AGAIN = 5000

/** The rows, and all entries once more under new ids. */
export function withHistoryAgain(rows: readonly string[]): readonly string[] {
  const again = rows.filter(isEntryRow).map(row => {
    const marked = row.replaceAll(/⟦(\d+)⟧/g, (_, mark: string) => `⟦${Number(mark) + AGAIN}⟧`)
    const json = parseRowText(marked) ?? {}
    return JSON.stringify({ ...json, uuid: anew(json['uuid']), parentUuid: anew(json['parentUuid']) })
  })
  return [...rows, ...again]
}

/** The same with marks as at first: what says something else is no copy, and nobody could tell that history repeats. */
export function withEqualMarks(text: string): string {
  return text.replaceAll(/⟦(\d+)⟧/g, (_, mark: string) => `⟦${Number(mark) % AGAIN}⟧`)
}

function anew(uuid: unknown): string | null {
  return typeof uuid === 'string' ? `${uuid.slice(0, -4)}0000` : null
}
