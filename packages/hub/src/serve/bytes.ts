/** HU40: the bytes of files for readers: whether the person sees a file is asked as that person, its bytes as the owner of the tables. */
import { isTranscript } from '@dagline/core/files'
import type { ByteSource } from '@dagline/store'
import { bytesIn } from '../db/database.js'
import type { PgRow, SyncConnection } from '../db/sync-connection.js'
import { personOf } from '../raw/paths.js'
import { openVersions } from '../raw/source.js'
import { placeholdersIn } from '../raw/stream.js'
import type { ServedFile } from './reading.js'

/** Blocks that stay unpacked, each at most some hundred kilobytes unless one row is larger: readers look at any position. */
const UNPACKED_BLOCKS = 32

interface Sources {
  /** A connection that names the person. */
  readonly reader: Pick<SyncConnection, 'query'>
  readonly owner: SyncConnection
  readonly tenant: number
}

const VISIBLE = 'SELECT id FROM raw_file WHERE tenant = $1 AND person = $2 AND path = $3'
const LAST = `SELECT id, bytes, mtime FROM raw_version WHERE tenant = $1 AND file = $2 ORDER BY number DESC LIMIT 1`

/** The last version of a file by its path in the index; null where the person does not see one. */
export function openBytes({ reader, owner, tenant }: Sources, path: string): ByteSource | null {
  const [, root = '', inner = ''] = /^(\/hub\/\d+)\/(.+)$/s.exec(path) ?? []
  const person = personOf(root)
  if (person === null) return null
  const [file] = reader.query(VISIBLE, [tenant, person, inner])
  if (file === undefined) return null
  const [version] = owner.query(LAST, [tenant, numberOf(file, 'id')])
  if (version === undefined) return null
  return openVersions(
    owner,
    tenant,
    UNPACKED_BLOCKS,
  )({
    version: numberOf(version, 'id'),
    bytes: numberOf(version, 'bytes'),
    mtime: numberOf(version, 'mtime'),
  })
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

function servedIn(file: PgRow, version: PgRow): ServedFile {
  const placeholders = placeholdersIn(version)
  return {
    path: String(file['path']),
    bytes: numberOf(version, 'bytes'),
    mtime: numberOf(version, 'mtime'),
    rows: isTranscript(String(file['kind'])),
    chain: bytesIn(version, 'chain').toString('hex'),
    sha256: placeholders > 0 ? null : bytesIn(version, 'original_sha256').toString('hex'),
    placeholders,
  }
}

function numberOf(row: PgRow, name: string): number {
  return Number(row[name])
}
