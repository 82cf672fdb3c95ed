// What the reference gets wrong (REFERENCE.md section 4, TESTCASES.md section 12), shown right.
import { describe, expect, it } from 'vitest'
import { diagnosticsOf, expectFork, type ForkCase, lostIn } from './checks.js'
import { draw } from './support.js'

type Row = [name: string, shape: string, wanted: ForkCase]

describe('faults of the reference', () => {
  const linear: Row[] = [
    [
      'the second of two parallel results is lost',
      's1: u1 a1[t1] a2[t2] r2[t2] / s1: a1 > r1[t1] a3',
      { at: 'a1', verdict: 'F4 dead-end: a2 r1', trunk: 'u1 a1 a2 r2 r1 a3' },
    ],
    [
      'the same, as parts of one message',
      's1: u1 a1[t1] a2=a1[t2] r2[t2] / s1: a1 > r1[t1] a3',
      { at: 'a1', verdict: 'F1 parallel: a2 r1', trunk: 'u1 a1 a2 r2 r1 a3', live: 'u1 a1 a2 r2 r1 a3' },
    ],
    [
      'a turn_duration beside the next prompt is a fork',
      's1: u1 a1 s9 / s1: a1 > u2 a2 u3 a3',
      { at: 'a1', verdict: 'F2 structural: s9 u2', trunk: 'u1 a1 s9 u2 a2 u3 a3' },
    ],
    [
      'a local_command beside the next prompt is a fork',
      's1: u1 a1 s9+{"subtype":"local_command"} / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F2 structural: s9 u2', trunk: 'u1 a1 s9 u2 a2' },
    ],
    [
      'local commands under a caveat are rewinds',
      's1: m1 l1"<command-name>/clear</command-name>" o1 / s1: m1 > l2"<bash-input>ls</bash-input>" o2"<bash-stdout></bash-stdout>" u1 a1 u2 a2',
      { at: 'm1', verdict: 'F8 companion: l1 l2', trunk: 'm1 l1 o1 l2 o2 u1 a1 u2 a2' },
    ],
    [
      'failed answers are branches',
      's1: u1 e1 / s1: u1 > e2 / s1: u1 > a1 u2 a2',
      { at: 'u1', verdict: 'F9 retry: e1 e2 a1', trunk: 'u1 e1 e2 a1 u2 a2', live: 'u1 a1 u2 a2' },
    ],
    [
      'an interrupt note beside the next prompt is a branch',
      's1: u1 a1 i1 / s1: a1 > u2 a2 u3 a3',
      { at: 'a1', verdict: 'F10 taken-back: i1 u2', trunk: 'u1 a1 i1 u2 a2 u3 a3' },
    ],
    [
      'a prompt typed while a tool runs is a branch',
      's1: u1 a1[t1] u2"steer" / s1: a1 > r1[t1] a2 u3 a3',
      { at: 'a1', verdict: 'F10 taken-back: u2 r1', trunk: 'u1 a1 u2 r1 a2 u3 a3' },
    ],
    [
      'two live passthrough children are a fork',
      's1: u1 a1[t1] p1 r1[t1] a2 / s1: a1 > p2 a3 u2 a4',
      { at: 'a1', verdict: 'F6 continuation: p1 p2', trunk: 'u1 a1 p1 r1 a2 p2 a3 u2 a4' },
    ],
    [
      'a dead end deeper than twenty rows does not count as one',
      `s1: u1 a1[t1] ${tokens('a', 30, 10)} / s1: a1 > r1[t1] a2 u2`,
      { at: 'a1', verdict: 'F4 dead-end: a10 r1', trunk: `u1 a1 ${tokens('a', 30, 10)} r1 a2 u2` },
    ],
    [
      'a hook below makes a dead result look alive',
      's1: u1 a1[t1] a2 u2 a3 / s1: a1 > r1[t1] h1',
      { at: 'a1', verdict: 'F3 structural-result: a2 r1', trunk: 'u1 a1 r1 h1 a2 u2 a3' },
    ],
  ]
  it.each(linear)(
    '[F13] %s: here it is one line, whole',
    (_, shape, wanted) => void expectFork(shape, wanted),
  )

  it('[F3] a third child beside result and call makes the whole session a time-sorted list: here it is stitched in and the rewind stays', () => {
    expectFork('s1: u1 a1[t1] r1[t1] / s1: a1 > a2[t2] r2[t2] a3 u2 a4 / s1: a1 > p1 / s1: a3 > u3 a5', {
      at: 'a1',
      verdict: 'F3 structural-result: r1 a2 p1',
      trunk: 'u1 a1 r1 p1 a2 r2 a3',
      branches: ['u2 a4 (abandoned)', 'u3 a5 (live)'],
    })
  })

  it('[F7] a rewind within one millisecond is dropped as a replay: here it is a rewind', () => {
    expectFork('s1: u1 a1 u2 a2 / s1: a1 > u3@=u2 a3@=a2', {
      at: 'a1',
      verdict: 'F12 rewind: u2 u3',
      trunk: 'u1 a1',
      branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
    })
  })

  it('[F12] the first prompt edited is one merged trunk: here it is two branches', () => {
    expectFork('s1: u1 a1 / s1: u2 a2', {
      at: null,
      verdict: 'F12 rewind: u1 u2',
      trunk: '',
      branches: ['u1 a1 (abandoned)', 'u2 a2 (live)'],
    })
  })

  it.each([
    ['a plain node', 's1: u1 a1 u2 a2 c1 k1 u3 a3 c2 k2 u4 a4 / s1: a1 > u5 a5'],
    ['the logical parent of the first', 's1: u1 a1 u2 a2 c1 k1 u3 a3 c2 k2 u4 a4 / s1: a2 > u5 a5'],
    ['a node the first preserved', 's1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3 c2 k2 u4 a4 / s1: a2 > u5 a5'],
    ['a node both preserved', 's1: u1 a1 u2 a2 c1{a2} k1 c2{a2} k2 u4 a4 / s1: a2 > u5 a5'],
  ])(
    '[C5] after two compactions a prompt hangs on %s from before: it is shown behind the second',
    (_, shape) => {
      const d = draw(shape)
      const order = d.graph.lines().flatMap(line => d.say(line.nodes).split(' '))
      expect(order.indexOf('u5')).toBeGreaterThan(order.indexOf('k2'))
      expect(lostIn(d.graph)).toEqual([])
    },
  )

  it('[F12] branches whose uuids share twelve characters are merged: here they have distinct ids', () => {
    const uuid = (end: string): string => `0123abcd-4567-4000-8000-00000000000${end}`
    const prompt = (token: string, end: string): string => `${token}+{"uuid":"${uuid(end)}"}`
    const answer = (token: string, end: string): string => `${token}+{"parentUuid":"${uuid(end)}"}`
    const { graph } = draw(
      `s1: u1 a1 ${prompt('u2', '1')} ${answer('a2', '1')} / s1: a1 > ${prompt('u3', '2')} ${answer('a3', '2')} / s1: a1 > ${prompt('u4', '3')} ${answer('a4', '3')}`,
    )
    const branches = graph.lines().filter(line => line.kind === 'branch')
    expect(branches.map(line => line.nodes.length)).toEqual([2, 2, 2])
    expect(branches.map(line => line.id)).toEqual(['1', '2', '3'].map(end => `s1@${uuid(end)}`))
  })

  it('[F13] results inside an agent are lifted away from their calls: here both stay on its line', () => {
    const d = draw(
      's1: u1 a1[t1:Task>x] r1[t1>x] a2 / s1/x: u5 a5[t5] a6[t6] r6[t6] / s1/x: a5 > r5[t5] a7[t7] a8[t8] r8[t8] / s1/x: a7 > r7[t7] a9',
    )
    expect(d.branches()).toEqual(['agent u5 a5 a6 r6 r5 a7 a8 r8 r7 a9 (live)'])
  })

  it('[G1] a uuid in two sessions with different parents is kept in the earlier one only: here both placements are visible', () => {
    const d = draw('s1: u1 a1 u2 a2 / s2: u9@+1h a9 u2<a9 a2 u3 a3')
    expect(d.live('s1.jsonl')).toBe('u1 a1 u2 a2')
    expect(d.live('s2.jsonl')).toBe('u9 a9 u2 a2 u3 a3')
    expect(lostIn(d.graph)).toEqual([])
  })

  it('[F2] a fork with a hook on one side is not hidden by it: nothing is skipped on either side', () => {
    const d = draw('s1: u1 a1 h1 h2 / s1: a1 > u2 a2 / s1: a1 > u3 a3 / s1: a2 > p1')
    expect(d.trunk()).toBe('u1 a1 h1 h2')
    expect(d.branches()).toEqual(['u2 a2 p1 (abandoned)', 'u3 a3 (live)'])
    expect(diagnosticsOf(d)).toEqual([])
  })
})

/** `a10 a11 ...` */
function tokens(kind: string, count: number, from: number): string {
  return Array.from({ length: count }, (_, i) => `${kind}${from + i}`).join(' ')
}
