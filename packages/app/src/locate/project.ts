/**
 * U1: one resolver for projects: a path, the name of a folder below a projects root, a part of either, or `.` for the
 * project of the working directory.
 */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { projectFolder } from '@dagline/core/model'
import { isFolderOf, isSamePath, isWindowsPath } from '@dagline/core/platform'
import {
  archivedOnly,
  archivePath,
  type FoundRoot,
  failureOf,
  folderAtStart,
  isDiskError,
  type Project,
} from '@dagline/store'
import { findRoots, type ProjectLocation, projectName } from '../files/projects.js'
import { noteUnread } from '../files/unread.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { openArchiveIfAny } from '../index/archive.js'
import { repositoryOf } from './worktrees.js'

/** A project by the folders of its transcripts: those of several worktrees are one project. */
export interface ProjectScope {
  /** Names of folders below a projects root, as lists and the index have them. */
  readonly names: ReadonlySet<string>
  /** The paths of these folders, as far as they exist. */
  readonly folders: readonly string[]
  /** What it is called for people. */
  readonly title: string
}

/** A project that a word can mean. */
interface KnownProject {
  readonly name: string
  /** The folder with its transcripts; null where only the index or the archive knows it. */
  readonly folder: string | null
  /** Where the work was done; null where that is not known. */
  readonly cwd: string | null
}

/** A project that lists know: it may be in the archive only. */
interface ListedProject {
  readonly project: string
  readonly cwd?: string | null
}

/** How projects are looked up. */
interface ScopeOptions {
  /** What was found below the roots, where it is known already. */
  readonly roots?: readonly FoundRoot[]
  /** Projects beside those on disk. */
  readonly listed?: Iterable<ListedProject>
}

/** The projects that a word names, in one scope. Throws `UserError` where there are none. */
export function findScope(word: string, host: Host, options: ScopeOptions = {}): ProjectScope {
  const found = findProjectsNamed(word, host, options)
  const [first, ...others] = found
  if (first === undefined) throw noProject(word)
  return others.length === 0 ? first : joinScopes(word, found)
}

/** HU48: the same among pushed projects: a path is one of the machines where their work was done. */
export function pushedScope(word: string, listed: Iterable<ListedProject>): ProjectScope {
  const known = withListed([], listed)
  const found = [
    known.filter(({ cwd }) => cwd === word),
    ...testsFor(word).map(test => known.filter(test)),
  ].find(projects => projects.length > 0)
  if (found === undefined) throw noProject(word)
  return joinScopes(word, byName(found))
}

/** The one project that a word names. Throws `UserError` where there are none or several. */
export function findOneProject(word: string, host: Host, options: ScopeOptions = {}): ProjectScope {
  const found = findProjectsNamed(word, host, options)
  if (found.length < 2) return findScope(word, host, options)
  const some = found.slice(0, 4).map(({ title }) => title)
  const more = found.length > some.length ? ` and ${found.length - some.length} more` : ''
  throw new UserError(
    `${found.length} projects match ${word}: ${some.join(', ')}${more}. Give more of the name, or the whole path.`,
    'ambiguous',
  )
}

/** The project of the working directory; null where it has none, or where the host has no working directory. */
export function scopeHere(
  host: Host,
  { roots = findRoots([], host) }: ScopeOptions = {},
): ProjectScope | null {
  return host.here === null ? null : atPath(host.here, knownOn(roots, host))
}

/** The scope of an answer: the project that was named, else that of the working directory; null for everything. */
export function scopeOf(word: string | null, host: Host, options: ScopeOptions = {}): ProjectScope | null {
  if (host.pushed !== undefined) return word === null ? null : pushedScope(word, host.pushed.sessions())
  if (word !== null) return findScope(word, host, options)
  if (host.here === null) return null
  const { roots = findRoots([], host) } = options
  const scope = scopeHere(host, { roots })
  const isNarrower = roots.some(({ projects }) => projects.some(each => !scope?.names.has(projectName(each))))
  if (scope !== null && isNarrower) noteScope(host, scope)
  return scope
}

