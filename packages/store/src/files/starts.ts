/** Which folders discovery looks into, and what it lists there. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Diagnostic } from '@dagline/core'
import { stemOf } from '@dagline/core/files'
import { failureOf, unreadable } from './failures.js'
import { isFolder, isWithin, type Listing, listBelow } from './walk.js'

/** A folder to look into: all of it, or some files of it with their session folders. */
export interface Start {
  readonly root: string
  /** The root with all links resolved. */
  readonly real: string
  /** Names of the files that were asked for; null for the whole folder. */
  readonly files: readonly string[] | null
  readonly diagnostics: readonly Diagnostic[]
}

/** One start for each path, less those that another one covers; files of one folder make one start. */
export function startsOf(paths: readonly string[]): Start[] {
  const given = paths.map(path => startOf(resolve(path)))
  const kept = given.filter((start, index) => !given.some((other, at) => covers(other, start, at < index)))
  const starts = new Map<string, Start>()
  for (const start of kept) {
    const key = start.files === null ? start.root : `${start.root}/`
    const before = starts.get(key)
    const files = before === undefined ? start.files : [...(before.files ?? []), ...(start.files ?? [])]
    starts.set(key, { ...start, files })
  }
  return [...starts.values()]
}

/** Lists what a start asks for. */
export function listStart(start: Start): Listing {
  if (start.files === null) return listBelow(start.root)
  const listings = start.files.map(name => listWithFolder(start.root, name))
  return {
    paths: [...new Set(listings.flatMap(listing => listing.paths))],
    diagnostics: listings.flatMap(listing => listing.diagnostics),
  }
}

/** A session file brings the folder of its name; an agent file brings what is known about it. */
function listWithFolder(root: string, name: string): Listing {
  const stem = stemOf(name)
  const meta = `${stem}.meta.json`
  const isPresent = { meta: thereAt(root, meta, 'file'), folder: thereAt(root, stem, 'folder') }
  const paths = isPresent.meta.isThere ? [name, meta] : [name]
  const hasFolder = stem !== name && isPresent.folder.isThere
  const below = hasFolder ? listBelow(root, stem) : { paths: [], diagnostics: [] }
  return {
    paths: [...paths, ...below.paths],
    diagnostics: [...isPresent.meta.diagnostics, ...isPresent.folder.diagnostics, ...below.diagnostics],
  }
}

/** Whether a file or folder is there. One that cannot be looked at is not simply absent: that is a diagnostic. */
function thereAt(
  root: string,
  path: string,
  what: 'file' | 'folder',
): { readonly isThere: boolean; readonly diagnostics: readonly Diagnostic[] } {
  try {
    const stats = statSync(join(root, path), { throwIfNoEntry: false })
    const isThere = what === 'file' ? stats?.isFile() === true : stats?.isDirectory() === true
    return { isThere, diagnostics: [] }
  } catch (error) {
    return { isThere: false, diagnostics: [failureOf(error, path, what)] }
  }
}

function startOf(path: string): Start {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return start(dirname(path), [basename(path)])
    if (stats.isDirectory()) return start(projectsRoot(path), null)
    return failed(path, unreadable('', 'The path is neither a file nor a folder.'))
  } catch (error) {
    return failed(path, failureOf(error, '', 'path'))
  }
}

function start(root: string, files: readonly string[] | null): Start {
  return { root, real: realpathSync(root), files, diagnostics: [] }
}

function failed(root: string, diagnostic: Diagnostic): Start {
  return { root, real: root, files: [], diagnostics: [diagnostic] }
}

/** Whether a whole folder holds all of another start; of two starts at the same folder the earlier does. */
function covers(folder: Start, other: Start, isEarlier: boolean): boolean {
  if (folder === other || folder.files !== null || other.diagnostics.length > 0) return false
  const isSame = other.files === null && other.real === folder.real
  return isSame ? isEarlier : isWithin(other.real, folder.real)
}

/** A configuration folder holds other rows too (`history.jsonl`); only its projects are transcripts. */
function projectsRoot(folder: string): string {
  const projects = join(folder, 'projects')
  return existsSync(join(folder, 'history.jsonl')) && isFolder(projects) ? projects : folder
}
