/** Groups usage by day, week or month, and builds the bars of the chart. */

import { MONTHS } from '@dagline/core/format'
import { pushTo, sumCosts } from '@dagline/core/model'
import type { UsageCell, UsageDay, UsagePage } from '@dagline/core/protocol'
import type { Bar } from '../charts/bars.js'
import { addDays, dayName, daysBetween, mondayOf } from '../charts/scale.js'
import type { Measure, Step } from './usage-view.js'

/** A day, week or month. */
interface Span {
  /** Its first day, or the month. */
  readonly key: string
  readonly days: readonly UsageDay[]
}

/** More bars than this are not distinguishable. */
const MOST_BARS = 400

/** All days, weeks or months from the first to the last; only those with usage where there would be too many. */
export function spansOf(days: readonly UsageDay[], step: Step): readonly Span[] {
  const dated = days.filter(({ key }) => isDay(key))
  const spans = new Map<string, UsageDay[]>()
  for (const key of keysBetween(dated, step)) spans.set(key, [])
  for (const day of dated) pushTo(spans, keyOf(day.key, step), day)
  return [...spans].map(([key, own]) => ({ key, days: own }))
}

/** The finest step that gives a readable chart. */
export function stepFor(days: readonly UsageDay[]): Step {
  const dated = days.filter(({ key }) => isDay(key))
  const [first, last] = [dated[0], dated.at(-1)]
  const length = first === undefined || last === undefined ? 0 : daysBetween(first.key, last.key)
  return length <= 62 ? 'day' : length <= 400 ? 'week' : 'month'
}

function isDay(key: string): boolean {
  return key !== 'undated'
}

function keyOf(day: string, step: Step): string {
  return step === 'day' ? day : step === 'week' ? mondayOf(day) : day.slice(0, 7)
}

function keysBetween(days: readonly UsageDay[], step: Step): readonly string[] {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const keys: string[] = []
  for (let day = first.key; day <= last.key && keys.length <= MOST_BARS; day = nextOf(day, step)) {
    keys.push(keyOf(day, step))
  }
  return keys.length > MOST_BARS ? [] : keys
}

function nextOf(day: string, step: Step): string {
  if (step === 'day') return addDays(day, 1)
  if (step === 'week') return addDays(mondayOf(day), 7)
  return addDays(`${day.slice(0, 7)}-28`, 4)
    .slice(0, 7)
    .concat('-01')
}

/** `12 Mar`, `Mar 2026`. */
function spanLabel(key: string): string {
  return key.length === 7 ? `${MONTHS[Number(key.slice(5)) - 1]} ${key.slice(0, 4)}` : dayName(key, false)
}

/** `12 Mar 2026`, `week of 9 Mar 2026`, `Mar 2026`. */
export function spanName(key: string, step: Step): string {
  if (step === 'month') return spanLabel(key)
  return step === 'week' ? `week of ${dayName(key, true)}` : dayName(key, true)
}

/** The last day of a span. */
export function spanEnd(key: string, step: Step): string {
  if (step === 'day') return key
  return step === 'week' ? addDays(key, 6) : addDays(nextOf(`${key}-01`, 'month'), -1)
}

const COUNTS = ['messages', 'input', 'output', 'cacheRead', 'cacheWrite'] as const

/** Sums over cells. */
export function sumCells(cells: readonly UsageCell[]): UsageCell {
  const sums = { messages: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  for (const cell of cells) for (const name of COUNTS) sums[name] += cell[name]
  return { key: '', ...sums, cost: sumCosts(cells.map(({ cost }) => cost)) }
}

/** The number of tokens of a cell. */
export function tokensIn({ input, output, cacheRead, cacheWrite }: UsageCell): number {
  return input + output + cacheRead + cacheWrite
}

interface Chart {
  readonly bars: readonly Bar[]
  readonly series: readonly string[]
}

/** Builds the chart: cost by model, tokens by type. */
export function buildChart(
  { days, models }: Pick<UsagePage, 'days' | 'models'>,
  measure: Measure,
  step: Step,
): Chart {
  const spans = spansOf(days, step)
  const series = measure === 'cost' ? modelSeries(models) : TOKEN_SERIES
  const partsOf = measure === 'cost' ? (span: Span) => costParts(span, series.length) : tokenParts
  return {
    series,
    bars: spans.map(span => ({
      key: span.key,
      label: spanLabel(span.key),
      name: spanName(span.key, step),
      parts: partsOf(span),
    })),
  }
}

const TOKEN_SERIES = ['cache read', 'cache write', 'input', 'output']

function tokenParts({ days }: Span): readonly number[] {
  const { cacheRead, cacheWrite, input, output } = sumCells(days)
  return [cacheRead, cacheWrite, input, output]
}

/** The number of series; further models share the last one. */
const MOST_MODELS = 6

function modelSeries(models: readonly string[]): readonly string[] {
  const named = models.map(modelName)
  return named.length <= MOST_MODELS ? named : [...named.slice(0, MOST_MODELS - 1), 'others']
}

function costParts({ days }: Span, length: number): readonly number[] {
  const parts = Array.from({ length }, () => 0)
  for (const [model, cost] of days.flatMap(day => day.models)) {
    const at = Math.min(model, length - 1)
    parts[at] = (parts[at] ?? 0) + (cost ?? 0)
  }
  return parts
}

/** The short name of a model: `sonnet-4-5` for `claude-sonnet-4-5-20250929`. */
export function modelName(model: string): string {
  return model.replace(/^.*claude-/, '').replace(/-\d{8}.*$/, '')
}
