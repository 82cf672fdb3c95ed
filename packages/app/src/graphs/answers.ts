/**
 * I12: answers about all projects, computed once for each part and kept in the index. A part is the files of one file group
 * in one project: nothing else changes what a reader says of them (I3). An answer counts as long as everything it was
 * computed from is the same; files whose answer does not count are read, by the same reader that reads whole projects.
 */
import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pricesBasis } from '@dagline/core/measure'
import { groupBy } from '@dagline/core/model'
import {
  type FoundFile,
  type IndexStore,
  type KeptAnswer,
  openIndex,
  StoreError,
  takeLock,
} from '@dagline/store'
import { findProjects, nothingFound, type ProjectLocation, projectLocations } from '../files/projects.js'
import { noteFailures } from '../files/unread.js'
import type { Host } from '../host/host.js'
import { currentPrices } from '../host/prices.js'
import { type Grouping, groupingOf, groupOf, isReadable, unlessDamaged } from '../index/grouping.js'
import { type IndexOptions, openIndexed, orNote } from '../index/open.js'
import { VERSION } from '../text/version.js'
import { bundledCommand } from '../workers/entry.js'
import { type Reader, type ReaderName, type ReaderResult, runOnProjects } from './run.js'

/** Files of a project that are read together. */
export interface Part extends ProjectLocation {
  /** The root and the file group in the index; null where the answer cannot be kept. */
  readonly place: { readonly root: number; readonly group: number } | null
  /** The group has no files but these. */
  readonly isWhole: boolean
}

/** A project and its parts. */
interface ProjectParts {
  readonly location: ProjectLocation
  readonly parts: readonly Part[]
}

/** All projects, and the index that keeps answers about them; null where there can be none. */
export interface OpenedParts {
  readonly projects: readonly ProjectParts[]
  readonly index: IndexStore | null
  /** The file of the index. */
  readonly path: string
  readonly close: () => void
}

/** Which answer. */
export interface Question<N extends ReaderName> {
  readonly name: N
  readonly read: Reader<N>
  /** What an answer depends on beside the files and the version of dagline. */
  readonly basis?: string
}

const BUSY =
  'Another dagline is bringing the index up to date; what it has not read yet is read from the transcripts.'

/** Brings the index up to date and divides all projects into parts. Where there are none, that is noted. */
export async function openParts(host: Host, options: IndexOptions): Promise<OpenedParts> {
  const indexed = await orNote(host, openIndexed(host, { ...options, busyNote: BUSY }))
  const locations =
    indexed === null ? findProjects(options.paths ?? [], host) : projectLocations(indexed.found)
  if (locations.length === 0) host.note(nothingFound(options.paths ?? [], host))
  for (const { root, project } of locations) noteFailures(host, root, project.unread)
  if (indexed === null) return { projects: locations.map(undivided), index: null, path: '', close: () => {} }
  const { index, path, found, isCurrent, close } = indexed
  const groupings = new Map(
    found.map(({ root }) => [root, isCurrent ? unlessDamaged(() => groupingOf(index, root), null) : null]),
  )
  const projects = locations.map(location => divide(location, groupings.get(location.root) ?? null))
  return { projects, index, path, close }
}

/** What a reader says of every part of every project, in their order. */
export async function askParts<N extends ReaderName>(
  question: Question<N>,
  { projects, index, path }: OpenedParts,
  host: Host,
): Promise<readonly (readonly ReaderResult<N>[])[]> {
  const parts = projects.flatMap(project => project.parts)
  const general = `${codeVersion()} ${question.basis ?? ''}`
  const bases = new Map(parts.map(part => [part, basisOf(part, general)]))
  const results =
    index === null ? new Map() : unlessDamaged(() => keptResults(index, question.name, bases), new Map())
  for (const batch of batchesOf(parts.filter(part => !results.has(part)))) {
    const read = await runOnProjects(question.name, question.read, batch, host)
    for (const [at, part] of batch.entries()) results.set(part, read[at])
    if (index === null) continue
    const answers = batch
      .filter(part => isSettled(part, host))
      .flatMap(part => answerFor(part, bases, results))
    keepAnswers(path, question.name, answers)
  }
  return projects.map(project => project.parts.map(part => results.get(part)))
}

function undivided(location: ProjectLocation): ProjectParts {
  return { location, parts: [{ ...location, place: null, isWhole: false }] }
}

