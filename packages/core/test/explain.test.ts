import { describe, expect, it } from 'vitest'
import { type Drawn, draw } from './support.js'

/** The evidence for a token under a rule. */
function because(d: Drawn, token: string, rule: string): string {
  return d.graph
    .explain(d.node(token))
    .filter(reason => reason.rule === rule)
    .map(({ evidence }) => evidence)
    .join(' | ')
}

const rules = (d: Drawn, token: string): string =>
  d.graph
    .explain(d.node(token))
    .map(({ rule }) => rule)
    .join(' ')

const located = (d: Drawn, token: string, at: string): string => `${d.shape.uuid(token).slice(0, 12)} (${at})`

describe('why a node is where it is', () => {
  it('[G1] an ordinary node: its parent, its line, its speaker, its liveness', () => {
    const d = draw('s1: u1 a1')
    expect(rules(d, 'a1')).toBe('G1 L1 A1 L3')
    expect(because(d, 'a1', 'G1')).toBe(`its parent is ${located(d, 'u1', 's1.jsonl row 1')}`)
    expect(because(d, 'a1', 'L1')).toBe('on line s1 (trunk, current branch)')
    expect(because(d, 'a1', 'A1')).toBe('spoken by Claude')
    expect(because(d, 'a1', 'L3')).toBe('live: entry 2 of the next request of s1.jsonl')
  })

  it('[L1] a branch that another session goes on with: which of the two is meant', () => {
    const copy = (token: string, parent: string): string =>
      `${token}'${parent}+{"forkedFrom":{"sessionId":"s1","messageUuid":"@{${token}}"}}`
    const copies = [copy('u1', ''), copy('a1', "<u1'"), copy('u2', "<a1'"), copy('a2', "<u2'")]
    const d = draw(`s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3 / s2: ${copies.join(' ')}`)
    expect(because(d, 'u2', 'L1')).toContain('(branch, abandoned here, live in s2)')
    expect(because(d, "u2'", 'L1')).toContain('(branch, live here, abandoned in s1)')
    expect(because(d, 'u3', 'L1')).toContain('(branch, current branch)')
    const lone = draw('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3')
    expect(because(lone, 'u2', 'L1')).toContain('(branch, abandoned)')
  })

  it('[S3] a root', () => {
    expect(because(draw('s1: u1 a1'), 'u1', 'S3')).toBe('a root: it has no parent')
  })

  it('[G1] a node in two files: where else it stands', () => {
    const d = draw('s1: u1 a1 / s2: u1 a1 u2@+1h a2')
    expect(because(d, 'a1', 'G1')).toContain('the same uuid also stands in s2.jsonl')
    expect(because(d, 'u2', 'G1')).toContain(located(d, 'a1', 's2.jsonl row 2'))
  })

  it('[G2] an orphan: the parent that was never written', () => {
    const d = draw('s1: u1 a1 / s1: ?9 > u2 a2')
    expect(because(d, 'u2', 'G2')).toBe(`its parent ${d.shape.uuid('?9')} was never written`)
  })

  it('[G3] a cut cycle', () => {
    expect(because(draw('s1: u1<a1 a1<u1'), 'u1', 'G3')).toContain('the link is cut')
  })

  it('[G7] a stamped copy', () => {
    const d = draw(`s1: u1 a1 / s2: u1'+{"forkedFrom":{"sessionId":"s1","messageUuid":"@{u1}"}} a2`)
    expect(because(d, "u1'", 'G7')).toBe(
      `a copy of ${located(d, 'u1', 's1.jsonl row 1')}: its fork stamp names it`,
    )
  })

  it('[G7] a replay, and what hangs on it', () => {
    const d = draw("s1: u1 a1 / s1: u1'@+1h a1'<u1'@=u1' u2 a2")
    expect(because(d, "a1'", 'G7')).toContain('same content')
    expect(because(d, 'u2', 'G7')).toContain(`it follows the original ${located(d, 'a1', 's1.jsonl row 2')}`)
  })

  it('[C1] a compaction: what it continues, and by what', () => {
    const d = draw('s1: u1 a1 c1 k1 a2')
    expect(because(d, 'c1', 'C1')).toBe(
      `a compaction: it continues ${located(d, 'a1', 's1.jsonl row 2')}, its logical parent`,
    )
    const blind = draw('s1: u1 a1 c1^- k1 a2')
    expect(because(blind, 'c1', 'C1')).toContain('the entry written before it')
  })

  it('[C1] a compaction that only a preserved entry locates', () => {
    const d = draw('s1: u1 a1 u2 a2 h1 c1^-{u2,a2} k1<c1 a3')
    expect(because(d, 'c1', 'C1')).toContain('preserved')
  })

  it('[C2] an entry that hangs on what a compaction kept', () => {
    const d = draw('s1: u1 a1 c1{a1} k1<c1 / s1: a1 > u2 a2')
    expect(because(d, 'u2', 'C2')).toContain('kept')
    expect(because(d, 'u2', 'C2')).toContain('row 3')
  })

  it('[F12] a branch and the node it starts from', () => {
    const d = draw('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3')
    expect(because(d, 'u3', 'F12')).toMatch(/^it starts a branch at a fork of kind rewind: /)
    expect(because(d, 'a1', 'F12')).toMatch(/^its children are a fork of kind rewind: /)
    expect(because(d, 'u3', 'L1')).toContain('(branch, current branch)')
  })

  it('[F11] a branch of two writers is named so', () => {
    const d = draw(
      's1: u1 a1 u2 / s1: a1 > u3 / s1: u2 > a2 / s1: u3 > a3 / s1: a2 > u4 / s1: a3 > u5 / s1: u4 > a4 / s1: u5 > a5',
    )
    expect(d.verdict('a1')).toContain('F11')
    expect(because(d, 'u3', 'F11')).toContain('two')
  })

  it('[F1] a child that stays on the line', () => {
    const d = draw('s1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3')
    expect(because(d, 'r1', 'F1')).toMatch(/^it stays on the line at a fork of kind parallel: /)
  })

  it('[F12] among roots: the first prompt sent again', () => {
    const d = draw('s1: u1 a1 / s1: u2@+1h a2')
    expect(because(d, 'u2', 'F12')).toMatch(/^it starts a branch/)
  })

  it('[A2] an agent: the call, the entry and the evidence', () => {
    const d = draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a3')
    expect(because(d, 'u2', 'A2')).toBe(
      `in agent x: spawned by call toolu_t1 in ${located(d, 'a1', 's1.jsonl row 2')}, by result`,
    )
    expect(because(d, 'u2', 'A1')).toBe('spoken by Claude')
    expect(because(d, 'a2', 'A1')).toBe('spoken by general-purpose')
  })

  it('[A2] an agent that nothing explains', () => {
    expect(because(draw('s1/x: u2 a2'), 'u2', 'A2')).toBe('in agent x: no call that spawned it was found')
  })

  it('[T1] calls and results, with the other end', () => {
    const d = draw('s1: u1 a1[t1,t2] r1[t1!] a2')
    expect(because(d, 'a1', 'T1')).toBe(
      `its call toolu_t1 is answered by ${located(d, 'r1', 's1.jsonl row 3')} | its call toolu_t2 has no result`,
    )
    expect(because(d, 'r1', 'T1')).toBe(`answers toolu_t1 of ${located(d, 'a1', 's1.jsonl row 2')}: error`)
  })

  it('[T1] a stray result', () => {
    expect(because(draw('s1: u1 r1[t9]'), 'r1', 'T1')).toContain('a call that is in no file read')
  })
})

