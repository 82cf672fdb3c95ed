/** Sessions in figures: what `ls`, `tree` and the overview show of each. */

import { sessionId, walkTree } from '@dagline/core'
import { groupBy } from '@dagline/core/model'
import { openIndex, type SessionFact, type SessionFile, StoreError, sessionFacts } from '@dagline/store'
import {
  findProjectsOrNote,
  nothingFound,
  type ProjectLocation,
  projectName,
  rootsOf,
} from '../files/projects.js'
import { allDiagnostics, loadProject, type Meter } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import { type IndexOptions, NoIndex, openIndexed } from '../index/open.js'
import { findSession, pathsOf } from '../locate/session.js'

/** A session as it is listed. */
export type SessionFigures = SessionFact

/** Reads a project and lists its sessions, in the order of the session tree (S1). */
export function listSessions(location: ProjectLocation, meter?: Meter): readonly SessionFigures[] {
  const loaded = loadProject(location, meter)
  const steps = [...walkTree(loaded.graph)].filter(step => step.kind === 'session')
  const order = new Map(steps.map(({ session }, at) => [session.id, at]))
  const listed = sessionFacts(loaded.graph, sessionFiles(location), allDiagnostics(loaded))
  return listed.toSorted(
    (a, b) => (order.get(sessionId(a.session)) ?? 0) - (order.get(sessionId(b.session)) ?? 0),
  )
}

function sessionFiles({ project }: ProjectLocation): readonly SessionFile[] {
  const titles = new Map(project.titles.map(({ session, title }) => [session, title]))
  return project.files.map(({ path, session }) => ({
    path,
    project: projectName(project, path),
    title: session === null ? null : (titles.get(session) ?? null),
    isArchived: false,
  }))
}

/** The sessions of all roots, from the index; null where there can be no index, which is noted. */
async function sessionsOfRoots(host: Host, options: IndexOptions): Promise<readonly SessionFigures[] | null> {
  try {
    const { index, roots, close } = await openIndexed(host, options)
    const sessions = index.sessions(roots)
    close()
    return sessions
  } catch (error) {
    if (!(error instanceof NoIndex)) throw error
    host.note(`${error.message} The transcripts are read instead.`)
    return null
  }
}

/** Sessions, the latest project and session first: from the index, or from the files of some paths. */
export async function sessionsOf(
  host: Host,
  paths: readonly string[],
  options: IndexOptions,
): Promise<readonly SessionFigures[]> {
  if (paths.length > 0) return await sessionsUnder(host, paths)
  const sessions = await sessionsOfRoots(host, options)
  if (sessions === null) return await sessionsUnder(host, rootsOf(host.roots))
  if (sessions.length === 0) host.note(nothingFound([], host))
  return byProject(sessions)
}

async function sessionsUnder(host: Host, paths: readonly string[]): Promise<readonly SessionFigures[]> {
  const locations = findProjectsOrNote(pathsOf(paths, host), host)
  return byProject((await runOnProjects('listSessions', listSessions, locations, host)).flat())
}

/** The sessions of each project, in the order of the session tree (S1). */
export async function sessionLists(
  host: Host,
  folders: readonly string[],
): Promise<readonly (readonly SessionFigures[])[]> {
  return await runOnProjects('listSessions', listSessions, findProjectsOrNote(folders, host), host)
}

/** A session among those of its project. */
export interface SessionNeighbours {
  readonly session: string | null
  readonly sessions: readonly SessionFigures[]
}

/** The sessions of the project that a session is in. */
export async function sessionsBeside(host: Host, word: string): Promise<SessionNeighbours> {
  const location = findSession(word, host)
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
