import { describe, expect, it } from 'vitest'
import { draw } from './support.js'

describe('the ladder', () => {
  it('[F1] parts of one message and the results of its calls are one line', () => {
    const d = draw('s1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3')
    expect(d.verdict('a1')).toBe('F1 parallel: a2 r1')
    expect(d.trunk()).toBe('u1 a1 r1 a2 r2 a3')
    expect(d.live()).toBe('u1 a1 a2 r1 r2 a3')
  })

  it('[F12] a second prompt under an answer is a rewind', () => {
    const d = draw('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3')
    expect(d.verdict('a1')).toBe('F12 rewind: u2 u3')
    expect(d.trunk()).toBe('u1 a1')
    expect(d.branches()).toEqual(['u2 a2 (abandoned)', 'u3 a3 (live)'])
    expect(d.live()).toBe('u1 a1 u3 a3')
  })
})
