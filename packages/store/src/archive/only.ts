/** K10: sessions that exist in the archive only, and what a reader needs to read them as if they were on disk. */
import { existsSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { SessionId } from '@dagline/core'
import { fieldsOf, placer } from '@dagline/core/files'
import { groupBy } from '@dagline/core/model'
import { addItem, emptyProject, type FoundRoot, type OpenProject, type Project } from '../files/discover.js'
import { isWithin } from '../files/walk.js'
import type { Archive, ArchivedFile } from './archive.js'

/** A session whose transcript is no longer on disk. */
export interface ArchivedSession {
  readonly session: SessionId
  /** Absolute path of the folder it was found under. */
  readonly root: string
  /** Its transcript, or the first of its files where there was none. */
  readonly file: ArchivedFile
  /** All that is kept of it: transcript, agents, sidecars. */
  readonly files: readonly ArchivedFile[]
  readonly bytes: number
}

/**
 * The archived sessions that were found below the given roots and have no transcript on disk any more, wherever it
 * may have moved to below these roots. Costs one `stat` for each archived session that the roots do not list.
 */
export function archivedOnly(archive: Archive, roots: readonly FoundRoot[]): readonly ArchivedSession[] {
  const folders = roots.map(({ root }) => realRoot(root))
  const files = roots.flatMap(({ projects }) => projects.flatMap(project => project.files))
  const present = new Set(files.flatMap(({ kind, session }) => (kind === 'session' ? (session ?? []) : [])))
  return sessionsIn(archive.list()).filter(
    ({ session, file }) =>
      !present.has(session) &&
      folders.some(folder => isWithin(placeOf(file), folder)) &&
      !existsSync(placeOf(file)),
  )
}

/** Archived files by session and root, in the order of the list. */
function sessionsIn(files: readonly ArchivedFile[]): readonly ArchivedSession[] {
  const owned = files.filter(({ session }) => session !== null)
  const groups = groupBy(owned, ({ session, root }) => `${session} ${root}`)
  return [...groups.values()].flatMap(group => {
    const file = group.find(({ kind }) => kind === 'session') ?? group[0]
    if (file === undefined || file.session === null) return []
    const bytes = group.reduce((sum, each) => sum + each.bytes, 0)
    return [{ session: file.session, root: file.root, file, files: group, bytes }]
  })
}

/** Where an archived file was on disk. */
function placeOf({ root, path }: Pick<ArchivedFile, 'root' | 'path'>): string {
  return join(root, ...path.split('/'))
}

/**
 * Archived sessions in the form in which discovery gives those on disk, so that the same code reads both;
 * `archive.read` gives the bytes of a path instead of the file system. Reads the small sidecars.
 */
export function archivedRoots(archive: Archive, sessions: readonly ArchivedSession[]): readonly FoundRoot[] {
  const byRoot = groupBy(
    sessions.flatMap(({ files }) => files),
    ({ root }) => root,
  )
  return [...byRoot].map(([root, files]) => ({
    root,
    projects: archivedProjects(archive, root, files),
    diagnostics: [],
  }))
}

/** What gives the bytes of archived files. */
type ReadArchived = Pick<Archive, 'read'>

/** The projects of archived files of one root. Reads the small sidecars. */
export function archivedProjects(
  archive: ReadArchived,
  root: string,
  files: readonly ArchivedFile[],
): Project[] {
  const paths = new Map<string, ArchivedFile>(files.map(file => [file.path, file]))
  const place = placer(new Set(paths.keys()))
  const projects = new Map<string, OpenProject>()
  for (const file of files) {
    const placed = place(file.path)
    const project = projects.get(placed.project) ?? emptyProject(root, placed.project)
    projects.set(placed.project, project)
    const kind = KINDS.find(each => each === file.kind)
    if (kind === undefined) continue
    // The session of an agent beside transcripts is in its rows, and is read from there.
    const session = kind === 'agent' && placed.session === null ? null : file.session
    const item = { ...file, kind, session, agent: placed.agent, run: placed.run }
    addItem(project, item, name => fieldsIn(archive, paths.get(name)))
  }
  return [...projects.values()]
}

const KINDS: readonly Parameters<typeof addItem>[1]['kind'][] = [
  ...(['session', 'agent', 'journal', 'other'] as const),
  ...(['meta', 'title', 'archived', 'tool-result', 'run', 'extra'] as const),
]

/** A larger file is not a sidecar. */
const LARGEST = 1024 * 1024

function fieldsIn(archive: ReadArchived, file: ArchivedFile | undefined): ReturnType<typeof fieldsOf> {
  if (file === undefined || file.bytes > LARGEST) return null
  const source = archive.read(file)
  const bytes = Buffer.alloc(source.size)
  source.read(bytes, 0, bytes.length, 0)
  return fieldsOf(bytes.toString('utf8'))
}

/** A folder with its links resolved, so that a file has one path however it is reached. */
export function realRoot(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path
  }
}
