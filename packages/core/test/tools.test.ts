import { describe, expect, it } from 'vitest'
import { orderLine } from '../src/view/order.js'
import { problems } from './ask.js'
import { type Drawn, draw } from './support.js'

/** The calls and results of a node's tools: `t1: a1 > r1`. */
function ends(d: Drawn, token: string): readonly string[] {
  return d.graph
    .toolEnds(d.node(token))
    .map(({ id, calls, results }) => `${id.replace('toolu_', '')}: ${d.say(calls)} > ${d.say(results)}`)
}

/** The sums, and what lacks its other end: `2 2 unanswered t1 stray t2`. */
function sums(d: Drawn): string {
  const { calls, results, unanswered, stray } = d.graph.tools()
  const names = (list: typeof stray): string =>
    list.map(({ id, node }) => `${id.replace('toolu_', '')}/${d.say([node])}`).join(',')
  return `${calls} ${results} unanswered ${names(unanswered)} stray ${names(stray)}`
}

/** How the call of `r1` ended, as it is explained. */
function ending(d: Drawn, token = 'r1'): string | undefined {
  const reason = d.graph.explain(d.node(token)).find(({ rule }) => rule === 'T1')
  return reason?.evidence.split(': ').at(-1)
}

/** Usage as `message output`. */
function usage(d: Drawn): readonly string[] {
  return [...d.graph.usage()].map(({ message, usage: { output } }) => `${message} ${output}`)
}

const output = (tokens: number | string): string => `+{"message":{"usage":{"output_tokens":${tokens}}}}`

describe('calls and results', () => {
  it('[T1] a pair', () => {
    const d = draw('s1: u1 a1[t1] r1[t1] a2')
    expect(ends(d, 'a1')).toEqual(['t1: a1 > r1'])
    expect(ends(d, 'r1')).toEqual(['t1: a1 > r1'])
    expect(sums(d)).toBe('1 1 unanswered  stray ')
  })

  it('[T1] a batch: several calls in one entry, answered in one or in another order', () => {
    const one = draw('s1: u1 a1[t1,t2,t3] r1[t3,t1,t2] a2')
    expect(ends(one, 'a1')).toEqual(['t1: a1 > r1', 't2: a1 > r1', 't3: a1 > r1'])
    expect(sums(one)).toBe('3 3 unanswered  stray ')
    const each = draw('s1: u1 a1[t1,t2,t3] r3[t3] r1[t1] r2[t2] a2')
    expect(ends(each, 'a1')).toEqual(['t1: a1 > r1', 't2: a1 > r2', 't3: a1 > r3'])
  })

  it('[T1] parts of one message, each with its own call', () => {
    const d = draw(
      's1: u1 a1[t1] a2=a1[t2] a3=a1[t3] / s1: a2 > r2[t2] / s1: a3 > r3[t3] / s1: a1 > r1[t1] a4',
    )
    expect(ends(d, 'a2')).toEqual(['t2: a2 > r2'])
    expect(sums(d)).toBe('3 3 unanswered  stray ')
    expect(d.live()).toBe('u1 a1 a2 a3 r2 r3 r1 a4')
  })

  it('[T1] at any distance', () => {
    const between = Array.from({ length: 300 }, (_, i) => `u${i + 2} a${i + 2}`).join(' ')
    const d = draw(`s1: u1 a1[t1] ${between} r1[t1]`)
    expect(ends(d, 'r1')).toEqual(['t1: a1 > r1'])
    expect(problems(d)).toEqual([])
  })

  it('[T1] the result on a row before its call', () => {
    const d = draw('s1: u1 r1[t1]<a1 a1[t1]<u1 a2<r1')
    expect(ends(d, 'a1')).toEqual(['t1: a1 > r1'])
    expect(d.live()).toBe('u1 a1 r1 a2')
    expect(sums(d)).toBe('1 1 unanswered  stray ')
  })

  it('[T1] through sidechains, inline and in files', () => {
    const d = draw(`s1: u1 a1[t1:Task>u2] / s1: ~u2 ~a2[t2] ~r2[t2] ~a3 / s1: a1 > r1[t1] a4[t4:Task>x]
s1/x: u5 a5[t5] r5[t5] a6 / s1: a4 > r4[t4>x] a7`)
    expect(['a1', 'a2', 'a4', 'a5'].flatMap(token => ends(d, token))).toEqual([
      't1: a1 > r1',
      't2: a2 > r2',
      't4: a4 > r4',
      't5: a5 > r5',
    ])
    expect(sums(d)).toBe('4 4 unanswered  stray ')
  })

  it('[T1] a pair that a fork repeats in another file counts once', () => {
    const d = draw('s1: u1 a1[t1] r1[t1] a2 / s2: u1 a1 r1 a2 u3 a3')
    expect(sums(d)).toBe('1 1 unanswered  stray ')
  })

  it('[T1] a pair that a replay repeats under new uuids counts once', () => {
    const d = draw("s1: u1 a1[t1] r1[t1] a2 / s1: u1'@+1h a1'<u1'@=u1' r1'<a1'@=u1' a2'<r1'@=u1' u3 a3")
    expect(sums(d)).toBe('1 1 unanswered  stray ')
  })

  it('[T1] equal ids in two sessions do not mix', () => {
    const d = draw('s1: u1 a1[t1] / s2: u2 a2[t1] r2[t1] a3')
    expect(sums(d)).toBe('2 1 unanswered t1/a1 stray ')
  })

  it('[T1] equal ids in a session and its agent do not mix', () => {
    const d = draw('s1: u1 a1[t9:Task>x] / s1/x: u2 a2[t1] / s1: a1 > r9[t9>x] a3[t1] r3[t1] a4')
    expect(sums(d)).toBe('3 2 unanswered t1/a2 stray ')
  })
})

