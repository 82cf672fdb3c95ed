/**
 * M6: taking a move back, byte for byte. A file that has grown since keeps what was added: it gets its old bytes and the new
 * rows after them. In a file of all projects that was rewritten only the paths are restored. A file that somebody has
 * changed otherwise stops everything before it begins.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreError } from '../files/failures.js'
import { renameFile } from '../files/rename.js'
import { inFileSystem, openSink } from '../files/sink.js'
import { chunksOf } from '../files/whole.js'
import { hashOf, syncFolder } from '../write/files.js'
import type { MoveRecord, RecordedFile } from '../write/journal.js'
import { removeParts } from './apply.js'
import { startRewrite } from './rewrite.js'

/** Takes a move back, whole or, where it was cut off, as far as it came. Throws `StoreError`. */
export function unmakeMove(record: MoveRecord): void {
  const steps = record.files.map(file => ({ file, step: stepFor(record, file) }))
  for (const { file, step } of steps.toReversed()) inFileSystem(file.path, () => takeBack(record, file, step))
  inFileSystem(record.root, () => removeParts(record))
}

/** What is to be done for a file: nothing, a new name, old paths, or its old bytes with what was added since. */
type Step = { readonly do: 'nothing' | 'rename' | 'turn' } | { readonly do: 'restore'; readonly from: number }

function stepFor(record: MoveRecord, file: RecordedFile): Step {
  const { path, target, backup } = file
  if (!existsSync(target)) {
    if (existsSync(path)) return { do: 'nothing' }
    throw changed(record, `${target} is gone`)
  }
  if (target !== path && existsSync(path)) throw changed(record, `${path} is there again`)
  const isOld = backup === null || hashOf(target) === hashOf(backup)
  if (isOld) return { do: target === path ? 'nothing' : 'rename' }
  const written = lengthOfNew(record, { ...file, backup })
  if (written !== null) return { do: 'restore', from: written }
  if (file.isCommon) return { do: 'turn' }
  throw changed(record, `${target} has changed`)
}

function changed({ from, to }: MoveRecord, what: string): StoreError {
  return new StoreError(
    'busy',
    `${what} since this move, so nothing was undone: \`dagline mv\` from ${to} to ${from} moves it as it is now.`,
  )
}

/** How many bytes the move has written, where the file still begins with them; else null. */
function lengthOfNew({ moves }: MoveRecord, file: RecordedFile & { readonly backup: string }): number | null {
  const rewriter = startRewrite({ moves, deep: file.deep, isWhole: !file.target.endsWith('.jsonl') })
  const hash = createHash('sha256')
  let length = 0
  const put = (pieces: readonly Buffer[]): void => {
    for (const piece of pieces) {
      hash.update(piece)
      length += piece.length
    }
  }
  for (const chunk of chunksOf(file.backup)) put(rewriter.write(chunk))
  put(rewriter.end())
  return hashOfStart(file.target, length) === hash.digest('hex') ? length : null
}

function hashOfStart(path: string, length: number): string | null {
  if (statSync(path).size < length) return null
  const hash = createHash('sha256')
  let left = length
  for (const chunk of chunksOf(path)) {
    hash.update(chunk.subarray(0, left))
    left -= Math.min(left, chunk.length)
    if (left === 0) break
  }
  return hash.digest('hex')
}

function takeBack(record: MoveRecord, file: RecordedFile, step: Step): void {
  const { path, target } = file
  if (step.do === 'nothing') return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (step.do === 'restore') restore(file, step.from)
  if (step.do === 'turn') turnPaths(record, file)
  if (target !== path) renameFile(target, path)
  syncFolder(dirname(path))
}

/** Replaces a file by its present bytes with the old paths. */
function turnPaths({ moves }: MoveRecord, { target, mode }: RecordedFile): void {
  const back = moves.map(({ from, to }) => ({ from: to, to: from }))
  const rewriter = startRewrite({ moves: back, deep: false, isWhole: !target.endsWith('.jsonl') })
  function* turned(): Generator<Buffer> {
    for (const chunk of chunksOf(target)) yield* rewriter.write(chunk)
    yield* rewriter.end()
  }
  replaceFile(target, mode, turned(), null)
}

/** Replaces a file by its old bytes and what was added since; where nothing was, with the old time. */
function restore({ target, backup, mtime, mode }: RecordedFile, from: number): void {
  const isGrown = statSync(target).size > from
  function* restored(): Generator<Buffer> {
    yield* chunksOf(backup ?? '')
    yield* chunksOf(target, from)
  }
  replaceFile(target, mode, restored(), isGrown ? null : mtime)
}

function replaceFile(target: string, mode: number, pieces: Iterable<Buffer>, mtime: number | null): void {
  const part = `${target}.dagline-undo`
  rmSync(part, { force: true })
  const sink = openSink(part, mode)
  try {
    for (const piece of pieces) sink.bytes(piece)
    sink.end()
    if (mtime !== null) utimesSync(part, mtime / 1000, mtime / 1000)
    renameFile(part, target)
  } finally {
    sink.close()
    rmSync(part, { force: true })
  }
}
