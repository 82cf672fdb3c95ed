import { describe, expect, it } from 'vitest'
import { expandShape } from '../src/shape/expand.js'
import { naiveFull, naiveLive, parseRows } from './naive.js'

function full(text: string, file = 0): string {
  const shape = expandShape(text)
  return shape.say(naiveFull(parseRows(shape.files[file]?.text ?? '')))
}

function live(text: string): string {
  const shape = expandShape(text)
  return shape.say(naiveLive(parseRows(shape.files[0]?.text ?? '')))
}

const sorted = (tokens: string): string => tokens.split(' ').sort().join(' ')

describe('the naive reading', () => {
  it('takes the parent chain of the entry written last', () => {
    expect(sorted(full('s1: u1 a1 u2 a2 / s1: a1 > u3 a3'))).toBe('a1 a3 u1 u3')
  })

  it('adds parts of a message and the results of its calls', () => {
    expect(sorted(full('s1: u1 a1[t1] a2=a1[t2] r2<a2[t2] r1<a1[t1] a3'))).toBe('a1 a2 a3 r1 r2 u1')
  })

  it('stops at a boundary and takes what it preserved', () => {
    expect(sorted(full('s1: u1 a1 u2 a2 c1{a2} k1 u3'))).toBe('a2 k1 u3')
    expect(sorted(full('s1: u1 a1 c1 k1 u3'))).toBe('k1 u3')
  })

  it('leaves side chains out, but reads an agent file', () => {
    expect(sorted(full('s1: u1 a1[t1:Task] ~u2<- ~a2 / s1: a1 > r1[t1]'))).toBe('a1 r1 u1')
    expect(sorted(full('s1: u1 / s1/x: u2 a2', 1))).toBe('a2 u2')
  })

  it('follows the mark of the seeds', () => {
    expect(sorted(full('s1: u1 a1+{"is_active":true} / s1: u1 > a2+{"is_active":false}'))).toBe('a1 u1')
  })

  it('ends on a cycle and skips rows that are no JSON', () => {
    expect(sorted(full('s1: u1<a1 a1 / s1: ! {"torn'))).toBe('a1 u1')
  })

  it('knows what is never sent', () => {
    expect(sorted(live('s1: u1 e1 u2 a2'))).toBe('a2 u1 u2')
    expect(sorted(live('s1: u1 a1 a2=a1[t1] u2<a1 a3'))).toBe('a1 a3 u1 u2')
    expect(sorted(live('s1: u1 d1 i1 u2 a2'))).toBe('a2 i1 u1 u2')
  })

  it('keeps open calls and thinking in the last message', () => {
    expect(sorted(live('s1: u1 d1'))).toBe('d1 u1')
    expect(sorted(live('s1: u1 d1 a1=d1 a2=d1[t1]'))).toBe('a1 a2 d1 u1')
  })
})
