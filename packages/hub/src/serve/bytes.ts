/** HU40: the bytes of files for readers: whether the person sees a file is asked as that person, its bytes as the owner of the tables. */
import type { ByteSource } from '@dagline/store'
import type { PgRow, SyncConnection } from '../db/sync-connection.js'
import { personOf } from '../raw/paths.js'
import { BLOCK, contentIn } from '../raw/stream.js'

/** Blocks that are kept, each at most some hundred kilobytes unless one row is larger. */
const MOST_BLOCKS = 32

/** A run of bytes of one block. */
interface Run {
  /** Where it begins in the file. */
  readonly position: number
  readonly block: number
  readonly start: number
  readonly length: number
}

interface Sources {
  /** A connection that names the person. */
  readonly reader: Pick<SyncConnection, 'query'>
  readonly owner: SyncConnection
  readonly tenant: number
}

const VISIBLE = 'SELECT id FROM raw_file WHERE tenant = $1 AND person = $2 AND path = $3'
const LAST = `SELECT id, bytes, mtime FROM raw_version WHERE tenant = $1 AND file = $2 ORDER BY number DESC LIMIT 1`
const RUNS = `SELECT position, block, start, length FROM raw_run WHERE tenant = $1 AND version = $2 ORDER BY position`

/** The last version of a file by its path in the index; null where the person does not see one. */
export function openBytes({ reader, owner, tenant }: Sources, path: string): ByteSource | null {
  const [, root = '', inner = ''] = /^(\/hub\/\d+)\/(.+)$/s.exec(path) ?? []
  const person = personOf(root)
  if (person === null) return null
  const [file] = reader.query(VISIBLE, [tenant, person, inner])
  if (file === undefined) return null
  const [version] = owner.query(LAST, [tenant, numberOf(file, 'id')])
  if (version === undefined) return null
  const runs = owner.query(RUNS, [tenant, numberOf(version, 'id')]).map(row => ({
    position: numberOf(row, 'position'),
    block: numberOf(row, 'block'),
    start: numberOf(row, 'start'),
    length: numberOf(row, 'length'),
  }))
  const contentOf = createBlocks(owner, tenant)
  return {
    size: numberOf(version, 'bytes'),
    mtime: numberOf(version, 'mtime'),
    inode: 0,
    read: (buffer, offset, length, position) => {
      const run = runAt(runs, position)
      if (run === undefined) return 0
      const skip = position - run.position
      const from = run.start + skip
      const bytes = contentOf(run.block).subarray(from, from + Math.min(length, run.length - skip))
      buffer.set(bytes, offset)
      return bytes.length
    },
    close: () => {},
  }
}

/** The run that holds a position, found by halves. */
function runAt(runs: readonly Run[], position: number): Run | undefined {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const run = runs[middle]
    if (run !== undefined && run.position + run.length <= position) low = middle + 1
    else high = middle
  }
  const run = runs[low]
  return run !== undefined && run.position <= position ? run : undefined
}

function createBlocks(owner: SyncConnection, tenant: number): (block: number) => Buffer {
  const known = new Map<number, Buffer>()
  return block => {
    const content = known.get(block) ?? loadBlock(owner, tenant, block)
    known.delete(block)
    known.set(block, content)
    for (const oldest of known.keys()) if (known.size > MOST_BLOCKS) known.delete(oldest)
    return content
  }
}

function loadBlock(owner: SyncConnection, tenant: number, block: number): Buffer {
  const [row] = owner.query(BLOCK, [tenant, block])
  const content = row === undefined ? null : contentIn(row)
  if (content === null) throw new RangeError(`Block ${block} of tenant ${tenant} is damaged.`)
  return content
}

function numberOf(row: PgRow, name: string): number {
  return Number(row[name])
}
