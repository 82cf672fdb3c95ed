/** Sessions in figures: what `ls`, `tree` and the overview show of each. */

import { groupBy } from '@dagline/core/model'
import { openIndex, type SessionFact, type SessionFile, StoreError, sessionFacts } from '@dagline/store'
import {
  findProjectsOrNote,
  nothingFound,
  type ProjectLocation,
  projectName,
  rootsOf,
} from '../files/projects.js'
import { askParts, type OpenedParts, type Part, type Question } from '../graphs/answers.js'
import { allDiagnostics, loadProject, type Meter } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import { everywhere, type Host } from '../host/host.js'
import { isReadable, unlessDamaged } from '../index/grouping.js'
import { askIndex, type IndexOptions, type NewestSessions, orNote } from '../index/open.js'
import { type ListFilter, readFilter, sessionsTouching } from '../locate/list-filter.js'
import { type ProjectScope, scopeOf } from '../locate/project.js'
import { pathsOf, sessionsNamed, sessionWordOf } from '../locate/ref.js'
import { openPartsIn } from '../locate/scope-parts.js'
import { findSession, sortWords } from '../locate/session.js'
import { noRows } from '../text/nothing.js'

/** A session as it is listed. */
export interface SessionFigures extends SessionFact {
  /** HU55: on a hub, the name of the person whose it is. */
  readonly person?: string
}

/** Reads a project and lists its sessions, by their first time. */
export function listSessions(location: ProjectLocation, meter?: Meter): readonly SessionFigures[] {
  const loaded = loadProject(location, meter)
  return sessionFacts(loaded.graph, sessionFiles(location), allDiagnostics(loaded))
}

function sessionFiles({ project }: ProjectLocation): readonly SessionFile[] {
  return project.files.map(({ path }) => ({ path, project: projectName(project, path), isArchived: false }))
}

/** How sessions are listed, and which. */
interface SessionsOptions extends Omit<IndexOptions, 'onNewest'>, Omit<ListFilter, 'session'> {
  /** Receives the newest sessions where it takes longer to read the others. What is returned in the end has all of them. */
  readonly onNewest?: (sessions: readonly SessionFigures[]) => void
}

/** The sessions of all roots, from the index; null where there can be no index, which is noted. */
async function sessionsOfRoots(
  host: Host,
  { onNewest, index: path, ...filter }: SessionsOptions,
): Promise<readonly SessionFigures[] | null> {
  const listNewest = ({ index, roots }: NewestSessions): void => onNewest?.(byProject(index.sessions(roots)))
  const list = ({ index, roots }: NewestSessions): readonly SessionFigures[] => {
    const sessions = index.sessions(roots)
    if (filter.file == null) return sessions
    const touching = sessionsTouching(index, roots, filter.file)
    return sessions.filter(({ session }) => touching.has(session))
  }
  return await orNote(host, askIndex(host, { index: path, onNewest: listNewest }, list))
}

/** Sessions, the latest project and session first: from the index, or from the files of some paths. */
export async function sessionsOf(
  host: Host,
  paths: readonly string[],
  options: SessionsOptions,
): Promise<readonly SessionFigures[]> {
  const { onNewest } = options
  const { scope: named, folders, sessions: words } = sortWords(paths, host)
  const isOfFiles = folders.length + words.length > 0
  const { isInTime, scope } = readFilter(isOfFiles || named !== null ? everywhere(host) : host, options)
  const ids = sessionsNamed(paths, host)
  const chosen = (sessions: readonly SessionFigures[]): readonly SessionFigures[] =>
    sessionsIn(named, sessionsIn(scope, sessions)).filter(
      fact => isInTime(fact) && (ids?.has(fact.session) ?? true),
    )
  if (isOfFiles && ids === null && options.file == null)
    return orNoted(host, options, await sessionsUnder(host, paths), chosen)
  const newest = { onNewest: (known: readonly SessionFigures[]) => onNewest?.(chosen(known)) }
  const sessions =
    (await sessionsOfRoots(host, { ...options, ...newest })) ??
    (await sessionsUnder(host, rootsOf(host.roots)))
  if (sessions.length === 0) host.note(nothingFound([], host))
  return orNoted(host, options, byProject(sessions), chosen)
}

/** The sessions that are chosen; where none is, that is noted. That there are none at all was noted before. */
function orNoted(
  host: Host,
  filter: ListFilter,
  sessions: readonly SessionFigures[],
  choose: (sessions: readonly SessionFigures[]) => readonly SessionFigures[],
): readonly SessionFigures[] {
  const chosen = choose(sessions)
  if (chosen.length === 0 && sessions.length > 0) host.note(noRows({ of: 'sessions', looked: null, filter }))
  return chosen
}

