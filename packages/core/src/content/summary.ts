/** A record in one line, for `log`, `tail` and all lists of entries. */
import type { Entry, TranscriptRecord, UserMeaning } from '../model/entry.js'
import { splitAdded } from '../model/prompt-words.js'
import { carriedRecord } from '../parse/entries/progress.js'
import { asText, type Json } from '../parse/json.js'
import { unknownType } from '../parse/known.js'
import { mainArgument } from './calls.js'
import { cleanLine } from './clean.js'
import { imageText, stringsIn } from './kinds.js'
import { isFailed, messageParts, type NotePart, type Part, readParts, recordOf } from './parts.js'
import { readTagged, taggedLine } from './tagged.js'

/** The kind of a row in `log`. */
export type SummaryKind =
  | Exclude<UserMeaning, 'caveat' | 'meta'>
  | 'text'
  | 'thinking'
  | 'call'
  | 'error'
  | 'note'
  | 'compaction'
  | 'attachment'
  | 'progress'
  | 'system'
  | 'unknown'

/** A record in one line. */
export interface Summary {
  readonly kind: SummaryKind
  /** One line of visible characters, at most 2,000. */
  readonly text: string
}

/** The kind of an entry and its text in one line. */
export function summarize(json: Json, record: TranscriptRecord = recordOf(json)): Summary {
  const parts = readParts(json, record)
  const text = recordLine(json, record, parts)
  return { kind: kindOf(record, parts), text: cleanLine(text) }
}

/** The text of a prompt or of an answer, without thinking, calls and results; null where there is none. */
export function messageText(json: Json): string | null {
  const text = messageParts(json).flatMap(spokenText).join('\n')
  return text.trim() === '' ? null : text
}

/** P12: blocks that are not text are named, with the text that they have. */
function spokenText(part: Part): readonly string[] {
  switch (part.kind) {
    case 'text':
      return [part.text]
    case 'note':
      // A result that does not say which call it answers is a result all the same.
      return part.label === 'tool_result' ? [] : [partLine(part, null).trim()]
    case 'image':
    case 'error':
      return [partLine(part, null).trim()]
    default:
      return []
  }
}

function kindOf(record: TranscriptRecord, parts: readonly Part[]): SummaryKind {
  switch (record.kind) {
    case 'user':
      return record.says === 'result' && parts.some(hasFailed) ? 'error' : userKinds[record.says]
    case 'assistant':
      return record.apiError ? 'error' : answerKind(parts)
    case 'attachment':
      return record.queued === null ? 'attachment' : record.queued.typed ? 'prompt' : 'notification'
    case 'system':
      if (record.subtype === 'local_command') return 'output'
      return record.compaction === null ? 'system' : 'compaction'
    default:
      return record.kind === 'progress' ? 'progress' : 'unknown'
  }
}

/** What a graph knows of an entry. */
export interface KnownEntry {
  readonly kind: Entry['kind']
  readonly type: string
  readonly head: string | null
}

/** The same for an entry whose record can no longer be read, as far as the graph knows it. */
export function summarizeGone({ kind, type, head }: KnownEntry): Summary {
  return { kind: summaryKind(kind, type), text: cleanLine(head ?? '(no longer in the file)') }
}

function summaryKind(kind: Entry['kind'], type: string): SummaryKind {
  if (kind === 'user') return Object.entries(userKinds).find(([says]) => says === type)?.[1] ?? 'prompt'
  if (kind === 'assistant') return 'text'
  if (kind !== 'system') return kind === 'opaque' ? 'unknown' : kind
  return type === 'compact_boundary' || type === 'compact_prelude' ? 'compaction' : 'system'
}

const userKinds: Readonly<Record<UserMeaning, SummaryKind>> = {
  prompt: 'prompt',
  result: 'result',
  summary: 'summary',
  caveat: 'note',
  command: 'command',
  output: 'output',
  interrupt: 'interrupt',
  notification: 'notification',
  meta: 'note',
}

