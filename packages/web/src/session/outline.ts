/** The outline of a session: turns, forks, compactions, subagents, errors. */

import { money, plural, tokens } from '@dagline/core/format'
import { sumCosts } from '@dagline/core/model'
import { ROW_MARKS, type Sheet } from '@dagline/core/protocol'
import { isAbandoned, isMarked, kindAt } from '@dagline/core/view'
import type { SheetFacts } from './facts.js'

export interface OutlineItem {
  readonly kind: 'turn' | 'fork' | 'compaction' | 'error' | 'lost' | 'junction' | 'agent'
  /** The row that decides its position in the outline. */
  readonly row: number
  /** The row it leads to: for a subagent its first row. */
  readonly target: number
  /** The index of the fork; -1 for other kinds. */
  readonly fork: number
  readonly text: string
  /** Secondary text after the text. */
  readonly aside: string
  readonly isAbandoned: boolean
  /** The number of abandoned branches it is in. */
  readonly depth: number
}

/** The items from top to bottom. Linear. */
export function buildOutline(sheet: Sheet, facts: SheetFacts): readonly OutlineItem[] {
  const depths = branchDepths(sheet)
  const forks = new Map(sheet.forks.map((fork, at) => [fork.row, at]))
  const agents = agentsByRow(sheet)
  const items: OutlineItem[] = []
  const counter = { calls: 0, failed: 0 }
  let turn = -1
  for (let row = 0; row < sheet.rows.node.length; row++) {
    const line = sheet.rows.line[row] ?? -1
    if (sheet.lines[line]?.depth !== 0 && !agents.has(row)) continue
    const position = {
      row,
      target: row,
      fork: -1,
      isAbandoned: facts.abandoned[line] === true,
      depth: depths[line] ?? 0,
    }
    if (sheet.lines[line]?.depth !== 0) {
      items.push(...agentItems(sheet, facts, agents.get(row), position))
      continue
    }
    const item = itemAt(sheet, facts, position)
    if (item?.kind === 'turn') {
      endTurn(items, turn, counter)
      turn = items.length
    }
    if (item !== null) items.push(item)
    countCall(sheet, row, counter)
    const isNotable = forks.has(row) || facts.queue.has(row) || facts.junctions.has(row)
    items.push(...agentItems(sheet, facts, agents.get(row), position))
    if (isNotable) items.push(...besideRow(sheet, facts, forks.get(row), position))
  }
  endTurn(items, turn, counter)
  return items
}

type Position = Pick<OutlineItem, 'row' | 'target' | 'fork' | 'isAbandoned' | 'depth'>

interface Counter {
  calls: number
  failed: number
}

/** The item that a reader of a row is at: the subagent that the row belongs to, else the last one above; -1 for none. */
export function itemAround(items: readonly OutlineItem[], { lines, rows }: Sheet, row: number): number {
  let line = lines[rows.line[row] ?? -1]
  while (line !== undefined && line.depth > 1) line = lines[line.parent]
  const own = line?.depth === 1 ? items.findIndex(item => item.target === line.head) : -1
  if (own >= 0) return own
  const above = itemBefore(items, row)
  return items.findLastIndex((item, at) => at <= above && item.kind !== 'agent')
}

/** The last item at or before a row; -1 for none. */
export function itemBefore(items: readonly OutlineItem[], row: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.row ?? 0) <= row) low = middle + 1
    else high = middle
  }
  return low - 1
}

function itemAt(sheet: Sheet, facts: SheetFacts, position: Position): OutlineItem | null {
  const words = facts.words.get(position.row) ?? ''
  switch (kindAt(sheet, position.row)) {
    case 'prompt':
    case 'queued':
      return { ...position, kind: 'turn', text: words || 'Prompt without text', aside: '' }
    case 'command':
      return isMarked(sheet, position.row, ROW_MARKS.turn)
        ? { ...position, kind: 'turn', text: words || 'Command', aside: '' }
        : null
    case 'error':
      return { ...position, kind: 'error', text: 'Request failed', aside: '' }
    case 'interrupt':
      return { ...position, kind: 'error', text: 'Interrupted', aside: '' }
    default:
      return epochItem(facts, position)
  }
}

