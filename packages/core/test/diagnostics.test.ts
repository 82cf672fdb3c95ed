import { expandShape } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { unplacedNodes } from '../src/graph/diagnose.js'
import { stateOf } from '../src/graph/state.js'
import { message, problems, queueRow } from './ask.js'
import { draw, drawnOf, graphOfFiles } from './support.js'

const clean = [
  's1: u1 a1[t1] r1[t1] a2 s1',
  's1: u1 a1 c1{a1} k1<c1 u2 a2',
  's1: u1 a1[t1:Task>x] r1[t1>x] a3 / s1/x: u2 a2',
  's1: u1 a1 / s1: a1 > u2 a2 / s1: a1 > u3@+30m a3',
  's1: u1 a1 / s2: u1 a1 u2 a2',
  's1: x1 x2 u1 a1',
]

describe('diagnostics of the graph', () => {
  it.each(clean)('[G2] nothing is reported for %s', shape => {
    expect(problems(draw(shape))).toEqual([])
  })

  it('[G2] dag/orphan: the parent is nowhere; the likely one is named', () => {
    const d = draw('s1: u1 a1 / s1: ?9 > u2 a2')
    expect(problems(d)).toEqual(['warning dag/orphan s1.jsonl:3 u2'])
    expect(message(d, 'dag/orphan')).toContain(d.shape.uuid('?9'))
    expect(message(d, 'dag/orphan')).toContain(`${d.shape.uuid('a1')} on row 2`)
  })

  it('[G2] dag/orphan: the likely parent of a main entry is never a sidechain entry', () => {
    const d = draw('s1: u1 a1[t1:Task>u2] / s1: ~u2 ~a2 / s1: ?9 > r1[t1] a3')
    expect(message(d, 'dag/orphan')).toContain(`${d.shape.uuid('a1')} on row 2`)
  })

  it('[G2] dag/orphan: at the start of a file nothing can be likely', () => {
    const d = draw('s1: ?9 > u2 a2')
    expect(problems(d)).toEqual(['warning dag/orphan s1.jsonl:1 u2'])
    expect(message(d, 'dag/orphan')).toContain('slice')
  })

  it.each(['h1', 'p1', 's1', 'f1', 'l1', 'm1'])(
    '[S3] dag/orphan: info for the expected shape of %s',
    token => {
      expect(problems(draw(`s1: u1 a1 / s1: ?9 > ${token} / s1: a1 > u2 a2`))).toEqual([
        `info dag/orphan s1.jsonl:3 ${token}`,
      ])
    },
  )

  it('[G2] dag/orphan: silent where the parent stands in another file', () => {
    expect(problems(draw('s1: u1 a1 / s2: a1 > u2 a2'))).toEqual([])
  })

  it('[G2] dag/orphan: once, though a fork repeats the row', () => {
    expect(problems(draw('s1: u1 a1 u2<?9 a2 u9 / s2: u1 a1 u2 a2 u3@+1h'))).toEqual([
      'warning dag/orphan s1.jsonl:3 u2',
    ])
  })

  it('[G3] dag/cycle: once per cycle, at the node that is cut', () => {
    const d = draw('s1: u1<a2 a1<u1 u2<a1 a2<u2 u3<a2 a3')
    expect(problems(d)).toEqual(['warning dag/cycle s1.jsonl:1 u1'])
    expect(d.trunk()).toBe('u1 a1 u2 a2 u3 a3')
    expect(message(d, 'dag/cycle')).toContain('cut')
  })

  it('[G3] dag/cycle: two cycles, two reports', () => {
    const d = draw('s1: u1<a1 a1<u1 / s2: u2<a2 a2<u2')
    expect(problems(d)).toEqual(['warning dag/cycle s1.jsonl:1 u1', 'warning dag/cycle s2.jsonl:1 u2'])
  })

  it('[G3] dag/self-parent: it becomes a root', () => {
    const d = draw('s1: u1<u1 a1')
    expect(problems(d)).toEqual(['warning dag/self-parent s1.jsonl:1 u1'])
    expect(d.trunk()).toBe('u1 a1')
  })

  it('[S3] dag/second-root: of an unexpected kind', () => {
    const d = draw('s1: u1 a1 / s1: x2 u2 a3')
    expect(problems(d)).toEqual(['warning dag/second-root s1.jsonl:3 x2'])
    expect(message(d, 'dag/second-root')).toContain('second root')
  })

  it('[G2] dag/missing-parent: an answer or a result is not a root', () => {
    const d = draw('s1: u1 a1 / s1: a2 u2 a3')
    expect(problems(d)).toEqual(['warning dag/missing-parent s1.jsonl:3 a2'])
    expect(message(d, 'dag/missing-parent')).toContain('goes on from')
  })

  it('[G2] dag/orphan: a sidechain without earlier sidechain rows is hung on the entry before it', () => {
    const d = draw('s1: u1 a1 ~u2<?9 ~a2 u3<a1 a3')
    expect(message(d, 'dag/orphan')).toContain(`after ${d.shape.uuid('a1')} on row 2`)
  })

  it('[G3] dag/cycle: a compaction that goes on from an entry behind it', () => {
    const d = draw('s1: u1 a1 c1^a2 k1 u2 a2')
    expect(problems(d)).toEqual(['warning dag/cycle s1.jsonl:3 c1'])
    expect(message(d, 'dag/cycle')).toContain(d.shape.uuid('a2'))
    expect([d.trunk(), d.live()]).toEqual(['u1 a1 c1 k1 u2 a2', 'k1 u2 a2'])
  })

  it('[F1] dag/forgotten-turns: also where the answer went on in another message', () => {
    const d = draw('s1: u1 a1[t1] d2 a3 u2 / s1: a1 > r1[t1]@+2m a4 u3 a5')
    expect(problems(d)).toEqual(['warning dag/forgotten-turns s1.jsonl:2 a1'])
  })

  it('[F13] dag/unplaced-nodes: the sums are checked whenever diagnostics are asked for', () => {
    const { graph } = draw('s1: u1 a1 u2 a2')
    const { lines, lineOf } = graph.layout()
    expect(unplacedNodes(stateOf(graph), { lines, lineOf })).toEqual([])
    const cut = { lines: lines.map(line => ({ ...line, nodes: line.nodes.slice(1) })), lineOf }
    expect(unplacedNodes(stateOf(graph), cut)[0]).toMatchObject({ rule: 'dag/unplaced-nodes', row: 1 })
    const twice = { lines: lines.map(line => ({ ...line, nodes: [...line.nodes, ...line.nodes] })), lineOf }
    expect(unplacedNodes(stateOf(graph), twice)[0]?.message).toContain('4 of 4')
  })

  it('[G1] dag/duplicate-row: the first is used, the others are counted', () => {
    const d = draw('s1: u1 a1 / s1: u1 a1 u2<a1 a2')
    expect(problems(d)).toEqual(['info dag/duplicate-row s1.jsonl:3 u1'])
    expect(message(d, 'dag/duplicate-row')).toMatch(/^2 rows/)
    expect(d.trunk()).toBe('u1 a1 u2 a2')
  })

  it('[T2] dag/stray-result and dag/unanswered-call name the call', () => {
    const d = draw('s1: u1 a1[t1] r1[t2] a2')
    expect(problems(d)).toEqual([
      'info dag/unanswered-call s1.jsonl:2 a1',
      'warning dag/stray-result s1.jsonl:3 r1',
    ])
    expect(message(d, 'dag/unanswered-call')).toContain('toolu_t1')
    expect(message(d, 'dag/stray-result')).toContain('toolu_t2')
  })

  it('[A2] dag/unknown-agent: the agent is named', () => {
    const d = draw('s1: u1 a1 / s1/x9: u2 a2')
    expect(problems(d)).toEqual(['warning dag/unknown-agent s1/subagents/agent-x9.jsonl:1 u2'])
    expect(message(d, 'dag/unknown-agent')).toContain('x9')
  })

  it('[A7] dag/missing-agent-file: a result names an agent that is not there', () => {
    const d = draw('s1: u1 a1[t1:Task] r1[t1>x9] a2')
    expect(problems(d)).toEqual(['info dag/missing-agent-file s1.jsonl:3 r1'])
    expect(message(d, 'dag/missing-agent-file')).toContain('x9')
  })

  it('[A7] dag/missing-agent-file: once per agent', () => {
    const d = draw('s1: u1 a1[t1:Task] r1[t1>x9] a2[t2:SendMessage] r2[t2>x9] a3')
    expect(problems(d)).toEqual(['info dag/missing-agent-file s1.jsonl:3 r1'])
  })

  it('[A7] dag/missing-agent-file: at the original, in every order of files', () => {
    const { files } = expandShape('s1: u1 a1[t1:Task] r1[t1>x9] a2 u9 / s2: u1 a1 r1 a2 u3@+1h a3')
    const told = [files, [...files].reverse()].map(list =>
      graphOfFiles(list)
        .diagnostics()
        .map(({ file }) => file),
    )
    expect(told).toEqual([['s1.jsonl'], ['s1.jsonl']])
  })

  it('[C1] dag/broken-compaction: the boundary names a parent that is nowhere', () => {
    const d = draw('s1: u1 a1 c1^?9 k1<c1 a2')
    expect(problems(d)).toEqual(['warning dag/broken-compaction s1.jsonl:3 c1'])
    expect(message(d, 'dag/broken-compaction')).toContain(d.shape.uuid('?9'))
  })

  it('[C2] dag/broken-compaction: the boundary names preserved nodes that are nowhere', () => {
    const d = draw('s1: u1 a1 c1{a1,?9} k1<c1 a2')
    expect(problems(d)).toEqual(['warning dag/broken-compaction s1.jsonl:3 c1'])
    expect(message(d, 'dag/broken-compaction')).toContain(d.shape.uuid('?9'))
  })

  it('[C4] dag/unfinished-compaction: a boundary without a summary', () => {
    const d = draw('s1: u1 a1 c1')
    expect(problems(d)).toEqual(['warning dag/unfinished-compaction s1.jsonl:3 c1'])
    expect(d.live()).toBe('u1 a1')
    expect(message(d, 'dag/unfinished-compaction')).toContain('the messages before it stay live')
  })

  it('[C4] dag/unfinished-compaction: once, though a fork repeats the boundary', () => {
    expect(problems(draw('s1: u1 a1 c1 / s1: a1 > u9 / s2: u1 a1 c1 u2<a1@+1h a2'))).toEqual([
      'warning dag/unfinished-compaction s1.jsonl:3 c1',
    ])
  })

  it('[Q3] dag/lost-input: by file and row, without a node', () => {
    const d = draw(`s1: u1 a1\ns1: ! ${queueRow('enqueue', 'never sent')}`)
    expect(problems(d)).toEqual(['warning dag/lost-input s1.jsonl:3'])
  })

  it('[G1] dag/foreign-session: rows that carry the id of another session than the file', () => {
    const old = '+{"sessionId":"s1"}'
    const d = draw(`s1: u1 a1 u2 a2 / s2: u1${old} a1${old} u3@+1h a3`)
    expect(problems(d)).toEqual(['info dag/foreign-session s2.jsonl:1 u1'])
    expect(message(d, 'dag/foreign-session')).toContain('s1')
  })

  it('[L8] dag/ambiguous-live: a resume in the middle of a message', () => {
    const d = draw(
      's1: u1 a1 a2=a1\ns1: ! {"type":"cost-state"}\ns1: a1 > u2@+1h a3\ns1: ! {"type":"cost-state"}',
    )
    expect(problems(d).filter(line => line.includes('info dag/ambiguous-live s1.jsonl'))).toHaveLength(1)
  })

  it('[F1] dag/forgotten-turns: after a crash the CLI went on from a parallel result', () => {
    const d = draw(
      's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3 u2 a4 / s1: r1 > u3@+1h a5',
    )
    expect(problems(d).filter(line => line.includes('warning dag/forgotten-turns s1.jsonl'))).toHaveLength(1)
  })

  it('[P1] diagnostics of rows stand among the others, by file and row', () => {
    const d = draw('s1: u1 a1\ns1: ! {"type":"user"\ns1: ! [1]\ns1: a1 > u2 a2[t1]')
    expect(problems(d)).toEqual([
      'warning parse/not-json s1.jsonl:3',
      'warning parse/not-an-object s1.jsonl:4',
      'info dag/unanswered-call s1.jsonl:6 a2',
    ])
  })

  it('[G8] the list is the same for every order of files', () => {
    const shape = expandShape('s1: u1 a1[t1] / s2: u2<?8 a2 r2[t9] / s1/x: u3 a3 / s3: u4 a4 c1^?9')
    const [one, two] = [shape.files, [...shape.files].reverse()].map(list =>
      problems(drawnOf(shape, graphOfFiles(list))),
    )
    expect(one).toEqual(two)
    expect(one).toHaveLength(6)
  })
})
