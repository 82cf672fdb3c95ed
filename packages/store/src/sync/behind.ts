/** I5: how much an index lags behind what is there, without changing anything. */
import type { IndexStore, KnownFile } from '../db/index-store.js'
import type { FoundRoot } from '../files/discover.js'
import type { FileState } from '../files/state.js'
import { listingOf, type PresentFile, presentFiles } from './plan.js'

/** Sessions of a root that are in the archive only. */
export interface ArchivedPart {
  readonly archive: string
  readonly found: FoundRoot
  /** Whether a file is the one that was read, with more behind it. Without it, a file that changed is read from its start. */
  readonly hasGrown?: (path: string, state: FileState) => boolean
}

/** All files of a root, those that are in the archive only included. */
export function allPresent(found: FoundRoot, archived: ArchivedPart | undefined): readonly PresentFile[] {
  const onDisk = presentFiles(found, null)
  const kept = archived === undefined ? [] : presentFiles(archived.found, archived.archive)
  // A session that is in the archive only may have subagents that are still on disk.
  const paths = new Set(onDisk.map(({ path }) => path))
  return [...onDisk, ...kept.filter(({ path }) => !paths.has(path))]
}

/** Bytes that a sync would read; 0 only where nothing has changed at all. */
export function bytesBehind(index: IndexStore, path: string, present: readonly PresentFile[]): number {
  const root = index.findRoot(path)
  if (root !== null && index.listing(root) === listingOf(present)) return 0
  const known = new Map(root === null ? [] : index.files(root).map(file => [file.path, file]))
  return present.reduce((sum, now) => sum + bytesToRead(now, known.get(now.path)), 1)
}

function bytesToRead({ bytes, mtime }: PresentFile, known: KnownFile | undefined): number {
  const state = known?.state ?? null
  if (state === null || bytes < state.size) return bytes
  return bytes === state.size && mtime !== state.mtime ? bytes : bytes - state.size
}
