/** X41: the waste of projects: what was paid for in vain, or for longer than needed. */
import { readCallFacts, readMessageUsage, readResultFacts } from '@dagline/core/content'
import { addUsage, costOf, type MessageUsage, tokensIn, type UsageRow } from '@dagline/core/measure'
import { groupBy } from '@dagline/core/model'
import { withCarried } from '@dagline/core/parse'
import {
  type CallFacts,
  findWaste,
  HOW_TO_AVOID,
  type ResultFacts,
  WASTE_KINDS,
  type Waste,
  type WasteKind,
} from '@dagline/core/waste'
import type { ProjectLocation } from '../files/projects.js'
import { askParts, figuresBasis } from '../graphs/answers.js'
import { loadProject, type Meter } from '../graphs/project.js'
import { everywhere, type Host } from '../host/host.js'
import { currentPrices } from '../host/prices.js'
import type { IndexOptions } from '../index/open.js'
import { type ListFilter, readFilter } from '../locate/list-filter.js'
import { openPartsIn } from '../locate/scope-parts.js'
import { noRows } from '../text/nothing.js'
import { usageOf } from './usage.js'

/** Tokens and what they cost. */
export interface WasteSum {
  readonly tokens: number
  /** Of the messages whose price is known; null where there is none. */
  readonly costUSD: number | null
}

/** Something that was wasted, with its sum. */
export interface WasteItem extends Waste, WasteSum {}

/** All waste of one kind. */
export interface WasteOfKind extends WasteSum {
  readonly kind: WasteKind
  readonly count: number
  /** What would avoid it. */
  readonly avoid: string
}

/** What was wasted, and what was used in all. */
export interface WasteReport {
  /** The most expensive first. */
  readonly items: readonly WasteItem[]
  /** The kinds of which there is some, the most expensive first. */
  readonly kinds: readonly WasteOfKind[]
  readonly wasted: WasteSum
  /** The usage of the same sessions and days. */
  readonly used: WasteSum & { readonly messages: number }
}

/** Reads a project and finds its waste. */
export function findWasteIn(location: ProjectLocation, meter?: Meter): readonly Waste[] {
  const usage = new Map<string, MessageUsage>()
  const calls = new Map<string, CallFacts>()
  const results = new Map<string, ResultFacts>()
  const see = withCarried((json, record) => {
    addUsage(usage, readMessageUsage(json))
    for (const call of readCallFacts(json)) calls.set(call.id, call)
    for (const result of readResultFacts(json, record)) results.set(result.id, result)
  })
  const { graph } = loadProject(location, meter, { see })
  return findWaste(graph, { usage, calls, results }, currentPrices())
}

/**
 * The waste of a session, of a project, or of all. Only messages count that `usage` counts for the same options, each for
 * one project: so no sum is more than that of `usage`. Throws `UserError` where a name is not valid.
 */
export async function reportWaste(host: Host, options: IndexOptions & ListFilter): Promise<WasteReport> {
  const { project = null, session = null, since = null, until = null, ...index } = options
  const { isInTime, scope, session: id } = readFilter(host, options)
  const asked = { ...index, project, session: id, since, until }
  // What is to be noted of the index is noted below.
  const all = await usageOf({ ...everywhere(host), note: () => {} }, [], asked)
  const rows = scope === null ? all : all.filter(row => scope.names.has(row.project))
  const opened = await openPartsIn(scope, host, options)
  try {
    const question = { name: 'findWasteIn', read: findWasteIn, basis: figuresBasis() } as const
    const parts = (await askParts(question, opened, host)).flat()
    if (rows.length === 0 && opened.projects.length > 0)
      host.note(noRows({ of: 'API messages', looked: null, filter: { ...options, session: id } }))
    const isWanted = ({ session: of, time }: Waste): boolean =>
      (id === null || of === id) && isInTime({ session: of, first: time, last: time })
    return reportOf(countedItems(parts, rows, isWanted), rows)
  } finally {
    opened.close()
  }
}

/** The waste of counted messages. A message that several projects repeat counts for the first of them. */
function countedItems(
  parts: readonly (readonly Waste[])[],
  rows: readonly UsageRow[],
  isWanted: (waste: Waste) => boolean,
): readonly WasteItem[] {
  const counted = new Set(rows.map(({ message }) => message))
  return parts.flatMap(part => {
    const items = part.flatMap(waste => {
      const shares = waste.shares.filter(({ message }) => counted.has(message))
      const isCounted = waste.shares.length === 0 ? isWanted(waste) : shares.length > 0
      return isCounted ? [{ ...waste, shares, ...sumOf(shares) }] : []
    })
    for (const { shares } of part) for (const { message } of shares) counted.delete(message)
    return items
  })
}

function reportOf(items: readonly WasteItem[], rows: readonly UsageRow[]): WasteReport {
  const byKind = groupBy(items, ({ kind }) => kind)
  const kinds = WASTE_KINDS.flatMap((kind): readonly WasteOfKind[] => {
    const of = byKind.get(kind) ?? []
    return of.length === 0 ? [] : [{ kind, count: of.length, avoid: HOW_TO_AVOID[kind], ...sumOf(of) }]
  })
  const used = rows.map(row => ({ tokens: tokensIn(row), costUSD: costOf(row, currentPrices()) }))
  return {
    items: items.toSorted(byCost),
    kinds: kinds.toSorted(byCost),
    wasted: sumOf(items),
    used: { ...sumOf(used), messages: rows.length },
  }
}

function byCost(a: WasteSum, b: WasteSum): number {
  return (b.costUSD ?? 0) - (a.costUSD ?? 0) || b.tokens - a.tokens
}

function sumOf(parts: readonly WasteSum[]): WasteSum {
  const priced = parts.flatMap(({ costUSD }) => costUSD ?? [])
  const add = (a: number, b: number): number => a + b
  return {
    tokens: parts.map(({ tokens }) => tokens).reduce(add, 0),
    costUSD: priced.length === 0 ? null : priced.reduce(add, 0),
  }
}
