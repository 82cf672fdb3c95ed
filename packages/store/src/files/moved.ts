/**
 * G1: projects of a root that hold the same session. Entering a worktree moves a transcript to another project
 * folder, and moving a project leaves copies behind; the same entries then stand in both, and count once only if they
 * are read as one.
 */
import type { Project } from './discover.js'

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The projects, those with a session in common joined to one, by path. */
export function joinMoved(projects: readonly Project[]): readonly Project[] {
  const groupOf = new Map<string, Set<Project>>()
  const groups = new Set<Set<Project>>()
  for (const project of projects) {
    const sessions = sessionsOf(project)
    const related = new Set(sessions.flatMap(session => groupOf.get(session) ?? []))
    const joined = new Set([...related].flatMap(group => [...group]).concat(project))
    for (const group of related) groups.delete(group)
    groups.add(joined)
    const members = related.size === 0 ? [project] : [...joined]
    for (const member of members) for (const session of sessionsOf(member)) groupOf.set(session, joined)
  }
  return [...groups].map(group => join([...group])).sort((a, b) => comparePaths(a.path, b.path))
}

function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Sessions that are named by an id of their own: other file names may be equal by chance. */
function sessionsOf({ files }: Project): readonly string[] {
  return files.flatMap(({ kind, session }) =>
    kind === 'session' && session !== null && SESSION_ID.test(session) ? [session] : [],
  )
}

function join(group: readonly Project[]): Project {
  const [first] = [...group].sort((a, b) => comparePaths(a.path, b.path))
  if (first === undefined) throw new RangeError('a group has at least one project')
  return {
    ...first,
    files: group.flatMap(({ files }) => files),
    titles: group.flatMap(({ titles }) => titles),
    archived: group.flatMap(({ archived }) => archived),
    toolResults: group.flatMap(({ toolResults }) => toolResults),
    sidecars: group.flatMap(({ sidecars }) => sidecars),
    unread: group.flatMap(({ unread }) => unread),
  }
}
