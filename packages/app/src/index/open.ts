/** The index behind a command: opened and brought up to date, with messages for whatever prevents it. */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { addFields } from '@dagline/core/measure'
import {
  type ArchivedPart,
  allPresent,
  archivePath,
  cacheFolder,
  DamagedIndex,
  type FirstStage,
  type FoundRoot,
  type IndexStore,
  isOwnIndex,
  isSynced,
  NO_FIRST_STAGE,
  nameOfFile,
  openIndex,
  openRangeReader,
  type PresentFile,
  type RangeReader,
  readHere,
  StoreError,
  type SyncOptions,
  type SyncProgress,
  type SyncReport,
  setAside,
  shareStage,
  syncRoot,
  takeLock,
  unindexedFiles,
} from '@dagline/store'
import { findRoots } from '../files/projects.js'
import { noteFailures } from '../files/unread.js'
import { withSettings } from '../host/engine.js'
import type { Host, PushedFiles } from '../host/host.js'
import { currentPrices } from '../host/prices.js'
import { UserError } from '../host/user-error.js'
import { workMeter } from '../text/meter.js'
import { archivedParts, openArchiveIfAny } from './archive.js'
import { usualIndex } from './path.js'
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
  /** What was found there, where the caller has looked already. */
  readonly found?: readonly FoundRoot[]
  /** Receives the progress. */
  readonly tell?: ((progress: SyncProgress) => void) | undefined
  /** Receives the message about a damaged index; notes it unless given. */
  readonly noteDamage?: (message: string) => void
  /** I9: called where the newest sessions of a root are in the index, and others are still to be read. */
  readonly onNewest?: ((newest: NewestSessions) => void) | undefined
  /** H12: where more bytes than these are left behind the newest sessions, they are not read: the index stays incomplete. */
  readonly mostBytes?: number | undefined
}

/** An index that has the newest sessions of these roots, and is being filled. */
export interface NewestSessions {
  readonly index: IndexStore
  readonly roots: readonly number[]
}

/** An index that is open. */
export interface Indexed {
  readonly index: IndexStore
  readonly path: string
  /** The roots that were asked for. */
  readonly roots: readonly number[]
  /** What is there on disk. */
  readonly found: readonly FoundRoot[]
  /** The index says what is there on disk; false where another process has not come to all of it. */
  readonly isCurrent: boolean
  readonly ranges: RangeReader
  /** H12: the files that the index does not have, or not as they are now; those that changed last first. */
  readonly missing: () => readonly PresentFile[]
  /** Null where another process was writing. */
  readonly report: SyncReport | null
  readonly close: () => void
}

/** How long to wait for another dagline before the answer comes from what is there. */
const PATIENCE = 3000
const LOOK_AGAIN = 500

/** Opens the index and brings it up to date with the roots. Throws `NoIndex` where there can be none. */
export async function openIndexed(host: Host, options: IndexOptions): Promise<Indexed> {
  const path = options.index ?? usualIndex()
  return await orRebuilt(host, path, options, () => openAt(host, path, options))
}

/** Asks the index, up to date with the roots. Throws `NoIndex` where there can be none. */
export async function askIndex<T>(
  host: Host,
  options: IndexOptions,
  ask: (indexed: Indexed) => T | Promise<T>,
): Promise<T> {
  if (host.pushed !== undefined) return await ask(asIndexed(host.pushed))
  const path = options.index ?? usualIndex()
  return await orRebuilt(host, path, options, async () => {
    const indexed = await openAt(host, path, options)
    try {
      return await ask(indexed)
    } finally {
      indexed.close()
    }
  })
}

/** HU48: a judge brings the index of pushed files up to date. */
function asIndexed({ index, ranges, roots }: PushedFiles): Indexed {
  return {
    ...{ index, ranges, roots, path: '', found: [], isCurrent: true, report: null },
    missing: () => [],
    close: () => {},
  }
}

/** What was asked of the index; null where there can be none, which is noted. */
export async function orNote<T>(host: Host, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof NoIndex)) throw error
    host.note(`${error.message} The transcripts are read instead.`)
    return null
  }
}

