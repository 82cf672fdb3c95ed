/** The outline of a session: its turns, where ways part, what was compacted, what went wrong. */
import { kindAt, ROW_MARKS, type Sheet } from '@dagline/core'
import { money, plural, tokens } from '../parts/format.js'
import { isLeft, type SheetFacts, sumCosts } from './facts.js'

export interface OutlineItem {
  readonly kind: 'turn' | 'fork' | 'compaction' | 'error' | 'lost' | 'junction' | 'agent'
  /** Where it stands among the others. */
  readonly row: number
  /** Where it leads: for an agent its first row. */
  readonly target: number
  /** The fork that it is; -1 for all others. */
  readonly fork: number
  readonly text: string
  /** Small words behind the text. */
  readonly aside: string
  /** Whether it is on a way that was left. */
  readonly left: boolean
  /** Branches around it. */
  readonly depth: number
}

/** The items from top to bottom. Linear. */
export function outlineOf(sheet: Sheet, facts: SheetFacts): readonly OutlineItem[] {
  const depths = branchDepths(sheet)
  const forks = new Map(sheet.forks.map((fork, at) => [fork.row, at]))
  const agents = agentsByRow(sheet)
  const items: OutlineItem[] = []
  const counter = { calls: 0, failed: 0 }
  let turn = -1
  for (let row = 0; row < sheet.rows.node.length; row++) {
    const line = sheet.rows.line[row] ?? -1
    if (sheet.lines[line]?.depth !== 0 && !agents.has(row)) continue
    const place = { row, target: row, fork: -1, left: facts.left[line] === true, depth: depths[line] ?? 0 }
    if (sheet.lines[line]?.depth !== 0) {
      items.push(...agentItems(sheet, facts, agents.get(row), place))
      continue
    }
    const item = itemAt(sheet, facts, place)
    if (item?.kind === 'turn') {
      endTurn(items, turn, counter)
      turn = items.length
    }
    if (item !== null) items.push(item)
    countCall(sheet, row, counter)
    const isNotable = forks.has(row) || facts.queue.has(row) || facts.junctions.has(row)
    items.push(...agentItems(sheet, facts, agents.get(row), place))
    if (isNotable) items.push(...besideRow(sheet, facts, forks.get(row), place))
  }
  endTurn(items, turn, counter)
  return items
}

interface Place {
  readonly row: number
  readonly target: number
  readonly fork: number
  readonly left: boolean
  readonly depth: number
}

interface Counter {
  calls: number
  failed: number
}

/** The item that was last passed at a row; -1 before all. */
export function itemBefore(items: readonly OutlineItem[], row: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.row ?? 0) <= row) low = middle + 1
    else high = middle
  }
  return low - 1
}

function itemAt(sheet: Sheet, facts: SheetFacts, place: Place): OutlineItem | null {
  const words = facts.words.get(place.row) ?? ''
  switch (kindAt(sheet, place.row)) {
    case 'prompt':
    case 'queued':
      return { ...place, kind: 'turn', text: words || 'A prompt without words', aside: '' }
    case 'command':
      return words === '' ? null : { ...place, kind: 'turn', text: words, aside: '' }
    case 'error':
      return { ...place, kind: 'error', text: 'A request failed', aside: '' }
    case 'interrupt':
      return { ...place, kind: 'error', text: 'Interrupted', aside: '' }
    default:
      return epochItem(facts, place)
  }
}

/** Agents of the conversation by the row of their call; those without one by their first row. Agents of agents are inside. */
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
  place: Place,
): readonly OutlineItem[] {
  return (agents ?? []).map((at): OutlineItem => {
    const line = sheet.lines[at]
    const cost = facts.costs[at] ?? null
    return {
      ...place,
      kind: 'agent',
      target: line?.head ?? place.row,
      depth: place.depth + 1,
      text: [line?.agent?.name ?? 'agent', line?.words ?? ''].filter(Boolean).join(': '),
      aside: cost === null ? plural(facts.messages[at] ?? 0, 'message') : money(cost),
    }
  })
}

function epochItem(facts: SheetFacts, place: Place): OutlineItem | null {
  const epoch = facts.epochs.get(place.row)
  if (epoch === undefined) return null
  const size = (epoch.preTokens ?? 0) > 0 ? `${tokens(epoch.preTokens ?? 0)} tokens` : ''
  const text = epoch.isUnfinished ? 'Compaction not finished' : 'Compacted'
  return { ...place, kind: 'compaction', text, aside: size }
}

function besideRow(
  sheet: Sheet,
  facts: SheetFacts,
  fork: number | undefined,
  place: Place,
): readonly OutlineItem[] {
  const lost = (facts.queue.get(place.row) ?? [])
    .filter(({ became }) => became === 'lost')
    .map(({ words }): OutlineItem => ({ ...place, kind: 'lost', text: words, aside: 'never sent' }))
  const junctions = (facts.junctions.get(place.row) ?? []).map(
    ({ title, session, how }): OutlineItem => ({
      ...place,
      kind: 'junction',
      text: title ?? session,
      aside: how,
    }),
  )
  return [...lost, ...junctions, ...(fork === undefined ? [] : [forkItem(sheet, facts, fork, place)])]
}

function forkItem(sheet: Sheet, facts: SheetFacts, fork: number, place: Place): OutlineItem {
  const { kind, ways } = sheet.forks[fork] ?? { kind: '', ways: [] }
  const gone = ways.filter(way => facts.left[way] === true)
  const messages = gone.reduce((sum, way) => sum + (facts.messages[way] ?? 0), 0)
  const cost = sumCosts(gone.map(way => facts.costs[way] ?? null))
  const text = kind === 'two-writers' ? 'Two writers' : 'Went back'
  const size = cost === null ? plural(messages, 'message') : money(cost)
  return {
    ...place,
    kind: 'fork',
    fork,
    text,
    aside: gone.length === 0 ? plural(ways.length, 'way') : `left ${size}`,
  }
}

function countCall({ rows }: Sheet, row: number, counter: Counter): void {
  const marks = rows.marks[row] ?? 0
  if ((marks & ROW_MARKS.calls) === 0) return
  counter.calls++
  if ((marks & ROW_MARKS.failed) !== 0) counter.failed++
}

/** What a turn held is known at its end. */
function endTurn(items: OutlineItem[], turn: number, counter: Counter): void {
  const item = items[turn]
  if (item !== undefined && counter.calls > 0) {
    // There may be thousands of turns: no number is formatted here.
    const calls = counter.calls === 1 ? '1 call' : `${counter.calls} calls`
    items[turn] = { ...item, aside: counter.failed > 0 ? `${calls}, ${counter.failed} failed` : calls }
  }
  Object.assign(counter, { calls: 0, failed: 0 })
}

function branchDepths({ lines }: Sheet): readonly number[] {
  const depths: number[] = []
  lines.forEach((line, at) => {
    const above = line.parent >= 0 && line.parent < at ? (depths[line.parent] ?? 0) : 0
    depths.push(line.kind === 'branch' && isLeft(line) ? above + 1 : above)
  })
  return depths
}
