/** Corruptions of compactions. */
import { type Json, objectOf, textIn } from '../base/json.js'
import * as r from './rows.js'
import { ABSENT, type Corruptions, rowJson } from './rows.js'

export const COMPACTIONS: Corruptions = {
  'summary gone': {
    picks: isSummary,
    breaks: (rows, at) => r.written(rows.toSpliced(at, 1)),
  },
  'boundary gone': { picks: isBoundary, breaks: (rows, at) => r.written(rows.toSpliced(at, 1)) },
  'boundary torn': {
    picks: isBoundary,
    breaks: (rows, at) => r.written(rows.with(at, (rows[at] ?? '').slice(0, 90))),
  },
  'summary emptied': {
    picks: isSummary,
    breaks: (rows, at) => r.put(rows, at, r.messageWith(rows, at, { content: '' })),
  },
  'kept entry gone': { picks: isBoundary, breaks: (rows, at) => r.written(withoutKept(rows, at)) },
  'compaction of what never was': {
    picks: isBoundary,
    breaks: (rows, at) => r.put(rows, at, { logicalParentUuid: ABSENT }),
  },
  'answer hung before a compaction': {
    picks: (json, at, rows) => r.isAnswer(json) && oldEntry(rows, at) !== null,
    breaks: (rows, at) => r.put(rows, at, { parentUuid: oldEntry(rows, at) }),
  },
}

function isSummary(json: Json): boolean {
  return json['isCompactSummary'] === true
}

function isBoundary(json: Json): boolean {
  return textIn(json, 'uuid') !== null && json['subtype'] === 'compact_boundary'
}

/** Without the last entry that a compaction kept. */
function withoutKept(rows: readonly string[], at: number): readonly string[] {
  const last = keptBy(rows[at] ?? '').at(-1)
  return rows.filter(row => textIn(rowJson(row), 'uuid') !== last)
}

function keptBy(row: string): readonly unknown[] {
  const meta = objectOf(rowJson(row)?.['compactMetadata'])
  const kept = objectOf(meta?.['preservedMessages'])?.['uuids']
  return Array.isArray(kept) ? kept : []
}

/** The first answer of a file with a finished compaction before a place; null where there is none, or it was kept. */
function oldEntry(rows: readonly string[], at: number): string | null {
  const boundary = rows.findLastIndex((row, place) => place < at && isBoundary(rowJson(row) ?? {}))
  const first = r.firstAnswer(rows)
  const uuid = boundary < 0 || first < 0 || first > boundary ? null : r.fieldOf(rows, first, 'uuid')
  const isFinished = rows.slice(boundary, at).some(row => rowJson(row)?.['isCompactSummary'] === true)
  return isFinished && !keptBy(rows[boundary] ?? '').includes(uuid) ? uuid : null
}
