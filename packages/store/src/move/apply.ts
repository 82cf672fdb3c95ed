/**
 * M5: carrying out a move, file by file. New bytes are written first; then each step is one rename: a file is put into its
 * new folder, and its new bytes take the place of the old ones. Cut off anywhere, every file is whole, and the same move
 * made again goes on from there.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf, StoreError } from '../files/failures.js'
import { renameFile } from '../files/rename.js'
import { writeAll } from '../files/sink.js'
import { chunksOf } from '../files/whole.js'
import { PART_END } from './paths.js'
import type { MovedFile, MovePlan } from './plan.js'
import { startRewrite } from './rewrite.js'

/**
 * Carries out a plan, and tells of each file when it is done. All new bytes are written beside their places before the
 * first file moves: where something cannot be read, or the disk is full, nothing has changed. Throws `StoreError`.
 */
export function* applyMove(plan: MovePlan): Generator<MovedFile, void> {
  writeParts(plan)
  for (const file of plan.files) {
    guarded(file.path, () => moveFile(plan, file))
    yield file
  }
}

function writeParts(plan: MovePlan): void {
  try {
    for (const file of plan.files) if (file.values > 0) guarded(file.path, () => writePart(plan, file))
  } catch (error) {
    removeParts(plan)
    throw error
  }
}

/** Removes new bytes that were written and did not take their place. */
export function removeParts({
  files,
  root,
}: Pick<MovePlan, 'root'> & { readonly files: readonly Pick<MovedFile, 'target'>[] }): void {
  for (const { target } of files) {
    rmSync(partOf(target), { force: true })
    removeEmpty(dirname(target), root)
  }
}

function moveFile(plan: MovePlan, file: MovedFile): void {
  const { path, target, kind, values } = file
  if (kind !== 'history') refuseChanged(file)
  if (target !== path) {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    if (existsSync(target))
      throw new StoreError('busy', `${target} is there already: look at both, and keep one.`)
    renameFile(path, target)
    removeEmpty(dirname(path), plan.root)
  }
  if (values === 0) return
  // The history of prompts belongs to all sessions, and may grow at any time: what is new comes along.
  if (kind === 'history' && statSync(target).mtimeMs !== file.mtime) writePart(plan, file)
  renameFile(partOf(target), target)
}

/** A file that was written to since the plan was made is not what was planned for. */
function refuseChanged({ path, bytes, mtime }: MovedFile): void {
  const now = statSync(path)
  if (now.size !== bytes || now.mtimeMs !== mtime) throw writtenMeanwhile(path)
}

function writtenMeanwhile(path: string): StoreError {
  return new StoreError(
    'busy',
    `${path} was written to meanwhile: end the session, then run the same command again, which goes on from here.`,
  )
}

/** Writes the new bytes beside their place, with the time and rights of the old ones. */
function writePart({ moves, deep }: MovePlan, { path, target, kind, hash: planned }: MovedFile): void {
  const part = partOf(target)
  const { mode, atimeMs, mtimeMs } = statSync(path)
  const isWhole = !target.endsWith('.jsonl')
  const rewriter = startRewrite({ moves, deep: deep && kind === 'transcript', isWhole })
  const hash = createHash('sha256')
  mkdirSync(dirname(part), { recursive: true, mode: 0o700 })
  rmSync(part, { force: true })
  const out = openSync(part, 'wx', 0o600)
  try {
    let read = 0
    do {
      for (const chunk of chunksOf(path, read)) {
        read += chunk.length
        hash.update(chunk)
        for (const bytes of rewriter.write(chunk)) writeAll(out, bytes)
      }
    } while (statSync(path).size > read)
    for (const bytes of rewriter.end()) writeAll(out, bytes)
    if (kind !== 'history' && hash.digest('hex') !== planned) throw writtenMeanwhile(path)
    futimesSync(out, atimeMs / 1000, mtimeMs / 1000)
    fsyncSync(out)
  } finally {
    closeSync(out)
  }
  chmodSync(part, mode & 0o7777)
}

/** The name under which the new bytes of a file are written first; a killed move leaves it, the next takes it away. */
function partOf(target: string): string {
  return join(dirname(target), `.${basename(target)}${PART_END}`)
}

/** Takes away folders in which nothing is left, upwards as far as a root, which stays. */
function removeEmpty(folder: string, root: string): void {
  try {
    for (let at = folder; at !== root && at.startsWith(root); at = dirname(at)) rmdirSync(at)
  } catch {
    // A folder with something in it stays, and one that cannot be taken away does no harm.
  }
}

function guarded(path: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    const code = codeOf(error)
    if (error instanceof StoreError || code === null) throw error
    const again = 'then run the same command again, which goes on from here'
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new StoreError('full', `The disk of ${path} is full: make room, ${again}.`, error)
    throw new StoreError(
      'read-only',
      `${path} cannot be moved (${code}): check the permissions, ${again}.`,
      error,
    )
  }
}
