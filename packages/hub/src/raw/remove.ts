/**
 * HU21: removing files for good. Bytes of blocks that nothing else uses become zeros, unused blocks are deleted, and so are
 * the hashes, which would still prove what was stored.
 */
import { type HubDatabase, numberIn, type Queries } from '../db/database.js'
import { markChanged } from './commit.js'
import { compress, sha256 } from './pack.js'
import { damagedBlock, lockPerson, type Owner } from './pieces.js'
import { BLOCK, contentIn } from './stream.js'

/** What was removed. */
interface Removed {
  readonly files: number
  /** Bytes of blocks that were erased. */
  readonly bytes: number
}

/** Removes files of a person in all versions, with all bytes that no other file has. */
export async function removeFiles(
  database: HubDatabase,
  owner: Owner,
  files: readonly number[],
): Promise<Removed> {
  return await database.transact(async queries => {
    await lockPerson(queries, owner)
    const blocks = await blocksOf(queries, owner, files)
    const { tenant, person } = owner
    const own = 'SELECT id FROM raw_file WHERE tenant = $1 AND person = $2 AND id = ANY($3)'
    const values = [tenant, person, files]
    await queries.query(
      `DELETE FROM raw_run WHERE tenant = $1 AND version IN
         (SELECT id FROM raw_version WHERE tenant = $1 AND file IN (${own}))`,
      values,
    )
    await queries.query(`DELETE FROM raw_version WHERE tenant = $1 AND file IN (${own})`, values)
    const gone = await queries.query(
      'DELETE FROM raw_file WHERE tenant = $1 AND person = $2 AND id = ANY($3) RETURNING machine',
      values,
    )
    await queries.query('UPDATE raw_machine SET changes = changes + 1 WHERE tenant = $1 AND id = ANY($2)', [
      tenant,
      [...new Set(gone.map(row => numberIn(row, 'machine')))],
    ])
    let bytes = 0
    for (const block of blocks) bytes += await eraseUnused(queries, owner, block)
    if (gone.length > 0) await markChanged(queries, owner)
    return { files: gone.length, bytes }
  })
}

/**
 * Erases what pushes that were never finished have left: blocks older than a day with bytes that no version uses. Returns
 * how many bytes.
 */
export async function sweepUnused(database: HubDatabase, owner: Owner): Promise<number> {
  return await database.transact(async queries => {
    await lockPerson(queries, owner)
    const rows = await queries.query(
      `SELECT id FROM raw_block block WHERE tenant = $1 AND person = $2 AND taken < now() - interval '1 day'
       AND NOT EXISTS (SELECT 1 FROM raw_run WHERE tenant = block.tenant AND block = block.id)`,
      [owner.tenant, owner.person],
    )
    let bytes = 0
    for (const row of rows) bytes += await eraseUnused(queries, owner, numberIn(row, 'id'))
    return bytes
  })
}

async function blocksOf(
  queries: Queries,
  { tenant, person }: Owner,
  files: readonly number[],
): Promise<number[]> {
  const rows = await queries.query(
    `SELECT DISTINCT run.block FROM raw_file file
     JOIN raw_version version ON version.tenant = file.tenant AND version.file = file.id
     JOIN raw_run run ON run.tenant = version.tenant AND run.version = version.id
     WHERE file.tenant = $1 AND file.person = $2 AND file.id = ANY($3) ORDER BY run.block`,
    [tenant, person, files],
  )
  return rows.map(row => numberIn(row, 'block'))
}

async function eraseUnused(queries: Queries, { tenant, person }: Owner, block: number): Promise<number> {
  const uses = await queries.query(
    'SELECT start, start + length AS end FROM raw_run WHERE tenant = $1 AND block = $2 ORDER BY start',
    [tenant, block],
  )
  const kept = uses.map(row => ({ start: numberIn(row, 'start'), end: numberIn(row, 'end') }))
  const gone = await dropPieces(queries, { tenant, person }, block)
  if (kept.length === 0) {
    await queries.query('DELETE FROM raw_block WHERE tenant = $1 AND id = $2', [tenant, block])
    return gone
  }
  const [row] = await queries.query(BLOCK, [tenant, block])
  const content = row === undefined ? null : contentIn(row)
  if (content === null) throw damagedBlock(block)
  const bytes = eraseGaps(content, kept)
  const { codec, data } = compress(content)
  await queries.query('UPDATE raw_block SET codec = $3, hash = $4, data = $5 WHERE tenant = $1 AND id = $2', [
    tenant,
    block,
    codec,
    sha256(content),
    data,
  ])
  return bytes
}

/** Puts zeros between ranges that are in order of their starts; returns how many. */
function eraseGaps(
  content: Buffer,
  kept: readonly { readonly start: number; readonly end: number }[],
): number {
  let [position, erased] = [0, 0]
  for (const { start, end } of [...kept, { start: content.length, end: content.length }]) {
    if (start > position) {
      content.fill(0, position, start)
      erased += start - position
    }
    position = Math.max(position, end)
  }
  return erased
}

/** Forgets the pieces of a block that no run covers; returns their bytes. */
async function dropPieces(queries: Queries, { tenant, person }: Owner, block: number): Promise<number> {
  const rows = await queries.query(
    `DELETE FROM raw_piece piece WHERE tenant = $1 AND person = $2 AND block = $3 AND NOT EXISTS (
       SELECT 1 FROM raw_run run WHERE run.tenant = $1 AND run.block = $3 AND run.start <= piece.start
         AND run.start + run.length >= piece.start + piece.length)
     RETURNING length`,
    [tenant, person, block],
  )
  return rows.reduce((sum, row) => sum + numberIn(row, 'length'), 0)
}
