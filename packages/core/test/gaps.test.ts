import { describe, expect, it } from 'vitest'
import { toolUseId } from '../src/index.js'
import { diagnosticsOf, lostIn } from './checks.js'
import { draw } from './support.js'

describe('an answer or a result that names no parent', () => {
  type Row = [name: string, shape: string, trunk: string, live: string]
  const rows: Row[] = [
    [
      'an answer goes on from the entry before it',
      's1: u1 a1 u2 a2<- u3 a3',
      'u1 a1 u2 a2 u3 a3',
      'u1 a1 u2 a2 u3 a3',
    ],
    ['a result from its call', 's1: u1 a1[t1] r1[t1]<- a2 u2 a3', 'u1 a1 r1 a2 u2 a3', 'u1 a1 r1 a2 u2 a3'],
    [
      'a result from its call, whatever stands between',
      's1: u1 a1[t1] a2=a1[t2] / s1: a2 > r2[t2] h1 / s1: r1[t1]<- a3 u2 a4',
      'u1 a1 a2 r2 h1 r1 a3 u2 a4',
      'u1 a1 a2 r2 r1 a3 u2 a4',
    ],
    [
      'a result without a call from the entry before it',
      's1: u1 a1 r1[t9]<- a2',
      'u1 a1 r1 a2',
      'u1 a1 r1 a2',
    ],
    ['the last answer', 's1: u1 a1 u2 a2<-', 'u1 a1 u2 a2', 'u1 a1 u2 a2'],
    ['behind a compaction', 's1: u1 a1 c1 k1 u2 a2 a3<-', 'u1 a1 c1 k1 u2 a2 a3', 'k1 u2 a2 a3'],
    ['at the head of a file it is a root', 's1: a1<- u1 a2', 'a1 u1 a2', 'a1 u1 a2'],
  ]
  it.each(rows)('[G2] [L3] is not a root: %s', (_, shape, trunk, live) => {
    const d = draw(shape)
    expect({ trunk: d.trunk(), live: d.live(), lost: lostIn(d.graph) }).toEqual({ trunk, live, lost: [] })
  })

  it('[G2] is reported, with the entry that it goes on from', () => {
    const d = draw('s1: u1 a1[t1] r1[t1]<- a2 u2 a3<-')
    expect(diagnosticsOf(d)).toEqual(['dag/missing-parent warning r1', 'dag/missing-parent warning a3'])
    const [result, answer] = d.graph.diagnostics()
    expect(result?.message).toContain('the entry with its call')
    expect(answer?.message).toContain(`${d.shape.uuid('u2')} on row 5, the entry written before it`)
  })

  it('[G3] is a root after all where that would close a cycle', () => {
    const d = draw('s1: u1 a1 r1[t1]<- / s1: r1 > a2 / s1: a9[t1]<r1')
    expect(lostIn(d.graph)).toEqual([])
    expect(d.live()).toBe('u1 a1 r1 a9')
  })

  it('[L3] a file in which no entry names a parent is live by rows', () => {
    expect(draw('s1: u1<- a1<- u2<- a2<-').live()).toBe('u1 a1 u2 a2')
  })
})

describe('roots beside a compaction', () => {
  it.each([
    ['a hook left in flight', 's1: u1 a1 p9<?9 c1^a1 k1 u2 a2 u3 a3', 'u1 a1 p9 c1 k1 u2 a2 u3 a3'],
    [
      'several, before two compactions',
      's1: u1 a1 h1<- c1^a1 k1 u2 a2 p9<?9 c2^a2 k2 u3',
      'u1 a1 h1 c1 k1 u2 a2 p9 c2 k2 u3',
    ],
    ['one written after it', 's1: u1 a1 c1^a1 k1 u2 a2 / s1: p9<?9', 'u1 a1 c1 k1 u2 a2 p9'],
  ])('[L1] keep their position in the order of writing: %s', (_, shape, trunk) => {
    expect(draw(shape).trunk()).toBe(trunk)
  })
})

describe('sidechain rows that name no parent', () => {
  it('[A4] follow each other as one subagent', () => {
    const d = draw('s1: u1 a1[t1:Task>u2] / s1: ~u2<- ~a2<- ~a3<- / s1: a1 > r1[t1] a4')
    expect(d.branches()).toEqual(['agent u2 a2 a3 (live)'])
    expect(d.graph.agents().map(({ state, spawnedBy }) => `${state} ${spawnedBy?.evidence}`)).toEqual([
      'complete prompt',
    ])
  })

  it('[A4] a further prompt goes on, unless it is the prompt of a call', () => {
    const d = draw(
      's1: u1 a1[t1:Task>u2,t2:Task>u4] / s1: ~u2<- ~a2<- ~u3<- ~a3<- ~u4<- ~a4<- / s1: a1 > r1[t1] r2[t2] a5',
    )
    expect(d.branches()).toEqual(['agent u2 a2 u3 a3 (live)', 'agent u4 a4 (live)'])
  })

  it('[A4] where other sidechain rows do, a prompt without a parent begins a subagent', () => {
    const d = draw('s1: u1 a1[t1:Task,t2:Task] / s1: ~u2<- ~a2 / s1: ~u3<- ~a3 / s1: a1 > r1[t1] r2[t2] a5')
    expect(d.branches()).toEqual(['agent u2 a2 (live)', 'agent u3 a3 (live)'])
  })

  it('[A4] a main entry between two prompts ends the sidechain', () => {
    const d = draw('s1: u1 a1 / s1: ~u2<- ~a2<- / s1: a1 > u4 / s1: ~u3<- ~a3<- / s1: u4 > a5')
    expect(d.branches()).toEqual(['agent u2 a2 (live)', 'agent u3 a3 (live)'])
  })
})

describe('parents as the files record them', () => {
  const d = draw("s1: u1 a1[t1] r1[t1] a2 u2<?9 / s1: a1 > h1 / s1: u1' / s2: u1 a1 u3 / s1: a2 > c1 k1")
  const say = (nodes: readonly number[]): string => d.say(nodes)

  it('[G2] roots name no parent, orphans one that is nowhere, and copies are not listed again', () => {
    expect(say(d.graph.roots())).toBe('u1 c1')
    expect(say(d.graph.orphans())).toBe('u2')
  })

  it('[G1] children of a node are those of all files', () => {
    expect(say(d.graph.childrenOf(d.node('a1')))).toBe('r1 h1 u3')
    expect(d.graph.childrenOf(d.node('u3'))).toEqual([])
  })

  it('[T1] the result of a call by its id', () => {
    const { id } = d.graph.toolEnds(d.node('a1'))[0] ?? { id: '' }
    expect(d.graph.resultOf(toolUseId(id))).toBe(d.node('r1'))
    expect(d.graph.resultOf(toolUseId('never'))).toBeNull()
  })
})
