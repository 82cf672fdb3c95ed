/**
 * Carrying out a move, file by file. Each step is one rename: a file is put into its new folder, then its new bytes take
 * the place of the old ones. Cut off anywhere, every file is whole, and the same move made again goes on from there.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StoreFailure } from '../db/driver.js'
import { codeOf } from '../files/failures.js'
import { PART_END } from './paths.js'
import type { MovedFile, MovePlan } from './plan.js'
import { startRewrite } from './rewrite.js'
import { chunksOf } from './scan.js'

/** Carries out a plan, and tells of each file when it is done. Throws `StoreFailure` where the world is in the way. */
export function* applyMove(plan: MovePlan): Generator<MovedFile, void> {
  for (const file of plan.files) {
    guarded(file.path, () => moveFile(plan, file))
    yield file
  }
}

function moveFile(plan: MovePlan, file: MovedFile): void {
  const { path, target, kind } = file
  if (kind !== 'history') refuseChanged(file)
  if (target !== path) {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    if (existsSync(target))
      throw new StoreFailure('busy', `${target} is there already: look at both, and keep one.`)
    renameSync(path, target)
    removeEmpty(dirname(path), plan.root)
  }
  if (file.values > 0) rewriteFile(plan, file)
}

/** A file that was written to since the plan was made is not what was planned for. */
function refuseChanged({ path, bytes, mtime }: MovedFile): void {
  const now = statSync(path)
  if (now.size !== bytes || now.mtimeMs !== mtime)
    throw new StoreFailure(
      'busy',
      `${path} was written to meanwhile: end the session, then run the same command again, which goes on from here.`,
    )
}

/** Writes the new bytes beside, with the time and rights of the old ones, and puts them in their place. */
function rewriteFile({ moves, deep }: MovePlan, { target, kind }: MovedFile): void {
  const part = partOf(target)
  const { mode, atimeMs, mtimeMs } = statSync(target)
  const rewriter = startRewrite({
    moves,
    deep: deep && kind === 'transcript',
    isWhole: !target.endsWith('.jsonl'),
  })
  try {
    rmSync(part, { force: true })
    const out = openSync(part, 'wx', 0o600)
    try {
      let read = 0
      // The history of prompts belongs to all sessions, and may grow at any time: what is new comes along.
      do {
        for (const chunk of chunksOf(target, read)) {
          read += chunk.length
          for (const bytes of rewriter.write(chunk)) writeAll(out, bytes)
        }
      } while (statSync(target).size > read)
      for (const bytes of rewriter.end()) writeAll(out, bytes)
      futimesSync(out, atimeMs / 1000, mtimeMs / 1000)
      fsyncSync(out)
    } finally {
      closeSync(out)
    }
    chmodSync(part, mode & 0o7777)
    renameSync(part, target)
  } finally {
    rmSync(part, { force: true })
  }
}

/** The name under which the new bytes of a file are written first; a killed move leaves it, the next takes it away. */
export function partOf(target: string): string {
  return join(dirname(target), `.${basename(target)}${PART_END}`)
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done)
}

/** Takes away folders in which nothing is left, upwards as far as a root, which stays. */
export function removeEmpty(folder: string, root: string): void {
  try {
    for (
      let at = folder;
      at !== root && at.startsWith(root) && readdirSync(at).length === 0;
      at = dirname(at)
    )
      rmdirSync(at)
  } catch {
    // A folder that cannot be taken away does no harm.
  }
}

function guarded(path: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    const code = codeOf(error)
    if (error instanceof StoreFailure || code === null) throw error
    const again = 'then run the same command again, which goes on from here'
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new StoreFailure('full', `The disk of ${path} is full: make room, ${again}.`, error)
    throw new StoreFailure(
      'read-only',
      `${path} cannot be moved (${code}): check the permissions, ${again}.`,
      error,
    )
  }
}
