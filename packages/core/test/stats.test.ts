import type { Generated } from '@dagline/testkit'
import { expandShape, generate } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../src/index.js'
import { measureGraph, mergeStats, noStats, quantileOf, type Stats } from '../src/measure/index.js'
import { addDurations, sumDurations } from '../src/measure/rows.js'
import { type Drawn, drawnOf, graphOfFiles } from './support.js'

const zone = {
  dayOf: (time: number) => new Date(time).toISOString().slice(0, 10),
  hourOf: (time: number) => new Date(time).getUTCHours(),
}

interface Measured extends Stats {
  readonly drawn: Drawn
}

/** The tables of a shape. The words of answers are those of the shape. */
function measure(text: string, sessions?: readonly string[]): Measured {
  const shape = expandShape(text)
  const drawn = drawnOf(shape, graphOfFiles(shape.files, shape.metas))
  const texts = new Map<string, string>()
  for (const row of shape.files.flatMap(file => file.text.trimEnd().split('\n'))) {
    const blocks = JSON.parse(row).message?.content
    if (Array.isArray(blocks)) texts.set(JSON.parse(row).uuid, blocks[0]?.text ?? '')
  }
  const wordsOf = (node: number): string | null => texts.get(drawn.graph.id(node)) ?? null
  const scope = sessions === undefined ? {} : { sessions: new Set(sessions) }
  return { ...measureGraph(drawn.graph, { ...zone, ...scope, wordsOf, costOf: () => 0.5 }), drawn }
}

/** `Explore 2`: agents by type with one figure. */
function perAgent({ agents }: Stats, figure: (row: Stats['agents'][number]) => unknown): string {
  return agents.map(row => `${row.agent} ${figure(row)}`).join(', ')
}

/** `Claude > Explore 2 (single 2, parallel 0, nested 0)`. */
function delegation({ delegation: rows }: Stats): readonly string[] {
  return rows.map(
    ({ from, to, calls, single, parallel, nested }) =>
      `${from} > ${to} ${calls} (single ${single}, parallel ${parallel}, nested ${nested})`,
  )
}

function patterns({ patterns: rows }: Stats): readonly string[] {
  return rows.map(({ pattern, from, to, by, count }) => `${pattern} ${from} > ${to} by ${by} ${count}`)
}

function flows({ flows: rows }: Stats): string {
  return rows.map(({ flow, turns }) => `${flow} ${turns}`).join(', ')
}

/** An agent with a name, called by one call of the main conversation. */
const ONE = `
  s1: u1 a1[t1:Task>x]
  s1/x: meta {"agentType":"Explore"}
  s1/x: u2 a2[t2] r2[t2!] a3[t3] r3[t3] a4"Done."
  s1: a1 > r1[t1>x] a5
`

/** The same, and the agent calls another. */
const NESTED = `
  s1: u1 a1[t1:Task>x]
  s1/x: meta {"agentType":"Explore"}
  s1/x: u2 a2[t2:Task>y]
  s1/y: meta {"agentType":"reviewer","toolUseId":"toolu_t2"}
  s1/y: u3 a3"Fine."
  s1/x: a2 > r2[t2>y] a4"Done."
  s1: a1 > r1[t1>x] a5
`

