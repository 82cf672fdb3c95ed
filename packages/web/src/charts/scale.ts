/** Scales of charts: grid lines, labels that fit, the width of an element, and calendar days (`2026-01-31`). */
import { MONTHS } from '@dagline/core/format'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** About `wanted` round values for an axis from 0 to at least `most`. */
export function ticksTo(most: number, wanted: number): readonly number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (STEPS.find(each => each * power >= rough * (1 - 1e-9)) ?? 10)
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, nth) => Number((nth * step).toPrecision(12)))
}

const STEPS = [1, 2, 2.5, 5, 10]

/** Every how many items a label of `need` pixels fits, if items are `step` pixels apart. */
export function labelEvery(step: number, need: number): number {
  return Math.max(1, Math.ceil(need / Math.max(step, 0.01)))
}

/** Thresholds that split the values above 0 into `levels` groups of about the same size. */
export function quantiles(values: readonly number[], levels: number): readonly number[] {
  const sorted = values.filter(value => value > 0).sort((a, b) => a - b)
  return Array.from({ length: levels - 1 }, (_, nth) => {
    const place = Math.floor((sorted.length * (nth + 1)) / levels)
    return sorted[place] ?? Number.POSITIVE_INFINITY
  })
}

/** The group of a value: 0 for none, then from 1 on. */
export function levelOf(value: number, thresholds: readonly number[]): number {
  if (!(value > 0)) return 0
  return 1 + thresholds.filter(threshold => value >= threshold).length
}

/** A reference for an element, and its width; 0 before it is mounted. */
export function useWidth<T extends HTMLElement>(): readonly [RefObject<T | null>, number] {
  const element = useRef<T | null>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const watched = element.current
    if (watched === null) return undefined
    const watch = new ResizeObserver(() => setWidth(watched.clientWidth))
    watch.observe(watched)
    setWidth(watched.clientWidth)
    return () => watch.disconnect()
  }, [])
  return [element, width]
}

const DAY = 24 * 60 * 60 * 1000

/** The day a number of days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

/** The number of days between two days. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY)
}

/** 0 for Monday to 6 for Sunday. */
export function weekday(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  return addDays(day, -weekday(day))
}

/** All days of a number of weeks, from a Monday up to the given day. */
export function weeksUntil(day: string, weeks: number): readonly string[] {
  const first = addDays(mondayOf(day), -7 * (weeks - 1))
  return Array.from({ length: daysBetween(first, day) + 1 }, (_, nth) => addDays(first, nth))
}

/** `12 Mar`, or `12 Mar 2026` with the year. */
export function dayName(day: string, withYear: boolean): string {
  const [year, month, date] = day.split('-').map(Number)
  const short = `${date} ${MONTHS[(month ?? 1) - 1]}`
  return withYear ? `${short} ${year}` : short
}
