/** S8: what a session holds itself, without the history that it shares with another one. */
import { sumCosts } from '../model/group.js'
import { ROW_MARKS, type Sheet, type SheetLine } from '../protocol/sheet.js'
import { isLeftBranch, isMarked } from './fold-choice.js'

/** What a session holds itself, without the history that it shares. */
export interface OwnFigures {
  readonly turns: number
  /** L12: abandoned branches. */
  readonly branches: number
  /** Subagents, warm-ups aside. */
  readonly agents: number
  /** In USD; null without a known price. */
  readonly cost: number | null
}

/** The figures of a session. Linear in its rows. */
export function ownFigures(sheet: Sheet): OwnFigures {
  const { lines, rows } = sheet
  const own = lines.filter(({ isShared }) => !isShared)
  return {
    turns: rows.line.filter((line, row) => isOwnTurn(sheet, lines[line], row)).length,
    branches: lines.filter(({ isShared }, line) => !isShared && isLeftBranch(sheet, line)).length,
    agents: own.filter(isRun).length,
    cost: sumCosts(own.map(({ cost }) => cost)),
  }
}

/** Whether a line is that of a subagent that counts. */
export function isRun({ kind, agent }: SheetLine): boolean {
  return kind === 'agent' && agent?.state !== 'warmup'
}

function isOwnTurn(sheet: Sheet, line: SheetLine | undefined, row: number): boolean {
  return line?.depth === 0 && !line.isShared && isMarked(sheet, row, ROW_MARKS.turn)
}
