/** Files as edits handle them: hashed, copied with a hash, and synced. */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, statSync, utimesSync } from 'node:fs'
import { openSink } from '../files/sink.js'
import { chunksOf, readingSource } from '../files/whole.js'

/** The sha256 of a file in hex; null where there is none. Throws `StoreError` where it cannot be read. */
export function hashOf(path: string): string | null {
  if (!existsSync(path)) return null
  const hash = createHash('sha256')
  for (const bytes of chunksOf(path)) hash.update(bytes)
  return hash.digest('hex')
}

/** Copies a file to a new name, byte for byte, with its mode and, where wanted, its time. */
export function copyFile(
  from: string,
  to: string,
  { mode, mtime }: { readonly mode: number; readonly mtime: number | null },
): { readonly hash: string; readonly bytes: number } {
  const sink = openSink(to, mode)
  try {
    for (const bytes of chunksOf(from)) sink.bytes(bytes)
    const written = sink.end()
    if (mtime !== null) utimesSync(to, mtime / 1000, mtime / 1000)
    return written
  } finally {
    sink.close()
  }
}

/** The permission bits of a file; those of a private one where there is none. */
export function modeOf(path: string): number {
  return existsSync(path) ? readingSource(path, () => statSync(path)).mode & 0o777 : 0o600
}

/** Syncs the names in a folder to disk, on systems where folders can be synced. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Windows cannot open folders.
  }
}
