/**
 * I15: damage of an index is recognised wherever it shows: by its checksums when it is opened, and by any read that fails.
 * It is a cache, so a damaged one is set aside and made again.
 */
import { rmSync, statSync } from 'node:fs'
import { adviceFor, codeOf, reasonFor, StoreError } from '../files/failures.js'
import { renameFile } from '../files/rename.js'
import type { IndexStore } from './index-store.js'
import { comparePages, hasOwnSums, sumsPath } from './page-sums.js'
import { INDEX_VERSION, markedVersion } from './schema.js'

/** An index that must not answer. `cause` is what failed. */
export class DamagedIndex extends StoreError {
  constructor(path: string, cause?: unknown) {
    const message = cause instanceof StoreError ? cause.message : `${path} is damaged.`
    super('damaged', message, cause)
  }
}

/**
 * Throws `DamagedIndex` where pages of an index are not what was written. Returns whether its structure must be looked
 * at, because nothing is known of its pages yet.
 */
export function checkPages(path: string, isWriter: boolean): boolean {
  // What is not ours has a message of its own, and what is older is made again anyway.
  const version = markedVersion(path) ?? (hasOwnSums(path, INDEX_VERSION) ? INDEX_VERSION : null)
  if (version !== INDEX_VERSION) return false
  const state = comparePages(path, isWriter)
  if (state === 'damaged') throw new DamagedIndex(path)
  return state === 'unknown' && isWriter
}

/**
 * The same index, of which every call that fails throws what `toError` makes of it. No call fails because of its
 * arguments: whatever is thrown, but a failure of the disk or of another process, comes of what is stored.
 */
export function withErrors(index: IndexStore, toError: (error: unknown) => unknown): IndexStore {
  const calls = Object.entries(index).map(([name, call]) => [name, guarded(call, toError)])
  return { ...index, ...Object.fromEntries(calls) }
}

/** What a failed call of an index means. */
export function damageOf(error: unknown, path: string): unknown {
  if (error instanceof DamagedIndex) return error
  if (error instanceof StoreError && error.kind !== 'damaged') return error
  if (/^E[A-Z]+$/.test(codeOf(error) ?? '')) {
    const why = `${path} could not be read: ${reasonFor(error)}.`
    return new StoreError('unreachable', `${why} ${adviceFor(codeOf(error))}`, error)
  }
  return new DamagedIndex(path, error)
}

function guarded(
  call: (...values: never[]) => unknown,
  toError: (error: unknown) => unknown,
): (...values: never[]) => unknown {
  return (...values) => {
    try {
      const answer = call(...values)
      return isGenerator(answer) ? eachGuarded(answer, toError) : answer
    } catch (error) {
      throw toError(error)
    }
  }
}

/** What reads as it is asked for fails later. */
function isGenerator(value: unknown): value is Generator {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value
}

function* eachGuarded<T>(items: Iterable<T>, toError: (error: unknown) => unknown): Generator<T> {
  try {
    yield* items
  } catch (error) {
    throw toError(error)
  }
}

/** Names an index file at this moment: another file of the same path has another name. */
export function nameOfFile(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.birthtimeNs}`
}

/** Moves a damaged index out of the way, in place of an earlier one, and returns where it is now. */
export function setAside(path: string): string {
  const aside = `${path}.damaged`
  for (const each of [aside, `${path}-wal`, `${path}-shm`, sumsPath(path)]) rmSync(each, { force: true })
  renameFile(path, aside)
  return aside
}