/** Subagents by the row of their call, or without a call by their first row. Nested ones are not listed. */
function agentsByRow({ lines }: Sheet): ReadonlyMap<number, readonly number[]> {
  const rows = new Map<number, number[]>()
  for (const [at, line] of lines.entries()) {
    if (line.kind !== 'agent' || line.depth > 1 || line.head < 0 || line.agent?.state === 'warmup') continue
    const row = line.at >= 0 ? line.at : line.head
    rows.set(row, [...(rows.get(row) ?? []), at])
  }
  return rows
}

function agentItems(
  sheet: Sheet,
  facts: SheetFacts,
  agents: readonly number[] | undefined,
  position: Position,
): readonly OutlineItem[] {
  return (agents ?? []).map((at): OutlineItem => {
    const line = sheet.lines[at]
    const cost = facts.costs[at] ?? null
    return {
      ...position,
      kind: 'agent',
      target: line?.head ?? position.row,
      depth: position.depth + 1,
      text: [line?.agent?.name ?? 'subagent', line?.words ?? ''].filter(Boolean).join(': '),
      aside: cost === null ? plural(facts.messages[at] ?? 0, 'message') : money(cost),
    }
  })
}

function epochItem(facts: SheetFacts, position: Position): OutlineItem | null {
  const epoch = facts.epochs.get(position.row)
  if (epoch === undefined) return null
  const size = (epoch.preTokens ?? 0) > 0 ? `${tokens(epoch.preTokens ?? 0)} tokens before` : ''
  const text = epoch.isUnfinished ? 'Compaction not finished' : 'Compacted'
  return { ...position, kind: 'compaction', text, aside: size }
}

function besideRow(
  sheet: Sheet,
  facts: SheetFacts,
  fork: number | undefined,
  position: Position,
): readonly OutlineItem[] {
  const lost = (facts.queue.get(position.row) ?? [])
    .filter(({ became }) => became === 'lost')
    .map(({ words }): OutlineItem => ({ ...position, kind: 'lost', text: words, aside: 'never sent' }))
  const junctions = (facts.junctions.get(position.row) ?? []).map(
    ({ title, session, how }): OutlineItem => ({
      ...position,
      kind: 'junction',
      text: title ?? session,
      aside: how,
    }),
  )
  return [...lost, ...junctions, ...(fork === undefined ? [] : [forkItem(sheet, facts, fork, position)])]
}

function forkItem(sheet: Sheet, facts: SheetFacts, fork: number, position: Position): OutlineItem {
  const { kind, branches } = sheet.forks[fork] ?? { kind: '', branches: [] }
  const abandoned = branches.filter(branch => facts.abandoned[branch] === true)
  const messages = abandoned.reduce((sum, branch) => sum + (facts.messages[branch] ?? 0), 0)
  const cost = sumCosts(abandoned.map(branch => facts.costs[branch] ?? null))
  const text = kind === 'two-writers' ? 'Two processes' : 'Rewind'
  const size = cost === null ? plural(messages, 'message') : money(cost)
  return {
    ...position,
    kind: 'fork',
    fork,
    text,
    aside: abandoned.length === 0 ? plural(branches.length, 'branch', 'branches') : `${size} abandoned`,
  }
}

function countCall({ rows }: Sheet, row: number, counter: Counter): void {
  const marks = rows.marks[row] ?? 0
  if ((marks & ROW_MARKS.calls) === 0) return
  counter.calls++
  if ((marks & ROW_MARKS.failed) !== 0) counter.failed++
}

/** The calls of a turn are known at its end. */
function endTurn(items: OutlineItem[], turn: number, counter: Counter): void {
  const item = items[turn]
  if (item !== undefined && counter.calls > 0) {
    // There may be thousands of turns, so no number is formatted here.
    const calls = counter.calls === 1 ? '1 call' : `${counter.calls} calls`
    items[turn] = { ...item, aside: counter.failed > 0 ? `${calls}, ${counter.failed} failed` : calls }
  }
  Object.assign(counter, { calls: 0, failed: 0 })
}

function branchDepths({ lines }: Sheet): readonly number[] {
  const depths: number[] = []
  lines.forEach((line, at) => {
    const above = line.parent >= 0 && line.parent < at ? (depths[line.parent] ?? 0) : 0
    depths.push(line.kind === 'branch' && isAbandoned(line) ? above + 1 : above)
  })
  return depths
}
