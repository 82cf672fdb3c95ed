/** Facts about a sheet, computed once and looked up by row or by line: words, compactions, costs, totals. */

import { plainHead } from '@dagline/core'
import { groupBy, sumCosts } from '@dagline/core/model'
import {
  ROW_MARKS,
  type Sheet,
  type SheetDiagnostic,
  type SheetEpoch,
  type SheetJunction,
  type SheetLine,
  type SheetQueued,
} from '@dagline/core/protocol'
import { isAbandoned, isMarked, kindAt, ownFigures } from '@dagline/core/view'

export interface SheetFacts {
  readonly words: ReadonlyMap<number, string>
  readonly epochs: ReadonlyMap<number, SheetEpoch>
  /** T4: the row of the call, by the row of its late result. */
  readonly late: ReadonlyMap<number, number>
  readonly junctions: ReadonlyMap<number, readonly SheetJunction[]>
  readonly queue: ReadonlyMap<number, readonly SheetQueued[]>
  readonly diagnostics: ReadonlyMap<number, readonly SheetDiagnostic[]>
  /** By line: whether it is abandoned, or leaves a line that is. */
  readonly abandoned: readonly boolean[]
  /** L12: by line: the number of messages, on over its last fork. */
  readonly messages: readonly number[]
  /** L12: by line: the cost, including its subagents at any depth, on over its last fork; null without a known price. */
  readonly costs: readonly (number | null)[]
  /** L12: by line: how many other branches leave it on the way, directly or through other branches. */
  readonly inner: readonly number[]
  /** The cost of turns, by the row of their prompt. */
  readonly turns: ReadonlyMap<number, number>
  /** The row of a uuid, also of a copy; -1 for none. */
  readonly rowOf: (node: string) => number
  /** The row of the only uuid with this prefix; -1 for none or several. */
  readonly rowStarting: (start: string) => number
  readonly totals: Totals
}

/** The figures in the header. History that is shared with another session is not counted. */
interface Totals {
  readonly turns: number
  readonly messages: number
  readonly calls: number
  readonly failed: number
  readonly agents: number
  readonly compactions: number
  readonly cost: number | null
  readonly tokens: number
  /** Messages of the conversation itself that are not live. */
  readonly notLive: number
  /** Messages of the history that it shares with another session. */
  readonly shared: number
  /** Abandoned branches and their contents. */
  readonly abandoned: { readonly branches: number; readonly messages: number; readonly cost: number | null }
}

/** Computes the facts of a sheet. Linear in its rows. */
export function collectFacts(sheet: Sheet): SheetFacts {
  const abandoned = abandonedLines(sheet.lines)
  return {
    words: new Map(sheet.words.map(([row, words]) => [row, plainHead(words)])),
    epochs: new Map(sheet.epochs.map(epoch => [epoch.row, epoch])),
    late: new Map(sheet.late),
    junctions: byRow(sheet.junctions),
    queue: byRow(sheet.queue),
    diagnostics: byRow(sheet.diagnostics),
    abandoned,
    messages: alongNext(sheet.lines, countMessages(sheet), (a, b) => a + b),
    costs: alongNext(sheet.lines, sumAgents(sheet.lines), (a, b) => sumCosts([a, b])),
    inner: countInner(sheet.lines),
    turns: new Map(sheet.turns),
    rowOf: findRows(sheet),
    rowStarting: start => onlyRow(sheet, start),
    totals: totalsOf(sheet, abandoned),
  }
}

function isAbandonedLine(line: SheetLine | undefined): boolean {
  return line !== undefined && isAbandoned(line) && line.kind === 'branch' && line.depth === 0
}

function abandonedLines(lines: readonly SheetLine[]): readonly boolean[] {
  const abandoned: boolean[] = []
  // A line comes before the lines that leave it.
  for (const [at, line] of lines.entries()) {
    abandoned.push(isAbandoned(line) || (line.parent < at && abandoned[line.parent] === true))
  }
  return abandoned
}

function countMessages(sheet: Sheet): readonly number[] {
  const counts = sheet.lines.map(() => 0)
  for (let row = 0; row < sheet.rows.node.length; row++) {
    const line = sheet.rows.line[row] ?? -1
    if (isMessage(sheet, row)) counts[line] = (counts[line] ?? 0) + 1
  }
  return counts
}

/** Whether a message begins at a row. `dagline branches` counts messages in the same way. */
export function isMessage(sheet: Sheet, row: number): boolean {
  return isMarked(sheet, row, ROW_MARKS.message)
}

/** X4: the cost of a subagent belongs to the branch that called it. A line comes before the lines that leave it. */
function sumAgents(lines: readonly SheetLine[]): readonly (number | null)[] {
  const costs = lines.map(({ cost }) => cost)
  for (let at = lines.length - 1; at >= 0; at--) {
    const { parent = -1, depth = 0 } = lines[at] ?? {}
    if (depth > 0 && parent >= 0 && parent < at)
      costs[parent] = sumCosts([costs[parent] ?? null, costs[at] ?? null])
  }
  return costs
}

