/** HU40: the bytes of files for readers: whether the person sees a file is asked as that person, its bytes as the owner of the tables. */
import type { ByteSource } from '@dagline/store'
import { bytesIn } from '../db/database.js'
import type { PgRow, SyncConnection } from '../db/sync-connection.js'
import { personOf } from '../raw/paths.js'
import { BLOCK, contentIn } from '../raw/stream.js'
import type { ServedFile } from './reading.js'

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

const SEEN = `SELECT id, path, kind FROM raw_file
  WHERE tenant = $1 AND person = $2 AND (path = ANY ($3) OR session = ANY ($4)) ORDER BY path`
const LAST_OF = `SELECT DISTINCT ON (file) file, bytes, mtime, chain, original_sha256, redacted FROM raw_version
  WHERE tenant = $1 AND file = ANY ($2) ORDER BY file, number DESC`

/** HU51: the last versions of files that the person sees: by their paths, and all of some sessions. */
export function listServed(
  { reader, owner, tenant }: Sources,
  root: string,
  { paths, sessions }: { readonly paths: readonly string[]; readonly sessions: readonly string[] },
): readonly ServedFile[] {
  const files = reader.query(SEEN, [tenant, personOf(root) ?? 0, paths, sessions])
  const ids = files.map(file => numberOf(file, 'id'))
  const versions = new Map(owner.query(LAST_OF, [tenant, ids]).map(row => [numberOf(row, 'file'), row]))
  return files.flatMap(file => {
    const version = versions.get(numberOf(file, 'id'))
    return version === undefined ? [] : [servedIn(file, version)]
  })
}

/** Kinds of files that are cut into pieces by rows. */
const WITH_ROWS: ReadonlySet<string> = new Set(['session', 'agent', 'journal', 'other'])

function servedIn(file: PgRow, version: PgRow): ServedFile {
  const counts: unknown = JSON.parse(String(version['redacted'] ?? '{}'))
  const placeholders = Object.values(counts ?? {}).reduce((sum: number, count) => sum + Number(count), 0)
  return {
    path: String(file['path']),
    bytes: numberOf(version, 'bytes'),
    mtime: numberOf(version, 'mtime'),
    rows: WITH_ROWS.has(String(file['kind'])),
    chain: bytesIn(version, 'chain').toString('hex'),
    sha256: placeholders > 0 ? null : bytesIn(version, 'original_sha256').toString('hex'),
    placeholders,
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
