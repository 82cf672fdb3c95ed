/** Projects and sessions under examination: what the doctor needs is gathered while they are read, once. */

import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { FileId } from '@dagline/core'
import { textsOf } from '@dagline/core/content'
import { type ExamOptions, examine, type SessionHealth, withDiskFaults } from '@dagline/core/faults'
import type { Json, TranscriptRecord } from '@dagline/core/parse'
import { findSecrets } from '@dagline/core/redact'
import {
  type DiskFacts,
  NEWEST_VERSION,
  type SpilledOutput,
  type Survey,
  type Surveyor,
  startSurvey,
} from '@dagline/core/resume'
import { type FoundFile, isReadFailure, sweepDays } from '@dagline/store'
import { findProjectsOrNote, type ProjectLocation, projectName } from '../files/projects.js'
import { askParts } from '../graphs/answers.js'
import { type LoadedProject, loadProject, type Meter, type SeeInFile } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { openArchiveIfAny } from '../index/archive.js'
import type { IndexOptions } from '../index/open.js'
import { type ProjectScope, scopeOf } from '../locate/project.js'
import { sessionWordOf } from '../locate/ref.js'
import { openPartsIn } from '../locate/scope-parts.js'
import { agentsAlone, isOfSession, openSession, refuseUnreadFile, sortWords } from '../locate/session.js'
import { newPlacesOf } from './new-place.js'

/** A session's health, and the project it is listed under. */
export interface Examined extends SessionHealth {
  readonly project: string
}

/** What a session's own file says of its health, and what the disk is to be asked for. */
interface FileHealth extends SessionHealth {
  /** Folders that it worked in. */
  readonly folders: readonly string[]
  /** Outputs that were written to files of their own. */
  readonly spilled: readonly SpilledOutput[]
}

/** Reads a project and examines its sessions, without what only the disk shows. */
export function examineProject(location: ProjectLocation, meter?: Meter): readonly FileHealth[] {
  const gathering = startGathering()
  return healthOf(loadProject(location, meter, { see: gathering.see }), gathering)
}

/** Finds a session, reads its project and examines the session's own file. Refuses where it was not read whole. */
function examineSession(word: string, host: Host): readonly Examined[] {
  const { loaded, found } = examineFilesOf(word, host)
  return withDisk(loaded, found)
}

/** HU56: the same for a session of a hub whose files were fetched, without what only the disk of its machine shows. */
export function examineFetched(word: string, host: Host): readonly Examined[] {
  const { loaded, found } = examineFilesOf(word, host, true)
  return withoutDisk(found, file => projectName(loaded.project, file))
}

interface ExaminedFiles {
  readonly loaded: LoadedProject
  readonly found: readonly FileHealth[]
}

function examineFilesOf(word: string, host: Host, isPushed = false): ExaminedFiles {
  const gathering = startGathering()
  const { loaded, session, file } = openSession(sessionWordOf(word, host), host, { see: gathering.see })
  refuseUnreadFile(loaded, path => path === file?.facts.path || isOfSession(path, session.id), word)
  const examined = (only: (path: string) => boolean): ExaminedFiles => ({
    loaded,
    found: healthOf(loaded, gathering, { only, isPushed }),
  })
  if (file?.facts.kind === 'session') return examined(path => path === file.facts.path)
  const own = session.files.filter(({ facts }) => facts.kind === 'session').map(({ facts }) => facts.path)
  if (own.length === 0) throw new UserError(agentsAlone(loaded.graph, session))
  const named = own.filter(path => basename(path) === `${session.id}.jsonl`)
  const paths = new Set<string>(named.length > 0 ? named : own)
  return examined(path => paths.has(path))
}

/** What an examination needs beside the graph, gathered while files are read. */
interface Gathering {
  readonly see: SeeInFile
  readonly files: ReadonlyMap<string, Surveyor>
}

/** Nothing is gathered yet. */
export function startGathering(): Gathering {
  const files = new Map<string, Surveyor>()
  return {
    files,
    see: (json, record, file, damaged) => {
      if (file.kind !== 'session') return
      const surveyor = files.get(file.path) ?? startSurvey()
      files.set(file.path, surveyor)
      surveyor.see(json, record, damaged)
      lookForSecrets(json, record, surveyor)
    },
  }
}

function lookForSecrets(json: Json, record: TranscriptRecord, surveyor: Surveyor): void {
  for (const { text } of textsOf(json, record))
    for (const { kind } of findSecrets(text)) surveyor.secret({ kind, row: record.source.row })
}

