/**
 * A4, A5: the entry that each agent hangs on. That is the one with the call that spawned it; where no call is known, the
 * parent of the agent's first entry, then the last entry that its parent agent had written before it.
 */
import type { AgentSpawn } from './agents.js'
import { type Domain, domainOf, domainOfAgent } from './domains.js'
import { agentMetaOf } from './file-record.js'
import { filesAmong } from './order.js'
import type { State } from './state.js'
import * as t from './table.js'

/** By domain, the entry that it hangs on. */
export type AttachedTo = ReadonlyMap<number, number>

/** Where all agents hang. Those that nothing is known of are left out. */
export function attachDomains(
  state: State,
  domains: readonly Domain[],
  spawns: ReadonlyMap<number, AgentSpawn>,
): AttachedTo {
  const hangsOn = new Map<number, number>()
  for (const domain of domains) {
    const at = spawns.get(domain.index)?.node ?? parentOfRoot(state, domain)
    if (at !== t.none) hangsOn.set(domain.index, at)
  }
  const open = domains.filter(({ index }) => !hangsOn.has(index))
  for (const domain of open) {
    const at = lastOfParent(state, domain)
    if (at !== t.none && !leadsBack(state, hangsOn, at, domain)) hangsOn.set(domain.index, at)
  }
  return hangsOn
}

function parentOfRoot({ table }: State, { roots }: Domain): number {
  for (const root of roots) {
    const above = t.int(table.up, root)
    if (above !== t.none) return above
  }
  return t.none
}

/** `parentAgentId` of the sidecar: the parent's last entry that is not younger than the agent, else its first. */
function lastOfParent(state: State, domain: Domain): number {
  const parent = parentDomain(state, domain)
  if (parent === null || parent === domain) return t.none
  const { table } = state
  const begun = t.real(table.time, domain.roots[0] ?? t.none)
  let last = parent.roots[0] ?? t.none
  for (const file of filesAmong(state, parent.files)) {
    for (const node of file.nodes) {
      const isOwn = t.int(table.domain, node) === parent.index && t.int(table.owner, node) === node
      if (isOwn && t.real(table.time, node) <= begun) last = node
    }
  }
  return last
}

function parentDomain(state: State, domain: Domain): Domain | null {
  for (const file of filesAmong(state, domain.files)) {
    const parent = agentMetaOf(file)?.parentAgentId ?? null
    if (parent !== null) return domainOfAgent(state, parent)
  }
  return null
}

/** Whether an entry belongs to an agent that itself hangs on this one. */
function leadsBack(state: State, hangsOn: AttachedTo, at: number, domain: Domain): boolean {
  const met = new Set<number>()
  let above = domainOf(state, at)
  while (above.kind === 'agent' && !met.has(above.index)) {
    if (above.index === domain.index) return true
    met.add(above.index)
    const next = hangsOn.get(above.index)
    if (next === undefined) return false
    above = domainOf(state, next)
  }
  return false
}
