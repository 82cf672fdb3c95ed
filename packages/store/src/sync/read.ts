/** From a file to facts: each row is parsed once, and everything that the index stores is taken from it. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileId, type ParsedRow, type RawRow } from '@dagline/core'
import { readMessageUsage, textsOf, touchedFiles } from '@dagline/core/content'
import { addDamage, type Damage, damageOf } from '@dagline/core/files'
import { type Json, packRows, type TranscriptRecord, withCarried } from '@dagline/core/parse'
import type { TextField } from '@dagline/core/protocol'
import { openArchive } from '../archive/archive.js'
import {
  type CallFact,
  type Chunk,
  FIELDS,
  type IndexedFacts,
  type MessageFact,
  type ReadingEnd,
  type ReadJob,
  type TextFact,
  type TouchedFact,
} from '../db/facts.js'
import { linkKeysOf } from '../db/link-keys.js'
import { setApart } from '../db/words.js'
import { StoreError } from '../files/failures.js'
import { parseTranscript } from '../files/parse.js'
import type { ReadResult } from '../files/rows.js'
import { type ByteSource, withFile } from '../files/source.js'
import { stateOf } from '../files/state.js'

/**
 * Rows and characters of text after which a chunk ends, and bytes that are read at a time. What a chunk holds should be
 * written before the collector has copied it twice: with larger ones most of it was.
 */
const MOST_ROWS = 500
const MOST_TEXT = 500_000
const BLOCK = 256 * 1024

/** Opens the bytes of a file that is not on disk; null for one that is. */
export type OpenSource = (job: ReadJob) => ByteSource | null

type OnChunk = (chunk: Chunk, rows: readonly ParsedRow[]) => void

/** Reads a file from where its job says to its end, and hands on what it finds chunk by chunk. */
export function readFacts(job: ReadJob, see: OnChunk, open: OpenSource = archivedSource): ReadingEnd {
  const part = readPart(job, see, { most: Number.POSITIVE_INFINITY, open })
  if ('next' in part) throw new RangeError('a reading without limit ends at the end')
  return part
}

/** The same for some bytes of it: gives the end, or the job that reads on. */
export function readPart(
  job: ReadJob,
  see: OnChunk,
  { most, open = archivedSource }: { readonly most: number; readonly open?: OpenSource },
): ReadingEnd | { readonly next: ReadJob } {
  const { path, from } = job
  const source = open(job)
  const taker = new Taker(job, see)
  const place = from === null ? {} : { from: { offset: from.offset, row: from.row } }
  const { result, diagnostics, finish } = parseTranscript(
    source ?? job.root,
    path,
    (row, raw) => taker.take(row, raw),
    { ...place, most, chunk: BLOCK, see: withCarried((json, record) => taker.takeRecord(json, record)) },
  )
  source?.close()
  taker.flush()
  if (result === null) return { state: null, bytes: 0, diagnostics: diagnostics }
  const damage = from === null ? damageIn(result) : addDamage(from.damage, damageIn(result))
  if (!result.isEnd) return { next: { ...job, from: { ...result.next, nodes: taker.nodes(), damage } } }
  const last = taker.lastRow()
  finish()
  taker.flush()
  const bytes = result.next.offset + (result.pending?.length ?? 0)
  const kept = from === null ? result.settled : addDamage(from.damage, result.settled)
  const state = stateAt(job, { result, damage: kept, last })
  return { state, bytes, diagnostics: damageOf(fileId(path), damage) }
}

function damageIn({ crlf, invalidUtf8 }: ReadResult): Damage {
  return { crlf, invalidUtf8 }
}

/** The bytes of a file that is only in the archive; null for all others. */
function archivedSource({ archive, root, path }: ReadJob): ByteSource | null {
  if (archive === null) return null
  const open = openArchive(archive)
  const source = open.at(join(root, ...path.split('/')))
  if (source === null) {
    open.close()
    throw new StoreError(
      'damaged',
      `${path} is not in the archive ${archive} any more: check it with \`dagline archive verify\`.`,
    )
  }
  return { ...source, close: () => open.close() }
}

/** A reading that came to the end of its file. */
interface Ended {
  readonly result: ReadResult
  readonly damage: Damage
  /** Null where it came to no complete row. */
  readonly last: RawRow | null
}

/** The file may vanish right after it was read; then the next time will see that. */
function stateAt({ root, path, archive }: ReadJob, { result, damage, last }: Ended): ReadingEnd['state'] {
  if (archive !== null) return archivedState(result, damage)
  try {
    const state = { ...stateOf(join(root, path), result), damage }
    const isSame = statSync(join(root, path)).mtimeMs === state.mtime
    return isSame || last === null || stillHolds(join(root, path), last) ? state : null
  } catch {
    return null
  }
}

