/** The tables of `stats` for people: short rows that fit 80 columns, bars, and the graph of delegation as a tree. */

import { cleanLine } from '@dagline/core/content'
import { count, dayAndTime, duration, isoDay, money, percent, plural, tokens } from '@dagline/core/format'
import { type AgentStats, quantileOf, type Stats, type ToolStats } from '@dagline/core/measure'
import type { Console } from '../console.js'
import { barOf, sparkline } from './charts.js'
import { type Column, tableLines } from './table.js'
import { fit, pad, widthOf, wrap } from './width.js'

/** What is shown of the tables. */
interface StatsPage {
  /** 0 where sessions were named. */
  readonly projects: number
  /** Every row of long tables. */
  readonly isAll: boolean
}

/** Rows of a long table that are shown without `--all`. */
const MOST = 12
const WIDEST = 100

/** All tables that have something to say. */
export function* statsLines(console: Console, stats: Stats, page: StatsPage): Generator<string> {
  const width = Math.min(console.width, WIDEST)
  const narrow = { ...console, width }
  yield* headLines(narrow, stats, page)
  yield* part(console, 'Turns', [...flowLines(narrow, stats)])
  yield* part(console, 'Agents', [...agentLines(narrow, stats, page)])
  yield* part(console, 'Who calls whom', [...delegationLines(narrow, stats, page)])
  yield* part(console, 'Asked again', [...patternLines(narrow, stats, page)])
  yield* part(console, 'Tools', [...toolLines(narrow, stats, page)])
  yield* part(console, 'What happened', [...eventLines(narrow, stats, page)])
  yield* part(console, 'Prompts by hour of the day', [...hourLines(narrow, stats)])
}

/** A part with its title; nothing where it is empty. */
function* part({ style }: Console, title: string, lines: readonly string[]): Generator<string> {
  if (lines.length === 0) return
  yield ''
  yield style.strong(title)
  yield* lines
}

function sum<T>(rows: readonly T[], figure: (row: T) => number): number {
  return rows.reduce((total, row) => total + figure(row), 0)
}

function* headLines({ style, width }: Console, stats: Stats, { projects }: StatsPage): Generator<string> {
  const { totals, flows, tools, agents } = stats
  const where = projects === 0 ? '' : ` in ${plural(projects, 'project')}`
  const when = totals.first === null ? '' : `, ${isoDay(totals.first)} to ${isoDay(totals.last)}`
  yield `${style.strong(plural(totals.sessions, 'session'))}${where}${when}`
  yield [
    plural(
      sum(flows, row => row.turns),
      'prompt',
    ),
    plural(totals.entries, 'entry', 'entries'),
    plural(
      sum(tools, row => row.calls),
      'tool call',
    ),
    agentCount(agents),
  ].join(', ')
  const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD, unpriced } = totals.spent
  if (messages === 0) return
  const read = tokens(input + cacheRead + cacheWrite5m + cacheWrite1h)
  const cost = costUSD === null ? '' : `, ${money(costUSD)}`
  const without = unpriced === 0 ? '' : ` (${plural(unpriced, 'API message')} without a known price)`
  yield* wrap(
    `${plural(messages, 'API message')}: ${read} tokens in, ${tokens(output)} out${cost}${without}`,
    width,
  )
}

/** `5 agents (2 not kept)`: some left no transcript. */
function agentCount(agents: readonly AgentStats[]): string {
  const missing = sum(agents, row => row.states.missing)
  const all = plural(
    sum(agents, row => row.invocations),
    'agent',
  )
  return missing === 0 ? all : `${all} (${missing} not kept)`
}

const BAR = 16

function* flowLines({ style, width }: Console, { flows }: Stats): Generator<string> {
  const turns = sum(flows, row => row.turns)
  if (turns === 0) return
  const columns: readonly Column<Stats['flows'][number]>[] = [
    { title: '', text: row => row.flow },
    { title: 'turns', text: row => count(row.turns), side: 'left' },
    { title: '', text: row => percent(row.turns, turns), side: 'left' },
    { title: '', text: row => barOf(row.turns / turns, BAR), paint: text => style.good(text) },
    { title: 'tools/turn', text: row => perTurn(row.toolCalls, row.turns), side: 'left' },
    { title: 'median', text: row => duration(quantileOf(row.durations, 0.5)), side: 'left' },
    {
      title: 'longest',
      text: row => duration(row.durations.count === 0 ? null : row.durations.longest),
      side: 'left',
    },
  ]
  yield* tableLines(flows, columns, { width, title: style.faint })
}

