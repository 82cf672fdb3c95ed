/** K10: sessions that exist in the archive only, and what a reader needs to read them as if they were on disk. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { agentId, type SessionId } from '@dagline/core'
import { groupBy } from '@dagline/core/model'
import type { FoundFile, FoundRoot, Project, Sidecar } from '../files/discover.js'
import { type Placement, placer } from '../files/layout.js'
import { agentMeta, fieldsOf, runRecord, runRecordPath, textIn, truthIn } from '../files/sidecars.js'
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
  const present = new Set(roots.flatMap(({ projects }) => projects.flatMap(transcriptsOf)))
  return sessionsIn(archive.list()).filter(
    ({ session, file }) =>
      !present.has(session) &&
      folders.some(folder => isWithin(placeOf(file), folder)) &&
      !existsSync(placeOf(file)),
  )
}

function transcriptsOf({ files }: Project): SessionId[] {
  return files.flatMap(({ kind, session }) => (kind === 'session' && session !== null ? [session] : []))
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
    projects: projectsOf(archive, root, files),
    diagnostics: [],
  }))
}

type OpenProject = {
  -readonly [Key in keyof Project]: Project[Key] extends readonly (infer Item)[] ? Item[] : Project[Key]
}

function projectsOf(archive: Archive, root: string, files: readonly ArchivedFile[]): Project[] {
  const paths = new Map<string, ArchivedFile>(files.map(file => [file.path, file]))
  const place = placer(new Set(paths.keys()))
  const projects = new Map<string, OpenProject>()
  for (const file of files) {
    const placed = place(file.path)
    const project = projects.get(placed.project) ?? emptyProject(root, placed.project)
    projects.set(placed.project, project)
    addFile(project, file, placed, name => fieldsIn(archive, paths.get(name)))
  }
  return [...projects.values()]
}

function emptyProject(root: string, path: string): OpenProject {
  const name = basename(path === '' ? root : path)
  return { name, path, files: [], titles: [], archived: [], toolResults: [], sidecars: [], unread: [] }
}

type Look = (path: string) => ReturnType<typeof fieldsOf>

function addFile(project: OpenProject, file: ArchivedFile, placed: Placement, look: Look): void {
  const kind = FILE_KINDS.find(each => each === file.kind)
  const sidecarKind = SIDECAR_KINDS.find(each => each === file.kind)
  if (kind !== undefined) project.files.push(foundFile(file, kind, placed, look))
  if (sidecarKind !== undefined) addSidecar(project, sidecarOf(file, sidecarKind, placed), look)
}

const FILE_KINDS: readonly FoundFile['kind'][] = ['session', 'agent', 'journal', 'other']
const SIDECAR_KINDS: readonly Sidecar['kind'][] = ['meta', 'title', 'archived', 'tool-result', 'run', 'extra']

function sidecarOf(
  { path, session, bytes }: ArchivedFile,
  kind: Sidecar['kind'],
  { run }: Placement,
): Sidecar {
  return { path, kind, session, run, bytes }
}

function addSidecar(project: OpenProject, sidecar: Sidecar, look: Look): void {
  const { path, kind, session } = sidecar
  if (kind === 'tool-result') project.toolResults.push(sidecar)
  else project.sidecars.push(sidecar)
  if (session === null || (kind !== 'title' && kind !== 'archived')) return
  const fields = look(path)
  if (fields === null) return
  const title = textIn(fields, 'customTitle')
  if (kind === 'title' && title !== null) project.titles.push({ session, title })
  if (kind === 'archived' && truthIn(fields, 'archived') === true) project.archived.push(session)
}

function foundFile(file: ArchivedFile, kind: FoundFile['kind'], placed: Placement, look: Look): FoundFile {
  const { path, bytes, mtime } = file
  const meta = kind === 'agent' ? look(path.replace(/\.jsonl$/, '.meta.json')) : null
  const record = kind === 'journal' ? look(runRecordPath(path)) : null
  return {
    path,
    kind,
    session: kind === 'agent' && placed.session === null ? null : file.session,
    agent: placed.agent === null ? null : agentId(placed.agent),
    run: placed.run,
    meta: meta === null ? null : agentMeta(meta),
    ...(kind === 'journal' ? { runRecord: record === null ? null : runRecord(record) } : {}),
    bytes,
    mtime,
  }
}

/** A larger file is not a sidecar. */
const LARGEST = 1024 * 1024

function fieldsIn(archive: Archive, file: ArchivedFile | undefined): ReturnType<typeof fieldsOf> {
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
