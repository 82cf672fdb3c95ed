/**
 * How blocks are packed. The name of the codec is stored with each block, so that a better one can be added while blocks
 * packed with the old ones stay readable.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** A block as it is stored. */
interface Packed {
  readonly codec: string
  readonly data: Uint8Array
}

/** The quality of brotli beyond which more time saves little (docs/adr/0011-archive.md has the figures). */
const QUALITY = 5
/** As many bits as the largest block needs: 4 MiB. */
const WINDOW = 22

/** Packs bytes, unless packing does not make them fewer. */
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

/** Unpacks bytes. Null where they are damaged, or packed by a later version. */
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
