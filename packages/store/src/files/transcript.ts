/** One discovered file, read with everything that can go wrong as diagnostics. */
import { join } from 'node:path'
import { type Diagnostic, type FileId, fileId, type RawRow } from '@dagline/core'
import { plural } from '@dagline/core/format'
import { failureOf, StoreError, unreadable } from './failures.js'
import { type ReadOptions, type ReadResult, readRows, type Tally } from './rows.js'
import { type ByteSource, withFile } from './source.js'
import { type Fingerprint, takeFingerprint } from './whole.js'

/** A reading that may have failed. */
export interface Reading {
  /** Null where the file could not be read to its end; rows seen before that stay seen. */
  readonly result: ReadResult | null
  readonly diagnostics: readonly Diagnostic[]
  /** The bytes that were read, where that was asked for and the file was read whole. */
  readonly fingerprint: Fingerprint | null
}

/** How a transcript is read. */
export interface TranscriptOptions extends ReadOptions {
  /** Takes a fingerprint, for edits and exports. */
  readonly isHashed?: boolean
}

/**
 * Reads a file that discovery found, or, where its bytes are given instead of its root, one that is in the archive
 * only. Unlike `readRows` it does not throw for what happens to the file.
 */
export function readTranscript(
  root: string | ByteSource,
  path: string,
  see: (row: RawRow) => void,
  options: TranscriptOptions = {},
): Reading {
  let inCaller = false
  const guarded = (row: RawRow) => {
    inCaller = true
    see(row)
    inCaller = false
  }
  try {
    return typeof root === 'string'
      ? withFile(join(root, path), file => readSource(file, path, guarded, options))
      : readSource(root, path, guarded, options)
  } catch (error) {
    // What `see` throws is the caller's own.
    if (inCaller) throw error
    const isArchive = error instanceof StoreError
    return failed(isArchive ? unreadable(path, error.message) : failureOf(error, path, 'file'))
  }
}

function readSource(
  source: ByteSource,
  path: string,
  see: (row: RawRow) => void,
  options: TranscriptOptions,
): Reading {
  const hashed = options.isHashed === true ? takeFingerprint(source) : null
  const result = readRows(hashed ?? source, see, options)
  const end = result.next.offset + (result.pending?.length ?? 0)
  if (result.isEnd && end < source.size)
    return failed(
      unreadable(path, `The file was cut while it was read: ${end} of ${source.size} bytes were there.`),
    )
  return { result, diagnostics: damageOf(fileId(path), result), fingerprint: hashed?.fingerprint() ?? null }
}

function failed(diagnostic: Diagnostic): Reading {
  return { result: null, diagnostics: [diagnostic], fingerprint: null }
}

/** What decoding repaired in a file. */
export type Damage = Pick<ReadResult, 'crlf' | 'invalidUtf8'>

/** The damage of one part of a file and of the next. */
export function addDamage(a: Damage, b: Damage): Damage {
  return { crlf: addTallies(a.crlf, b.crlf), invalidUtf8: addTallies(a.invalidUtf8, b.invalidUtf8) }
}

function addTallies(a: Tally, b: Tally): Tally {
  return { count: a.count + b.count, row: a.row ?? b.row }
}

/** P5: what decoding repaired is reported once per file, with the first row and the count. */
export function damageOf(file: FileId, damage: Damage): Diagnostic[] {
  const found: Diagnostic[] = []
  const add = (rule: `parse/${string}`, severity: 'info' | 'warning', tally: Tally, message: string) => {
    if (tally.count > 0) found.push({ rule, severity, file, row: tally.row, node: null, message })
  }
  const { crlf, invalidUtf8 } = damage

  add(
    'parse/crlf',
    'info',
    crlf,
    `${plural(crlf.count, 'row ends', 'rows end')} in CRLF; the carriage returns were left out.`,
  )
  add(
    'parse/invalid-utf8',
    'warning',
    invalidUtf8,
    `${invalidUtf8.count} rows have bytes that are not valid UTF-8; they are shown as U+FFFD, and the file keeps them.`,
  )
  return found
}
