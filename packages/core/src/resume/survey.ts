/** Facts that the graph does not keep: of contents, gathered while files are read, and of the disk. */

import type { Compaction, Entry, TranscriptRecord } from '../model/entry.js'
import { timeOf } from '../parse/entries/base.js'
import { readCompaction } from '../parse/entries/system.js'
import { asObject, asObjects, asText, type Json } from '../parse/json.js'
import { scanObject } from '../parse/scan.js'
import { marksOf } from './content-marks.js'

/** Marks of what cannot be sent of a message, by uuid (`edit/survey.ts`); entries without any are not listed. */
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
  /** The last one was written because the user went back, and no entry came since. */
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
  /** Null where it is no boundary. */
  readonly compaction: Compaction | null
  readonly message: string | null
  /** Ids of tools that it calls, and of those that it answers. */
  readonly calls: readonly string[]
  readonly results: readonly string[]
}

/** What is known of one file beside its graph. */
export interface FileExtras extends EndNotes {
  readonly marks: ContentMarks
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
  /** The path of the project folder that it lies in; null where that is no folder of Claude Code's. */
  readonly folder: string | null
  /** Whether a folder that was worked in is there today. */
  readonly hasFolder: (path: string) => boolean
  /** Days until Claude Code deletes the file, below zero where it is overdue; null where it does not. */
  readonly daysLeft: number | null
  /** Whether an output that was spilled is still there. */
  readonly hasOutput: (path: string) => boolean
}

/** What the loader asks of a file beside its graph. */
export type LoaderExtras = RowFacts & Pick<FileExtras, 'marks'>

/** What is known by the order of rows, without a look at what they say. */
export type RowFacts = EndNotes & Pick<FileExtras, 'firsts' | 'nameless'>

/** Gathers these as records are read. */
export interface RowFactsGatherer {
  /** The third is the row's text, where it was damaged. */
  readonly see: (json: Json, record: TranscriptRecord, damaged?: string) => void
  readonly facts: () => RowFacts
}

/** Gathers what is known of a file as its records are read. */
export interface ExtrasGatherer {
  /** The third is the row's text, where it was damaged. */
  readonly see: (json: Json, record: TranscriptRecord, damaged?: string) => void
  readonly secret: (secret: SecretPlace) => void
  readonly extras: (disk: DiskFacts | null) => FileExtras
}

const NO_NOTES: EndNotes = { leafNote: null, hasEndNote: false, isByHand: false, isEmptied: false }

/** Nothing is known beside the graph. */
export const NO_EXTRAS: FileExtras = {
  ...NO_NOTES,
  marks: new Map(),
  firsts: new Map(),
  nameless: null,
  spilled: [],
  folders: new Set(),
  longest: { row: 0, bytes: 0 },
  secrets: [],
  disk: null,
}

/** Starts gathering what the order of rows says of one file. */
export function gatherRowFacts(): RowFactsGatherer {
  const firsts = new Map<number, string | null>()
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
      if ('id' in record) notes = notesBehind(notes, lookOf(record))
      else if (record.kind === 'process-end' && record.by === 'last-prompt') notes = notedBy(notes, json)
      else if (isFirst && isEntryType(json.type)) {
        nameless = namelessAfter(nameless, json, row)
        notes = notesBehind(notes, { isBoundary: nameless.compaction !== null, isRow: !nameless.isSidechain })
      }
    },
    facts: () => ({ ...notes, firsts, nameless }),
  }
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
    time: timeOf(json) ?? Number.NaN,
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

/** Starts gathering for one file. */
export function gatherExtras(): ExtrasGatherer {
  const rows = gatherRowFacts()
  const marks = new Map<string, number>()
  const spilled: SpilledOutput[] = []
  const folders = new Set<string>()
  const secrets: SecretPlace[] = []
  let longest = NO_EXTRAS.longest
  return {
    see: (json, record, damaged) => {
      const { row, length } = record.source
      if (length > longest.bytes) longest = { row, bytes: length }
      rows.see(json, record, damaged)
      if (!('id' in record)) return
      if (record.cwd !== null) folders.add(record.cwd)
      if (record.kind !== 'user' && record.kind !== 'assistant') return
      const mark = marksOf(json)
      // Of a uuid that is written again the last row counts.
      if (mark !== 0) marks.set(record.id, mark)
      else if (marks.size > 0) marks.delete(record.id)
      const path = spilledPath(json)
      if (path !== null) spilled.push({ row, node: record.id, path })
    },
    secret: found => secrets.push(found),
    extras: disk => ({ ...rows.facts(), marks, spilled, folders, longest, secrets, disk }),
  }
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

/** What is noted after one more entry. A compaction begins anew: an end that was noted before it no longer counts. */
function notesBehind(before: EndNotes, { isBoundary, isRow }: EntryLook): EndNotes {
  if (isBoundary) return { ...NO_NOTES, hasEndNote: before.hasEndNote }
  if (!before.isByHand && !before.isEmptied) return before
  return isRow ? { ...before, isByHand: false, isEmptied: false } : before
}

function spilledPath(json: Json): string | null {
  const result = json.toolUseResult === undefined ? null : asObject(json.toolUseResult)
  return result === null ? null : asText(result.persistedOutputPath)
}
