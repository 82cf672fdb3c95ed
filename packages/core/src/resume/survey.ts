/**
 * What the graph does not keep of a file and the loader model, faults and edits ask for. It is gathered while the file is
 * read, and small: most rows leave nothing.
 */

import type { Compaction, Entry, TranscriptRecord } from '../model/entry.js'
import { readTime } from '../parse/entries/base.js'
import { carriedRecord } from '../parse/entries/progress.js'
import { readCompaction } from '../parse/entries/system.js'
import { asObject, asObjects, asText, type Json } from '../parse/json.js'
import { scanObject } from '../parse/scan.js'
import { marksOf } from './content-marks.js'

/** Marks of messages (`content-marks.ts`) by uuid; entries without any are not listed. */
export type ContentMarks = ReadonlyMap<string, number>

/** A secret in plain text. */
export interface SecretPlace {
  readonly kind: string
  readonly row: number
}

/** An output that was too large for its row and was written to a file of its own. */
export interface SpilledOutput {
  readonly row: number
  readonly node: string
  readonly path: string
}

/** What the notes of a file (`last-prompt`) say of its end. */
export interface EndNotes {
  /** The entry that the last one since the newest compaction names; null where there is none. */
  readonly leafNote: string | null
  /** Some note speaks of the end, wherever it stands. */
  readonly hasEndNote: boolean
  /** The last one was written because of a rewind, and no entry came since. */
  readonly isByHand: boolean
  /** It says that nothing is left. */
  readonly isEmptied: boolean
}

/**
 * The entries of a file that have no uuid, as the loader sees them: it keeps entries by uuid, so that all of these are one.
 * The last counts, at the position of the first.
 */
export interface NamelessEntry {
  readonly firstRow: number
  readonly row: number
  /** How many rows it stands for, and how many of those are messages. */
  readonly rows: number
  readonly messages: number
  readonly type: string
  readonly parent: string | null
  /** Milliseconds since 1970, or NaN. */
  readonly time: number
  readonly isSidechain: boolean
  /** Null where it is not a boundary. */
  readonly compaction: Compaction | null
  readonly message: string | null
  /** Ids of tools that it calls, and of those that it answers. */
  readonly calls: readonly string[]
  readonly results: readonly string[]
}

/** A record without a uuid, and where it stands. */
export interface SurveyedNote {
  readonly type: string
  readonly row: number
  readonly offset: number
  readonly length: number
  readonly nth: number
}

/** What is known of one file beside its graph. */
export interface Survey extends EndNotes {
  readonly notes: readonly SurveyedNote[]
  /** Rows with several records: the uuid of each, null for a note. */
  readonly several: ReadonlyMap<number, readonly (string | null)[]>
  /** Marks of the first row of each uuid. */
  readonly marks: ContentMarks
  /** Of uuids that stand on several rows the marks of the last one, which the loader reads. */
  readonly repeatMarks: ContentMarks
  /** Of rows that begin with a record and go on behind it: the uuid of that record; null where it is a note. */
  readonly firsts: ReadonlyMap<number, string | null>
  readonly nameless: NamelessEntry | null
  readonly spilled: readonly SpilledOutput[]
  /** Working folders that its entries name. */
  readonly folders: ReadonlySet<string>
  readonly longest: { readonly row: number; readonly bytes: number }
  readonly secrets: readonly SecretPlace[]
  readonly disk: DiskFacts | null
}

/** What the disk says of a file. */
export interface DiskFacts {
  /** The path of the project folder that it lies in; null where that is not a folder of Claude Code's. */
  readonly folder: string | null
  /** Whether a folder that was worked in is there today. */
  readonly hasFolder: (path: string) => boolean
  /** Where a folder that is gone may be now. */
  readonly newPlacesOf: (path: string) => readonly string[]
  /** Whether the archive has files of the session that are not on disk. */
  readonly isInArchive: () => boolean
  /** Days until Claude Code deletes the file, below zero where it is overdue; null where it does not. */
  readonly daysLeft: number | null
  /** Whether an output that was spilled is still there. */
  readonly hasOutput: (path: string) => boolean
}

