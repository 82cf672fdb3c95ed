import { describe, expect, it } from 'vitest'
import { type Drawn, draw } from './support.js'

const stamp = (token: string): string => `+{"forkedFrom":{"sessionId":"s1","messageUuid":"@{${token}}"}}`
const bg = '+{"sessionKind":"bg"}'
const away = '+{"cwd":"/home/dev/worktree"}'

/** What people did, by time: `rewind u3 s1`. */
function operations(d: Drawn): readonly string[] {
  return d.graph.operations().map(({ kind, node, session }) => `${kind} ${d.say([node])} ${session}`)
}

/** Where other sessions go on: `a1 s2 fork`. */
function junctions(d: Drawn): readonly string[] {
  return d.graph.junctions().map(({ at, session, how }) => `${d.say([at])} ${session} ${how}`)
}

describe('operations', () => {
  it.each([
    ['nothing', 's1: u1 a1 u2 a2', []],
    ['a compaction', 's1: u1 a1 c1 k1 u2 a2', ['compact c1 s1']],
    ['a compaction of 1.0.66', 's1: u1 a1 k1<- a2', ['compact k1 s1']],
    ['a rewind', 's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3', ['rewind u3 s1']],
    [
      'two rewinds of one answer',
      's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3 / s1: a1 > u4@+30m a4',
      ['rewind u3 s1', 'rewind u4 s1'],
    ],
    ['a rewind of the first prompt', 's1: u1 a1 / s1: u2@+1h a2', ['rewind u2 s1']],
    ['a clear', 's1: u1 a1 / s2: m1 l1"<command-name>/clear</command-name>" o1 u2 a2', ['clear l1 s2']],
    ['a resume into a new file', 's1: u1 a1 / s2: a1 > u2 a2', ['resume u2 s2']],
    ['a fork', 's1: u1 a1 u2 a2 / s2: u1 a1 u3@+1h a3', ['fork u3 s2']],
    ['/branch', `s1: u1 a1 u2 a2 / s2: u1${stamp('u1')} a1${stamp('a1')} u3 a3`, ['branch u3 s2']],
    ['an SDK fork', `s1: u1 a1 u2 a2 / s2: u1'${stamp('u1')} a1'<u1'${stamp('a1')} u3 a3`, ['fork u3 s2']],
    ['/fork', `s1: u1 a1 u2 a2 / s2: u1${bg} a1${bg} f1<a1${bg} u3${bg} a3${bg}`, ['background f1 s2']],
    ['a move into a worktree and back', `s1: u1 a1 u2${away} a2${away} u3 a3`, ['move u2 s1', 'move u3 s1']],
    ['parallel calls', 's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3', []],
  ])('[C6] %s', (_, shape, expected) => {
    expect(operations(draw(shape))).toEqual(expected)
  })

  it('[C6] two writers', () => {
    const d = draw(
      's1: u1 a1 u2 / s1: a1 > u3 / s1: u2 > a2 / s1: u3 > a3 / s1: a2 > u4 / s1: a3 > u5 / s1: u4 > a4 / s1: u5 > a5',
    )
    expect(operations(d)).toEqual(['two-writers u3 s1'])
  })

  it('[C6] a move that a fork repeats is one move', () => {
    const d = draw(`s1: u1 a1 u2${away} a2${away} u9${away} / s2: u1 a1 u2 a2 u3${away}@+1h`)
    expect(operations(d)).toEqual(['move u2 s1', 'fork u3 s2'])
  })

  it('[C6] by time, each with a label', () => {
    const d = draw('s1: u1 a1 c1 k1 u2 a2 / s1: k1 > u3@+30m a3')
    expect(operations(d)).toEqual(['compact c1 s1', 'rewind u3 s1'])
    expect(d.graph.operations().every(({ label }) => label !== '')).toBe(true)
  })
})

describe('junctions', () => {
  it('[S2] a node where two sessions go on links to both, in the order of time', () => {
    const d = draw('s1: u1 a1 u2 a2 / s3: u1 a1 u3@+1h a3 / s2: u1 a1 u4@+2h a4')
    expect(junctions(d)).toEqual(['a1 s3 fork', 'a1 s2 fork'])
  })

  it('[S2] a session of a session', () => {
    const d = draw('s1: u1 a1 / s2: a1 > u2 a2 / s3: a2 > u3 a3')
    expect(junctions(d)).toEqual(['a1 s2 resume', 'a2 s3 resume'])
  })

  it('[S2] copies under new uuids attach at the original', () => {
    const d = draw("s1: u1 a1 / s2: u1'@+1h a1'<u1'@=u1' u2 a2")
    expect(junctions(d)).toEqual(['a1 s2 resume'])
  })

  it('[S2] the head of each session links back to its junction', () => {
    const d = draw('s1: u1 a1 u2 a2 / s2: u1 a1 u3@+1h a3')
    const backlinks = d.graph.lines().flatMap(({ id, at }) => (at === null ? [] : [`${d.say([at])} ${id}`]))
    expect(backlinks).toEqual(['a1 s2'])
  })
})