/** The parts of a project; the whole project where the index does not know all of its files. */
function divide(location: ProjectLocation, grouping: Grouping | null): ProjectParts {
  if (grouping === null) return undivided(location)
  const { project, root } = location
  const byGroup = groupBy(project.files, ({ path }) => groupOf(grouping, path))
  if (byGroup.has(null)) return undivided(location)
  const parts = [...byGroup].flatMap(([group, files]): readonly Part[] => {
    const all = grouping.groups.get(group) ?? []
    // A file that could not be read is tried at every call.
    const place = group !== null && all.every(({ isRead }) => isRead) ? { root: grouping.root, group } : null
    return [{ root, project: { ...project, files }, place, isWhole: all.length === files.length }]
  })
  return { location, parts }
}

/** What figures depend on beside files and code: days and hours are those of the reader, costs those of the price list. */
export function figuresBasis(): string {
  return `${Intl.DateTimeFormat().resolvedOptions().timeZone} ${pricesBasis(currentPrices())}`
}

/** A short text that differs wherever what an answer was computed from differs. */
export function hashBasis(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)
}

/** The version of dagline; of a checkout also when it was built, because its readers may have changed. */
export function codeVersion(): string {
  const program = bundledCommand()
  return program === null ? VERSION : `${VERSION} ${statSync(program, { throwIfNoEntry: false })?.mtimeMs}`
}

/** Everything that a reader's result depends on, as one text. */
function basisOf({ project }: Part, general: string): string {
  return hashBasis([general, project.files])
}

type Bases = ReadonlyMap<Part, string>
type Results<N extends ReaderName> = Map<Part, ReaderResult<N>>

function keptResults<N extends ReaderName>(index: IndexStore, kind: N, bases: Bases): Results<N> {
  const results: Results<N> = new Map()
  const parts = new Map([...bases.keys()].map(part => [keyOf(part), part]))
  const roots = new Set([...bases.keys()].flatMap(({ place }) => place?.root ?? []))
  for (const root of roots)
    for (const { group, part: name, basis, value } of index.answers(root, kind)) {
      const part = parts.get(`${root} ${group} ${name}`)
      if (part !== undefined && bases.get(part) === basis && isReadable(part))
        results.set(part, index.parseKept(value))
    }
  return results
}

function keyOf({ place, project }: Part): string {
  return `${place?.root} ${place?.group} ${project.path}`
}

/** Whether what was read is what was found before: no file has changed meanwhile, and none could not be read. */
function isSettled({ root, project, place }: Part, host: Host): boolean {
  return place !== null && project.files.every(file => isAsFound(root, file, host))
}

function isAsFound(root: string, { path, bytes, mtime }: FoundFile, host: Host): boolean {
  const full = join(root, path)
  const stats = statSync(full, { throwIfNoEntry: false })
  return stats?.size === bytes && stats.mtimeMs === mtime && !host.unread.has(full)
}

function answerFor<N extends ReaderName>(
  part: Part,
  bases: Bases,
  results: Results<N>,
): readonly KeptAnswer[] {
  const [basis, value] = [bases.get(part), JSON.stringify(results.get(part))]
  if (part.place === null || basis === undefined) return []
  return [{ group: part.place.group, part: part.project.path, basis, value }]
}

/** How long to wait, in milliseconds, for another process that writes to the index. */
const PATIENCE = 500

/** Keeps answers where that is possible now: an answer that is not kept is computed again. */
export function keepAnswers(
  path: string,
  kind: string,
  answers: readonly KeptAnswer[],
  patience: number = PATIENCE,
): void {
  try {
    const unlock = answers.length === 0 ? null : takeLock(path, patience)
    if (unlock === null) return
    try {
      const index = openIndex(path, { busyTimeout: patience })
      try {
        index.begin()
        for (const answer of answers) index.keepAnswer(kind, answer)
        index.commit()
      } finally {
        index.close()
      }
    } finally {
      unlock()
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** Answers are kept after so many bytes: an interruption loses at most that much work. */
const BATCH = 256 * 1024 * 1024

/** Parts in batches of some size. */
function batchesOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const batches: Part[][] = []
  let room = 0
  for (const part of parts) {
    if (room <= 0) {
      batches.push([])
      room = BATCH
    }
    batches.at(-1)?.push(part)
    room -= part.project.files.reduce((sum, { bytes }) => sum + bytes, 0)
  }
  return batches
}
