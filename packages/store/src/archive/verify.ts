/** K7: checking every byte of the archive. */
import { createHash } from 'node:crypto'
import type { Database } from '../db/driver.js'
import { StoreError } from '../files/failures.js'
import type { ByteSource } from '../files/source.js'
import { type Archive, readVersion } from './archive.js'
import { BlockReader } from './blocks.js'
import { allFiles, allVersions, markDamaged, type VersionRecord } from './records.js'
import { numberIn, textCell } from './schema.js'

/** How far a check is. */
interface VerifyProgress {
  readonly versions: number
  readonly ofVersions: number
  readonly bytes: number
  readonly ofBytes: number
}

/** A version of a file that is not what was stored. */
export interface ArchiveFault {
  /** Absolute path of the original. */
  readonly place: string
  readonly session: string | null
  readonly version: number
  readonly message: string
}

/** What a check came to. */
export interface VerifyResult {
  readonly files: number
  readonly versions: number
  readonly blocks: number
  /** Bytes of all versions. */
  readonly bytes: number
  readonly faults: readonly ArchiveFault[]
  /** Blocks whose bytes do not have their hash, less those that no version uses any more. */
  readonly damagedBlocks: readonly number[]
  /** What SQLite finds wrong with its file. */
  readonly structure: readonly string[]
}

const CHUNK = 1024 * 1024

/**
 * Checks the structure of the file, the hash of every block, and the hash of every version. Versions with a fault are
 * marked, if the archive can be written: the next `keep` stores their files again, while they are still there.
 * Throws `StoreError` where nothing at all can be read.
 */
export function* verifyArchive({ db }: Archive): Generator<VerifyProgress, VerifyResult> {
  const structure = checkStructure(db)
  const files = new Map(allFiles(db).map(file => [file.id, file]))
  const versions = allVersions(db)
  const ofBytes = versions.reduce((sum, { bytes }) => sum + bytes, 0)
  const blocks = yield* checkBlocks(db, { versions: 0, ofVersions: versions.length, bytes: 0, ofBytes })
  const reader = new BlockReader(db)
  const faults: ArchiveFault[] = []
  let bytes = 0
  for (const [at, version] of versions.entries()) {
    const message = faultOf(db, reader, version)
    bytes += version.bytes
    yield { versions: at + 1, ofVersions: versions.length, bytes, ofBytes }
    if (message === null) continue
    const file = files.get(version.file)
    faults.push({
      place: file?.place ?? '',
      session: file?.session ?? null,
      version: version.number,
      message,
    })
    mark(db, version)
  }
  return { files: files.size, versions: versions.length, ...blocks, bytes, faults, structure }
}

function checkStructure(db: Database): string[] {
  try {
    const rows = db.prepare('PRAGMA integrity_check(20)').all()
    return rows.map(row => textCell(row, 'integrity_check')).filter(text => text !== 'ok')
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'damaged') return [error.message]
    throw error
  }
}

function* checkBlocks(
  db: Database,
  progress: VerifyProgress,
): Generator<VerifyProgress, { blocks: number; damagedBlocks: number[] }> {
  const reader = new BlockReader(db)
  const ids = db.prepare('SELECT id FROM block ORDER BY id').all()
  const damagedBlocks: number[] = []
  for (const row of ids) {
    const id = numberIn(row, 'id')
    if (reader.load(id) === null && isUsed(db, id)) damagedBlocks.push(id)
    yield progress
  }
  return { blocks: ids.length, damagedBlocks }
}

function isUsed(db: Database, block: number): boolean {
  return db.prepare('SELECT 1 FROM run WHERE block = ? LIMIT 1').get(block) !== undefined
}

function faultOf(db: Database, reader: BlockReader, version: VersionRecord): string | null {
  try {
    const source = readVersion(db, reader, version)
    return hashAll(source).equals(version.sha256)
      ? null
      : 'Its bytes do not have the hash of the file that was read.'
  } catch (error) {
    if (error instanceof StoreError) return 'It lies in a damaged block.'
    throw error
  }
}

function hashAll(source: ByteSource): Buffer {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (let position = 0; position < source.size; ) {
    const got = source.read(buffer, 0, buffer.length, position)
    hash.update(buffer.subarray(0, got))
    position += got
  }
  return hash.digest()
}

/** An archive that cannot be written is checked all the same. */
function mark(db: Database, { id }: VersionRecord): void {
  try {
    markDamaged(db, id)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}
