/** T4: the results of a sheet and their calls. */
import * as t from '../graph/table.js'
import { groupBy } from '../model/group.js'
import type { Sheet } from '../protocol/sheet.js'
import { type Pairs, pairResults, speaks } from './pairs.js'
import type { Ground } from './sheet.js'

/** The pairs of all lines, by row. The sheet has every entry, thinking included. */
export function pairRows({ graph: { state }, rows }: Ground): Pairs {
  const pairs: Pairs = {
    call: new Int32Array(rows.length).fill(t.none),
    isJoined: new Uint8Array(rows.length),
  }
  const all = rows.map(({ node, line }, row) => ({ node, line, row }))
  for (const own of groupBy(all, ({ line }) => line.index).values()) {
    const nodes = own.map(({ node }) => node)
    const found = pairResults(state, nodes, node => speaks(state, node))
    for (const [place, { row }] of own.entries()) {
      pairs.call[row] = own[t.int(found.call, place)]?.row ?? t.none
      pairs.isJoined[row] = t.byte(found.isJoined, place)
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
