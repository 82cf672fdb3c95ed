/** Sessions in figures: what `ls`, `tree` and the overview show of each. */
import { walkTree } from '@dagline/core'
import { type SessionFact, type SessionFile, sessionFacts } from '@dagline/store'
import { allDiagnostics, loadProject, type Meter } from '../graphs/project.js'
import type { Host } from '../host.js'
import { type IndexOptions, NoIndex, openIndexed } from '../index/open.js'
import { type Place, projectName } from '../locate/places.js'

/** A session as it is listed. */
export type SessionFigures = SessionFact

/** Reads a project and lists its sessions, in the order of the session tree (S1). */
export function listSessions(place: Place, meter?: Meter): readonly SessionFigures[] {
  const loaded = loadProject(place, meter)
  const steps = [...walkTree(loaded.graph)].filter(step => step.kind === 'session')
  const order = new Map(steps.map(({ session }, at) => [session.id, at]))
  const listed = sessionFacts(loaded.graph, sessionFiles(place), allDiagnostics(loaded))
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
  host: Host,
  options: IndexOptions,
): Promise<readonly SessionFigures[] | null> {
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
