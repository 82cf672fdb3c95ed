/** The order of things, independent of the order in which files were read (G8). */

import { compareText } from '../model/group.js'
import type { Domain } from './domains.js'
import type { FileRecord, OpenFile } from './file-record.js'
import { fileOf } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** Files by path. */
export function filesInOrder(state: State): readonly OpenFile[] {
  state.filesByPath ??= sortFiles([...state.files])
  return state.filesByPath
}

function sortFiles(files: OpenFile[]): readonly OpenFile[] {
  return files.sort((a, b) => compareText(a.facts.path, b.facts.path))
}

/** By path, then by row: the order in which everything is listed. */
export function compareLocations(state: State, a: number, b: number): number {
  const [fileA, fileB] = [fileOf(state, a), fileOf(state, b)]
  return fileA === fileB ? a - b : compareText(fileA.facts.path, fileB.facts.path)
}

/** The files with these numbers, by path. */
export function filesAmong(state: State, indices: Iterable<number>): readonly OpenFile[] {
  const files: OpenFile[] = []
  for (const index of indices) {
    const file = state.files[index]
    if (file !== undefined) files.push(file)
  }
  return files.length === 1 ? files : sortFiles(files)
}

/** Which of two sightings was written first: by row within a file, by path between files. */
export function compareWritten(state: State, a: number, b: number): number {
  const { table } = state
  if (t.int(table.file, a) === t.int(table.file, b)) return t.int(table.row, a) - t.int(table.row, b) || a - b
  return compareFiles(fileOf(state, a), fileOf(state, b))
}

/**
 * G1: which of two files is the original. The one whose first dated row is older; copied entries keep their
 * times, so then the one without fork stamps, then the one in which something of its own happened first.
 */
export function compareFiles(a: OpenFile, b: OpenFile): number {
  return (
    compareTimes(a.firstTime, b.firstTime) ||
    Number(a.stamped) - Number(b.stamped) ||
    compareTimes(a.firstOwn, b.firstOwn) ||
    compareText(a.facts.path, b.facts.path)
  )
}

/** Times in order; unknown ones, null or NaN, last. */
export function compareTimes(a: number | null, b: number | null): number {
  if (a === null || Number.isNaN(a)) return b === null || Number.isNaN(b) ? 0 : 1
  return b === null || Number.isNaN(b) ? -1 : a - b
}

/** The earliest and the latest of some times; null where none is known. */
export interface TimeRange {
  first: number | null
  last: number | null
}

/** A range that no time was added to yet. */
export const emptyRange = (): TimeRange => ({ first: null, last: null })

/** Adds a time to a range; an unknown one, null or NaN, changes nothing. */
export function addTime(range: TimeRange, time: number | null): void {
  if (time === null || Number.isNaN(time)) return
  if (range.first === null || time < range.first) range.first = time
  if (range.last === null || time > range.last) range.last = time
}

/** The file that is a session's own: named by it; the original where there are several. */
export function homeAmong(files: readonly OpenFile[], session: string): OpenFile | null {
  let home: OpenFile | null = null
  for (const file of files) {
    if (file.facts.session !== session || file.facts.kind !== 'session') continue
    if (home === null || compareFiles(file, home) < 0) home = file
  }
  return home
}

/** The file whose end is the end of the conversation. */
export function mainFile(state: State, domain: Domain): OpenFile | null {
  const files = ownFiles(state, domain)
  return domain.kind === 'session' ? currentFile(state, files, domain.session) : lastWritten(state, files)
}

/**
 * The file in which a session goes on: of those that are named by it the one with the newest entry, since a session that
 * moves to another folder has two. Where none is named so, of the other transcripts, and last of subagents' files.
 */
export function currentFile<File extends FileRecord>(
  state: State,
  files: readonly File[],
  session: string,
): File | null {
  const transcripts = files.filter(({ facts }) => facts.kind === 'session')
  const named = transcripts.filter(({ facts }) => facts.session === session)
  const best = [named, transcripts, files].find(some => some.length > 0)
  return best === undefined ? null : lastWritten(state, best)
}

/** The last file of those with the newest last entry. */
function lastWritten<File extends FileRecord>(state: State, files: readonly File[]): File | null {
  let best: File | null = null
  for (const file of files) if (best === null || lastTime(state, file) >= lastTime(state, best)) best = file
  return best
}

/** A subagent's own files where it has some, else those that hold its entries. */
export function ownFiles(state: State, domain: Domain): readonly OpenFile[] {
  const all = filesAmong(state, domain.files)
  const own = domain.kind === 'agent' ? all.filter(({ facts }) => facts.kind === 'agent') : all
  return own.length === 0 ? all : own
}

function lastTime(state: State, file: FileRecord): number {
  const last = file.nodes.at(-1)
  const time = last === undefined ? Number.NaN : t.real(state.table.time, last)
  return Number.isNaN(time) ? 0 : time
}
