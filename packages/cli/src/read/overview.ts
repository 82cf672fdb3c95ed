/** Sessions in figures: what `ls`, `tree` and the overview show of each. */
import { walkTree } from '@dagline/core'
import { type SessionFact, type SessionFile, sessionFacts } from '@dagline/store'
import type { Console } from '../console.js'
import { type IndexOptions, NoIndex, openIndexed } from './indexed.js'
import { type Place, projectName } from './places.js'
import { allFindings, loadProject, type Meter } from './project.js'

/** A session as it is listed. */
export type SessionFigures = SessionFact

/** Reads a project and lists its sessions, in the order of the session tree (S1). */
export function listSessions(place: Place, meter?: Meter): readonly SessionFigures[] {
  const loaded = loadProject(place, meter)
  const steps = [...walkTree(loaded.graph)].filter(step => step.kind === 'session')
  const order = new Map(steps.map(({ session }, at) => [session.id, at]))
  const listed = sessionFacts(loaded.graph, sessionFiles(place), allFindings(loaded))
  return listed.toSorted((a, b) => (order.get(a.session) ?? 0) - (order.get(b.session) ?? 0))
}

function sessionFiles({ project }: Place): readonly SessionFile[] {
  const titles = new Map(project.titles.map(({ session, title }) => [session, title]))
  return project.files.map(({ path, session }) => ({
    path,
    project: projectName(project, path),
    title: session === null ? null : (titles.get(session) ?? null),
    isArchived: false,
  }))
}

/** The sessions of all roots, from the index; null where there can be no index, which is said. */
export async function sessionsOfRoots(
  console: Console,
  options: IndexOptions,
): Promise<readonly SessionFigures[] | null> {
  try {
    const { index, roots, close } = await openIndexed(console, options)
    const sessions = index.sessions(roots)
    close()
    return sessions
  } catch (error) {
    if (!(error instanceof NoIndex)) throw error
    console.note(`${error.message} The transcripts are read instead.`)
    return null
  }
}
