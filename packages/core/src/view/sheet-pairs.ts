/** T4: the results of a sheet and their calls. */
import { none } from '../graph/nodes.js'
import { groupBy } from '../model/group.js'
import type { Sheet } from '../protocol/sheet.js'
import { type Pairs, pairResults, speaks } from './pairs.js'
import type { SheetContext } from './sheet.js'

/** The pairs of all lines, by row. The sheet has every entry, thinking included. */
export function pairRows({ graph, rows }: SheetContext): Pairs {
  const pairs: Pairs = {
    call: new Int32Array(rows.length).fill(none),
    isJoined: new Uint8Array(rows.length),
  }
  const all = rows.map(({ node, line }, row) => ({ node, line, row }))
  for (const own of groupBy(all, ({ line }) => line.index).values()) {
    const nodes = own.map(({ node }) => node)
    const found = pairResults(graph, nodes, node => speaks(graph, node))
    for (const [place, { row }] of own.entries()) {
      pairs.call[row] = own[found.call[place] ?? none]?.row ?? none
      pairs.isJoined[row] = found.isJoined[place] ?? 0
    }
  }
  return pairs
}

/** Results that stay where they came: `[row of the result, row of its call]`. */
export function lateResults({ call, isJoined }: Pairs): Sheet['late'] {
  const late: (readonly [number, number])[] = []
  for (const [row, from] of call.entries()) if (from >= 0 && isJoined[row] === 0) late.push([row, from])
  return late
}
