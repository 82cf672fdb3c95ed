import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Colors = ReadonlyMap<string, string>

const css = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8')
const [light, dark] = [colorsAt(0), colorsAt(1)]

test('every color has a light and a dark value, whether the theme is chosen or that of the system', () => {
  expect(light.size).toBeGreaterThan(25)
  expect([...css.matchAll(/#[0-9a-f]{6}/g)]).toHaveLength(2 * light.size)
  expect([...dark.keys()]).toEqual([...light.keys()])
})

describe.each([
  ['light', light],
  ['dark', dark],
])('%s', (_, colors) => {
  const inks = ['ink', 'ink-2', 'faint', 'accent', 'human', 'claude', 'agent', 'tool', 'bad', 'good', 'warn']
  const papers = ['paper', 'paper-2', 'paper-3', 'code']

  test.each(inks)('%s can be read on every paper', ink => {
    for (const paper of papers) expect(contrast(colors, ink, paper)).toBeGreaterThanOrEqual(4.5)
  })

  test('marks and buttons are readable', () => {
    expect(contrast(colors, 'ink', 'mark')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colors, 'mark-ink', 'mark-here')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colors, 'accent-ink', 'accent')).toBeGreaterThanOrEqual(4.5)
  })

  test('lanes are visible', () => {
    for (let lane = 0; lane < 8; lane++)
      expect(contrast(colors, `lane-${lane}`, 'paper')).toBeGreaterThanOrEqual(3)
  })
})

/** The light values, or the dark ones. */
function colorsAt(theme: 0 | 1): Colors {
  const found = css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)
  return new Map([...found].map(([, name = '', ...values]) => [name, values[theme] ?? '']))
}

function contrast(colors: Colors, one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(colors.get(one)), luminance(colors.get(other))].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** As WCAG defines it. */
function luminance(color: string | undefined): number {
  if (color === undefined) return Number.NaN
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
