/**
 * What models cost: the list prices of Anthropic's own API, in USD. A table in the repository, never fetched; a test
 * holds it against @pydantic/genai-prices, and another against what the CLI itself reckoned in the recordings
 * (docs/adr/0012-prices.md).
 *
 * Source of all rates: https://platform.claude.com/docs/en/about-claude/pricing ("Model pricing", "Long context
 * pricing", "Fast mode pricing", "Data residency pricing", "Web search tool"), and for models that have left that page
 * its older versions. Read again for every change of the table; `PRICES_AS_OF` is when.
 */

import type { Usage } from '../model/entry.js'

/** The day on which the table was last compared with its source. */
export const PRICES_AS_OF = '2026-10-09'

/** USD for a million tokens of each kind. */
export type Rates = Usage

/** Rates for requests whose input, cache included, has more tokens than `above`: then for all of the request. */
export interface LongRates {
  readonly above: number
  readonly rates: Rates
}

/** What was asked for a model up to a time, exclusive. */
export interface PricePeriod {
  /** In milliseconds since 1970: midnight in UTC; infinite for what is asked today. */
  readonly until: number
  readonly rates: Rates
  readonly long: LongRates | null
}

/** A model and its prices, the oldest first. */
export interface ModelPrice {
  /** The family: the model's id without date, provider and region. */
  readonly model: string
  /** Other spellings of the family. */
  readonly aliases: readonly string[]
  readonly periods: readonly PricePeriod[]
  /** How many times the standard rates fast mode costs; null where there is none, or its price is not known. */
  readonly fast: number | null
  /** The same for inference that has to stay in the United States. */
  readonly inUnitedStates: number | null
}

/** USD for one web search that the server makes: 10 for a thousand, for every model. */
export const WEB_SEARCH = 0.01
/** What the Message Batches API takes of the standard rates. */
export const BATCH = 0.5

/** The columns in the order of Anthropic's page, so that a row can be compared at a glance. */
type Columns = readonly [input: number, write5m: number, write1h: number, read: number, output: number]

const HAIKU_3: Columns = [0.25, 0.3, 0.5, 0.03, 1.25]
const HAIKU_3_5: Columns = [0.8, 1, 1.6, 0.08, 4]
const HAIKU_4_5: Columns = [1, 1.25, 2, 0.1, 5]
const SONNET: Columns = [3, 3.75, 6, 0.3, 15]
const SONNET_LONG: Columns = [6, 7.5, 12, 0.6, 22.5]
const OLD_OPUS: Columns = [15, 18.75, 30, 1.5, 75]
const OPUS: Columns = [5, 6.25, 10, 0.5, 25]
const OPUS_LONG: Columns = [10, 12.5, 20, 1, 37.5]
const FABLE: Columns = [10, 12.5, 20, 1, 50]
const FABLE_5_1: Columns = [10, 12.5, 20, 0.25, 50]

/** Requests above this many tokens cost more where there is a long-context tier (a beta; later flat). */
const LONG = 200_000
/** From this day on the whole window of a million tokens costs the standard rates. */
const FLAT_LONG = '2026-03-13'

/** Every model with a known price, from Claude 3 on. */
export const MODEL_PRICES: readonly ModelPrice[] = [
  model('claude-3-haiku', [now(HAIKU_3)], { aliases: ['claude-haiku-3'] }),
  model('claude-3-sonnet', [now(SONNET)], { aliases: ['claude-sonnet-3'] }),
  model('claude-3-opus', [now(OLD_OPUS)], { aliases: ['claude-opus-3'] }),
  model('claude-3-5-haiku', [now(HAIKU_3_5)], { aliases: ['claude-haiku-3-5'] }),
  model('claude-3-5-sonnet', [now(SONNET)], { aliases: ['claude-sonnet-3-5'] }),
  model('claude-3-7-sonnet', [now(SONNET)], { aliases: ['claude-sonnet-3-7'] }),
  // The tier of Sonnet 4 stood on the page since August 2025; genai-prices has it for Sonnet 4.5 only.
  model('claude-sonnet-4', [now(SONNET, long(LONG, SONNET_LONG))], {
    aliases: ['claude-sonnet-4-0', 'claude-4-sonnet'],
  }),
  model('claude-opus-4', [now(OLD_OPUS)], { aliases: ['claude-opus-4-0', 'claude-4-opus'] }),
  model('claude-opus-4-1', [now(OLD_OPUS)]),
  model('claude-sonnet-4-5', [now(SONNET, long(LONG, SONNET_LONG))], { aliases: ['claude-4-5-sonnet'] }),
  model('claude-haiku-4-5', [now(HAIKU_4_5)], { aliases: ['claude-4-5-haiku'] }),
  model('claude-opus-4-5', [now(OPUS)], { aliases: ['claude-4-5-opus'] }),
  model('claude-opus-4-6', [until(FLAT_LONG, OPUS, long(LONG, OPUS_LONG)), now(OPUS)], {
    aliases: ['claude-4-6-opus'],
    fast: 6,
    inUnitedStates: 1.1,
  }),
  model('claude-sonnet-4-6', [until(FLAT_LONG, SONNET, long(LONG, SONNET_LONG)), now(SONNET)], {
    aliases: ['claude-4-6-sonnet'],
    inUnitedStates: 1.1,
  }),
  model('claude-opus-4-7', [now(OPUS)], { fast: 6, inUnitedStates: 1.1 }),
  model('claude-opus-4-8', [now(OPUS)], { fast: 2, inUnitedStates: 1.1 }),
  model('claude-opus-5', [now(OPUS)], { aliases: ['claude-opus-5-0'], fast: 2, inUnitedStates: 1.1 }),
  model('claude-opus-5-5', [now([4, 5, 8, 0.2, 20])], { fast: 2, inUnitedStates: 1.1 }),
  model('claude-sonnet-5', [now([2, 2.5, 4, 0.2, 10])], {
    aliases: ['claude-sonnet-5-0'],
    inUnitedStates: 1.1,
  }),
  // Cache reads were halved on or shortly before that day, ten days after the release.
  model('claude-sonnet-5-5', [until('2026-10-08', [2, 2.5, 4, 0.2, 10]), now([2, 2.5, 4, 0.1, 10])], {
    inUnitedStates: 1.1,
  }),
  model('claude-haiku-5-5', [now([0.1, 0.125, 0.2, 0.01, 0.5], long(100_000, [0.5, 0.625, 1, 0.05, 2.5]))], {
    inUnitedStates: 1.1,
  }),
  model('claude-fable-5', [now(FABLE)], { inUnitedStates: 1.1 }),
  model('claude-mythos-5', [now(FABLE)], { inUnitedStates: 1.1 }),
  model('claude-fable-5-1', [now(FABLE_5_1)], { inUnitedStates: 1.1 }),
  model('claude-mythos-5-1', [now(FABLE_5_1)], { inUnitedStates: 1.1 }),
]