/** Names the project that was taken because nothing else was asked for. */
export function noteScope(host: Host, { title }: ProjectScope): void {
  host.note(`In ${title}; --everywhere for all projects.`)
}

/**
 * The project whose work was done at a path, or whose transcripts lie there; null for any other path. Only `.` may lie
 * below it: other folders can hold transcripts themselves.
 */
export function scopeAt(
  path: string,
  host: Host,
  { roots = findRoots([], host) }: ScopeOptions = {},
): ProjectScope | null {
  return atPath(absolute(path), knownOn(roots, host), path === '.' ? 'or-above' : 'only-there')
}

/** O5: a path of Windows is absolute on every system. */
function absolute(path: string): string {
  return isWindowsPath(path) ? path : resolve(path)
}

/** Whether a project has transcripts in a scope: folders that share a session are read as one project. */
export function isInScope({ project }: ProjectLocation, { names }: ProjectScope): boolean {
  return (
    names.has(projectName(project)) || project.files.some(({ path }) => names.has(projectName(project, path)))
  )
}

function noProject(word: string): UserError {
  return new UserError(`No project matches ${word || '""'}. Run \`dagline ls --everywhere\` to list them.`)
}

/** One scope for each project; exact names win over parts. */
function findProjectsNamed(word: string, host: Host, options: ScopeOptions): readonly ProjectScope[] {
  const { roots = findRoots([], host), listed = [] } = options
  const onDisk = withListed(knownOn(roots, host), listed)
  const found = amongKnown(word, onDisk)
  return found.length > 0 ? found : amongKnown(word, withListed(onDisk, archivedProjects(host, roots)))
}

function amongKnown(word: string, known: readonly KnownProject[]): readonly ProjectScope[] {
  const isPath = /^(?:~|\.{1,2}$)|[/\\]/.test(word)
  const there = isPath ? atPath(absolute(word.replace(/^~(?=$|[/\\])/, homedir())), known) : null
  if (there !== null) return [there]
  for (const test of testsFor(word)) {
    const found = known.filter(test)
    if (found.length > 0) return byName(found)
  }
  return []
}

/** What a project is called, the closest first. */
function testsFor(word: string): readonly ((project: KnownProject) => boolean)[] {
  const part = word.toLowerCase()
  return [
    ({ name }) => name === word,
    ({ cwd }) => cwd !== null && basename(cwd) === word,
    ({ name, cwd }) => part !== '' && (has(name, part) || has(cwd ?? '', part)),
  ]
}

function has(text: string, part: string): boolean {
  return text.toLowerCase().includes(part)
}

/** Folders of one name in several roots are one project. */
function byName(projects: readonly KnownProject[]): readonly ProjectScope[] {
  const names = new Set(projects.map(({ name }) => name))
  return [...names].map(name => scopeFrom(projects.filter(project => project.name === name)))
}

function scopeFrom(projects: readonly KnownProject[]): ProjectScope {
  return {
    names: new Set(projects.map(({ name }) => name)),
    folders: projects.flatMap(({ folder }) => folder ?? []),
    title: projects.find(({ cwd }) => cwd !== null)?.cwd ?? projects[0]?.name ?? '',
  }
}

/** Several projects as one scope. */
export function joinScopes(title: string, scopes: readonly ProjectScope[]): ProjectScope {
  const names = new Set(scopes.flatMap(scope => [...scope.names]))
  return { names, folders: scopes.flatMap(({ folders }) => folders), title }
}

