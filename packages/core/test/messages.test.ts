import { describe, expect, it } from 'vitest'
import { countMessages } from '../src/view/index.js'
import { draw } from './support.js'

describe('messages', () => {
  const count = (shape: string): number => {
    const { graph } = draw(shape)
    return countMessages(graph, graph.lines()[0]?.nodes ?? [])
  }

  it('[T3] are prompts and messages of the assistant, each once however many entries it has', () => {
    expect(count('s1: u1 a1[t1:Bash] a2=a1[t2:Bash] r1[t1] r2[t2] a3 u2 a4')).toBe(5)
  })

  it('are commands and what was delivered in mid turn; hooks, notes and outputs are none', () => {
    expect(count('s1: h1 m1 l1 o1 u1 h2 a1[t1:Bash] r1[t1] q1 p1 a2')).toBe(5)
  })
})
