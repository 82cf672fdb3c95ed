/** Looking for an id in files without parsing them: at the speed of reading. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { fullPath, type Place } from './places.js'

const CHUNK = 4 * 1024 * 1024
/** Longer than any id: hits at the edge of a chunk are seen in the next one. */
const OVERLAP = 512
const TAIL = 64 * 1024

/** Every value of a JSON field that begins so, with the places it was seen in. */
export function scanField(
  places: readonly Place[],
  field: string,
  prefix: string,
): ReadonlyMap<string, ReadonlySet<Place>> {
  const start = JSON.stringify(prefix).slice(1, -1)
  const needles = [`"${field}":"${start}`, `"${field}": "${start}`].map(text => Buffer.from(text))
  const hits = new Map<string, Set<Place>>()
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (const place of places) {
    for (const file of place.project.files) {
      for (const value of scanFile(fullPath(place, file), needles, { start, buffer })) {
        const seen = hits.get(value)
        if (seen === undefined) hits.set(value, new Set([place]))
        else seen.add(place)
      }
    }
  }
  return hits
}

interface Scan {
  readonly start: string
  readonly buffer: Buffer
}

function* scanFile(path: string, needles: readonly Buffer[], { start, buffer }: Scan): Generator<string> {
  const file = open(path)
  if (file === null) return
  try {
    for (let offset = 0; ; offset += CHUNK - OVERLAP) {
      const chunk = buffer.subarray(0, readSync(file, buffer, 0, CHUNK, offset))
      for (const needle of needles) yield* hitsIn(chunk, needle, start)
      if (chunk.length < CHUNK) return
    }
  } finally {
    closeSync(file)
  }
}

function* hitsIn(chunk: Buffer, needle: Buffer, start: string): Generator<string> {
  for (let at = chunk.indexOf(needle); at >= 0; at = chunk.indexOf(needle, at + needle.length)) {
    const end = chunk.indexOf('"', at + needle.length)
    if (end >= 0 && end - at < OVERLAP) yield start + chunk.toString('utf8', at + needle.length, end)
  }
}

/** The latest time on the last rows of a file, in milliseconds; 0 where they name none: such a file holds no conversation. */
export function lastTime(path: string): number {
  const file = open(path)
  if (file === null) return 0
  try {
    const { size } = statSync(path)
    const from = Math.max(0, size - TAIL)
    const buffer = Buffer.allocUnsafe(size - from)
    const text = buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, from))
    const times = [...text.matchAll(/"timestamp": ?"([^"]{10,40})"/g)].map(match =>
      Date.parse(match[1] ?? ''),
    )
    const known = times.filter(time => !Number.isNaN(time))
    return known.length > 0 ? Math.max(...known) : 0
  } finally {
    closeSync(file)
  }
}

function open(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}
