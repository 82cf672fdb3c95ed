/**
 * The journal of edits: one JSON object per line, appended and synced before anything is done and after it was. Its
 * folder in the XDG data folder also keeps the originals of what was repaired in place.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { adviceFor, codeOf, reasonFor, StoreError } from '../files/failures.js'
import { dataFolder } from '../files/folders.js'
import { writeAll } from '../files/sink.js'

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

/** A folder's old and new path; everything below it moves, too. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** A file that was to change, to move, or both. */
export interface RecordedFile {
  readonly path: string
  /** The same as `path` where it stays. */
  readonly target: string
  /** The original, where its bytes were to change. */
  readonly backup: string | null
  /** Milliseconds since 1970, of the original. */
  readonly mtime: number
  readonly mode: number
  /** Whether paths inside of messages change, too. */
  readonly deep: boolean
  /** A file of all projects, which Claude Code writes at any time. */
  readonly isCommon: boolean
}

/** A whole move. New bytes are not kept: they follow from the original and the moves. */
export interface MoveRecord {
  /** The projects root. */
  readonly root: string
  readonly from: string
  readonly to: string
  readonly moves: readonly Move[]
  readonly files: readonly RecordedFile[]
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
  /** When it began by the clock of the machine, in milliseconds since 1970: what is older than that is not its work. */
  readonly began?: number
  /** The uppermost folder that the edit makes, where there is none for its transcript yet. */
  readonly newFolder?: string
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
export interface JournalLine {
  readonly number: number
  readonly time: number
  /** An edit that turned out `needless` is forgotten: there is nothing of it, and its number is free again. */
  readonly state: EditRecord['state'] | 'needless'
  readonly intent?: EditIntent
  readonly files?: readonly EditedFile[]
}

/** The names that an edit uses besides that of its transcript: temporary ones, its folder, its backup. */
export function pathsOfEdit({
  target,
  session,
  number,
  isInPlace,
}: Pick<EditRecord, 'target' | 'session' | 'number'> & { readonly isInPlace: boolean }): Pick<
  EditIntent,
  'temporary' | 'folder' | 'backup'
> {
  const part = (name: string): string => join(dirname(target), `.${name}.dagline-${number}`)
  const rows = part(basename(target))
  return {
    folder: isInPlace ? null : join(dirname(target), session),
    temporary: isInPlace ? [rows] : [rows, part(session)],
    backup: isInPlace ? join(journalFolder(), String(number), basename(target)) : null,
  }
}

/** The folder of the journal. */
export function journalFolder(): string {
  return join(dataFolder(), 'edits')
}

/** All edits, the oldest first. A torn last line, after a crash, is passed over. Throws `StoreError`. */
export function readJournal(folder: string = journalFolder()): readonly EditRecord[] {
  const path = join(folder, 'journal.jsonl')
  if (!existsSync(path)) return []
  const edits = new Map<number, EditRecord>()
  for (const text of textOf(path).split('\n')) {
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

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const why = `The journal of edits, ${path}, could not be read: ${reasonFor(error)}.`
    throw new StoreError('unreachable', `${why} ${adviceFor(codeOf(error))}`, error)
  }
}

function lineOf(text: string): JournalLine | null {
  try {
    const line: JournalLine | null = JSON.parse(text)
    return line !== null && typeof line === 'object' && Number.isInteger(line.number) ? line : null
  } catch {
    return null
  }
}

/** Appends a line and waits for the disk. Throws `StoreError`; a line that was written in part is passed over. */
export function appendJournal(line: JournalLine, folder: string = journalFolder()): void {
  const path = join(folder, 'journal.jsonl')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = openSync(path, 'a+', 0o600)
    try {
      writeAll(file, Buffer.from(`${endsInLine(file) ? '' : '\n'}${JSON.stringify(line)}\n`))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw new StoreError(kindOf(error), messageFor(path, error), error)
  }
}

/**
 * Notes that something is done. A journal that cannot be written leaves the edit begun, and recovery ends it as done;
 * the `StoreError` that is thrown says so.
 */
export function appendDone(line: JournalLine, what: string): void {
  try {
    appendJournal(line)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const next = `\`dagline undo ${line.number}\` undoes it.`
    throw new StoreError(
      error.kind,
      `${what}, but the journal of edits was not. ${error.message} ${next}`,
      error,
    )
  }
}

/** Whether the next line can begin here: a process that was killed leaves the last one torn. */
function endsInLine(file: number): boolean {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a)
}

function kindOf(error: unknown): 'full' | 'read-only' {
  const code = codeOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? 'full' : 'read-only'
}

function messageFor(path: string, error: unknown): string {
  if (kindOf(error) === 'full')
    return `The disk is full, so that the journal of edits, ${path}, cannot be written: make room, then try again.`
  return `The journal of edits, ${path}, cannot be written (${reasonFor(error)}): check its permissions, then try again.`
}
