import type { Delegation } from '@dagline/core/protocol'
import { describe, expect, it } from 'vitest'
import { layOutDelegation, NOBODY, NODE_HEIGHT } from './delegation-layout.js'

const call = (from: string | null, to: string, calls = 1): Delegation => ({ from, to, calls, parallel: 0 })

/** `name layer`, from left to right and from top to bottom. */
function told(calls: readonly Delegation[]): string {
  const { nodes } = layOutDelegation(calls)
  return [...nodes]
    .sort((a, b) => a.layer - b.layer || a.y - b.y)
    .map(({ name, layer }) => `${name} ${layer}`)
    .join(', ')
}

describe('the layout of delegation', () => {
  it('puts each after its callers, the most called first', () => {
    expect(told([call('Claude', 'plan'), call('Claude', 'Explore', 9), call('plan', 'coder')])).toBe(
      'Claude 0, Explore 1, plan 1, coder 2',
    )
  })

  it('fits a phone where no subagent calls another', () => {
    expect(layOutDelegation([call('Claude', 'a'), call('Claude', 'b')], 366).width).toBeLessThan(366)
  })

  it('bends back calls to the same type and in cycles', () => {
    const { edges, nodes } = layOutDelegation([
      call('Claude', 'a'),
      call('a', 'a'),
      call('a', 'b'),
      call('b', 'a'),
    ])
    expect(nodes.map(({ layer }) => layer)).toEqual([0, 1, 2])
    expect(edges.map(({ isBack }) => isBack)).toEqual([false, true, false, true])
    expect(told([call('a', 'b'), call('b', 'a')])).toBe('a 0, b 1')
  })

  it('shows calls without a known caller', () => {
    expect(told([call(null, 'a')])).toBe(`${NOBODY} 0, a 1`)
    const { edges } = layOutDelegation([call(null, 'unknown'), call('Claude', 'unknown')])
    expect(edges.map(({ isBack }) => isBack)).toEqual([false, false])
  })

  it('is the same for the same calls in another order', () => {
    const calls = [call('Claude', 'c', 3), call('Claude', 'b', 3), call('b', 'd'), call('c', 'e')]
    const places = (list: readonly Delegation[]): unknown =>
      [...layOutDelegation(list).nodes].map(({ name, x, y }) => [name, x, y]).sort()
    expect(places(calls.toReversed())).toEqual(places(calls))
  })

  it('overlaps no nodes, even with thirty types', () => {
    const calls = Array.from({ length: 30 }, (_, nth) =>
      call(nth % 3 === 0 ? 'Claude' : `k${nth - 1}`, `k${nth}`, nth + 1),
    )
    const { nodes, width, height } = layOutDelegation(calls)
    for (const column of new Set(nodes.map(({ x }) => x))) {
      const rows = nodes.filter(({ x }) => x === column).map(({ y }) => y)
      rows.sort((a, b) => a - b)
      const gaps = rows.slice(1).map((y, nth) => y - (rows[nth] ?? 0))
      expect(gaps.every(gap => gap > NODE_HEIGHT)).toBe(true)
    }
    expect(nodes.every(({ x, y }) => x < width && y + NODE_HEIGHT < height)).toBe(true)
  })

  it('[V20] puts many types that call no other into columns, as far as there is room', () => {
    const many = Array.from({ length: 27 }, (_, nth) => call('Claude', `k${nth}`, 30 - nth))
    const calls = [...many, call('Claude', 'planner'), call('planner', 'coder'), call('k3', 'k3')]
    const { nodes, edges, width, height } = layOutDelegation(calls, 1200)
    const columns = new Set(nodes.filter(({ name }) => name.startsWith('k')).map(({ x }) => x))
    expect(columns.size).toBe(3)
    expect(width).toBeLessThanOrEqual(1200)
    expect(height).toBeLessThan(600)
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length)
    expect(edges).toHaveLength(calls.length)
    expect(layOutDelegation(many, 366).height).toBeGreaterThan(1000)
  })

  it('of no calls is empty', () => {
    expect(layOutDelegation([]).nodes).toEqual([])
  })
})
