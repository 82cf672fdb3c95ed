/** Pieces of a person: which are there, and storing those that are not. */
import { StoreError } from '@dagline/store'
import { bytesIn, type HubDatabase, numberIn, type Queries, type Row, textIn } from '../db/database.js'
import type { PersonId, TenantId } from '../model/index.js'
import { compress, decompress, makePack, type NamedPack, openPack, type Pack, sha256 } from './pack.js'

/** Whose pieces they are. */
export interface Owner {
  readonly tenant: TenantId
  readonly person: PersonId
}

/** Where a piece is. */
export interface Place {
  readonly block: number
  readonly start: number
  readonly length: number
}

/** HU12: a block with fewer bytes goes on growing: otherwise a session that is pushed row by row would have a block for each row. */
const OPEN_BELOW = 256 * 1024
/** More than that is a block of its own at once. */
const SMALL = 64 * 1024

/** A request of a client that is not valid. */
export class BadPush extends Error {}

/** Serializes writes of one person, so that there is no deadlock. */
export async function lockPerson(queries: Queries, { tenant, person }: Owner): Promise<void> {
  await queries.query('SELECT pg_advisory_xact_lock($1, $2)', [PUSHING + tenant, person])
}

/** Apart from the locks of judges. */
const PUSHING = 0x10000000

/** The places of those pieces that are there, by their hashes in hexadecimal. */
export async function placesOf(
  queries: Queries,
  { tenant, person }: Owner,
  hashes: readonly Buffer[],
): Promise<ReadonlyMap<string, Place>> {
  const rows = await queries.query(PLACES, [tenant, person, hashes])
  return new Map(rows.map(row => [bytesIn(row, 'hash').toString('hex'), placeIn(row)]))
}

/** Looks into the one partition of each hash: with `ANY` each of them would be searched for all hashes. */
const PLACES = `SELECT piece.* FROM unnest($3::bytea[]) AS wanted (hash) CROSS JOIN LATERAL (
    SELECT hash, block, start, length FROM raw_piece WHERE tenant = $1 AND person = $2 AND hash = wanted.hash
  ) piece`

/** The place in a row of an answer. */
export function placeIn(row: Row): Place {
  return { block: numberIn(row, 'block'), start: numberIn(row, 'start'), length: numberIn(row, 'length') }
}

/** Stores the pieces of a pack that are not there yet. Throws `BadPush` where the pack is not what it says. */
export async function putPieces(database: HubDatabase, owner: Owner, pack: NamedPack): Promise<void> {
  const pieces = openPack(pack)
  if (pieces === null) throw new BadPush('A pack is damaged: its pieces do not have their hashes.')
  await database.transact(async queries => {
    await lockPerson(queries, owner)
    if (pack.bytes >= SMALL && (await putNew(queries, owner, pack, pieces))) return
    const there = new Set((await placesOf(queries, owner, pack.hashes)).keys())
    const fresh = pack.hashes.flatMap((hash, at) => {
      const name = hash.toString('hex')
      if (there.has(name)) return []
      there.add(name)
      return [at]
    })
    if (fresh.length === 0) return
    const isWhole = fresh.length === pieces.length
    const rest = isWhole ? pack : makePack(pick(pack.hashes, fresh), pick(pieces, fresh))
    const content = isWhole ? pieces : pick(pieces, fresh)
    const at = await storeContent(queries, owner, rest, Buffer.concat(content))
    await notePieces(queries, owner, rest, at)
  })
}

/** Stores a pack as a block of its own where none of its pieces is there; else nothing. To look for each of them first takes longer. */
async function putNew(
  queries: Queries,
  owner: Owner,
  pack: NamedPack,
  pieces: readonly Buffer[],
): Promise<boolean> {
  await queries.query('SAVEPOINT pieces')
  const block = await nextBlock(queries)
  const isNew = (await notePieces(queries, owner, pack, { block, start: 0 })) === pack.hashes.length
  if (isNew) await insertBlock(queries, owner, block, { ...pack, content: Buffer.concat(pieces) })
  else await queries.query('ROLLBACK TO SAVEPOINT pieces')
  return isNew
}

