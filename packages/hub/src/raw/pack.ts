/** Packs: pieces on their way to a hub and in its blocks: one after another, compressed together. */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Bytes of pieces in a pack, before they are compressed. */
export const PACK_BYTES: number = 2 * 1024 * 1024

/** Bytes of a hash of a piece. */
export const HASH_BYTES = 32

/** Pieces one after another, compressed. */
export interface Pack {
  readonly codec: string
  /** Bytes of all pieces. */
  readonly bytes: number
  readonly data: Buffer
}

/** Pieces with their names: what a client sends. */
export interface NamedPack extends Pack {
  /** The sha256 of each piece. */
  readonly hashes: readonly Buffer[]
  readonly lengths: readonly number[]
}

/** The sha256 of some bytes. */
export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

/** 8 % more bytes than level 6, which takes two and a half times as long: a cold push is bound by the processor. */
const LEVEL = 4
const params = { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_windowLog]: 21 }

/** Compresses bytes, unless that does not make them fewer. */
export function compress(bytes: Uint8Array): Pack {
  return packOf(bytes, zstdCompressSync(bytes, { params }))
}

function packOf(bytes: Uint8Array, data: Buffer): Pack {
  if (data.length < bytes.length) return { codec: 'zstd', bytes: bytes.length, data }
  return { codec: 'none', bytes: bytes.length, data: Buffer.from(bytes) }
}

/** The bytes of a pack; null where they are damaged, or compressed by a later version. */
export function decompress({ codec, bytes, data }: Pack): Buffer | null {
  const content = codec === 'none' ? data : codec === 'zstd' ? inflate(data, bytes) : null
  return content?.length === bytes ? content : null
}

function inflate(data: Buffer, length: number): Buffer | null {
  try {
    return zstdDecompressSync(data, { maxOutputLength: Math.max(length, 1) })
  } catch {
    return null
  }
}

/** The pieces of a pack; null where one of them does not have its hash. */
export function openPack(pack: NamedPack): readonly Buffer[] | null {
  const { hashes, lengths } = pack
  const content = pack.bytes > PACK_BYTES ? null : decompress(pack)
  if (content === null || hashes.length !== lengths.length) return null
  const pieces: Buffer[] = []
  let at = 0
  for (const [index, length] of lengths.entries()) {
    const piece = content.subarray(at, at + length)
    if (piece.length !== length || length === 0 || hashes[index]?.equals(sha256(piece)) !== true) return null
    pieces.push(piece)
    at += length
  }
  return at === content.length ? pieces : null
}

/** Makes a pack of pieces. */
export function makePack(hashes: readonly Buffer[], pieces: readonly Uint8Array[]): NamedPack {
  return { ...compress(Buffer.concat(pieces)), hashes, lengths: pieces.map(({ length }) => length) }
}

/** The same, compressed by another thread. */
export async function makePackAside(
  hashes: readonly Buffer[],
  pieces: readonly Uint8Array[],
): Promise<NamedPack> {
  const bytes = Buffer.concat(pieces)
  const data = await promisify(zstdCompress)(bytes, { params })
  return { ...packOf(bytes, data), hashes, lengths: pieces.map(({ length }) => length) }
}

/** The chain of no pieces. */
export const NO_CHAIN: Buffer = Buffer.alloc(HASH_BYTES)

/**
 * What names the bytes of a version: the hash of the hashes of its pieces, one after another. A version that grew has the
 * chain of before with the new pieces added, so that nobody reads its beginning again.
 */
export function chainOf(before: Uint8Array, hashes: Iterable<Uint8Array>): Buffer {
  let chain: Buffer = Buffer.from(before)
  for (const each of hashes) chain = sha256(Buffer.concat([chain, each]))
  return chain
}
