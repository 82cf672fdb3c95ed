/** Usage as a table, for the terminal and as Markdown, with notes about its figures. */
import { hasOwnPrices, type ReportKey, type UsageReport } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { count, duration, exactMoney, exactTime, percent, plural, tokens } from '@dagline/core/format'
import {
  modelFamily,
  PRICES_AS_OF,
  type UsageBlock,
  type UsageGroup,
  type UsageSum,
  type UsageTally,
} from '@dagline/core/measure'
import type { Console } from '../console.js'
import { type Column, tableLines } from './table.js'
import { wrap } from './width.js'

const WIDEST_NOTE = 100
/** A narrower terminal gets short figures and fewer columns. */
const ROOM_FOR_ALL = 120

/** The table with its sum, and the notes. Only a terminal limits its width. */
export function* usageTable(report: UsageReport, console: Console): Generator<string> {
  const { style, width } = console
  const columns = columnsOf(report, width < ROOM_FOR_ALL)
  yield* tableLines(rowsOf(report), columns, { width, style, hasSum: true })
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
    ({ hiddenIf, text }) => hiddenIf === undefined || rows.some(row => text(row) !== hiddenIf),
  )
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  yield line(columns.map(({ title }) => title))
  yield `|${columns.map(({ align }) => (align === 'right' ? '---:' : '---')).join('|')}|`
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

/** Names come from transcripts: characters that mean something in Markdown are escaped. */
function markdownText(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, character => `\\${character}`)
}

/** The groups, and their sum last. */
function rowsOf({ tally }: UsageReport): readonly UsageGroup[] {
  const unpriced = tally.unpriced.reduce((sum, { messages }) => sum + messages, 0)
  return [...tally.groups, { ...tally.totals, key: 'total', models: [], unpriced }]
}

function columnsOf(
  { by, tally, projects, titles, paths, blocks }: UsageReport,
  isNarrow: boolean,
): readonly Column<UsageGroup>[] {
  const figure = (title: string, number: (sum: UsageSum) => number, dropRank: number): Column<UsageGroup> => {
    const text = (row: UsageGroup): string => (isNarrow ? tokens : count)(number(row))
    return { title, text, align: 'right', hiddenIf: '0', dropRank }
  }
  const pathOf = (project: string): string => paths.get(project) ?? project
  const about = aboutColumn(by, row => pathOf(projects.get(row.key) ?? ''), {
    isNarrow,
    isKnown: projects.size > 0,
  })
  const title = (row: UsageGroup): string => cleanLine(titles.get(row.key) ?? '')
  return [
    // Names of projects begin alike, and those of worktrees differ at their end.
    {
      title: TITLES[by] ?? by,
      text: by === 'project' ? row => cleanLine(pathOf(row.key)) : keyReader(by, blocks),
      flexible: about === null && NAMES.has(by),
      keepsEnd: by === 'project',
    },
    figure('API messages', row => row.messages, 4),
    figure('input', row => row.input, 2),
    figure('output', row => row.output, 1),
    figure('cache read', row => row.cacheRead, 3),
    figure('write 5m', row => row.cacheWrite5m, 5),
    figure('write 1h', row => row.cacheWrite1h, 5),
    figure('searches', row => row.webSearches, 6),
    { title: 'cost', text: costReader(tally), align: 'right' },
    ...(titles.size === 0 || about === null ? [] : [{ ...about, flexible: false }]),
    ...(titles.size > 0 ? [{ title: 'title', text: title, flexible: true }] : about === null ? [] : [about]),
  ]
}

/** What a row is about, where its name does not say it: the project of a session, else the models. */
function aboutColumn(
  by: ReportKey,
  projectOf: (row: UsageGroup) => string,
  { isNarrow, isKnown }: { readonly isNarrow: boolean; readonly isKnown: boolean },
): Column<UsageGroup> | null {
  const project = (row: UsageGroup): string => cleanLine(projectOf(row))
  if (isKnown) return { title: 'project', text: project, flexible: true, keepsEnd: true, dropRank: 7 }
  return by === 'model' || isNarrow ? null : { title: 'models', text: modelNames, flexible: true }
}

/** Keys of any length. The others are cut in no table: figures give way to them. */
const NAMES: ReadonlySet<ReportKey> = new Set(['project', 'agent'])

/** What differs from the name of the key. */
const TITLES: Readonly<Partial<Record<ReportKey, string>>> = {
  block: 'window of five hours',
  agent: 'subagent',
  branch: 'branches',
  line: 'branch',
}

function keyReader(by: ReportKey, blocks: readonly UsageBlock[]): (row: UsageGroup) => string {
  const known = new Map(blocks.map(block => [block.key, blockText(block)]))
  return row => known.get(row.key) ?? keyText(row, by)
}

