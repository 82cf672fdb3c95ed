/** A1: the actor of an entry. In a sidechain, the user role is the delegating side: Claude, or the agent above. */
import { domainOf } from './domains.js'
import type { State } from './state.js'
import * as t from './table.js'

/** Who speaks in an entry. */
export type Actor =
  | { readonly kind: 'human' }
  | { readonly kind: 'claude' }
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'system' }
  | { readonly kind: 'tool' }

/** The names of agents, and who delegated to them, by domain. */
export interface Speakers {
  readonly names: ReadonlyMap<number, string>
  readonly callers: ReadonlyMap<number, Actor>
}

/** Who speaks in an entry. */
export function actorOf(state: State, node: number, speakers: Speakers): Actor {
  const { table } = state
  const kind = t.byte(table.kind, node)
  const domain = domainOf(state, node)
  const inAgent = domain.kind === 'agent'
  if (kind === t.Assistant) {
    if (t.marked(table, node, t.Synthetic | t.ApiError)) return { kind: 'system' }
    return inAgent
      ? { kind: 'agent', name: speakers.names.get(domain.index) ?? 'unknown' }
      : { kind: 'claude' }
  }
  if (kind === t.Attachment && t.marked(table, node, t.QueuedPrompt)) return { kind: 'human' }
  if (kind !== t.User) return { kind: 'system' }
  return userActor(
    t.byte(table.says, node),
    inAgent ? (speakers.callers.get(domain.index) ?? { kind: 'claude' }) : null,
  )
}

function userActor(says: number, caller: Actor | null): Actor {
  if (says === t.SaysResult) return { kind: 'tool' }
  if (says === t.SaysPrompt || says === t.SaysCommand) return caller ?? { kind: 'human' }
  return says === t.SaysInterrupt ? { kind: 'human' } : { kind: 'system' }
}

/** The name of a speaker: `Human`, `Claude`, `Tool`, `System`, or the type of a subagent. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'human':
      return 'Human'
    case 'claude':
      return 'Claude'
    case 'agent':
      return actor.name
    case 'tool':
      return 'Tool'
    default:
      return 'System'
  }
}
