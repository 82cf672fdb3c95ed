import { describe, expect, it } from 'vitest'
import { createNodeList, positionsIn } from './positions.js'

/** A list that is a good part of all nodes, and the same one among very many: the two ways of holding it. */
const WAYS = [20, 1_000_000]

describe('nodes in lists', () => {
  it.each(WAYS)('have their positions, the last where they stand twice, out of %i', all => {
    const positions = positionsIn([4, 0, 9, 4], all)
    expect([4, 0, 9].map(node => positions.get(node))).toEqual([3, 1, 2])
    expect([3, -1, all].map(node => [positions.has(node), positions.get(node)])).toEqual([
      [false, undefined],
      [false, undefined],
      [false, undefined],
    ])
    expect(positions.has(0)).toBe(true)
  })

  it.each(WAYS)('stand once each, in the order of adding, out of %i', all => {
    const nodes = createNodeList(4, all)
    for (const node of [4, 0, 9, 4, 0, 1]) nodes.add(node)
    expect(nodes.list).toEqual([4, 0, 9, 1])
    expect([0, 1, 2, 9].map(nodes.has)).toEqual([true, true, false, true])
  })
})
