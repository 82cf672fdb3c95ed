// The numbered shapes of the reference's public test suite that concern the graph (TESTCASES.md, sections 1-5, 9).
// Where our rules differ on purpose, the name says so. Branch ids are flat, {session}@{uuid12}, and nodes keep the
// session that wrote them.
import { describe, expect, it } from 'vitest'
import { diagnosticsOf, expectFork, type ForkCase, lostIn } from './checks.js'
import { type Drawn, draw } from './support.js'

function sessions(d: Drawn): readonly string[] {
  return d.graph
    .sessions()
    .map(({ id, parent }) => (parent === null ? id : `${id} on ${parent.session} at ${d.say([parent.at])}`))
}

const resume = 's1: u1 a1 u2 a2 u3 / s2: u3 > a4@+1h u5 a5'
const fork = `${resume} / s3: u2 > a6@+2h u6 a7`

describe('index, build, tree', () => {
  it('[L1] case 1: one line, one root session, no junction', () => {
    const d = draw('s1: u1 a1 u2 a2 u3')
    expect(d.trunk()).toBe('u1 a1 u2 a2 u3')
    expect(sessions(d)).toEqual(['s1'])
    expect(d.graph.junctions()).toEqual([])
    expect(d.graph.sessions()[0]?.first).toBe(Date.UTC(2026, 0, 1, 10))
  })

  it('[S1] case 2: a resumed session attaches where it left the other one', () => {
    const d = draw(resume)
    expect([d.trunk('s1'), d.trunk('s2')]).toEqual(['u1 a1 u2 a2 u3', 'a4 u5 a5'])
    expect(sessions(d)).toEqual(['s1', 's2 on s1 at u3'])
  })

  it('[S1] case 3: two sessions attach at two nodes, in time order', () => {
    expect(sessions(draw(fork))).toEqual(['s1', 's2 on s1 at u3', 's3 on s1 at u2'])
  })

  it('[G1] case 4: a copy in a later session leaves the node where it was', () => {
    const d = draw('s1: u1 a1 u2 a2 / s2: u9@+1d u2<u9')
    expect(d.graph.node(d.node('u2')).session).toBe('s1')
  })

  it('[G1] case 5: a copy in an earlier session, read last, takes the node over', () => {
    const d = draw('s2: u1 a1 u2 a2 / s1: u9@-1d u2<u9')
    expect(d.graph.node(d.node('u2')).session).toBe('s1')
  })

  it('[S1] case 6: sessions that fork at one node are listed in time order', () => {
    const d = draw('s1: u1 a1 u2 / s3: u2 > a3@+5h / s2: u2 > a2@-3h')
    expect(sessions(d)).toEqual(['s1', 's2 on s1 at u2', 's3 on s1 at u2'])
  })

  it('[S1] case 7: unrelated sessions are all roots, in time order, none empty', () => {
    const d = draw('s4: u4 a4 / s2: u2@-2h a2 / s3: u3 a3 / s1: u1 a1')
    expect(sessions(d)).toEqual(['s2', 's4', 's3', 's1'])
    expect(d.graph.lines().every(line => line.nodes.length === 2)).toBe(true)
  })

  it.each([
    [8, 's1: ?9 > u1', 'u1'],
    [9, 's1: ?9 > u1 a1', 'u1 a1'],
  ])('[G2] case %i: an unknown parent makes a root session', (_, shape, trunk) => {
    const d = draw(shape)
    expect(d.trunk()).toBe(trunk)
    expect(sessions(d)).toEqual(['s1'])
  })

  it.each([
    [10, '{"type":"summary","summary":"old","leafUuid":"@{u1}"}'],
    [11, '{"type":"queue-operation","operation":"dequeue","sessionId":"s1"}'],
  ])('[G5] case %i: a note is not a node', (_, note) => {
    const d = draw(`s1: u1 a1 u2 a2 u3\ns1: ! ${note}`)
    expect(d.graph.totals()).toMatchObject({ nodes: 5, entries: 6 })
  })

  it('[G8] case 12: empty input', () => {
    const { graph } = draw('')
    expect(graph.totals()).toMatchObject({ files: 0, rows: 0, nodes: 0, placed: 0 })
    expect([graph.lines(), graph.sessions(), graph.forks(), graph.diagnostics()]).toEqual([[], [], [], []])
  })

  it('[L1] case 13: five entries without parents, written out of order, by time', () => {
    const d = draw('s1: a3<-@+3s a1<-@-3s a4<-@+2s a0<-@-6s a2<-@-3s')
    const times = d.graph.lines()[0]?.nodes.map(node => d.graph.node(node).time ?? 0) ?? []
    expect(times).toHaveLength(5)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })
})

