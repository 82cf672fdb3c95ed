/** The tables of `stats`: rows that fit 80 columns, bars, and the graph of delegation as a tree. */
import { cleanLine } from '@dagline/core/content'
import { count, dayAndTime, duration, isoDay, money, percent, plural, tokens } from '@dagline/core/format'
import { type AgentStats, quantileOf, type Stats, type ToolStats } from '@dagline/core/measure'
import { sumOf } from '@dagline/core/model'
import { statusLabel } from '@dagline/core/view'
import type { Console } from '../console.js'
import { barOf, type Column, figureColumn, sparkline, tableLines } from './table.js'
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

/** All tables that are not empty. */
export function* statsLines(console: Console, stats: Stats, page: StatsPage): Generator<string> {
  const narrow = {
    ...console,
    width: Number.isFinite(console.width) ? Math.min(console.width, WIDEST) : console.width,
  }
  yield* headLines(narrow, stats, page)
  yield* part(console, 'Turns', flowLines(narrow, stats))
  yield* part(console, 'Subagents', agentLines(narrow, stats, page))
  yield* part(console, 'Delegation', delegationLines(narrow, stats, page))
  yield* part(console, 'Follow-up calls', patternLines(narrow, stats, page))
  yield* part(console, 'Tools', toolLines(narrow, stats, page))
  yield* part(console, 'Events', eventLines(narrow, stats, page))
  yield* part(console, 'Prompts by hour of the day', hourLines(narrow, stats))
}

/** A part with its title; nothing where it is empty. */
function* part({ style }: Console, title: string, lines: Iterable<string>): Generator<string> {
  const all = [...lines]
  if (all.length > 0) yield* ['', style.strong(title), ...all]
}

/** The first rows of a long table, and how many more there are. */
function* longTable<T>(
  console: Console,
  rows: readonly T[],
  columns: readonly Column<T>[],
  { isAll }: StatsPage,
): Generator<string> {
  const shown = isAll ? rows : rows.slice(0, MOST)
  yield* tableLines(shown, columns, console)
  yield* more(console, rows.length - shown.length)
}

