/** X5: the prices of this process. Settings put the user's own prices into a variable, so that workers have the same. */
import { LIST_PRICES, type OwnPrice, type Prices, pricesWith, TOKEN_KINDS } from '@dagline/core/measure'
import { jsonIn } from '@dagline/core/model'

/** The list, with the prices of `DAGLINE_PRICES` before it where that is valid. */
export function currentPrices(env: NodeJS.ProcessEnv = process.env): Prices {
  const text = env['DAGLINE_PRICES'] ?? '{}'
  if (known?.text !== text) known = { text, prices: pricesOf(ownPricesIn(text)) }
  return known.prices
}

/** Whether prices of the user's own count. */
export function hasOwnPrices(): boolean {
  return currentPrices().own.size > 0
}

/** What was made of the last text: it hardly ever changes. */
let known: { readonly text: string; readonly prices: Prices } | null = null

function pricesOf(own: Readonly<Record<string, OwnPrice>> | null): Prices {
  return own === null || Object.keys(own).length === 0 ? LIST_PRICES : pricesWith(own)
}

/** Prices that are given as JSON: models, each with its prices. Null for anything else. */
export function ownPricesIn(text: string): Readonly<Record<string, OwnPrice>> | null {
  const value = jsonIn(text)
  if (!isObject(value)) return null
  const prices = Object.entries(value).flatMap(([model, price]) =>
    isOwnPrice(price) ? [[model, price] as const] : [],
  )
  return prices.length === Object.keys(value).length ? Object.fromEntries(prices) : null
}

/** Whether a value is the prices of a model. */
export function isOwnPrice(value: unknown): value is OwnPrice {
  if (!isObject(value)) return false
  const entries = Object.entries(value)
  return (
    ['input', 'output'].every(name => name in value) &&
    entries.every(([name, price]) => TOKEN_KINDS.some(kind => kind === name) && isRate(price))
  )
}

function isRate(price: unknown): boolean {
  return typeof price === 'number' && price >= 0 && price < 1e6
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
