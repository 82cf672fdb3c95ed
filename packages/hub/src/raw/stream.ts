/** HU19: reading raw bytes back, byte for byte, block by block. */
import { createHash } from 'node:crypto'
import { StoreError } from '@dagline/store'
import { bytesIn, numberIn, type Queries, type Row, textIn, textOrNull } from '../db/database.js'
import { runsOfVersion } from './commit.js'
import type { StoredVersion, VersionFilter } from './model.js'
import { decompress, sha256 } from './pack.js'
import { BadPush, damagedBlock, type Owner, packIn } from './pieces.js'

/** Versions of the files of a person, in order of path and number. */
export async function listVersions(
  queries: Queries,
  { tenant, person }: Owner,
  { session, all = false }: VersionFilter = {},
): Promise<readonly StoredVersion[]> {
  const last = `number = (SELECT max(number) FROM raw_version
    WHERE tenant = version.tenant AND file = version.file)`
  const rows = await queries.query(
    `SELECT version.*, file.path, file.kind, file.session, file.place, machine.name AS machine, project.name AS project
     FROM raw_file file
     JOIN raw_version version ON version.tenant = file.tenant AND version.file = file.id
     JOIN raw_machine machine ON machine.tenant = file.tenant AND machine.id = file.machine
     JOIN raw_project project ON project.tenant = file.tenant AND project.id = file.project
     WHERE file.tenant = $1 AND file.person = $2 AND ($3::text IS NULL OR starts_with(file.session, $3)) AND ($4 OR ${last})
     ORDER BY file.path, number`,
    [tenant, person, session ?? null, all],
  )
  return rows.map(storedIn)
}

function storedIn(row: Row): StoredVersion {
  return {
    id: numberIn(row, 'id'),
    file: numberIn(row, 'file'),
    path: textIn(row, 'path'),
    kind: textIn(row, 'kind'),
    session: textOrNull(row, 'session'),
    machine: textIn(row, 'machine'),
    place: textIn(row, 'place'),
    project: textIn(row, 'project'),
    number: numberIn(row, 'number'),
    bytes: numberIn(row, 'bytes'),
    mtime: numberIn(row, 'mtime'),
    originalSha256: bytesIn(row, 'original_sha256').toString('hex'),
    originalBytes: numberIn(row, 'original_bytes'),
    placeholders: placeholdersIn(row),
  }
}

/** How many placeholders the version of a row has. */
export function placeholdersIn(row: Row): number {
  const counts: unknown = JSON.parse(String(row['redacted'] ?? '{}'))
  return Object.values(counts ?? {}).reduce((sum: number, count) => sum + Number(count), 0)
}

/** The bytes of a version of a file of a person, in order. Throws `StoreError` where the person has none of that number. */
export async function* readOwnVersion(
  queries: Queries,
  owner: Owner,
  version: number,
): AsyncGenerator<Buffer> {
  const { tenant, person } = owner
  const [own] = await queries.query(
    `SELECT version.id FROM raw_version version JOIN raw_file file ON file.tenant = version.tenant AND file.id = version.file
     WHERE version.tenant = $1 AND version.id = $2 AND file.person = $3`,
    [tenant, version, person],
  )
  if (own === undefined)
    throw new BadPush(`There is no version ${version} of this person: it may have been deleted.`)
  yield* readVersion(queries, tenant, version)
}

/** The bytes of a version, in order. Throws `StoreError` where a block is damaged. */
export async function* readVersion(
  queries: Queries,
  tenant: number,
  version: number,
): AsyncGenerator<Buffer> {
  let open: { readonly block: number; readonly content: Buffer } = { block: 0, content: Buffer.alloc(0) }
  for (const { block, start, length } of await runsOfVersion(queries, { tenant }, version)) {
    if (open.block !== block) open = { block, content: await loadBlock(queries, tenant, block) }
    if (open.content.length < start + length) throw damagedBlock(block)
    yield open.content.subarray(start, start + length)
  }
}

async function loadBlock(queries: Queries, tenant: number, block: number): Promise<Buffer> {
  const [row] = await queries.query(BLOCK, [tenant, block])
  const content = row === undefined ? null : contentIn(row)
  if (content === null) throw damagedBlock(block)
  return content
}

/** What is read of a block. */
export const BLOCK = 'SELECT codec, bytes, hash, data FROM raw_block WHERE tenant = $1 AND id = $2'

/** The bytes in a row of a block; null where they are not those that were stored. */
export function contentIn(row: Row): Buffer | null {
  const content = decompress(packIn(row))
  return content !== null && sha256(content).equals(bytesIn(row, 'hash')) ? content : null
}

/** What `verifyRaw` found. */
interface RawCheck {
  readonly versions: number
  readonly bytes: number
  /** Why versions cannot be read whole. */
  readonly problems: readonly string[]
}

/** Reads every version of a person, and compares what was not redacted with the hash that its file had. */
export async function verifyRaw(queries: Queries, owner: Owner): Promise<RawCheck> {
  const problems: string[] = []
  let [count, total] = [0, 0]
  for (const version of await listVersions(queries, owner, { all: true })) {
    count++
    try {
      const { bytes, isOriginal } = await check(queries, owner, version)
      total += bytes
      if (bytes !== version.bytes || (version.placeholders === 0 && !isOriginal))
        problems.push(`${version.path}, version ${version.number}: its bytes are not those that were sent.`)
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== 'damaged') throw error
      problems.push(`${version.path}, version ${version.number}: ${error.message}`)
    }
  }
  return { versions: count, bytes: total, problems }
}

async function check(
  queries: Queries,
  { tenant }: Owner,
  version: StoredVersion,
): Promise<{ bytes: number; isOriginal: boolean }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of readVersion(queries, tenant, version.id)) {
    hash.update(part)
    bytes += part.length
  }
  return { bytes, isOriginal: hash.digest('hex') === version.originalSha256 }
}
