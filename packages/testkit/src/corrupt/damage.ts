/** Corruptions of rows as bytes: torn, joined, repeated, moved, gone. */
import { textIn } from '../base/json.js'
import type { Rng } from '../base/rng.js'
import { withHistoryAgain } from './growth.js'
import * as r from './rows.js'
import { type Corruptions, rowJson } from './rows.js'

export const DAMAGE: Corruptions = {
  'row gone': { picks: r.isLinked, breaks: (rows, at) => r.written(rows.toSpliced(at, 1)) },
  'result gone': { picks: r.isResult, breaks: (rows, at) => r.written(rows.toSpliced(at, 1)) },
  'call gone': { picks: r.isCall, breaks: (rows, at) => r.written(rows.toSpliced(at, 1)) },
  'torn row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, (rows[at] ?? '').slice(0, 90))),
  },
  'torn row joined to the next': {
    picks: (json, at, rows) => r.isLinked(json, at, rows) && r.isEntryRow(rows[at + 1]),
    breaks: (rows, at, rng) => r.written(rows.toSpliced(at, 2, `${torn(rows[at], rng)}${rows[at + 1]}`)),
  },
  'torn last row': {
    picks: (_, at, rows) => at === rows.length - 1,
    breaks: (rows, at) => rows.with(at, (rows[at] ?? '').slice(0, 60)).join('\n'),
  },
  'file cut at a byte': {
    picks: r.isLinked,
    breaks: (rows, at, rng) => r.written(rows.slice(0, at)) + torn(rows[at], rng),
  },
  'two entries on one row': {
    picks: (json, at, rows) => r.isLinked(json, at, rows) && r.isEntryRow(rows[at + 1]),
    breaks: (rows, at) => r.written(rows.toSpliced(at, 2, `${rows[at]}${rows[at + 1]}`)),
  },
  'entry and note on one row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, `${rows[at]}{"type":"mode","mode":"normal"}`)),
  },
  'row over several lines': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, JSON.stringify(rowJson(rows[at]), null, 2))),
  },
  'NUL bytes before a row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, `\0\0\0\0${rows[at]}`)),
  },
  'NUL bytes behind a row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, `${rows[at]}\0\0`)),
  },
  'NUL bytes inside a row': {
    picks: r.isLinked,
    breaks: (rows, at, rng) => r.written(rows.with(at, withNulls(rows[at] ?? '', rng))),
  },
  'NUL bytes over the end of a row': {
    picks: r.isLinked,
    breaks: (rows, at, rng) => r.written(rows.with(at, torn(rows[at], rng).padEnd(4096, '\0'))),
  },
  'rows written twice': { picks: r.isFirst, breaks: rows => r.written([...rows, ...rows]) },
  'first half written again': {
    picks: r.isFirst,
    breaks: rows => r.written([...rows, ...rows.slice(0, Math.ceil(rows.length / 2))]),
  },
  'old row written again': { picks: r.isLinked, breaks: (rows, at) => r.written([...rows, rows[at] ?? '']) },
  'history again under new ids': { picks: r.isFirst, breaks: rows => r.written(withHistoryAgain(rows)) },
  'history again under new message ids': {
    picks: r.isFirst,
    breaks: rows => r.written(withHistoryAgain(rows, { messageIds: true })),
  },
  'history again, every id new': {
    picks: r.isFirst,
    breaks: rows => r.written(withHistoryAgain(rows, { messageIds: true, toolIds: true })),
  },
  'rows reversed': { picks: r.isFirst, breaks: rows => r.written(rows.toReversed()) },
  'rows sorted by time': { picks: r.isFirst, breaks: rows => r.written(byTime(rows)) },
  'two blocks of rows swapped': {
    picks: (_, at, rows) => at > 0 && at < rows.length - 2,
    breaks: (rows, at, rng) => r.written(swapped(rows, at, rng)),
  },
  'CRLF and byte order mark': { picks: r.isFirst, breaks: rows => `\ufeff${rows.join('\r\n')}\r\n` },
  "another session's id": {
    picks: r.isLinked,
    breaks: (rows, at) => r.put(rows, at, { sessionId: '99999999-9999-4999-8999-999999999999' }),
  },
  'notes only': { picks: r.isFirst, breaks: rows => r.written(rows.filter(row => !r.isEntryRow(row))) },
}

/** The beginning of a row, up to some byte. */
function torn(row = '', rng: Rng): string {
  return row.slice(0, rng.between(Math.min(20, row.length), Math.max(20, row.length - 2)))
}

function withNulls(row: string, rng: Rng): string {
  const start = rng.between(1, Math.max(1, row.length - 1))
  return `${row.slice(0, start)}${'\0'.repeat(4096)}${row.slice(start)}`
}

/** Rows without a time stay behind the row that they stood behind. */
function byTime(rows: readonly string[]): readonly string[] {
  let time = 0
  const dated = rows.map(row => {
    time = Date.parse(textIn(rowJson(row), 'timestamp') ?? '') || time
    return { row, time }
  })
  return dated.sort((a, b) => a.time - b.time).map(({ row }) => row)
}

function swapped(rows: readonly string[], at: number, rng: Rng): readonly string[] {
  const size = rng.between(1, Math.max(1, Math.min(12, rows.length - at - 1)))
  const start = Math.max(0, at - rng.between(1, 12))
  return [
    ...rows.slice(0, start),
    ...rows.slice(at, at + size),
    ...rows.slice(start, at),
    ...rows.slice(at + size),
  ]
}
