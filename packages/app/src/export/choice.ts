/** Which rows of a sheet are exported. */

import type { Graph } from '@dagline/core'
import { ROW_KINDS, ROW_MARKS, type Sheet, type SheetLine } from '@dagline/core/protocol'
import { UserError } from '../host/user-error.js'
import { findLine } from '../locate/ref.js'
import type { ExportOptions } from './options.js'

/** For each row, whether it is exported. */
export function chooseRows(
  sheet: Sheet,
  graph: Graph,
  { branch, depth, tools, tree, format }: RowChoice,
): readonly boolean[] {
  const plan = planOf(sheet, graph, branch)
  const ends = lineEnds(sheet, plan, depth)
  // In one file with the session it comes from, history is not repeated. A page needs some row to show.
  const isOwn = sheet.lines.some(({ isShared }) => !isShared) || format === 'md'
  const drops = (line: number): boolean => tree && isOwn && sheet.lines[line]?.isShared === true
  return sheet.rows.node.map((_, row) => {
    const line = sheet.rows.line[row] ?? -1
    return row <= (ends[line] ?? NOT) && !drops(line) && (tools || !isToolRow(sheet, row))
  })
}

type RowChoice = Pick<ExportOptions, 'branch' | 'depth' | 'tools' | 'tree' | 'format'>

/** A line is taken whole, not at all, or up to a row. */
const WHOLE = Number.POSITIVE_INFINITY
const NOT = -1

interface Plan {
  /** Lines of which it is known how far they are taken. The others are taken with the row that they leave. */
  readonly ends: ReadonlyMap<number, number>
  /** Lines that are left out, whatever they leave. */
  readonly drops: (line: SheetLine) => boolean
  /** How far lines are taken that leave nothing. */
  readonly loose: number
  /** Agents around what was selected. */
  readonly depth: number
}

function planOf(sheet: Sheet, graph: Graph, branch: string): Plan {
  const plan = { ends: new Map<number, number>(), loose: WHOLE, depth: 0 }
  if (branch === 'all') return { ...plan, drops: () => false }
  if (branch === 'live') return { ...plan, drops: isAbandoned }
  const { id } = findLine(graph, branch)
  const selected = sheet.lines.findIndex(line => line.id === id)
  if (selected < 0)
    throw new UserError(`${id} is in another session. Run \`dagline branches SESSION\` to list the branches.`)
  const { kind = 'branch', depth = 0 } = sheet.lines[selected] ?? {}
  const ends = pathTo(sheet, selected)
  if (kind === 'agent') return { ends, drops: isAbandoned, loose: NOT, depth }
  return { ends, drops: line => line.kind === 'branch', loose: NOT, depth: 0 }
}

function isAbandoned({ kind, status }: SheetLine): boolean {
  return kind === 'branch' && status !== 'live'
}

/** The lines from the beginning to a line, each with the row where the next one leaves it. An agent begins by itself. */
function pathTo(sheet: Sheet, selected: number): ReadonlyMap<number, number> {
  const path = new Map([[selected, WHOLE]])
  for (let line = sheet.lines[selected]; line?.kind === 'branch' && !path.has(line.parent); ) {
    path.set(line.parent, line.at)
    line = sheet.lines[line.parent]
  }
  if (sheet.lines[selected]?.kind === 'branch')
    for (const [number, line] of sheet.lines.entries()) if (line.isShared) path.set(number, WHOLE)
  return path
}

/** How far each line is taken. A line stands before those that leave it. */
function lineEnds(sheet: Sheet, plan: Plan, depth: number): readonly number[] {
  const ends: number[] = []
  for (const [number, line] of sheet.lines.entries()) {
    const isTaken = line.parent < 0 ? plan.loose === WHOLE : (ends[line.parent] ?? NOT) >= line.at
    const isOut = plan.drops(line) || !isTaken
    const end = plan.ends.get(number) ?? (isOut ? NOT : WHOLE)
    ends.push(line.depth - plan.depth > depth ? NOT : end)
  }
  return ends
}

/** A call without words, or a result. */
function isToolRow({ rows }: Sheet, row: number): boolean {
  const kind = ROW_KINDS[rows.kind[row] ?? -1]
  return kind === 'result' || (kind === 'call' && ((rows.marks[row] ?? 0) & ROW_MARKS.speaks) === 0)
}
