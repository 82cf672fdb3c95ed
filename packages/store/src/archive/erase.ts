/** K15: erasing the bytes of blocks that no version uses. */
import { hash } from 'node:crypto'
import type { Database } from '../db/driver.js'
import { StoreError } from '../files/failures.js'
import { BlockReader } from './blocks.js'
import { pack } from './codec.js'
import { gapsIn, isCovered, lengthOf, type Range, type RangesByBlock, rangesByBlock } from './ranges.js'
import { allUses } from './records.js'
import { bytesIn, numberIn } from './schema.js'

/**
 * Erases what no run uses, inside a transaction. A block that nothing uses is deleted. In others, unused bytes become
 * zeros: runs keep their locations, and packed zeros take no room. Throws `StoreError` where one of the blocks that
 * must be erased is damaged and has rows of other sessions.
 */
export function eraseUnused(db: Database, mustErase: ReadonlySet<number>): void {
  const used = rangesByBlock(allUses(db))
  const changed = new Map<number, readonly Range[]>()
  const blocks = blocksIn(db)
  const reader = new BlockReader(db)
  const last = blocks.at(-1)
  for (const block of blocks) {
    const kept = used.get(block.id) ?? []
    if (block.bytes - lengthOf(kept) === block.erased) continue
    // The number of the last block is not given again: a reader may have its bytes unpacked.
    if (kept.length === 0 && block !== last) deleteBlock(db, block.id)
    else if (!eraseGaps(db, reader, block, kept)) {
      if (mustErase.has(block.id)) throw unreadableBlock(db, block.id)
      continue
    }
    changed.set(block.id, kept)
  }
  dropPieces(db, changed)
}

interface Block {
  readonly id: number
  readonly bytes: number
  /** How many of them are erased already. */
  readonly erased: number
}

function blocksIn(db: Database): readonly Block[] {
  const rows = db
    .prepare(
      `SELECT block.id, block.bytes, ifnull(erased.bytes, 0) AS erased
       FROM block LEFT JOIN erased ON erased.block = block.id ORDER BY block.id`,
    )
    .all()
  return rows.map(row => ({
    id: numberIn(row, 'id'),
    bytes: numberIn(row, 'bytes'),
    erased: numberIn(row, 'erased'),
  }))
}

function deleteBlock(db: Database, id: number): void {
  db.prepare('DELETE FROM block WHERE id = ?').run(id)
  db.prepare('DELETE FROM erased WHERE block = ?').run(id)
}

/** Puts zeros where nothing is used. False where the block is damaged. */
function eraseGaps(db: Database, reader: BlockReader, { id, bytes }: Block, kept: readonly Range[]): boolean {
  const content = kept.length === 0 ? Buffer.alloc(bytes) : reader.load(id)
  if (content === null) return false
  for (const { start, end } of gapsIn(kept, bytes)) content.fill(0, start, end)
  const { codec, data } = pack(content)
  const sum = hash('sha256', content, 'buffer')
  db.prepare('UPDATE block SET codec = ?, hash = ?, data = ? WHERE id = ?').run(codec, sum, data, id)
  db.prepare('INSERT OR REPLACE INTO erased (block, bytes) VALUES (?, ?)').run(id, bytes - lengthOf(kept))
  return true
}

/** Hashes of rows that are gone would still prove that they were there. */
function dropPieces(db: Database, changed: RangesByBlock): void {
  const gone: Uint8Array[] = []
  for (const row of db.prepare('SELECT hash, block, start, length FROM piece').each()) {
    const kept = changed.get(numberIn(row, 'block'))
    const start = numberIn(row, 'start')
    if (kept === undefined || isCovered(kept, { start, end: start + numberIn(row, 'length') })) continue
    gone.push(bytesIn(row, 'hash'))
  }
  const remove = db.prepare('DELETE FROM piece WHERE hash = ?')
  for (const key of gone) remove.run(key)
}

function unreadableBlock(db: Database, block: number): StoreError {
  return new StoreError(
    'damaged',
    `Nothing was forgotten: block ${block} of the archive ${db.path} is damaged and has rows of other sessions, too. Run \`dagline archive verify\` to list them, and \`dagline archive\` to store them again while they are on disk; or forget them, too.`,
  )
}
