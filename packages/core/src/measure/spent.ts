/** Tokens and money, in a form that can be added up. */

import { isAnswer, messageIdOf, messageOf, none } from '../graph/nodes.js'
import type { Usage } from '../model/entry.js'
import type { MessageId } from '../model/ids.js'
import { addFields } from './rows.js'
import type { MeasureOptions, MeasureScope } from './scope.js'

/** What messages used: each counts once (T3). */
export interface Spent extends Usage {
  readonly messages: number
  /** Of the messages whose price is known; null where there is none. */
  readonly costUSD: number | null
  /** Messages whose price is not known. */
  readonly unpriced: number
}

/** Nothing spent. */
export const nothingSpent: Spent = {
  messages: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  costUSD: null,
  unpriced: 0,
}

/** What is looked up to tell what messages used. */
export interface Priced extends Pick<MeasureScope, 'graph' | 'usage'> {
  readonly options: Pick<MeasureOptions, 'costOf'>
}

/** What the messages among some nodes used, less those `seen` before; `seen` learns of them. */
export function spentOn(scope: Priced, nodes: Iterable<number>, seen: Set<number>): Spent {
  const { graph } = scope
  let sum = nothingSpent
  for (const node of nodes) {
    const message = isAnswer(graph, node) ? messageOf(graph, node) : none
    if (message === none || seen.has(message)) continue
    seen.add(message)
    const id = messageIdOf(graph, message)
    const usage = scope.usage.get(id)
    if (usage !== undefined) sum = addSpent(sum, spentBy(scope, id, usage))
  }
  return sum
}

function spentBy({ options }: Priced, message: MessageId, usage: Usage): Spent {
  const costUSD = options.costOf?.(message) ?? null
  return { ...usage, messages: 1, costUSD, unpriced: costUSD === null ? 1 : 0 }
}

/** Both together. */
export function addSpent(a: Spent, b: Spent): Spent {
  const isPriced = a.costUSD !== null || b.costUSD !== null
  return { ...addFields(a, b), costUSD: isPriced ? (a.costUSD ?? 0) + (b.costUSD ?? 0) : null }
}
