/** What is exported: a session, the session of a reference, or all sessions of a project. */

import { type Session, type TreeStep, walkTree } from '@dagline/core'
import { branchLineOf, idleSessions } from '@dagline/core/measure'
import { findRoots, type ProjectLocation, projectLocations, projectName } from '../files/projects.js'
import { loadShown } from '../graphs/project.js'
import { type WholeProject, wholeProject } from '../graphs/unread.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { findOneProject, isInScope, type ProjectScope } from '../locate/project.js'
import { lineForm, openRef } from '../locate/ref.js'
import { openSession } from '../locate/session.js'

/** A session to export; a reference to a branch or an agent says which. */
export interface SelectedSession {
  readonly loaded: WholeProject
  readonly session: Session
  readonly line: string | null
  /** The branch that was left and holds the entry that was named; null where that is live, or no entry was named. */
  readonly left: string | null
}

/** Finds the session that a word names. */
export function findOne(word: string, host: Host): SelectedSession {
  const isLine = lineForm(word, host) !== null
  const isEntry = /^[^/\\]+:[0-9a-f-]+$/i.test(word)
  if (isLine || isEntry) return ofRef(word, host, isLine)
  try {
    const { loaded, session, line } = openSession(word, host, { isHashed: true })
    return { loaded: wholeProject(loaded, host), session, line: line?.id ?? null, left: null }
  } catch (error) {
    if (!(error instanceof UserError) || !/^[0-9a-f-]{4,}$/i.test(word)) throw error
    return refOr(word, host, error)
  }
}

/** The reference; where it is not valid either, the error about the session is thrown. */
function refOr(word: string, host: Host, sessionError: UserError): SelectedSession {
  try {
    return ofRef(word, host, false)
  } catch (error) {
    throw error instanceof UserError ? sessionError : error
  }
}

function ofRef(word: string, host: Host, isLine: boolean): SelectedSession {
  const { loaded: read, node } = openRef(word, host, { isHashed: true })
  const loaded = wholeProject(read, host)
  const { graph } = loaded
  const { session: id } = graph.node(node)
  const session = graph.session(id)
  if (session === null)
    throw new UserError(`No session has ${word}. Run \`dagline ls --everywhere --all\` to list the sessions.`)
  const line = graph.lineOf(node)
  if (isLine || line === null) return { loaded, session, line: line?.id ?? null, left: null }
  const branch = branchLineOf(graph, line)
  const isLeft = branch.kind === 'branch' && branch.status !== 'live'
  return { loaded, session, line: null, left: isLeft ? branch.id : null }
}

/** S1: all sessions of the tree that a session is in, depth first. */
export function findTree({ loaded, session }: SelectedSession): readonly SelectedInTree[] {
  return inTree(loaded, walkTree(loaded.graph, { session: session.id }))
}

/** A session to export, and how many sessions are above it. */
export interface SelectedInTree extends SelectedSession {
  readonly depth: number
}

function inTree(loaded: SelectedSession['loaded'], steps: Iterable<TreeStep>): readonly SelectedInTree[] {
  return [...steps].flatMap(step =>
    step.kind === 'session'
      ? [{ loaded, session: step.session, line: null, left: null, depth: step.depth }]
      : [],
  )
}

/** All sessions of the one project with a name, or with this in its name. */
export function findProject(
  name: string,
  host: Host,
): { readonly name: string; readonly selected: readonly SelectedInTree[] } {
  const roots = findRoots([], host)
  const scope = findOneProject(name, host, { roots })
  const locations = projectLocations(roots).filter(location => isInScope(location, scope))
  const selected = locations.flatMap(location => sessionsOf(location, scope, host))
  if (selected.length === 0)
    throw new UserError(
      `${scope.title} has no sessions. Run \`dagline ls --everywhere\` to list the projects.`,
    )
  return { name: [...scope.names][0] ?? name, selected }
}

/**
 * S8: sessions as lists have them, of which only subagents may be left. Folders that share a session are read as one
 * project; the sessions of the others are left out.
 */
function sessionsOf(
  location: ProjectLocation,
  { names }: ProjectScope,
  host: Host,
): readonly SelectedInTree[] {
  const loaded = wholeProject(loadShown(location, host, { isHashed: true }), host)
  const { graph, project } = loaded
  const idle = idleSessions(graph)
  return inTree(loaded, walkTree(graph)).filter(({ session }) => {
    const path = graph.currentFile(session.id)?.facts.path
    return !idle.has(session.id) && path !== undefined && names.has(projectName(project, path))
  })
}
