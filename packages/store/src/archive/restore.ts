/** K8: restores files byte for byte, never over a file that differs. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { isFileName } from '@dagline/core/platform'
import { removeAbandoned } from '../files/abandoned.js'
import { StoreError } from '../files/failures.js'
import { inFileSystem, openSink, putInPlace } from '../files/sink.js'
import { type ByteSource, openFile } from '../files/source.js'
import { readingSource } from '../files/whole.js'
import type { Archive, ArchivedFile, ArchivedVersion } from './archive.js'

/** What became of one file. */
export interface RestoredFile {
  readonly file: ArchivedFile
  /** Its number, from 1. */
  readonly version: number
  /** Absolute or as given: where it was written, or would have been. */
  readonly target: string
  readonly bytes: number
  /** `same`: it is there with the same bytes. `differs`: it is there with others, and stayed as it is. */
  readonly outcome: 'written' | 'same' | 'differs'
}

/** Options of restoring. */
export interface RestoreOptions {
  /** A folder for them, with the paths they have below their root; their old places unless given. */
  readonly to?: string
  /** Older versions too, as `name.v1.jsonl`. */
  readonly all?: boolean
  /** Gives them the present time instead of their own: those that are too old are swept again. */
  readonly touch?: boolean
  /** The system whose names the files must be able to have; this one unless given. */
  readonly platform?: string
}

/** Restores files one after another. Throws `StoreError` where a file cannot be written or the archive is damaged. */
export function* restoreFiles(
  archive: Archive,
  files: readonly ArchivedFile[],
  options: RestoreOptions = {},
): Generator<RestoredFile, void> {
  for (const file of files) {
    const versions = archive.versions(file)
    for (const version of options.all === true ? versions : versions.slice(-1)) {
      const isLast = version === versions.at(-1)
      const target = targetOf(file, isLast ? null : version.number, options)
      const outcome = restoreOne(archive, file, version, { target, touch: options.touch === true })
      yield { file, version: version.number, target, bytes: version.bytes, outcome }
    }
  }
}

/** Where a file goes. An archive may come from anywhere: a path that leads out of the folder is refused. */
function targetOf(
  file: ArchivedFile,
  version: number | null,
  { to, platform = process.platform }: RestoreOptions,
): string {
  const { dir, name, ext } = posix.parse(file.path)
  const isInside = !posix.isAbsolute(file.path) && !file.path.split('/').includes('..')
  if (!isInside)
    throw new StoreError('damaged', `The archive names a path that leads out of its folder: ${file.path}`)
  // O6: a backslash in a name is one elsewhere, and leads to other folders on Windows.
  if (!file.path.split('/').every(part => isFileName(part, platform)))
    throw new StoreError(
      'unreachable',
      `This system cannot have a file of the name ${file.path}. Restore it on another one.`,
    )
  const path = version === null ? file.path : posix.join(dir, `${name}.v${version}${ext}`)
  return join(to ?? file.root, ...path.split('/'))
}

interface RestoreTask {
  readonly target: string
  readonly touch: boolean
}

function restoreOne(
  archive: Archive,
  file: ArchivedFile,
  version: ArchivedVersion,
  task: RestoreTask,
): RestoredFile['outcome'] {
  const source = archive.read(file, version.number)
  const restore = (): RestoredFile['outcome'] => {
    removeAbandoned(dirname(task.target), name => /^\.dagline-(\d+)-.*\.part$/.exec(name)?.[1])
    return compare(source, task.target) ?? write(source, version, task)
  }
  return inFileSystem(task.target, restore, ADVICE)
}

/** What is at a path: the same bytes, other bytes, or nothing (null). */
function compare(source: ByteSource, target: string): 'same' | 'differs' | null {
  if (!existsSync(target)) return null
  if (!statSync(target).isFile()) return 'differs'
  const present = readingSource(target, () => openFile(target))
  const read: ByteSource['read'] = (...words) => readingSource(target, () => present.read(...words))
  try {
    const isSame = present.size === source.size && haveSameBytes(source, { ...present, read })
    return isSame ? 'same' : 'differs'
  } finally {
    present.close()
  }
}

const CHUNK = 1024 * 1024

function haveSameBytes(a: ByteSource, b: ByteSource): boolean {
  const [left, right] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)]
  for (let position = 0; position < a.size; ) {
    const got = a.read(left, 0, CHUNK, position)
    const also = b.read(right, 0, got, position)
    if (also !== got || left.compare(right, 0, got, 0, got) !== 0) return false
    position += got
  }
  return true
}

/** Writes a temporary file first, so that an incomplete file never has the name. */
function write(
  source: ByteSource,
  version: ArchivedVersion,
  { target, touch }: RestoreTask,
): 'written' | 'differs' {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const part = join(dirname(target), `.dagline-${process.pid}-${randomUUID()}.part`)
  try {
    const hash = copyTo(part, source, touch ? null : version.mtime)
    if (hash !== version.sha256) {
      throw new StoreError(
        'damaged',
        `The archive is damaged: ${target} was not written, its bytes are not those that were stored.`,
      )
    }
    return putInPlace(part, target) ? 'written' : 'differs'
  } finally {
    rmSync(part, { force: true })
  }
}

/** Copies all bytes, and gives their hash. */
function copyTo(path: string, source: ByteSource, mtime: number | null): string {
  const sink = openSink(path, 0o600)
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    for (let position = 0; position < source.size; ) {
      const got = source.read(buffer, 0, CHUNK, position)
      sink.bytes(buffer.subarray(0, got))
      position += got
    }
    const { hash } = sink.end()
    if (mtime !== null) utimesSync(path, mtime / 1000, mtime / 1000)
    return hash
  } finally {
    sink.close()
  }
}

const ADVICE = {
  full: '',
  other: (target: string, code: string): string =>
    `${target} cannot be written (${code}): check the permissions of its folder, or give another with --to.`,
}
