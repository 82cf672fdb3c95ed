/** SESSION on the command line: an id, a unique prefix, `latest`, a path, or a name that was given. */

import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Diagnostic, FileRecord, Graph, Line, Session } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { plural } from '@dagline/core/format'
import { discover, type FoundFile, type FoundRoot, hasArchive, isReadFailure } from '@dagline/store'
import { type Summaries, takeSummaries } from '../contents/summaries.js'
import { namedBy } from '../files/labels.js'
import {
  findProjects,
  findRoots,
  isFolder,
  kindAt,
  nothingFound,
  type ProjectLocation,
  projectLocations,
  projectName,
} from '../files/projects.js'
import { findIds, lastTime } from '../files/scan.js'
import { noteUnread, noteUnreadRoots } from '../files/unread.js'
import { allDiagnostics, type LoadedProject, type LoadOptions, loadShown } from '../graphs/project.js'
import { failUnread } from '../graphs/unread.js'
import type { Host, PushedFiles } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { archivedSessions } from './archived.js'
import { ambiguousSessions } from './candidates.js'
import {
  findScope,
  joinScopes,
  noteScope,
  type ProjectScope,
  pushedScope,
  scopeAt,
  scopeHere,
} from './project.js'

/** A session that was found and read. */
export interface FoundSession {
  readonly loaded: LoadedProject
  /** Its entries in one line, where that was asked for. */
  readonly summaries?: Summaries
  readonly session: Session
  /** The line to begin with, where the path was that of an agent, or the name that of a branch. */
  readonly line: Line | null
  /** The transcript, where its path was given: a copy of a session has the same id. */
  readonly file: FileRecord | null
  /** The entry, where one was named. */
  readonly entry?: number | null
}

/** A session in the graph of its project: forks, resumed sessions and subagents are known only together. */
export interface SessionGraph extends Omit<FoundSession, 'loaded'> {
  readonly graph: Graph
  /** The absolute path of the folder that paths of files are relative to. */
  readonly root: string
  /** What is odd in the files and in the graph. */
  readonly diagnostics: () => readonly Diagnostic[]
}

/** What users of a history see of a session that was found. */
export function sessionGraph({ loaded, ...found }: FoundSession): SessionGraph {
  const { graph, root } = loaded
  return {
    ...found,
    graph,
    root,
    diagnostics: () => allDiagnostics(loaded),
  }
}

