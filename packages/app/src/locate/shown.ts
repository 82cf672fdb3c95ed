/** Where the viewer shows what was typed. */
import { join } from 'node:path'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { isEntryForm, lineForm, openRef } from './ref.js'
import { findSession, isPath } from './session.js'

/** A session or entry in the viewer. */
export interface ShownLocation {
  readonly session: string
  /** The uuid of the entry; null for the session as a whole. */
  readonly entry: string | null
  /** What to show, where it lies outside of the roots. */
  readonly paths: readonly string[]
}

/** Finds where the viewer shows a session, a branch or an entry. */
export function locateShown(word: string, host: Host): ShownLocation {
  const isReference = isEntryForm(word) || lineForm(word, host) !== null
  return (isReference ? null : trySession(word, host)) ?? locateEntry(word, host)
}

function trySession(word: string, host: Host): ShownLocation | null {
  try {
    const { id, root, project, file } = findSession(word, host)
    const paths = isPath(word) ? [join(root, project.path)] : []
    return { session: id ?? file?.session ?? '', entry: null, paths }
  } catch (error) {
    // It may be the uuid of an entry; the search for one reports where it is not.
    if (error instanceof UserError && error.code === 'no-session' && !isPath(word)) return null
    throw error
  }
}

function locateEntry(ref: string, host: Host): ShownLocation {
  const { loaded, node } = openRef(ref, host)
  const { graph } = loaded
  const session = graph.lineOf(node)?.domain.session
  if (session === undefined) throw new UserError(`${ref} belongs to no session that can be shown.`)
  return { session, entry: graph.id(node), paths: [] }
}