describe('agents by type', () => {
  it('[X1] counts invocations, entries, calls, errors, messages and time', () => {
    const { agents } = measure(ONE)
    expect(agents).toHaveLength(1)
    expect(agents[0]).toMatchObject({
      agent: 'Explore',
      invocations: 1,
      depths: [1],
      prompts: 1,
      entries: 6,
      toolCalls: 2,
      errors: 1,
      spent: { messages: 3, costUSD: 1.5, unpriced: 0 },
      durations: { count: 1, total: 5000, longest: 5000 },
      days: { '2026-01-01': 1 },
    })
    expect(agents[0]?.states).toMatchObject({ complete: 1, missing: 0 })
  })

  it('[X1] counts depth by type', () => {
    expect(perAgent(measure(NESTED), row => row.depths.join('/'))).toBe('Explore 1, reviewer 0/1')
  })

  it('[X1] counts invocations by day', () => {
    const days = measure(`${ONE}
      s1: a5 > u6@+2d a6[t6:Task>z]
      s1/z: meta {"agentType":"Explore"}
      s1/z: u7 a7`)
    expect(days.agents[0]?.days).toEqual({ '2026-01-01': 1, '2026-01-03': 1 })
  })

  it('[X1] a call that left no conversation is missing, one that wakes a known agent is none', () => {
    const gone = measure('s1: u1 a1[t1:Task] r1[t1] a2')
    expect(perAgent(gone, row => `${row.invocations} missing ${row.states.missing}`)).toBe(
      'general-purpose 1 missing 1',
    )
    const woken = measure(`
      s1: u1 a1[t1:Task>x]
      s1/x: meta {"agentType":"Explore","toolUseId":"toolu_t1"}
      s1/x: u2 a2
      s1: a1 > r1[t1>x] a3[t3:Task] r3[t3>x] a4
      s1/x: a2 > u5@+1h a5`)
    expect(perAgent(woken, row => `${row.invocations} prompts ${row.prompts}`)).toBe('Explore 1 prompts 2')
  })

  it('[X1] the pause before a further prompt is not the time an agent took', () => {
    const text = 's1: u1 a1[t1:Task>x] / s1/x: u2 a2 u3@+1h a3 / s1: a1 > r1[t1>x] a4'
    expect(measure(text).agents[0]?.durations.total).toBe(2000)
  })

  it('[X1] [A7] agents that warm up are counted as such', () => {
    const { agents } = measure('s1: u1 a1 / s1+x: ~u2"Warmup" ~a2')
    expect(agents.map(row => row.states.warmup)).toEqual([1])
  })

  it('[X1] counts only the sessions that are asked for', () => {
    const two = `${ONE}
      s2: u11 a11[t11:Bash] r11[t11] a12`
    expect(perAgent(measure(two, ['s2']), row => row.invocations)).toBe('')
    expect(measure(two, ['s2']).totals).toMatchObject({ sessions: 1, entries: 4 })
    expect(measure(two, ['s1']).totals.entries).toBe(10)
  })
})

describe('tools', () => {
  it('[X1] counts calls, ends and times by tool', () => {
    const { tools } = measure('s1: u1 a1[t1,t2:Read] r1[t1]@+4s r2[t2!] a2[t3:Read] u2')
    expect(
      tools.map(({ tool, calls, ends }) => `${tool} ${calls} ${ends.ok}/${ends.error}/${ends.unanswered}`),
    ).toEqual(['Read 2 0/1/1', 'Bash 1 1/0/0'])
    expect(tools[1]?.durations).toMatchObject({ count: 1, total: 5000 })
  })

  it('[X1] an error that the same tool makes good in the same turn is recovered', () => {
    const recovered = (text: string): number | undefined => measure(text).tools[0]?.recovered
    expect(recovered('s1: u1 a1[t1] r1[t1!] a2[t2] r2[t2!] a3[t3] r3[t3] a4')).toBe(2)
    expect(recovered('s1: u1 a1[t1] r1[t1!] a2 u2 a3[t3] r3[t3] a4')).toBe(0)
  })

  it('[X1] says which calls agents made', () => {
    expect(measure(ONE).tools.map(({ tool, calls, byAgents }) => `${tool} ${byAgents}/${calls}`)).toEqual([
      'Bash 2/2',
      'Task 0/1',
    ])
  })
})

describe('delegation', () => {
  it('[X2] single', () => {
    expect(delegation(measure(ONE))).toEqual(['Claude > Explore 1 (single 1, parallel 0, nested 0)'])
  })

  it('[X2] parallel: several agents from one message, in one entry or in parts', () => {
    const agents = 's1/x: meta {"agentType":"E"} / s1/x: u2 a2 / s1/y: meta {"agentType":"E"} / s1/y: u3 a3'
    const parallel = ['Claude > E 2 (single 0, parallel 2, nested 0)']
    expect(delegation(measure(`s1: u1 a1[t1:Task>x,t2:Task>y] / ${agents}`))).toEqual(parallel)
    expect(delegation(measure(`s1: u1 a1[t1:Task>x] a4=a1[t2:Task>y] / ${agents}`))).toEqual(parallel)
    expect(delegation(measure(`s1: u1 a1[t1:Task>x] a4[t2:Task>y] / ${agents}`))).toEqual([
      'Claude > E 2 (single 2, parallel 0, nested 0)',
    ])
  })

  it('[X2] nested: the caller is an agent', () => {
    expect(delegation(measure(NESTED))).toEqual([
      'Claude > Explore 1 (single 1, parallel 0, nested 0)',
      'Explore > reviewer 1 (single 1, parallel 0, nested 1)',
    ])
    expect(measure(NESTED).delegation.map(row => row.deepest)).toEqual([1, 2])
  })

  it('[X2] an agent whose call is not known has no caller', () => {
    expect(delegation(measure('s1: u1 a1 / s1/x: u2"Lost" a2'))).toEqual([
      'null > unknown 1 (single 1, parallel 0, nested 0)',
    ])
  })
})