describe('how calls end', () => {
  it.each([
    ['ok', 'r1[t1]'],
    ['error', 'r1[t1!]'],
    ['denied', 'r1[t1!]+{"toolDenialKind":"user-rejected"}'],
    ['denied', 'r1[t1!]"The user doesn\'t want to proceed with this tool use."'],
    ['denied', 'r1[t1!]+{"toolDenialKind":"rule"}'],
    ['interrupted', 'r1[t1!]+{"toolDenialKind":"interrupted"}'],
    ['interrupted', 'r1[t1!]"[Request interrupted by user for tool use]"'],
    ['spilled', 'r1[t1]"<persisted-output>\\nOutput too large"'],
  ])('[T2] %s: %s', (state, rows) => {
    expect(ending(draw(`s1: u1 a1[t1] ${rows} a2`))).toBe(state)
  })

  it('[T2] the states of a batch are told apart', () => {
    const d = draw('s1: u1 a1[t1,t2] r1[t1!,t2] a2')
    const reason = d.graph.explain(d.node('r1')).filter(({ rule }) => rule === 'T1')
    expect(reason.map(({ evidence }) => evidence.split(': ').at(-1))).toEqual(['error', 'ok'])
  })

  it('[T2] a call without a result is reported and stops nothing', () => {
    const d = draw('s1: u1 a1[t1] u2 a2')
    expect(sums(d)).toBe('1 0 unanswered t1/a1 stray ')
    expect(problems(d)).toEqual(['info dag/unanswered-call s1.jsonl:2 a1'])
    expect(d.trunk()).toBe('u1 a1 u2 a2')
  })

  it('[T2] a result without a call is reported and stops nothing', () => {
    const d = draw('s1: u1 a1 r1[t9] a2')
    expect(sums(d)).toBe('0 1 unanswered  stray t9/r1')
    expect(problems(d)).toEqual(['warning dag/stray-result s1.jsonl:3 r1'])
    expect(d.trunk()).toBe('u1 a1 r1 a2')
  })

  it('[T2] of a batch only the open call is reported', () => {
    expect(sums(draw('s1: u1 a1[t1,t2,t3] r1[t1] r3[t3] i1'))).toBe('3 2 unanswered t2/a1 stray ')
  })

  it('[T2] the described call without an id of its own waits for no result', () => {
    const call = '+{"subtype":"tool_use","toolName":"Read","toolArguments":{"file":"a"}}'
    const d = draw(`s1: u1 a1[t1:Task>u2] ~u2 ~a2${call} ~a3 / s1: a1 > r1[t1] a4`)
    expect(d.graph.tools().unanswered).toEqual([])
  })

  it('[T2] a result that answers twice is one result of its call', () => {
    const d = draw('s1: u1 a1[t1] r1[t1] / s1: a1 > r2[t1]"[Tool call interrupted: the session ended]" a2')
    expect(ends(d, 'a1')).toEqual(['t1: a1 > r1 r2'])
    expect(problems(d)).toEqual([])
  })
})

