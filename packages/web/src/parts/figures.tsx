/** Figures in a short form with the exact value as title, and badges, in text and tables. */

import { ago, bytes, clock, count, day, exactMoney, exactTime, money, tokens } from '@dagline/core/format'
import type { GivenLabel } from '@dagline/core/protocol'
import { type ReadonlySignal, signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'

/** The current time for relative times, updated twice a minute. */
export const now: ReadonlySignal<number> = startClock()

export function Money({ value }: { readonly value: number | null }): JSX.Element {
  return <Figure short={money(value)} exact={exactMoney(value)} />
}

export function Tokens({ value }: { readonly value: number }): JSX.Element {
  return <Figure short={tokens(value)} exact={`${count(value)} tokens`} />
}

export function Bytes({ value }: { readonly value: number }): JSX.Element {
  return <Figure short={bytes(value)} exact={`${count(value)} bytes`} />
}

function Figure({ short, exact }: { readonly short: string; readonly exact: string }): JSX.Element {
  return (
    <span class="figure" title={exact}>
      {short}
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

/** Day and time, where several things happened on one day; nothing without a time. */
export function When({ time }: { readonly time: number | null }): JSX.Element | null {
  if (time === null) return null
  return (
    <time class="figure" dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {day(time, now.value)}, {clock(time)}
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

/** The color of a badge. */
export type Tone = 'plain' | 'human' | 'claude' | 'agent' | 'tool' | 'good' | 'warn' | 'bad'

interface BadgeProps {
  readonly tone?: Tone
  readonly title?: string
  readonly children: ComponentChildren
}

/** A short label with a border. */
export function Badge({ tone = 'plain', title, children }: BadgeProps): JSX.Element {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      {children}
    </span>
  )
}

/** The tags that the user gave. */
export function Tags({ label }: { readonly label: GivenLabel | null | undefined }): JSX.Element | null {
  if (label == null || label.tags.length === 0) return null
  return (
    <>
      {label.tags.map(tag => (
        <Badge key={tag} tone="human">
          #{tag}
        </Badge>
      ))}
    </>
  )
}
