/** All files below a folder, links followed with care. */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Diagnostic } from '@dagline/core'
import { isWithinPath } from '@dagline/core/platform'
import { failureOf, notice, unreadable } from './failures.js'

/** Edits write files and folders under these names first; what a killed one has left is not read. */
const TEMPORARY = /^\..*\.dagline-\d+$|^\.dagline-.*\.part$|\.dagline-(?:undo|mv)$/s

/** What lies below a folder. */
export interface Listing {
  /** Paths of files, relative to the root, with `/`; in no special order. */
  readonly paths: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Folders that never hold transcripts and may hold very many files. */
const PASSED_OVER = new Set(['node_modules', '.git'])

/**
 * Lists all files below `root`, or below its folder `start`. A link to a folder outside is followed once; one to a
 * folder inside is not, since that is listed at its own place. Whatever cannot be read becomes a diagnostic.
 */
export function listBelow(root: string, start = ''): Listing {
  const walk = startWalk(root, start)
  while (walk.open.length > 0) listNext(walk)
  return walk
}

/** Whether there is a file below a root whose path passes a test: no folder is listed after it. */
export function isAnyBelow(root: string, isWanted: (path: string) => boolean): boolean {
  const walk = startWalk(root, '')
  while (walk.open.length > 0) {
    listNext(walk)
    if (walk.paths.splice(0).some(isWanted)) return true
  }
  return false
}

function startWalk(root: string, start: string): Walk {
  return {
    root,
    prefix: root.endsWith(sep) ? root : root + sep,
    top: join(root, start),
    open: [start],
    followed: new Set(),
    paths: [],
    diagnostics: [],
  }
}

/** Lists one folder that is still to be listed. */
function listNext(walk: Walk): void {
  const folder = walk.open.pop() ?? ''
  for (const item of itemsOf(walk, folder))
    if (!TEMPORARY.test(item.name)) addItem(walk, folder === '' ? item.name : `${folder}/${item.name}`, item)
}

/** Whether `path` is `folder` or lies below it; both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  return isWithinPath(path, folder, process.platform)
}

/** Whether there is a folder, or a link to one. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

interface Walk extends Listing {
  readonly root: string
  /** What stands before a path. */
  readonly prefix: string
  readonly top: string
  /** Folders that are still to be listed. */
  readonly open: string[]
  /** Real paths of the folders that links led to. */
  readonly followed: Set<string>
  readonly paths: string[]
  readonly diagnostics: Diagnostic[]
}

function itemsOf(walk: Walk, folder: string): Dirent[] {
  try {
    // Joining paths properly takes as long as listing the folder.
    const path = folder === '' ? walk.root : walk.prefix + folder
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    walk.diagnostics.push(failureOf(error, folder, 'folder'))
    return []
  }
}

function addItem(walk: Walk, path: string, item: Dirent | Stats): void {
  if (item.isFile()) walk.paths.push(path)
  else if (item.isDirectory()) {
    if (!PASSED_OVER.has(path.slice(path.lastIndexOf('/') + 1))) walk.open.push(path)
  } else if (item.isSymbolicLink()) followLink(walk, path)
  else walk.diagnostics.push(unreadable(path, 'It is neither a file nor a folder.'))
}

function followLink(walk: Walk, path: string): void {
  try {
    const target = realpathSync(join(walk.root, path))
    const stats = statSync(target)
    if (!stats.isDirectory() || isNew(walk, target)) addItem(walk, path, stats)
    else walk.diagnostics.push(notice('store/linked-twice', path, LINKED_TWICE))
  } catch (error) {
    walk.diagnostics.push(failureOf(error, path, 'link'))
  }
}

const LINKED_TWICE = 'The link leads to a folder that is read at another place; it was not followed.'

/** Not below the root, which is listed anyway; not above it, which would bring it in again; not followed before. */
function isNew(walk: Walk, target: string): boolean {
  const top = realpathSync(walk.top)
  const isKnown = isWithin(target, top) || isWithin(top, target)
  if (isKnown || [...walk.followed].some(folder => isWithin(target, folder))) return false
  walk.followed.add(target)
  return true
}
