/**
 * E11: writing an edit. Every file is written whole under another name, checked, synced, and then given its name; the
 * transcript comes last, so that a session is there with all that belongs to it or not at all. The journal knows what
 * was begun: what a killed process left is cleaned up by the next edit.
 */
import { existsSync, mkdirSync, realpathSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { type RawRow, startRows } from '@dagline/core'
import {
  type EditPlan,
  type PlannedCopy,
  type PlanProof,
  proofOf,
  renderSidecarRow,
  type Saved,
  startRereading,
  type TextChange,
  trimsNothing,
} from '@dagline/core/edit'
import { takeLock } from '../db/driver.js'
import { codeOf, StoreError } from '../files/failures.js'
import { renameFile } from '../files/rename.js'
import { readRows } from '../files/rows.js'
import { inFileSystem, openSink, putInPlace } from '../files/sink.js'
import { notWhole, openSource, readingSource, type WholeSources } from '../files/whole.js'
import { copyFile, hashOf, modeOf, syncFolder } from './files.js'
import {
  appendDone,
  appendJournal,
  type Backup,
  type EditedFile,
  type EditIntent,
  type EditRecord,
  type JournalLine,
  journalFolder,
  pathsOfEdit,
} from './journal.js'
import { recoverEdits } from './recover.js'
import { type Rendered, type RowSink, renderPlan } from './render.js'

/** A proof under way. */
export interface Proving {
  /** The next row of the new file, without its newline; a row too long to hold is shown reduced. */
  readonly row: (text: string) => void
  /** After the last row, when all bytes of the file are written. */
  readonly end: (bytes: number) => Promise<PlanProof>
  /** Releases all resources; may be called after `end`. */
  readonly close: () => void
}

/** Starts to prove a plan whose rows are written to a path that is not there yet. */
export type Prover = (plan: EditPlan, path: string) => Proving

/** Proves in this process: each row is read as it passes by. */
export const proveHere: Prover = plan => {
  const reading = startRereading(plan)
  return { row: reading.row, end: async bytes => proofOf(plan, reading.end(bytes)), close: () => {} }
}

/** An edit that is to be written. */
export interface Edit {
  readonly plan: EditPlan
  /** The files that the rows and sidecars come from. */
  readonly sources: WholeSources
  /** Absolute path of the transcript that is written. */
  readonly target: string
  /** The transcript it comes from: the new one gets its mode, and in place it is replaced. */
  readonly original: string
  readonly texts: readonly TextChange[]
  /** Spilled results of the source: those that the rows speak of come along. */
  readonly spilled: readonly PlannedCopy[]
  readonly now: number
  /** The number of the first edit of the same command, where this is a further one. */
  readonly with?: number
}

/** What was written. */
interface EditOutcome {
  /** Its number in the journal; null for a trim with nothing to trim, of which nothing is left. */
  readonly number: number | null
  readonly rows: number
  readonly bytes: number
  readonly saved: Saved
  /** What is live in the new session. */
  readonly live: readonly string[]
  /** What a resume of the source loads and a resume of the new session does not. */
  readonly gone: readonly string[]
  readonly files: readonly EditedFile[]
}

/** A plan that was rendered and proved. */
export type EditTrial = Rendered & PlanProof

/** Renders and proves a plan without writing anything. Calls `see` with each row, without its newline. */
export function tryEdit(
  { plan, sources, texts }: Pick<Edit, 'plan' | 'sources' | 'texts'>,
  see: (row: string) => void = () => {},
): EditTrial {
  const { row: read, end } = startRereading(plan)
  let size = 0
  const sink: RowSink = {
    row: text => {
      read(text)
      see(text)
    },
    text: text => {
      size += Buffer.byteLength(text)
    },
    bytes: bytes => {
      size += bytes.length
    },
  }
  const rendered = renderPlan(plan, sources, texts, sink)
  return { ...rendered, ...proofOf(plan, end(size)) }
}

/**
 * Writes an edit. Throws `StoreError`; then nothing is left of the edit, unless the message says that only
 * the journal could not be written.
 */
export async function writeEdit(given: Edit, prove: Prover = proveHere): Promise<EditOutcome> {
  const release = lockEdits()
  try {
    const number = recoverEdits()
    const edit = given.plan.copies ? given : throughLinks(given)
    const intent = intentOf(edit, number)
    appendJournal({ number, time: edit.now, state: 'begun', intent })
    const made = await orNothing(intent, { number, time: edit.now }, () => make(edit, number, intent, prove))
    if (made.number !== null) {
      const line = { number, time: edit.now, state: 'done', files: made.files } as const
      appendDone(line, `${edit.target} was written`)
    }
    return made
  } finally {
    release()
  }
}

/** A session that is a link is repaired where it is: the link stays, and the file that it leads to is replaced. */
function throughLinks(edit: Edit): Edit {
  return { ...edit, target: readingSource(edit.target, () => realpathSync(edit.target)) }
}

async function make(edit: Edit, number: number, intent: EditIntent, prove: Prover): Promise<EditOutcome> {
  const written = await writeRows(edit, intent, prove)
  if (!trimsNothing(edit.plan, written.tried.saved))
    return inFileSystem(edit.target, () => putTogether(edit, number, intent, written))
  // The rows do not have their final name yet, so they can be removed without a trace.
  forget(intent, { number, time: edit.now, state: 'needless' })
  const { rows, saved, live, gone } = written.tried
  return { number: null, rows, bytes: written.bytes, saved, live, gone, files: [] }
}

/** Does the work of an edit up to the moment when its transcript gets its name; where it fails nothing is left. */
async function orNothing<T>(
  intent: EditIntent,
  { number, time }: Pick<EditRecord, 'number' | 'time'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    forget(intent, { number, time, state: 'dropped' })
    throw error
  }
}

