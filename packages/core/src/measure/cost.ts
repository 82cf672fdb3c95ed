/** X5: what a message costs. Nothing is guessed: what has no known price has no cost. */
import type { MessageUsage } from '../model/billing.js'
import type { Usage } from '../model/entry.js'
import {
  BATCH,
  findPrice,
  LIST_PRICES,
  type ModelPrice,
  type PricePeriod,
  type Prices,
  type Rates,
  WEB_SEARCH,
} from './prices.js'

/** The cost of a message in USD; null where its model, or how it was served, has no known price. */
export function costOf(message: MessageUsage, prices: Prices = LIST_PRICES): number | null {
  return createPricer(prices)(message)
}

/** The cost of a message, or of some of its tokens alone, at the rates of the whole message. */
export type Pricer = (message: MessageUsage, part?: Usage) => number | null

/** The same for many messages: each model's name is looked up once. */
export function createPricer(prices: Prices): Pricer {
  const known = new Map<string, ModelPrice | null>()
  return (message, part) => {
    let price = known.get(message.model)
    if (price === undefined) {
      price = findPrice(message.model, prices)
      known.set(message.model, price)
    }
    return price === null ? null : priced(message, price, part)
  }
}

/** How a message was served. */
type Served = Pick<MessageUsage, 'model' | 'tier' | 'speed' | 'geo'>

/** What has no price: the model, and how it was served where that is why. */
export function unpricedName({ model, tier, speed, geo }: Served, prices: Prices = LIST_PRICES): string {
  if (findPrice(model, prices) === null) return model
  const modes = [tier, speed, geo].filter(mode => mode !== null)
  return `${model} (${modes.join(', ')})`
}

function priced(message: MessageUsage, price: ModelPrice, part: Usage | undefined): number | null {
  const factor = factorOf(message, price)
  if (factor === null) return null
  const tokens = tokenCost(part ?? message, ratesFor(message, price))
  return tokens * factor + (part === undefined ? message.webSearches * WEB_SEARCH : 0)
}

/** Fast mode, batches and a fixed place of inference multiply; they stack. The priority tier has no list price. */
function factorOf({ tier, speed, geo }: MessageUsage, price: ModelPrice): number | null {
  if (tier === null && speed === null && geo === null) return 1
  const factors = [
    tier === null ? 1 : tier === 'batch' ? BATCH : null,
    speed === null ? 1 : speed === 'fast' ? price.fast : null,
    geo === null ? 1 : geo === 'us' ? price.inUnitedStates : null,
  ]
  let product = 1
  for (const factor of factors) {
    if (factor === null) return null
    product *= factor
  }
  return product
}

function ratesFor(message: MessageUsage, { periods }: ModelPrice): Rates {
  const { rates, long } = periodOf(message, periods)
  return long !== null && promptOf(message) > long.above ? long.rates : rates
}

/** Everything that was sent, cached or not: what the long-context tiers look at. */
function promptOf({ input, cacheRead, cacheWrite5m, cacheWrite1h }: MessageUsage): number {
  return input + cacheRead + cacheWrite5m + cacheWrite1h
}

/** Undated messages cost what is asked today. */
function periodOf({ time }: MessageUsage, periods: readonly PricePeriod[]): PricePeriod {
  const at = time ?? Number.MAX_VALUE
  for (const period of periods) if (at < period.until) return period
  throw new RangeError('a model without a price of today')
}

const MILLION = 1_000_000

function tokenCost(used: Usage, rates: Rates): number {
  const sum =
    used.input * rates.input +
    used.output * rates.output +
    used.cacheRead * rates.cacheRead +
    used.cacheWrite5m * rates.cacheWrite5m +
    used.cacheWrite1h * rates.cacheWrite1h
  return sum / MILLION
}
