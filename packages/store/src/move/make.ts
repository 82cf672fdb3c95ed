/** Making a move: the originals are kept, and the journal has the move, before the first file changes. */
import { existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inFileSystem } from '../files/sink.js'
import { withLock } from '../write/commit.js'
import { copyFile, syncFolder } from '../write/files.js'
import type { MoveRecord, RecordedFile } from '../write/journal.js'
import {
  appendDone,
  appendJournal,
  type EditIntent,
  type EditRecord,
  journalFolder,
} from '../write/journal.js'
import { recoverEdits } from '../write/recover.js'
import { applyMove, removeParts } from './apply.js'
import type { MovedFile, MovePlan } from './plan.js'

/** Options of a move, besides its plan. */
interface MoveOptions {
  /** Receives each file when it is done. */
  readonly tell?: (file: MovedFile) => void
  /** The number of the same move in another root: they are taken back together. */
  readonly with?: number
}

/**
 * Makes a move and gives its number in the journal. Throws `StoreError`: what was done by then is done and can be
 * taken back, and the same move made again goes on from there.
 */
export function makeMove(plan: MovePlan, now: number, options: MoveOptions = {}): number {
  return withLock(() => {
    const number = recoverEdits()
    const folder = join(journalFolder(), String(number))
    begin(plan, folder, { number, time: now, ...options })
    let done = 0
    try {
      for (const file of applyMove(plan)) {
        done++
        options.tell?.(file)
      }
    } finally {
      const isBegun = done > 0 || !isUntouched(plan)
      if (!isBegun) inFileSystem(plan.root, () => removeParts(plan))
      end(isBegun, { number, time: now }, folder)
    }
    return number
  })
}

/** Whatever was moved can be taken back; where nothing was, nothing is kept. */
function end(isBegun: boolean, line: Pick<EditRecord, 'number' | 'time'>, folder: string): void {
  if (isBegun) {
    appendDone({ ...line, state: 'done' }, 'Files were moved')
    return
  }
  appendJournal({ ...line, state: 'dropped' })
  rmSync(folder, { recursive: true, force: true })
}

/** Keeps the originals and writes what is to be done into the journal, or leaves nothing of both. */
function begin(
  plan: MovePlan,
  folder: string,
  { number, time, with: first }: Pick<EditRecord, 'number' | 'time' | 'with'>,
): void {
  inFileSystem(journalFolder(), () => {
    try {
      const made = intentOf(keepOriginals(plan, folder))
      const intent = first === undefined ? made : { ...made, with: first }
      appendJournal({ number, time, state: 'begun', intent })
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  })
}

/** Whether a move that came to no end with any file has not even renamed the first: there is nothing to take back. */
function isUntouched({ files: [first] }: MovePlan): boolean {
  return first !== undefined && (first.path === first.target || existsSync(first.path))
}

function keepOriginals({ root, from, to, moves, files, deep }: MovePlan, folder: string): MoveRecord {
  // What a killed move left there belongs to nothing.
  rmSync(folder, { recursive: true, force: true })
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