/** `2026-03-01 14:00 to 19:00`, in the time zone of the machine. */
function blockText({ start, end, isActive }: UsageBlock): string {
  const left = isActive ? `, active: ${duration(end - Date.now())} left` : ''
  return `${exactTime(start).slice(0, -3)} to ${exactTime(end).slice(11, -3)}${left}`
}

/** Sessions by their first characters, as commands take them. */
function keyText({ key }: UsageGroup, by: ReportKey): string {
  const text = cleanLine(key)
  if (by === 'week') return withMonday(text)
  return by === 'session' || by === 'line' ? text.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}/, '$1') : text
}

/** `2026-W27, from 2026-06-29`: the week of ISO 8601 with its Monday. The first week has the 4th of January. */
function withMonday(week: string): string {
  const [, year, number] = /^(\d{4})-W(\d\d)$/.exec(week) ?? []
  if (year === undefined || number === undefined) return week
  const fourth = new Date(Date.UTC(Number(year), 0, 4))
  const weekday = (fourth.getUTCDay() + 6) % 7
  fourth.setUTCDate(4 - weekday + (Number(number) - 1) * 7)
  return `${week}, from ${fourth.toISOString().slice(0, 10)}`
}

const MOST_MODELS = 4

/** `opus-4-6, haiku-4-5`: those with the most messages. */
function modelNames({ models }: UsageGroup): string {
  const names = [...new Set(models.map(model => modelFamily(cleanLine(model)).replace(/^claude-/, '')))]
  const more = names.length - MOST_MODELS
  return names.slice(0, MOST_MODELS).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Below this sum, in USD, costs have four decimals instead of two. */
const SMALL = 10

function costReader({ totals, unpriced }: UsageTally): (row: UsageGroup) => string {
  const digits = (totals.cost ?? 0) < SMALL ? 4 : 2
  const mark = unpriced.length > 0 ? ' ' : ''
  return row =>
    row.cost === null ? `?${mark}` : fixedMoney(row.cost, digits) + (row.unpriced > 0 ? '*' : mark)
}

function fixedMoney(cost: number, digits: number): string {
  const least = 10 ** -digits
  if (cost > 0 && cost < least / 2) return `<$${least.toFixed(digits)}`
  const [whole = '', part = ''] = cost.toFixed(digits).split('.')
  return `$${count(Number(whole))}${part === '' ? '' : `.${part}`}`
}

/** What a reader must know about the figures. */
function notesOf(report: UsageReport): readonly string[] {
  const { tally, whole } = report
  return [
    ...(whole === null ? [] : [shareNote(tally.totals, whole)]),
    ...unpricedNotes(tally),
    ...undercountNotes(tally),
    ...(hasOwnPrices() ? ['Prices set with `dagline config` override the list.'] : []),
    `Costs are Anthropic's list prices in USD (as of ${PRICES_AS_OF}), not a bill: subscriptions, discounts and other providers differ.`,
  ]
}

function shareNote({ cost: part }: UsageSum, { cost: all }: UsageSum): string {
  const share = percent(part ?? 0, all ?? 0)
  return `Abandoned branches, with their subagents, cost ${exactMoney(part ?? 0)} of ${exactMoney(all ?? 0)} (${share}).`
}

function unpricedNotes({ unpriced }: UsageTally): readonly string[] {
  if (unpriced.length === 0) return []
  const names = unpriced.map(
    group => `${cleanLine(group.key)} (${plural(group.messages, 'API message')}, ${tokensText(group)})`,
  )
  return [`No price is known for ${names.join(', ')}: the tokens are counted, the cost is not (*).`]
}

function tokensText({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: UsageSum): string {
  const sent = input + cacheRead + cacheWrite5m + cacheWrite1h
  return `${count(sent)} tokens in, ${count(output)} out`
}

/** Why some messages have too little output. */
export const UNDERCOUNT_REASON: string =
  'the transcript has only the usage from the start of the message (Claude Code before 2.1.59 often did not write the final one, and interrupted messages have none)'

function undercountNotes({ undercounted, totals }: UsageTally): readonly string[] {
  const { messages, output, missing } = undercounted
  if (messages === 0) return []
  const share = `${plural(messages, 'API message')} of ${count(totals.messages)} (${percent(messages, totals.messages)})`
  const size = `Counted: ${plural(output, 'output token')}; the texts have at least ${roundly(missing)} more.`
  return [`Output is too low for ${share}: ${UNDERCOUNT_REASON}. ${size} Input and cache tokens are correct.`]
}

/** Two digits are all that an estimate has. */
function roundly(number: number): string {
  return count(Number(number.toPrecision(2)))
}
