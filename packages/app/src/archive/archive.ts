/** K13: the archive keeps what Claude Code deletes: copying into it, checking it, and what it holds. */
import { setImmediate } from 'node:timers/promises'
import {
  type Archive,
  type ArchivedSession,
  type ArchiveStats,
  archivedOnly,
  archivePath,
  archiveStats,
  type FoundRoot,
  type KeepResult,
  type MarkedSession,
  openArchive,
  openArchiveWriter,
  type SweptSession,
  sweptWithin,
  type VerifyResult,
  verifyArchive,
} from '@dagline/store'
import { findRoots, nothingFound } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { withArchive } from '../index/archive.js'
import { pathsOf } from '../locate/ref.js'
import { workMeter } from '../text/meter.js'
import { forgottenSession } from './forget.js'

/** Sessions that Claude Code deletes within this many days are announced. */
export const SWEPT_SOON_DAYS = 7

/** How files are copied into the archive. */
export interface KeepOptions {
  /** The archive's file; the usual one where null. */
  readonly archive: string | null
  /** A forgotten session that is kept again from now on. */
  readonly again?: string | null
  /** Asked between two batches; what is committed by then stays. */
  readonly isStopped?: () => boolean
}

/** What one run copied into the archive. */
export interface KeepReport {
  readonly path: string
  readonly kept: KeepResult
  readonly figures: ArchiveStats
  /** Sessions that Claude Code deletes soon. */
  readonly swept: readonly SweptSession[]
  /** What is not in the archive as it is on disk. */
  readonly missing: KeepResult['diagnostics']
  /** Where there was no file to copy: why. */
  readonly nothing: string | null
}

/** Copies what is new below some paths, or of the roots. Null where it was stopped. */
export async function keepFiles(
  host: Host,
  paths: readonly string[],
  { archive, again = null, isStopped = () => false }: KeepOptions,
): Promise<KeepReport | null> {
  const path = archive ?? archivePath()
  const roots = findRoots(pathsOf(paths, host), host)
  return await withArchive(
    () => openArchiveWriter(path),
    async open => {
      if (again !== null) open.keepAgain(forgottenSession(open, again, host))
      const meter = workMeter(host, 'archiving', 'files')
      const kept = await runSteps(open.keep(roots), ({ files, ofFiles, ...bytes }) => {
        meter.show({ done: files, of: ofFiles, ...bytes })
        return isStopped()
      })
      meter.done()
      if (kept === null) return null
      const nothing = kept.files === 0 ? nothingFound(paths, host) : null
      const missing = missingIn(kept, roots)
      return { path, kept, figures: archiveStats(open), swept: sweptSoon(roots), missing, nothing }
    },
  )
}

/** Yields to the event loop after each step, for signals. Null where `show`, which receives each step, returned true. */
async function runSteps<Step, Result>(
  steps: Generator<Step, Result>,
  show: (step: Step) => boolean,
): Promise<Result | null> {
  let step = steps.next()
  while (step.done !== true) {
    await setImmediate()
    if (show(step.value)) return null
    step = steps.next()
  }
  return step.value
}

/** The sessions below some paths, or of the roots, that Claude Code deletes soon. */
export function listSweptSoon(host: Host, paths: readonly string[]): readonly SweptSession[] {
  return sweptSoon(findRoots(pathsOf(paths, host), host))
}

function sweptSoon(roots: readonly FoundRoot[]): readonly SweptSession[] {
  return sweptWithin(roots, SWEPT_SOON_DAYS, Date.now())
}

function missingIn(kept: KeepResult, roots: readonly FoundRoot[]): KeepResult['diagnostics'] {
  const found = [...roots.flatMap(({ diagnostics }) => diagnostics), ...kept.diagnostics]
  return found.filter(({ severity, rule }) => severity !== 'info' || rule === 'store/rewritten')
}

/** A check of every byte of the archive. */
export interface ArchiveCheck extends VerifyResult {
  readonly path: string
}

/** Checks every byte of the archive. */
export async function checkArchive(host: Host, archive: string | null): Promise<ArchiveCheck> {
  const path = archive ?? archivePath()
  return await withArchive(
    () => openArchive(path),
    async open => {
      const meter = workMeter(host, 'checking', 'files')
      const steps = verifyArchive(open)
      let step = steps.next()
      for (; step.done !== true; step = steps.next()) {
        const { versions, ofVersions, ...bytes } = step.value
        meter.show({ done: versions, of: ofVersions, ...bytes })
        await setImmediate()
      }
      meter.done()
      return { ...step.value, path }
    },
  )
}

/** What the archive holds. */
export interface ArchiveReport {
  readonly path: string
  readonly figures: ArchiveStats
  /** Sessions that exist in the archive only. */
  readonly only: readonly ArchivedSession[]
  /** Sessions that are not kept, and sessions that may not be forgotten. */
  readonly forgotten: readonly MarkedSession[]
  readonly held: readonly MarkedSession[]
  /** Sessions that Claude Code deletes soon, and whether the archive has them as they are on disk. */
  readonly swept: readonly (SweptSession & { readonly isKept: boolean })[]
}

/** Describes what the archive holds. */
export async function describeArchive(host: Host, archive: string | null): Promise<ArchiveReport> {
  const path = archive ?? archivePath()
  const roots = findRoots([], host)
  return await withArchive(
    () => openArchive(path),
    open => {
      const listed = open.list()
      const swept = sweptSoon(roots).map(session => ({ ...session, isKept: isKept(listed, session) }))
      const [forgotten, held] = [open.forgotten(), open.held()]
      return { path, figures: archiveStats(open), only: archivedOnly(open, roots), forgotten, held, swept }
    },
  )
}

function isKept(files: ReturnType<Archive['list']>, swept: SweptSession): boolean {
  return files.some(
    ({ session, bytes, mtime }) =>
      session === swept.session && bytes === swept.bytes && mtime === swept.mtime,
  )
}
