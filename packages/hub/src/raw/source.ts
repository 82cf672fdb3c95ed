/** HU19: the bytes of a version at any position, for threads that wait for the database. */
import { type ByteSource, findRun } from '@dagline/store'
import type { SyncConnection } from '../db/sync-connection.js'
import type { TenantId } from '../model/index.js'
import { damagedBlock } from './pieces.js'
import type { Run } from './runs.js'
import { BLOCK, contentIn } from './stream.js'

/** A version, as far as reading it needs to know. */
interface ReadVersion {
  /** The number of the version in the database. */
  readonly version: number
  readonly bytes: number
  readonly mtime: number
}

/** Gives the content of a block, which has to have at least so many bytes. Throws `StoreError` where it is damaged. */
type Blocks = (block: number, end: number) => Buffer

/** Opens versions of a tenant; they share the last `most` blocks that were unpacked. */
export function openVersions(
  connection: SyncConnection,
  tenant: TenantId,
  most: number,
): (version: ReadVersion) => ByteSource {
  const blocks = openBlocks(connection, tenant, most)
  return version => sourceOf(version, runsIn(connection, tenant, version.version), blocks)
}

function runsIn(connection: SyncConnection, tenant: TenantId, version: number): readonly Run[] {
  const rows = connection.query(
    'SELECT position, block, start, length FROM raw_run WHERE tenant = $1 AND version = $2 ORDER BY position',
    [tenant, version],
  )
  return rows.map(row => ({
    position: Number(row['position']),
    block: Number(row['block']),
    start: Number(row['start']),
    length: Number(row['length']),
  }))
}

/** A block that has grown since it was unpacked is read again. */
function openBlocks(connection: SyncConnection, tenant: TenantId, most: number): Blocks {
  const cache = new Map<number, Buffer>()
  return (block, end) => {
    const cached = cache.get(block)
    const content = cached !== undefined && cached.length >= end ? cached : load(connection, tenant, block)
    if (content === null || content.length < end) throw damagedBlock(block)
    cache.delete(block)
    cache.set(block, content)
    const [oldest] = cache.keys()
    if (cache.size > most && oldest !== undefined) cache.delete(oldest)
    return content
  }
}

function load(connection: SyncConnection, tenant: TenantId, block: number): Buffer | null {
  const [row] = connection.query(BLOCK, [tenant, block])
  return row === undefined ? null : contentIn(row)
}

function sourceOf({ version, bytes, mtime }: ReadVersion, runs: readonly Run[], blocks: Blocks): ByteSource {
  let at = 0
  return {
    size: bytes,
    mtime,
    inode: version,
    read: (buffer, offset, length, position) => {
      const most = Math.min(length, buffer.length - offset, bytes - position)
      let done = 0
      while (done < most) {
        at = findRun(runs, position + done, at)
        const run = runs[at]
        if (run === undefined || position + done >= run.position + run.length)
          throw damagedBlock(run?.block ?? 0)
        const skipped = position + done - run.position
        const step = Math.min(most - done, run.length - skipped)
        const start = run.start + skipped
        buffer.set(blocks(run.block, start + step).subarray(start, start + step), offset + done)
        done += step
      }
      return Math.max(0, done)
    },
    close: () => {},
  }
}