describe('multi-turn patterns', () => {
  const conversation = (answer: string): string => `
    s1: u1 a1[t1:Task>x]
    s1/x: meta {"agentType":"E"}
    s1/x: u2 ${answer} u3 a3"Done."
    s1: a1 > r1[t1>x] a4`
  const again = (answer: string, result = 'r1[t1>x]'): string => `
    s1: u1 a1[t1:Task>x]
    s1/x: meta {"agentType":"E"}
    s1/x: u2 ${answer}
    s1: a1 > ${result} a4[t4:Task>y]
    s1/y: meta {"agentType":"E"}
    s1/y: u5 a5"Done."
    s1: a4 > r4[t4>y] a6`

  it.each([
    ['refinement', 'a2"Initial analysis."'],
    ['refinement', 'a2"Why? Because of the lexer."'],
    ['clarification', 'a2"I can do that.\\n\\nWhat testing framework?"'],
    ['clarification', 'a2"Which of **the two?**"'],
    ['error-recovery', 'a2"Error: File not found"'],
    ['error-recovery', 'a2"I could not find the file. Where is it?"'],
    ['error-recovery', 'a2"**Failed** to parse"'],
    ['error-recovery', 'e2'],
    ['error-recovery', 'a2"Well" i2'],
    ['error-recovery', 'a2[t9]'],
  ])('[X2] %s: a further prompt after %s', (pattern, answer) => {
    expect(patterns(measure(conversation(answer)))).toEqual([`${pattern} Claude > E by prompt 1`])
  })

  it.each([
    ['refinement', again('a2"Initial analysis."')],
    ['clarification', again('a2"Which one?"')],
    ['error-recovery', again('a2"Error: no"')],
    ['error-recovery', again('a2"Fine."', 'r1[t1!>x]')],
  ])('[X2] %s: a further call in the same turn', (pattern, text) => {
    expect(patterns(measure(text))).toEqual([`${pattern} Claude > E by call 1`])
  })

  it('[X2] a message to an agent is a further prompt: to a team mate, or from the coordinator', () => {
    const mate = conversation('a2').replace(
      'u3',
      'u3"<teammate-message teammate_id=\\"lead\\">Hi</teammate-message>"',
    )
    expect(patterns(measure(mate))).toEqual(['refinement Claude > E by prompt 1'])
    const says = 'u3"The coordinator sent a message: go on"+{"isMeta":true,"origin":{"kind":"coordinator"}}'
    expect(patterns(measure(conversation('a2').replace('u3', says)))).toEqual([
      'refinement Claude > E by prompt 1',
    ])
    expect(patterns(measure(conversation('a2').replace('u3', 'n3')))).toEqual([])
  })

  it('[X2] a call before the earlier one came back, in another turn, or of another type follows on nothing', () => {
    const agents = 's1/x: meta {"agentType":"E"} / s1/x: u2 a2 / s1/y: meta {"agentType":"E"} / s1/y: u3 a3'
    expect(patterns(measure(`s1: u1 a1[t1:Task>x] a4[t2:Task>y] r1[t1>x] r2[t2>y] a5 / ${agents}`))).toEqual(
      [],
    )
    expect(
      patterns(measure(`s1: u1 a1[t1:Task>x] r1[t1>x] a4 u5 a5[t2:Task>y] r2[t2>y] a6 / ${agents}`)),
    ).toEqual([])
    const parts = `s1: u1 a1[t1:Task>x] a4=a1[t2:Task>y] / s1: a1 > r1[t1>x] / s1: a4 > r2[t2>y] a5 / ${agents}`
    expect(patterns(measure(parts))).toEqual([])
    const other = again('a2').replace('s1/y: meta {"agentType":"E"}', 's1/y: meta {"agentType":"F"}')
    expect(patterns(measure(other))).toEqual([])
  })
})

describe('message flows', () => {
  it.each([
    ['request-response', 's1: u1 a1'],
    ['tool-assisted', 's1: u1 a1[t1] r1[t1] a2'],
    ['delegated', ONE],
    ['delegated', 's1: u1 a1[t1:Task] r1[t1] a2'],
    ['nested', NESTED],
    ['unanswered', 's1: u1'],
    ['unanswered', 's1: u1 e1'],
  ])('[X3] %s', (flow, text) => {
    expect(flows(measure(text))).toBe(`${flow} 1`)
  })

  it('[X3] every prompt of a session is one flow, on branches too; those to agents are none', () => {
    expect(flows(measure(`${ONE} / s1: a5 > u6 a6 u7 a7 / s1: a6 > u8@+1h a8[t8] r8[t8] a9`))).toBe(
      'request-response 2, delegated 1, tool-assisted 1',
    )
  })

  it('[X3] takes as long as from the prompt to the last entry', () => {
    expect(measure('s1: u1 a1[t1] r1[t1]@+1m a2').flows[0]).toMatchObject({
      entries: 4,
      toolCalls: 1,
      durations: { total: 63_000 },
    })
  })

  it('[X3] [S6] local commands, notices and compactions do not lengthen a turn', () => {
    const { flows: rows } = measure('s1: u1 a1 m1@+4h l1 o1 s1@+1h c1 k1')
    expect(rows).toMatchObject([{ flow: 'request-response', turns: 1, durations: { total: 1000 } }])
  })
})