/** Examines what was read, without what only the disk shows. */
export function healthOf(
  { graph, found }: Pick<LoadedProject, 'graph' | 'found'>,
  { files }: Gathering,
  { only, isPushed = false }: Pick<ExamOptions, 'only' | 'isPushed'> = {},
): readonly FileHealth[] {
  const surveys = new Map([...files].map(([path, surveyor]): [string, Survey] => [path, surveyor.survey()]))
  // A file that was not read whole cannot be called healthy.
  const unread = new Set<string>(found.filter(isReadFailure).map(({ file }) => file))
  const isMeant = (path: FileId): boolean => !unread.has(path) && (only?.(path) ?? true)
  return examine(graph, { surveys, found, only: isMeant, isPushed }).map(health => {
    const { folders = [], spilled = [] } = surveys.get(health.file) ?? {}
    return { ...health, folders: [...folders], spilled }
  })
}

/** HU56: as it is, where the disk of the machine cannot be asked. */
export function withoutDisk(
  all: readonly FileHealth[],
  projectOf: (file: string) => string,
): readonly Examined[] {
  return all.map(({ folders: _, spilled: __, ...health }) => ({ ...health, project: projectOf(health.file) }))
}

/** Adds what only the disk shows, in the order of files. */
function withDisk(location: ProjectLocation, all: readonly FileHealth[]): readonly Examined[] {
  const { project } = location
  const byPath = new Map<string, FileHealth>(all.map(health => [health.file, health]))
  const diskOf = diskFacts(location, Date.now())
  return project.files.flatMap(file => {
    const known = byPath.get(file.path)
    if (known === undefined) return []
    const { folders, spilled, ...health } = known
    const survey = { folders: new Set(folders), spilled, disk: diskOf(file) }
    return [{ ...withDiskFaults(health, survey), project: projectName(project, health.file) }]
  })
}

const DAY = 24 * 60 * 60 * 1000

/** What the disk says of each file of a project. */
function diskFacts({ root, project }: ProjectLocation, now: number): (file: FoundFile) => DiskFacts {
  const days = sweepDays(root)
  const hasFolder = memoized(existsSync)
  const places = memoized(newPlacesOf)
  const outputs = new Set(project.toolResults.map(({ path }) => basename(path)))
  return ({ path, mtime, session }) => ({
    folder: folderOf(root, path),
    hasFolder,
    newPlacesOf: places,
    isInArchive: () => session !== null && hasArchived(root, session),
    daysLeft: days === null ? null : (mtime + days * DAY - now) / DAY,
    hasOutput: output => outputs.has(output.split(/[/\\]/).at(-1) ?? '') || existsSync(output),
  })
}

/** Sessions of a project have worked in the same folders. */
function memoized<T>(ask: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>()
  return path => {
    if (!known.has(path)) known.set(path, ask(path))
    return known.get(path) ?? ask(path)
  }
}

/** D11: whether the archive has a file of a session that is not on disk. */
function hasArchived(root: string, session: string): boolean {
  const archive = openArchiveIfAny()
  if (archive === null) return false
  try {
    const real = realpathSync(root)
    return archive
      .list()
      .some(file => file.session === session && file.root === real && !existsSync(join(real, file.path)))
  } finally {
    archive.close()
  }
}

/** The folder that a transcript lies in, where its name is the code of a path. */
function folderOf(root: string, path: string): string | null {
  const folder = dirname(resolve(root, path))
  return /^(-|[A-Za-z]--)/.test(basename(folder)) ? folder : null
}

/** Examines what a path names: a session by id or path, a project, a root; everything, with the index, without any. */
export async function examineAt(
  path: string | null,
  host: Host,
  options: IndexOptions,
): Promise<readonly Examined[]> {
  const { scope, folders, sessions } = sortWords(path === null ? [] : [path], host)
  const [[folder], [session]] = [folders, sessions]
  if (session !== undefined) return examineSession(session, host)
  const projects =
    folder === undefined
      ? await examineRoots(host, options, scope ?? scopeOf(null, host))
      : await examineFolder(folder, host)
  const found = projects.flat()
  if (projects.length > 0 && found.length === 0)
    host.note('It has no session that can be resumed. Run `dagline ls --all` to list what there is.')
  return found
}

type ExaminedProjects = readonly (readonly Examined[])[]

async function examineFolder(path: string, host: Host): Promise<ExaminedProjects> {
  const locations = findProjectsOrNote([path], host)
  const results = await runOnProjects('examineProject', examineProject, locations, host)
  return locations.map((location, at) => withDisk(location, results[at] ?? []))
}

/** Examines every session of the roots: only what changed since the last time is read. */
export async function examineRoots(
  host: Host,
  options: IndexOptions,
  scope: ProjectScope | null = null,
): Promise<ExaminedProjects> {
  const opened = await openPartsIn(scope, host, options)
  try {
    const question = { name: 'examineProject', read: examineProject, basis: NEWEST_VERSION } as const
    const results = await askParts(question, opened, host)
    return opened.projects.map(({ location }, at) => withDisk(location, (results[at] ?? []).flat()))
  } finally {
    opened.close()
  }
}
