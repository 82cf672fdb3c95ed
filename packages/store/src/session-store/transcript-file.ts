/** B8: a transcript that a store appends to: whole rows, in the order of the calls. */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  addStored,
  beforeWriting,
  isMetadata,
  noRows,
  notStored,
  type SessionStoreEntry,
  type StoredRows,
} from './stored-rows.js'

/** A transcript file of a store. */
export interface TranscriptFile {
  /** Appends what is not stored yet. */
  readonly append: (entries: readonly SessionStoreEntry[]) => Promise<void>
  /** All entries; null where nothing was ever written. */
  readonly load: () => Promise<SessionStoreEntry[] | null>
  readonly remove: () => Promise<void>
  /** Whether no call is under way. */
  readonly isIdle: () => boolean
}

const NEWLINE = 0x0a

/** Opens a transcript. Nothing is read yet; calls are done one after the other. */
export function openTranscriptFile(path: string): TranscriptFile {
  const known: Known = { rows: noRows(), bytes: 0 }
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    waiting++
    const result = last.then(work).finally(() => {
      waiting--
    })
    last = result.catch(() => {})
    return result
  }
  return {
    append: entries =>
      inTurn(async () => {
        await appendTo(path, entries, known)
        const metadata = entries.findLast(isMetadata)
        if (metadata !== undefined) await writeMetadata(path, metadata)
      }),
    load: () => inTurn(async () => await readEntries(path)),
    remove: () =>
      inTurn(async () => {
        forget(known)
        await rm(path, { force: true })
        await rm(metadataPath(path), { force: true })
      }),
    isIdle: () => waiting === 0,
  }
}

/** What is known of a file: its whole rows up to some byte. */
interface Known {
  rows: StoredRows
  bytes: number
}

function forget(known: Known): void {
  known.rows = noRows()
  known.bytes = 0
}

async function appendTo(path: string, entries: readonly SessionStoreEntry[], known: Known): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600)
  try {
    const isTorn = await catchUp(file, known)
    const takeBack = beforeWriting(known.rows)
    const fresh = notStored(known.rows, entries)
    const text = fresh.map(entry => `${JSON.stringify(entry)}\n`).join('')
    try {
      // A row that a crash cut off stays a row of its own: it was never acknowledged.
      if (fresh.length > 0) await writeWhole(file, Buffer.from(isTorn ? `\n${text}` : text))
    } catch (error) {
      takeBack(known.rows)
      throw error
    }
  } finally {
    await file.close()
  }
}

/** One write, so that rows of several processes do not mix. Where it fails, what it wrote is taken back. */
async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  const { size } = await file.stat()
  let written = 0
  try {
    while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten
  } catch (error) {
    // Unless another process has written behind it.
    if (written > 0 && (await file.stat()).size === size + written) await file.truncate(size)
    throw error
  }
}

/**
 * Reads what was written since, by this process or another one; whether the file ends within a row. A file that became
 * shorter is another file.
 */
async function catchUp(file: FileHandle, known: Known): Promise<boolean> {
  const { size } = await file.stat()
  if (size < known.bytes) forget(known)
  const more = Buffer.alloc(size - known.bytes)
  await file.read(more, 0, more.length, known.bytes)
  for (const entry of entriesIn(more)) addStored(known.rows, entry)
  const whole = more.lastIndexOf(NEWLINE) + 1
  known.bytes += whole
  return whole < more.length
}

async function readEntries(path: string): Promise<SessionStoreEntry[] | null> {
  try {
    return [...entriesIn(await readFile(path))]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The entries of whole rows. What is not an entry was not written by a store: the reader of transcripts reports it. */
export function* entriesIn(bytes: Buffer): Generator<SessionStoreEntry> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start)
    if (end < 0) return
    const entry = entryIn(bytes.toString('utf8', start, end))
    if (entry !== null) yield entry
    start = end + 1
  }
}

function entryIn(row: string): SessionStoreEntry | null {
  try {
    const value: unknown = JSON.parse(row)
    return isEntry(value) ? value : null
  } catch {
    return null
  }
}

function isEntry(value: unknown): value is SessionStoreEntry {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The sidecar, for readers of the layout of Claude Code. */
function metadataPath(path: string): string {
  return path.replace(/\.jsonl$/, '.meta.json')
}

async function writeMetadata(path: string, { type: _, ...fields }: SessionStoreEntry): Promise<void> {
  const part = `${metadataPath(path)}.${process.pid}.part`
  await writeFile(part, JSON.stringify(fields), { mode: 0o600 })
  await rename(part, metadataPath(path))
}
