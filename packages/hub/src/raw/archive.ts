/** HU16: what a person has pushed, in the form in which a sync takes archived files. */

import { fileId, sessionId } from '@dagline/core'
import {
  type ArchivedFile,
  type ArchivedPart,
  archivedProjects,
  type ByteSource,
  bytesSource,
  type FileState,
  type Reader,
  readerFrom,
  StoreError,
} from '@dagline/store'
import type { PgRow, SyncConnection } from '../db/sync-connection.js'
import { rootOf } from './paths.js'
import type { Owner } from './pieces.js'
import { openVersions } from './source.js'

/** Small files that were read before, by their versions: a judge looks at all of them each time. */
export type SidecarCache = Map<string, Buffer>

/** A file of a person as it is now. */
interface RawFile extends ArchivedFile {
  /** The number of its last version in the database. A version only gets longer; another one is another file. */
  readonly version: number
  readonly audience: number
}

/** What the judge syncs. */
interface JudgedPart {
  readonly part: ArchivedPart
  readonly audienceOf: (path: string) => number
  readonly reader: Reader
}

/** Blocks that stay unpacked: the judge reads files from their beginning to their end. */
const UNPACKED_BLOCKS = 4

/** Lists what a person has pushed, and reads it on demand. Throws `StoreError` where a file is damaged or was deleted. */
export function openJudgedPart(connection: SyncConnection, owner: Owner, cache: SidecarCache): JudgedPart {
  const open = openVersions(connection, owner.tenant, UNPACKED_BLOCKS)
  const files = new Map(filesIn(connection, owner).map(file => [String(file.path), file]))
  const fileAt = (path: string): RawFile => {
    const file = files.get(path)
    if (file !== undefined) return file
    throw new StoreError('unreachable', `${path} is not on the hub any more: it was deleted.`)
  }
  const readCached = ({ path }: ArchivedFile): ByteSource => {
    const file = fileAt(path)
    const key = `${file.version} ${file.bytes}`
    const bytes = cache.get(key) ?? readAll(open(file))
    cache.set(key, bytes)
    return bytesSource(bytes, { mtime: file.mtime, inode: file.version })
  }
  const root = rootOf(owner.person)
  const projects = archivedProjects({ read: readCached }, root, [...files.values()])
  return {
    part: {
      archive: 'hub',
      found: { root, projects, diagnostics: [] },
      hasGrown: (path, state) => hasGrown(files.get(path), state),
    },
    audienceOf: path => files.get(path)?.audience ?? 0,
    reader: readerFrom(({ path }) => open(fileAt(path))),
  }
}

function hasGrown(file: RawFile | undefined, { inode, size }: FileState): boolean {
  return file !== undefined && file.version === inode && file.bytes > size
}

function filesIn(connection: SyncConnection, { tenant, person }: Owner): readonly RawFile[] {
  const rows = connection.query(
    `SELECT file.id, file.path, file.kind, file.session, file.audience, version.id AS version, version.number,
       version.bytes, version.mtime, version.original_sha256
     FROM raw_file file CROSS JOIN LATERAL (
       SELECT * FROM raw_version WHERE tenant = file.tenant AND file = file.id ORDER BY number DESC LIMIT 1
     ) version
     WHERE file.tenant = $1 AND file.person = $2
     ORDER BY file.path`,
    [tenant, person],
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

function readAll(source: ByteSource): Buffer {
  const bytes = Buffer.alloc(source.size)
  source.read(bytes, 0, bytes.length, 0)
  return bytes
}
