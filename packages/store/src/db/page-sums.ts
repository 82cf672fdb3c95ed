/**
 * I15: checksums of the pages of an index. SQLite checks its structure, not what is stored in it: a flipped bit within a
 * value would be an answer. New pages are in the write-ahead log first, which has checksums of its own. They are moved
 * into the file here and nowhere else, so that every page of the file has a checksum, in a file beside it.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { StoreError } from '../files/failures.js'
import { renameFile } from '../files/rename.js'
import { writeAll } from '../files/sink.js'

/** What is known of the pages of a file. */
interface PageSums {
  /** The version of the index. */
  readonly version: number
  /** The file when the checksums were taken: as long as it is the same, nothing else has written to it. */
  readonly stamp: string
  /** The write-ahead log up to where its pages are in the file. */
  readonly log: string
  /** Pages that were about to be written: they may have changed, unless this is empty. */
  readonly pending: readonly number[]
  /** 0 while the index is being made: then there are no checksums yet. */
  readonly pageSize: number
  readonly sums: Uint32Array
}

/** The pages of an index file that is open. */
export interface Pages {
  /** Moves the write-ahead log into the file where it has become long. */
  readonly afterCommit: () => void
  /** Moves it before the database is closed. Call the result after that: it takes the checksums. */
  readonly beforeClose: () => () => void
}

/** The pages that the write-ahead log may hold, in bytes, before they are moved into the file. */
const LONG_LOG = 128 * 1024 * 1024

/** Follows the pages of an index that is open for writing; `checkpoint` moves the write-ahead log into the file. */
export function followPages(path: string, version: number, checkpoint: () => void): Pages {
  const move = (): (() => void) => {
    const known = readSums(path)
    const log = readLog(path)
    const isSame = known !== null && known.log === log.name && known.pending.length === 0
    if (isSame && !isBeingMade(known)) return () => {}
    const changed = [...new Set([...(known?.pending ?? []), ...log.pages])]
    const spoiled = known === null || isBeingMade(known) ? [] : spoiledPages(path, known, log.pages)
    if (known !== null && !isBeingMade(known)) writeSums(path, { ...known, pending: changed })
    // A full disk keeps the log, and the next writer moves it.
    if (!isDone(checkpoint)) return () => {}
    return () => takeSums(path, { version, known, changed, log: log.name, spoiled })
  }
  return {
    afterCommit: () => {
      if (sizeOf(`${path}-wal`) < LONG_LOG) return
      const take = move()
      const known = readSums(path)
      // While it is made, every page is new: all checksums are taken at the end.
      if (known !== null && !isBeingMade(known)) take()
    },
    beforeClose: move,
  }
}

/** Notes that an index is being made: it has no checksums yet. */
export function beginSums(path: string, version: number): void {
  writeSums(path, { version, stamp: '', log: NO_LOG, pending: [], pageSize: 0, sums: new Uint32Array() })
}

function isBeingMade({ pageSize }: PageSums): boolean {
  return pageSize === 0
}

function isDone(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}

/** Pages that are compared whenever an index is opened: all of a small one, some of a large one. */
const COMPARED = 128
/** A file that is written to all the time is left to the next one who opens it. */
const MOST_TRIES = 5

/**
 * Compares a file with its checksums: all pages where something else has written to it, else some. Where there are none,
 * nothing tells what it should be; `unknown` is an index that a process was making when it was killed. A reader does not
 * judge pages that another process is just writing.
 */
export function comparePages(path: string, isWriter: boolean): 'sound' | 'unknown' | 'damaged' {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const known = readSums(path)
    const stamp = stampOf(path)
    if (known === null) return 'damaged'
    if (isBeingMade(known)) return 'unknown'
    if (known.pending.length > 0 && !isWriter) return 'sound'
    const isSame = stamp === known.stamp && known.pending.length === 0
    if (hasSums(path, known, isSame)) {
      if (!isSame && known.pending.length === 0) writeSums(path, { ...known, stamp })
      return 'sound'
    }
    // Another process may have written meanwhile: then its checksums are newer, too.
    const now = readSums(path)
    if (stampOf(path) === stamp && now?.stamp === known.stamp && now.pending.length === known.pending.length)
      return 'damaged'
  }
  return 'sound'
}

/** Whether there are checksums of this version beside a file. */
export function hasOwnSums(path: string, version: number): boolean {
  return readSums(path)?.version === version
}

/** Where the checksums of a file are. */
export function sumsPath(path: string): string {
  return `${path}-sums`
}

function hasSums(path: string, { sums, pageSize, pending }: PageSums, isPart: boolean): boolean {
  if (pending.length === 0 && sizeOf(path) !== sums.length * pageSize) return false
  const unknown = new Set(pending)
  const start = isPart && sums.length > COMPARED ? Math.floor(Math.random() * (sums.length - COMPARED)) : 0
  const end = isPart ? Math.min(sums.length, start + COMPARED) : sums.length
  const read = openPages(path, pageSize)
  try {
    for (let page = start; page < end; page++)
      if (!unknown.has(page + 1) && read.sum(page) !== sums[page]) return false
    return true
  } finally {
    read.close()
  }
}

/** Pages are numbered from 1. */
interface Taken {
  readonly version: number
  readonly known: PageSums | null
  readonly changed: readonly number[]
  readonly log: string
  readonly spoiled: readonly number[]
}

/**
 * Pages that are about to be written anew, of which the file does not have what was written last. The new ones were made
 * of it, so that they hold the damage, too.
 */
