/** What happens at some rows of a sheet: forks, compactions, and sessions that go on elsewhere. */

import { type Epoch, epochLabel, isUnfinished } from '../graph/epochs.js'
import type { Fork } from '../graph/fork-list.js'
import type { Line } from '../graph/lines.js'
import { none, timeOf } from '../graph/nodes.js'
import { droppedBy } from '../measure/dropped.js'
import { pushTo } from '../model/group.js'
import type { SheetEpoch, SheetFork, SheetJunction } from '../protocol/sheet.js'
import { countMessages } from './order.js'
import type { SheetContext } from './sheet.js'

/** The forks of a sheet, from top to bottom. */
export function sheetForks(context: SheetContext): readonly SheetFork[] {
  const verdicts = verdictsByBranch(context)
  const forks: SheetFork[] = []
  for (const [key, branches] of branchesByFork(context)) {
    const at = key < 0 ? none : key
    const row = at === none ? none : (context.rowOf[at] ?? none)
    const verdict = branches.map(line => verdicts.get(line.head ?? none)).find(known => known !== undefined)
    const choices = choicesAt(context, at, branches)
    // Of history that is shared only one branch is here.
    if (choices.length < 2) continue
    forks.push({
      row,
      kind: verdict?.kind ?? 'rewind',
      rule: verdict?.rule ?? 'F12',
      evidence: verdict?.evidence ?? 'several branches go on from here',
      branches: choices,
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
function branchesByFork({ graph, rowOf, lineOf }: SheetContext): ReadonlyMap<number, readonly Line[]> {
  const branches = new Map<number, Line[]>()
  for (const line of graph.lines()) {
    if (line.kind !== 'branch' || (lineOf[line.index] ?? none) < 0) continue
    const at = line.at ?? none
    const key = (rowOf[at] ?? none) >= 0 ? at : -1 - line.domain.index
    pushTo(branches, key, line)
  }
  return branches
}

/** The lines one can go on with, in the order of writing; -1 is the line of the fork itself, going on. */
function choicesAt(
  { graph, lineOf, rowOf }: SheetContext,
  at: number,
  branches: readonly Line[],
): readonly number[] {
  const home = at === none ? trunkOf(graph.lines(), branches) : graph.lineOf(at)
  const after = at === none ? (home?.head ?? none) : nodeAfter(home, at)
  const next = after !== none && (rowOf[after] ?? none) < 0 ? none : after
  const choices = branches.map(line => ({
    line: lineOf[line.index] ?? none,
    begun: timeOf(graph, line.head ?? none),
  }))
  const own = at === none && home !== null ? (lineOf[home.index] ?? none) : none
  if (next !== none) choices.push({ line: own, begun: timeOf(graph, next) })
  return choices.sort((a, b) => compare(a.begun, b.begun)).map(({ line }) => line)
}

function trunkOf(lines: readonly Line[], [branch]: readonly Line[]): Line | null {
  const isHome = (line: Line): boolean =>
    line.kind !== 'branch' && line.domain.index === branch?.domain.index && line.nodes.length > 0
  return lines.find(isHome) ?? null
}

function nodeAfter(line: Line | null, node: number): number {
  const index = line?.nodes.indexOf(node) ?? none
  return index < 0 ? none : (line?.nodes[index + 1] ?? none)
}

/** By time; what is not dated stays where it is. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** C3: the compactions of a sheet, from top to bottom. */
export function sheetEpochs(context: SheetContext): readonly SheetEpoch[] {
  const { graph, rows, rowOf } = context
  const epochs = new Map(graph.epochs().map(epoch => [rowOf[epoch.boundary] ?? none, epoch]))
  return rows.flatMap((_, row) => {
    const epoch = epochs.get(row)
    return epoch === undefined ? [] : [describe(context, epoch, row)]
  })
}

function describe({ graph, rowOf }: SheetContext, epoch: Epoch, row: number): SheetEpoch {
  const kept = epoch.preserved.map(node => rowOf[node] ?? none).filter(at => at >= 0)
  return {
    row,
    label: epochLabel(epoch),
    trigger: epoch.trigger,
    preTokens: epoch.preTokens,
    postTokens: epoch.postTokens,
    durationMs: epoch.durationMs,
    isUnfinished: isUnfinished(epoch),
    dropped: countMessages(graph, droppedBy(graph, epoch)),
    kept,
    summary: rowOf[epoch.summary ?? none] ?? none,
  }
}

/** S2: sessions that go on from a row. */
export function sheetJunctions({ graph, rows, session, options }: SheetContext): readonly SheetJunction[] {
  return rows.flatMap(({ node, junctions }, row) =>
    junctions
      .filter(junction => junction.session !== session)
      .map(({ session: other, how }) => ({
        row,
        node: graph.id(node),
        session: other,
        title: options.titleOf?.(other) ?? null,
        how,
      })),
  )
}
