/** One discovered file, read with everything that can go wrong as diagnostics. */
import { join } from 'node:path'
import { type Diagnostic, fileId, type RawRow } from '@dagline/core'
import { damageOf } from '@dagline/core/files'
import { failureOf, StoreError, unreadable } from './failures.js'
import { type ReadOptions, type ReadResult, readRows } from './rows.js'
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
