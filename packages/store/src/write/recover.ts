/** After a kill: an edit whose transcript has its name is done, any other has not been. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashOf, modeOf } from './files.js'
import { appendJournal, type Backup, type EditedFile, type EditRecord, readJournal } from './journal.js'

/** Ends every edit that was begun and neither done nor given up. Only with the lock held. */
export function recoverEdits(): void {
  for (const edit of readJournal()) {
    if (edit.state !== 'begun') continue
    // A move that was cut off can be taken back as far as it came.
    if (edit.move !== undefined) {
      appendJournal({ number: edit.number, time: edit.time, state: 'done' })
      continue
    }
    const files = isInPlace(edit) ? replacedFiles(edit) : madeFiles(edit)
    for (const path of edit.temporary) rmSync(path, { recursive: true, force: true })
    const { number, time } = edit
    if (files.length > 0) appendJournal({ number, time, state: 'done', files })
    else {
      if (edit.folder !== null) rmSync(edit.folder, { recursive: true, force: true })
      if (edit.backup !== null) rmSync(dirname(edit.backup), { recursive: true, force: true })
      appendJournal({ number, time, state: 'dropped' })
    }
  }
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
