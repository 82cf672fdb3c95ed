/**
 * I9: the order of reading. The newest sessions come first and are committed by themselves, so that they can be listed,
 * opened and searched while the rest is read.
 */
import { groupBy } from '@dagline/core/model'
import type { ReadJob } from '../db/facts.js'
import type { PresentFile } from './plan.js'

/** How much is read before anything else: as many sessions as a list shows at once, and what is read in a moment. */
export interface FirstStage {
  readonly sessions: number
  readonly bytes: number
}

/** A few more sessions than are shown: some of them are idle. */
export const FIRST_STAGE: FirstStage = { sessions: 64, bytes: 16 * 1024 * 1024 }

/** No session comes before the others. */
export const NO_FIRST_STAGE: FirstStage = { sessions: 0, bytes: 0 }

/** A file to read. */
interface Opened {
  readonly file: { readonly now: PresentFile }
  readonly job: Pick<ReadJob, 'bytes'>
}

/** Files of one session, or one file that does not name its session. */
interface Unit<T> {
  readonly files: readonly T[]
  readonly newest: number
  readonly bytes: number
}

/** Sorts files by the change times of their sessions, the newest first; those of one session stay together. */
export function inStages<T extends Opened>(
  opened: readonly T[],
  limit: FirstStage,
): { readonly first: readonly T[]; readonly rest: readonly T[] } {
  const units = [...groupBy(opened, unitOf).values()].map(describeUnit)
  const [first, rest]: [T[], T[]] = [[], []]
  let { sessions, bytes } = limit
  for (const unit of units.sort((a, b) => b.newest - a.newest)) {
    // A session that is too large does not keep the others waiting.
    const isFirst = sessions > 0 && unit.bytes <= bytes
    for (const file of unit.files) (isFirst ? first : rest).push(file)
    if (!isFirst) continue
    bytes -= unit.bytes
    if (unit.files.some(({ file }) => file.now.facts.kind === 'session')) sessions--
  }
  return { first, rest }
}

/** How much of each of several roots is among what is read first of all of them. */
export function shareStage(
  roots: readonly (readonly PresentFile[])[],
  limit: FirstStage = FIRST_STAGE,
): readonly FirstStage[] {
  const opened = roots.flatMap((files, root) => files.map(now => ({ root, file: { now }, job: now })))
  const byRoot = groupBy(inStages(opened, limit).first, ({ root }) => root)
  return roots.map((_, root) => {
    const first = byRoot.get(root) ?? []
    return {
      sessions: first.filter(({ file }) => file.now.facts.kind === 'session').length,
      bytes: first.reduce((sum, { job }) => sum + job.bytes, 0),
    }
  })
}

function unitOf({ file: { now } }: Opened): string {
  return `${now.root}\n${now.facts.session === null ? now.path : `${now.project}\n${now.facts.session}`}`
}

function describeUnit<T extends Opened>(files: readonly T[]): Unit<T> {
  return {
    files,
    newest: files.reduce((newest, { file }) => Math.max(newest, file.now.mtime), 0),
    bytes: files.reduce((sum, { job }) => sum + job.bytes, 0),
  }
}
