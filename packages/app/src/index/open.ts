/** The index behind a command: opened and brought up to date, with messages for whatever prevents it. */

import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { addFields } from '@dagline/core/measure'
import {
  type Archive,
  archivedOnly,
  archivedRoots,
  archivePath,
  cacheFolder,
  type FoundRoot,
  INDEX_VERSION,
  type IndexStore,
  isSynced,
  openIndex,
  openRangeReader,
  type RangeReader,
  StoreError,
  type SyncProgress,
  type SyncReport,
  syncRoot,
  takeLock,
} from '@dagline/store'
import { findRoots } from '../files/projects.js'
import { noteFailures } from '../files/unread.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { workMeter } from '../text/meter.js'
import { openArchiveIfAny } from './archive.js'
import { readWithWorkers } from './reader.js'

/** There can be no index here: its message says why. */
class NoIndex extends UserError {}

export interface IndexOptions {
  /** Another index than the usual one. */
  readonly index: string | null
  /** Other locations than the roots. */
  readonly paths?: readonly string[]
  /** What is noted where another process is writing; without it, that the answer is from what is there. */
  readonly busyNote?: string
  /** Receives the progress. */
  readonly tell?: (progress: SyncProgress) => void
}

interface Indexed {
  readonly index: IndexStore
  readonly path: string
  /** The roots that were asked for. */
  readonly roots: readonly number[]
  /** What is there on disk. */
  readonly found: readonly FoundRoot[]
  /** The index says what is there on disk; false where another process has not come to all of it. */
  readonly isCurrent: boolean
  readonly ranges: RangeReader
  /** Null where another process was writing. */
  readonly report: SyncReport | null
  readonly close: () => void
}

/** How long to wait for another dagline before the answer comes from what is there. */
const PATIENCE = 3000
const LOOK_AGAIN = 500

/** Opens the index and brings it up to date with the roots. */
export async function openIndexed(host: Host, options: IndexOptions): Promise<Indexed> {
  const path = options.index ?? usualIndex()
  try {
    return await openAt(host, path, options)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    if (error.kind !== 'damaged' || options.index !== null) throw new NoIndex(error.message)
    // The usual index is a cache, and ours alone: a damaged one is made again.
    host.note('The index was damaged and is made again.')
    removeIndex(path)
    return await openAt(host, path, options)
  }
}

/** The same; null where there can be no index, which is noted. */
export async function openIndexedOrNote(host: Host, options: IndexOptions): Promise<Indexed | null> {
  try {
    return await openIndexed(host, options)
  } catch (error) {
    if (!(error instanceof NoIndex)) throw error
    host.note(`${error.message} The transcripts are read instead.`)
    return null
  }
}

/** An index after a sync. */
export interface SyncedIndex {
  readonly path: string
  /** Null where another process was writing. */
  readonly report: SyncReport | null
}

/** Brings the index up to date with the roots. */
export async function syncRoots(host: Host, options: IndexOptions): Promise<SyncedIndex> {
  const { path, report, close } = await openIndexed(host, options)
  close()
  return { path, report }
}

/** Where the index lies unless another is named. */
export function usualIndex(): string {
  return join(cacheFolder(), `index-${INDEX_VERSION}.db`)
}

function removeIndex(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}

async function openAt(host: Host, path: string, options: IndexOptions): Promise<Indexed> {
  const unlock = await lockOrNote(host, path, options.busyNote)
  try {
    const index = openIndex(path, unlock === null ? { readOnly: true } : {})
    const found = findRoots(options.paths ?? [], host)
    // An archive that cannot be read does not prevent an answer.
    const archive = openArchiveIfAny(archivePath(), host.note)
    const archived = archive === null ? [] : archivedRoots(archive, archivedOnly(archive, found))
    const archivedIn = (root: FoundRoot): Archived => archivedUnder(root, archived, archive)
    const reports: SyncReport[] = []
    if (unlock !== null)
      for (const root of found)
        reports.push(await syncNoted(host, index, root, { archived: archivedIn(root), tell: options.tell }))
    const report = unlock === null ? null : sumReports(reports)
    return {
      index,
      path,
      roots: found.flatMap(({ root }) => index.findRoot(root) ?? []),
      found,
      isCurrent: unlock !== null || found.every(root => isSynced(index, root, presentIn(archivedIn(root)))),
      ranges: openRangeReader(location => archive?.at(location) ?? null),
      report,
      close: () => {
        index.close()
        archive?.close()
      },
    }
  } finally {
    unlock?.()
  }
}

/** The lock, or null where another process keeps it: then what is there is good enough, if there is something. */
async function lockOrNote(
  host: Host,
  path: string,
  busyNote: string = 'Another dagline is bringing the index up to date; this answer is from what is there.',
): Promise<(() => void) | null> {
  let unlock = takeLock(path, PATIENCE)
  if (unlock === null && existsSync(path)) {
    host.note(busyNote)
    return null
  }
  if (unlock === null) host.note('Another dagline is making the index; waiting for it.')
  for (; unlock === null; unlock = takeLock(path, 0)) await setTimeout(LOOK_AGAIN)
  return unlock
}

type Archived = NonNullable<Parameters<typeof syncRoot>[2]>['archived']

/** The archived sessions that were found under a root, which the archive knows with links resolved. */
function archivedUnder(root: FoundRoot, roots: readonly FoundRoot[], archive: Archive | null): Archived {
  const found = roots.find(each => each.root === realpathSync(root.root))
  return found === undefined || archive === null ? undefined : { archive: archive.path, found }
}

function presentIn(archived: Archived): { readonly archived?: NonNullable<Archived> } {
  return archived === undefined ? {} : { archived }
}

/** Brings a root up to date, and notes what of it could not be read. */
async function syncNoted(
  host: Host,
  index: IndexStore,
  root: FoundRoot,
  { archived, tell }: { readonly archived: Archived; readonly tell: IndexOptions['tell'] },
): Promise<SyncReport> {
  const meter = workMeter(host, 'indexing', 'files')
  try {
    const report = await syncRoot(index, root, {
      reader: readWithWorkers,
      onProgress: progress => {
        const { files, totalFiles, bytes, totalBytes } = progress
        meter.show({ done: files, of: totalFiles, bytes, ofBytes: totalBytes })
        tell?.(progress)
      },
      ...presentIn(archived),
    })
    noteFailures(host, root.root, report.failed)
    return report
  } finally {
    meter.done()
  }
}

function sumReports(reports: readonly SyncReport[]): SyncReport {
  const none = { present: 0, read: 0, removed: 0, rows: 0, bytes: 0, judged: 0 }
  const failed = reports.flatMap(report => report.failed)
  return { ...reports.reduce<SyncReport>(addFields, { ...none, failed }), failed }
}
