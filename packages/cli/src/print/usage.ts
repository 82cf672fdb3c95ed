/** Usage as a table, for the terminal and for reports, with what must be known about its figures below it. */

import { cleanLine } from '@dagline/core/content'
import { count, percent, plural } from '@dagline/core/format'
import {
  modelFamily,
  PRICES_AS_OF,
  type UsageGroup,
  type UsageKey,
  type UsageSum,
  type UsageTally,
} from '@dagline/core/measure'
import type { Console } from '../console.js'
import { type Column, tableLines } from './table.js'
import { widthOf, wrap } from './width.js'

/** What was counted. */
export interface UsageReport {
  readonly by: UsageKey
  readonly tally: UsageTally
  /** All there is, where only a part was asked for: branches that were left. */
  readonly whole: UsageSum | null
  /** The projects of sessions and branches. */
  readonly projects: ReadonlyMap<string, string>
}

const WIDEST_NOTE = 100
/** A narrower terminal gets short figures and fewer columns. */
const ROOM_FOR_ALL = 120

/** The table with its sum, and the notes. Only a terminal sets a limit to its width. */
export function* usageTable(report: UsageReport, console: Console): Generator<string> {
  const { style, isTerminal } = console
  const width = isTerminal ? console.width : Infinity
  const columns = columnsOf(report, width < ROOM_FOR_ALL)
  const lines = [...tableLines(rowsOf(report), columns, { width, title: text => text })]
  const wide = lines.reduce((most, line) => Math.max(most, widthOf(line)), 0)
  for (const [index, line] of lines.entries()) {
    const isSum = index === lines.length - 1
    if (isSum) yield style.faint('─'.repeat(wide))
    yield index === 0 ? style.faint(line) : isSum ? style.strong(line) : line
  }
  yield ''
  for (const note of notesOf(report)) {
    for (const [index, line] of wrap(note, Math.min(width, WIDEST_NOTE) - 2).entries())
      yield style.faint(index === 0 ? `- ${line}` : `  ${line}`)
  }
}

/** The same in Markdown. */
export function* usageMarkdown(report: UsageReport): Generator<string> {
  const rows = rowsOf(report)
  const columns = columnsOf(report, false).filter(
    ({ unless, text }) => unless === undefined || rows.some(row => text(row) !== unless),
  )
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  yield line(columns.map(({ title }) => title))
  yield `|${columns.map(({ side }) => (side === 'left' ? '---:' : '---')).join('|')}|`
  for (const [index, row] of rows.entries()) {
    const isSum = index === rows.length - 1
    yield line(columns.map(({ text }) => markdownCell(text(row).trim(), isSum)))
  }
  yield ''
  for (const note of notesOf(report)) yield `- ${markdownText(note)}`
}

function markdownCell(text: string, isStrong: boolean): string {
  const cell = markdownText(text)
  return isStrong && cell !== '' ? `**${cell}**` : cell
}

/** Names come from transcripts: what Markdown would read as its own is marked as text. */
function markdownText(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, sign => `\\${sign}`)
}

/** The groups, and their sum last. */
function rowsOf({ tally }: UsageReport): readonly UsageGroup[] {
  const unpriced = tally.unpriced.reduce((sum, { messages }) => sum + messages, 0)
  return [...tally.groups, { ...tally.totals, key: 'total', models: [], unpriced }]
}

function columnsOf({ by, tally, projects }: UsageReport, isNarrow: boolean): readonly Column<UsageGroup>[] {
  const figure = (title: string, number: (sum: UsageSum) => number, spare: number): Column<UsageGroup> => ({
    spare,
    title,
    text: row => (isNarrow ? number(row).toLocaleString('en', SHORT) : count(number(row))),
    side: 'left',
    unless: '0',
  })
  const about = aboutColumn(by, projects, isNarrow)
  return [
    { title: TITLES[by], text: row => keyText(row, by), flexible: about === null },
    figure('API messages', row => row.messages, 4),
    figure('input', row => row.input, 2),
    figure('output', row => row.output, 1),
    figure('cache read', row => row.cacheRead, 3),
    figure('write 5m', row => row.cacheWrite5m, 5),
    figure('write 1h', row => row.cacheWrite1h, 5),
    figure('searches', row => row.webSearches, 6),
    { title: 'cost', text: costReader(tally), side: 'left' },
    ...(about === null ? [] : [about]),
  ]
}

