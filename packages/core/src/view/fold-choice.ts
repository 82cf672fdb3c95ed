/** What a reader has chosen to see of a sheet: how much detail, which branch at each fork, what is opened. */
import { isAbandoned } from '../model/status.js'
import { EDGE_KINDS, ROW_KINDS, ROW_MARKS, type RowKind, type Sheet } from '../protocol/sheet.js'

/** How much of a session is shown: prompts; prompts and answers; tool calls, too; everything. */
export type DetailLevel = 'prompts' | 'conversation' | 'tools' | 'all'

/** What a reader has chosen to see of a session. */
export interface FoldChoice {
  readonly level: DetailLevel
  /** Only what the next request would carry. */
  readonly liveOnly: boolean
  /** By index of the fork, the index of the branch that was chosen there. The live one where none was. */
  readonly branches: ReadonlyMap<number, number>
  /** Branches and agents that are opened in place, by line; the rest of a line after a fork by `tailKey`. */
  readonly open: ReadonlySet<number>
}

/** The choice that a session opens with. */
export const FIRST_CHOICE: FoldChoice = {
  level: 'tools',
  liveOnly: false,
  branches: new Map(),
  open: new Set(),
}

/** No row, no line. */
export const NONE: -1 = -1

/** Which branch of a fork is shown, by its index in `SheetFork.branches`: the chosen one, else the one that goes on. */
export function branchAt(sheet: Sheet, fork: number, choice: FoldChoice): number {
  const branches = sheet.forks[fork]?.branches ?? []
  const chosen = choice.liveOnly ? undefined : choice.branches.get(fork)
  if (chosen !== undefined && chosen < branches.length) return chosen
  const live = branches.findIndex(branch => sheet.lines[branch]?.status === 'live')
  if (live >= 0) return live
  const onward = branches.findIndex(branch => edgeOf(sheet, sheet.lines[branch]?.head ?? NONE) === 'line')
  if (onward >= 0) return onward
  const own = branches.indexOf(NONE)
  return own >= 0 ? own : branches.length - 1
}

/** The number that stands in `FoldChoice.open` for the rest of a fork's own line after the fork. */
export function tailKey(sheet: Sheet, fork: number): number {
  return sheet.lines.length + fork
}

/** The choice changed as little as needed for a row of the sheet to be shown. */
export function reveal(sheet: Sheet, row: number, choice: FoldChoice): FoldChoice {
  const branches = new Map(choice.branches)
  const open = new Set(choice.open)
  let at = row
  let line = sheet.rows.line[row] ?? NONE
  for (let step = 0; step <= sheet.lines.length && line >= 0; step++) {
    for (const [fork, branch] of branchesTo(sheet, line, at))
      if (!choice.open.has(keyOf(sheet, fork, branch))) branches.set(fork, branch)
    if (sheet.lines[line]?.kind === 'agent') open.add(line)
    if (sheet.lines[line]?.isShared === true) open.add(sheet.rows.line[0] ?? line)
    at = sheet.lines[line]?.at ?? NONE
    line = sheet.lines[line]?.parent ?? NONE
  }
  return {
    level: levelFor(sheet, row, choice.level),
    liveOnly: choice.liveOnly && isMarked(sheet, row, ROW_MARKS.live),
    branches,
    open,
  }
}

/** The number in `FoldChoice.open` of a branch, which is shown without being taken where it is opened. */
function keyOf(sheet: Sheet, fork: number, branch: number): number {
  const line = sheet.forks[fork]?.branches[branch] ?? NONE
  return line >= 0 ? line : tailKey(sheet, fork)
}

/** The level itself, or the first with more detail that shows the row, or the call it stands with. */
function levelFor(sheet: Sheet, row: number, level: DetailLevel): DetailLevel {
  const call = joinOf(sheet, row)
  const shows = (at: DetailLevel): boolean =>
    showsKind(at, sheet, row) || (call >= 0 && showsKind(at, sheet, call))
  return LEVELS.slice(LEVELS.indexOf(level)).find(shows) ?? 'all'
}

/** The branches to take so that a line is shown up to a row: its own, and going on by itself at the forks before the row. */
function* branchesTo(sheet: Sheet, line: number, row: number): Generator<readonly [number, number]> {
  for (const [fork, { row: from, branches }] of sheet.forks.entries()) {
    const own = from >= 0 && from < row && sheet.rows.line[from] === line ? branches.indexOf(NONE) : NONE
    const branch = own >= 0 ? own : branches.indexOf(line)
    if (branch >= 0) yield [fork, branch]
  }
}

/** From little to much. */
const LEVELS: readonly DetailLevel[] = ['prompts', 'conversation', 'tools', 'all']

const PROMPTS: readonly RowKind[] = ['prompt', 'queued', 'compaction']
const CONVERSATION: readonly RowKind[] = [...PROMPTS, 'text', 'summary', 'command', 'interrupt', 'error']
const TOOLS: readonly RowKind[] = [...CONVERSATION, 'call', 'result', 'thinking', 'output', 'notification']
const SHOWN: Readonly<Record<DetailLevel, ReadonlySet<RowKind>>> = {
  prompts: new Set(PROMPTS),
  conversation: new Set(CONVERSATION),
  tools: new Set(TOOLS),
  all: new Set(ROW_KINDS),
}

/** Whether a level of detail shows a row. */
export function showsKind(level: DetailLevel, sheet: Sheet, row: number): boolean {
  const kind = kindAt(sheet, row)
  const isSpeech = level === 'conversation' && kind === 'call' && isMarked(sheet, row, ROW_MARKS.speaks)
  return isSpeech || SHOWN[level].has(kind) || isMarked(sheet, row, ROW_MARKS.turn)
}

/** The kind of a row of a sheet. */
export function kindAt({ rows }: Sheet, row: number): RowKind {
  return ROW_KINDS[rows.kind[row] ?? NONE] ?? 'other'
}

/** How a row hangs on the one above it. */
export function edgeOf({ rows }: Sheet, row: number): (typeof EDGE_KINDS)[number] {
  return EDGE_KINDS[rows.edge[row] ?? 0] ?? 'none'
}

/** The row of the call that a result is shown with; -1 for a row that is not such a result. */
export function joinOf({ rows }: Sheet, row: number): number {
  const distance = rows.joins[row] ?? 0
  return distance === 0 ? NONE : row - distance
}

/** Whether a row has one of `ROW_MARKS`. */
export function isMarked({ rows }: Sheet, row: number, mark: number): boolean {
  return ((rows.marks[row] ?? 0) & mark) !== 0
}

/** L12: whether a line begins an abandoned branch of the session; one that goes on over its own forks is one. */
export function isLeftBranch({ lines }: Sheet, at: number): boolean {
  const line = lines[at]
  if (line === undefined || line.kind !== 'branch' || line.depth > 0 || !isAbandoned(line)) return false
  const above = lines[line.parent]
  return above?.next !== at || above.status !== 'abandoned' || line.status !== 'abandoned'
}