/** Removes what was written. If that fails, the edit stays begun, and the next edit cleans up. */
function forget(intent: EditIntent, line: JournalLine): void {
  try {
    clearAway(intent)
    appendJournal(line)
  } catch (error) {
    if (!(error instanceof StoreError) && codeOf(error) === null) throw error
  }
}

/** Runs work while no other process edits. */
export function withLock<T>(work: () => T): T {
  const release = lockEdits()
  try {
    return work()
  } finally {
    release()
  }
}

/** Keeps other processes from editing until the returned function is called. */
function lockEdits(): () => void {
  const folder = journalFolder()
  inFileSystem(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  const release = takeLock(join(folder, 'journal'), 5000)
  if (release === null)
    throw new StoreError('busy', 'Another edit is under way: wait for it, then try again.')
  return release
}

function intentOf({ plan, target, with: first }: Edit, number: number): EditIntent {
  const { command, session, from, title } = plan
  const paths = pathsOfEdit({ target, session, number, isInPlace: !plan.copies })
  const newFolder = firstMissing(dirname(target))
  const more = {
    began: Date.now(),
    ...(first === undefined ? {} : { with: first }),
    ...(newFolder === null ? {} : { newFolder }),
  }
  return { command, session, from: from.session, title, target, ...paths, ...more }
}

/** The uppermost folder on a path that is not there; null where all of it is. */
function firstMissing(path: string): string | null {
  if (existsSync(path)) return null
  return firstMissing(dirname(path)) ?? path
}

/** The rows under their other name. */
interface WrittenRows {
  readonly tried: EditTrial
  readonly hash: string
  readonly bytes: number
  /** The original as it was before its rows were read again. */
  readonly before: Stats
}

/** Writes the sidecars and the backup of the original, and renames the transcript last. */
function putTogether(edit: Edit, number: number, intent: EditIntent, written: WrittenRows): EditOutcome {
  const { target } = edit
  const { tried, hash, bytes, before } = written
  const [part = '', folderPart = ''] = intent.temporary
  const sidecars = intent.folder === null ? [] : writeSidecars(edit, tried, folderPart, intent.folder)
  const backup = intent.backup === null ? null : keepOriginal(edit, intent.backup)
  if (backup !== null) {
    const after = readingSource(target, () => statSync(target))
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) throw writtenMeanwhile()
    renameFile(part, target)
  } else {
    if (sidecars.length > 0 && intent.folder !== null) renameFile(folderPart, intent.folder)
    if (!putInPlace(part, target))
      throw new StoreError('unreachable', `${target} is there already and was left as it is: try again.`)
  }
  syncFolder(dirname(target))
  const files = [{ path: target, bytes, hash, backup }, ...sidecars]
  const { rows, saved, live, gone } = tried
  return { number, rows, bytes, saved, live, gone, files }
}

/** Writes the rows under another name, and waits for the proof. */
async function writeRows(edit: Edit, intent: EditIntent, prove: Prover): Promise<WrittenRows> {
  const { plan, target, original } = edit
  const [part = ''] = intent.temporary
  const before = inFileSystem(target, () => {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    return readingSource(original, () => statSync(original))
  })
  const proving = prove(plan, part)
  try {
    const { rendered, hash, bytes } = inFileSystem(target, () => renderTo(part, edit, proving.row))
    const tried = { ...rendered, ...(await proving.end(bytes)) }
    if (tried.fault !== null) throw new UnprovedEdit(plan, tried.fault, tried.isLess)
    return { tried, hash, bytes, before }
  } finally {
    proving.close()
  }
}

function renderTo(
  part: string,
  { plan, sources, texts, original }: Edit,
  row: (text: string) => void,
): { readonly rendered: Rendered; readonly hash: string; readonly bytes: number } {
  const sink = openSink(part, modeOf(original))
  try {
    const rendered = renderPlan(plan, sources, texts, { row, text: sink.text, bytes: sink.bytes })
    return { rendered, ...sink.end() }
  } finally {
    sink.close()
  }
}

