/** The ways in which transcripts are broken: all were met in the wild. */
import { type Json, objectOf, parseRowText, textIn } from '../harness/json.ts'
import { between, endNote, hookOn, progressOn, strangerOn, turnOn, withHistoryAgain } from './growth.ts'
import * as r from './rows.ts'

/** A way to break a session at one of its rows. */
export interface Breaking {
  /** Whether a row can be broken so. */
  readonly picks: (json: Json, at: number, rows: readonly string[]) => boolean
  /** The text of the broken file. */
  readonly breaks: (rows: string[], at: number) => string
}

const MISSING = '00000000-dead-4bad-8bad-000000000000'
const BACK = { asked: 'back to here ⟦9001⟧', said: 'gladly ⟦9002⟧' }
const FURTHER = { asked: 'and more ⟦9003⟧', said: 'of course ⟦9004⟧', nth: 1 }
const BY_ITSELF = { asked: 'Continue from where you left off.', said: 'No response requested.' }

const LINKS: Readonly<Record<string, Breaking>> = {
  'missing parent': { picks: r.isLinked, breaks: (rows, at) => r.put(rows, at, { parentUuid: MISSING }) },
  'missing parent, an hour later': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(r.laterFrom(r.replaced(rows, at, { parentUuid: MISSING }), at)),
  },
  'own parent': {
    picks: r.isLinked,
    breaks: (rows, at) => r.put(rows, at, { parentUuid: r.fieldOf(rows, at, 'uuid') }),
  },
  'circle of parents': {
    picks: (json, at, rows) => r.isLinked(json, at, rows) && r.childOf(rows, at) !== null,
    breaks: (rows, at) => r.put(rows, at, { parentUuid: r.childOf(rows, at) }),
  },
  'begins with an answer': {
    picks: (_, at, rows) => at > 0 && at === r.firstAnswer(rows),
    breaks: (rows, at) => r.put(rows.slice(at), 0, { parentUuid: null }),
  },
  'beginning cut off': {
    picks: (_, at, rows) => at > 0 && at === r.firstAnswer(rows),
    breaks: (rows, at) => r.written(rows.slice(at)),
  },
  'progress in the chain': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(between(rows, at, progressOn)),
  },
  'hook in the chain': { picks: r.isLinked, breaks: (rows, at) => r.written(between(rows, at, hookOn)) },
  'unknown type in the chain': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(between(rows, at, strangerOn)),
  },
}

const ROWS: Readonly<Record<string, Breaking>> = {
  'row gone': { picks: r.isLinked, breaks: (rows, at) => r.written(rows.toSpliced(at, 1)) },
  'result gone': { picks: r.isResult, breaks: (rows, at) => r.written(rows.toSpliced(at, 1)) },
  'call gone': { picks: r.isCall, breaks: (rows, at) => r.written(rows.toSpliced(at, 1)) },
  'torn row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, (rows[at] ?? '').slice(0, 90))),
  },
  'torn last row': {
    picks: (_, at, rows) => at === rows.length - 1,
    breaks: (rows, at) => rows.with(at, (rows[at] ?? '').slice(0, 60)).join('\n'),
  },
  'two entries on one row': {
    picks: (json, at, rows) => r.isLinked(json, at, rows) && r.isEntryRow(rows[at + 1]),
    breaks: (rows, at) => r.written(rows.toSpliced(at, 2, `${rows[at]}${rows[at + 1]}`)),
  },
  'entry and note on one row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, `${rows[at]}{"type":"mode","mode":"normal"}`)),
  },
  'NUL bytes before a row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, `\0\0\0\0${rows[at]}`)),
  },
  'NUL bytes behind a row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(rows.with(at, `${rows[at]}\0\0`)),
  },
  'rows written twice': { picks: r.isFirst, breaks: rows => r.written([...rows, ...rows]) },
  'old row written again': { picks: r.isLinked, breaks: (rows, at) => r.written([...rows, rows[at] ?? '']) },
  'history again under new ids': { picks: r.isFirst, breaks: rows => r.written(withHistoryAgain(rows)) },
  'rows reversed': { picks: r.isFirst, breaks: rows => r.written(rows.toReversed()) },
  'CRLF and byte order mark': { picks: r.isFirst, breaks: rows => `\ufeff${rows.join('\r\n')}\r\n` },
  "another session's id": {
    picks: r.isLinked,
    breaks: (rows, at) => r.put(rows, at, { sessionId: '99999999-9999-4999-8999-999999999999' }),
  },
  'notes only': { picks: r.isFirst, breaks: rows => r.written(rows.filter(row => !r.isEntryRow(row))) },
}

