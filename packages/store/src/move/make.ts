/** A move with its net: the originals are kept and the journal knows of it before the first file changes. */
import { linkSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../write/commit.js'
import { copyFile, inFileSystem, syncFolder } from '../write/files.js'
import { appendJournal, type EditIntent, journalFolder, readJournal } from '../write/journal.js'
import { recoverEdits } from '../write/recover.js'
import { applyMove } from './apply.js'
import type { MovedFile, MovePlan } from './plan.js'
import type { MoveRecord, RecordedFile } from './record.js'

/**
 * Makes a move and gives its number in the journal; `tell` hears of each file. Throws `StoreFailure`: what was done by
 * then is done and can be taken back, and the same move made again goes on from there.
 */
export function makeMove(plan: MovePlan, now: number, tell: (file: MovedFile) => void = () => {}): number {
  return withLock(() => {
    recoverEdits()
    const number = Math.max(0, ...readJournal().map(known => known.number)) + 1
    const record = inFileSystem(journalFolder(), () => keepOriginals(plan, number))
    inFileSystem(journalFolder(), () =>
      appendJournal({ number, time: now, state: 'begun', intent: intentOf(record) }),
    )
    try {
      for (const file of applyMove(plan)) tell(file)
    } finally {
      appendJournal({ number, time: now, state: 'done' })
    }
    return number
  })
}

function keepOriginals({ root, from, to, moves, files, deep }: MovePlan, number: number): MoveRecord {
  const folder = join(journalFolder(), String(number))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kept = files.map((file, place): RecordedFile => {
    const { path, target, kind, values } = file
    const { mtimeMs: mtime, mode } = statSync(path)
    const backup = values === 0 ? null : join(folder, String(place))
    if (backup !== null) keep(path, backup, mtime)
    const isCommon = kind === 'history' || kind === 'config'
    return { path, target, backup, mtime, mode: mode & 0o777, deep: deep && kind === 'transcript', isCommon }
  })
  syncFolder(folder)
  return { root, from, to, moves, files: kept }
}

/** A second name is enough where the disk is the same: new bytes take the place of the file, not of its content. */
function keep(path: string, backup: string, mtime: number): void {
  try {
    linkSync(path, backup)
  } catch {
    copyFile(path, backup, { mode: 0o600, mtime })
  }
}

function intentOf(move: MoveRecord): EditIntent {
  const { from, to } = move
  return {
    command: 'mv',
    session: '',
    from: '',
    title: `${from} to ${to}`,
    target: to,
    folder: null,
    temporary: [],
    backup: null,
    move,
  }
}
