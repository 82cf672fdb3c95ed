/** P2: counting what is there: every record by type and version, and whatever the known lists do not have. */

import type { PutRow, SeeRecord } from '@dagline/core'
import { writtenBy } from '@dagline/core/content'
import { isKnownType, type Json, typeName, unknownFields } from '@dagline/core/parse'
import { compareVersions } from '@dagline/core/resume'
import { parseTranscript } from '@dagline/store'
import { findProjectsOrNote } from '../files/projects.js'
import { meterOf } from '../graphs/project.js'
import type { Host } from '../host/host.js'
import { pathsOf } from '../locate/session.js'

/** How often a type occurs, by version in order. */
export interface CensusType {
  readonly type: string
  readonly total: number
  readonly versions: ReadonlyMap<string, number>
}

export interface UnknownField extends CensusType {
  readonly field: string
}

/** Types of records, counted by version, and what is not known of the format. */
export interface Census {
  readonly records: number
  /** Rows that are damaged, or hold something beside one record. */
  readonly odd: number
  readonly versions: readonly string[]
  readonly types: readonly CensusType[]
  readonly unknownTypes: readonly CensusType[]
  readonly unknownFields: readonly UnknownField[]
}

type Counts = Map<string, Map<string, number>>

interface Book {
  records: number
  odd: number
  readonly types: Counts
  /** By `type`, a space, and the field. */
  readonly fields: Counts
}

/** Rows before the first version of their file, and files without any. */
const UNVERSIONED = '-'

/** Counts the records of some paths, or of all roots. */
export function takeCensus(paths: readonly string[], host: Host): Census {
  const locations = findProjectsOrNote(pathsOf(paths, host), host)
  const book: Book = { records: 0, odd: 0, types: new Map(), fields: new Map() }
  const meter = meterOf(host)
  for (const { root, project } of locations) {
    for (const file of project.files) {
      let version = UNVERSIONED
      const see: SeeRecord = json => {
        version = writtenBy(json).version ?? version
        note(book, json, version)
      }
      const put: PutRow = ({ state, diagnostics, rows = 1 }) => {
        if (state === 'damaged') book.odd += rows
        else if (diagnostics.some(({ rule }) => BESIDE.has(rule))) book.odd++
      }
      const { diagnostics, finish } = parseTranscript(root, file.path, put, { see })
      finish()
      meter.unread(root, diagnostics)
      meter.add(file)
    }
  }
  meter.done()
  return censusOf(book)
}

/** Diagnostics of rows that hold something beside one record. */
const BESIDE: ReadonlySet<string> = new Set([
  'parse/joined-rows',
  'parse/not-json',
  'parse/nul-bytes',
  'parse/bom',
])

function note(book: Book, record: Json, version: string): void {
  const type = typeName(record)
  book.records++
  add(book.types, type, version)
  if (!isKnownType(type)) return
  for (const field of unknownFields(type, record)) add(book.fields, `${type} ${field}`, version)
}

function add(counts: Counts, key: string, version: string): void {
  const versions = counts.get(key) ?? new Map<string, number>()
  counts.set(key, versions)
  versions.set(version, (versions.get(version) ?? 0) + 1)
}

function censusOf({ records, odd, types, fields }: Book): Census {
  const all = new Set([...types.values()].flatMap(versions => [...versions.keys()]))
  const counted = [...types].map(([type, versions]) => counts(type, versions)).sort(byCount)
  const unknownFields = [...fields].map(([key, versions]) => {
    const at = key.indexOf(' ')
    return { ...counts(key.slice(0, at), versions), field: key.slice(at + 1) }
  })
  return {
    records,
    odd,
    versions: [...all].sort(compareVersions),
    types: counted,
    unknownTypes: counted.filter(({ type }) => !isKnownType(type)),
    unknownFields: unknownFields.sort(byCount),
  }
}

function counts(type: string, versions: ReadonlyMap<string, number>): CensusType {
  const ordered = [...versions].sort(([a], [b]) => compareVersions(a, b))
  return { type, versions: new Map(ordered), total: ordered.reduce((sum, [, number]) => sum + number, 0) }
}

function byCount(a: CensusType, b: CensusType): number {
  return b.total - a.total || (a.type < b.type ? -1 : 1)
}