/** I15: works with an index. A damaged one is set aside and made again, and the work is done once more. */
async function orRebuilt<T>(
  host: Host,
  path: string,
  options: IndexOptions,
  work: () => Promise<T>,
): Promise<T> {
  const file = nameOfFile(path)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error
    if (!mayReplace(path)) throw new NoIndex(error.message)
    // One that was made by this work had no name before.
    const damaged = file === '' ? nameOfFile(path) : file
    await replaceDamaged(path, damaged, options.noteDamage ?? host.note)
  }
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error
    // What a new index does not heal is not damage: its checksums could not be written, or a statement fails.
    throw error.cause ?? new NoIndex(unkeptMessage(path))
  }
}

/** Sets a damaged index aside while nobody writes it, unless another process has done so. */
async function replaceDamaged(path: string, file: string, note: (message: string) => void): Promise<void> {
  let unlock = takeLock(path, PATIENCE)
  for (; unlock === null; unlock = takeLock(path, 0)) await setTimeout(LOOK_AGAIN)
  try {
    if (nameOfFile(path) === file && file !== '') note(damageMessage(setAside(path)))
  } finally {
    unlock()
  }
}

/** Whether an index may be made again: what lies in the cache is ours; elsewhere a file of another program stays. */
export function mayReplace(path: string): boolean {
  return dirname(path) === cacheFolder() || isOwnIndex(path)
}

function unkeptMessage(path: string): string {
  return `The index at ${path} cannot be kept: its checksums could not be written. Check for free space and a disk without errors, and run \`dagline sync\` again.`
}

/** What is printed when an index is made again. */
export function damageMessage(aside: string): string {
  return `The index was damaged. It is made again; the damaged file is now ${aside}.`
}

/** An index after a sync. */
export interface SyncedIndex {
  readonly path: string
  /** Null where another process was writing. */
  readonly report: SyncReport | null
}

function goneMessage(root: string): string {
  return `${root} disappeared while it was read; the index has what was read before. Run \`dagline sync\` when it is there again.`
}

/** Brings the index up to date with the roots. Throws `UserError` for a root that disappeared meanwhile. */
export async function syncRoots(host: Host, options: IndexOptions): Promise<SyncedIndex> {
  return await askIndex(host, options, ({ path, report, found }) => {
    const gone = found.find(({ root, projects }) => projects.length > 0 && !existsSync(root))
    if (gone !== undefined) throw new UserError(goneMessage(gone.root))
    return { path, report }
  })
}

async function openAt(host: Host, path: string, options: IndexOptions): Promise<Indexed> {
  const found = options.found ?? findRoots(options.paths ?? [], host)
  // An archive that cannot be read does not prevent an answer.
  const archive = openArchiveIfAny(archivePath(), host.note)
  const archivedIn = archivedParts(found, archive)
  try {
    const report = await syncLocked(host, path, { found, archivedIn, options })
    // Answers come from a connection that cannot write: only who holds the lock changes the file.
    const index = openIndex(path, { readOnly: true })
    return {
      index,
      path,
      roots: found.flatMap(({ root }) => index.findRoot(root) ?? []),
      found,
      isCurrent:
        report?.left === 0 || found.every(root => isSynced(index, root, presentIn(archivedIn(root)))),
      missing: () =>
        found.flatMap(root => unindexedFiles(index, root.root, allPresent(root, archivedIn(root)))),
      ranges: openRangeReader(location => archive?.at(location) ?? null),
      report,
      close: () => {
        index.close()
        archive?.close()
      },
    }
  } catch (error) {
    archive?.close()
    const isOther = !(error instanceof StoreError) || error instanceof DamagedIndex
    throw isOther ? error : new NoIndex(error.message)
  }
}

interface SyncSources {
  readonly found: readonly FoundRoot[]
  readonly archivedIn: (root: FoundRoot) => ArchivedPart | undefined
  readonly options: IndexOptions
}

/** Brings the index up to date while nobody else does; null where another process is doing it. */
async function syncLocked(host: Host, path: string, sources: SyncSources): Promise<SyncReport | null> {
  const unlock = await lockOrNote(host, path, sources.options.busyNote)
  if (unlock === null) return null
  try {
    const index = openIndex(path)
    try {
      return await syncAll(host, index, sources)
    } finally {
      index.close()
    }
  } finally {
    unlock()
  }
}