describe('why a node is not live', () => {
  it('[L3] it is not a message', () => {
    expect(because(draw('s1: u1 h1 a1'), 'h1', 'L3')).toContain('not live: it is not a message')
  })

  it('[L7] a notice of a failed request', () => {
    expect(because(draw('s1: u1 e1 u2 a2'), 'e1', 'L3')).toBe(
      'not live: a notice of a failed request is not sent',
    )
  })

  it('[L3] its line is abandoned', () => {
    expect(because(draw('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3'), 'u2', 'L3')).toBe(
      'not live: its line is abandoned',
    )
  })

  it('[L3] a compaction has replaced it', () => {
    expect(because(draw('s1: u1 a1 c1 k1 u2 a2'), 'u1', 'L3')).toContain('compaction')
  })

  it('[L7] a message of thinking only', () => {
    const reason = because(draw('s1: u1 d1 u2 a2'), 'd1', 'L3')
    expect(reason).toContain('thinking')
    expect(reason).not.toContain('compaction')
  })

  it('[L7] a call that never got a result', () => {
    const d = draw('s1: u1 a1 a2=a1[t1] u2 a3')
    expect(d.live()).toBe('u1 a1 u2 a3')
    expect(because(d, 'a2', 'L3')).toContain('result')
    expect(because(d, 'a2', 'L3')).not.toContain('compaction')
  })

  const ended = 's1: ! {"type":"cost-state","sessionId":"s1"}'
  const old = '+{"version":"2.0.50"}'
  it.each([
    [
      'the rest of a turn that late rows lead past',
      `s1: u1 a1[t1] r1[t1] a2 / s1: a1 > p1@=a1 u2 a3\n${ended}\ns1: a3 > u3`,
      'a2',
      'rows written late',
    ],
    [
      'a call cut off from its result (2.0.x)',
      `s1: u1 a1 a2=a1[t1] r1[t1] a3\ns1: a2 > u2${old} a4 u3`,
      'a2',
      'in the middle of its message',
    ],
    [
      'thinking of a message on an abandoned branch',
      's1: u1 a1 u2 d2 a2=d2 / s1: a1 > u3 a3',
      'd2',
      'its line is abandoned',
    ],
    ['thinking beside a call that was killed', 's1: u1 d1 a1=d1[t1] u2 a2', 'd1', 'thinking only'],
    ['a call without a result before a compaction', 's1: u1 a1[t1] c1 k1 u2 a2', 'a1', 'compaction'],
    [
      'what was summarized from here on (2.1.55)',
      's1: u1 a1 u2 a2 c1^a1+{"compactMetadata":{"messagesSummarized":2}} k1 u4',
      'u2',
      'compaction',
    ],
    ['a broken-off answer beside a stub', 's1: u1 a1 / s1: u1 > y1 u2 a2', 'a1', 'did not go on from it'],
  ])('[L3] %s', (_, shape, token, reason) => {
    expect(because(draw(shape), token, 'L3')).toContain(reason)
  })

  it('[L3] a node of an inline sidechain is live in its own conversation only', () => {
    const d = draw('s1: u1 a1[t1:Task>u2] / s1: ~u2 ~a2 / s1: a1 > r1[t1] a3')
    expect(because(d, 'a2', 'L3')).toMatch(/agent|sidechain/)
  })

  it('[L3] a copy is judged in its own file', () => {
    const d = draw("s1: u1 a1 / s2: u1'@+1h a1'<u1'@=u1' u2 a2")
    expect(because(d, "a1'", 'L3')).toBe('live: entry 2 of the next request of s2.jsonl')
  })
})
