/**
 * K18: everything that dagline can make again from transcripts and the archive. Rows that were deleted from an index stay in its
 * unused pages and in segments of its full-text index, so its file goes as a whole.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { cacheFolder, takeLock } from '@dagline/store'
import { mayReplace } from './open.js'
import { usualIndex } from './path.js'

/** Indexes of all versions and of the viewer, tables for SQL; transcripts that were taken from the archive to be read. */
const CACHED = /^(?:\.?(?:index|view|tables)-.*|archived)$/

/** Deletes indexes and other copies of texts. Returns the first one that could not be deleted; null where all are gone. */
export async function eraseCopies(): Promise<string | null> {
  const index = usualIndex()
  const own = mayReplace(index) ? namesIn(dirname(index), name => name.startsWith(basename(index))) : []
  const tables = namesIn(dirname(index), name => /^\.?tables-.*\.duckdb/.test(name))
  const cached = namesIn(cacheFolder(), name => CACHED.test(name))
  const paths = [...new Set([...own, ...tables, ...cached])].filter(path => !path.endsWith('.lock'))
  const unlock = existsSync(index) ? await lockOf(index) : () => {}
  if (unlock === null) return index
  try {
    return paths.find(path => !isRemoved(path)) ?? null
  } finally {
    unlock()
  }
}

function namesIn(folder: string, isWanted: (name: string) => boolean): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(isWanted)
    .map(name => join(folder, name))
}

const PATIENCE = 3000
const ATTEMPTS = 10

/** The lock of an index; null where another process keeps it. */
async function lockOf(index: string): Promise<(() => void) | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const unlock = takeLock(index, PATIENCE)
    if (unlock !== null) return unlock
    await setTimeout(PATIENCE / ATTEMPTS)
  }
  return null
}

function isRemoved(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}
