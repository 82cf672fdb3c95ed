import { describe, expect, it } from 'vitest'
import { expectFork, type ForkCase } from './checks.js'
import { draw } from './support.js'

type Row = [name: string, shape: string, wanted: ForkCase]

describe('the ladder: ids and shapes', () => {
  it('[F1] parts of one message and the results of its calls are one line', () => {
    const d = draw('s1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3')
    expect(d.verdict('a1')).toBe('F1 parallel: a2 r1')
    expect(d.trunk()).toBe('u1 a1 r1 a2 r2 a3')
    expect(d.live()).toBe('u1 a1 a2 r1 r2 a3')
  })

  const parallel: Row[] = [
    [
      'results in order of completion, the last one written carries on',
      's1: u1 a1[t1] a2=a1[t2] a3=a1[t3] / s1: a1 > r1[t1] / s1: a3 > r3[t3] / s1: a2 > r2[t2] a4',
      {
        at: 'a2',
        verdict: 'F1 parallel: a3 r2',
        trunk: 'u1 a1 r1 a2 a3 r3 r2 a4',
        live: 'u1 a1 a2 a3 r1 r3 r2 a4',
      },
    ],
    [
      'the result of the first call carries on',
      's1: u1 a1[t1] a2=a1[t2] / s1: a2 > r2[t2] / s1: a1 > r1[t1] a3',
      { at: 'a1', verdict: 'F1 parallel: a2 r1', trunk: 'u1 a1 a2 r2 r1 a3', live: 'u1 a1 a2 r2 r1 a3' },
    ],
    [
      'a hook beside parts and results',
      's1: u1 a1[t1] a2=a1[t2] / s1: a1 > h1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3',
      { at: 'a1', verdict: 'F1 parallel: a2 h1 r1', trunk: 'u1 a1 h1 r1 a2 r2 a3' },
    ],
    [
      'several results of one call entry',
      's1: u1 a1[t1,t2] / s1: a1 > r2[t2] / s1: a1 > r1[t1] a2',
      { at: 'a1', verdict: 'F1 parallel: r2 r1', trunk: 'u1 a1 r2 r1 a2', live: 'u1 a1 r2 r1 a2' },
    ],
    [
      'near miss: linear results (2.0.x) are no fork at all',
      's1: u1 a1[t1] a2=a1[t2] r1[t1] r2[t2] a3',
      { at: 'a1', verdict: 'none', trunk: 'u1 a1 a2 r1 r2 a3', live: 'u1 a1 a2 r1 r2 a3' },
    ],
    [
      'near miss: a part that comes after a result of its own message is not a fork',
      's1: u1 a1[t1] r1[t1] a2=a1[t2] r2[t2] a3',
      { at: 'a1', verdict: 'none', trunk: 'u1 a1 r1 a2 r2 a3', live: 'u1 a1 a2 r1 r2 a3' },
    ],
    [
      "near miss: the result of another message's call",
      's1: u1 a1[t1] a2[t2] / s1: a1 > r1[t1] / s1: a1 > r2[t2] a3',
      { at: 'a1', verdict: 'F4 dead-end: a2 r1 r2', trunk: 'u1 a1 a2 r1 r2 a3' },
    ],
  ]
  it.each(parallel)('[F1] %s', (_, shape, wanted) => void expectFork(shape, wanted))

  const structural: Row[] = [
    [
      'a hook',
      's1: u1 a1 h1 / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F2 structural: h1 u2', trunk: 'u1 a1 h1 u2 a2', live: 'u1 a1 u2 a2' },
    ],
    [
      'a late hook',
      's1: u1 a1 u2 a2 / s1: a1 > h1',
      { at: 'a1', verdict: 'F2 structural: u2 h1', trunk: 'u1 a1 h1 u2 a2', live: 'u1 a1 u2 a2' },
    ],
    [
      'a system notice',
      's1: u1 a1 s9 / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F2 structural: s9 u2', trunk: 'u1 a1 s9 u2 a2' },
    ],
    [
      'an unknown type',
      's1: u1 a1 x1 / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F2 structural: x1 u2', trunk: 'u1 a1 x1 u2 a2' },
    ],
    [
      'hooks and notes of several rows',
      's1: u1 a1 p1 p2 h1 / s1: a1 > f1 / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F2 structural: p1 f1 u2', trunk: 'u1 a1 p1 p2 h1 f1 u2 a2' },
    ],
    [
      'nothing but hooks and notes',
      's1: u1 a1 h1 / s1: a1 > h2@+1d',
      { at: 'a1', verdict: 'F2 structural: h1 h2', trunk: 'u1 a1 h1 h2' },
    ],
    [
      'a hook beside a result',
      's1: u1 a1[t1] h1 / s1: a1 > r1[t1] a2',
      { at: 'a1', verdict: 'F2 structural: h1 r1', trunk: 'u1 a1 h1 r1 a2', live: 'u1 a1 r1 a2' },
    ],
    [
      'an API error notice written late',
      's1: u1 a1 / s1: u1 > v1',
      { at: 'u1', verdict: 'F2 structural: a1 v1', trunk: 'u1 a1 v1', live: 'u1 a1' },
    ],
  ]
  it.each(structural)('[F2] %s beside the conversation', (_, shape, wanted) => void expectFork(shape, wanted))

  it('[F2] near miss: a hook with a prompt below it beside another prompt is a rewind', () => {
    expectFork('s1: u1 a1 h1 u2 a2 / s1: a1 > u3 a3', {
      at: 'a1',
      verdict: 'F12 rewind: h1 u3',
      trunk: 'u1 a1',
      branches: ['h1 u2 a2 (abandoned)', 'u3 a3 (live)'],
    })
  })

  const results: Row[] = [
    [
      'a result beside the next call',
      's1: u1 a1[t1] r1[t1] / s1: a1 > a2[t2] r2[t2] a3',
      { at: 'a1', verdict: 'F3 structural-result: r1 a2', trunk: 'u1 a1 r1 a2 r2 a3' },
    ],
    [
      'a result written after the next call',
      's1: u1 a1[t1] a2[t2] r2[t2] a3 / s1: a1 > r1[t1]',
      { at: 'a1', verdict: 'F3 structural-result: a2 r1', trunk: 'u1 a1 r1 a2 r2 a3' },
    ],
    [
      'results come first, also before an answer that ends the session',
      's1: u1 a1[t1] a2 / s1: a1 > r1[t1]',
      { at: 'a1', verdict: 'F3 structural-result: a2 r1', trunk: 'u1 a1 r1 a2' },
    ],
    [
      'results with hooks below them',
      's1: u1 a1[t1] r1[t1] h1 h2 / s1: a1 > a2 u2 a3',
      { at: 'a1', verdict: 'F3 structural-result: r1 a2', trunk: 'u1 a1 r1 h1 h2 a2 u2 a3' },
    ],
    [
      'children of other kinds are stitched in',
      's1: u1 a1[t1] r1[t1] / s1: a1 > a2[t2] r2[t2] a3 / s1: a1 > p1 / s1: a1 > f1 / s1: a1 > s9',
      { at: 'a1', verdict: 'F3 structural-result: r1 a2 p1 f1 s9', trunk: 'u1 a1 r1 p1 f1 s9 a2 r2 a3' },
    ],
    [
      'near miss: two assistants beside the result are a continuation',
      's1: u1 a1[t1] r1[t1] / s1: a1 > a2 / s1: a1 > a3',
      { at: 'a1', verdict: 'F6 continuation: r1 a2 a3', trunk: 'u1 a1 r1 a2 a3' },
    ],
    [
      'near miss: a prompt asked after the answer beside it goes on',
      's1: u1 a1 a2 / s1: a1 > u2',
      { at: 'a1', verdict: 'F4 dead-end: a2 u2', trunk: 'u1 a1 a2 u2', live: 'u1 a1 u2' },
    ],
  ]
  it.each(results)('[F3] %s', (_, shape, wanted) => void expectFork(shape, wanted))

  const deadEnds: Row[] = [
    [
      'a leaf is placed before the continuation',
      's1: u1 a1 u2 a2 / s1: a1 > a3',
      { at: 'a1', verdict: 'F4 dead-end: u2 a3', trunk: 'u1 a1 a3 u2 a2' },
    ],
    [
      'a whole dead end is placed before the continuation',
      's1: u1 a1 a2 a3 a4 / s1: a1 > u2 a5',
      { at: 'a1', verdict: 'F4 dead-end: a2 u2', trunk: 'u1 a1 a2 a3 a4 u2 a5' },
    ],
    [
      'a call killed in the middle of its message',
      's1: u1 a1 a2=a1[t1] / s1: a1 > u2 a3',
      { at: 'a1', verdict: 'F4 dead-end: a2 u2', trunk: 'u1 a1 a2 u2 a3', live: 'u1 a1 u2 a3' },
    ],
    [
      'a dead end of several messages, written after the continuation',
      's1: u1 a1[t1] r1[t1] a4 u3 a5 / s1: a1 > a2 a3',
      { at: 'a1', verdict: 'F4 dead-end: r1 a2', trunk: 'u1 a1 a2 a3 r1 a4 u3 a5' },
    ],
    [
      'dead ends of forty rows',
      `s1: u1 a1 ${chain('a', 10, 40)} / s1: a1 > u2 a2`,
      { at: 'a1', verdict: 'F4 dead-end: a10 u2', trunk: `u1 a1 ${chain('a', 10, 40)} u2 a2` },
    ],
  ]
  it.each(deadEnds)('[F4] %s', (_, shape, wanted) => void expectFork(shape, wanted))

  it('[F4] near miss: two prompts go on beside the dead end', () => {
    const d = draw('s1: u1 a1 a2 / s1: a1 > u2 a3 / s1: a1 > u3 a4')
    expect(d.verdict('a1')).toBe('F12 rewind: a2 u2 u3')
    expect(d.live()).toBe('u1 a1 u3 a4')
  })

  it('[F4] near miss: typed input below the assistant child is not a dead end', () => {
    expectFork('s1: u1 a1 a2 u2 a3 / s1: a1 > u3 a4', {
      at: 'a1',
      verdict: 'F12 rewind: a2 u3',
      trunk: 'u1 a1',
      branches: ['a2 u2 a3 (abandoned)', 'u3 a4 (live)'],
    })
  })

  const passthroughs: Row[] = [
    [
      'a progress row',
      's1: u1 a1[t1] r1[t1] p2 / s1: a1 > p1 a2[t2] r2[t2] a3',
      { at: 'a1', verdict: 'F5 passthrough: r1 p1', trunk: 'u1 a1 r1 p2 p1 a2 r2 a3' },
    ],
    [
      'a hook written before the result',
      's1: u1 a1[t1] h1 a2 u2 a3 / s1: a1 > r1[t1]',
      { at: 'a1', verdict: 'F5 passthrough: h1 r1', trunk: 'u1 a1 r1 h1 a2 u2 a3' },
    ],
    [
      'an unknown type, among hooks and notes',
      's1: u1 a1[t1] r1[t1] / s1: a1 > h1 / s1: a1 > x1 a2 u2 a3',
      { at: 'a1', verdict: 'F5 passthrough: r1 h1 x1', trunk: 'u1 a1 r1 h1 x1 a2 u2 a3' },
    ],
  ]
  it.each(passthroughs)(
    '[F5] the conversation goes on through %s',
    (_, shape, wanted) => void expectFork(shape, wanted),
  )

  it('[F5] near miss: two live structural children, not a rewind', () => {
    expectFork('s1: u1 a1[t1] p1 a2 / s1: a1 > p2 a3', {
      at: 'a1',
      verdict: 'F6 continuation: p1 p2',
      trunk: 'u1 a1 p1 a2 p2 a3',
    })
  })

  it('[F5] [F12] near miss: a prompt that still waits for its answer beside an older turn is a rewind', () => {
    expectFork('s1: u1 a1 h1 u2 a2 / s1: a1 > u3', {
      at: 'a1',
      verdict: 'F12 rewind: h1 u3',
      trunk: 'u1 a1',
      branches: ['h1 u2 a2 (abandoned)', 'u3 (live)'],
      live: 'u1 a1 u3',
    })
  })

  const continuations: Row[] = [
    [
      'both sides go on',
      's1: u1 a1[t1] a2 u2 a3 / s1: a1 > r1[t1]@+5m a4',
      { at: 'a1', verdict: 'F6 continuation: a2 r1', trunk: 'u1 a1 a2 u2 a3 r1 a4' },
    ],
    [
      'a late result of the recording shape',
      's1: u1 a1[t1] a2 / s1: a1 > r1[t1]@+5m a3',
      { at: 'a1', verdict: 'F4 dead-end: a2 r1', trunk: 'u1 a1 a2 r1 a3' },
    ],
  ]
  it.each(continuations)(
    '[F6] the answer goes on beside results: %s',
    (_, shape, wanted) => void expectFork(shape, wanted),
  )

  it.each([
    ['typed text', 's1: u1 a1[t1] a2 u2 a3 / s1: a1 > u3 a4'],
    ['a result of no known call, with a prompt below,', 's1: u1 a1[t1] a2 u2 a3 / s1: a1 > r9[t9] u3 a4'],
  ])('[F6] near miss: %s beside the continuation is a real fork', (_, shape) => {
    const d = draw(shape)
    expect(d.verdict('a1')).toMatch(/^F12 rewind/)
    expect(d.branches()).toHaveLength(2)
  })

  const replays: Row[] = [
    [
      'a turn written twice',
      "s1: u1 a1 u2 a2 / s1: a1 > u2' a2'",
      { at: 'a1', verdict: "F7 replay: u2 u2'", trunk: 'u1 a1 u2 a2', folded: "u2' a2'" },
    ],
    [
      'three times',
      "s1: u1 a1 u2 a2 / s1: a1 > u2' a2' / s1: a1 > u2'' a2''",
      { at: 'a1', verdict: "F7 replay: u2 u2' u2''", trunk: 'u1 a1 u2 a2', folded: "u2' a2' u2'' a2''" },
    ],
    [
      'and gone on from the copy',
      "s1: u1 a1 u2 a2 / s1: a1 > u2' a2'<u2' u3 a3",
      {
        at: 'a1',
        verdict: "F7 replay: u2 u2'",
        trunk: 'u1 a1 u2 a2 u3 a3',
        folded: "u2' a2'",
        live: "u1 a1 u2' a2' u3 a3",
      },
    ],
    [
      'a replay beside a real rewind',
      "s1: u1 a1 u2 a2 / s1: a1 > u2' a2' / s1: a1 > u3 a3",
      {
        at: 'a1',
        verdict: "F12 rewind: u2 u2' u3",
        trunk: 'u1 a1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
        folded: "u2' a2'",
      },
    ],
  ]
  it.each(replays)('[F7] %s is folded', (_, shape, wanted) => void expectFork(shape, wanted))

  const noReplays: Row[] = [
    [
      'the same time with other words',
      's1: u1 a1 u2 a2 / s1: a1 > u3@=u2 a3',
      {
        at: 'a1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
      },
    ],
    [
      'the same words at another time',
      's1: u1 a1 u2"again" a2 / s1: a1 > u3"again" a3',
      {
        at: 'a1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
      },
    ],
    [
      'one prompt answered twice (regenerated)',
      's1: u1 a1 u2 a2 / s1: u1 > a3',
      {
        at: 'u1',
        verdict: 'F12 rewind: a1 a3',
        trunk: 'u1',
        branches: ['a1 u2 a2 (abandoned)', 'a3 (live)'],
      },
    ],
  ]
  it.each(noReplays)(
    '[F7] near miss: %s is not a replay',
    (_, shape, wanted) => void expectFork(shape, wanted),
  )
})

/** `a10 a11 a12 ...` */
function chain(kind: string, from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `${kind}${from + i}`).join(' ')
}