describe('cycles', () => {
  const cases: [number, string, string, string][] = [
    [14, 's1: a1 / s1: a2<a2', 'dag/self-parent warning a2', 'a1 a2'],
    [15, 's1: a1<a2 a2', 'dag/cycle warning a1', 'a1 a2'],
    [16, 's1: a1<a3 a2 a3', 'dag/cycle warning a1', 'a1 a2 a3'],
    [17, 's1: a1<a3 a2 a3', 'dag/cycle warning a1', 'a1 a2 a3'],
    [18, 's1: a1<a3 a2 a3 a4 a5', 'dag/cycle warning a1', 'a1 a2 a3 a4 a5'],
    [20, 's1: u1 / s1: u2<u2', 'dag/self-parent warning u2', 'u1 u2'],
  ]
  it.each(cases)('[G3] case %i: %s is cut once, nothing is lost', (_, shape, diagnostic, nodes) => {
    const d = draw(shape)
    expect(diagnosticsOf(d).filter(found => /cycle|self/.test(found))).toEqual([diagnostic])
    expect(
      d.graph
        .lines()
        .flatMap(line => d.say(line.nodes).split(' '))
        .sort(),
    ).toEqual(nodes.split(' '))
  })

  it('[G3] case 19: five leaves on one node are no cycle and keep their order', () => {
    const d = draw('s1: u1 a1 u2 a2 / s1: a2 > f1 / s1: a2 > f2 / s1: a2 > f3 / s1: a2 > f4 / s1: a2 > f5')
    expect(diagnosticsOf(d)).toEqual([])
    expect(d.trunk()).toBe('u1 a1 u2 a2 f1 f2 f3 f4 f5')
  })

  it('[G3] [A7] case 21: a lone sidechain answer with an agent id makes no cycle', () => {
    const d = draw('s1: ~a1+{"agentId":"x"}')
    expect(diagnosticsOf(d).filter(found => found.includes('cycle'))).toEqual([])
    expect(lostIn(d.graph)).toEqual([])
  })
})

type Row = [number: number, what: string, shape: string, wanted: ForkCase]

describe('rewinds', () => {
  const cases: Row[] = [
    [
      22,
      'two branches, original first',
      's1: u1 a1 u2 a2 u3 a3 / s1: u2 > a4 u5 / s1: a1 > h9',
      {
        at: 'u2',
        verdict: 'F12 rewind: a2 a4',
        trunk: 'u1 a1 h9 u2',
        branches: ['a2 u3 a3 (abandoned)', 'a4 u5 (live)'],
      },
    ],
    [
      24,
      'two prompts, each answered',
      's1: a0 u1 a1 / s1: a0 > u2 a2',
      {
        at: 'a0',
        verdict: 'F12 rewind: u1 u2',
        trunk: 'a0',
        branches: ['u1 a1 (abandoned)', 'u2 a2 (live)'],
      },
    ],
    [
      25,
      'a fork at a stop_hook_summary',
      's1: u1 a1 s9+{"subtype":"stop_hook_summary"} u2 a2 / s1: s9 > u3 a3 / s1: a2 > p1',
      {
        at: 's9',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1 s9',
        branches: ['u2 a2 p1 (abandoned)', 'u3 a3 (live)'],
      },
    ],
    [
      34,
      'a fork at a turn_duration',
      's1: u0 a1 s9 u2 a2 / s1: s9 > u3 a3',
      {
        at: 's9',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u0 a1 s9',
        branches: ['u2 a2 (abandoned)', 'u3 a3 (live)'],
      },
    ],
    [
      37,
      'a stray late leaf does not win',
      's1: u1 a1 u2 a2 / s1: a1 > u3 a3 u4 a4 / s1: a2 > h1',
      {
        at: 'a1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1',
        branches: ['u2 a2 h1 (abandoned)', 'u3 a3 u4 a4 (live)'],
        live: 'u1 a1 u3 a3 u4 a4',
      },
    ],
  ]
  it.each(cases)('[F12] case %i: %s', (_, _what, shape, wanted) => void expectFork(shape, wanted))

  it('[F12] case 23: nested forks hang on each other, ids stay flat (the reference nests them)', () => {
    const d = draw('s1: a1 u1 / s1: u1 > u2 a2 / s1: a2 > u3 a3 / s1: a2 > u4 a4 / s1: u1 > u5 a5')
    const lines = d.graph
      .lines()
      .map(line => `${d.say(line.nodes)} at ${line.at === null ? '-' : d.say([line.at])}`)
    expect(lines.sort()).toEqual(['a1 u1 at -', 'u2 a2 at u1', 'u3 a3 at a2', 'u4 a4 at a2', 'u5 a5 at u1'])
    expect(d.graph.lines().every(line => line.id.split('@').length <= 2)).toBe(true)
  })

  it('[F12] case 27: nodes keep their own session, branches of one do not leak into another', () => {
    const d = draw('s1: u1 a1 u2 a2 / s1: a1 > u3 a3 / s2: u5@+1h a5')
    expect(d.trunk('s2')).toBe('u5 a5')
    expect([...d.graph.nodes()].map(node => d.graph.node(node).session)).toEqual([
      ...Array(6).fill('s1'),
      's2',
      's2',
    ])
  })

  it('[A4] case 32: an agent spawned on a branch is in no other line', () => {
    const d = draw('s1: u1 a1 u2 a2 / s1: a1 > u3 a3[t1:Task>x] r1[t1>x] a4 / s1/x: u7 a7')
    expect(d.branches()).toEqual(['u2 a2 (abandoned)', 'u3 a3 r1 a4 (live)', 'agent u7 a7 (live)'])
    expect(lostIn(d.graph)).toEqual([])
  })
})

