/**
 * HU14: secrets of a session are replaced before anything of it leaves. Everything that leaves of a session (its transcript,
 * those of its subagents, its other files) is searched first, so that a secret that only one place shows is replaced in all.
 */
import { isUtf8 } from 'node:buffer'
import { placeholderHash } from '@dagline/app'
import { writeJson } from '@dagline/core/parse'
import {
  createRedactor,
  type FoundSecret,
  findAcross,
  PLACEHOLDER,
  type Redactor,
} from '@dagline/core/redact'

/** Redacts what leaves of one session. */
export interface SessionRedactor {
  /** Searches a row or another file; returns how many secrets it holds. */
  readonly learn: (bytes: Buffer) => number
  /** The bytes with placeholders; the same bytes where nothing was replaced. */
  readonly redact: (bytes: Buffer) => Buffer
  /** How many placeholders of each kind stand in what was redacted. */
  readonly counts: () => Readonly<Record<string, number>>
}

/** Makes redactors whose placeholders are the same for the same secret, by the key of this installation (R3). */
export function sessionRedactors(): () => SessionRedactor {
  const hash = placeholderHash()
  return () => redactorOf(createRedactor({ what: ['secrets'], hash }))
}

function redactorOf(redactor: Redactor): SessionRedactor {
  const counts = new Map<string, number>()
  let known = 0
  return {
    learn: bytes => {
      const record = recordOf(bytes)
      const found = redactor.learn(record?.data ?? bytes.toString(encodingOf(bytes)))
      const across = record === null ? [] : acrossFields(record.written, found)
      for (const { kind, text } of across) redactor.add(kind, text)
      known += found.length + across.length
      return found.length + across.length
    },
    redact: bytes => {
      // Where nothing was found, nothing can be replaced: neither here nor by what another place says.
      if (known === 0) return bytes
      const made = redactOne(bytes, redactor)
      if (made !== bytes) count(counts, redactor, bytes, made)
      return made
    },
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Secrets of data that only the fields around them show: the values of a manifest, the value of an output. */
function acrossFields(written: string, found: readonly FoundSecret[]): readonly FoundSecret[] {
  const known = found.map(secret => secret.text)
  return findAcross(written)
    .map(({ kind, start, end }) => ({ kind, text: written.slice(start, end) }))
    .filter(secret => !known.some(each => each.includes(secret.text) || secret.text.includes(each)))
}

/** What is not a text has one character for each byte, so that it can be written again. */
function encodingOf(bytes: Buffer): 'utf8' | 'latin1' {
  return isUtf8(bytes) ? 'utf8' : 'latin1'
}

/** A row of JSON, read once. */
interface WrittenRecord {
  readonly written: string
  readonly data: object
}

/** The record of a row; null where it is not JSON. */
function recordOf(bytes: Buffer): WrittenRecord | null {
  if (bytes[0] !== OPENING) return null
  const written = bytes.toString('utf8')
  try {
    const data: unknown = JSON.parse(written)
    return typeof data === 'object' && data !== null ? { written, data } : null
  } catch {
    return null
  }
}

const OPENING = 0x7b

function redactOne(bytes: Buffer, redactor: Redactor): Buffer {
  const data = recordOf(bytes)?.data
  if (data === undefined) return redactText(bytes, redactor)
  const made = redactor.value(data)
  if (made === data) return bytes
  const ending = /\r?\n?$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - 2)))?.[0] ?? ''
  return Buffer.from(writeJson(made) + ending)
}

function redactText(bytes: Buffer, redactor: Redactor): Buffer {
  const encoding = encodingOf(bytes)
  const text = bytes.toString(encoding)
  const made = redactor.text(text)
  return made === text ? bytes : Buffer.from(made, encoding)
}

/** A transcript may speak of placeholders: those that were there before do not count. */
function count(counts: Map<string, number>, redactor: Redactor, before: Buffer, after: Buffer): void {
  const add = (bytes: Buffer, step: number): void => {
    for (const [placeholder] of bytes.toString('latin1').matchAll(PLACEHOLDER)) {
      const kind = redactor.kindOf(placeholder)
      counts.set(kind, (counts.get(kind) ?? 0) + step)
    }
  }
  add(after, 1)
  add(before, -1)
  for (const [kind, number] of counts) if (number <= 0) counts.delete(kind)
}
