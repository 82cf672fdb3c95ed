/**
 * L23: 2.1.110 and newer write a `last-prompt` at the end of a process, and another one in its course each time that they have written
 * 32 kB to the file since the one before. Such a row stands right behind the entry with which the 32 kB were full.
 *
 *     u1 a1 ... a8 | last-prompt u9        less than 32 kB since the one before: the process ended
 *     u1 a1 ... a8 | last-prompt u9        32 kB were full at a8: the process went on, however late u9 came
 *
 * Evidence: `bytesSinceMetadataReAppend` in the programs from 2.1.110 on; walks of 2.1.178 and 2.1.222.
 */
import type { Instant } from '../model/ids.js'
import type { SourceSpan } from '../model/source.js'
import type { OpenFile } from './file-record.js'
import * as t from './table.js'

/** What a process has written since its last such row. */
export interface Written {
  /** The first byte that counts. */
  readonly from: number
  /** The time of the entry with which they were full; NaN until then. */
  readonly fullAt: number
}

/** Nothing yet, from a byte on. */
export const writtenFrom = (from: number): Written => ({ from, fullAt: Number.NaN })

/** Counts an entry. */
export function countWritten(file: OpenFile, { offset, length }: SourceSpan, time: Instant | null): void {
  const { from, fullAt } = file.written
  if (time === null || offset + length - from < mostBytes || !Number.isNaN(fullAt)) return
  file.written = { from, fullAt: time }
}

/** Files a `last-prompt` row. */
export function addLastPrompt(file: OpenFile, table: t.Table, { row, offset, length }: SourceSpan): void {
  file.lastPrompts.push(row)
  const last = file.spoken.at(-1)
  const waited = last === undefined ? Number.NaN : t.real(table.time, last) - file.written.fullAt
  if (waited <= slowestWrite && writesMidway(file.lastVersion.name ?? '')) file.midway.push(row)
  file.written = writtenFrom(offset + length)
}

const writesMidway = (version: string): boolean => /^2\.1\.(1[1-9]\d|[2-9]\d\d)$/.test(version)

const mostBytes = 32_768

/** Milliseconds between the entry with which they were full and the last one before the row: what is new is written ten times a second. */
const slowestWrite = 2000
