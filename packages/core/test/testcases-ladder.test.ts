// The shapes of the reference's ladder tests (TESTCASES.md, section 4); see testcases.test.ts.
import { describe, expect, it } from 'vitest'
import { expectFork, type ForkCase } from './checks.js'
import { draw } from './support.js'

type Row = [number: number, what: string, shape: string, wanted: ForkCase]

describe('ladder', () => {
  const cases: Row[] = [
    [
      38,
      'three replays of one answer',
      "s1: a0 s9 a1 / s1: s9 > a1' / s1: s9 > a1''",
      { at: 's9', verdict: "F7 replay: a1 a1' a1''", trunk: 'a0 s9 a1', folded: "a1' a1''" },
    ],
    [
      39,
      'two prompts at different times',
      's1: a1 u1 a2 / s1: a1 > u2@+5m a3',
      {
        at: 'a1',
        verdict: 'F12 rewind: u1 u2',
        trunk: 'a1',
        branches: ['u1 a2 (abandoned)', 'u2 a3 (live)'],
      },
    ],
    [
      40,
      'a result beside the next call',
      's1: a0 a1[t1] r1[t1] / s1: a1 > a2[t2]',
      { at: 'a1', verdict: 'F3 structural-result: r1 a2', trunk: 'a0 a1 r1 a2' },
    ],
    [
      41,
      'two results beside the next call',
      's1: a0 a1[t1,t2] r1[t1] / s1: a1 > r2[t2] / s1: a1 > a2[t3]',
      { at: 'a1', verdict: 'F3 structural-result: r1 r2 a2', trunk: 'a0 a1 r1 r2 a2' },
    ],
    [
      42,
      'a dead end beside the continuation',
      's1: u0 a1 u1 a2 / s1: a1 > a3',
      { at: 'a1', verdict: 'F4 dead-end: u1 a3', trunk: 'u0 a1 a3 u1 a2' },
    ],
    [
      43,
      'a dead end is kept and placed before the continuation (the reference drops its descendants)',
      's1: u0 a1 a2 a3 a4 / s1: a1 > u1 a5',
      { at: 'a1', verdict: 'F4 dead-end: a2 u1', trunk: 'u0 a1 a2 a3 a4 u1 a5' },
    ],
    [
      44,
      'results with an attachment below, twice',
      's1: a0 a1[t1] r1[t1] f1 / s1: a1 > a2[t2] r2[t2] / s1: a2 > a3[t3]',
      { at: 'a2', verdict: 'F3 structural-result: r2 a3', trunk: 'a0 a1 r1 f1 a2 r2 a3' },
    ],
    [
      45,
      'results of two agents, the first one goes on',
      's1: u1 a1[t1:Task] a2=a1[t2:Task] r2[t2>y] / s1: a1 > r1[t1>x] f1 a3',
      { at: 'a1', verdict: 'F1 parallel: a2 r1', trunk: 'u1 a1 a2 r2 r1 f1 a3' },
    ],
    [
      46,
      'three chained agent calls, the outer one goes on',
      's1: u1 a1[t1:Task] a2=a1[t2:Task] a3=a1[t3:Task] r3[t3>z] / s1: a2 > r2[t2>y] / s1: a1 > r1[t1>x] a4',
      { at: 'a1', verdict: 'F1 parallel: a2 r1', trunk: 'u1 a1 a2 a3 r3 r2 r1 a4' },
    ],
    [
      48,
      'two attachments a day apart',
      's1: u1 a1 f1 / s1: a1 > f2@+1d',
      { at: 'a1', verdict: 'F2 structural: f1 f2', trunk: 'u1 a1 f1 f2' },
    ],
    [
      49,
      'a progress leaf beside the prompt',
      's1: u1 a1 u2 a2 / s1: a1 > p1',
      { at: 'a1', verdict: 'F2 structural: u2 p1', trunk: 'u1 a1 p1 u2 a2' },
    ],
    [
      50,
      'a chain of progress is kept whole (the reference skips the second)',
      's1: u1 a1 u2 a9 / s1: a1 > p1 p2',
      { at: 'a1', verdict: 'F2 structural: u2 p1', trunk: 'u1 a1 p1 p2 u2 a9' },
    ],
    [
      51,
      'the conversation goes on through progress',
      's1: u1 a1[t1] r1[t1] p1 / s1: a1 > p2 a2[t2] r2[t2] a3',
      { at: 'a1', verdict: 'F5 passthrough: r1 p2', trunk: 'u1 a1 r1 p1 p2 a2 r2 a3' },
    ],
    [
      52,
      'twenty-five rows of progress beside the prompt',
      `s1: u1 a1 ${row('p', 25)} / s1: a1 > u2`,
      { at: 'a1', verdict: 'F2 structural: p1 u2', trunk: `u1 a1 ${row('p', 25)} u2` },
    ],
    [
      53,
      'the answer goes on beside its own result',
      's1: u1 a1[t1] a2[t2] u2 / s1: a1 > r1[t1] a3',
      { at: 'a1', verdict: 'F6 continuation: a2 r1', trunk: 'u1 a1 a2 u2 r1 a3' },
    ],
    [
      55,
      'twenty-five answers, then a late result (no limit of depth)',
      `s1: u1 a1[t1] ${row('a', 25, 2)} / s1: a1 > r1[t1]@+5m a99`,
      { at: 'a1', verdict: 'F4 dead-end: a2 r1', trunk: `u1 a1 ${row('a', 25, 2)} r1 a99` },
    ],
  ]
  it.each(cases)('[F13] case %i: %s', (_, _what, shape, wanted) => void expectFork(shape, wanted))

  it.each([
    ['typed text', 's1: u1 a1[t1] a2[t2] u2 / s1: a1 > u3 a3'],
    ['a result for another id', 's1: u1 a1[t1] a2[t2] u2 / s1: a1 > r9[t9] u3'],
    ['only results', 's1: u1 a1[t1] r1[t1] a2'],
  ])('[F6] case 54: %s is not a continuation', (_, shape) => {
    expect(draw(shape).verdict('a1')).not.toMatch(/^F6/)
  })

  it('[A4] case 47: the agent of the second result is reached', () => {
    const d = draw('s1: u1 a1[t1:Task>x] a2=a1[t2:Task>y] r2[t2>y] / s1: a1 > r1[t1>x] f1 a3 / s1/y: u8 a8')
    expect(d.branches()).toEqual(['agent u8 a8 (live)'])
    expect(d.graph.agents().map(agent => `${agent.id} ${d.say([agent.spawnedBy?.node ?? -1])}`)).toEqual([
      'y a2',
    ])
  })

  it('[F12] case 56: a rewind whose first branch holds a late result', () => {
    expectFork('s1: u0 a1 u1 a2[t1] a3 a4 a5 / s1: a2 > r1[t1]@+1m u3 a6 / s1: a1 > u2 a7', {
      at: 'a1',
      verdict: 'F12 rewind: u1 u2',
      trunk: 'u0 a1',
      branches: ['u1 a2 a3 a4 a5 r1 u3 a6 (abandoned)', 'u2 a7 (live)'],
    })
  })

  it('[A4] case 57: a sidechain entry without an agent id is a line of its own (the reference puts it on the trunk)', () => {
    const d = draw('s1: u1 a1 a2 / s1: a1 > ~u5')
    expect(d.trunk()).toBe('u1 a1 a2')
    expect(d.branches()).toEqual(['agent u5 (live)'])
  })
})

/** `p1 p2 p3 ...` */
function row(kind: string, count: number, from = 1): string {
  return Array.from({ length: count }, (_, i) => `${kind}${from + i}`).join(' ')
}