function perTurn(calls: number, turns: number): string {
  return calls === 0 ? '' : (calls / turns).toFixed(1)
}

function* agentLines({ style, width }: Console, { agents }: Stats, page: StatsPage): Generator<string> {
  if (agents.length === 0) return
  const days = weeksOf(agents)
  const figure = (title: string, text: (row: AgentStats) => string): Column<AgentStats> => ({
    title,
    text,
    side: 'left',
    unless: '',
  })
  const columns: readonly Column<AgentStats>[] = [
    { title: 'type', text: row => cleanLine(row.agent), flexible: true, paint: text => style.agent(text) },
    figure('calls', row => count(row.invocations)),
    figure('unfinished', row => some(row.states.incomplete + row.states.empty)),
    figure('not kept', row => some(row.states.missing)),
    figure('warm-up', row => some(row.states.warmup)),
    figure('depth', row => (row.depths.length > 1 ? String(row.depths.length) : '')),
    figure('tools', row => some(row.toolCalls)),
    { ...figure('errors', row => some(row.errors)), paint: text => style.bad(text) },
    figure('out', row => (row.spent.output === 0 ? '' : tokens(row.spent.output))),
    figure('cost', row => (row.spent.costUSD === null ? '' : money(row.spent.costUSD))),
    figure('median', row => duration(quantileOf(row.durations, 0.5))),
    {
      title: days.title,
      text: row => sparkline(days.counts(row)),
      unless: '',
      paint: text => style.good(text),
    },
  ]
  const shown = page.isAll ? agents : agents.slice(0, MOST)
  yield* fittingTable(shown, columns, {
    width,
    title: style.faint,
    spare: ['warm-up', 'tools', 'unfinished'],
  })
  yield* more({ style }, agents.length - shown.length)
}

/** A table without some of its columns where the terminal is too narrow for all. */
function fittingTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  options: Parameters<typeof tableLines>[2] & { readonly spare: readonly string[] },
): readonly string[] {
  const { spare, ...plain } = options
  const [first, ...others] = spare
  // Colours come last: what is measured has none.
  const bare = columns.map(({ paint: _, ...column }) => column)
  const lines = [...tableLines(rows, bare, { ...plain, title: text => text })]
  if (first === undefined || lines.every(line => widthOf(line) <= plain.width))
    return [...tableLines(rows, columns, plain)]
  const fewer = columns.filter(({ title }) => title !== first)
  return fittingTable(rows, fewer, { ...plain, spare: others })
}

function some(number: number): string {
  return number === 0 ? '' : count(number)
}

function* more({ style }: Pick<Console, 'style'>, left: number): Generator<string> {
  if (left > 0) yield style.faint(`and ${left} more; --all shows them`)
}

const SPANS = 8

/** The days from the first to the last on which an agent was called, in at most eight equal spans. */
function weeksOf(agents: readonly AgentStats[]): {
  readonly title: string
  readonly counts: (row: AgentStats) => readonly number[]
} {
  const numbers = agents.flatMap(row => Object.keys(row.days).map(dayNumber))
  const first = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY)
  const last = numbers.reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY)
  const span = Math.ceil((last - first + 1) / SPANS)
  if (numbers.length === 0 || last === first) return { title: '', counts: () => [] }
  const spans = Math.ceil((last - first + 1) / span)
  return {
    title: span === 1 ? 'by day' : `by ${span} d`,
    counts: row => {
      const counts = Array.from({ length: spans }, () => 0)
      for (const [name, here] of Object.entries(row.days)) {
        const place = Math.floor((dayNumber(name) - first) / span)
        counts[place] = (counts[place] ?? 0) + here
      }
      return counts
    },
  }
}

function dayNumber(name: string): number {
  return Math.floor(Date.parse(name) / 86_400_000)
}

/** A call of one type by another, and where it stands in the tree. */
interface Step {
  readonly row: Stats['delegation'][number]
  readonly lead: string
  readonly below: string
  /** The first of all below Claude, or below nobody known. */
  readonly isFirst: boolean
}

