/** What the model saw at an answer, as text. */
import { cleanLine } from '@dagline/core/content'
import { count, dayAndTime, percent, plural, shortId } from '@dagline/core/format'
import {
  type ContextDifference,
  type ContextItem,
  type ContextReport,
  categoryText,
  LEFT_OUT_TEXTS,
  type LeftOutEntries,
  unknownText,
} from '@dagline/core/protocol'
import type { Console } from '../console.js'
import { barOf } from './table.js'
import { fit } from './width.js'

/** What was in, by category and by weight, what was out, and what the last compaction changed. */
export function* contextLines(console: Console, report: ContextReport): Generator<string> {
  const { style } = console
  const { context, items, out, compaction, dropped } = report
  yield* headLines(console, report)
  yield ''
  yield `${style.strong('In the request')}  ${style.faint(`${plural(context.entries.length, 'entry', 'entries')}; tokens by category are estimates that add up to the total`)}`
  yield* partLines(console, report)
  yield ''
  yield style.strong('Heaviest entries')
  yield* itemLines(console, heaviest(items))
  if (out.length > 0) yield* ['', style.strong('Not in the request'), ...out.map(left => outLine(left))]
  if (compaction === null) return
  yield ''
  yield `${style.strong('Last compaction')}  ${style.faint(`${dayAndTime(compaction.time)}, entry ${shortId(compaction.boundary)}`)}`
  yield `  ${tokensText(compaction.before?.total)} before, ${tokensText(compaction.after?.total)} after; ${plural(compaction.dropped, 'entry', 'entries')} dropped`
  if (dropped.length > 0) {
    yield '  The heaviest of them:'
    yield* itemLines(console, dropped.slice(0, MOST_DROPPED))
  }
  yield style.faint(`  dagline diff --compaction ${shortId(compaction.boundary)}  prints what was dropped`)
}

function* headLines({ style }: Console, report: ContextReport): Generator<string> {
  const { context, agent, session, answer, answers, window } = report
  const who = agent === null ? shortId(session) : `${shortId(session)}, subagent ${shortId(agent)}`
  const entry = shortId(context.reply[0] ?? '')
  yield `${style.strong(`Answer ${answer} of ${answers}`)}  ${style.id(entry)}  ${style.faint(`${dayAndTime(report.time)}, ${who}`)}`
  const { total } = context.tokens
  yield total === null
    ? 'The answer does not tell how many tokens its request had.'
    : `${count(total)} tokens, ${percent(total, window)} of ${count(window)}`
  if (context.unknown !== null) yield style.bad(unknownText(context.unknown))
}

const BAR = 24
/** Characters of `100 %`. */
const SHARE = 5

function* partLines({ style, width }: Console, { context }: ContextReport): Generator<string> {
  const parts = Object.entries(context.tokens.parts).sort(([, a], [, b]) => b - a)
  const most = parts[0]?.[1] ?? 0
  const sum = parts.reduce((all, [, tokens]) => all + tokens, 0)
  const names = parts.map(([category]) => categoryText(category))
  const [wide, digits] = [Math.max(...names.map(name => name.length)), count(most).length]
  const room = Math.max(0, Math.min(BAR, width - wide - digits - SHARE - 8))
  for (const [i, [, tokens]] of parts.entries()) {
    const name = cleanLine(names[i] ?? '').padEnd(wide)
    const share = percent(tokens, sum).padStart(SHARE)
    yield `  ${name}  ${count(tokens).padStart(digits)}  ${style.faint(share)}  ${barOf(most === 0 ? 0 : tokens / most, room)}`.trimEnd()
  }
}

const MOST_ITEMS = 10
const MOST_DROPPED = 5
/** A line says which entry it is; `show` prints all of it. */
const WIDEST = 160

function heaviest(items: readonly ContextItem[]): readonly ContextItem[] {
  return [...items].sort((a, b) => b.tokens - a.tokens).slice(0, MOST_ITEMS)
}

function* itemLines({ style, width }: Console, items: readonly ContextItem[]): Generator<string> {
  const digits = Math.max(0, ...items.map(({ tokens }) => count(tokens).length))
  for (const { node, tokens, category, text } of items) {
    const start = `  ${count(tokens).padStart(digits)}  ${shortId(node)}  ${categoryText(category)}  `
    const shown = `  ${count(tokens).padStart(digits)}  ${style.id(shortId(node))}  ${style.faint(cleanLine(categoryText(category)))}  `
    yield `${shown}${fit(cleanLine(text), Math.min(width, WIDEST) - start.length)}`
  }
}

function outLine({ reason, entries, nodes }: LeftOutEntries): string {
  const last = nodes[0] === undefined ? '' : `, the last ${shortId(nodes[0])}`
  return `  ${count(entries)} ${LEFT_OUT_TEXTS[reason]}${last}`
}

function tokensText(total: number | null | undefined): string {
  return total === null || total === undefined ? 'an unknown number of tokens' : `${count(total)} tokens`
}

/** What entered and left between two requests, the heaviest first. */
export function* differenceLines(console: Console, difference: ContextDifference): Generator<string> {
  const { style } = console
  const { from, to, entered, left } = difference
  yield* headLines(console, from)
  yield* headLines(console, to)
  for (const [title, items] of [['Entered', entered] as const, ['Left', left] as const]) {
    const tokens = items.reduce((sum, item) => sum + item.tokens, 0)
    yield ''
    yield `${style.strong(title)}  ${style.faint(`${plural(items.length, 'entry', 'entries')}, about ${count(tokens)} tokens`)}`
    yield* itemLines(console, heaviest(items))
    if (items.length > MOST_ITEMS)
      yield style.faint(`  and ${items.length - MOST_ITEMS} more; --json lists all of them`)
  }
}
