/**
 * Domains: whose conversation a node belongs to. A session's main conversation is one, each agent's is one. Forks
 * and lines are a matter within a domain; what hangs on another domain's node is a junction or a spawn.
 */

import { type AgentId, agentId, type SessionId } from '../model/ids.js'
import { linkOf } from './adopt.js'
import { fileOf, sessionOf } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** A conversation of its own: that of a session, or that of a subagent. */
export interface Domain {
  /** Its number in the graph: `Fork.domain` is such a number. */
  readonly index: number
  readonly kind: 'session' | 'agent'
  /** Of an agent that was copied along with its session: that of the original. */
  readonly session: SessionId
  /** Null for the conversation of a session. */
  readonly agent: AgentId | null
  /** True for sidechains in the session's own file, without an id of their own. */
  readonly inline: boolean
  /** Nodes that hang on nothing of this domain, in the order of writing. */
  readonly roots: readonly number[]
  /** The files with its entries, by `FileRecord.index`. */
  readonly files: ReadonlySet<number>
}

/** The same while rows are linked. */
export interface OpenDomain extends Domain {
  session: SessionId
  readonly roots: number[]
  readonly files: Set<number>
}

export interface DomainIndex {
  readonly list: OpenDomain[]
  readonly index: Map<string, number>
  /** The domain of the last main row that was looked at. */
  readonly last: { file: number; session: number; domain: number }
}

/** No domains yet. */
export function createDomains(): DomainIndex {
  return { list: [], index: new Map(), last: { file: t.none, session: t.none, domain: t.none } }
}

/** The domain of a node. */
export function domainOf(state: State, node: number): OpenDomain {
  const domain = state.domains.list[t.int(state.table.domain, node)]
  if (domain === undefined) throw new RangeError(`sighting ${node} has no domain`)
  return domain
}

/** Gives the sighting its domain. Parents must be linked; they may stand on later rows. */
export function assignDomain(state: State, node: number): void {
  const { table } = state
  if (isLikeTheLast(state, node)) return
  const path: number[] = []
  let domain = t.none
  for (let at = node; domain === t.none; at = linkOf(state, at)) {
    domain = t.int(table.domain, at)
    if (domain === t.none) {
      path.push(at)
      domain = ownDomain(state, at)
    }
  }
  for (const walked of path) {
    table.domain[walked] = domain
    if (isOwnFile(table, walked)) state.domains.list[domain]?.files.add(t.int(table.file, walked))
  }
}

/** A9: a file that only carries entries of other files is not one of the conversation's files. */
function isOwnFile(table: t.Table, node: number): boolean {
  return !t.marked(table, node, t.Carried) || t.int(table.owner, node) === node
}

/** Rows of a file nearly all belong to one domain: that of the last main row is remembered. */
function isLikeTheLast(state: State, node: number): boolean {
  const { table } = state
  const { last } = state.domains
  const file = t.int(table.file, node)
  const session = t.int(table.session, node)
  if (t.marked(table, node, t.Carried)) return false
  if (t.marked(table, node, t.Sidechain) && fileOf(state, node).facts.kind !== 'agent') return false
  if (last.file === file && last.session === session) {
    table.domain[node] = last.domain
    return true
  }
  last.domain = ownDomain(state, node)
  last.file = file
  last.session = session
  table.domain[node] = last.domain
  state.domains.list[last.domain]?.files.add(file)
  return true
}

/** The domain an entry names by itself; none where it is that of its parent (inline sidechains). */
function ownDomain(state: State, node: number): number {
  const { table } = state
  if (t.marked(table, node, t.Carried)) return carriedDomain(state, node)
  const { facts } = fileOf(state, node)
  const session = sessionOf(state, node)
  const agent = facts.kind === 'agent' ? facts.agent : null
  if (agent !== null) return agentDomain(state, node, agent)
  if (!t.marked(table, node, t.Sidechain)) return domainFor(state, 'session', session, null)
  const named = table.entries[node]?.agent ?? null
  if (named !== null) return domainFor(state, 'agent', session, named)
  if (!startsSidechain(state, node)) return t.none
  return domainFor(state, 'agent', session, agentId(`inline-${t.idOf(table, node)}`))
}

/** A9: the subagent that the progress row names; where its entry stands elsewhere, too, the domain of that one. */
function carriedDomain(state: State, node: number): number {
  const { table } = state
  const owner = t.int(table.owner, node)
  if (owner !== node) {
    assignDomain(state, owner)
    return t.int(table.domain, owner)
  }
  return domainFor(state, 'agent', sessionOf(state, node), table.entries[node]?.agent ?? agentId(''))
}

/** G1: copies of an agent's file have its id; the agent is that of the session it was started in, whatever is read first. */
function agentDomain(state: State, node: number, agent: AgentId): number {
  const session = sessionOf(state, node)
  const index = domainFor(state, 'agent', session, agent)
  const domain = state.domains.list[index]
  if (domain !== undefined && domain.session !== session && !fileOf(state, node).stamped) {
    const isCopy = [...domain.files].every(file => state.files[file]?.stamped === true)
    if (isCopy) domain.session = session
  }
  return index
}

/** A4, A5: an inline sidechain begins at a root, under the main conversation, or under a call inside another. */
function startsSidechain(state: State, node: number): boolean {
  const { table } = state
  const parent = linkOf(state, node)
  if (parent === t.none || !t.marked(table, parent, t.Sidechain)) return true
  if (t.byte(table.says, node) !== t.SaysPrompt || state.adopted.has(node)) return false
  const nesting = table.entries[node]?.nesting ?? null
  if (nesting !== null && nesting !== (table.entries[parent]?.nesting ?? 1)) return true
  const spawner = table.entries[parent]
  const hash = t.real(table.hash, node)
  return spawner?.kind === 'assistant' && spawner.calls.some(call => call.prompt?.hash === hash)
}

function domainFor(state: State, kind: Domain['kind'], session: SessionId, agent: AgentId | null): number {
  const { list, index } = state.domains
  // A6: the halves of an agent's file may lie in two session folders; the agent is one.
  const key = agent === null ? `s ${session}` : `a ${agent}`
  const known = index.get(key)
  if (known !== undefined) return known
  const inline = agent?.startsWith('inline-') ?? false
  const made: OpenDomain = { index: list.length, kind, session, agent, inline, roots: [], files: new Set() }
  index.set(key, made.index)
  list.push(made)
  return made.index
}

/** The domain of a session's main conversation; null where it has no entry of its own. */
export function domainOfSession({ domains }: State, session: SessionId): Domain | null {
  return domains.list[domains.index.get(`s ${session}`) ?? t.none] ?? null
}

/** The domain of a subagent; null where no file has an entry of it. */
export function domainOfAgent({ domains }: State, agent: string): Domain | null {
  return domains.list[domains.index.get(`a ${agent}`) ?? t.none] ?? null
}

/** The id of a domain's trunk or agent line. */
export function domainName({ kind, session, agent }: Domain): string {
  return kind === 'session' ? session : `${session}#agent-${agent}`
}