function* headLines({ style, width }: Console, stats: Stats, { projects }: StatsPage): Generator<string> {
  const { totals, flows, tools, agents } = stats
  const where = projects === 0 ? '' : ` in ${plural(projects, 'project')}`
  const when = totals.first === null ? '' : `, ${isoDay(totals.first)} to ${isoDay(totals.last)}`
  yield `${style.strong(plural(totals.sessions, 'session'))}${where}${when}`
  if (totals.idle > 0) yield style.faint(`${plural(totals.idle, 'session')} not counted (warm-up or empty)`)
  const turns = sumOf(flows, row => row.turns)
  const calls = sumOf(tools, row => row.calls)
  const counts = [
    plural(turns, 'turn'),
    plural(totals.entries, 'entry', 'entries'),
    plural(calls, 'tool call'),
  ]
  yield [...counts, agentCount(agents)].join(', ')
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

/** `5 subagents (2 without a transcript, 1 warm-up not counted)`. */
function agentCount(agents: readonly AgentStats[]): string {
  const missing = sumOf(agents, row => row.states.missing)
  const warmups = sumOf(agents, row => row.states.warmup)
  const all = sumOf(agents, row => row.invocations) - warmups
  const notes = [
    missing === 0 ? '' : `${count(missing)} without a transcript`,
    warmups === 0 ? '' : `${plural(warmups, 'warm-up')} not counted`,
  ].filter(note => note !== '')
  return `${plural(all, 'subagent')}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

const BAR = 16

function flowLines(console: Console, { flows }: Stats): Iterable<string> {
  const turns = sumOf(flows, row => row.turns)
  const columns: readonly Column<Stats['flows'][number]>[] = [
    { title: '', text: row => row.flow },
    figureColumn('turns', row => row.turns),
    { title: '', text: row => percent(row.turns, turns), align: 'right' },
    { title: '', text: row => barOf(row.turns / turns, BAR), paint: console.style.good, dropRank: 1 },
    textColumn('tools/turn', row => (row.toolCalls === 0 ? '' : (row.toolCalls / row.turns).toFixed(1))),
    textColumn('median', row => duration(quantileOf(row.durations, 0.5))),
    textColumn('longest', row => duration(row.durations.count === 0 ? null : row.durations.longest)),
  ]
  return turns === 0 ? [] : tableLines(flows, columns, console)
}

/** A column of formatted numbers. */
function textColumn<T>(title: string, text: (row: T) => string): Column<T> {
  return { title, text, align: 'right', hiddenIf: '' }
}

function agentLines(console: Console, { agents }: Stats, page: StatsPage): Iterable<string> {
  const { style } = console
  const days = callsByDays(agents)
  const columns: readonly Column<AgentStats>[] = [
    { title: 'type', text: row => cleanLine(row.agent), flexible: true, paint: style.agent },
    figureColumn('calls', row => row.invocations),
    figureColumn('unfinished', row => row.states.incomplete + row.states.empty, 1),
    figureColumn('no file', row => row.states.missing, 0.6),
    figureColumn('warm-up', row => row.states.warmup, 3),
    textColumn('depth', row => (row.depths.length > 1 ? String(row.depths.length) : '')),
    figureColumn('tools', row => row.toolCalls, 2),
    { ...figureColumn<AgentStats>('errors', row => row.errors, 0.7), paint: style.bad },
    textColumn('out', row => (row.spent.output === 0 ? '' : tokens(row.spent.output))),
    textColumn('cost', row => (row.spent.costUSD === null ? '' : money(row.spent.costUSD))),
    textColumn('median', row => duration(quantileOf(row.durations, 0.5))),
    {
      title: days.title,
      text: row => sparkline(days.counts(row)),
      hiddenIf: '',
      paint: style.good,
      dropRank: 0.8,
    },
  ]
  return longTable(console, agents, columns, page)
}

function* more({ style }: Console, left: number): Generator<string> {
  if (left > 0) yield style.faint(`and ${left} more; --all lists them`)
}

const SPANS = 8

/** Calls by day, from the first day to the last, in at most eight equal spans. */
function callsByDays(agents: readonly AgentStats[]): {
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

/** A call of one type by another, with its lines of the drawing. */
interface Step {
  readonly row: Stats['delegation'][number]
  readonly lead: string
  readonly below: string
  /** The first one below Claude, or below an unknown caller. */
  readonly isFirst: boolean
}

/** The graph of delegation as a tree. What a type calls is below it, once. */
function* delegationLines(console: Console, stats: Stats, page: StatsPage): Generator<string> {
  const { style, width } = console
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
    yield `${pad(fit(name(step), wide), wide)}  ${pad(count(calls), 6, 'right')}  ${formOf(step.row)}${depth}`
  }
  yield* more(console, steps.length - shown.length)
}

/** Columns for what follows a name. */
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

function patternLines(console: Console, { patterns }: Stats, page: StatsPage): Iterable<string> {
  const columns: readonly Column<Stats['patterns'][number]>[] = [
    { title: 'pattern', text: row => row.pattern },
    figureColumn('count', row => row.count),
    { title: 'by', text: row => row.by },
    { title: 'who', text: row => cleanLine(`${row.from} → ${row.to}`), flexible: true },
  ]
  return longTable(console, patterns, columns, page)
}

function toolLines(console: Console, { tools }: Stats, page: StatsPage): Iterable<string> {
  const columns: readonly Column<ToolStats>[] = [
    { title: 'tool', text: row => cleanLine(row.tool), flexible: true },
    figureColumn('calls', row => row.calls),
    figureColumn('subagents', row => row.byAgents, 3),
    { ...figureColumn<ToolStats>('errors', row => row.ends.error), paint: console.style.bad },
    figureColumn('recovered', row => row.recovered, 0.8),
    figureColumn('denied', row => row.ends.denied, 1),
    figureColumn('stopped', row => row.ends.interrupted, 4),
    figureColumn('no result', row => row.ends.unanswered, 2),
    textColumn('median', row => duration(quantileOf(row.durations, 0.5))),
    textColumn('90 %', row => duration(quantileOf(row.durations, 0.9))),
  ]
  return longTable(console, tools, columns, page)
}

function* eventLines(console: Console, stats: Stats, page: StatsPage): Generator<string> {
  const { compactions, rewinds, queue } = stats
  const compacted = sumOf(compactions, row => row.count)
  if (compacted > 0) yield* wrap(compactionLine(compactions, compacted), console.width)
  if (rewinds.rewinds > 0) yield plural(rewinds.rewinds, 'rewind')
  if (rewinds.twoWriters > 0) yield `${plural(rewinds.twoWriters, 'fork')} by two processes on one session`
  for (const row of rewinds.left) yield* wrap(abandonedLine(row), console.width)
  const queued = sumOf(queue.fates, row => row.count)
  const fates = queue.fates.map(({ became, count: here }) => `${count(here)} ${FATES[became]}`)
  if (queued > 0) yield* wrap(`${plural(queued, 'message')} queued: ${fates.join(', ')}`, console.width)
  yield* lostLines(console, stats, page)
}

const FATES: Readonly<Record<Stats['queue']['fates'][number]['became'], string>> = {
  prompt: 'sent',
  merged: 'merged into others',
  attachment: 'sent within a turn',
  notification: 'notices',
  recalled: 'recalled',
  dequeued: 'about to be sent',
  lost: 'lost',
  unknown: 'unknown',
}

function compactionLine(rows: Stats['compactions'], all: number): string {
  const kinds = rows.map(
    row => `${row.count} ${row.trigger === null ? 'unknown trigger' : cleanLine(row.trigger)}`,
  )
  const average = (total: number, counted: number): string => (counted === 0 ? '' : tokens(total / counted))
  const before = average(
    sumOf(rows, row => row.tokensBefore),
    sumOf(rows, row => row.saidBefore),
  )
  const after = average(
    sumOf(rows, row => row.tokensAfter),
    sumOf(rows, row => row.saidAfter),
  )
  const size = before === '' ? '' : `, from ${before}${after === '' ? '' : ` to ${after}`} tokens on average`
  const unfinished = sumOf(rows, row => row.unfinished)
  const open = unfinished === 0 ? '' : `, ${unfinished} not finished`
  return `${plural(all, 'compaction')} (${kinds.join(', ')})${size}${open}`
}

function abandonedLine({
  status,
  branches,
  agents,
  entries,
  spent,
}: Stats['rewinds']['left'][number]): string {
  const who = [
    branches > 0 ? plural(branches, 'branch', 'branches') : '',
    agents > 0 ? plural(agents, 'subagent') : '',
  ].filter(text => text !== '')
  const cost = spent.costUSD === null ? '' : `, ${money(spent.costUSD)}`
  const size = `${plural(entries, 'entry', 'entries')}, ${tokens(spent.output)} tokens out${cost}`
  return `${who.join(' and ')} ${statusLabel(status)} (${size})`
}

function* lostLines(console: Console, { queue }: Stats, page: StatsPage): Generator<string> {
  const { style, width } = console
  const shown = page.isAll ? queue.lost : queue.lost.slice(-3)
  for (const { time, text } of shown) {
    const start = `  lost ${dayAndTime(time)}`.trimEnd()
    yield `${style.bad(start)}  ${fit(cleanLine(text), Math.max(10, width - widthOf(start) - 2))}`
  }
  yield* more(console, queue.lost.length - shown.length)
}

function* hourLines({ style, width }: Console, { hours }: Stats): Generator<string> {
  const most = Math.max(...hours)
  if (most === 0) return
  // An hour takes three columns, or one on a narrow terminal, and every third one is named.
  const isNarrow = width < hours.length * 3
  const blocks = [...sparkline(hours)].map(block => (isNarrow ? block : `${block.repeat(2)} `))
  const marks = hours.map((_, hour) => (hour % 3 === 0 ? String(hour).padStart(2, '0') : ''))
  yield style.good(blocks.join('').trimEnd())
  yield style.faint(
    marks
      .map((mark, hour) => (isNarrow ? mark.padEnd(hour % 3 === 0 ? 3 : 0) : mark.padEnd(3)))
      .join('')
      .trimEnd(),
  )
  const peak = hours.indexOf(most)
  yield style.faint(`most from ${peak} to ${peak + 1} o'clock: ${count(most)}, local time`)
}
