/** Where one can go another way: all branches by the row that they leave. */

import type { Fork } from '../graph/fork-list.js'
import type { Line } from '../graph/lines.js'
import { none, timeOf } from '../graph/nodes.js'
import type { SheetFork } from '../protocol/sheet.js'
import type { SheetContext } from './sheet.js'

/** The forks of a sheet, from top to bottom. */
export function sheetForks(context: SheetContext): readonly SheetFork[] {
  const verdicts = verdictsByBranch(context)
  const forks: SheetFork[] = []
  for (const [place, branches] of branchesByPlace(context)) {
    const at = place < 0 ? none : place
    const row = at === none ? none : (context.rowOf[at] ?? none)
    const verdict = branches.map(line => verdicts.get(line.head ?? none)).find(known => known !== undefined)
    const ways = waysOf(context, at, branches)
    // Of history that is shared only one way is here.
    if (ways.length < 2) continue
    forks.push({
      row,
      kind: verdict?.kind ?? 'rewind',
      rule: verdict?.rule ?? 'F12',
      evidence: verdict?.evidence ?? 'several ways go on from here',
      ways,
    })
  }
  return forks.sort((a, b) => a.row - b.row)
}

function verdictsByBranch({ graph }: SheetContext): ReadonlyMap<number, Fork> {
  const verdicts = new Map<number, Fork>()
  for (const fork of graph.forks()) for (const head of fork.branches) verdicts.set(head, fork)
  return verdicts
}

/** Branches by the node they leave; those that leave none of this session by their conversation, below zero. */
function branchesByPlace({ graph, rowOf, lineOf }: SheetContext): ReadonlyMap<number, readonly Line[]> {
  const places = new Map<number, Line[]>()
  for (const line of graph.lines()) {
    if (line.kind !== 'branch' || (lineOf[line.index] ?? none) < 0) continue
    const at = line.at ?? none
    const place = (rowOf[at] ?? none) >= 0 ? at : -1 - line.domain.index
    const known = places.get(place)
    if (known === undefined) places.set(place, [line])
    else known.push(line)
  }
  return places
}

/** The lines one can go on with, in the order of writing; -1 is the line of the fork itself, going on. */
function waysOf(
  { graph, lineOf, rowOf }: SheetContext,
  at: number,
  branches: readonly Line[],
): readonly number[] {
  const home = at === none ? trunkOf(graph.lines(), branches) : graph.lineOf(at)
  const after = at === none ? (home?.head ?? none) : nodeAfter(home, at)
  const next = after !== none && (rowOf[after] ?? none) < 0 ? none : after
  const ways = branches.map(line => ({
    way: lineOf[line.index] ?? none,
    begun: timeOf(graph, line.head ?? none),
  }))
  const own = at === none && home !== null ? (lineOf[home.index] ?? none) : none
  if (next !== none) ways.push({ way: own, begun: timeOf(graph, next) })
  return ways.sort((a, b) => compare(a.begun, b.begun)).map(({ way }) => way)
}

function trunkOf(lines: readonly Line[], [branch]: readonly Line[]): Line | null {
  const isHome = (line: Line): boolean =>
    line.kind !== 'branch' && line.domain.index === branch?.domain.index && line.nodes.length > 0
  return lines.find(isHome) ?? null
}

function nodeAfter(line: Line | null, node: number): number {
  const place = line?.nodes.indexOf(node) ?? none
  return place < 0 ? none : (line?.nodes[place + 1] ?? none)
}

/** By time; what is not dated stays where it is. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