type Extras = Partial<Pick<ModelPrice, 'aliases' | 'fast' | 'inUnitedStates'>>

function model(name: string, periods: readonly PricePeriod[], extras: Extras = {}): ModelPrice {
  return { model: name, aliases: [], fast: null, inUnitedStates: null, ...extras, periods }
}

function now(columns: Columns, tier: LongRates | null = null): PricePeriod {
  return { until: Infinity, rates: rates(columns), long: tier }
}

function until(day: string, columns: Columns, tier: LongRates | null = null): PricePeriod {
  return { ...now(columns, tier), until: Date.parse(day) }
}

function long(above: number, columns: Columns): LongRates {
  return { above, rates: rates(columns) }
}

function rates([input, cacheWrite5m, cacheWrite1h, cacheRead, output]: Columns): Rates {
  return { input, cacheWrite5m, cacheWrite1h, cacheRead, output }
}

/**
 * The family that a model's name means, in whatever way it was reached: dated ids, `-latest`, Bedrock
 * (`us.anthropic.claude-opus-4-6-v1:0`), Vertex (`claude-opus-4-5@20251101`), gateways (`anthropic/claude-opus-4.6`),
 * and the window of a million tokens (`[1m]`). What is left must be a family's own name; others have none.
 */
export function modelFamily(name: string): string {
  return name
    .toLowerCase()
    .trim()
    .replace(/\[1m\]$/, '')
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z-]+\.)?anthropic\./, '')
    .replace(/@[a-z0-9]+$/, '')
    .replace(/(?:-v\d+)?(?::\d+)?$/, '')
    .replace(/-(?:20\d{6}|latest)$/, '')
    .replace(/(\d)\.(\d)/, '$1-$2')
}

/** What decides what messages cost: the list, and before it the prices of the user's own, by family. */
export interface Prices {
  readonly own: ReadonlyMap<string, ModelPrice>
}

/** The list alone. */
export const LIST_PRICES: Prices = { own: new Map() }

/** The prices of a model by any of its names; null where there are none. */
export function findPrice(name: string, { own }: Prices): ModelPrice | null {
  const family = modelFamily(name)
  return own.get(family) ?? byName.get(family) ?? null
}

/** Kinds of tokens that have a price of their own. */
export const TOKEN_KINDS = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const

/** Prices of one model, in USD for a million tokens. */
export type OwnPrice = Pick<Rates, 'input' | 'output'> & Partial<Rates>

/**
 * X5: the list with prices of the user's own before it, by model. Prices of the cache that are not given follow from the
 * input as in the list: a tenth for reading, 1.25 and 2 times for writing. Fast mode and places cost nothing more.
 */
export function pricesWith(own: Readonly<Record<string, OwnPrice>>): Prices {
  const models = Object.entries(own).map(([name, { input, output, ...cache }]): [string, ModelPrice] => {
    const columns: Columns = [input, input * 1.25, input * 2, input * 0.1, output]
    const period = { ...now(columns), rates: { ...rates(columns), ...cache } }
    return [modelFamily(name), model(modelFamily(name), [period], { fast: 1, inUnitedStates: 1 })]
  })
  return { own: new Map(models) }
}

/** A text that differs wherever costs may differ: kept figures are valid for the prices that they were made with. */
export function pricesBasis({ own }: Prices): string {
  return own.size > 0 ? `${PRICES_AS_OF} ${JSON.stringify([...own])}` : PRICES_AS_OF
}

const byName: ReadonlyMap<string, ModelPrice> = new Map(
  MODEL_PRICES.flatMap(price => [price.model, ...price.aliases].map(name => [name, price])),
)
