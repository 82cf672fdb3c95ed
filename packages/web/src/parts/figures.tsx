/** Figures in text and tables: a short form, with the exact value as title. */

import { ago, bytes, count, exactMoney, exactTime, money, tokens } from '@dagline/core/format'
import { type ReadonlySignal, signal } from '@preact/signals'
import type { JSX } from 'preact'

/** The current time for relative times, updated twice a minute. */
export const now: ReadonlySignal<number> = startClock()

/** The sum of the known costs; null where none is known. */
export function sumCosts(costs: readonly (number | null)[]): number | null {
  const known = costs.filter(cost => cost !== null)
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}

export function Money({ value }: { readonly value: number | null }): JSX.Element {
  return (
    <span class="figure" title={exactMoney(value)}>
      {money(value)}
    </span>
  )
}

export function Tokens({ value }: { readonly value: number }): JSX.Element {
  return (
    <span class="figure" title={`${count(value)} tokens`}>
      {tokens(value)}
    </span>
  )
}

export function Bytes({ value }: { readonly value: number }): JSX.Element {
  return (
    <span class="figure" title={`${count(value)} bytes`}>
      {bytes(value)}
    </span>
  )
}

/** How long ago something was; nothing without a time. */
export function Ago({ time }: { readonly time: number | null }): JSX.Element | null {
  if (time === null) return null
  return (
    <time class="figure" dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {ago(time, now.value)}
    </time>
  )
}

function startClock(): ReadonlySignal<number> {
  const time = signal(Date.now())
  setInterval(() => {
    time.value = Date.now()
  }, 30_000)
  return time
}