/** The graph of delegation as a tree: what a type calls stands below it, once. */
function* delegationLines({ style, width }: Console, stats: Stats, page: StatsPage): Generator<string> {
  const seen = new Set<string | null>()
  const roots = ['Claude', null].filter(root => stats.delegation.some(row => row.from === root))
  const steps = roots.flatMap(root => [...treeBelow(stats.delegation, root, seen)])
  const shown = page.isAll ? steps : steps.slice(0, MOST)
  const name = ({ row, lead }: Step): string => `${lead}${cleanLine(row.to)}`
  const wide = Math.min(width - FORMS, Math.max(0, ...shown.map(step => widthOf(name(step)))))
  for (const step of shown) {
    const { from, calls, deepest } = step.row
    if (step.isFirst) yield from === null ? style.faint('(unknown caller)') : style.claude('Claude')
    const depth = deepest > 1 ? style.faint(`, depth ${deepest}`) : ''
    yield `${pad(fit(name(step), wide), wide)}  ${pad(some(calls), 6, 'left')}  ${formOf(step.row)}${depth}`
  }
  yield* more({ style }, steps.length - shown.length)
}

/** Room for what stands behind a name. */
const FORMS = 46

function formOf({ single, parallel }: Stats['delegation'][number]): string {
  const parts = [single > 0 ? `${single} single` : '', parallel > 0 ? `${parallel} parallel` : '']
  return parts.filter(text => text !== '').join(', ')
}

function* treeBelow(
  rows: Stats['delegation'],
  root: string | null,
  seen: Set<string | null>,
): Generator<Step> {
  const stack = childrenOf(rows, root, '')
    .map((step, place) => ({ ...step, isFirst: place === 0 }))
    .reverse()
  seen.add(root)
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    yield step
    if (seen.has(step.row.to)) continue
    seen.add(step.row.to)
    for (const child of childrenOf(rows, step.row.to, step.below).reverse()) stack.push(child)
  }
}

function childrenOf(rows: Stats['delegation'], from: string | null, below: string): Step[] {
  const own = rows.filter(row => row.from === from)
  return own.map((row, place) => {
    const isLast = place === own.length - 1
    const [lead, under] = isLast ? ['└─ ', '   '] : ['├─ ', '│  ']
    return { row, lead: `${below}${lead}`, below: `${below}${under}`, isFirst: false }
  })
}

function* patternLines({ style, width }: Console, { patterns }: Stats, page: StatsPage): Generator<string> {
  if (patterns.length === 0) return
  const columns: readonly Column<Stats['patterns'][number]>[] = [
    { title: 'pattern', text: row => row.pattern },
    { title: 'count', text: row => count(row.count), side: 'left' },
    { title: 'by a further', text: row => row.by },
    { title: 'who', text: row => cleanLine(`${row.from} → ${row.to}`), flexible: true },
  ]
  const shown = page.isAll ? patterns : patterns.slice(0, MOST)
  yield* tableLines(shown, columns, { width, title: style.faint })
  yield* more({ style }, patterns.length - shown.length)
}

function* toolLines({ style, width }: Console, { tools }: Stats, page: StatsPage): Generator<string> {
  if (tools.length === 0) return
  const figure = (title: string, number: (row: ToolStats) => number): Column<ToolStats> => ({
    title,
    text: row => some(number(row)),
    side: 'left',
    unless: '',
  })
  const columns: readonly Column<ToolStats>[] = [
    { title: 'tool', text: row => cleanLine(row.tool), flexible: true },
    figure('calls', row => row.calls),
    { ...figure('agents', row => row.byAgents) },
    { ...figure('errors', row => row.ends.error), paint: text => style.bad(text) },
    figure('made good', row => row.recovered),
    figure('denied', row => row.ends.denied),
    figure('stopped', row => row.ends.interrupted),
    figure('open', row => row.ends.unanswered),
    { title: 'median', text: row => duration(quantileOf(row.durations, 0.5)), side: 'left' },
    { title: '90 %', text: row => duration(quantileOf(row.durations, 0.9)), side: 'left' },
  ]
  const shown = page.isAll ? tools : tools.slice(0, MOST)
  yield* fittingTable(shown, columns, {
    width,
    title: style.faint,
    spare: ['stopped', 'agents', 'open', 'denied'],
  })
  yield* more({ style }, tools.length - shown.length)
}

