/** K12: blocks: up to 2 MiB of pieces one after another, packed together, and the locations of pieces in them. */
import { hash } from 'node:crypto'
import type { Database, Row } from '../db/driver.js'
import { StoreError } from '../files/failures.js'
import { pack, unpack } from './codec.js'
import { bytesIn, numberIn, textCell } from './schema.js'

/** The location of bytes. */
export interface Place {
  readonly block: number
  readonly start: number
  readonly length: number
}

/** Bytes in a full block. */
const BLOCK: number = 2 * 1024 * 1024

/** A block with fewer bytes goes on growing: many small additions then cost no more room than a large one. */
const OPEN_BELOW = 1024 * 1024

/** Remembering the place of a shorter piece takes more room than storing it again. */
const SMALLEST_SHARED = 64

/** Of the sha256 of a piece. A hash only says where to look, the bytes decide. */
const HASH_BYTES = 16

const CACHED = 8

/** Reads the bytes at locations; the last few blocks stay unpacked. */
export class BlockReader {
  private readonly db: Database
  /** The one used last is at the end. */
  private readonly cache = new Map<number, Buffer>()
  /** Damaged ones: not to be unpacked for each of their pieces. */
  private readonly bad = new Set<number>()

  constructor(db: Database) {
    this.db = db
  }

  /** The bytes, not to be changed, or null where the block is damaged or missing. */
  bytesAt({ block, start, length }: Place): Buffer | null {
    const cached = this.cache.get(block)
    // The last block may have grown since.
    const isThere = cached !== undefined && cached.length >= start + length
    const bytes = isThere ? cached : this.bad.has(block) ? null : this.load(block)
    if (bytes === null) this.bad.add(block)
    if (bytes === null || bytes.length < start + length) return null
    this.remember(block, bytes)
    return bytes.subarray(start, start + length)
  }

  /** A whole block whose bytes have the hash that was written with them, or null. */
  load(block: number): Buffer | null {
    const row = this.rowOf(block)
    if (row === undefined) return null
    const packed = { codec: textCell(row, 'codec'), data: bytesIn(row, 'data') }
    const bytes = unpack(packed, numberIn(row, 'bytes'))
    return bytes !== null && sha256(bytes).equals(bytesIn(row, 'hash')) ? bytes : null
  }

  /** Damage to the pages of one block must not hide the others. */
  private rowOf(block: number): Row | undefined {
    try {
      return this.db.prepare('SELECT codec, bytes, hash, data FROM block WHERE id = ?').get(block)
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'damaged') return undefined
      throw error
    }
  }

  private remember(block: number, bytes: Buffer): void {
    this.cache.delete(block)
    this.cache.set(block, bytes)
    const [oldest] = this.cache.keys()
    if (this.cache.size > CACHED && oldest !== undefined) this.cache.delete(oldest)
  }
}

/** Stores pieces, each once. Used inside a transaction: `begin`, then `put` as often as wanted, then `flush`. */
export class BlockWriter {
  /** Bytes of pieces that were stored since `begin`. */
  stored = 0
  private readonly db: Database
  private readonly reader: BlockReader
  private readonly buffer = Buffer.allocUnsafe(BLOCK)
  private block = 0
  private used = 0
  /** Of `used`, what the database has. */
  private written = 0

  constructor(db: Database, reader: BlockReader) {
    this.db = db
    this.reader = reader
  }

  /** Continues the last block, or starts one behind it. */
  begin(): void {
    this.stored = 0
    const last = this.db.prepare('SELECT id, bytes FROM block ORDER BY id DESC LIMIT 1').get()
    const [id, bytes] = last === undefined ? [0, BLOCK] : [numberIn(last, 'id'), numberIn(last, 'bytes')]
    const isOurs = id === this.block && bytes === this.written && bytes === this.used
    if (bytes >= OPEN_BELOW) this.start(id + 1)
    else if (!isOurs) this.goOn(id)
  }

  /** A damaged block is left alone. */
  private goOn(block: number): void {
    const content = this.reader.load(block)
    if (content === null) this.start(block + 1)
    else {
      content.copy(this.buffer)
      this.block = block
      this.used = content.length
      this.written = content.length
    }
  }

  /** The place of a piece of at most `BLOCK` bytes, where it is stored now or was before. */
  put(piece: Buffer): Place {
    if (piece.length < SMALLEST_SHARED) return this.append(piece)
    const key = sha256(piece).subarray(0, HASH_BYTES)
    const known = this.find(key)
    if (known !== null && this.holds(known, piece)) return known
    const place = this.append(piece)
    this.db
      .prepare('INSERT OR REPLACE INTO piece (hash, block, start, length) VALUES (?, ?, ?, ?)')
      .run(key, place.block, place.start, place.length)
    return place
  }

  /** Writes what is not written yet. */
  flush(): void {
    if (this.used === this.written) return
    const bytes = this.buffer.subarray(0, this.used)
    const { codec, data } = pack(bytes)
    this.db
      .prepare('INSERT OR REPLACE INTO block (id, codec, bytes, hash, data) VALUES (?, ?, ?, ?, ?)')
      .run(this.block, codec, bytes.length, sha256(bytes), data)
    this.written = this.used
  }

  private append(piece: Buffer): Place {
    if (this.used + piece.length > BLOCK) {
      this.flush()
      this.start(this.block + 1)
    }
    const place = { block: this.block, start: this.used, length: piece.length }
    piece.copy(this.buffer, this.used)
    this.used += piece.length
    this.stored += piece.length
    return place
  }

  private start(block: number): void {
    this.block = block
    this.used = 0
    this.written = 0
  }

  private find(key: Uint8Array): Place | null {
    const row = this.db.prepare('SELECT block, start, length FROM piece WHERE hash = ?').get(key)
    if (row === undefined) return null
    return { block: numberIn(row, 'block'), start: numberIn(row, 'start'), length: numberIn(row, 'length') }
  }

  /** A damaged block does not hold it, so that the piece is stored again. */
  private holds(place: Place, piece: Buffer): boolean {
    if (place.length !== piece.length) return false
    const isOpen = place.block === this.block
    const bytes = isOpen
      ? this.buffer.subarray(place.start, place.start + place.length)
      : this.reader.bytesAt(place)
    return bytes?.equals(piece) ?? false
  }
}

/** The hash by which blocks and files are checked. */
function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

/** The message for a block that does not contain what was stored. */
export function damagedBlock(db: Database, block: number): StoreError {
  return new StoreError(
    'damaged',
    `Block ${block} of the archive ${db.path} is damaged. Run \`dagline archive verify\` to list what it holds.`,
  )
}
