/** Tool calls in one line: the main argument, and the file that it names. */
import { withEllipsis } from '../model/ellipsis.js'
import type { TranscriptRecord } from '../model/entry.js'
import { asObject, asText, type Json } from '../parse/json.js'
import { writeJson } from '../parse/write-json.js'
import { cleanLine } from './clean.js'
import { type CallPart, messageParts, readParts } from './parts.js'

/** A call in one line. */
export interface CallSummary {
  readonly text: string
  /** The file that it names; null for none. */
  readonly path: string | null
}

/** A file that a tool call names. */
export interface TouchedFile {
  readonly path: string
  /** The tool's name. */
  readonly tool: string
}

/** The calls of a record that the client answers, in their order; paths below its working folder are short. */
export function summarizeCalls(json: Json): readonly CallSummary[] {
  const cwd = asText(json.cwd)
  return clientCalls(json)
    .filter(({ id }) => id !== '' || json.subtype === 'tool_use')
    .map(({ input }) => ({ text: oneLine(mainArgument(input, cwd)), path: pathIn(asObject(input)) }))
}

/** The files that the calls of an assistant's record read or write. Searches name folders, which are not files. */
export function touchedFiles(json: Json): readonly TouchedFile[] {
  return clientCalls(json).flatMap(({ name, input }) => {
    const path = pathIn(asObject(input))
    return path === null ? [] : [{ path, tool: name }]
  })
}

/** A call that changes a file or runs a command. */
export interface TriedCall {
  readonly id: string
  readonly tool: string
  readonly command: string | null
  /** The file that is written; reading changes nothing. */
  readonly file: string | null
  /** What an edit replaces, and by what; null for other calls, and for texts too long to be kept. */
  readonly change: { readonly from: string; readonly to: string } | null
}

/** Characters of an edit that are kept to be compared. */
const longestChange = 20_000

/** The calls of a record that change a file or run a command. */
export function readAttempts(json: Json): readonly TriedCall[] {
  return clientCalls(json).flatMap(({ id, name, input }) => {
    const fields = asObject(input) ?? {}
    const command = name === 'Bash' || name === 'PowerShell' ? asText(fields.command) : null
    const file = writers.has(name) ? pathIn(fields) : null
    if (id === '' || (command === null && file === null)) return []
    return [{ id, tool: name, command, file, change: changeIn(fields) }]
  })
}

const writers = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

function changeIn({ old_string: from, new_string: to }: Json): TriedCall['change'] {
  if (typeof from !== 'string' || typeof to !== 'string') return null
  return from.length + to.length > longestChange ? null : { from, to }
}

/** A call, as far as it is compared with others. */
export interface CallFingerprint {
  readonly id: string
  /** The tool and its main argument. */
  readonly label: string
  /** Equal for equal calls. */
  readonly key: string
}

/** The calls of a record, to be compared. */
export function readCallFacts(json: Json): readonly CallFingerprint[] {
  const cwd = asText(json.cwd)
  return clientCalls(json).map(({ id, name, input }) => ({
    id,
    label: `${name} ${oneLine(mainArgument(input, cwd))}`.trim(),
    key: `${name} ${fingerprint(writeJson(input))}`,
  }))
}

/** A result, as far as it is compared with others. */
export interface ResultFingerprint {
  /** The call that it answers. */
  readonly id: string
  /** Equal for equal contents. */
  readonly hash: string
  readonly characters: number
}

/** The results of a record, to be compared. */
export function readResultFacts(json: Json, record: TranscriptRecord): readonly ResultFingerprint[] {
  if (record.kind !== 'user' || record.results.length === 0) return []
  return readParts(json, record).flatMap(part => {
    if (part.kind !== 'result') return []
    const content = typeof part.content === 'string' ? part.content : textOf(part.content)
    return [{ id: part.call, hash: fingerprint(content), characters: content.length }]
  })
}

/** The JSON text of a content; nothing where there is none. */
function textOf(content: unknown): string {
  return content === undefined ? '' : writeJson(content)
}

/** A short text that differs where texts differ, whatever their length: every character counts. */
function fingerprint(text: string): string {
  let [a, b] = [0x811c9dc5, text.length]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ (b >>> 15) ^ code, 0x2c1b3c6d)
  }
  return `${text.length} ${(a >>> 0).toString(36)} ${(b >>> 0).toString(36)}`
}

function clientCalls(json: Json): readonly CallPart[] {
  const calls: CallPart[] = []
  for (const part of messageParts(json))
    if (part.kind === 'call' && part.answeredBy === 'client') calls.push(part)
  return calls
}

const pathFields = ['file_path', 'notebook_path', 'filePath', 'target_file']

/** The file that an input names; null for none. */
export function pathIn(input: Json | null): string | null {
  return input === null ? null : firstOf(input, pathFields)
}

function firstOf(input: Json, fields: readonly string[]): string | null {
  for (const field of fields) {
    const text = asText(input[field])
    if (text !== null) return text
  }
  return null
}

/** Main arguments, the most telling first. */
const telling = ['command', 'pattern', 'query', 'url', 'skill', 'description', 'prompt', 'path', 'task_id']

/** The main argument of a call; a path below `cwd` is relative to it. Empty without arguments. */
export function mainArgument(input: unknown, cwd: string | null): string {
  const fields = asObject(input)
  if (fields === null) return asText(input) ?? ''
  const agent = asText(fields.subagent_type)
  if (agent !== null) return `${agent}: ${firstOf(fields, ['description', 'prompt']) ?? ''}`
  const argument =
    firstOf(fields, pathFields) ??
    firstOf(fields, telling) ??
    questionIn(fields) ??
    firstOf(fields, Object.keys(fields))
  return withinFolder(argument ?? '', cwd)
}

/** The first question that a call puts to the user. */
function questionIn({ questions }: Json): string | null {
  const [first] = Array.isArray(questions) ? questions : []
  return asText(asObject(first)?.['question'])
}

function withinFolder(text: string, cwd: string | null): string {
  const isBelow = cwd !== null && text.startsWith(cwd) && /^[/\\]./.test(text.slice(cwd.length))
  return isBelow ? text.slice(cwd.length + 1) : text
}

const longest = 200

function oneLine(text: string): string {
  return withEllipsis(cleanLine(text, longest * 4), longest)
}
