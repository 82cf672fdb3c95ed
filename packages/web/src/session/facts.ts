/** What is asked of a sheet row by row, found once: words, compactions, findings and the like by their row. */
import {
  kindAt,
  plainHead,
  type RowKind,
  type Sheet,
  type SheetEpoch,
  type SheetFinding,
  type SheetJunction,
  type SheetLine,
  type SheetQueued,
} from '@dagline/core'

export interface SheetFacts {
  readonly words: ReadonlyMap<number, string>
  readonly epochs: ReadonlyMap<number, SheetEpoch>
  readonly junctions: ReadonlyMap<number, readonly SheetJunction[]>
  readonly queue: ReadonlyMap<number, readonly SheetQueued[]>
  readonly findings: ReadonlyMap<number, readonly SheetFinding[]>
  /** By line: whether it was left, or hangs on one that was. */
  readonly left: readonly boolean[]
  /** By line: messages on it and on all lines that leave it. */
  readonly messages: readonly number[]
  /** The row of a uuid, copies included; -1 for none. */
  readonly rowOf: (node: string) => number
  /** The same for the beginning of a uuid; -1 also where several begin so. */
  readonly rowStarting: (start: string) => number
  readonly totals: Totals
}

/** The figures in the header. */
export interface Totals {
  readonly prompts: number
  readonly messages: number
  readonly calls: number
  readonly failed: number
  readonly agents: number
  readonly compactions: number
  readonly cost: number | null
  readonly tokens: number
  /** Branches that were left, and what they hold. */
  readonly left: { readonly branches: number; readonly messages: number; readonly cost: number | null }
}

const MESSAGES: ReadonlySet<RowKind> = new Set(['prompt', 'text', 'call', 'queued'])

/** Looks a sheet through once. */
export function factsOf(sheet: Sheet): SheetFacts {
  const left = leftLines(sheet.lines)
  return {
    words: new Map(sheet.words.map(([row, words]) => [row, plainHead(words)])),
    epochs: new Map(sheet.epochs.map(epoch => [epoch.row, epoch])),
    junctions: byRow(sheet.junctions),
    queue: byRow(sheet.queue),
    findings: byRow(sheet.findings),
    left,
    messages: countMessages(sheet),
    rowOf: findRows(sheet),
    rowStarting: start => onlyRow(sheet, start),
    totals: totalsOf(sheet, left),
  }
}

/** A way that was left, as people see it: branches that are no longer what goes on. */
export function isLeft({ status }: SheetLine): boolean {
  return status !== 'live' && status !== 'copy'
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
  for (let line = counts.length - 1; line >= 0; line--) {
    const parent = sheet.lines[line]?.parent ?? -1
    if (parent >= 0 && parent < line) counts[parent] = (counts[parent] ?? 0) + (counts[line] ?? 0)
  }
  return counts
}

/** Whether a row is something that was said or called; results go with their calls. */
export function isMessage(sheet: Sheet, row: number): boolean {
  return MESSAGES.has(kindAt(sheet, row))
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
  const counts = { prompts: 0, messages: 0, calls: 0, failed: 0, leftMessages: 0 }
  for (let row = 0; row < sheet.rows.node.length; row++) countRow(sheet, row, counts, left)
  const gone = sheet.lines.filter(line => isLeft(line) && line.kind === 'branch')
  const tops = gone.filter(line => left[line.parent] !== true)
  return {
    prompts: counts.prompts,
    messages: counts.messages,
    calls: counts.calls,
    failed: counts.failed,
    agents: sheet.lines.filter(line => line.kind === 'agent').length,
    compactions: sheet.epochs.length,
    cost: sumCosts(sheet.lines.map(line => line.cost)),
    tokens: sheet.lines.reduce((sum, line) => sum + line.tokens, 0),
    left: {
      branches: gone.length,
      messages: counts.leftMessages,
      cost: sumCosts(tops.map(line => line.wholeCost)),
    },
  }
}

interface Counts {
  prompts: number
  messages: number
  calls: number
  failed: number
  leftMessages: number
}

function countRow(sheet: Sheet, row: number, counts: Counts, left: readonly boolean[]): void {
  const kind = kindAt(sheet, row)
  const line = sheet.rows.line[row] ?? -1
  if (kind === 'prompt' && sheet.lines[line]?.depth === 0) counts.prompts++
  if (kind === 'error') counts.failed++
  if (kind === 'call') counts.calls++
  if (!isMessage(sheet, row)) return
  counts.messages++
  if (left[line] === true) counts.leftMessages++
}

/** The sum of what is known; null where nothing is. */
export function sumCosts(costs: readonly (number | null)[]): number | null {
  const known = costs.filter(cost => cost !== null)
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}
