import { describe, expect, it } from 'vitest'
import { nearest } from './near.js'

describe('nearest', () => {
  const known = ['log', 'ls', 'branches', 'search', 'stats', 'split']

  it.each([
    ['lgo', 'log'],
    ['logs', 'log'],
    ['sl', 'ls'],
    ['brnches', 'branches'],
    ['serach', 'search'],
    ['splitt', 'split'],
  ])('%s means %s', (typed, meant) => {
    expect(nearest(typed, known)).toBe(meant)
  })

  it('matches nothing when all words are too different', () => {
    expect(nearest('frobnicate', known)).toBeNull()
    expect(nearest('', known)).toBeNull()
  })
})