function sessionsIn(
  scope: ProjectScope | null,
  sessions: readonly SessionFigures[],
): readonly SessionFigures[] {
  return scope === null ? sessions : sessions.filter(({ project }) => scope.names.has(project))
}

async function sessionsUnder(host: Host, paths: readonly string[]): Promise<readonly SessionFigures[]> {
  const locations = findProjectsOrNote(pathsOf(paths, host), host)
  return byProject((await runOnProjects('listSessions', listSessions, locations, host)).flat())
}

/** The sessions of each project, by their first time: of all from the index, or from the files of some folders. */
export async function sessionLists(
  host: Host,
  folders: readonly string[],
  options: IndexOptions,
): Promise<readonly (readonly SessionFigures[])[]> {
  const { scope: named, folders: others } = sortWords(folders, host)
  if (others.length > 0)
    return await runOnProjects(
      'listSessions',
      listSessions,
      findProjectsOrNote(pathsOf(folders, host), host),
      host,
    )
  const scope = named ?? scopeOf(null, host)
  const opened = await openPartsIn(scope, host, options)
  try {
    const known = unlessDamaged(() => judgedSessions(opened), new Map())
    const others = opened.projects.map(({ location, parts }) => ({
      location,
      parts: parts.filter(part => !known.has(part)),
    }))
    const read = await askParts(LISTED, { ...opened, projects: others }, host)
    return opened.projects.map(({ parts }, at) => {
      const judged = parts.flatMap(part => known.get(part) ?? [])
      return sessionsIn(scope, [...judged, ...(read[at] ?? []).flat()]).toSorted(byFirst)
    })
  } finally {
    opened.close()
  }
}

const LISTED: Question<'listSessions'> = { name: 'listSessions', read: listSessions }

/** The sessions of file groups that are one part: what the index says of them is what their files say. */
function judgedSessions({ projects, index }: OpenedParts): ReadonlyMap<Part, readonly SessionFigures[]> {
  const parts = projects.flatMap(project => project.parts)
  const roots = new Set(parts.flatMap(({ place }) => place?.root ?? []))
  const sessions = new Map([...roots].map(root => [root, index?.groupSessions(root)]))
  const found = new Map<Part, readonly SessionFigures[]>()
  for (const part of parts) {
    const { place, isWhole, project } = part
    if (place === null || !isWhole || !isReadable(part)) continue
    const facts = sessions.get(place.root)?.get(place.group) ?? []
    found.set(
      part,
      facts.map(fact => ({ ...fact, project: projectName(project, fact.file) })),
    )
  }
  return found
}

function byFirst(a: SessionFigures, b: SessionFigures): number {
  return compareTimes(a.first, b.first) || (a.session < b.session ? -1 : 1)
}

/** Times in order, unknown ones last. */
function compareTimes(a: number | null, b: number | null): number {
  return (a ?? Number.MAX_VALUE) - (b ?? Number.MAX_VALUE)
}

/** A session among those of its project. */
export interface SessionNeighbours {
  readonly session: string | null
  readonly sessions: readonly SessionFigures[]
}

/** The sessions of the project that a session is in. */
export async function sessionsBeside(host: Host, word: string): Promise<SessionNeighbours> {
  const location = findSession(sessionWordOf(word, host), host)
  const [sessions = []] = await runOnProjects('listSessions', listSessions, [location], host)
  return { session: location.id, sessions }
}

/** The sessions that an index holds by now, whether it is up to date or not. */
export function knownSessions(path: string, roots: readonly string[]): readonly SessionFigures[] {
  try {
    const index = openIndex(path, { readOnly: true })
    try {
      return byProject(index.sessions(roots.flatMap(root => index.findRoot(root) ?? [])))
    } finally {
      index.close()
    }
  } catch (error) {
    if (error instanceof StoreError) return []
    throw error
  }
}

/** The latest project and session first. */
function byProject(sessions: readonly SessionFigures[]): readonly SessionFigures[] {
  const projects = groupBy(sessions, ({ project }) => project)
  const lastOf = (session: SessionFigures | undefined): number => session?.last ?? 0
  const sorted = [...projects.values()].map(project => project.sort((a, b) => lastOf(b) - lastOf(a)))
  return sorted.sort((a, b) => lastOf(b[0]) - lastOf(a[0])).flat()
}
