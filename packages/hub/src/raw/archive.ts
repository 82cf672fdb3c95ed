/** HU16, HU19: what a person has pushed, as the reader of the archive gives archived files: for the judge, and for readers. */

import { fileId, sessionId } from '@dagline/core'
import {
  type ArchivedFile,
  type ArchivedPart,
  archivedProjects,
  type ByteSource,
  type FileState,
  findRun,
  type Reader,
  readerFrom,
  StoreError,
} from '@dagline/store'
import type { PgRow, SyncConnection } from '../db/sync-connection.js'
import { rootOf } from './paths.js'
import { damagedBlock, type Owner } from './pieces.js'
import type { Run } from './runs.js'
import { BLOCK, contentIn } from './stream.js'

/** Small files that were read before, by their versions: a judge looks at all of them each time. */
export type SidecarCache = Map<string, Buffer>

/** A file of a person as it is now. */
interface RawFile extends ArchivedFile {
  /** The number of its last version in the database. A version only gets longer; another one is another file. */
  readonly version: number
  readonly audience: number
}

/** What a person has pushed. */
interface RawArchive {
  /** All files, in order of path. */
  readonly list: () => readonly RawFile[]
  /** The bytes of a file. Throws `StoreError` where it is damaged. */
  readonly read: (file: Pick<RawFile, 'version' | 'bytes' | 'mtime'>) => ByteSource
  /** The bytes of the file at a path below the root of the person, or null. */
  readonly at: (place: string) => ByteSource | null
  readonly forJudge: (cache: SidecarCache) => JudgedPart
}

interface JudgedPart {
  readonly part: ArchivedPart
  readonly audienceOf: (path: string) => number
  readonly reader: Reader
}

/** Opens what a person has pushed. Nothing is read yet. */
export function openRawArchive(connection: SyncConnection, owner: Owner): RawArchive {
  const blocks = openBlocks(connection, owner.tenant)
  const read: RawArchive['read'] = file => sourceOf(file, runsIn(connection, owner, file.version), blocks)
  const list = (): readonly RawFile[] => filesIn(connection, owner)
  return {
    list,
    read,
    at: place => {
      const root = `${rootOf(owner.person)}/`
      const path = place.startsWith(root) ? place.slice(root.length) : null
      const [file] = path === null ? [] : filesIn(connection, owner, path)
      return file === undefined ? null : read(file)
    },
    forJudge: cache => {
      const files = new Map(list().map(file => [`${file.path}`, file]))
      const root = rootOf(owner.person)
      const readCached = (file: ArchivedFile): ByteSource => {
        const known = files.get(file.path)
        if (known === undefined) throw goneFile(file.path)
        const key = `${known.version} ${known.bytes}`
        const bytes = cache.get(key) ?? readAll(read(known))
        cache.set(key, bytes)
        return bytesSource(bytes, known)
      }
      const projects = archivedProjects({ read: readCached }, root, [...files.values()])
      return {
        part: {
          archive: 'hub',
          found: { root, projects, diagnostics: [] },
          hasGrown: (path, state) => hasGrown(files.get(path), state),
        },
        audienceOf: path => files.get(path)?.audience ?? 0,
        reader: readerFrom(({ path }) => {
          const file = files.get(path)
          if (file === undefined) throw goneFile(path)
          return read(file)
        }),
      }
    },
  }
}

function hasGrown(file: RawFile | undefined, { inode, size }: FileState): boolean {
  return file !== undefined && file.version === inode && file.bytes > size
}

function goneFile(path: string): StoreError {
  return new StoreError('unreachable', `${path} is not on the hub any more: it was deleted.`)
}

function filesIn(connection: SyncConnection, { tenant, person }: Owner, path?: string): readonly RawFile[] {
  const rows = connection.query(
    `SELECT file.id, file.path, file.kind, file.session, file.audience, version.id AS version, version.number,
       version.bytes, version.mtime, version.original_sha256
     FROM raw_file file CROSS JOIN LATERAL (
       SELECT * FROM raw_version WHERE tenant = file.tenant AND file = file.id ORDER BY number DESC LIMIT 1
     ) version
     WHERE file.tenant = $1 AND file.person = $2 ${path === undefined ? '' : 'AND file.path = $3'}
     ORDER BY file.path`,
    path === undefined ? [tenant, person] : [tenant, person, path],
  )
  return rows.map(row => fileIn(row, rootOf(person)))
}

function fileIn(row: PgRow, root: string): RawFile {
  const session = row['session'] ?? null
  const sha256 = row['original_sha256']
  return {
    id: Number(row['id']),
    root,
    path: fileId(String(row['path'])),
    kind: String(row['kind']),
    session: session === null ? null : sessionId(String(session)),
    bytes: Number(row['bytes']),
    mtime: Number(row['mtime']),
    sha256: sha256 instanceof Uint8Array ? Buffer.from(sha256).toString('hex') : '',
    versions: Number(row['number']),
    isMirrored: false,
    version: Number(row['version']),
    audience: Number(row['audience']),
  }
}

function runsIn(connection: SyncConnection, { tenant }: Owner, version: number): readonly Run[] {
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

type Blocks = (block: number, end: number) => Buffer

/** Blocks that stay unpacked. */
const CACHED = 4

/** Unpacks blocks; the last few stay. One that has grown since is read again. */
function openBlocks(connection: SyncConnection, tenant: number): Blocks {
  const cache = new Map<number, Buffer>()
  return (block, end) => {
    const cached = cache.get(block)
    const content = cached !== undefined && cached.length >= end ? cached : load(connection, tenant, block)
    if (content === null || content.length < end) throw damagedBlock(block)
    cache.delete(block)
    cache.set(block, content)
    const [oldest] = cache.keys()
    if (cache.size > CACHED && oldest !== undefined) cache.delete(oldest)
    return content
  }
}

function load(connection: SyncConnection, tenant: number, block: number): Buffer | null {
  const [row] = connection.query(BLOCK, [tenant, block])
  return row === undefined ? null : contentIn(row)
}

function sourceOf(
  { version, bytes, mtime }: Pick<RawFile, 'version' | 'bytes' | 'mtime'>,
  runs: readonly Run[],
  blocks: Blocks,
): ByteSource {
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

function readAll(source: ByteSource): Buffer {
  const bytes = Buffer.alloc(source.size)
  source.read(bytes, 0, bytes.length, 0)
  return bytes
}

function bytesSource(bytes: Buffer, { mtime, version }: RawFile): ByteSource {
  return {
    ...{ size: bytes.length, mtime, inode: version, close: () => {} },
    read: (buffer, offset, length, position) =>
      bytes.copy(buffer, offset, position, Math.min(bytes.length, position + length)),
  }
}
