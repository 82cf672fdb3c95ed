/** Files as callers have them: of a browser, of memory, or as a stream of bytes. */
import { joinBytes } from '../files/split.js'

/** Bytes that can be read in parts. A `File` and a `Blob` of a browser are such, and so is what `fs.openAsBlob` returns. */
export interface BlobLike {
  readonly size: number
  readonly slice: (start: number, end: number) => { readonly arrayBuffer: () => Promise<ArrayBuffer> }
}

/** A `File` of a browser. */
export interface NamedBlob extends BlobLike {
  readonly name: string
  /** Its path below the folder that was chosen; empty where a file was chosen. */
  readonly webkitRelativePath?: string
}

/** The bytes of a file. A stream can be read only once, so what it yields is kept in memory. */
export type FileBytes = BlobLike | Uint8Array | AsyncIterable<Uint8Array>

/**
 * A file to open: a `File`, or bytes with a path. Paths have `/` and begin at a folder of the caller's choice; they decide
 * which project, session and subagent a file belongs to, as on disk.
 */
export type GivenFile = NamedBlob | { readonly path: string; readonly bytes: FileBytes }

/** A file that can be read at any offset. */
export interface OpenFile {
  readonly path: string
  readonly size: number
  /** Throws what the blob throws. */
  readonly read: (start: number, end: number) => Promise<Uint8Array>
}

/** The file behind what was given. A stream is read to its end. Throws `TypeError` for anything else. */
export async function openGiven(given: GivenFile): Promise<OpenFile> {
  // A blob has a method `bytes`, and in some programs a field `path`.
  if ('slice' in given) return ofBlob(plainPath(given.webkitRelativePath || given.name), given)
  const { bytes, path: asGiven } = given
  if (typeof asGiven !== 'string' || typeof bytes !== 'object' || bytes === null)
    throw new TypeError('A file to open is a File, or an object with "path" (a text) and "bytes".')
  const path = plainPath(asGiven)
  if (bytes instanceof Uint8Array) return ofMemory(path, bytes)
  return 'size' in bytes ? ofBlob(path, bytes) : ofMemory(path, await collect(bytes))
}

/** Paths of dropped files begin with a slash. */
function plainPath(path: string): string {
  return path.replace(/^(?:\.?\/+)+/, '')
}

function ofBlob(path: string, blob: BlobLike): OpenFile {
  const read = async (start: number, end: number): Promise<Uint8Array> =>
    new Uint8Array(await blob.slice(start, end).arrayBuffer())
  return { path, size: blob.size, read }
}

function ofMemory(path: string, bytes: Uint8Array): OpenFile {
  return { path, size: bytes.length, read: (start, end) => Promise.resolve(bytes.subarray(start, end)) }
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return joinBytes(
    pieces,
    pieces.reduce((sum, { length }) => sum + length, 0),
  )
}
