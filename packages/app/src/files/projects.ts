/** From the words of the command line to folders with transcripts. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isWindowsPath } from '@dagline/core/platform'
import {
  defaultRoots,
  discover,
  type FoundRoot,
  isReadFailure,
  joinMoved,
  lookInto,
  type Project,
} from '@dagline/store'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { noTranscripts } from '../text/nothing.js'
import { noteUnreadRoots } from './unread.js'

/** A project and the root it was found under. */
export interface ProjectLocation {
  readonly root: string
  readonly project: Project
}

/** Everything under the given paths, or under the roots where none is given. */
export function findRoots(paths: readonly string[], host: Host): readonly FoundRoot[] {
  const { known, look } = host
  if (paths.length === 0 && known !== undefined) return known.found
  if (paths.length > 0 || look === undefined) return lookBelow(paths, host)
  look.found ??= lookBelow(paths, host)
  return look.found
}

function lookBelow(paths: readonly string[], host: Host): readonly FoundRoot[] {
  const roots = discover(existing(paths, host))
  noteUnreadRoots(host, roots)
  // What was asked for by name is not there to be shown.
  if (roots.some(({ diagnostics }) => diagnostics.some(each => each.file === '' && isReadFailure(each))))
    host.fail()
  return roots
}

/** The given paths, or the roots where none is given. Throws `UserError` where one that was named does not exist. */
function existing(paths: readonly string[], host: Host): readonly string[] {
  for (const path of [...paths, ...host.roots]) {
    if (kindAt(path) === 'nothing') {
      throw new UserError(`${path} does not exist. Give a transcript, a project folder or a projects root.`)
    }
  }
  return paths.length > 0 ? paths : rootsOf(host.roots)
}

/** The roots of some paths, or all of them, and whether there is anything below them: a quick look where there is. */
export function peekRoots(
  paths: readonly string[],
  host: Host,
): { readonly roots: readonly string[]; readonly isEmpty: boolean } {
  const seen = lookInto(existing(paths, host))
  if (seen.some(({ hasTranscripts }) => hasTranscripts))
    return { roots: seen.map(({ root }) => root), isEmpty: false }
  const found = findRoots(paths, host)
  return {
    roots: found.map(({ root }) => root),
    isEmpty: found.every(({ projects }) => projects.length === 0),
  }
}

/** Whether a word is the path of a folder. */
export function isFolder(word: string): boolean {
  return kindAt(word) === 'folder'
}

/** What stands at a path. Something that may not be looked at is there, and reading it says why it cannot be read. */
export function kindAt(path: string): 'file' | 'folder' | 'other' | 'nothing' {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    return code === 'EACCES' || code === 'EPERM' || code === 'EIO' || code === 'ELOOP' ? 'other' : 'nothing'
  }
}

/** The projects roots: those of `--root`, else the default ones that exist. */
export function rootsOf(given: readonly string[]): readonly string[] {
  return given.length > 0 ? given : defaultRoots().filter(root => existsSync(root))
}

/** All projects of the roots; those that hold files of the same session are one project. */
export function projectLocations(roots: readonly FoundRoot[]): readonly ProjectLocation[] {
  return roots.flatMap(locationsIn)
}

/** Joining reads the starts of some files: once for each look at a root. */
const joined = new WeakMap<FoundRoot, readonly ProjectLocation[]>()

function locationsIn(found: FoundRoot): readonly ProjectLocation[] {
  const known = joined.get(found) ?? joinMoved(found).map(project => ({ root: found.root, project }))
  joined.set(found, known)
  return known
}

/** All projects below the given paths, or of the roots where none is given. */
export function findProjects(paths: readonly string[], host: Host): readonly ProjectLocation[] {
  return projectLocations(findRoots(paths, host))
}

/** The same for an answer about all of them: where there are none, that is noted with what to try. */
export function findProjectsOrNote(paths: readonly string[], host: Host): readonly ProjectLocation[] {
  const found = findProjects(paths, host)
  if (found.length === 0) host.note(nothingFound(paths, host))
  return found
}

/** Where sessions are looked for, whether it exists or not; nowhere for pushed files. */
export function lookedIn(paths: readonly string[], { roots, pushed }: Host): readonly string[] {
  if (pushed !== undefined) return []
  if (paths.length > 0) return paths.map(path => (isWindowsPath(path) ? path : resolve(path)))
  return roots.length > 0 ? roots : defaultRoots()
}

/** Where nothing was found: what to try. */
export function nothingFound(paths: readonly string[], host: Host): string {
  return noTranscripts(lookedIn(paths, host))
}

/** The projects below some paths, or of the roots. */
export function listProjects(paths: readonly string[], host: Host): readonly ProjectInfo[] {
  return findProjects(paths, host).map(({ root, project }) => ({
    name: projectName(project),
    root,
    files: project.files.length,
    bytes: project.files.reduce((sum, file) => sum + file.bytes, 0),
  }))
}

/** A folder with transcripts. */
export interface ProjectInfo {
  /** Its folder below the root. */
  readonly name: string
  readonly root: string
  readonly files: number
  readonly bytes: number
}

/** What a project is called in output: its folder below the root. A session's is the folder of its own file. */
export function projectName({ path, name }: Project, file: string | null = null): string {
  const folder = file === null ? path : file.replace(/(?:^|\/)[^/]+\/subagents\/.*$|(?:^|\/)[^/]*$/, '')
  return folder === '' ? (path === '' ? name : path) : folder
}

/** Roots with sessions to show. */
export interface ShownRoots {
  readonly roots: readonly string[]
  /** They are the bundled samples: there is nothing else. */
  readonly isSample: boolean
}

/** The roots that have projects; the bundled samples where none has. */
export function shownRoots(host: Host): ShownRoots {
  const own = findRoots([], host).filter(({ projects }) => projects.length > 0)
  const samples = own.length > 0 ? null : samplesRoot()
  return { roots: samples === null ? own.map(({ root }) => root) : [samples], isSample: samples !== null }
}

/** The samples that come with dagline, in the package or in a checkout; null where there are none. */
export function samplesRoot(): string | null {
  const paths = [
    '../samples/projects',
    '../../../fixtures/samples/projects',
    '../../../../fixtures/samples/projects',
  ]
  return paths.map(path => fileURLToPath(new URL(path, import.meta.url))).find(existsSync) ?? null
}