/** `945M`. */
const SHORT: Intl.NumberFormatOptions = { notation: 'compact', maximumSignificantDigits: 3 }

/** What a row is about, where its name does not say it: the project of a session, else the models. */
function aboutColumn(
  by: UsageKey,
  projects: ReadonlyMap<string, string>,
  isNarrow: boolean,
): Column<UsageGroup> | null {
  const project = (row: UsageGroup): string => cleanLine(projects.get(row.key) ?? '')
  if (projects.size > 0) return { title: 'project', text: project, flexible: true, spare: 7 }
  return by === 'model' || isNarrow ? null : { title: 'models', text: modelNames, flexible: true }
}

const TITLES: Readonly<Record<UsageKey, string>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  project: 'project',
  session: 'session',
  model: 'model',
  agent: 'agent',
  branch: 'branches',
  line: 'branch',
}

/** Sessions by their first characters, as commands take them. */
function keyText({ key }: UsageGroup, by: UsageKey): string {
  const text = cleanLine(key)
  return by === 'session' || by === 'line' ? text.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}/, '$1') : text
}

const MOST_MODELS = 4

/** `opus-4-6, haiku-4-5`: those with the most messages. */
function modelNames({ models }: UsageGroup): string {
  const names = [...new Set(models.map(model => modelFamily(cleanLine(model)).replace(/^claude-/, '')))]
  const more = names.length - MOST_MODELS
  return names.slice(0, MOST_MODELS).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Small sums need more digits than cents. */
const SMALL = 10

function costReader({ totals, unpriced }: UsageTally): (row: UsageGroup) => string {
  const digits = (totals.cost ?? 0) < SMALL ? 4 : 2
  const mark = unpriced.length > 0 ? ' ' : ''
  return row => (row.cost === null ? `?${mark}` : money(row.cost, digits) + (row.unpriced > 0 ? '*' : mark))
}

function money(cost: number, digits: number): string {
  const least = 10 ** -digits
  if (cost > 0 && cost < least / 2) return `<$${least.toFixed(digits)}`
  const [whole = '', part = ''] = cost.toFixed(digits).split('.')
  return `$${count(Number(whole))}${part === '' ? '' : `.${part}`}`
}

/** What must be known about the figures. */
function notesOf(report: UsageReport): readonly string[] {
  const { tally, whole } = report
  return [
    ...(whole === null ? [] : [shareNote(tally.totals, whole)]),
    ...unpricedNotes(tally),
    ...undercountNotes(tally),
    `Costs are Anthropic's list prices in USD (as of ${PRICES_AS_OF}), not a bill: subscriptions, discounts and other providers cost otherwise.`,
  ]
}

function shareNote(left: UsageSum, whole: UsageSum): string {
  const [part, all] = [left.cost ?? 0, whole.cost ?? 0]
  const digits = all < SMALL ? 4 : 2
  return `Branches that were left cost ${money(part, digits)} of ${money(all, digits)} (${percent(part, all)}), agents that they spawned included.`
}

function unpricedNotes({ unpriced }: UsageTally): readonly string[] {
  if (unpriced.length === 0) return []
  const names = unpriced.map(
    group => `${cleanLine(group.key)} (${plural(group.messages, 'API message')}, ${tokensText(group)})`,
  )
  return [`No price is known for ${names.join(', ')}: counted, but not in the cost (*).`]
}

function tokensText({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: UsageSum): string {
  const sent = input + cacheRead + cacheWrite5m + cacheWrite1h
  return `${count(sent)} tokens in, ${count(output)} out`
}

/** Why some messages have too little output. */
export const UNDERCOUNT_REASON: string =
  'the final usage was never written, only that of the start of the message (Claude Code before 2.1.59 often left it out, and messages that were cut off have none)'

function undercountNotes({ undercounted, totals }: UsageTally): readonly string[] {
  const { messages, output, missing } = undercounted
  if (messages === 0) return []
  const share = `${plural(messages, 'API message')} of ${count(totals.messages)} (${percent(messages, totals.messages)})`
  const size = `Counted are ${plural(output, 'token')} of output; by the text it was at least ${roundly(missing)} more.`
  return [`Output is too low for ${share}: ${UNDERCOUNT_REASON}. ${size} Input and cache tokens are right.`]
}

/** Two digits are all that an estimate has. */
function roundly(number: number): string {
  return count(Number(number.toPrecision(2)))
}
