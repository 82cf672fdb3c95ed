/** HU19: files of a hub in a folder, byte for byte as they were pushed, and never over a file that is there. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { isFileName } from '@dagline/core/platform'
import { renameFile, StoreError } from '@dagline/store'
import type { RawStore, StoredVersion, VersionFilter } from '../raw/model.js'

/** A file that was written, or already existed. */
export interface FetchedFile {
  readonly version: StoredVersion
  readonly target: string
  /** `there`: the name was taken, and its file is unchanged. */
  readonly outcome: 'written' | 'there'
}

/** Writes the versions that a filter gives into a folder, one after another. Throws `StoreError`. */
export async function* fetchFiles(
  store: RawStore,
  folder: string,
  filter: VersionFilter,
): AsyncGenerator<FetchedFile> {
  const versions = await store.versions(filter)
  const last = new Map(versions.map(version => [version.path, version.number]))
  for (const version of versions) {
    const target = targetOf(folder, version, last.get(version.path) === version.number)
    const isThere = existsSync(target)
    if (!isThere) await write(store, version, target)
    yield { version, target, outcome: isThere ? 'there' : 'written' }
  }
}

/** A hub may name anything: a path that leads out of the folder is refused. */
function targetOf(folder: string, { path, number }: StoredVersion, isLast: boolean): string {
  const { dir, name, ext } = posix.parse(path)
  if (!path.split('/').every(part => isFileName(part, process.platform)))
    throw new StoreError('damaged', `This system cannot have a file of the name ${path}.`)
  return join(folder, ...(isLast ? path : posix.join(dir, `${name}.v${number}${ext}`)).split('/'))
}

/** A temporary file first, so that an incomplete file never has the name. */
async function write(store: RawStore, version: StoredVersion, target: string): Promise<void> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const part = `${target}.${process.pid}.part`
  try {
    const hash = createHash('sha256')
    let bytes = 0
    const file = await open(part, 'wx', 0o600)
    try {
      for await (const piece of store.read(version.id)) {
        hash.update(piece)
        bytes += piece.length
        await file.write(piece)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    // What was redacted has another hash than its original: its length, and the checks of the hub, must do.
    const isWhole = bytes === version.bytes
    const isOriginal = version.placeholders > 0 || hash.digest('hex') === version.originalSha256
    if (!isWhole || !isOriginal)
      throw new StoreError('damaged', `${version.path} arrived damaged. Fetch it again.`)
    utimesSync(part, version.mtime / 1000, version.mtime / 1000)
    renameFile(part, target)
  } finally {
    rmSync(part, { force: true })
  }
}