function pick<T>(items: readonly T[], at: readonly number[]): T[] {
  return at.flatMap(index => items[index] ?? [])
}

/** Writes the bytes into a block, and says which, and from where on. */
async function storeContent(
  queries: Queries,
  owner: Owner,
  pack: Pack,
  content: Buffer,
): Promise<{ block: number; start: number }> {
  const isSmall = content.length < SMALL
  const open = isSmall ? await openBlock(queries, owner) : null
  if (open !== null) {
    await growBlock(queries, owner, open.id, Buffer.concat([open.content, content]))
    return { block: open.id, start: open.content.length }
  }
  const { tenant, person } = owner
  const block = await nextBlock(queries)
  await insertBlock(queries, owner, block, { ...pack, content })
  if (isSmall)
    await queries.query(
      `INSERT INTO raw_root (tenant, person, open_block) VALUES ($1, $2, $3)
       ON CONFLICT (tenant, person) DO UPDATE SET open_block = excluded.open_block`,
      [tenant, person, block],
    )
  return { block, start: 0 }
}

async function nextBlock(queries: Queries): Promise<number> {
  const [row = {}] = await queries.query("SELECT nextval('raw_block_id') AS id")
  return numberIn(row, 'id')
}

async function insertBlock(
  queries: Queries,
  { tenant, person }: Owner,
  block: number,
  { codec, data, content }: Pack & { readonly content: Buffer },
): Promise<void> {
  await queries.query(
    `INSERT INTO raw_block (tenant, id, person, codec, bytes, hash, data) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [tenant, block, person, codec, content.length, sha256(content), data],
  )
}

/** The block that small additions go to, with its bytes; null where a new one is needed. */
async function openBlock(
  queries: Queries,
  { tenant, person }: Owner,
): Promise<{ id: number; content: Buffer } | null> {
  const [row] = await queries.query(
    `SELECT block.id, block.codec, block.bytes, block.data FROM raw_root root
     JOIN raw_block block ON block.tenant = root.tenant AND block.id = root.open_block
     WHERE root.tenant = $1 AND root.person = $2`,
    [tenant, person],
  )
  if (row === undefined || numberIn(row, 'bytes') >= OPEN_BELOW) return null
  const content = decompress(packIn(row))
  return content === null ? null : { id: numberIn(row, 'id'), content }
}

async function growBlock(queries: Queries, { tenant }: Owner, id: number, content: Buffer): Promise<void> {
  const { codec, data } = compress(content)
  await queries.query(
    'UPDATE raw_block SET codec = $3, bytes = $4, hash = $5, data = $6, taken = now() WHERE tenant = $1 AND id = $2',
    [tenant, id, codec, content.length, sha256(content), data],
  )
}

/** Notes where pieces are, and returns how many of them were not there before. */
async function notePieces(
  queries: Queries,
  { tenant, person }: Owner,
  { hashes, lengths }: NamedPack,
  { block, start }: { readonly block: number; readonly start: number },
): Promise<number> {
  let at = start
  const starts = lengths.map(length => {
    at += length
    return at - length
  })
  const [row = {}] = await queries.query(
    `WITH noted AS (
       INSERT INTO raw_piece (tenant, person, hash, block, start, length)
       SELECT $1, $2, hash, $3, start, length FROM unnest($4::bytea[], $5::int[], $6::int[]) AS piece (hash, start, length)
       ON CONFLICT DO NOTHING RETURNING 1
     ) SELECT count(*) AS count FROM noted`,
    [tenant, person, block, hashes, starts, lengths],
  )
  return numberIn(row, 'count')
}

/** The compressed bytes in a row of a block. */
export function packIn(row: Row): Pack {
  return { codec: textIn(row, 'codec'), bytes: numberIn(row, 'bytes'), data: bytesIn(row, 'data') }
}

/** The message for a block that does not hold what was stored. */
export function damagedBlock(block: number): StoreError {
  return new StoreError(
    'damaged',
    `Block ${block} of the hub is damaged: restore the database from a backup, or push the sessions in it again.`,
  )
}