describe('what happened', () => {
  it('[X3] [C3] counts compactions by trigger', () => {
    const { compactions } = measure('s1: u1 a1 c1 k1 u2 a2 c2 k2 u3 a3')
    expect(compactions).toMatchObject([{ trigger: 'manual', count: 2, unfinished: 0, saidBefore: 2 }])
  })

  it('[X3] [L4] counts rewinds and what they left', () => {
    const { rewinds } = measure('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3')
    expect(rewinds).toMatchObject({
      rewinds: 1,
      twoWriters: 0,
      left: [{ status: 'abandoned', branches: 1, agents: 0, entries: 2, spent: { messages: 1 } }],
    })
  })

  it('[X3] [Q3] counts queued input by what became of it, and lists what was lost', () => {
    const enqueue = JSON.stringify({
      type: 'queue-operation',
      operation: 'enqueue',
      sessionId: 's1',
      content: 'Hey',
    })
    const { queue } = measure(`s1: u1 a1\ns1: ! ${enqueue}`)
    expect(queue.fates).toEqual([{ became: 'lost', count: 1 }])
    expect(queue.lost).toMatchObject([{ file: 's1.jsonl', row: 3, text: 'Hey' }])
  })

  it('[X3] counts typed prompts by hour: those of people, also in mid turn', () => {
    const { hours } = measure(`${ONE} / s1: a5 > u6@+2h a6[t6] r6[t6] q6 a7`)
    expect(hours[10]).toBe(1)
    expect(hours[12]).toBe(2)
    expect(hours.reduce((sum, count) => sum + count, 0)).toBe(3)
  })
})

describe('durations', () => {
  const times = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 50 })

  it('[X1] a median is right to a twentieth', () => {
    fc.assert(
      fc.property(times, list => {
        const exact = [...list].sort((a, b) => a - b)[Math.ceil(list.length / 2) - 1] ?? 0
        const found = quantileOf(sumDurations(list), 0.5) ?? -1
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(1 + exact * 0.05)
      }),
    )
  })

  it('[X1] added up are those of both lists', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        expect(addDurations(sumDurations(a), sumDurations(b))).toEqual(sumDurations([...a, ...b]))
      }),
    )
    expect(quantileOf(sumDurations([Number.NaN, -5]), 0.5)).toBeNull()
  })
})

describe('the tables of two projects', () => {
  const seeds = fc.integer({ min: 1, max: 1_000_000 })
  const runs = { numRuns: Number(process.env.DAGLINE_RUNS ?? 30) }
  const statsOf = (graph: Graph): Stats => measureGraph(graph, { ...zone, costOf: () => 0.25 })
  const graphOf = (all: readonly Generated[]): Graph =>
    graphOfFiles(
      all.flatMap(made => made.files),
      all.flatMap(made => made.metas),
    )

  it('[X1] [X2] [X3] add up to those of both together', () => {
    fc.assert(
      fc.property(seeds, seeds, (one, other) => {
        fc.pre(one !== other)
        const a = generate(one, { actions: 12, project: '-a' })
        const b = generate(other, { actions: 12, project: '-b' })
        const sum = mergeStats(statsOf(graphOf([a])), statsOf(graphOf([b])))
        expect(sum).toEqual(statsOf(graphOf([a, b])))
        expect(mergeStats(noStats, sum)).toEqual(sum)
      }),
      runs,
    )
  })

  it('[X1] [X3] agree with the sums of the graph', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const graph = graphOf([generate(seed, { actions: 16 })])
        const { tools, totals, agents, delegation: edges } = statsOf(graph)
        const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
        expect(totals.entries).toBe(graph.totals().placed)
        expect(sum(agents.map(row => row.invocations - row.states.missing))).toBe(graph.agents().length)
        expect(sum(tools.map(row => row.calls))).toBe(graph.tools().calls)
        for (const { calls, single, parallel } of edges) expect(single + parallel).toBe(calls)
        for (const { calls, ends } of tools) expect(sum(Object.values(ends))).toBe(calls)
      }),
      runs,
    )
  })
})