const CONTENTS: Readonly<Record<string, Breaking>> = {
  'empty answer': { picks: r.isAnswer, breaks: (rows, at) => r.put(rows, at, r.emptied(rows, at)) },
  'empty prompt': { picks: r.isPrompt, breaks: (rows, at) => r.put(rows, at, r.emptied(rows, at)) },
  'answer without blocks': {
    picks: r.isAnswer,
    breaks: (rows, at) => r.put(rows, at, r.emptied(rows, at, [])),
  },
  'prompt without blocks': {
    picks: r.isPrompt,
    breaks: (rows, at) => r.put(rows, at, r.emptied(rows, at, [])),
  },
  'thinking without signature': {
    picks: r.isThinking,
    breaks: (rows, at) => r.put(rows, at, r.unsigned(rows, at)),
  },
  'same tool id twice': {
    picks: (json, at, rows) => r.isCall(json, at, rows) && r.callBefore(rows, at) !== null,
    breaks: (rows, at) =>
      r.written(rows).replaceAll(r.callOn(rows, at) ?? MISSING, r.callBefore(rows, at) ?? MISSING),
  },
  'row of 11 MB': {
    picks: (json, at, rows) => r.isAnswer(json) && at === r.firstAnswer(rows),
    breaks: (rows, at) => r.put(rows, at, r.lengthened(rows, at, 11_000_000)),
  },
}

const ENDS: Readonly<Record<string, Breaking>> = {
  'hook at the end': { picks: r.isLinked, breaks: (rows, at) => r.written([...rows, hookOn(rows, at)]) },
  'progress at the end': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written([...rows, progressOn(rows, at)]),
  },
  'killed after a rewind': {
    picks: r.isAnswer,
    breaks: (rows, at) => r.written([...rows, ...turnOn(rows, at, BACK)]),
  },
  'went on from an older part': {
    picks: (json, at, rows) => r.isEarlyPart(json, at, rows),
    breaks: (rows, at) => r.written([...rows, ...turnOn(rows, at, BACK), endNote(rows)]),
  },
  'went on by itself from an old entry': {
    picks: r.isAnswer,
    breaks: (rows, at) =>
      r.written([...rows, ...turnOn(rows, at, { ...BY_ITSELF, fields: { isMeta: true } }), endNote(rows)]),
  },
  'two writers': {
    picks: (json, at, rows) => r.isAnswer(json) && at === r.lastAnswer(rows),
    breaks: (rows, at) => {
      const [ask, answer] = turnOn(rows, at, BACK)
      const [other, reply] = turnOn(rows, at, FURTHER)
      return r.written([...rows, ask, other, answer, reply])
    },
  },
  'prompt queued and never sent': {
    picks: r.isFirst,
    breaks: rows =>
      r.written([
        ...rows,
        JSON.stringify({ type: 'queue-operation', operation: 'enqueue', content: 'later' }),
      ]),
  },
}

const COMPACTIONS: Readonly<Record<string, Breaking>> = {
  'summary gone': {
    picks: json => json['isCompactSummary'] === true,
    breaks: (rows, at) => r.written(rows.toSpliced(at, 1)),
  },
  'boundary gone': { picks: isBoundary, breaks: (rows, at) => r.written(rows.toSpliced(at, 1)) },
  'kept entry gone': { picks: isBoundary, breaks: (rows, at) => r.written(withoutKept(rows, at)) },
  'compaction of what never was': {
    picks: isBoundary,
    breaks: (rows, at) => r.put(rows, at, { logicalParentUuid: MISSING }),
  },
  'answer hung before a compaction': {
    picks: (json, at, rows) => r.isAnswer(json) && oldEntry(rows, at) !== null,
    breaks: (rows, at) => r.put(rows, at, { parentUuid: oldEntry(rows, at) }),
  },
}

/** All ways, by the class that they are in the tables. */
export const BREAKINGS: Readonly<Record<string, Breaking>> = {
  ...LINKS,
  ...ROWS,
  ...CONTENTS,
  ...ENDS,
  ...COMPACTIONS,
}

function isBoundary(json: Json): boolean {
  return textIn(json, 'uuid') !== null && json['subtype'] === 'compact_boundary'
}

/** Without the last entry that a compaction kept. */
function withoutKept(rows: readonly string[], at: number): readonly string[] {
  const last = keptBy(rows[at] ?? '').at(-1)
  return rows.filter(row => textIn(parseRowText(row), 'uuid') !== last)
}

function keptBy(row: string): readonly unknown[] {
  const meta = objectOf(parseRowText(row)?.['compactMetadata'])
  const kept = objectOf(meta?.['preservedMessages'])?.['uuids']
  return Array.isArray(kept) ? kept : []
}

/** The first answer of a file with a finished compaction before a place; null where there is none, or it was kept. */
function oldEntry(rows: readonly string[], at: number): string | null {
  const boundary = rows.findLastIndex((row, place) => place < at && isBoundary(parseRowText(row) ?? {}))
  const first = r.firstAnswer(rows)
  const uuid = boundary < 0 || first < 0 || first > boundary ? null : r.fieldOf(rows, first, 'uuid')
  const isFinished = rows.slice(boundary, at).some(row => parseRowText(row)?.['isCompactSummary'] === true)
  return isFinished && !keptBy(rows[boundary] ?? '').includes(uuid) ? uuid : null
}
