/**
 * G1, A10: projects of a root that hold files of the same session. Entering a worktree moves a transcript to another
 * project folder, moving a project leaves copies behind, and subagents' files can lie in another folder than the
 * transcript. The same entries then count once, and subagents find their calls, only if the folders are read as one.
 */
import { join } from 'node:path'
import type { Diagnostic } from '@dagline/core'
import { comparePaths, groupBySession } from '@dagline/core/files'
import type { FoundFile, FoundRoot, Project } from './discover.js'
import { failureOf } from './failures.js'
import { namedSession } from './source.js'

/** A project with the sessions that its files belong to. */
interface Member {
  readonly project: Project
  readonly sessions: ReadonlySet<string>
}

/**
 * The projects, those with a session in common joined to one, by path. Nothing is read, except for the start of
 * subagents' files that lie beside transcripts (up to 2.0.x): only their rows name the session.
 */
export function joinMoved({ root, projects }: Omit<FoundRoot, 'diagnostics'>): readonly Project[] {
  if (projects.length < 2) return projects
  const members = projects.map(project => memberOf(root, project))
  const groups = groupBySession(members, ({ sessions }) => sessions)
  return groups.map(merge).sort((a, b) => comparePaths(a.path, b.path))
}

function memberOf(root: string, project: Project): Member {
  const unread: Diagnostic[] = []
  const sessions = new Set<string>()
  for (const file of project.files) {
    const session = file.session ?? sessionOfLoose(root, file, unread)
    if (session !== null) sessions.add(session)
  }
  return {
    sessions,
    project: unread.length === 0 ? project : { ...project, unread: [...project.unread, ...unread] },
  }
}

/** The session of a subagent's file that lies beside transcripts. */
function sessionOfLoose(root: string, { path, kind }: FoundFile, unread: Diagnostic[]): string | null {
  if (kind !== 'agent') return null
  try {
    return namedSession(join(root, path))
  } catch (error) {
    unread.push(failureOf(error, path, 'file'))
    return null
  }
}

function merge(group: readonly Member[]): Project {
  const projects = group.map(({ project }) => project)
  const [first] = [...projects].sort((a, b) => comparePaths(a.path, b.path))
  if (first === undefined) throw new RangeError('a group has at least one project')
  return {
    ...first,
    files: projects.flatMap(({ files }) => files),
    archived: projects.flatMap(({ archived }) => archived),
    toolResults: projects.flatMap(({ toolResults }) => toolResults),
    sidecars: projects.flatMap(({ sidecars }) => sidecars),
    unread: projects.flatMap(({ unread }) => unread),
  }
}
