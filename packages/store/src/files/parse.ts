/** One discovered file, read and parsed. */
import { type PutRow, type RawRow, type SeeRecord, startRows } from '@dagline/core'
import type { Tally } from '@dagline/core/files'
import type { ReadResult } from './rows.js'
import type { ByteSource } from './source.js'
import { type Reading, readTranscript, type TranscriptOptions } from './transcript.js'

/** A file whose rows are parsed. */
interface Parsing extends Reading {
  /**
   * Parses what `result.pending` stands for, as if nothing followed: the last row where no newline ends it, and rows
   * before it that wait for the rest of their record.
   */
  readonly finish: () => void
}

/** How a file is parsed. */
interface ParseOptions extends TranscriptOptions {
  /** Hears of every record with its JSON, before its row is put. */
  readonly see?: SeeRecord
}

/** Reads a file as `readTranscript` does and parses its rows; a record over several rows is put as one (P10). */
export function parseTranscript(
  root: string | ByteSource,
  path: string,
  put: PutRow,
  { see, ...options }: ParseOptions = {},
): Parsing {
  const rows = startRows(put, see)
  const isWaiting = (): boolean => rows.waiting().length > 0
  const reading = readTranscript(root, path, rows.take, { ...options, isWaiting })
  const { result } = reading
  if (result === null) {
    rows.end(null)
    return { ...reading, finish: () => {} }
  }
  const finish = (): void => rows.end(result.pending)
  return { ...reading, result: withWaiting(result, rows.waiting()), finish }
}

/** The result of a reading after which rows still wait: they are pending, and the next reading begins with them. */
function withWaiting(result: ReadResult, waiting: readonly RawRow[]): ReadResult {
  const [first] = waiting
  if (first === undefined) return result
  const { next, pending, settled } = result
  const { row, offset } = first
  const length = next.offset + (pending?.length ?? 0) - offset
  return {
    ...result,
    rows: result.rows - (next.row - row),
    bytes: result.bytes - (next.offset - offset),
    next: { row, offset },
    pending: { ...first, length },
    settled: {
      crlf: tallyWithout(
        settled.crlf,
        waiting.filter(each => each.crlf === true),
      ),
      invalidUtf8: tallyWithout(
        settled.invalidUtf8,
        waiting.filter(each => each.invalidUtf8 === true),
      ),
    },
  }
}

function tallyWithout({ count, row }: Tally, rows: readonly RawRow[]): Tally {
  return { count: count - rows.length, row: count === rows.length ? null : row }
}