/** The nearest project at or above a path, with the same folder of all worktrees of its repository. */
function atPath(
  path: string,
  known: readonly KnownProject[],
  where: 'or-above' | 'only-there' = 'or-above',
): ProjectScope | null {
  const own = known.filter(({ folder }) => folder !== null && isSamePath(folder, path, process.platform))
  if (own.length > 0) return scopeFrom(own)
  const candidates = sameProject(path)
  for (const { paths, isOfProject } of where === 'or-above' ? candidates : [...candidates].slice(0, 1)) {
    const byFolder = known.filter(({ name }) => isOfProject(basename(name)))
    // A folder that Claude Code did not name so, as of a copy: its rows say where the work was done.
    const found =
      byFolder.length > 0
        ? byFolder
        : known.filter(
            ({ cwd }) => cwd !== null && paths.some(each => isSamePath(each, cwd, process.platform)),
          )
    if (found.length > 0) return { ...scopeFrom(found), title: paths[0] ?? path }
  }
  return null
}

/** The same place in all worktrees of a repository. */
interface Places {
  readonly paths: readonly string[]
  /** Whether a folder of transcripts belongs to one of them. */
  readonly isOfProject: (name: string) => boolean
}

/** A path and those above it, up to the top of its repository or to the home folder. */
function* sameProject(path: string): Generator<Places> {
  const home = homedir()
  const repository = repositoryOf(path)
  let at = path
  do {
    yield placesOf(at, repository?.top ?? null, repository?.checkouts ?? [])
    if (at === repository?.top) return
    at = dirname(at)
  } while (at !== home && dirname(at) !== at)
}

function placesOf(path: string, top: string | null, checkouts: readonly string[]): Places {
  const below = top === null ? '' : relative(top, path)
  const others = checkouts.map(checkout => join(checkout, below))
  const paths = [...new Set([path, realPath(path), ...others])]
  // Worktrees that Claude Code made and removed again are no longer known to git.
  const made =
    below === ''
      ? checkouts.slice(0, 1).map(main => projectFolder(join(main, '.claude', 'worktrees', '-')))
      : []
  return {
    paths,
    isOfProject: name =>
      paths.some(each => isFolderOf(name, each, process.platform)) ||
      made.some(start => name.startsWith(start.slice(0, -1))),
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The projects on disk. Where their work was done is read only when that is asked. */
function knownOn(roots: readonly FoundRoot[], host: Host): readonly KnownProject[] {
  return roots.flatMap(({ root, projects }) =>
    projects.map(project => {
      let cwd: string | null | undefined
      return {
        name: projectName(project),
        folder: join(root, project.path),
        get cwd(): string | null {
          if (cwd === undefined) cwd = workFolder(root, project, host)
          return cwd
        },
      }
    }),
  )
}

/** Projects that exist in the archive only: looked up where no other project has the name. */
function archivedProjects(host: Host, roots: readonly FoundRoot[]): readonly ListedProject[] {
  const archive = openArchiveIfAny(archivePath(), host.note)
  if (archive === null) return []
  try {
    return archivedOnly(archive, roots).map(({ file }) => ({ project: dirname(file.path) }))
  } finally {
    archive.close()
  }
}

/** How many transcripts are asked where the work was done. */
const MOST_ASKED = 3

function workFolder(root: string, { files }: Project, host: Host): string | null {
  const newest = [...files].sort((a, b) => b.mtime - a.mtime).slice(0, MOST_ASKED)
  for (const { path } of newest) {
    const folder = folderIn(join(root, path), host)
    if (folder !== null) return folder
  }
  return null
}

/** Where a transcript was begun. A disk that fails may hide the project that is meant: then nothing may be written. */
function folderIn(path: string, host: Host): string | null {
  try {
    return folderAtStart(path)
  } catch (error) {
    const isCut = error instanceof RangeError
    const message = isCut ? error.message : failureOf(error, path, 'file').message
    if (isCut || isDiskError({ message })) noteUnread(host, [{ path, message, isInTheWay: true }])
    return null
  }
}

function withListed(
  known: readonly KnownProject[],
  listed: Iterable<ListedProject>,
): readonly KnownProject[] {
  const all = new Map<string, KnownProject>()
  const names = new Set(known.map(({ name }) => name))
  for (const { project, cwd = null } of listed)
    if (!names.has(project) && all.get(project)?.cwd == null)
      all.set(project, { name: project, folder: null, cwd })
  return [...known, ...all.values()]
}
