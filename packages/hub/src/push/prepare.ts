/** HU14, HU15: reading what is new of a session's files: searched for secrets first, then cut into pieces. */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type ByteSource, bytesSource, cutPieces, PIECE_BYTES, stampOf } from '@dagline/store'
import { sha256 } from '../raw/pack.js'
import type { LocalFile, LocalSession } from './files.js'
import type { Pace } from './pacer.js'
import type { SessionRedactor } from './redact.js'
import type { SentFile } from './state.js'

/** A file of which something may be new. */
interface ChangedFile {
  readonly file: LocalFile
  /** What the hub has of it; null where nothing is known. */
  readonly sent: SentFile | null
}

/** What is to be sent of a file, as far as that is known before its pieces are. */
export interface Draft {
  readonly file: LocalFile
  readonly sent: SentFile | null
  /** Whether it begins with all that was sent, so that only what is behind it is sent. */
  readonly isGrown: boolean
  /** Bytes of the file to read, and from where on. */
  readonly from: number
  readonly to: number
  /** Of the first `to` bytes. */
  readonly originalSha256: Buffer
  /** Of the bytes to read. */
  readonly newSha256: Buffer
  /** Rows with secrets, those that were sent before included. */
  readonly secrets: readonly (readonly [offset: number, length: number])[]
  /** As the file was when reading began; empty where it must be looked at again. */
  readonly stamp: string
}

/** A longer row cannot be searched for secrets. */
const LONGEST_ROW = 16 * 1024 * 1024

/** After so long without a change, a last row without its newline is sent as it is. */
const SETTLED_MS = 60_000

/** The file cannot leave: its message says why. */
export class HeldBack extends Error {}

/** What drafts of a session are made with. */
interface Drafting {
  readonly redactor: SessionRedactor | null
  readonly now: number
  readonly pace: Pace
}

/**
 * Looks at a changed file of a session: whether it grew, and what secrets it holds. There is nothing to read in a file that did not
 * change. Throws what the file system throws, and `HeldBack`.
 */
export async function draftOf(
  { file, sent }: ChangedFile,
  { redactor, now, pace }: Drafting,
): Promise<Draft> {
  const source = openSource(file.place)
  try {
    const size = source.size
    const hash = createHash('sha256')
    const base = baseOf(source, sent, hash, redactor === null ? null : file)
    const from = base === null ? 0 : base.originalBytes
    const found = redactor === null || base === null ? [] : await learnSent(source, base, { redactor, pace })
    // Where all of a file is new, one hash is both.
    const part = createHash('sha256')
    const all = base === null ? part : hash
    const isSettled = Math.abs(now - source.mtime) > SETTLED_MS
    const see = (bytes: Buffer): void => {
      part.update(bytes)
      if (all !== part) all.update(bytes)
    }
    const { to, secrets } = await readNew(source, { from, rows: file.rows, isSettled, see, redactor, pace })
    const newSha256 = part.copy().digest()
    return {
      ...{ file, sent, isGrown: base !== null, from, to },
      originalSha256: all === part ? newSha256 : all.digest(),
      newSha256,
      secrets: [...found, ...secrets],
      stamp: to === size && Math.abs(now - source.mtime) > COARSE_MS ? source.stamp : '',
    }
  } finally {
    source.close()
  }
}

/** The resolution of a file system's clock: a file written less than this before it was read may change unnoticed. */
const COARSE_MS = 1000

interface Source extends ByteSource {
  readonly stamp: string
}

function openSource(place: string): Source {
  const file = openSync(place, 'r')
  const stats = fstatSync(file)
  return {
    size: stats.size,
    mtime: stats.mtimeMs,
    inode: stats.ino,
    stamp: stampOf(stats),
    read: (buffer, offset, length, position) => readSync(file, buffer, offset, length, position),
    close: () => closeSync(file),
  }
}

/** What was sent, where the file still begins with it; its bytes are then in the hash. */
function baseOf(
  source: Source,
  sent: SentFile | null,
  hash: Hash,
  redacted: LocalFile | null,
): SentFile | null {
  if (sent === null || sent.originalBytes > source.size) return null
  let last = 0
  for (const part of partsOf(source, 0, sent.originalBytes)) {
    hash.update(part)
    last = part.at(-1) ?? 0
  }
  if (!hash.copy().digest().equals(sent.originalSha256)) return null
  if (redacted === null || source.size === sent.originalBytes) return sent
  // A row or another file that was cut when it was sent may have been redacted in another way than the whole is.
  const isCut = !redacted.rows || (sent.originalBytes > 0 && last !== NEWLINE)
  return isCut ? null : sent
}

const CUT = 'it was rewritten while it was read; the next push looks at it again'
const NEWLINE = 0x0a
const CHUNK = 1024 * 1024

function* partsOf(source: ByteSource, from: number, to: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, to - from)))
  for (let position = from; position < to; ) {
    const got = source.read(buffer, 0, Math.min(buffer.length, to - position), position)
    if (got === 0) throw new HeldBack(CUT)
    yield buffer.subarray(0, got)
    position += got
  }
}

interface Learning {
  readonly redactor: SessionRedactor
  readonly pace: Pace
}

/** What is redacted in new rows depends on secrets of rows that were sent: these are searched again. */
async function learnSent(
  source: ByteSource,
  base: SentFile,
  { redactor, pace }: Learning,
): Promise<Draft['secrets']> {
  if (base.secrets === null)
    return await learnRows(source, { from: 0, to: base.originalBytes, redactor, pace })
  for (const [offset, length] of base.secrets) {
    const row = Buffer.alloc(length)
    source.read(row, 0, length, offset)
    redactor.learn(row)
  }
  return base.secrets
}