/** L12: figures of lines, each with that of the line by which it goes on. A line comes before the lines that leave it. */
function alongNext<T>(lines: readonly SheetLine[], own: readonly T[], add: (a: T, b: T) => T): readonly T[] {
  const sums = [...own]
  for (let at = lines.length - 1; at >= 0; at--) {
    const [sum, rest] = [sums[at], sums[lines[at]?.next ?? -1]]
    if (sum !== undefined && rest !== undefined) sums[at] = add(sum, rest)
  }
  return sums
}

function countInner(lines: readonly SheetLine[]): readonly number[] {
  const counts = lines.map(() => 0)
  for (let at = lines.length - 1; at >= 0; at--) {
    const { parent = -1, kind } = lines[at] ?? {}
    if (parent < 0 || parent >= at) continue
    const isOther = kind === 'branch' && lines[parent]?.next !== at
    counts[parent] = (counts[parent] ?? 0) + (counts[at] ?? 0) + (isOther ? 1 : 0)
  }
  return counts
}

function byRow<T extends { readonly row: number }>(items: readonly T[]): ReadonlyMap<number, readonly T[]> {
  return groupBy(items, ({ row }) => row)
}

/** The map is built on first use: most readers never follow a link. */
function findRows(sheet: Sheet): (node: string) => number {
  let rows: Map<string, number> | null = null
  return node => {
    rows ??= new Map([
      ...sheet.also.map(([row, uuid]) => [uuid, row] as const),
      // Where an export omits the row that a session continues from, the link leads to the row above.
      ...sheet.junctions.map(({ node: uuid, row }) => [uuid, row] as const),
      ...sheet.rows.node.map((uuid, row) => [uuid, row] as const),
    ])
    return rows.get(node) ?? -1
  }
}

/** A link may hold a prefix of a uuid, of at least so many characters. */
const SHORTEST = 6

function onlyRow({ rows, also }: Sheet, start: string): number {
  if (start.length < SHORTEST) return -1
  const found = new Set<number>()
  rows.node.forEach((uuid, row) => void (uuid.startsWith(start) && found.add(row)))
  for (const [row, uuid] of also) if (uuid.startsWith(start)) found.add(row)
  const [only = -1] = found
  return found.size === 1 ? only : -1
}

function totalsOf(sheet: Sheet, abandoned: readonly boolean[]): Totals {
  const own = sheet.lines.filter(line => !line.isShared)
  const costs = sumAgents(sheet.lines)
  const left = costs.filter((_, at) => isAbandonedLine(sheet.lines[at]))
  const { turns, branches, agents, cost } = ownFigures(sheet)
  const { abandonedMessages, ...counts } = countRows(sheet, abandoned)
  return {
    ...counts,
    turns,
    agents,
    compactions: sheet.epochs.filter(({ row, isUnfinished }) => !isUnfinished && !isSharedRow(sheet, row))
      .length,
    cost,
    tokens: own.reduce((sum, line) => sum + line.tokens, 0),
    notLive: countNotLive(sheet),
    abandoned: { branches, messages: abandonedMessages, cost: sumCosts(left) },
  }
}

/** Whether a row belongs to history that is shared with another session. */
function isSharedRow(sheet: Sheet, row: number): boolean {
  return sheet.lines[sheet.rows.line[row] ?? -1]?.isShared === true
}

function countRows(sheet: Sheet, abandoned: readonly boolean[]): Counts {
  const counts = { messages: 0, calls: 0, failed: 0, abandonedMessages: 0, shared: 0 }
  for (let row = 0; row < sheet.rows.node.length; row++) {
    const line = sheet.rows.line[row] ?? -1
    const known = sheet.lines[line]
    if (known?.isShared === true) {
      if (isMessage(sheet, row)) counts.shared++
      continue
    }
    const kind = kindAt(sheet, row)
    if (kind === 'error') counts.failed++
    if (kind === 'call') counts.calls++
    if (!isMessage(sheet, row)) continue
    counts.messages++
    if (abandoned[line] === true && known?.depth === 0) counts.abandonedMessages++
  }
  return counts
}

type Counts = Pick<Totals, 'messages' | 'calls' | 'failed' | 'shared'> & {
  readonly abandonedMessages: number
}

/** What "In context only" hides of the conversation, subagents aside. */
function countNotLive(sheet: Sheet): number {
  let count = 0
  for (let row = 0; row < sheet.rows.node.length; row++) {
    const isMain = sheet.lines[sheet.rows.line[row] ?? -1]?.depth === 0
    if (isMain && isMessage(sheet, row) && !isMarked(sheet, row, ROW_MARKS.live)) count++
  }
  return count
}
