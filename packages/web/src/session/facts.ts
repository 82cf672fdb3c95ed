/** What is asked of a sheet row by row, found once: words, compactions, diagnostics and the like by their row. */
import {
  isMarked,
  kindAt,
  plainHead,
  ROW_MARKS,
  type Sheet,
  type SheetDiagnostic,
  type SheetEpoch,
  type SheetJunction,
  type SheetLine,
  type SheetQueued,
} from '@dagline/core'

export interface SheetFacts {
  readonly words: ReadonlyMap<number, string>
  readonly epochs: ReadonlyMap<number, SheetEpoch>
  /** T4: by the row of a late result, that of its call. */
  readonly late: ReadonlyMap<number, number>
  readonly junctions: ReadonlyMap<number, readonly SheetJunction[]>
  readonly queue: ReadonlyMap<number, readonly SheetQueued[]>
  readonly diagnostics: ReadonlyMap<number, readonly SheetDiagnostic[]>
  /** By line: whether it was left, or hangs on one that was. */
  readonly left: readonly boolean[]
  /** By line: messages on it. */
  readonly messages: readonly number[]
  /** By line: what it cost with the agents that it called, and theirs; null without a known price. */
  readonly costs: readonly (number | null)[]
  /** By line: how many branches leave it, and those. */
  readonly inner: readonly number[]
  /** What turns cost, by the row of their prompt. */
  readonly turns: ReadonlyMap<number, number>
  /** The row of a uuid, copies included; -1 for none. */
  readonly rowOf: (node: string) => number
  /** The same for the beginning of a uuid; -1 also where several begin so. */
  readonly rowStarting: (start: string) => number
  readonly totals: Totals
}

/** The figures in the header: of what was said in this session, not of what it shares with another. */
interface Totals {
  readonly prompts: number
  readonly messages: number
  readonly calls: number
  readonly failed: number
  readonly agents: number
  readonly compactions: number
  readonly cost: number | null
  readonly tokens: number
  /** Messages that the next request does not carry. */
  readonly unsent: number
  /** Branches that were left, and what they hold. */
  readonly left: { readonly branches: number; readonly messages: number; readonly cost: number | null }
}

/** Looks a sheet through once. */
export function factsOf(sheet: Sheet): SheetFacts {
  const left = leftLines(sheet.lines)
  return {
    words: new Map(sheet.words.map(([row, words]) => [row, plainHead(words)])),
    epochs: new Map(sheet.epochs.map(epoch => [epoch.row, epoch])),
    late: new Map(sheet.late),
    junctions: byRow(sheet.junctions),
    queue: byRow(sheet.queue),
    diagnostics: byRow(sheet.diagnostics),
    left,
    messages: countMessages(sheet),
    costs: sumAgents(sheet.lines),
    inner: countInner(sheet.lines),
    turns: new Map(sheet.turns),
    rowOf: findRows(sheet),
    rowStarting: start => onlyRow(sheet, start),
    totals: totalsOf(sheet, left),
  }
}

/** A way that was left, as people see it: branches that are no longer what goes on. */
export function isLeft({ status }: SheetLine): boolean {
  return status !== 'live' && status !== 'copy'
}

function isLeftBranch(line: SheetLine | undefined): boolean {
  return line !== undefined && isLeft(line) && line.kind === 'branch' && line.depth === 0
}

function leftLines(lines: readonly SheetLine[]): readonly boolean[] {
  const left: boolean[] = []
  // A line stands before those that leave it.
  for (const [at, line] of lines.entries()) {
    left.push(isLeft(line) || (line.parent < at && left[line.parent] === true))
  }
  return left
}

function countMessages(sheet: Sheet): readonly number[] {
  const counts = sheet.lines.map(() => 0)
  for (let row = 0; row < sheet.rows.node.length; row++) {
    const line = sheet.rows.line[row] ?? -1
    if (isMessage(sheet, row)) counts[line] = (counts[line] ?? 0) + 1
  }
  return counts
}

/** Whether a message begins at a row: as `dagline branches` counts them. */
export function isMessage(sheet: Sheet, row: number): boolean {
  return isMarked(sheet, row, ROW_MARKS.message)
}

/** X4: what agents cost is on the branch that called them. A line stands before those that leave it. */
function sumAgents(lines: readonly SheetLine[]): readonly (number | null)[] {
  const costs = lines.map(({ cost }) => cost)
  for (let at = lines.length - 1; at >= 0; at--) {
    const { parent = -1, depth = 0 } = lines[at] ?? {}
    if (depth > 0 && parent >= 0 && parent < at)
      costs[parent] = sumCosts([costs[parent] ?? null, costs[at] ?? null])
  }
  return costs
}

