/** What rows and turns of a sheet cost. */
import { messageIdOf, messageOf, none } from '../graph/nodes.js'
import type { RowKind, Sheet } from '../protocol/sheet.js'
import type { SheetContext } from './sheet.js'
import { rowKindOf } from './sheet-columns.js'

/** By row: what the message cost that begins there. */
export interface Spent {
  readonly tokens: Float64Array
  /** In USD; NaN where no price is known, and where no message begins. */
  readonly cost: Float64Array
}

/** T3: a message counts once, at its first row. */
export function spentAt({ graph, rows, options }: SheetContext): Spent {
  const spent: Spent = {
    tokens: new Float64Array(rows.length),
    cost: new Float64Array(rows.length).fill(Number.NaN),
  }
  const seen = new Set<number>()
  for (const [at, { node }] of rows.entries()) {
    const message = messageOf(graph, node)
    if (message === none || seen.has(message) || options.usageOf === undefined) continue
    seen.add(message)
    const usage = options.usageOf(messageIdOf(graph, message))
    if (usage === null) continue
    const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = usage
    spent.tokens[at] = input + output + cacheRead + cacheWrite5m + cacheWrite1h
    spent.cost[at] = options.costOf?.(usage) ?? Number.NaN
  }
  return spent
}

const BEGINNINGS: ReadonlySet<RowKind> = new Set(['prompt', 'queued', 'command'])

/** A turn lasts from what was typed to what is typed next on the same way; agents that it calls are part of it. */
export function sheetTurns({ graph, rows }: SheetContext, { cost }: Spent): Sheet['turns'] {
  const turns = new Int32Array(rows.length).fill(none)
  const sums = new Map<number, number>()
  for (const [at, { node, depth, parents }] of rows.entries()) {
    const begins = depth === 0 && BEGINNINGS.has(rowKindOf(graph, node))
    const turn = begins ? at : (turns[parents[0]?.row ?? at] ?? none)
    turns[at] = turn
    const own = cost[at] ?? Number.NaN
    if (turn !== none && !Number.isNaN(own)) sums.set(turn, (sums.get(turn) ?? 0) + own)
  }
  return [...sums].sort(([a], [b]) => a - b).map(([row, sum]) => [row, rounded(sum)])
}

/** Six digits behind the point are more than anybody is billed for. */
function rounded(cost: number): number {
  return Math.round(cost * 1e6) / 1e6
}
