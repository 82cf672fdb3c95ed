/** Facts that the graph does not keep: of contents, gathered while files are read, and of the disk. */
import { marksOf } from '../edit/survey.js'
import type { TranscriptRecord } from '../model/entry.js'
import { asObject, asText, type Json } from '../parse/json.js'

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

/** What is known of one file beside its graph. */
export interface FileExtras {
  readonly marks: ContentMarks
  /** Of rows that begin with a record and go on behind it: the uuid of that record; null where it is a note. */
  readonly firsts: ReadonlyMap<number, string | null>
  /** The entry that the last `last-prompt` note names as the end of the conversation; null where there is none. */
  readonly leafNote: string | null
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
export type LoaderExtras = Pick<FileExtras, 'marks' | 'firsts' | 'leafNote'>

/** Gathers what is known of a file as its records are read. */
export interface ExtrasGatherer {
  /** The third is the row's text, where it was damaged. */
  readonly see: (json: Json, record: TranscriptRecord, damaged?: string) => void
  readonly secret: (secret: SecretPlace) => void
  readonly extras: (disk: DiskFacts | null) => FileExtras
}

/** Nothing is known beside the graph. */
export const NO_EXTRAS: FileExtras = {
  marks: new Map(),
  firsts: new Map(),
  leafNote: null,
  spilled: [],
  folders: new Set(),
  longest: { row: 0, bytes: 0 },
  secrets: [],
  disk: null,
}

/** Starts gathering for one file. */
export function gatherExtras(): ExtrasGatherer {
  const marks = new Map<string, number>()
  const spilled: SpilledOutput[] = []
  const folders = new Set<string>()
  const secrets: SecretPlace[] = []
  const firsts = new Map<number, string | null>()
  let longest = NO_EXTRAS.longest
  let leafNote: string | null = null
  let before: { readonly row: number; readonly id: string | null } = { row: 0, id: null }
  return {
    see: (json, record, damaged) => {
      const { row, length } = record.source
      if (length > longest.bytes) longest = { row, bytes: length }
      if (damaged?.startsWith('{') === true && !firsts.has(row))
        firsts.set(row, 'id' in record ? record.id : null)
      if (before.row === row) firsts.set(row, firsts.get(row) ?? before.id)
      else before = { row, id: 'id' in record ? record.id : null }
      if (!('id' in record)) {
        if (record.kind === 'process-end' && record.by === 'last-prompt')
          leafNote = asText(json.leafUuid) ?? leafNote
        return
      }
      // A compaction begins anew: an end that was noted before it no longer counts.
      if (record.kind === 'system' && record.compaction !== null) leafNote = null
      if (record.cwd !== null) folders.add(record.cwd)
      if (record.kind !== 'user' && record.kind !== 'assistant') return
      const mark = marksOf(json)
      if (mark !== 0) marks.set(record.id, mark)
      const path = spilledPath(json)
      if (path !== null) spilled.push({ row, node: record.id, path })
    },
    secret: found => secrets.push(found),
    extras: disk => ({ marks, firsts, leafNote, spilled, folders, longest, secrets, disk }),
  }
}

function spilledPath(json: Json): string | null {
  const result = json.toolUseResult === undefined ? null : asObject(json.toolUseResult)
  return result === null ? null : asText(result.persistedOutputPath)
}
