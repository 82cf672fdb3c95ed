/** C6: what people did to a conversation, recognised and named, in the order of the timeline. */

import { type SessionId, sessionId } from '../model/ids.js'
import { type Epoch, epochLabel } from './epochs.js'
import type { Fork } from './fork-list.js'
import { compareLocations, compareTimes } from './order.js'
import type { Session } from './sessions.js'
import { fileOf } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** What a person did. */
export type OperationKind =
  | 'compact'
  | 'clear'
  | 'resume'
  | 'fork'
  | 'branch'
  | 'background'
  | 'rewind'
  | 'two-writers'
  | 'move'

/** Something that a person did to the conversation. */
export interface Operation {
  readonly kind: OperationKind
  /** The first node that shows it. */
  readonly node: number
  readonly session: SessionId
  readonly label: string
}

/** What other passes found; operations are read off it. */
interface OperationSources {
  readonly sessions: readonly Session[]
  readonly epochs: readonly Epoch[]
  readonly forks: readonly Fork[]
}

/** All operations, by time. */
export function findOperations(state: State, sources: OperationSources): readonly Operation[] {
  const { table } = state
  const found = [
    ...sources.epochs.map(epoch => made(state, 'compact', epoch.boundary, epochLabel(epoch))),
    ...sources.forks.flatMap(fork => rewinds(state, fork)),
    ...sources.sessions.flatMap(session => attached(state, session)),
    ...clears(state),
    ...moves(state),
  ]
  return found.sort(
    (a, b) =>
      compareTimes(t.real(table.time, a.node), t.real(table.time, b.node)) ||
      compareLocations(state, a.node, b.node),
  )
}

function made(state: State, kind: OperationKind, node: number, label: string): Operation {
  const { facts } = fileOf(state, node)
  const session = facts.session ?? sessionId(facts.path)
  return { kind, node, session, label }
}

function rewinds(state: State, fork: Fork): readonly Operation[] {
  const { kind, branches } = fork
  if (kind !== 'rewind' && kind !== 'two-writers') return []
  const label = kind === 'rewind' ? 'rewound and asked again' : 'a second process wrote to the session'
  return branches.slice(1).map(branch => made(state, kind, branch, label))
}

function attached(state: State, { parent, domain }: Session): readonly Operation[] {
  const first = domain?.roots[0]
  if (parent === null || first === undefined || parent.how === 'unknown') return []
  return [made(state, parent.how, first, `${attachments[parent.how]} ${parent.session}`)]
}

const attachments = {
  resume: 'resumed from',
  fork: 'forked from',
  branch: 'branched off',
  background: 'forked into the background from',
}

/** `/clear` starts a new file with the command at its head; nothing links it to the old one. */
function clears(state: State): readonly Operation[] {
  const found: Operation[] = []
  for (const domain of state.domains.list) {
    if (domain.kind !== 'session') continue
    for (const root of domain.roots) {
      const clear = clearBelow(state, root)
      if (clear !== t.none) found.push(made(state, 'clear', clear, 'the context was cleared'))
    }
  }
  return found
}

/** The `/clear` command at or right below a root: the caveat stands before it. */
function clearBelow(state: State, root: number): number {
  const { table } = state
  for (const node of [root, t.int(table.first, root)]) {
    const entry = node === t.none ? null : table.entries[node]
    if (entry?.kind === 'user' && /<command-name>\s*\/clear\b/.test(entry.text?.head ?? '')) return node
  }
  return t.none
}

/** Entering or leaving a worktree moves the transcript: the working folder changes within the file. */
function moves(state: State): readonly Operation[] {
  return state.files.flatMap(file =>
    file.moves
      .filter(({ node }) => t.int(state.table.owner, node) === node)
      .map(({ node, to }) => made(state, 'move', node, `went on in ${to}`)),
  )
}