/** I9: where several roots are read for the first time, the newest sessions of all of them come before the rest of any. */
async function syncAll(
  host: Host,
  index: IndexStore,
  { found, archivedIn, options }: SyncSources,
): Promise<SyncReport> {
  const sync = (root: FoundRoot, stage: Staging): Promise<SyncReport> =>
    syncNoted(host, index, root, { ...options, ...stage, archived: archivedIn(root) })
  const isStaged = found.length > 1 && index.isFilling() && options.mostBytes === undefined
  const shares = isStaged ? shareStage(found.map(root => allPresent(root, archivedIn(root)))) : []
  const begun = new Map<FoundRoot, SyncReport>()
  for (const [at, root] of found.entries()) {
    const newest = shares[at] ?? NO_FIRST_STAGE
    if (newest.sessions > 0) begun.set(root, await sync(root, { newest, isFirst: true }))
  }
  if ([...begun.values()].some(({ left }) => left > 0))
    options.onNewest?.({ index, roots: found.flatMap(({ root }) => index.findRoot(root) ?? []) })
  const reports: SyncReport[] = []
  for (const root of found) {
    const before = begun.get(root)
    if (before?.left === 0) reports.push(before)
    else reports.push(goneOn(before, await sync(root, isStaged ? { newest: NO_FIRST_STAGE } : {})))
  }
  return sumReports(reports)
}

/** What comes first of a root. */
interface Staging {
  readonly newest?: FirstStage
  /** The rest is read another time. */
  readonly isFirst?: boolean
}

/** The report of a root that was read in two parts. */
function goneOn(before: SyncReport | undefined, last: SyncReport): SyncReport {
  if (before === undefined) return last
  const { present, left, failed } = last
  return { ...addFields(before, last), present, left, failed }
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

function presentIn(archived: ArchivedPart | undefined): { readonly archived?: ArchivedPart } {
  return archived === undefined ? {} : { archived }
}

/** Brings a root up to date, and notes what of it could not be read. */
async function syncNoted(
  host: Host,
  index: IndexStore,
  root: FoundRoot,
  {
    archived,
    tell,
    onNewest,
    mostBytes,
    newest,
    isFirst = false,
  }: Pick<IndexOptions, 'tell' | 'onNewest' | 'mostBytes'> &
    Staging & { readonly archived: ArchivedPart | undefined },
): Promise<SyncReport> {
  const meter = workMeter(host, 'indexing', 'files')
  const stop = new AbortController()
  try {
    const options: SyncOptions = {
      ...(newest === undefined ? {} : { newest }),
      signal: stop.signal,
      onProgress: progress => {
        const { files, totalFiles, bytes, totalBytes } = progress
        meter.show({ done: files, of: totalFiles, bytes, ofBytes: totalBytes })
        tell?.(progress)
      },
      onNewest: bytesLeft => {
        if (isFirst || (mostBytes !== undefined && bytesLeft > mostBytes)) stop.abort()
        // What is printed now stands above the progress.
        meter.done()
        if (isFirst) return
        onNewest?.({ index, roots: [index.findRoot(root.root) ?? -1] })
      },
      ...presentIn(archived),
    }
    // What is stopped soon is not worth a second thread.
    const isBrief = mostBytes !== undefined || isFirst
    const report = await withSettings(async use => {
      const reader = isBrief ? readHere : readWithWorkers(() => use('small'))
      return await syncRoot(index, root, { ...options, reader, prices: currentPrices() })
    })
    noteFailures(host, root.root, report.failed)
    return report
  } finally {
    meter.done()
  }
}

function sumReports(reports: readonly SyncReport[]): SyncReport {
  const none = { present: 0, read: 0, removed: 0, rows: 0, bytes: 0, judged: 0, left: 0 }
  const failed = reports.flatMap(report => report.failed)
  return { ...reports.reduce<SyncReport>(addFields, { ...none, failed }), failed }
}
