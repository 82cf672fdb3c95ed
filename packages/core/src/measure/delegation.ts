/** X2: who delegates to whom, and how: one at a time, several at once, from within another agent. */

import { addFields, joinRows } from './rows.js'
import { type Invocation, type MeasureScope, speakerOn } from './scope.js'

/** Delegations between two speakers. */
export interface DelegationStats {
  /** `Claude`, or the type of the agent; null where the call is not known. */
  readonly from: string | null
  readonly to: string
  readonly calls: number
  /** The only agent that its message calls. */
  readonly single: number
  /** Its message calls several agents; `single + parallel = calls`. */
  readonly parallel: number
  /** Called by an agent. */
  readonly nested: number
  readonly deepest: number
}

/** Counts delegations, the most frequent first. Agents that only warm up are nobody's. */
export function countDelegation(scope: MeasureScope): readonly DelegationStats[] {
  const real = scope.invocations.filter(({ agent }) => agent?.state !== 'warmup')
  return joinDelegation(real.map(invocation => rowOf(scope, invocation)))
}

/** Adds up rows between the same two. */
export function joinDelegation(rows: Iterable<DelegationStats>): readonly DelegationStats[] {
  return joinRows(rows, ['from', 'to'], 'calls', add)
}

function add(a: DelegationStats, b: DelegationStats): DelegationStats {
  return { ...addFields(a, b), deepest: Math.max(a.deepest, b.deepest) }
}

function rowOf(scope: MeasureScope, { name, from, depth, abreast }: Invocation): DelegationStats {
  return {
    from: from === null ? null : speakerOn(scope, from),
    to: name,
    calls: 1,
    single: abreast > 1 ? 0 : 1,
    parallel: abreast > 1 ? 1 : 0,
    nested: from?.domain.kind === 'agent' ? 1 : 0,
    deepest: depth,
  }
}
