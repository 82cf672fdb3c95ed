/** Indexes of folders that change: what is kept against what is made anew. */
import { rmSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { expect } from 'vitest'
import type { IndexStore } from '../src/db/index-store.js'
import { openIndex } from '../src/db/sqlite.js'
import { discover, type FoundRoot } from '../src/files/discover.js'
import { readBatch, receiveMessage } from '../src/sync/batch.js'
import { batchesOf, firstTimeIn } from '../src/sync/batches.js'
import { type Reader, type SyncOptions, type SyncReport, syncRoot } from '../src/sync/sync.js'
import { dumpAnswers, dumpTables } from './dump.js'

/** Reads as another process would: what it says crosses over, and it says what it thinks. */
export const readApart: Reader = async (jobs, sink) => {
  for (const batch of batchesOf(jobs, { startOf: firstTimeIn })) {
    for (const message of readBatch(batch)) receiveMessage(deserialize(serialize(message)), sink)
  }
}

/** What discovery finds under a folder. */
export function findRoot(folder: string): FoundRoot {
  const [found] = discover([folder])
  if (found === undefined) throw new RangeError(`nothing to find under ${folder}`)
  return found
}

/** Brings an index up to date with a folder. */
export function syncFolder(
  index: IndexStore,
  folder: string,
  options: SyncOptions = {},
): Promise<SyncReport> {
  return syncRoot(index, findRoot(folder), options)
}

/** Opens an index file, brings it up to date, and closes it. */
export async function syncFile(path: string, folder: string, options: SyncOptions = {}): Promise<SyncReport> {
  const index = openIndex(path)
  try {
    return await syncFolder(index, folder, options)
  } finally {
    index.close()
  }
}

/** I2: an index file says what a new one says of the same folder. */
export async function expectAsNew(path: string, folder: string): Promise<void> {
  const fresh = `${path}.fresh`
  await syncFile(fresh, folder)
  const [kept, made] = [openIndex(path), openIndex(fresh)]
  try {
    expect(dumpAnswers(kept, 1)).toEqual(dumpAnswers(made, 1))
  } finally {
    kept.close()
    made.close()
  }
  expect(dumpTables(path)).toEqual(dumpTables(fresh))
  for (const end of ['', '-wal', '-shm']) rmSync(fresh + end, { force: true })
}
