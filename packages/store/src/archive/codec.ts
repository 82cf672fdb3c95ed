/**
 * How blocks are packed. The name of the codec stands with each block, so that a better one can be added while blocks
 * packed with the old ones stay readable.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** A block as it lies in the archive. */
interface Packed {
  readonly codec: string
  readonly data: Uint8Array
}

/** Of brotli's qualities the one after which more time saves little (docs/adr/0011-archive.md has the figures). */
const QUALITY = 5
/** As many bits as the largest block needs: 4 MiB. */
const WINDOW = 22

/** Packs bytes; those that do not become fewer stay as they are. */
export function pack(bytes: Uint8Array): Packed {
  const data = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
  return data.length < bytes.length ? { codec: 'brotli', data } : { codec: 'none', data: bytes }
}

/** The bytes again, or null where they cannot be had: damaged, or packed by a later version. */
export function unpack({ codec, data }: Packed, length: number): Buffer | null {
  const bytes = unpackers[codec]?.(data, length) ?? null
  return bytes?.length === length ? bytes : null
}

type Unpack = (data: Uint8Array, length: number) => Buffer | null

const unpackers: { readonly [codec: string]: Unpack | undefined } = {
  none: data => Buffer.from(data.buffer, data.byteOffset, data.length),
  brotli: (data, length) => {
    try {
      return brotliDecompressSync(data, { maxOutputLength: Math.max(length, 1) })
    } catch {
      return null
    }
  },
}
