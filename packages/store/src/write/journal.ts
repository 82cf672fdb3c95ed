/**
 * The journal of edits: one JSON object per line, appended and synced before anything is done and after it was. Its
 * folder in the XDG data folder also keeps the originals of what was mended in place.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { MoveRecord } from '../move/record.js'
import { dataFolder } from '../places.js'

/** A file that an edit has made or replaced, by its absolute path. */
export interface EditedFile {
  readonly path: string
  readonly bytes: number
  /** sha256 in hex of what the edit has written. */
  readonly hash: string
  /** The original, for a file that was replaced. */
  readonly backup: Backup | null
}

/** An original that was kept. */
export interface Backup {
  readonly path: string
  readonly bytes: number
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly mtime: number
  readonly mode: number
}

/** What an edit sets out to do: enough to clean up after it was killed. */
export interface EditIntent {
  readonly command: string
  /** The session that is written, and the one it comes from. */
  readonly session: string
  readonly from: string
  readonly title: string | null
  /** The transcript. */
  readonly target: string
  /** The folder of the session, where the edit makes one. */
  readonly folder: string | null
  /** Names under which things are written first. */
  readonly temporary: readonly string[]
  /** Where the original goes, when it is replaced. */
  readonly backup: string | null
  /** A project that was moved, instead of a session that was written. */
  readonly move?: MoveRecord
  /** The first edit of the same command: they are taken back together. */
  readonly with?: number
}

/** An edit as the journal knows it. `begun` ones were killed, or are under way. */
export interface EditRecord extends EditIntent {
  readonly number: number
  /** Milliseconds since 1970. */
  readonly time: number
  readonly state: 'begun' | 'done' | 'dropped' | 'undone'
  readonly files: readonly EditedFile[]
}

/** What one line says. */
interface JournalLine {
  readonly number: number
  readonly time: number
  /** An edit that turned out `needless` is forgotten: there is nothing of it, and its number is free again. */
  readonly state: EditRecord['state'] | 'needless'
  readonly intent?: EditIntent
  readonly files?: readonly EditedFile[]
}

/** The folder of the journal. */
export function journalFolder(): string {
  return join(dataFolder(), 'edits')
}

/** All edits, the oldest first. A torn last line, after a crash, is passed over. */
export function readJournal(folder: string = journalFolder()): readonly EditRecord[] {
  const path = join(folder, 'journal.jsonl')
  if (!existsSync(path)) return []
  const edits = new Map<number, EditRecord>()
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    const line = lineOf(text)
    if (line === null) continue
    const { number, time, state, intent, files } = line
    const known = edits.get(number)
    if (state === 'needless') edits.delete(number)
    else if (intent !== undefined) edits.set(number, { ...intent, number, time, state, files: [] })
    else if (known !== undefined) edits.set(number, { ...known, state, files: files ?? known.files })
  }
  return [...edits.values()]
}

/** The number of the next edit. Only with the lock held. */
export function nextNumber(): number {
  return readJournal().reduce((most, { number }) => Math.max(most, number), 0) + 1
}

function lineOf(text: string): JournalLine | null {
  try {
    const line: JournalLine | null = JSON.parse(text)
    return line !== null && typeof line === 'object' && Number.isInteger(line.number) ? line : null
  } catch {
    return null
  }
}

/** Appends a line and waits for the disk. Throws what the file system throws. */
export function appendJournal(line: JournalLine, folder: string = journalFolder()): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'journal.jsonl')
  const isTorn =
    existsSync(path) && !readFileSync(path, 'utf8').endsWith('\n') && readFileSync(path).length > 0
  const file = openSync(path, 'a', 0o600)
  try {
    writeSync(file, `${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