describe('roots and warnings', () => {
  const command = '+{"subtype":"local_command"}'
  it.each([
    [58, `s1: s8${command} / s1: u1 a1 c1 k1 c2 k2`],
    [59, 's1: u1 a1 c1 k1 u2 a2 c2 k2 u3 a3 c3 k3'],
    [61, 's1: p1 / s1: u1 a1 c1 k1'],
    [62, 's1: u1 a1[t1:Task>u5] r1[t1] / s1: ~u5@-1d ~a5'],
    [63, 's1: u1 a1 / s2: a1 > u2@+1h a2 / s2: u1 > a9'],
  ])('[S3] case %i: silent', (_, shape) => {
    expect(diagnosticsOf(draw(shape))).toEqual([])
  })

  it('[S3] [G2] case 60: an orphan prompt is a warning', () => {
    expect(diagnosticsOf(draw('s1: u1 a1 / s1: ?9 > u2 a2'))).toEqual(['dag/orphan warning u2'])
  })

  it('[G2] case 61: an orphan of progress near a boundary is not a warning', () => {
    expect(diagnosticsOf(draw('s1: u1 a1 c1 k1 / s1: ?9 > p1'))).toEqual(['dag/orphan info p1'])
  })
})

describe('compaction', () => {
  const kept = 's1: u1 a1 u2 a2 / s1: a1 > u3 a3 u4 a4 c1{a4} k1'
  const cases: Row[] = [
    [
      101,
      'a compaction after a rewind',
      's1: u1 a1 u2 a2 / s1: a1 > u3 a3 u4 a4 c1 k1 u5 a5',
      {
        at: 'a1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 u4 a4 c1 k1 u5 a5 (live)'],
      },
    ],
    [
      102,
      'with a preserved tail that keeps its position (the reference moves it behind the summary)',
      `${kept} u5 a5`,
      {
        at: 'a1',
        verdict: 'F12 rewind: u2 u3',
        trunk: 'u1 a1',
        branches: ['u2 a2 (abandoned)', 'u3 a3 u4 a4 c1 k1 u5 a5 (live)'],
        live: 'k1 a4 u5 a5',
      },
    ],
  ]
  it.each(cases)('[C5] case %i: %s', (_, _what, shape, wanted) => void expectFork(shape, wanted))

  it('[C3] cases 99, 100: landmarks in order, none without a compaction', () => {
    const d = draw('s1: u1 a1 c1 k1 u2 a2 c2 k2')
    expect(d.say(d.graph.epochs().map(({ boundary }) => boundary))).toBe('c1 c2')
    expect(draw('s1: u1 a1').graph.epochs()).toEqual([])
  })

  it('[G5] case 104: a boundary with a logical parent has one edge to it, without one none', () => {
    const logical = (shape: string): number =>
      [...draw(shape).graph.edges()].filter(({ kind }) => kind === 'logicalParent').length
    expect([logical('s1: u1 a1 c1 k1'), logical('s1: u1 a1 c1^- k1')]).toEqual([1, 0])
  })
})
