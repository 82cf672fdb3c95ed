import { describe, expect, it } from 'vitest'
import { expectFork, type ForkCase, lostIn } from './checks.js'
import { draw } from './support.js'

type Row = [name: string, shape: string, wanted: ForkCase]

describe('the ladder: companions, attempts, people', () => {
  const companions: Row[] = [
    [
      'a local command and its output',
      's1: u1 a1 l1 o1 / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F8 companion: l1 u2', trunk: 'u1 a1 l1 o1 u2 a2', live: 'u1 a1 u2 a2' },
    ],
    [
      'a command written late',
      's1: u1 a1 u2 a2 / s1: a1 > l1 o1',
      { at: 'a1', verdict: 'F8 companion: u2 l1', trunk: 'u1 a1 u2 a2 l1 o1' },
    ],
    [
      'memory input',
      's1: u1 a1 l1"<user-memory-input>tabs</user-memory-input>" / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F8 companion: l1 u2', trunk: 'u1 a1 l1 u2 a2' },
    ],
    [
      'shell input',
      's1: u1 a1 l1"<bash-input>ls</bash-input>" o1"<bash-stdout>x</bash-stdout>" / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F8 companion: l1 u2', trunk: 'u1 a1 l1 o1 u2 a2' },
    ],
    [
      'a task notification',
      's1: u1 a1 n1 / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F8 companion: n1 u2', trunk: 'u1 a1 n1 u2 a2' },
    ],
    [
      'a caveat alone',
      's1: u1 a1 m1 / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F8 companion: m1 u2', trunk: 'u1 a1 m1 u2 a2' },
    ],
    [
      'an image note',
      's1: u1 a1 u2 m1"[Image: source: /x.png]" / s1: u2 > a2',
      { at: 'u2', verdict: 'F3 structural-result: m1 a2', trunk: 'u1 a1 u2 m1 a2' },
    ],
    [
      'an injected note beside the prompt',
      's1: u1 a1 m1"Output token limit hit." / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F8 companion: m1 u2', trunk: 'u1 a1 m1 u2 a2' },
    ],
    [
      'the stub of a resume that goes on, beside an /exit echo',
      's1: u1 a1 l1"<command-name>/exit</command-name>" o1 / s1: a1 > y1 u2 a2',
      { at: 'a1', verdict: 'F8 companion: l1 y1', trunk: 'u1 a1 l1 o1 y1 u2 a2' },
    ],
    [
      'the stub of a resume beside an unfinished answer',
      's1: u1 a1[t1] y1 / s1: a1 > r1[t1!] u2 a2',
      { at: 'a1', verdict: 'F4 dead-end: y1 r1', trunk: 'u1 a1 y1 r1 u2 a2' },
    ],
  ]
  it.each(companions)('[F8] %s is stitched in', (_, shape, wanted) => void expectFork(shape, wanted))

  it('[F8] several commands under one caveat are one line, whatever follows them', () => {
    expectFork('s1: u1 a1 m1 l1 o1 / s1: m1 > l2 o2 / s1: m1 > l3 u2 a2 / s1: m1 > l4 o4', {
      at: 'm1',
      verdict: 'F8 companion: l1 l2 l3 l4',
      trunk: 'u1 a1 m1 l1 o1 l2 o2 l3 u2 a2 l4 o4',
    })
  })

  const rivals: Row[] = [
    [
      'a command with a prompt below it',
      's1: u1 a1 l1 u2 a2 / s1: a1 > u3 a3',
      {
        at: 'a1',
        verdict: 'F12 rewind: l1 u3',
        trunk: 'u1 a1',
        branches: ['l1 u2 a2 (abandoned)', 'u3 a3 (live)'],
      },
    ],
    [
      'two prompts under one caveat',
      's1: u1 a1 m1 u2 a2 / s1: m1 > u3 a3',
      {
        at: 'm1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1 m1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
      },
    ],
    [
      'two commands with answers (they are sent to the model)',
      's1: u1 a1 l1 a2 u2 / s1: a1 > l2 a3 u3',
      {
        at: 'a1',
        verdict: 'F12 rewind: l1 l2',
        trunk: 'u1 a1',
        branches: ['l1 a2 u2 (abandoned)', 'l2 a3 u3 (live)'],
      },
    ],
  ]
  it.each(rivals)('[F8] near miss: %s', (_, shape, wanted) => void expectFork(shape, wanted))

  const retries: Row[] = [
    [
      'failed answers beside the good one',
      's1: u1 e1 / s1: u1 > e2 / s1: u1 > a1 u2 a2',
      { at: 'u1', verdict: 'F9 retry: e1 e2 a1', trunk: 'u1 e1 e2 a1 u2 a2', live: 'u1 a1 u2 a2' },
    ],
    [
      'the same prompt sent again after a failure',
      's1: u1 a1 u2"go" e1 / s1: a1 > u3"go" a3',
      { at: 'a1', verdict: 'F9 retry: u2 u3', trunk: 'u1 a1 u2 e1 u3 a3', live: 'u1 a1 u3 a3' },
    ],
    [
      'another prompt after a failure',
      's1: u1 a1 u2 e1 / s1: a1 > u3 a3',
      { at: 'a1', verdict: 'F9 retry: u2 u3', trunk: 'u1 a1 u2 e1 u3 a3' },
    ],
    [
      'the same prompt sent again without any answer',
      's1: u1 a1 u2"go" / s1: a1 > u3"go" a3',
      { at: 'a1', verdict: 'F9 retry: u2 u3', trunk: 'u1 a1 u2 u3 a3' },
    ],
    [
      'api_error notices under the failed prompt',
      's1: u1 a1 u2"go" v1 v2 / s1: a1 > u3"go" a3',
      { at: 'a1', verdict: 'F9 retry: u2 u3', trunk: 'u1 a1 u2 v1 v2 u3 a3' },
    ],
  ]
  it.each(retries)('[F9] %s is one line', (_, shape, wanted) => void expectFork(shape, wanted))

  it('[F9] attempts keep their position on the line, before the one that succeeded', () => {
    const d = draw('s1: u1 e1 / s1: u1 > e2 / s1: u1 > a1 u2 a2')
    expect(d.trunk()).toBe('u1 e1 e2 a1 u2 a2')
    expect(d.graph.folded()).toEqual([])
  })

  it('[F9] near miss: retries in one chain are no fork', () => {
    expectFork('s1: u1 v1 v2 a1 u2 a2', {
      at: 'u1',
      verdict: 'none',
      trunk: 'u1 v1 v2 a1 u2 a2',
      live: 'u1 a1 u2 a2',
    })
  })

  it('[F9] near miss: a failure after a real answer is not an attempt', () => {
    expectFork('s1: u1 a1 u2 a2 u4 e1 / s1: a1 > u3 a3', {
      at: 'a1',
      verdict: 'F12 rewind: u2 u3',
      trunk: 'u1 a1',
      branches: ['u2 a2 u4 e1 (abandoned)', 'u3 a3 (live)'],
    })
  })

  const takenBack: Row[] = [
    [
      'a prompt without an answer before the next',
      's1: u1 a1 u2 / s1: a1 > u3 a3',
      { at: 'a1', verdict: 'F10 taken-back: u2 u3', trunk: 'u1 a1 u2 u3 a3', live: 'u1 a1 u3 a3' },
    ],
    [
      'with its attachments',
      's1: u1 a1 u2 f1 h1 / s1: a1 > u3 a3',
      { at: 'a1', verdict: 'F10 taken-back: u2 u3', trunk: 'u1 a1 u2 f1 h1 u3 a3' },
    ],
    [
      'two of them, nothing answered yet',
      's1: u1 a1 u2 / s1: a1 > u3 / s1: a1 > u4',
      { at: 'a1', verdict: 'F10 taken-back: u2 u3 u4', trunk: 'u1 a1 u2 u3 u4', live: 'u1 a1 u4' },
    ],
    [
      'an interrupt note beside the next prompt',
      's1: u1 a1 i1 / s1: a1 > u2 a2',
      { at: 'a1', verdict: 'F10 taken-back: i1 u2', trunk: 'u1 a1 i1 u2 a2' },
    ],
    [
      'an interrupt note written after it',
      's1: u1 a1 u2 a2 / s1: a1 > i1',
      { at: 'a1', verdict: 'F10 taken-back: u2 i1', trunk: 'u1 a1 i1 u2 a2' },
    ],
  ]
  it.each(takenBack)('[F10] %s', (_, shape, wanted) => void expectFork(shape, wanted))

  it('[F10] near miss: a prompt written last waits for its answer and is not a left-over', () => {
    expectFork('s1: u1 a1 u2 a2 / s1: a1 > u3', {
      at: 'a1',
      verdict: 'F12 rewind: u2 u3',
      trunk: 'u1 a1',
      branches: ['u2 a2 (abandoned)', 'u3 (live)'],
      live: 'u1 a1 u3',
    })
  })

  it('[F11] both sides grow with rows of two processes', () => {
    expectFork('s1: u1 a1 u2 a2 / s1: a1 > u3 a3 / s1: a2 > u4 a4 / s1: a3 > u5 a5', {
      at: 'a1',
      verdict: 'F11 two-writers: u2 u3',
      trunk: 'u1 a1',
      branches: ['u2 a2 u4 a4 (abandoned)', 'u3 a3 u5 a5 (live)'],
      live: 'u1 a1 u3 a3 u5 a5',
    })
  })

  it('[F11] the branch of the entry written last is live', () => {
    const d = draw('s1: u1 a1 u2 / s1: a1 > u3 a3 / s1: u2 > a2')
    expect(d.verdict('a1')).toBe('F11 two-writers: u2 u3')
    expect(d.branches()).toEqual(['u2 a2 (live)', 'u3 a3 (abandoned)'])
  })

  it('[F11] near miss: one side wrote all its rows before the other began', () => {
    expect(draw('s1: u1 a1 u2 a2 u4 a4 / s1: a1 > u3 a3 u5 a5').verdict('a1')).toBe('F12 rewind: u2 u3')
  })

  it('[F11] near miss: a late hook on the older side does not make two writers', () => {
    expect(draw('s1: u1 a1 u2 a2 / s1: a1 > u3 a3 / s1: a2 > h1 s9').verdict('a1')).toBe('F12 rewind: u2 u3')
  })

  const rewinds: Row[] = [
    [
      'back behind a notification that was answered, with notes before it',
      's1: u1 a1 s1 m1"<system-reminder>x</system-reminder>" n1 a2 / s1: a1 > u2@+30m a3',
      {
        at: 'a1',
        verdict: 'F12 rewind: s1 u2',
        trunk: 'u1 a1',
        branches: ['s1 m1 n1 a2 (abandoned)', 'u2 a3 (live)'],
        live: 'u1 a1 u2 a3',
      },
    ],
    [
      'a second prompt under an answer',
      's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3',
      {
        at: 'a1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
        live: 'u1 a1 u3 a3',
      },
    ],
    [
      'three',
      's1: u1 a1 u2 a2 / s1: a1 > u3 a3 / s1: a1 > u4 a4',
      {
        at: 'a1',
        verdict: 'F12 rewind: u2 u3 u4',
        trunk: 'u1 a1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (abandoned)', 'u4 a4 (live)'],
      },
    ],
    [
      'behind a turn_duration',
      's1: u1 a1 s9 u2 a2 / s1: s9 > u3 a3',
      {
        at: 's9',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1 s9',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
      },
    ],
    [
      'to a message queued in mid turn',
      's1: u1 a1[t1] r1[t1] q1 a2 / s1: r1 > u2 a3',
      {
        at: 'r1',
        verdict: 'F12 rewind: q1 u2',
        trunk: 'u1 a1 r1',
        branches: ['q1 a2 (abandoned)', 'u2 a3 (live)'],
      },
    ],
    [
      'at an API error',
      's1: u1 e1 u2 a2 / s1: e1 > u3 a3',
      {
        at: 'e1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 e1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
        live: 'u1 u3 a3',
      },
    ],
    [
      'under a prompt',
      's1: u1 u2 a2 / s1: u1 > u3 a3',
      {
        at: 'u1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
      },
    ],
    [
      'with hooks and commands beside',
      's1: u1 a1 u2 a2 / s1: a1 > h1 / s1: a1 > l1 o1 / s1: a1 > u3 a3',
      {
        at: 'a1',
        verdict: 'F12 rewind: u2 h1 l1 u3',
        trunk: 'u1 a1 h1 l1 o1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
      },
    ],
  ]
  it.each(rewinds)('[F12] a rewind: %s', (_, shape, wanted) => void expectFork(shape, wanted))

  it('[F12] [L4] beside a rewind, prompts taken back and failed ones have branches that say so', () => {
    expectFork('s1: u1 a1 u2 a2 / s1: a1 > u3 / s1: a1 > u4 e4 / s1: a1 > u5 a5', {
      at: 'a1',
      verdict: 'F12 rewind: u2 u3 u4 u5',
      trunk: 'u1 a1',
      branches: ['u2 a2 (abandoned)', 'u3 (taken-back)', 'u4 e4 (retry)', 'u5 a5 (live)'],
    })
  })

  it('[F12] forks inside a branch nest: the inner branches hang on the outer one', () => {
    const d = draw('s1: u1 a1 u2 a2 u3 a3 / s1: a2 > u4 a4 / s1: a1 > u5 a5')
    const at = d.graph
      .lines()
      .map(line => `${d.say([line.head])} at ${line.at === null ? '-' : d.say([line.at])}`)
    expect(at.sort()).toEqual(['u1 at -', 'u2 at a1', 'u3 at a2', 'u4 at a2', 'u5 at a1'])
    expect(d.graph.lineOf(d.node('a2'))?.head).toBe(d.node('u2'))
  })

  it('[F12] branch ids are flat, {session}@{uuid12}, and longer where twelve are not unique', () => {
    const id = (token: string, uuid: string): string => `${token}+{"uuid":"${uuid}"}`
    const d = draw(
      `s1: u1 a1 ${id('u2', 'aaaaaaaa-1111-0')} a2<u2+{"parentUuid":"aaaaaaaa-1111-0"} / s1: a1 > ${id('u3', 'aaaaaaaa-1111-9')} a3+{"parentUuid":"aaaaaaaa-1111-9"} / s1: a1 > ${id('u4', 'bbbbbbbb-2222-0')} a4+{"parentUuid":"bbbbbbbb-2222-0"}`,
    )
    expect(d.graph.lines().map(line => line.id)).toEqual([
      's1',
      's1@aaaaaaaa-1111-0',
      's1@aaaaaaaa-1111-9',
      's1@bbbbbbbb-222',
    ])
  })

  it.each([
    's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3 / s1: r1 > h1 / s1: a3 > u2 a4 / s1: a3 > u3',
    's1: u1 a1 m1 l1 o1 / s1: m1 > l2 u2 a2 / s1: a1 > x1 y1 / s1: a2 > u3 e3 / s1: a2 > u4 a4 / s1: u4 > d4',
    "s1: u1 a1 u2 a2 / s1: a1 > u2' a2' u3 a3 / s1: a2' > u4 a4 c1{a4} k1 / s1: a4 > m1 l1 o1 / s1: k1 > u5 a5",
    's1: ?9 > u1 a1 / s1: u2<a2 a2 / s1: u3<u3 a3 / s1: h1 / s1: a9 / s1: c1^?8',
    's1: u1 a1[t1:Task>x] ~u7 ~a7 / s1: a1 > r1[t1] a2 / s1/x: u8 a8 u9 / s1/x: a8 > u10 a10 / s2: u1 a1 r1 u20 a20',
  ])('[F13] every node is on exactly one line or folded: %s', shape => {
    const { graph } = draw(shape)
    expect(lostIn(graph)).toEqual([])
    const { nodes, placed, folded } = graph.totals()
    expect(placed + folded).toBe(nodes)
  })

  it('[F14] what lies far below decides at every fork above it', () => {
    // Each fork has a dead end and a side on which, 300 forks further down, something was typed.
    const forks = 300
    const steps = Array.from(
      { length: forks },
      (_, i) => `s1: a${i} > a${i}1000 / s1: a${i} > a${i + 1}[t${i}]`,
    )
    const shape = `s1: u1 a0 / ${steps.join(' / ')} / s1: a${forks} > u2 a9999`
    const { graph } = draw(shape)
    expect(graph.forks().filter(fork => fork.rule === 'F6')).toHaveLength(forks)
    expect(graph.lines()).toHaveLength(1)
    expect(lostIn(graph)).toEqual([])
  })
})
