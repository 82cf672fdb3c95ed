import type { ComparedTurn } from '@dagline/core/protocol'
import { expect, it } from 'vitest'
import { restsOf, shortText } from './compare-turns.js'

function turn(prompt: string | null): ComparedTurn {
  return { node: 'n', time: null, prompt, answer: null, calls: [], cost: null }
}

it('the rest of a turn that began before the branches part is not a turn of its own', () => {
  expect(restsOf({ turns: [turn(null), turn('One')] })).toBe(1)
  expect(restsOf({ turns: [turn('One')] })).toBe(0)
  expect(restsOf({ turns: [] })).toBe(0)
})

it.each([
  ['/home/dev/shop/packages/api/src/total.ts', '…/api/src/total.ts'],
  ['src/total.ts', 'src/total.ts'],
  ['cat /home/dev/shop/src/total.ts', 'cat /home/dev/shop/src/total.ts'],
  ['https://example.org/a/b/c/d', 'https://example.org/a/b/c/d'],
])('[V23] %s is shown as %s', (text, short) => {
  expect(shortText(text)).toBe(short)
})
