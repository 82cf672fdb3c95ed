/** The parts that an index is filled with, made by hand: for tests of what it keeps and gives back. */

import { type Diagnostic, fileId, type ParsedRow, parseRow, sessionId } from '@dagline/core'
import type { MessageUsage } from '@dagline/core/measure'
import { packRows, type TranscriptRecord } from '@dagline/core/parse'
import type { TextField } from '@dagline/core/protocol'
import {
  type CallFact,
  type Chunk,
  FIELDS,
  type MessageFact,
  type TextFact,
  type TouchedFact,
} from '../src/db/facts.js'
import type {
  FileDraft,
  FoundText,
  IndexStore,
  Judgement,
  KnownLine,
  Phrase,
  SessionFact,
  TextFilter,
} from '../src/db/index-store.js'
import { nodeId } from '../src/db/schema.js'

/** A file as it is before its first reading has ended. */
export function draft(path: string, more: Partial<FileDraft> = {}): FileDraft {
  const session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? path
  return {
    path,
    project: path.split('/')[0] ?? '',
    facts: {
      path: fileId(path),
      kind: 'session',
      session: sessionId(session),
      agent: null,
      run: null,
      meta: null,
      title: null,
    },
    state: null,
    diagnostics: [],
    bytes: 0,
    isArchived: false,
    ...more,
  }
}

/** Rows with a prompt each, from a row number on; offsets are not those of a file. */
export function prompts(first: number, ...uuids: readonly string[]): readonly ParsedRow[] {
  return uuids.map((uuid, at) =>
    rowOf(first + at, { type: 'user', uuid, message: { role: 'user', content: uuid } }),
  )
}

/** A row that says what is given. */
export function rowOf(row: number, json: object): ParsedRow {
  const text = JSON.stringify(json)
  return parseRow({ row, offset: row * 100, length: text.length, text, whole: true })
}

/** What is said of a text, as far as a test wants to say it. */
export interface TextParts {
  readonly nth?: number
  readonly row?: number
  readonly time?: number | null
  readonly field?: TextField
  readonly tool?: string
  readonly failed?: boolean
  readonly call?: string
}

/** A text of an entry. */
export function textFact(text: string, parts: TextParts = {}): TextFact {
  const {
    nth = 0,
    row = nth + 1,
    time = 1000,
    field = 'prompt',
    tool = null,
    failed = false,
    call = null,
  } = parts
  const place = { row, offset: row * 100, length: 50 }
  return [nth, place, time, FIELDS.indexOf(field), tool, failed, text, call]
}

/** A message of an entry. */
export function messageFact(message: string, nth: number, more: Partial<MessageUsage> = {}): MessageFact {
  return {
    message,
    model: 'claude-opus-4-6',
    time: 1000,
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    webSearches: 0,
    tier: null,
    speed: null,
    geo: null,
    isFinal: true,
    written: 0,
    ...more,
    nth,
    version: '2.1.0',
  }
}

/** What a chunk has beside its rows. */
export interface StretchParts {
  readonly firstNode?: number
  readonly texts?: readonly TextFact[]
  readonly messages?: readonly MessageFact[]
  readonly touched?: readonly TouchedFact[]
  readonly linkKeys?: readonly string[]
}

/** Adds rows to a file of an index. */
export function addRows(
  index: IndexStore,
  file: number,
  rows: readonly ParsedRow[],
  parts: StretchParts = {},
): void {
  const { firstNode = 0, texts = [], messages = [], touched = [], linkKeys = [] } = parts
  const row = rows[0]?.row ?? 1
  const entries = rows.flatMap(({ records }) => records).filter(record => 'id' in record)
  const chunk: Chunk = {
    row,
    firstNode,
    count: rows.length,
    rows: packRows(rows),
    uuids: entries.map(({ id }) => id),
    calls: entries.flatMap((entry, nth) => callsOf(entry, firstNode + nth)),
    texts,
    messages,
    touched,
    linkKeys,
  }
  index.addChunk(file, chunk)
}

function callsOf(entry: TranscriptRecord, nth: number): readonly CallFact[] {
  return entry.kind === 'assistant' ? entry.calls.map(({ id, name }) => [nth, id, name] as const) : []
}

/** A line of a session, live unless it is said to be otherwise. */
export function line(name: string, more: Partial<KnownLine> = {}): KnownLine {
  const status = more.status ?? 'live'
  return {
    name,
    kind: 'trunk',
    status,
    session: name,
    agent: null,
    agentName: null,
    branch: name,
    branchStatus: status,
    ...more,
  }
}

/** A session in figures. */
export function sessionFact(session: string, more: Partial<SessionFact> = {}): SessionFact {
  return {
    session,
    project: '-a',
    cwd: null,
    title: null,
    prompt: null,
    shape: null,
    file: null,
    first: null,
    last: null,
    turns: 0,
    branches: 0,
    agents: 0,
    called: 0,
    compactions: 0,
    bytes: 0,
    problems: 0,
    isIdle: false,
    isCleared: false,
    archivedOnly: false,
    parent: null,
    ...more,
  }
}

/** The verdict on one entry. */
export interface EntryVerdict {
  /** Index into the lines; none unless given. */
  readonly line?: number
  readonly live?: boolean
  readonly compacted?: number
  /** File and entry that own it; itself unless given. */
  readonly owner?: readonly [file: number, nth: number]
}

/** A judgement on some files, each with the verdicts on its entries. */
export function judgement(
  files: Readonly<Record<number, readonly EntryVerdict[]>>,
  more: Partial<Judgement> = {},
): Judgement {
  const ids = Object.keys(files).map(Number)
  return {
    root: 1,
    files: ids,
    before: [],
    lines: [],
    sessions: [],
    agents: [],
    branches: [],
    queue: [],
    diagnostics: [],
    ...more,
    verdicts: ids.map(file => {
      const entries = files[file] ?? []
      return {
        file,
        owner: Float64Array.from(entries, ({ owner }, nth) => nodeId(owner?.[0] ?? file, owner?.[1] ?? nth)),
        line: Int32Array.from(entries, entry => entry.line ?? -1),
        live: Uint8Array.from(entries, ({ live }) => Number(live ?? false)),
        compacted: Uint16Array.from(entries, entry => entry.compacted ?? 0),
      }
    }),
  }
}

/** A diagnostic about a file. */
export function diagnostic(path: string, message: string): Diagnostic {
  return { rule: 'dag/orphan', severity: 'warning', file: fileId(path), row: 1, node: null, message }
}

/** Words that stand beside each other. */
export function phrase(...words: string[]): Phrase {
  return { words, isPrefix: false }
}

/** The same, where the last word may go on. */
export function prefix(...words: string[]): Phrase {
  return { words, isPrefix: true }
}

/** The texts that have a word. */
export function search(index: IndexStore, word: string, filter: TextFilter = {}): readonly FoundText[] {
  return index.find([phrase(word)], filter, 99)
}
