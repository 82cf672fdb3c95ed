/** Where one can go another way: all branches by the row that they leave. */
import type { Fork } from '../graph/fork-list.js'
import type { Line } from '../graph/lines.js'
import * as t from '../graph/table.js'
import type { SheetFork } from '../protocol/sheet.js'
import type { Ground } from './sheet.js'

/** The forks of a sheet, from top to bottom. */
export function sheetForks(ground: Ground): readonly SheetFork[] {
  const verdicts = verdictsByBranch(ground)
  const forks: SheetFork[] = []
  for (const [place, branches] of branchesByPlace(ground)) {
    const at = place < 0 ? t.none : place
    const row = at === t.none ? t.none : t.int(ground.rowOf, at)
    const verdict = branches.map(line => verdicts.get(line.head)).find(known => known !== undefined)
    const ways = waysOf(ground, at, branches)
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

function verdictsByBranch({ graph }: Ground): ReadonlyMap<number, Fork> {
  const verdicts = new Map<number, Fork>()
  for (const fork of graph.forks()) for (const head of fork.branches) verdicts.set(head, fork)
  return verdicts
}

/** Branches by the node they leave; those that leave none of this session by their conversation, below zero. */
function branchesByPlace({ graph, rowOf, lineOf }: Ground): ReadonlyMap<number, readonly Line[]> {
  const places = new Map<number, Line[]>()
  for (const line of graph.lines()) {
    if (line.kind !== 'branch' || t.int(lineOf, line.index) < 0) continue
    const isHere = line.at !== t.none && t.int(rowOf, line.at) >= 0
    const place = isHere ? line.at : -1 - line.domain.index
    const known = places.get(place)
    if (known === undefined) places.set(place, [line])
    else known.push(line)
  }
  return places
}

/** The lines one can go on with, in the order of writing; -1 is the line of the fork itself, going on. */
function waysOf({ graph, lineOf, rowOf }: Ground, at: number, branches: readonly Line[]): readonly number[] {
  const { time } = graph.state.table
  const home = at === t.none ? trunkOf(graph.lines(), branches) : graph.lineOf(at)
  const after = at === t.none ? (home?.head ?? t.none) : nodeAfter(home, at)
  const next = after !== t.none && t.int(rowOf, after) < 0 ? t.none : after
  const ways = branches.map(line => ({ way: t.int(lineOf, line.index), begun: t.real(time, line.head) }))
  const own = at === t.none && home !== null ? t.int(lineOf, home.index) : t.none
  if (next !== t.none) ways.push({ way: own, begun: t.real(time, next) })
  return ways.sort((a, b) => compare(a.begun, b.begun)).map(({ way }) => way)
}

function trunkOf(lines: readonly Line[], [branch]: readonly Line[]): Line | null {
  const isHome = (line: Line): boolean =>
    line.kind !== 'branch' && line.domain.index === branch?.domain.index && line.nodes.length > 0
  return lines.find(isHome) ?? null
}

function nodeAfter(line: Line | null, node: number): number {
  const place = line?.nodes.indexOf(node) ?? t.none
  return place < 0 ? t.none : (line?.nodes[place + 1] ?? t.none)
}

/** By time; what is not dated stays where it is. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
