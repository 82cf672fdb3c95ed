import { describe, expect, it } from 'vitest'
import { diagnosticsOf, expectFork, lostIn } from './checks.js'
import { draw } from './support.js'

const local = (token: string, more = ''): string =>
  `${token}+{"subtype":"local_command","content":"<command-name>/x</command-name>"${more}}`

describe('roots', () => {
  it.each([
    ['a first prompt', 's1: u1 a1'],
    ['a start hook, as an attachment', 's1: h1 / s1: u1 a1'],
    ['a start hook, as progress', 's1: p1 / s1: u1 a1'],
    ['a start hook with the conversation below it', 's1: h1 u1 a1'],
    ['a compaction boundary', 's1: u1 a1 c1 k1 u2 a2'],
    ['several boundaries', 's1: u1 a1 c1 k1 u2 a2 c2 k2 u3 a3 c3 k3'],
    ['a local command as a system entry, and boundaries', `s1: ${local('s8')} u1 a1 c1 k1 c2 k2`],
    ['a later local command', `s1: u1 a1 / s1: ${local('s8')}`],
    ['a caveat with its commands', 's1: m1 l1 o1 / s1: u1 a1'],
    ['a hook left in flight by a compaction', 's1: u1 a1 c1 k1 u2 a2 / s1: h1 / s1: p1'],
    ['a sidechain without an agent id', 's1: u1 a1[t1:Task>u5] r1[t1] / s1: ~u5 ~a5'],
    ['the first prompt, edited', 's1: u1 a1 / s1: u2 a2'],
    ['a session that hangs on another one', 's1: u1 a1 / s2: a1 > u2@+1h a2'],
    ['the first entry of an agent', 's1: u1 a1[t1:Task] r1[t1>x] / s1/x: u5 a5'],
  ])('[S3] %s is an expected root and silent', (_, shape) => {
    expect(diagnosticsOf(draw(shape))).toEqual([])
  })

  it.each([
    ['a turn_duration', 's1: u1 a1 / s1: s9 u2 a2', 'dag/second-root warning s9'],
    ['an unknown type', 's1: u1 a1 / s1: x1 u2 a2', 'dag/second-root warning x1'],
    ['an interrupt note', 's1: u1 a1 / s1: i1 u2 a2', 'dag/second-root warning i1'],
  ])('[S3] %s as a second root is a warning', (_, shape, wanted) => {
    expect(diagnosticsOf(draw(shape))).toContain(wanted)
  })

  it('[S3] an orphan is told once, as an orphan', () => {
    expect(diagnosticsOf(draw('s1: u1 a1 / s1: ?9 > u2 a2'))).toEqual(['dag/orphan warning u2'])
  })

  it('[F12] the first prompt edited: two null roots that are prompts are a rewind', () => {
    expectFork('s1: u1 a1 / s1: u2@+30m a2', {
      at: null,
      verdict: 'F12 rewind: u1 u2',
      trunk: '',
      branches: ['u1 a1 (abandoned)', 'u2 a2 (live)'],
      live: 'u2 a2',
    })
  })

  it('[F12] three roots, and a rewind inside one of them', () => {
    expectFork('s1: u1 a1 / s1: u2 a2 u4 a4 / s1: a2 > u5 a5 / s1: u3 a3', {
      at: null,
      verdict: 'F12 rewind: u1 u2 u3',
      trunk: '',
      branches: [
        'u1 a1 (abandoned)',
        'u2 a2 (abandoned)',
        'u3 a3 (live)',
        'u4 a4 (abandoned)',
        'u5 a5 (abandoned)',
      ],
    })
  })

  it('[F12] the first prompt edited behind a start hook', () => {
    expectFork('s1: h1 / s1: u1 a1 / s1: u2 a2', {
      at: null,
      verdict: 'F12 rewind: h1 u1 u2',
      trunk: 'h1',
      branches: ['u1 a1 (abandoned)', 'u2 a2 (live)'],
    })
  })

  it('[F10] the first prompt taken back before any output', () => {
    expectFork('s1: u1 / s1: u2 a2', {
      at: null,
      verdict: 'F10 taken-back: u1 u2',
      trunk: 'u1 u2 a2',
      live: 'u2 a2',
    })
  })

  it('[F9] the first prompt failed and was sent again', () => {
    expectFork('s1: u1"go" e1 / s1: u2"go" a2', {
      at: null,
      verdict: 'F9 retry: u1 u2',
      trunk: 'u1 e1 u2 a2',
      live: 'u2 a2',
    })
  })

  it('[F2] hooks and progress beside the first prompt are no rivals', () => {
    expectFork('s1: h1 h2 / s1: p1 / s1: u1 a1', {
      at: null,
      verdict: 'F2 structural: h1 p1 u1',
      trunk: 'h1 h2 p1 u1 a1',
    })
  })

  it('[F8] a caveat with commands beside the first prompt', () => {
    expectFork('s1: m1 l1 o1 / s1: u1 a1', {
      at: null,
      verdict: 'F8 companion: m1 u1',
      trunk: 'm1 l1 o1 u1 a1',
      live: 'u1 a1',
    })
  })

  it('[F7] the history replayed as a new root is folded, not a rewind', () => {
    expectFork("s1: u1 a1 / s1: u1'@+1h a1'<u1'@=u1' u2 a2", {
      at: null,
      verdict: "F7 replay: u1 u1'",
      trunk: 'u1 a1 u2 a2',
      folded: "u1' a1'",
    })
  })

  it('[C6] cleared in the same file: the conversation begins again and nothing is abandoned', () => {
    const d = expectFork('s1: u1 a1 / s1: m1 l1"<command-name>/clear</command-name>" o1 u2 a2', {
      at: null,
      verdict: 'F2 structural: u1 m1',
      trunk: 'u1 a1 m1 l1 o1 u2 a2',
      live: 'm1 l1 o1 u2 a2',
    })
    expect(diagnosticsOf(d)).toEqual([])
  })

  it('[C6] cleared into a new file: two sessions without a link', () => {
    const d = draw('s1: u1 a1 / s2: m1@+1m l1"<command-name>/clear</command-name>" u2 a2')
    expect(d.graph.sessions().map(({ id, parent }) => [id, parent])).toEqual([
      ['s1', null],
      ['s2', null],
    ])
    expect([d.trunk('s1'), d.trunk('s2')]).toEqual(['u1 a1', 'm1 l1 u2 a2'])
  })

  it('[L1] entries without any parent follow each other by time', () => {
    const d = draw('s1: u1<-@+3m u2<-@-2m u3<-@+5m u4<-@-9m u5<-@-4m')
    const times = ['u1', 'u2', 'u3', 'u4', 'u5'].map(
      token => [d.graph.node(d.node(token)).time ?? 0, token] as const,
    )
    const byTime = times.sort(([a], [b]) => a - b).map(([, token]) => token)
    expect(d.trunk()).toBe(byTime.join(' '))
    expect(d.branches()).toEqual([])
  })

  it('[L1] roots that stay on the trunk are walked in order of time', () => {
    expect(draw('s1: u1@+1h a1 / s1: h1@-2h').trunk()).toBe('h1 u1 a1')
  })

  it('[F13] a session of every kind of root loses nothing', () => {
    const { graph } = draw(
      's1: h1 / s1: p1 / s1: m1 l1 / s1: u1 a1 / s1: ?9 > u2 / s1: a3 / s1: u3<u3 / s1: k1 u4 / s1: c1^?8 / s1: ~u5',
    )
    expect(lostIn(graph)).toEqual([])
  })
})