/** A session, and the branch or agent of it: `SESSION@uuid`, `SESSION#agent-id`; the session may be a path. */
const LINE = /^(.+?)(#agent-.*|@[^@/\\]+)$/

/** Where a session is, before anything is read. */
export interface SessionLocation extends ProjectLocation {
  readonly file: FoundFile | null
  readonly id: string | null
}

/**
 * Finds a session and reads its project: what it shares with others, and where they attach, is known only then. Where
 * a file of the session could not be read the command ends with exit code 1.
 */
export function openSession(word: string, host: Host, options: LoadOptions = {}): FoundSession {
  const location = findSession(word, host)
  return sessionOf(word, location, loadShown(linkedPart(location, host), host, options), host)
}

/** I16: what a session is linked with, where that is known; else its project. */
function linkedPart(location: SessionLocation, { known }: Host): ProjectLocation {
  const { file } = location
  return (file === null ? null : known?.linkedPart(location, file.path)) ?? location
}

/** The same for a session whose entries will be listed: each in one line, taken while its row is parsed. */
export function openSummarized(word: string, host: Host, of: 'session' | 'project'): FoundSession {
  const location = findSession(word, host)
  const isAll = of === 'project' || location.file === null
  const summaries = takeSummaries(
    ({ path }, { session }) => isAll || session === location.id || isOwnFile(location, path),
  )
  const loaded = loadShown(linkedPart(location, host), host, { see: summaries.see })
  return { ...sessionOf(word, location, loaded, host), summaries }
}

function isOwnFile({ file, id }: SessionLocation, path: string): boolean {
  return path === file?.path || isOfSession(path, id)
}

function sessionOf(word: string, location: SessionLocation, loaded: LoadedProject, host: Host): FoundSession {
  const { file, id } = location
  failUnread(host, loaded, path => isOwnFile(location, path))
  const session = sessionIn(loaded.graph, id, file)
  if (session === null) {
    refuseUnreadFile(loaded, path => path === file?.path, word)
    if (recordOf(loaded.graph, file)?.entries === 0)
      throw new UserError(`${word} is not a transcript: it has no row of Claude Code. Give a .jsonl file.`)
    throw new UserError(
      `${word} has no conversation here, only subagents or notes. Run \`dagline ls --everywhere --all\` to list the sessions.`,
    )
  }
  const named = namedBy(word, host)
  const line = file?.kind === 'agent' ? agentLine(loaded.graph, file) : namedLine(loaded.graph, named?.id)
  return { loaded, session, line, file: isFile(word) ? recordOf(loaded.graph, file) : null }
}

/** Whether a path is that of a session's transcript or folder, or lies in that folder. */
export function isOfSession(path: string, session: string | null): boolean {
  const parts = path.split('/')
  return session !== null && (parts.includes(session) || parts.at(-1) === `${session}.jsonl`)
}

/** Refuses where a file was not read whole that was asked for by name: nothing in it is not the same as nothing read. */
export function refuseUnreadFile(
  { found, root, project }: LoadedProject,
  isAskedFor: (path: string) => boolean,
  word: string,
): void {
  const failures = [...project.unread, ...found.filter(isReadFailure)]
  const failure = failures.find(({ file }) => isAskedFor(file))
  if (failure === undefined) return
  const path = join(root, failure.file)
  throw new UserError(
    cleanLine(
      `${word} could not be read whole. ${path}: ${failure.message} Make it readable, then try again.`,
    ),
  )
}

function recordOf(graph: Graph, file: FoundFile | null): FileRecord | null {
  return graph.files().find(({ facts }) => facts.path === file?.path) ?? null
}

/** Finds a session by its name, the names of files, or by what stands in them, without reading its project. */
export function findSession(given: string, host: Host): SessionLocation {
  if (given === '')
    throw new UserError('The SESSION is empty. Give a session id, `latest`, or the path of a transcript.')
  const named = namedBy(given, host)
  const word = named?.session ?? given
  if (named === null && isPath(word)) return locationAt(word, host)
  const roots = findRoots([], host)
  const projects = projectLocations(roots)
  if (projects.length === 0 && (word === 'latest' || !hasArchive()))
    throw new UserError(nothingFound([], host))
  const locations = sessionFiles(projects)
  return word === 'latest' ? latestHere(locations, host, roots) : byName(word, locations, host)
}

/** U2: the latest session of the project here; of all projects where there is none here. */
function latestHere(
  locations: readonly TranscriptLocation[],
  host: Host,
  roots: readonly FoundRoot[],
): TranscriptLocation {
  const scope = scopeHere(host, { roots })
  const own = scope === null ? [] : inScope(locations, scope)
  if (scope === null || own.length === 0) return latestOf(locations, host)
  if (own.length < locations.length) noteScope(host, scope)
  return latestOf(own, host)
}

function inScope(
  locations: readonly TranscriptLocation[],
  { names }: ProjectScope,
): readonly TranscriptLocation[] {
  return locations.filter(({ project, file }) => names.has(projectName(project, file.path)))
}

/** What words name. */
interface SortedWords {
  /** The projects by path, name or part of it; null where no word names one. */
  readonly scope: ProjectScope | null
  /** Other folders with transcripts. */
  readonly folders: readonly string[]
  /** Words that name sessions, or nothing. */
  readonly sessions: readonly string[]
}

/** U1: tells projects, folders and sessions apart. */
export function sortWords(words: readonly string[], host: Host): SortedWords {
  if (host.pushed !== undefined) return sortPushed(words, host.pushed)
  const scopes: ProjectScope[] = []
  const folders: string[] = []
  const sessions: string[] = []
  for (const word of words) {
    const scope = isPath(word) ? projectAt(word, host) : projectNamed(word, host)
    if (scope !== null) scopes.push(scope)
    else if (isFolder(word)) folders.push(word)
    else sessions.push(word)
  }
  return { scope: scopes.length === 0 ? null : joinScopes(words.join(', '), scopes), folders, sessions }
}

/** HU48: a word that names no session may name a project. */
function sortPushed(words: readonly string[], pushed: PushedFiles): SortedWords {
  const scopes: ProjectScope[] = []
  const sessions: string[] = []
  for (const word of words) {
    const isSession = word === 'latest' || pushed.sessions().some(({ session }) => session.startsWith(word))
    const scope = isSession ? null : unlessNone(() => pushedScope(word, pushed.sessions()))
    if (scope === null) sessions.push(word)
    else scopes.push(scope)
  }
  return { scope: scopes.length === 0 ? null : joinScopes(words.join(', '), scopes), folders: [], sessions }
}

/** The path of the latest session of the one project that a word names; null where it names none, or several. */
export function latestOfProject(word: string, host: Host): string | null {
  const scope = projectNamed(word, host)
  if (scope === null || scope.folders.length !== 1) return null
  const { root, file } = latestOf(inScope(sessionFiles(findProjects([], host)), scope), host)
  host.note(`${word} is a project; the latest session of ${scope.title} is taken.`)
  return join(root, file.path)
}

/** The project of a path, which need not exist any more; null for a file, or any other folder. */
function projectAt(path: string, host: Host): ProjectScope | null {
  return kindAt(path) === 'file' ? null : scopeAt(path, host)
}

/** The project of a word that is not a path; null where a session has the name. */
function projectNamed(word: string, host: Host): ProjectScope | null {
  const isOther = word === '' || word === 'latest' || LINE.test(word) || namedBy(word, host) !== null
  if (isOther || sessionIds(host).some(id => id.startsWith(word))) return null
  return unlessNone(() => findScope(word, host))
}

/** A scope; null where nothing has the name. */
function unlessNone(find: () => ProjectScope): ProjectScope | null {
  try {
    return find()
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** Whether a word can only mean a session: `latest`, or a path. */
export function isSessionWord(word: string): boolean {
  return word === 'latest' || isPath(word)
}

/** Whether a word names a file or folder instead of a session. */
export function isPath(word: string): boolean {
  return word !== 'latest' && (/[/\\]|\.jsonl$/.test(word) || existsSync(word))
}

/** Whether a word is the path of a transcript. */
export function isFile(word: string): boolean {
  return isPath(word) && kindAt(word) === 'file'
}

/** A file with the project it lies in, so that forks and agents beside it are known; a folder's latest session. */
function locationAt(word: string, host: Host): SessionLocation {
  const path = resolve(word)
  const kind = kindAt(path)
  const scope = projectAt(word, host)
  if (scope !== null) return latestOf(inScope(sessionFiles(findProjects([], host)), scope), host)
  if (kind === 'nothing')
    throw new UserError(`${path} does not exist. Give a session id, \`latest\`, or the path of a transcript.`)
  const folder = dirname(path)
  const isInProject = basename(dirname(folder)) === 'projects' || basename(folder).startsWith('-')
  const roots = discover([kind === 'folder' || !isInProject ? path : folder])
  noteUnreadRoots(host, roots)
  const projects = projectLocations(roots)
  if (kind === 'folder') return latestBelow(path, projects, host)
  for (const { root, project } of projects) {
    const file = project.files.find(found => join(root, found.path) === path)
    if (file !== undefined) return { root, project, file, id: file.session }
  }
  const unread = host.unread.get(path)
  if (unread !== undefined)
    throw new UserError(cleanLine(`${path}: ${unread.message} Make it readable, then try again.`))
  throw new UserError(`${path} is not a transcript. Give a .jsonl file.`)
}

/** The latest session of a project folder; of any other folder too, with a note that names it. */
function latestBelow(path: string, projects: readonly ProjectLocation[], host: Host): SessionLocation {
  const locations = sessionFiles(projects)
  const location = latestOf(locations, host)
  const file = join(location.root, location.file.path)
  if (dirname(file) !== path)
    host.note(`Of ${plural(locations.length, 'session')} below ${path} the latest is taken: ${file}`)
  return location
}

/** The transcript of a session, in its project. */
interface TranscriptLocation extends SessionLocation {
  readonly file: FoundFile
}

function sessionFiles(projects: readonly ProjectLocation[]): readonly TranscriptLocation[] {
  return projects.flatMap(location =>
    location.project.files
      .filter(file => file.kind === 'session')
      .map(file => ({ ...location, file, id: file.session })),
  )
}

function latestOf(locations: readonly TranscriptLocation[], host: Host): TranscriptLocation {
  let best: TranscriptLocation | null = null
  let latest = -1
  for (const location of locations) {
    const { time, unread } = lastTime(join(location.root, location.file.path))
    noteUnread(host, unread)
    if (time <= latest || location.file.bytes === 0) continue
    latest = time
    best = location
  }
  if (best === null) throw new UserError('There is no session here. Give a folder that has transcripts.')
  return best
}

/** The id, else the one id that begins so: by the names of files, then by what stands in them. */
function byName(word: string, locations: readonly TranscriptLocation[], host: Host): SessionLocation {
  const onDisk = named(word, locations)
  const near = onDisk.length > 0 ? onDisk : named(word, sessionFiles(archivedSessions(word, host)))

  const ids = [...new Set(near.map(location => location.id ?? ''))]
  if (ids.length > 1) throw ambiguousSessions(word, ids)
  // One session in several projects (a worktree, a copy): the one that was written to last.
  const [only] = near
  if (only !== undefined) return near.length === 1 ? only : latestOf(near, host)
  return byRows(word, host)
}

function named<T extends SessionLocation>(word: string, locations: readonly T[]): readonly T[] {
  const exact = locations.filter(location => location.id === word)
  return exact.length > 0 ? exact : locations.filter(location => location.id?.startsWith(word))
}

/** Sessions that only live in rows: of another file's name. */
function byRows(word: string, host: Host): SessionLocation {
  const { hits, unread } = findIds(findProjects([], host), 'session', word, host)
  noteUnread(host, unread)
  const ids = [...hits.keys()]
  const [id] = ids
  if (ids.length > 1) throw ambiguousSessions(word, ids)
  const location = id === undefined ? undefined : [...(hits.get(id) ?? [])][0]
  if (id === undefined || location === undefined) throw new UserError(noSession(word, host), 'no-session')
  return { ...location, file: null, id }
}

function noSession(word: string, host: Host): string {
  const [, session] = LINE.exec(word) ?? []
  if (session !== undefined)
    return `${word} is a branch or a subagent, not a session. Give ${session}, or run \`dagline log '${word}'\` to print it.`
  return `No session begins with ${word}${hintOf(nearSessions(word, host))}. Run \`dagline ls --everywhere --all\` to list them.`
}

/** A hint at what may have been meant. */
export function hintOf(near: readonly string[]): string {
  return near.length === 0 ? '' : ` (near it: ${near.join(', ')})`
}

/** Characters that a candidate shares with a word that was mistyped. */
export const NEAR = 4
const MOST_NEAR = 4

/** Sessions whose ids begin as a word does that names none. */
export function nearSessions(word: string, host: Host): readonly string[] {
  if (word.length <= NEAR) return []
  const ids = sessionIds(host).filter(id => id.startsWith(word.slice(0, NEAR)))
  return ids.slice(0, MOST_NEAR)
}

/** The ids of all sessions that have a file, each once. */
export function sessionIds(host: Host): readonly string[] {
  return [...new Set(sessionFiles(findProjects([], host)).flatMap(({ id }) => id ?? []))]
}

/** The session of an id, else the one whose rows the file holds. */
export function sessionIn(graph: Graph, id: string | null, file: FoundFile | null): Session | null {
  const sessions = graph.sessions()
  const named = sessions.find(session => session.id === id)
  if (named !== undefined || file === null) return named ?? null
  const holds = (session: Session): boolean => session.files.some(({ facts }) => facts.path === file.path)
  const record = graph.files().find(({ facts }) => facts.path === file.path)
  const node = record?.nodes[0]
  const owner = node === undefined ? null : graph.node(node).session
  return sessions.find(session => session.id === owner) ?? sessions.find(holds) ?? null
}

function namedLine(graph: Graph, id: string | undefined): Line | null {
  return graph.lines().find(line => line.kind !== 'trunk' && line.id === id) ?? null
}

function agentLine(graph: Graph, file: FoundFile): Line | null {
  return graph.lines().find(line => line.kind === 'agent' && line.domain.agent === file.agent) ?? null
}

/** The message for a session whose transcript is gone, with the subagents that are left of it. */
export function agentsAlone(graph: Graph, { id }: Session): string {
  const agents = graph.lines().filter(({ kind, domain }) => kind === 'agent' && domain.session === id)
  const some = agents.slice(0, MOST_NAMED).map(line => `'${line.id}'`)
  const more = agents.length > some.length ? ` and ${agents.length - some.length} more` : ''
  const left =
    some.length === 0 ? 'nothing of it is left' : `only agents are left, such as ${some.join(', ')}`
  return `The transcript of ${id} is not there, ${left}${more}: run \`dagline restore ${id}\` to restore what was archived.`
}

/** The most subagents that the message names. */
const MOST_NAMED = 2