/** Searches what was sent of a file that did not change, where it holds secrets. */
export async function learnUnchanged(
  { place }: LocalFile,
  sent: SentFile,
  learning: Learning,
): Promise<void> {
  if (sent.secrets?.length === 0) return
  const source = openSource(place)
  try {
    await learnSent(source, sent, learning)
  } finally {
    source.close()
  }
}

interface NewPart {
  readonly from: number
  readonly rows: boolean
  readonly isSettled: boolean
  readonly see: (bytes: Buffer) => void
  readonly redactor: SessionRedactor | null
  readonly pace: Pace
}

async function readNew(
  source: Source,
  { from, rows, isSettled, see, redactor, pace }: NewPart,
): Promise<{ to: number; secrets: Draft['secrets'] }> {
  const to = rows && !isSettled ? lastRowEnd(source, from) : source.size
  if (redactor === null || !rows) {
    const parts: Buffer[] = []
    for (const part of partsOf(source, from, to)) {
      see(part)
      await pace(part.length)
      if (redactor !== null) parts.push(Buffer.from(part))
    }
    if (redactor === null) return { to, secrets: [] }
    if (to - from > LONGEST_ROW) throw tooLong('it has')
    const found = redactor.learn(Buffer.concat(parts))
    return { to, secrets: found > 0 ? [[0, to]] : [] }
  }
  return { to, secrets: await learnRows(source, { from, to, see, redactor, pace }) }
}

interface LearnedRows extends Learning {
  readonly from: number
  readonly to: number
  readonly see?: (bytes: Buffer) => void
}

async function learnRows(
  source: ByteSource,
  { from, to, see, redactor, pace }: LearnedRows,
): Promise<Draft['secrets']> {
  const secrets: [number, number][] = []
  let offset = from
  for (const row of rowsOf(source, from, to)) {
    see?.(row)
    if (redactor.learn(row) > 0) secrets.push([offset, row.length])
    offset += row.length
    await pace(row.length)
  }
  if (offset < to) throw new HeldBack(CUT)
  return secrets
}

/** Behind the last newline of a file; where none is behind `from`, `from` itself. */
function lastRowEnd(source: ByteSource, from: number): number {
  const buffer = Buffer.allocUnsafe(64 * 1024)
  for (let end = source.size; end > from; ) {
    const start = Math.max(from, end - buffer.length)
    const got = source.read(buffer, 0, end - start, start)
    const newline = buffer.subarray(0, got).lastIndexOf(NEWLINE)
    if (newline >= 0) return start + newline + 1
    end = start
  }
  return from
}

/** Whole rows, each with its newline. A row holds until the next one is asked for. */
function* rowsOf(source: ByteSource, from: number, to: number): Generator<Buffer> {
  let open: Buffer[] = []
  let length = 0
  for (const piece of cutPieces(source, { from, to, rows: true })) {
    length += piece.length
    if (length > LONGEST_ROW) throw tooLong('one of its rows has')
    const isEnd = piece.at(-1) === NEWLINE
    if (isEnd && open.length === 0) yield piece
    else open.push(Buffer.from(piece))
    if (!isEnd) continue
    if (open.length > 0) yield Buffer.concat(open)
    open = []
    length = 0
  }
  if (open.length > 0) yield Buffer.concat(open)
}

function tooLong(what: string): HeldBack {
  return new HeldBack(
    `${what} more than 16 MiB and cannot be searched for secrets: name its project with \`dagline config set push-plain\` to send it as it is`,
  )
}

/** A piece that is sent. */
export interface Piece {
  readonly hash: Buffer
  readonly bytes: Buffer
}

/** The pieces of a draft, redacted. Throws `HeldBack` where the file was changed since it was drafted. */
export function* piecesOf(draft: Draft, redactor: SessionRedactor | null): Generator<Piece> {
  const { file, from, to } = draft
  const source = openSource(file.place)
  const hash = createHash('sha256')
  try {
    if (redactor === null) {
      for (const piece of cutPieces(source, { from, to, rows: file.rows })) {
        hash.update(piece)
        yield pieceOf(piece)
      }
    } else
      for (const row of file.rows ? rowsOf(source, from, to) : wholeOf(source, from, to)) {
        hash.update(row)
        yield* cutRow(redactor.redact(row), file.rows)
      }
  } finally {
    source.close()
  }
  if (!hash.digest().equals(draft.newSha256)) throw new HeldBack(CUT)
}

function* wholeOf(source: ByteSource, from: number, to: number): Generator<Buffer> {
  const whole = Buffer.alloc(to - from)
  source.read(whole, 0, whole.length, from)
  yield whole
}

function pieceOf(bytes: Buffer): Piece {
  return { hash: sha256(bytes), bytes: Buffer.from(bytes) }
}

/** A row as pieces; placeholders have no newline, so that it is still one. */
function* cutRow(bytes: Buffer, rows: boolean): Generator<Piece> {
  if (bytes.length <= PIECE_BYTES) {
    if (bytes.length > 0) yield pieceOf(bytes)
    return
  }
  for (const piece of cutPieces(bytesSource(bytes), { from: 0, to: bytes.length, rows })) yield pieceOf(piece)
}

/** The files of a session that may have something new. */
export function changedFiles(
  { files }: LocalSession,
  sent: ReadonlyMap<string, SentFile>,
): readonly ChangedFile[] {
  return files.flatMap(file => {
    const known = sent.get(file.place) ?? null
    return known?.stamp === file.stamp ? [] : [{ file, sent: known }]
  })
}
