/** K15: forgetting sessions: which bytes go and which stay, and their removal. */
import type { SessionId } from '@dagline/core'
import type { Database } from '../db/driver.js'
import { StoreError } from '../files/failures.js'
import type { Archive, ArchivedFile } from './archive.js'
import { eraseUnused } from './erase.js'
import { finishErasure, markSession, noteErasure } from './marks.js'
import { lengthOf, mergeRanges, overlaps, type RangesByBlock, rangesByBlock } from './ranges.js'
import { allUses, deleteFiles } from './records.js'

/** What forgetting sessions removes, and what stays. */
export interface ForgetPlan {
  readonly sessions: readonly SessionId[]
  /** Transcripts, subagents, sidecars and spilled results, with all their versions. */
  readonly files: readonly ArchivedFile[]
  readonly versions: number
  /** Bytes of all versions. */
  readonly bytes: number
  /** Bytes of rows and sidecars that nothing else has: they are erased. */
  readonly erased: number
  /** Bytes of rows and sidecars that other files have, too: they stay. */
  readonly shared: number
  /** The sessions of those files. */
  readonly sharedWith: readonly string[]
}

/** Tells what forgetting some sessions would remove. Throws `StoreError`. */
export function planForget(archive: Archive, sessions: readonly SessionId[]): ForgetPlan {
  const chosen = new Set<string | null>(sessions)
  const files = archive.list().filter(({ session }) => chosen.has(session))
  const versions = files.flatMap(file => archive.versions(file))
  const own = rangesByBlock(allUses(archive.db), ({ session }) => chosen.has(session))
  const sharers = new Set<string>()
  const others = rangesByBlock(allUses(archive.db), use => {
    if (chosen.has(use.session) || !overlaps(own.get(use.block) ?? [], use)) return false
    if (use.session !== null) sharers.add(use.session)
    return true
  })
  const [all, shared] = [bytesIn(own), commonBytes(own, others)]
  return {
    sessions,
    files,
    versions: versions.length,
    bytes: versions.reduce((total, { bytes }) => total + bytes, 0),
    erased: all - shared,
    shared,
    sharedWith: [...sharers].sort(),
  }
}

function bytesIn(ranges: RangesByBlock): number {
  return [...ranges.values()].reduce((total, own) => total + lengthOf(own), 0)
}

function commonBytes(own: RangesByBlock, others: RangesByBlock): number {
  return [...others].reduce((total, [block, ranges]) => {
    const mine = own.get(block) ?? []
    return total + lengthOf(mine) + lengthOf(ranges) - lengthOf(mergeRanges([...mine, ...ranges]))
  }, 0)
}

/**
 * Removes the files and versions of sessions with all bytes that nothing else uses, in one transaction, and marks the
 * sessions as forgotten, so that they are not kept again. Then it writes the database anew without unused pages. Returns
 * why that last step failed, or null; the next run of `keep` or this function does it then. Throws `StoreError` where
 * nothing was removed.
 */
export function forgetSessions(db: Database, sessions: readonly SessionId[], now: number): StoreError | null {
  // A large session has more changed pages than the cache should hold; readers wait.
  db.exec('PRAGMA cache_spill = ON')
  db.transact(() => {
    const chosen = new Set<string | null>(sessions)
    const blocks = rangesByBlock(allUses(db), ({ session }) => chosen.has(session))
    for (const session of sessions) {
      deleteFiles(db, session)
      markSession(db, 'forgotten', session, now)
    }
    eraseUnused(db, new Set(blocks.keys()))
    noteErasure(db)
  })
  try {
    finishErasure(db)
    return null
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
}
