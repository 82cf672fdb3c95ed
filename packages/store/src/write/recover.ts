/** Recovery after a kill: an edit whose transcript has its final name is done, any other is undone. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { takeLock } from '../db/driver.js'
import { StoreError } from '../files/failures.js'
import { inFileSystem } from '../files/sink.js'
import { hashOf, modeOf } from './files.js'
import {
  appendJournal,
  type Backup,
  type EditedFile,
  type EditRecord,
  type JournalLine,
  journalFolder,
  pathsOfEdit,
  readJournal,
} from './journal.js'

/**
 * Ends every edit that was begun and neither done nor given up, and returns the number of the next edit. Only with the
 * lock held. Throws `StoreError`.
 */
export function recoverEdits(): number {
  const edits = readJournal()
  for (const edit of edits) if (edit.state === 'begun') inFileSystem(edit.target, () => recover(edit))
  return edits.reduce((most, { number }) => Math.max(most, number), 0) + 1
}

/**
 * All edits, the oldest first. Those that were killed are ended before, unless another edit is under way or the folder
 * cannot be written. Throws `StoreError` where the journal cannot be read.
 */
export function listEdits(): readonly EditRecord[] {
  if (readJournal().some(({ state }) => state === 'begun')) recoverIfPossible()
  return readJournal()
}

function recoverIfPossible(): void {
  try {
    const release = takeLock(join(journalFolder(), 'journal'), 0)
    if (release === null) return
    try {
      recoverEdits()
    } finally {
      release()
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

function recover(edit: EditRecord): void {
  const { number, time } = edit
  appendJournal({ number, time, ...endOf(edit) })
}

/** What became of an edit; what is left of one that was given up is removed. */
function endOf(edit: EditRecord): Pick<JournalLine, 'state' | 'files'> {
  // A move that was cut off can be taken back as far as it came.
  if (edit.move !== undefined) return { state: 'done' }
  if (!isOwn(edit)) return { state: 'dropped' }
  const files = isInPlace(edit) ? replacedFiles(edit) : madeFiles(edit)
  for (const path of edit.temporary) rmSync(path, { recursive: true, force: true })
  if (files.length > 0) return { state: 'done', files }
  if (edit.folder !== null && isMadeSince(edit.folder, edit.began ?? edit.time))
    rmSync(edit.folder, { recursive: true, force: true })
  if (edit.backup !== null) rmSync(dirname(edit.backup), { recursive: true, force: true })
  return { state: 'dropped' }
}

/** Whether all files of a folder are as young as the edit: what was there before it began is not its work. */
function isMadeSince(folder: string, time: number): boolean {
  return existsSync(folder) && filesBelow(folder).every(path => statSync(path).mtimeMs >= time - CLOCK)
}

/** File systems round times, some to two seconds. */
const CLOCK = 2000

/** Whether a line names the paths that an edit of this number uses. Nothing else is ever removed. */
function isOwn(edit: EditRecord): boolean {
  const { target, session, temporary, folder, backup } = edit
  // The journal is a file: whatever wrote the line, it is checked as data.
  if (typeof target !== 'string' || typeof session !== 'string' || !Array.isArray(temporary)) return false
  if (!isAbsolute(target) || basename(session) !== session || /^\.{0,2}$/.test(session)) return false
  const own = pathsOfEdit({ ...edit, isInPlace: isInPlace(edit) })
  return own.folder === folder && own.backup === backup && own.temporary.join('\n') === temporary.join('\n')
}

function isInPlace({ backup }: EditRecord): boolean {
  return backup !== null
}

/** In place: the temporary file is gone because it has got the name. */
function replacedFiles({ target, backup, temporary }: EditRecord): readonly EditedFile[] {
  const [part = ''] = temporary
  if (backup === null || existsSync(part) || !existsSync(backup) || hashOf(backup) === hashOf(target))
    return []
  return [fileAt(target, backupAt(backup, modeOf(target)))]
}

function madeFiles({ target, folder }: EditRecord): readonly EditedFile[] {
  if (!existsSync(target)) return []
  const beside = folder === null || !existsSync(folder) ? [] : filesBelow(folder)
  return [fileAt(target, null), ...beside.map(path => fileAt(path, null))]
}

function fileAt(path: string, backup: Backup | null): EditedFile {
  return { path, bytes: statSync(path).size, hash: hashOf(path) ?? '', backup }
}

function backupAt(path: string, mode: number): Backup {
  const { size, mtimeMs } = statSync(path)
  return { path, bytes: size, hash: hashOf(path) ?? '', mtime: mtimeMs, mode }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}