/** Whether a file that was written to meanwhile has grown only: another one may stand in its place. */
function stillHolds(path: string, { offset, length, text, whole, rows = 1 }: RawRow): boolean {
  // Of a row that was reduced, and of several rows, the text is not that of the bytes.
  if (!whole || rows > 1) return true
  const bytes = Buffer.alloc(length)
  const got = withFile(path, file => file.read(bytes, 0, length, offset))
  return bytes.toString('utf8', 0, got).replace(/\r$/, '') === text
}

/** A file in the archive changes only as a whole: there are no bytes to compare with. */
function archivedState({ next, pending, mtime, inode }: ReadResult, damage: Damage): ReadingEnd['state'] {
  const size = next.offset + (pending?.length ?? 0)
  return { size, mtime, inode, offset: next.offset, row: next.row, headHash: '', tailHash: '', damage }
}

/** Takes rows until a chunk is full. */
class Taker {
  private readonly see: OnChunk
  private rows: ParsedRow[] = []
  private texts: TextFact[] = []
  private messages: MessageFact[] = []
  private touched: TouchedFact[] = []
  private uuids: string[] = []
  private calls: CallFact[] = []
  private size = 0
  private last: RawRow | null = null
  private firstNode: number
  private nth: number
  /** Names of tools by the ids of their calls, within this reading. */
  private readonly tools = new Map<string, string>()
  private readonly facts: IndexedFacts

  constructor(job: ReadJob, see: OnChunk) {
    this.see = see
    this.facts = job.facts
    this.nth = job.from?.nodes ?? 0
    this.firstNode = this.nth
  }

  /** Entries of the file up to here. */
  nodes(): number {
    return this.nth
  }

  /** The last complete row of this reading. */
  lastRow(): RawRow | null {
    return this.last
  }

  /** Takes a row after its records. */
  take(row: ParsedRow, raw: RawRow): void {
    this.last = raw
    this.rows.push(row)
    if (this.rows.length >= MOST_ROWS || this.size > MOST_TEXT) this.flush()
  }

  takeRecord(json: Json, record: TranscriptRecord): void {
    const isEntry = 'id' in record
    const nth = isEntry ? this.nth : -1
    if (record.kind === 'assistant') this.takeAnswer(json, record, nth)
    for (const { field, text, tool, call, hasFailed } of textsOf(json, record)) {
      const kept = setApart(shorten(text, field))
      this.size += kept.length
      const name = tool ?? this.tools.get(call ?? '') ?? null
      const open = name === null ? call : null
      this.texts.push([nth, record.source, record.time, FIELDS.indexOf(field), name, hasFailed, kept, open])
    }
    if (!isEntry) return
    this.uuids.push(record.id)
    this.nth++
  }

  private takeAnswer(json: Json, record: TranscriptRecord & { kind: 'assistant' }, nth: number): void {
    for (const { id, name } of record.calls) {
      this.tools.set(id, name)
      this.calls.push([nth, id, name])
    }
    if (record.kind === 'assistant' && record.calls.length > 0)
      for (const { path, tool } of touchedFiles(json)) this.touched.push([nth, path, tool])
    const usage = readMessageUsage(json)
    // Parts of one message may lie on different lines, of which the live one counts: they are joined when asked for.
    if (usage !== null) this.messages.push({ ...usage, nth, version: record.version })
  }

  flush(): void {
    const [first] = this.rows
    if (first !== undefined) {
      const chunk: Chunk = {
        row: first.row,
        firstNode: this.firstNode,
        count: this.rows.length,
        rows: packRows(this.rows),
        uuids: this.uuids,
        calls: this.calls,
        texts: this.texts,
        messages: this.messages,
        touched: this.touched,
        linkKeys: [...linkKeysOf(this.facts, this.rows)],
      }
      this.see(chunk, this.rows)
    }
    this.rows = []
    this.texts = []
    this.messages = []
    this.touched = []
    this.uuids = []
    this.calls = []
    this.size = 0
    this.firstNode = this.nth
  }
}

/** How much of a text is searchable: its head and its tail, in characters (docs/SPEC.md, I4). */
export const TEXT_LIMITS: Readonly<
  Record<'output' | 'input' | 'attached' | 'other', { readonly head: number; readonly tail: number }>
> = {
  output: { head: 8000, tail: 4000 },
  input: { head: 16_000, tail: 8000 },
  attached: { head: 16_000, tail: 8000 },
  other: { head: 200_000, tail: 50_000 },
}

/** The part of a text that is indexed. */
export function shorten(text: string, field: TextField): string {
  const { head, tail } = TEXT_LIMITS[limitFor(field)]
  return text.length <= head + tail ? text : `${text.slice(0, head)}\n${text.slice(-tail)}`
}

function limitFor(field: TextField): keyof typeof TEXT_LIMITS {
  if (field === 'output' || field === 'input') return field
  return ATTACHED.has(field) ? 'attached' : 'other'
}

const ATTACHED: ReadonlySet<TextField> = new Set(['memory', 'skill', 'hook', 'file', 'context'])
