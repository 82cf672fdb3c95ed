/** E10: taking an edit back: what it made is removed, what it replaced comes back byte for byte. Nothing newer is touched. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StoreError } from '../files/failures.js'
import { renameFile } from '../files/rename.js'
import { inFileSystem } from '../files/sink.js'
import { removeEmptyFolder, removeEmptyFolders, withLock } from '../write/commit.js'
import { copyFile, hashOf, syncFolder } from '../write/files.js'
import {
  appendJournal,
  type Backup,
  type EditedFile,
  type EditRecord,
  readJournal,
} from '../write/journal.js'
import { recoverEdits } from '../write/recover.js'
import { unmakeMove } from './unmake.js'

/**
 * Takes an edit back, the one with the number or the last that was done, and all others of the same command. Throws
 * `StoreError`.
 */
export function undoEdit(number: number | null, now: number): EditRecord {
  return withLock(() => {
    recoverEdits()
    const edit = chosen(number)
    const edits = sameCommand(edit)
    for (const each of edits) undoMove(each)
    for (const each of edits) for (const file of each.files) refuseChanged(each, file)
    for (const each of edits) undoOne(each, now)
    const [first = edit] = edits
    const { move } = first
    const moved = edits.flatMap(each => each.move?.files ?? [])
    const files = edits.flatMap(each => each.files)
    return { ...first, files, ...(move === undefined ? {} : { move: { ...move, files: moved } }) }
  })
}

/** The edits of one command that are still done, the first first. */
function sameCommand(edit: EditRecord): readonly EditRecord[] {
  const first = edit.with ?? edit.number
  const others = readJournal().filter(known => known.number === first || known.with === first)
  return others.filter(({ state }) => state === 'done')
}

/** A move that is not the last word on where its files are waits for the later one. */
function undoMove(edit: EditRecord): void {
  const { move } = edit
  if (move === undefined) return
  for (const { target } of move.files) if (!existsSync(target)) refuseLater(edit, target)
  unmakeMove(move)
}

function undoOne({ number, files, folder, target, newFolder }: EditRecord, now: number): void {
  for (const file of files) inFileSystem(file.path, () => takeBack(file))
  if (folder !== null) inFileSystem(folder, () => removeFolders(folder))
  if (newFolder !== undefined) removeEmptyFolders(dirname(target), newFolder)
  appendJournal({ number, time: now, state: 'undone' })
}

function chosen(number: number | null): EditRecord {
  const edits = readJournal()
  const found = edits.findLast(edit => (number === null ? edit.state === 'done' : edit.number === number))
  if (found === undefined) {
    const what = number === null ? 'There is no edit to undo' : `There is no edit ${number}`
    throw new StoreError('unreachable', `${what}. Run \`dagline history\` to list them.`)
  }
  if (found.state === 'done') return found
  const what = found.state === 'undone' ? 'was undone already' : 'was never finished'
  throw new StoreError(
    'unreachable',
    `Edit ${found.number} ${what}. Run \`dagline history\` to list the others.`,
  )
}

/** A file that is as the edit left it, or as it was before (an undo was killed): anything else is the work of another program. */
function refuseChanged(edit: EditRecord, { path, hash, backup }: EditedFile): void {
  const present = hashOf(path)
  if (present === hash) return
  refuseLater(edit, path)
  const isBefore = backup === null ? present === null : present === backup.hash
  if (isBefore) return
  const next =
    backup === null
      ? 'Copy what you need, then remove it by hand.'
      : `What it was before is kept in ${backup.path}.`
  throw new StoreError(
    'busy',
    `${path} ${present === null ? 'is gone' : 'has changed'} since edit ${edit.number}: nothing was undone. ${next}`,
  )
}

/** Refuses where a later edit has changed or moved a file: they are taken back one after the other. */
function refuseLater(edit: EditRecord, path: string): void {
  const later = readJournal().findLast(known => isLater(known, edit, path))
  if (later === undefined) return
  throw new StoreError(
    'busy',
    `Edit ${later.number} (${later.command}) has changed ${path} since: undo that first, with \`dagline undo ${later.number}\`.`,
  )
}

function isLater({ number, state, files, move }: EditRecord, edit: EditRecord, path: string): boolean {
  if (number <= edit.number || state !== 'done') return false
  return files.some(file => file.path === path) || move?.files.some(file => file.path === path) === true
}

function takeBack({ path, backup }: EditedFile): void {
  if (backup === null) rmSync(path, { force: true })
  else if (hashOf(path) !== backup.hash) restore(path, backup)
  syncFolder(dirname(path))
}

function restore(path: string, { path: from, hash, mode, mtime }: Backup): void {
  if (hashOf(from) !== hash)
    throw new StoreError(
      'damaged',
      `The original that was kept, ${from}, is gone or damaged: nothing was changed.`,
    )
  const part = `${path}.dagline-undo`
  rmSync(part, { force: true })
  try {
    copyFile(from, part, { mode, mtime })
    renameFile(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}

/** The session's folder, where nothing is left in it. */
function removeFolders(folder: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeFolders(join(folder, entry.name))
  removeEmptyFolder(folder)
}
