import { describe, expect, it } from 'vitest'
import { draw } from '../../test/support.js'
import * as nodes from './nodes.js'

describe('nodes', () => {
  const drawn = draw('s1: u1 a1[t1,t2] r1[t1] a2 / s1: a1 > r2[t2] / s1: c1 k1 u3 a3')
  const { graph, say, node } = drawn

  /** A node and all above it by recorded parents, nearest first. */
  const climb = (from: number): string => {
    const above: number[] = []
    nodes.findAncestor(graph, from, each => above.push(each) === nodes.none)
    return say(above)
  }

  it('[G1] climbs by recorded parents, and over compactions by lines', () => {
    expect(climb(node('a2'))).toBe('a2 r1 a1 u1')
    expect(climb(node('a3'))).toBe('a3 u3 k1 c1')
    const isFirst = (above: number): boolean => above === node('u1')
    expect(nodes.findAncestor(graph, node('a3'), isFirst)).toBe(nodes.none)
    expect(nodes.findLineAncestor(graph, node('a3'), isFirst)).toBe(node('u1'))
    expect(climb(nodes.none)).toBe('')
  })

  it('[G1] lists children in the order of writing', () => {
    expect(say(nodes.children(graph, node('a1')))).toBe('r1 r2')
    expect(nodes.children(graph, node('a3'))).toEqual([])
  })

  it('[T1] pairs calls and results', () => {
    const [first = nodes.none, second = nodes.none] = nodes.toolsOf(graph, node('a1'))
    expect(say(nodes.resultsOf(graph, first))).toBe('r1')
    expect(nodes.resultFor(graph, second, node('a1'))).toBe(node('r2'))
    expect(nodes.callsOf(graph, second)).toEqual([node('a1')])
    expect(nodes.unitOf(graph, node('r2'))).toBe(nodes.unitOf(graph, node('a1')))
    expect(say(nodes.partsOf(graph, nodes.messageOf(graph, node('a1'))))).toBe('a1')
    expect(nodes.partsOf(graph, nodes.none)).toEqual([])
  })

  it('[P3] tells kinds and roles', () => {
    const kinds = ['u1', 'a1', 'r1', 'c1', 'k1'].map(token => {
      const at = node(token)
      return `${nodes.kindOf(graph, at)} ${nodes.roleOf(graph, at)}`
    })
    expect(kinds).toEqual(['user prompt', 'assistant none', 'user result', 'system none', 'user summary'])
    expect(nodes.isConversation(graph, nodes.none)).toBe(false)
    expect(nodes.timeOf(graph, nodes.none)).toBeNaN()
  })
})