function hasFailed(part: Part): boolean {
  return part.kind === 'result' && isFailed(part)
}

/** Rows of the assistant also hold the calls and results of tools that the API runs. */
function answerKind(parts: readonly Part[]): SummaryKind {
  if (parts.some(({ kind }) => kind === 'call')) return 'call'
  if (parts.length === 0) return 'text'
  if (parts.every(({ kind }) => kind === 'thinking')) return 'thinking'
  if (parts.every(({ kind }) => kind === 'result')) return parts.some(hasFailed) ? 'error' : 'result'
  return 'text'
}

function recordLine(json: Json, record: TranscriptRecord, parts: readonly Part[]): string {
  const cwd = asText(json.cwd)
  const [first] = parts
  const isMessage = record.kind === 'user' || record.kind === 'assistant'
  if (isMessage || first?.kind !== 'note')
    return withoutAddedParts(parts)
      .map(part => partLine(part, cwd))
      .join(' ')
  if (unknownType(record) !== null) return `(${first.label}) ${noteText(first)}`
  const carried = record.kind === 'progress' ? carriedRecord(json) : null
  if (carried !== null)
    return [first.label, ...messageParts(carried).map(part => partLine(part, cwd))].join(' ')
  const isNotice = record.kind === 'system' && asText(json.content) !== null
  return isNotice ? noteText(first) : `${first.label} ${first.subject ?? ''} ${noteText(first)}`
}

/** More than a line can show; the rest of a text is ignored. */
const longest = 2000

function partLine(part: Part, cwd: string | null): string {
  switch (part.kind) {
    case 'text':
      return textLine(part.text)
    case 'thinking':
      return part.text === '' ? '(thinking, not recorded)' : part.text.slice(0, longest)
    case 'call':
      return `${part.name || 'tool'} ${mainArgument(part.input, cwd).slice(0, longest)}`
    case 'result':
      return resultLine(part.text)
    case 'image':
      return `[image] ${imageText(part.source) ?? ''}`
    case 'note':
      return `[${part.label}] ${noteText(part)}`
    default:
      return part.text
  }
}

/** S7: what an editor added stands in a part of its own in front of what was typed. Alone, it is all there is to show. */
function withoutAddedParts(parts: readonly Part[]): readonly Part[] {
  const own = parts.filter(part => part.kind !== 'text' || splitAdded(part.text).rest.trim() !== '')
  return own.length > 0 ? own : parts
}

function textLine(text: string): string {
  const { added, rest } = splitAdded(text)
  if (added.length > 0) return (rest.trim() || added.map(each => each.text).join(' ')).slice(0, longest)
  const tagged = readTagged(text)
  return (tagged === null ? text : taggedLine(tagged)).slice(0, longest)
}

function noteText({ text, value }: NotePart): string {
  return (text ?? stringsIn(value) ?? '').slice(0, longest)
}

/** How the client begins the result of a call whose output it put into a file of its own. */
const SPILLED = '<persisted-output>'

/** The first line of a result that is not blank; lines in the client's tags, before an agent's answer, are skipped. */
function resultLine(text: string): string {
  let tagged = ''
  for (const part of reported(text).split('\n', 200)) {
    const line = cleanLine(part)
    if (line !== '' && !/^\s*<([\w-]+)>.*<\/\1>\s*$/.test(part)) return line
    tagged ||= line
  }
  return tagged || '(no output)'
}

/** An agent's report, without the text that the client puts before it (2.1.3xx), or the preview of a spilled output (P8). */
function reported(text: string): string {
  if (text.startsWith(SPILLED))
    return /\nPreview \([^\n]*\):\n([\s\S]*)/.exec(text)?.[1] ?? text.slice(SPILLED.length)
  const frame = text.indexOf('[Subagent hand-back]')
  const report = frame < 0 ? -1 : text.indexOf('The report follows:', frame)
  return report < 0 ? text : text.slice(report + 'The report follows:'.length)
}