function* eventLines(console: Console, stats: Stats, page: StatsPage): Generator<string> {
  const { compactions, rewinds, queue } = stats
  const compacted = sum(compactions, row => row.count)
  if (compacted > 0) yield* wrap(compactionLine(compactions, compacted), console.width)
  if (rewinds.rewinds > 0) yield plural(rewinds.rewinds, 'rewind')
  if (rewinds.twoWriters > 0) yield `${plural(rewinds.twoWriters, 'fork')} by two processes on one session`
  for (const row of rewinds.left) yield* wrap(leftLine(row), console.width)
  const queued = sum(queue.fates, row => row.count)
  const fates = queue.fates.map(({ became, count: here }) => `${count(here)} ${FATES[became]}`)
  if (queued > 0) yield* wrap(`${plural(queued, 'message')} queued: ${fates.join(', ')}`, console.width)
  yield* lostLines(console, stats, page)
}

const FATES: Readonly<Record<Stats['queue']['fates'][number]['became'], string>> = {
  prompt: 'sent',
  merged: 'merged into others',
  attachment: 'sent in mid turn',
  notification: 'notices',
  recalled: 'recalled',
  dequeued: 'about to be sent',
  lost: 'lost',
  unknown: 'of unknown fate',
}

function compactionLine(rows: Stats['compactions'], all: number): string {
  const kinds = rows.map(row => `${row.count} ${row.trigger === null ? 'unsaid' : cleanLine(row.trigger)}`)
  const average = (total: number, said: number): string => (said === 0 ? '' : tokens(total / said))
  const before = average(
    sum(rows, row => row.tokensBefore),
    sum(rows, row => row.saidBefore),
  )
  const after = average(
    sum(rows, row => row.tokensAfter),
    sum(rows, row => row.saidAfter),
  )
  const size = before === '' ? '' : `, from ${before}${after === '' ? '' : ` to ${after}`} tokens on average`
  const unfinished = sum(rows, row => row.unfinished)
  const open = unfinished === 0 ? '' : `, ${unfinished} not finished`
  return `${plural(all, 'compaction')} (${kinds.join(', ')})${size}${open}`
}

const LEFT: Readonly<Record<Stats['rewinds']['left'][number]['status'], string>> = {
  abandoned: 'abandoned',
  'taken-back': 'taken back',
  retry: 'tried again',
  copy: 'copied',
}

function leftLine({ status, branches, agents, entries, spent }: Stats['rewinds']['left'][number]): string {
  const who = [
    branches > 0 ? plural(branches, 'branch', 'branches') : '',
    agents > 0 ? plural(agents, 'agent') : '',
  ].filter(text => text !== '')
  const cost = spent.costUSD === null ? '' : `, ${money(spent.costUSD)}`
  const size = `${plural(entries, 'entry', 'entries')}, ${tokens(spent.output)} tokens out${cost}`
  return `${who.join(' and ')} ${LEFT[status]} (${size})`
}

function* lostLines({ style, width }: Console, { queue }: Stats, page: StatsPage): Generator<string> {
  const shown = page.isAll ? queue.lost : queue.lost.slice(-3)
  for (const { time, text } of shown) {
    const start = `  lost ${dayAndTime(time)}`.trimEnd()
    yield `${style.bad(start)}  ${fit(cleanLine(text), Math.max(10, width - widthOf(start) - 2))}`
  }
  yield* more({ style }, queue.lost.length - shown.length)
}

const HOUR = 3

function* hourLines({ style }: Console, { hours }: Stats): Generator<string> {
  const most = Math.max(...hours)
  if (most === 0) return
  yield style.good(
    [...sparkline(hours)]
      .map(block => block.repeat(HOUR - 1))
      .join(' ')
      .trimEnd(),
  )
  const marks = hours.map((_, hour) => (hour % 3 === 0 ? String(hour).padStart(2, '0') : ''))
  yield style.faint(
    marks
      .map(mark => mark.padEnd(HOUR))
      .join('')
      .trimEnd(),
  )
  const peak = hours.indexOf(most)
  yield style.faint(`most from ${peak} to ${peak + 1} o'clock: ${count(most)}, local time`)
}