describe('results beside their calls', () => {
  /** The trunk as a view orders it. */
  const viewed = (shape: string): string => {
    const d = draw(shape)
    const nodes = d.graph.lines().find(({ id }) => id === 's1')?.nodes ?? []
    return d.say(orderLine(d.graph, nodes, new Set()))
  }

  it.each([
    ['a pair stays a pair', 's1: u1 a1[t1] r1[t1] a2', 'u1 a1 r1 a2'],
    ['two calls, two results', 's1: u1 a1[t1] a2=a1[t2] r1[t1] r2[t2] a3', 'u1 a1 r1 a2 r2 a3'],
    ['results in the order of completion', 's1: u1 a1[t1] a2=a1[t2] r2[t2] r1[t1] a3', 'u1 a1 r1 a2 r2 a3'],
    ['hooks and notices do not separate', 's1: u1 a1[t1] h1 s1 r1[t1] a3', 'u1 a1 r1 h1 s1 a3'],
    ['an empty part does not separate', 's1: u1 a1[t1] a2""=a1 r1[t1] a3', 'u1 a1 r1 a2 a3'],
    ['prose in between: it stays where it came', 's1: u1 a1[t1] a2=a1 r1[t1] a3', 'u1 a1 a2 r1 a3'],
    ['thinking in between: it stays where it came', 's1: u1 a1[t1] d1=a1 r1[t1] a3', 'u1 a1 d1 r1 a3'],
    [
      'only the pair with prose between is parted',
      's1: u1 a1[t1] a2"so"=a1[t2] r1[t1] r2[t2] a3',
      'u1 a1 a2 r2 r1 a3',
    ],
    ['a batch answered at once', 's1: u1 a1[t1,t2] h1 r1[t1,t2] a3', 'u1 a1 r1 h1 a3'],
    ['a stray result stays', 's1: u1 a1 r1[t9] a2', 'u1 a1 r1 a2'],
  ])('[T4] %s', (_, shape, expected) => {
    expect(viewed(shape)).toBe(expected)
  })

  it('[T4] a sidechain between the two does not separate them', () => {
    expect(viewed('s1: u1 a1[t1:Task>u2] / s1: ~u2 ~a2 / s1: a1 > r1[t1] a3')).toBe('u1 a1 r1 a3')
  })
})

describe('usage', () => {
  it('[T3] once per message, not per part', () => {
    expect(usage(draw('s1: u1 d1 a1=d1 a2=d1[t1] r1[t1] a3'))).toEqual(['msg_d1 5', 'msg_a3 5'])
  })

  it('[T3] by the part with the largest output, wherever it stands', () => {
    expect(usage(draw(`s1: u1 a1${output(1)} a2=a1${output(90)} a3=a1[t1]${output(7)} r1[t1]`))).toEqual([
      'msg_a1 90',
    ])
  })

  it('[T3] all figures come from that part', () => {
    const more = '+{"message":{"usage":{"input_tokens":3,"output_tokens":90,"cache_read_input_tokens":40}}}'
    const d = draw(`s1: u1 a1 a2=a1${more}`)
    expect([...d.graph.usage()].map(({ usage: { input, cacheRead } }) => [input, cacheRead])).toEqual([
      [3, 40],
    ])
  })

  it('[T3] over files and sightings: zeroed copies in a fork do not win', () => {
    const first = `s1: u1 a1${output(50)} u2 a2`
    const copy = `s2: u1 a1${output(0)} u3 a3`
    expect(usage(draw(`${first} / ${copy}`))).toContain('msg_a1 50')
    expect(usage(draw(`${copy} / ${first}`))).toContain('msg_a1 50')
  })

  it('[T3] rows written again count once', () => {
    expect(usage(draw('s1: u1 a1 u2 a2 / s1: u1 a1 u3<a2 a3'))).toEqual(['msg_a1 5', 'msg_a2 5', 'msg_a3 5'])
  })

  it('[T3] a row written again with more output still tells the output', () => {
    expect(usage(draw(`s1: u1 a1${output(1)} / s1: a1${output(30)} u3<a1`))).toEqual(['msg_a1 30'])
  })

  it('[T3] numbers may come as strings', () => {
    expect(usage(draw(`s1: u1 a1${output('"12"')}`))).toEqual(['msg_a1 12'])
  })

  it('[T3] an answer without a message id is not an API message', () => {
    expect(usage(draw('s1: u1 a1+{"message":{"id":null}}'))).toEqual([])
  })
})
