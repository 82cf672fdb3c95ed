import type { ComparedTurn } from '@dagline/core/protocol'
import { expect, it } from 'vitest'
import { restsOf } from './compare-turns.js'

function turn(prompt: string | null): ComparedTurn {
  return { node: 'n', time: null, prompt, answer: null, calls: [], cost: null }
}

it('the rest of a turn that began before the branches part is not a turn of its own', () => {
  expect(restsOf({ turns: [turn(null), turn('One')] })).toBe(1)
  expect(restsOf({ turns: [turn('One')] })).toBe(0)
  expect(restsOf({ turns: [] })).toBe(0)
})