/** The result of a plan is not what it promises. */
export class UnprovedEdit extends StoreError {
  /** What the check found. */
  readonly fault: string
  /** Whether the only fault is that a resume would load less than today. */
  readonly isLess: boolean

  constructor(plan: EditPlan, fault: string, isLess: boolean) {
    super('damaged', `Nothing was written, because the check failed: ${fault}; ${ADVICE[plan.command]}.`)
    this.fault = fault
    this.isLess = isLess
  }
}

const REPAIR_FIRST = 'run `dagline repair` on the session first, and edit the repaired one'
const ADVICE: Readonly<Record<EditPlan['command'], string>> = {
  repair: 'please report it, and use `dagline checkout` meanwhile',
  checkout: REPAIR_FIRST,
  fork: '`dagline checkout` makes a session of the same point, without the other branches',
  pick: REPAIR_FIRST,
  split: REPAIR_FIRST,
  trim: REPAIR_FIRST,
}

/** Writes what belongs to the session into a folder of its own; the returned paths are those that it will have. */
function writeSidecars(
  edit: Edit,
  { mentions }: Rendered,
  part: string,
  folder: string,
): readonly EditedFile[] {
  const wanted = edit.spilled.filter(({ from }) => mentions.has(basename(from)))
  const files: EditedFile[] = []
  const copies = new Map([...edit.plan.sidecars, ...wanted].map(copy => [copy.to, copy]))
  for (const copy of copies.values()) {
    const source = join(edit.sources.root, copy.from)
    const to = join(part, copy.to)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    const mode = modeOf(source)
    const written = copy.rows
      ? copyRows(edit, copy.from, to, mode)
      : copyFile(source, to, { mode, mtime: null })
    files.push({ path: join(folder, copy.to), ...written, backup: null })
  }
  return files
}

function copyRows(
  { plan, sources, texts }: Edit,
  path: string,
  to: string,
  mode: number,
): { readonly hash: string; readonly bytes: number } {
  const source = openSource(sources, path)
  const sink = openSink(to, mode)
  try {
    const put = ({ text, offset, length, rows = 1 }: RawRow): void => {
      sink.text(text === '' ? '' : renderSidecarRow(plan, text, texts))
      // Only the last row may have no newline; empty rows come together.
      if (offset + length < source.size) sink.text('\n'.repeat(text === '' ? rows : 1))
    }
    const rows = startRows((_, row) => put(row))
    const { pending, next } = readRows(source, rows.take, { giant: WHOLE })
    rows.end(pending)
    if (next.offset + (pending?.length ?? 0) < source.size)
      throw notWhole(join(sources.root, path), 'it was cut while it was read')
    source.verify()
    return sink.end()
  } finally {
    source.close()
    sink.close()
  }
}

/** Rows of agents are copied whole, however long. */
const WHOLE = 512 * 1024 * 1024

/** Copies the original, which must be, to its last byte, what was read. */
function keepOriginal({ target, original, sources }: Edit, backup: string): Backup {
  mkdirSync(dirname(backup), { recursive: true, mode: 0o700 })
  const { mtimeMs: mtime, mode } = readingSource(target, () => statSync(target))
  const written = copyFile(target, backup, { mode: 0o600, mtime })
  const read = sources.files.get(relative(sources.root, original).split(sep).join('/'))
  if (read?.hash !== written.hash) throw writtenMeanwhile()
  syncFolder(dirname(backup))
  return { path: backup, ...written, mtime, mode: mode & 0o777 }
}

function writtenMeanwhile(): StoreError {
  return new StoreError('busy', 'The session was written to meanwhile: try again when nothing writes to it.')
}

/** Removes what a failed edit has left, never a file with its final name. */
function clearAway({ temporary, folder, target, backup, newFolder }: EditIntent): void {
  for (const path of temporary) rmSync(path, { recursive: true, force: true })
  const isWritten = existsSync(target)
  if (folder !== null && !isWritten) rmSync(folder, { recursive: true, force: true })
  if (backup !== null && existsSync(backup) && hashOf(backup) === hashOf(target))
    rmSync(dirname(backup), { recursive: true, force: true })
  removeEmptyFolders(dirname(target), newFolder)
}

/** Removes folders that an edit made and that have nothing in them, up to the uppermost of them. */
export function removeEmptyFolders(path: string, newFolder: string | undefined): void {
  removeEmptyFolder(path)
  if (newFolder !== undefined && path !== newFolder && path.startsWith(newFolder))
    removeEmptyFolders(dirname(path), newFolder)
}

/** Removes a folder that has nothing in it. */
export function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // A folder that is not empty stays; one that cannot be removed does no harm.
  }
}
