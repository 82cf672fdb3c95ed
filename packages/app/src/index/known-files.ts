/**
 * I16: what a command about one session reads is what the session is linked with. The index knows that, where it is up to date
 * with the roots; a little that is new is read into it first. Everywhere else the whole project is read.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { groupBy } from '@dagline/core/model'
import {
  bytesBehind,
  type FoundFile,
  type FoundRoot,
  type IndexStore,
  isWithin,
  openIndex,
  type Project,
  StoreError,
} from '@dagline/store'
import { findRoots, type ProjectLocation, rootsOf } from '../files/projects.js'
import { type Host, type KnownFiles, silentHost } from '../host/host.js'
import { openArchiveIfAny, presentRoots } from './archive.js'
import { type Grouping, groupingOf, groupOf, isReadable, unlessDamaged } from './grouping.js'
import { type Indexed, openIndexed, orNote } from './open.js'
import { usualIndex } from './path.js'

/** Bytes that are read into the index at most: reading a project costs less than indexing more. */
const MOST_BEHIND = 16 * 1024 * 1024

/** Does some work with what the index knows of the files as they are now. `words` are what the user typed. */
export async function withKnownFiles<T>(
  host: Host,
  { index, words }: { readonly index: string | null; readonly words: readonly string[] },
  work: (host: Host) => T | Promise<T>,
): Promise<T> {
  // What lies elsewhere has nothing to do with the roots, which may not even be readable.
  if (words.some(word => isElsewhere(word, host))) return await work(host)
  const found = findRoots([], host)
  const current = await openCurrent(host, index ?? usualIndex(), found)
  try {
    return await work({ ...host, known: knownFiles(found, current?.index ?? null) })
  } finally {
    current?.close()
  }
}

function isElsewhere(word: string, host: Host): boolean {
  if (!existsSync(word)) return false
  const path = resolve(word)
  return !rootsOf(host.roots).some(root => path !== resolve(root) && isWithin(path, resolve(root)))
}

/** The index, where it says what is on disk; null where it does not, and it would take long until it did. */
async function openCurrent(
  host: Host,
  path: string,
  found: readonly FoundRoot[],
): Promise<Pick<Indexed, 'index' | 'close'> | null> {
  if (!existsSync(path)) return null
  const { index, behind } = openBehind(path, found)
  if (behind === 0 && index !== null) return { index, close: index.close }
  index?.close()
  if (behind > MOST_BEHIND) return null
  // Where this fails the project is read, and whatever is wrong with its files is noted then.
  const silent = { ...silentHost(host.roots), progress: host.progress }
  const indexed = await orNote(silent, openIndexed(silent, { index: path, found }))
  if (indexed?.isCurrent === true) return indexed
  indexed?.close()
  return null
}

interface OpenedBehind {
  readonly index: IndexStore | null
  /** Bytes that it lags behind. */
  readonly behind: number
}

/** Opens an index, and says how far it lags behind. Nothing is written, and no lock is taken. */
function openBehind(path: string, found: readonly FoundRoot[]): OpenedBehind {
  const archive = openArchiveIfAny()
  let index: IndexStore | null = null
  try {
    const opened = openIndex(path, { readOnly: true })
    index = opened
    // Where a root was never read, that is left to the commands that need an index.
    const lag = presentRoots(found, archive).map(({ root, files }) =>
      opened.findRoot(root) === null ? Number.POSITIVE_INFINITY : bytesBehind(opened, root, files),
    )
    return { index, behind: lag.reduce((sum, bytes) => sum + bytes, 0) }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { index, behind: Number.POSITIVE_INFINITY }
  } finally {
    archive?.close()
  }
}

function knownFiles(found: readonly FoundRoot[], index: IndexStore | null): KnownFiles {
  if (index === null) return { found, linkedPart: () => null, locate: () => null }
  const groupings = new Map<string, Grouping | null>()
  const groupingAt = (root: string): Grouping | null => {
    const known = groupings.get(root) ?? unlessDamaged(() => groupingOf(index, root), null)
    groupings.set(root, known)
    return known
  }
  const parts = new WeakMap<Project, Parts | null>()
  return {
    found,
    linkedPart: ({ root, project }, path) => {
      const known = parts.get(project) ?? partsOf({ root, project }, groupingAt(root))
      parts.set(project, known)
      return known?.get(path) ?? null
    },
    locate: (what, start, most) => unlessDamaged(() => locateIn(index, found, { what, start, most }), null),
  }
}

/** The files with an id, below the roots. */
function locateIn(
  index: IndexStore,
  found: readonly FoundRoot[],
  { what, start, most }: { readonly what: 'uuid' | 'session'; readonly start: string; readonly most: number },
): ReturnType<KnownFiles['locate']> {
  const roots = new Map(found.map(({ root }) => [index.findRoot(root), root]))
  const hits = index.locate(what, start, most)
  if (hits.length >= most) return null
  return hits.flatMap(({ id, root, path, isArchived }) => {
    const folder = roots.get(root)
    return folder === undefined || isArchived ? [] : [{ id, root: folder, path }]
  })
}

/** The part of a project that each of its files is in. */
type Parts = ReadonlyMap<string, ProjectLocation>

/** The parts of a project; null where the index does not know all of its files, or one cannot be read (P11). */
function partsOf(location: ProjectLocation, grouping: Grouping | null): Parts | null {
  const { root, project } = location
  if (grouping === null || project.unread.length > 0 || !isReadable(location)) return null
  const isKnown = ({ path }: FoundFile): boolean =>
    groupOf(grouping, path) !== null && grouping.files.get(path)?.isRead === true
  if (!project.files.every(isKnown)) return null
  const groups = groupBy(project.files, ({ path }) => groupOf(grouping, path))
  return new Map(
    [...groups.values()].flatMap(files => {
      const part = { root, project: { ...project, files } }
      return files.map(({ path }) => [path, part] as const)
    }),
  )
}
