/** Looking for an id in files without parsing them: at the speed of reading. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { failureOf, isDiskError } from '@dagline/store'
import type { Host, Unread } from '../host/host.js'
import type { ProjectLocation } from './projects.js'

const CHUNK = 4 * 1024 * 1024
/** Longer than any id: hits at the edge of a chunk are seen in the next one. */
const OVERLAP = 512
const TAIL = 64 * 1024

/** What was found, and the files that could not be looked into. */
export interface Scan {
  /** Each value with the locations it was seen in. */
  readonly hits: ReadonlyMap<string, ReadonlySet<ProjectLocation>>
  readonly unread: readonly Unread[]
}

/** More hits than these are looked for in the files: the message about them lists some of all. */
const MOST_KNOWN = 1000

/** Every uuid or session id that begins so. I16: where the index knows it, a location has only the files that are linked. */
export function findIds(
  locations: readonly ProjectLocation[],
  what: 'uuid' | 'session',
  start: string,
  { known }: Pick<Host, 'known'>,
): Scan {
  // What was given back from the archive lies below no root.
  const isBelowRoots = locations.every(({ root }) => known?.found.some(found => found.root === root))
  const located = isBelowRoots ? (known?.locate(what, start, MOST_KNOWN) ?? null) : null
  if (known === undefined || located === null)
    return scanField(locations, what === 'uuid' ? what : 'sessionId', start)
  const hits = new Map<string, Set<ProjectLocation>>()
  for (const { id, root, path } of located) {
    const location = locations.find(each => each.root === root && hasFile(each, path))
    if (location !== undefined) addHit(hits, id, known.linkedPart(location, path) ?? location)
  }
  return { hits, unread: [] }
}

function hasFile({ project }: ProjectLocation, path: string): boolean {
  return project.files.some(file => file.path === path)
}

/** Every value of a JSON field that begins so. */
function scanField(locations: readonly ProjectLocation[], field: string, prefix: string): Scan {
  const start = JSON.stringify(prefix).slice(1, -1)
  const needles = [`"${field}":"${start}`, `"${field}": "${start}`].map(text => Buffer.from(text))
  const hits = new Map<string, Set<ProjectLocation>>()
  const unread: Unread[] = []
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (const location of locations) {
    for (const file of location.project.files) {
      const look = (chunk: Buffer): void => {
        for (const needle of needles)
          for (const value of hitsIn(chunk, needle, start)) addHit(hits, value, location)
      }
      unread.push(...lookThrough(join(location.root, file.path), buffer, look))
    }
  }
  return { hits, unread }
}

function addHit(hits: Map<string, Set<ProjectLocation>>, value: string, location: ProjectLocation): void {
  const seen = hits.get(value)
  if (seen === undefined) hits.set(value, new Set([location]))
  else seen.add(location)
}

/** Shows a file chunk by chunk; gives back why it could not be read to its end. */
function lookThrough(path: string, buffer: Buffer, look: (chunk: Buffer) => void): readonly Unread[] {
  return reading(path, (file, size) => {
    for (let offset = 0; offset < size; offset += CHUNK - OVERLAP)
      look(readAt(file, buffer.subarray(0, Math.min(CHUNK, size - offset)), offset))
  })
}

/** Fills a buffer. */
function readAt(file: number, buffer: Buffer, offset: number): Buffer {
  for (let done = 0; done < buffer.length; ) {
    const got = readSync(file, buffer, done, buffer.length - done, offset + done)
    if (got === 0) throw new RangeError('The file was cut while it was read.')
    done += got
  }
  return buffer
}

/** Reads a file. One that cannot be opened belongs to another user; one that breaks off may hold what is searched. */
function reading(path: string, read: (file: number, size: number) => void): readonly Unread[] {
  let isOpen = false
  try {
    const file = openSync(path, 'r')
    isOpen = true
    try {
      read(file, fstatSync(file).size)
    } finally {
      closeSync(file)
    }
    return []
  } catch (error) {
    const message = error instanceof RangeError ? error.message : failureOf(error, path, 'file').message
    return [{ path, message, isInTheWay: isOpen || isDiskError({ message }) }]
  }
}

function* hitsIn(chunk: Buffer, needle: Buffer, start: string): Generator<string> {
  for (let at = chunk.indexOf(needle); at >= 0; at = chunk.indexOf(needle, at + needle.length)) {
    const end = chunk.indexOf('"', at + needle.length)
    if (end >= 0 && end - at < OVERLAP) yield start + chunk.toString('utf8', at + needle.length, end)
  }
}

/** The latest time on the last rows of a file. */
interface LastTime {
  /** In milliseconds; 0 where they name none: such a file holds no conversation. */
  readonly time: number
  readonly unread: readonly Unread[]
}

/** Looks for the latest time on the last rows of a file. */
export function lastTime(path: string): LastTime {
  let time = 0
  const unread = reading(path, (file, size) => {
    const from = Math.max(0, size - TAIL)
    const text = readAt(file, Buffer.allocUnsafe(size - from), from).toString('latin1')
    for (const [, stamp = ''] of text.matchAll(/"timestamp": ?"([^"]{10,40})"/g))
      time = Math.max(time, Date.parse(stamp) || 0)
  })
  return { time, unread }
}

/** Whether the last rows of a file contain a text; false where it cannot be read. */
export function isInTail(path: string, text: string): boolean {
  let isFound = false
  reading(path, (file, size) => {
    const from = Math.max(0, size - CHUNK)
    isFound = readAt(file, Buffer.allocUnsafe(size - from), from).includes(text)
  })
  return isFound
}