function countInner(lines: readonly SheetLine[]): readonly number[] {
  const counts = lines.map(() => 0)
  for (let at = lines.length - 1; at >= 0; at--) {
    const { parent = -1, kind } = lines[at] ?? {}
    if (parent >= 0 && parent < at)
      counts[parent] = (counts[parent] ?? 0) + (counts[at] ?? 0) + (kind === 'branch' ? 1 : 0)
  }
  return counts
}

function byRow<T extends { readonly row: number }>(items: readonly T[]): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>()
  for (const item of items) {
    const known = groups.get(item.row)
    if (known === undefined) groups.set(item.row, [item])
    else known.push(item)
  }
  return groups
}

/** The map is made when it is first asked for: most readers never follow a link. */
function findRows(sheet: Sheet): (node: string) => number {
  let rows: Map<string, number> | null = null
  return node => {
    rows ??= new Map([
      ...sheet.also.map(([row, uuid]) => [uuid, row] as const),
      // Where an export leaves the row out that a session goes on from, its link leads to the one above.
      ...sheet.junctions.map(({ node: uuid, row }) => [uuid, row] as const),
      ...sheet.rows.node.map((uuid, row) => [uuid, row] as const),
    ])
    return rows.get(node) ?? -1
  }
}

/** A link may hold the first signs of a uuid only; fewer than these are no link. */
const SHORTEST = 6

function onlyRow({ rows, also }: Sheet, start: string): number {
  if (start.length < SHORTEST) return -1
  const found = new Set<number>()
  rows.node.forEach((uuid, row) => void (uuid.startsWith(start) && found.add(row)))
  for (const [row, uuid] of also) if (uuid.startsWith(start)) found.add(row)
  const [only = -1] = found
  return found.size === 1 ? only : -1
}

function totalsOf(sheet: Sheet, left: readonly boolean[]): Totals {
  const own = sheet.lines.filter(line => !line.isShared)
  const costs = sumAgents(sheet.lines)
  const gone = costs.filter((_, at) => isLeftBranch(sheet.lines[at]))
  const counts = countRows(sheet, left)
  return {
    ...counts,
    agents: own.filter(line => line.kind === 'agent').length,
    compactions: sheet.epochs.filter(({ row, isUnfinished }) => !isUnfinished && !isSharedRow(sheet, row))
      .length,
    cost: sumCosts(own.map(line => line.cost)),
    tokens: own.reduce((sum, line) => sum + line.tokens, 0),
    unsent: countUnsent(sheet),
    left: {
      branches: gone.length,
      messages: counts.left,
      cost: sumCosts(gone),
    },
  }
}

/** Whether a row is of history that the session shares with another. */
function isSharedRow(sheet: Sheet, row: number): boolean {
  return sheet.lines[sheet.rows.line[row] ?? -1]?.isShared === true
}

interface Counts {
  prompts: number
  messages: number
  calls: number
  failed: number
  left: number
}

function countRows(sheet: Sheet, left: readonly boolean[]): Counts {
  const counts: Counts = { prompts: 0, messages: 0, calls: 0, failed: 0, left: 0 }
  for (let row = 0; row < sheet.rows.node.length; row++) countRow(sheet, row, counts, left)
  return counts
}

function countRow(sheet: Sheet, row: number, counts: Counts, left: readonly boolean[]): void {
  const line = sheet.rows.line[row] ?? -1
  const known = sheet.lines[line]
  if (known?.isShared === true) return
  const kind = kindAt(sheet, row)
  if (kind === 'prompt' && known?.depth === 0) counts.prompts++
  if (kind === 'error') counts.failed++
  if (kind === 'call') counts.calls++
  if (!isMessage(sheet, row)) return
  counts.messages++
  if (left[line] === true && known?.depth === 0) counts.left++
}

function countUnsent(sheet: Sheet): number {
  let count = 0
  for (let row = 0; row < sheet.rows.node.length; row++) if (isMessage(sheet, row)) count++
  for (const row of sheet.live) if (isMessage(sheet, row)) count--
  return count
}

/** The sum of what is known; null where nothing is. */
export function sumCosts(costs: readonly (number | null)[]): number | null {
  const known = costs.filter(cost => cost !== null)
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}
