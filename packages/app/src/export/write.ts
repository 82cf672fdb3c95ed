/** Writing: to a temporary path first, then to the target, so that a target is never half written. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { removeAbandoned, renameFile } from '@dagline/store'
import { isFolder } from '../files/projects.js'
import { UserError } from '../host/user-error.js'

/** A file in pieces, as they are written. */
export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Where a file goes: the given one, a name in the given folder, or a name in the current one. */
export function fileTarget(out: string | null, name: string): string {
  if (out === null) return resolve(name)
  return /[/\\]$/.test(out) || isFolder(out) ? resolve(out, name) : resolve(out)
}

/** Where a folder goes: the given one, or a name in the current one. */
export function folderTarget(out: string | null, name: string): string {
  return resolve(out ?? name)
}

/** Throws `UserError` where the target exists, unless it is an empty folder. */
export function refuseExisting(target: string, force: boolean): void {
  if (!existsSync(target) || force || (isFolder(target) && readdirSync(target).length === 0)) return
  throw new UserError(
    `${target} already exists. Give another path with --out, or use --force to overwrite it.`,
  )
}

/** Writes to a temporary path beside the target, then moves it there; the temporary path is always removed. */
export async function writeBeside<T>(
  target: string,
  force: boolean,
  write: (temporary: string) => Promise<T> | T,
): Promise<T> {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.part`)
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    const start = `.${basename(target)}.`
    removeAbandoned(dirname(target), name =>
      name.startsWith(start) ? /^(\d+)\.part$/.exec(name.slice(start.length))?.[1] : undefined,
    )
    const made = await write(temporary)
    refuseExisting(target, force)
    moveOver(temporary, target)
    return made
  } catch (error) {
    throw errorOf(error, target)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** A folder that is there keeps what else is in it: only files of the same names are replaced. */
function moveOver(from: string, to: string): void {
  if (!isFolder(from) || !isFolder(to)) renameFile(from, to)
  else for (const name of readdirSync(from)) moveOver(join(from, name), join(to, name))
}

/** The error for the user where the disk or its permissions prevent writing; any other error as it is. */
function errorOf(error: unknown, target: string): unknown {
  const code = codeOf(error)
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'you may not write there',
    EPERM: 'you may not write there',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a file is where a folder should be',
    EISDIR: 'a folder is in the way',
    ENOTEMPTY: 'a folder is in the way',
    EEXIST: 'something is in the way',
    EIO: 'the disk reports an error',
  }
  if (!/^E[A-Z]+$/.test(code)) return error
  const reason = reasons[code] ?? `the system reports ${code}`
  return new UserError(`${target} cannot be written, ${reason}. Give another path with --out.`)
}

/** A file that is gone afterwards, in a folder that nobody else can open. */
export async function withTemporary<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-'))
  try {
    return await use(join(folder, 'export'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Bytes that are written at once: pieces may be as small as a line. */
const AT_ONCE = 256 * 1024

/** Writes pieces into a new file, which nobody else may read before it is done. Returns its size. */
export async function writePieces(path: string, pieces: Pieces): Promise<number> {
  const file = openSync(path, 'w', 0o600)
  let [size, held] = [0, '']
  const write = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    size += bytes.length
  }
  const flush = (): void => {
    write(Buffer.from(held, 'utf8'))
    held = ''
  }
  try {
    for await (const piece of pieces) {
      if (typeof piece === 'string') held += piece
      if (typeof piece !== 'string' || held.length >= AT_ONCE) flush()
      if (typeof piece !== 'string') write(piece)
    }
    flush()
  } finally {
    closeSync(file)
  }
  return size
}
