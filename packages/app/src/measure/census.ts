/** P2: counting what is there: every record by type and version, and whatever the known lists do not have. */

import type { PutRow, SeeRecord } from '@dagline/core'
import { writtenBy } from '@dagline/core/content'
import { isKnownType, type Json, typeName, unknownFields } from '@dagline/core/parse'
import { compareVersions } from '@dagline/core/resume'
import { parseTranscript } from '@dagline/store'
import { findProjectsOrNote, type ProjectLocation } from '../files/projects.js'
import { askParts, openParts } from '../graphs/answers.js'
import { type Meter, SILENT } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import type { IndexOptions } from '../index/open.js'
import { pathsOf } from '../locate/ref.js'

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

/** What was counted, as plain data. */
interface CensusTally {
  readonly records: number
  readonly odd: number
  readonly types: readonly Tallied[]
  readonly fields: readonly Tallied[]
}

type Tallied = readonly [key: string, version: string, count: number]

/** Rows before the first version of their file, and files without any. */
const UNVERSIONED = '-'

/** Counts the records of some paths, or of all roots with the index. */
export async function takeCensus(
  paths: readonly string[],
  host: Host,
  options: IndexOptions,
): Promise<Census> {
  const read = paths.length === 0 ? censusOfRoots(host, options) : censusUnder(paths, host)
  const book = newBook()
  for (const { records, odd, types, fields } of await read) {
    book.records += records
    book.odd += odd
    for (const each of types) addCount(book.types, ...each)
    for (const each of fields) addCount(book.fields, ...each)
  }
  return censusOf(book)
}

async function censusUnder(paths: readonly string[], host: Host): Promise<readonly CensusTally[]> {
  const locations = findProjectsOrNote(pathsOf(paths, host), host)
  return await runOnProjects('countRecords', countRecords, locations, host)
}

async function censusOfRoots(host: Host, options: IndexOptions): Promise<readonly CensusTally[]> {
  const opened = await openParts(host, options)
  try {
    return (await askParts({ name: 'countRecords', read: countRecords }, opened, host)).flat()
  } finally {
    opened.close()
  }
}

/** Reads the files of a project and counts their records. */
export function countRecords({ root, project }: ProjectLocation, meter: Meter = SILENT): CensusTally {
  const book = newBook()
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
  const { records, odd, types, fields } = book
  return { records, odd, types: listed(types), fields: listed(fields) }
}

function newBook(): Book {
  return { records: 0, odd: 0, types: new Map(), fields: new Map() }
}

function listed(counts: Counts): readonly Tallied[] {
  return [...counts].flatMap(([key, versions]) =>
    [...versions].map(([version, count]) => [key, version, count] as const),
  )
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
  addCount(book.types, type, version, 1)
  if (!isKnownType(type)) return
  for (const field of unknownFields(type, record)) addCount(book.fields, `${type} ${field}`, version, 1)
}

function addCount(counts: Counts, key: string, version: string, count: number): void {
  const versions = counts.get(key) ?? new Map<string, number>()
  counts.set(key, versions)
  versions.set(version, (versions.get(version) ?? 0) + count)
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
    unknownFields: unknownFields.sort((a, b) => byCount(a, b) || (a.field < b.field ? -1 : 1)),
  }
}

function counts(type: string, versions: ReadonlyMap<string, number>): CensusType {
  const ordered = [...versions].sort(([a], [b]) => compareVersions(a, b))
  return { type, versions: new Map(ordered), total: ordered.reduce((sum, [, number]) => sum + number, 0) }
}

function byCount(a: CensusType, b: CensusType): number {
  return b.total - a.total || (a.type === b.type ? 0 : a.type < b.type ? -1 : 1)
}