/** The part of a survey that the loader model asks for. */
export type LoaderSurvey = EndNotes & Pick<Survey, 'firsts' | 'nameless' | 'marks' | 'repeatMarks'>

/** A survey under way. The records of the file are shown to it in the order of rows. */
export interface Surveyor {
  /** The third is the row's text, where it was damaged. */
  readonly see: (json: Json, record: TranscriptRecord, damaged?: string) => void
  readonly secret: (secret: SecretPlace) => void
  readonly survey: (disk?: DiskFacts | null) => Survey
}

const NO_NOTES: EndNotes = { leafNote: null, hasEndNote: false, isByHand: false, isEmptied: false }

/** Nothing is known beside the graph. */
export const NO_SURVEY: Survey = startSurvey().survey()

/** Starts the survey of one file. */
export function startSurvey(): Surveyor {
  const loading = startLoaderSurvey()
  const records = startRecordSurvey()
  const spilled: SpilledOutput[] = []
  const folders = new Set<string>()
  const secrets: SecretPlace[] = []
  let longest = { row: 0, bytes: 0 }
  return {
    see: (json, record, damaged) => {
      const { row, length } = record.source
      if (length > longest.bytes) longest = { row, bytes: length }
      loading.see(json, record, damaged)
      records.see(json, record)
      if (!('id' in record)) return
      if (record.cwd !== null) folders.add(record.cwd)
      const path = spilledPath(json)
      if (path !== null) spilled.push({ row, node: record.id, path })
    },
    secret: found => secrets.push(found),
    survey: (disk = null) => ({
      ...loading.survey(),
      ...records.survey,
      spilled,
      folders,
      longest,
      secrets,
      disk,
    }),
  }
}

/** Where records stand among the rows. */
function startRecordSurvey(): {
  readonly see: (json: Json, record: TranscriptRecord) => void
  readonly survey: Pick<Survey, 'notes' | 'several'>
} {
  const notes: SurveyedNote[] = []
  const several = new Map<number, (string | null)[]>()
  let before: { readonly row: number; readonly ids: (string | null)[] } = { row: 0, ids: [] }
  return {
    survey: { notes, several },
    see: (json, record) => {
      const { row, offset, length } = record.source
      if (before.row !== row) before = { row, ids: [] }
      const nth = before.ids.push('id' in record ? record.id : null) - 1
      if (nth === 1) several.set(row, before.ids)
      if (!('id' in record)) notes.push({ type: asText(json.type) ?? '', row, offset, length, nth })
    },
  }
}

/** Which record of its row an entry is. */
export function nthOf(survey: Survey | undefined, row: number, id: string): number {
  return Math.max(0, survey?.several.get(row)?.indexOf(id) ?? 0)
}

/** Starts the survey of what the loader model asks for. */
export function startLoaderSurvey(): Pick<Surveyor, 'see'> & { readonly survey: () => LoaderSurvey } {
  const firsts = new Map<number, string | null>()
  const marks = startMarks()
  let notes = NO_NOTES
  let nameless: NamelessEntry | null = null
  let damagedRow = 0
  return {
    see: (json, record, damaged) => {
      const { row } = record.source
      const id = 'id' in record ? record.id : null
      const isFirst = damaged === undefined || (damagedRow !== row && beginsWithObject(damaged))
      if (damaged !== undefined && isFirst) firsts.set(row, id)
      if (damaged !== undefined) damagedRow = row
      marks.see(json, record)
      if ('id' in record) notes = notesBehind(notes, lookOf(record))
      else if (record.kind === 'process-end' && record.by === 'last-prompt') notes = notedBy(notes, json)
      else if (isFirst && isEntryType(json.type)) {
        nameless = namelessAfter(nameless, json, row)
        notes = notesBehind(notes, { isBoundary: nameless.compaction !== null, isRow: !nameless.isSidechain })
      }
    },
    survey: () => ({ ...notes, firsts, nameless, ...marks.survey }),
  }
}