function spoiledPages(path: string, known: PageSums, changed: ReadonlySet<number>): readonly number[] {
  const settled = [...changed].filter(page => page <= known.sums.length && !known.pending.includes(page))
  const read = openPages(path, known.pageSize)
  try {
    const spoiled = settled.filter(page => read.sum(page - 1) !== known.sums[page - 1])
    // Another process may have written meanwhile: then its checksums are newer, too.
    const now = spoiled.length === 0 ? known : readSums(path)
    return now?.stamp === known.stamp && now.pending.length === known.pending.length ? spoiled : []
  } finally {
    read.close()
  }
}

/** Takes the checksums of pages that have changed, or of all. */
function takeSums(path: string, { version, known, changed, log, spoiled }: Taken): void {
  const pageSize = pageSizeOf(path)
  if (pageSize === null) return
  const read = openPages(path, pageSize)
  try {
    const count = read.size / pageSize
    const sums = new Uint32Array(count)
    sums.set(known?.sums.subarray(0, count) ?? [])
    const isNew = known === null || known.pageSize !== pageSize
    for (let page = isNew ? 0 : known.sums.length; page < count; page++) sums[page] = read.sum(page) ?? 0
    for (const page of isNew ? [] : changed) if (page <= count) sums[page - 1] = read.sum(page - 1) ?? 0
    // No page has such a checksum: whoever opens the file next finds the damage.
    for (const page of spoiled) sums[page - 1] = ~(sums[page - 1] ?? 0)
    // While another process reads, the log stays; else it is gone with the last connection.
    const left = sizeOf(`${path}-wal`) === 0 ? NO_LOG : log
    writeSums(path, {
      version,
      stamp: spoiled.length > 0 ? '' : stampOf(path),
      log: left,
      pending: [],
      pageSize,
      sums,
    })
  } finally {
    read.close()
  }
}

interface OpenPages {
  readonly size: number
  /** The checksum of a page, from 0; null where there is none. */
  readonly sum: (page: number) => number | null
  readonly close: () => void
}

function openPages(path: string, pageSize: number): OpenPages {
  const file = openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(pageSize)
  return {
    size: fstatSync(file).size,
    sum: page => (readSync(file, buffer, 0, pageSize, page * pageSize) === pageSize ? crc32(buffer) : null),
    close: () => closeSync(file),
  }
}

const HEADER = 32

/** Bytes 16 and 17 of a database; 1 stands for 65,536. */
function pageSizeOf(path: string): number | null {
  const header = readStart(path, HEADER)
  if (header === null) return null
  const size = header.readUInt16BE(16)
  return size === 1 ? 65_536 : size
}

/** The first bytes of a file; null where there are not so many. */
export function readStart(path: string, length: number): Buffer | null {
  if (sizeOf(path) < length) return null
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return readSync(file, bytes, 0, length, 0) === length ? bytes : null
  } finally {
    closeSync(file)
  }
}

const FRAME = 24
const NO_LOG = ''

/** The pages in the write-ahead log that were committed, and a name for this state of it. */
function readLog(path: string): { readonly name: string; readonly pages: ReadonlySet<number> } {
  const header = readStart(`${path}-wal`, HEADER)
  const pages = new Set<number>()
  if (header === null) return { name: NO_LOG, pages }
  const [pageSize, salt] = [header.readUInt32BE(8), header.subarray(16, 24)]
  const file = openSync(`${path}-wal`, 'r')
  const frame = Buffer.alloc(FRAME)
  let [committed, open]: [number, number[]] = [0, []]
  try {
    for (let at = 0; ; at++) {
      const got = readSync(file, frame, 0, FRAME, HEADER + at * (FRAME + pageSize))
      // Frames behind the last one are those of an earlier round.
      if (got < FRAME || !frame.subarray(8, 16).equals(salt)) break
      open.push(frame.readUInt32BE(0))
      if (frame.readUInt32BE(4) === 0) continue
      for (const page of open) pages.add(page)
      ;[committed, open] = [at + 1, []]
    }
  } finally {
    closeSync(file)
  }
  return { name: committed === 0 ? NO_LOG : `${salt.toString('hex')} ${committed}`, pages }
}

/** What differs when something has written to a file. */
function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`
}

/** The size of a file; 0 where there is none, or none that can be asked. */
export function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** The checksums beside a file; null where there are none that are whole. */
function readSums(path: string): PageSums | null {
  try {
    const bytes = readFileSync(sumsPath(path))
    const end = bytes.indexOf('\n')
    const { sum, ...known } = JSON.parse(bytes.toString('utf8', 0, end))
    const body = bytes.subarray(end + 1)
    if (sum !== crc32(body, crc32(JSON.stringify(known)))) return null
    return {
      ...known,
      sums: new Uint32Array(body.buffer.slice(body.byteOffset, body.byteOffset + body.length)),
    }
  } catch {
    return null
  }
}

/** Writes a new file and renames it. Where that fails there are no checksums: they would be those of other pages. */
function writeSums(path: string, { sums, ...known }: PageSums): void {
  const part = `${sumsPath(path)}-${process.pid}`
  try {
    const body = Buffer.from(sums.buffer, sums.byteOffset, sums.byteLength)
    const head = JSON.stringify({ ...known, sum: crc32(body, crc32(JSON.stringify(known))) })
    const file = openSync(part, 'w', 0o600)
    try {
      writeAll(file, Buffer.concat([Buffer.from(`${head}\n`), body]))
    } finally {
      closeSync(file)
    }
    renameFile(part, sumsPath(path))
  } catch {
    for (const each of [part, sumsPath(path)]) rmSync(each, { force: true })
  }
}
