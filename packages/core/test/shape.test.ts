/** Sessions as small pictures. */
import { describe, expect, it } from 'vitest'
import { sessionId } from '../src/index.js'
import type { SessionShape } from '../src/protocol/index.js'
import { shapeSessions } from '../src/view/index.js'
import { draw } from './support.js'

function shapeOf(text: string): SessionShape | undefined {
  const { graph } = draw(text)
  return shapeSessions(graph).get(graph.sessions()[0]?.id ?? sessionId(''))
}

describe('shape', () => {
  it('[L4] shows where a branch was left, and how long it is', () => {
    expect(shapeOf('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3 u4 a4 u5 a5 u6 a6')).toEqual({
      rows: 10,
      marks: [['b', 200, 200]],
    })
  })

  it('[C3] [A3] shows compactions, agents and failed requests by position', () => {
    const text = 's1: u1 a1[t1:Task] / s1/x: u2 a2 a3 / s1: a1 > r1[t1>x] a4 c1 k1 u3 e1 u4 a5'
    expect(shapeOf(text)).toEqual({
      rows: 10,
      marks: [
        ['a', 200, 300],
        ['c', 400, 0],
        ['e', 700, 0],
      ],
    })
  })

  it('goes on along the live branch', () => {
    const shape = shapeOf('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3 u4 a4 / s1: a3 > u5@+60m a5')
    expect(shape).toEqual({
      rows: 6,
      marks: [
        ['b', 333, 333],
        ['b', 667, 333],
      ],
    })
  })

  it('has no more marks than can be told apart', () => {
    const agents = Array.from({ length: 200 }, (_, i) => `e${i + 1} u${i + 1}`).join(' ')
    expect(shapeOf(`s1: u0 ${agents}`)?.marks.length).toBeLessThanOrEqual(80)
  })
})