/** Marks of messages, of first and of last rows. */
function startMarks(): {
  readonly see: (json: Json, record: TranscriptRecord) => void
  readonly survey: Pick<Survey, 'marks' | 'repeatMarks'>
} {
  const marks = new Map<string, number>()
  const repeatMarks = new Map<string, number>()
  // Only a uuid with marks is looked up again: a set of all uuids would cost more than the survey.
  const note = (id: string, mark: number): void => {
    const known = marks.size === 0 ? undefined : marks.get(id)
    if (known !== undefined) repeatMarks.set(id, mark)
    else if (mark !== 0) marks.set(id, mark)
  }
  return {
    survey: { marks, repeatMarks },
    see: (json, record) => {
      if (record.kind === 'user' || record.kind === 'assistant') note(record.id, marksOf(json))
      else if (record.kind === 'progress' && record.carried !== null)
        note(record.carried.id, marksOf(carriedRecord(json) ?? {}))
    },
  }
}

/** The marks that the loader sees: of a uuid that is written again the last row counts. */
export function loadedMarks({ marks, repeatMarks }: Pick<Survey, 'marks' | 'repeatMarks'>): ContentMarks {
  return repeatMarks.size === 0 ? marks : new Map([...marks, ...repeatMarks])
}

function isEntryType(type: unknown): type is string {
  return type === 'user' || type === 'assistant' || type === 'attachment' || type === 'system'
}

function namelessAfter(before: NamelessEntry | null, json: Json, row: number): NamelessEntry {
  const message = asObject(json.message)
  const blocks = asObjects(message?.content)
  const idsOf = (type: string, field: string): readonly string[] =>
    blocks.flatMap(block => (block.type === type ? (asText(block[field]) ?? []) : []))
  const type = asText(json.type) ?? ''
  const isMessage = type === 'user' || type === 'assistant'
  return {
    firstRow: before?.firstRow ?? row,
    row,
    rows: (before?.rows ?? 0) + 1,
    messages: (before?.messages ?? 0) + (isMessage ? 1 : 0),
    type,
    parent: asText(json.parentUuid),
    time: readTime(json) ?? Number.NaN,
    isSidechain: json.isSidechain === true,
    compaction: type === 'system' && json.subtype === 'compact_boundary' ? readCompaction(json) : null,
    message: type === 'assistant' ? asText(message?.id) : null,
    calls: type === 'assistant' ? idsOf('tool_use', 'id') : [],
    results: type === 'user' ? idsOf('tool_result', 'tool_use_id') : [],
  }
}

/** Whether a row that holds more than a record begins with one: newer releases read that one, and nothing behind it. */
function beginsWithObject(row: string): boolean {
  const start = row.search(/\S/)
  return row.charAt(start) === '{' && scanObject(row, start).state === 'closed'
}

/** What is noted after one more note. */
function notedBy(before: EndNotes, json: Json): EndNotes {
  if (json.leafUuid === undefined) return before
  const leafNote = asText(json.leafUuid)
  const isByHand = json.explicit === true
  if (leafNote === null) return { ...before, hasEndNote: true, ...(isByHand ? EMPTIED : {}) }
  const isSaidAgain = before.isByHand && before.leafNote === leafNote
  return { leafNote, hasEndNote: true, isByHand: isByHand || isSaidAgain, isEmptied: false }
}

const EMPTIED = { leafNote: null, isByHand: false, isEmptied: true }

/** What an entry means for an end that was noted before it. */
interface EntryLook {
  readonly isBoundary: boolean
  /** An entry that can be an end. */
  readonly isRow: boolean
}

function lookOf(entry: Entry): EntryLook {
  return {
    isBoundary: entry.kind === 'system' && entry.compaction !== null,
    isRow: entry.kind !== 'opaque' && entry.kind !== 'progress' && !entry.sidechain,
  }
}

/** What is noted after one more entry. A compaction starts over: an end that was noted before it no longer counts. */
function notesBehind(before: EndNotes, { isBoundary, isRow }: EntryLook): EndNotes {
  if (isBoundary) return { ...NO_NOTES, hasEndNote: before.hasEndNote }
  if (!before.isByHand && !before.isEmptied) return before
  return isRow ? { ...before, isByHand: false, isEmptied: false } : before
}

function spilledPath(json: Json): string | null {
  const result = json.toolUseResult === undefined ? null : asObject(json.toolUseResult)
  return result === null ? null : asText(result.persistedOutputPath)
}
