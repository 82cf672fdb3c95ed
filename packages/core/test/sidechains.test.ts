import { describe, expect, it } from 'vitest'
import { sessionId, walkSession } from '../src/index.js'
import { actors, agents, problems } from './ask.js'
import { type Drawn, draw } from './support.js'

/** Agents without their ids, which differ between inline and file. */
function nameless(d: Drawn): readonly string[] {
  return agents(d).map(line => line.slice(line.indexOf(' ') + 1))
}

/** A call in the described form: the entry itself. */
function described(name: string, prompt: string, level: number): string {
  const arguments_ = { prompt, subagent_type: 'helper' }
  return JSON.stringify({
    subtype: 'tool_use',
    toolName: name,
    toolArguments: arguments_,
    nestingLevel: level,
  })
}

describe('inline sidechains', () => {
  it('[A4] 1.0.66: a null root in the session file belongs to the call with its prompt', () => {
    const d = draw('s1: u1 a1[t1:Task>u2] / s1: ~u2 ~a2[t2] ~r2[t2] ~a3 / s1: a1 > r1[t1] a4')
    expect(nameless(d)).toEqual(['general-purpose 1 complete: t1 of a1 by prompt'])
    expect(d.trunk()).toBe('u1 a1 r1 a4')
    expect(d.branches()).toEqual(['agent u2 a2 r2 a3 (live)'])
    expect(d.live()).toBe('u1 a1 r1 a4')
    expect(problems(d)).toEqual([])
  })

  it('[A4] the described form: the root hangs on the entry with the call', () => {
    const d = draw('s1: u1 a1[t1:Task>u2] ~u2 ~a2 / s1: a1 > r1[t1] a3')
    expect(nameless(d)).toEqual(['general-purpose 1 complete: t1 of a1 by inline'])
    expect(d.trunk()).toBe('u1 a1 r1 a3')
    expect(d.branches()).toEqual(['agent u2 a2 (live)'])
    expect(d.verdict('a1')).toBe('none')
  })

  it('[A4] inline and in a file of its own: the same lines, the same live conversation', () => {
    const inline = draw('s1: u1 a1[t1:Task>u2] / s1: ~u2 ~a2[t2] ~r2[t2] ~a3 / s1: a1 > r1[t1] a4')
    const file = draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2[t2] r2[t2] a3 / s1: a1 > r1[t1] a4')
    expect(inline.trunk()).toBe(file.trunk())
    expect(inline.branches()).toEqual(file.branches())
    expect(inline.live()).toBe(file.live())
    expect(nameless(inline)).toEqual(nameless(file))
    expect(actors(inline, 'u2 a2 r2 a3')).toBe(actors(file, 'u2 a2 r2 a3'))
  })

  it('[A4] the line is {session}#agent-{agent} and attaches at the spawning call', () => {
    const d = draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a3')
    const line = d.graph.lines().find(({ kind }) => kind === 'agent')
    expect(line?.id).toBe('s1#agent-x')
    expect(d.say([line?.at ?? -1])).toBe('a1')
  })

  it('[A4] two inline agents in blocks are told apart', () => {
    const d = draw(`s1: u1 a1[t1:Task>u200000000] a2=a1[t2:Task>u300000000]
s1: ~u200000000 ~a4 / s1: ~u300000000 ~a5 / s1: a2 > r1[t1] r2[t2] a6`)
    expect(nameless(d)).toEqual([
      'general-purpose 1 complete: t1 of a1 by prompt',
      'general-purpose 1 complete: t2 of a2 by prompt',
    ])
    expect(d.branches()).toEqual(['agent u200000000 a4 (live)', 'agent u300000000 a5 (live)'])
  })

  it('[A4] two inline agents whose uuids begin alike are told apart', () => {
    const d = draw('s1: u1 a1[t1:Task>u2,t2:Task>u3] / s1: ~u2 ~a4 / s1: ~u3 ~a5 / s1: a1 > r1[t1] r2[t2] a6')
    expect(d.branches()).toEqual(['agent u2 a4 (live)', 'agent u3 a5 (live)'])
  })

  it('[A2] inline agents with identical prompts under one entry take a call each', () => {
    const d = draw(`s1: u1 a1[t1:Task>u200000000,t2:Task>u300000000] ~u200000000"same" ~a4
s1: a1 > ~u300000000"same" ~a5 / s1: a1 > r1[t1] r2[t2] a6`)
    expect(nameless(d)).toEqual([
      'general-purpose 1 complete: t1 of a1 by inline',
      'general-purpose 1 complete: t2 of a1 by inline',
    ])
  })

  it('[A2] inline agents under one entry go by their prompts, not by their rows', () => {
    const d = draw(`s1: u1 a1[t1:Task>u200000000,t2:Task>u300000000] ~u300000000 ~a5
s1: a1 > ~u200000000 ~a4 / s1: a1 > r1[t1] r2[t2] a6`)
    expect(nameless(d).map(line => line.split(': ')[1])).toEqual(['t2 of a1 by inline', 't1 of a1 by inline'])
  })

  it('[A7] an inline sidechain that no call explains is kept and reported', () => {
    const d = draw('s1: u1 a1 / s1: ~u2 ~a2 / s1: a1 > u3 a3')
    expect(nameless(d)).toEqual(['unknown 1 orphaned: none'])
    expect(d.trunk()).toBe('u1 a1 u3 a3')
    expect(problems(d)).toEqual(['warning dag/unknown-agent s1.jsonl:3 u2'])
  })

  it('[A7] an inline sidechain without an end is incomplete', () => {
    const d = draw('s1: u1 a1[t1:Task>u2] / s1: ~u2 ~a2[t2] / s1: a1 > r1[t1!] i1')
    expect(nameless(d)).toEqual(['general-purpose 1 incomplete: t1 of a1 by prompt'])
  })

  it('[A4] inline rows that name their agent need no other evidence', () => {
    const d = draw('s1: u1 a1[t1:Task] / s1: ~u2+{"agentId":"x"} ~a2+{"agentId":"x"} / s1: a1 > r1[t1>x] a3')
    expect(agents(d)).toEqual(['x general-purpose 1 complete: t1 of a1 by result'])
    expect(d.graph.lines().map(({ id }) => id)).toContain('s1#agent-x')
  })
})

describe('nested agents', () => {
  it('[A5] three files deep, by the spawning calls', () => {
    const d = draw(`s1: u1 a1[t1:Task>x] / s1/x: u2 a2[t2:Task>y] / s1/y: u3 a3[t3:Task>z] / s1/z: u4 a4
s1/y: a3 > r3[t3>z] a5 / s1/x: a2 > r2[t2>y] a6 / s1: a1 > r1[t1>x] a7`)
    expect(agents(d)).toEqual([
      'x general-purpose 1 complete: t1 of a1 by result',
      'y general-purpose 2 complete: t2 of a2 by result',
      'z general-purpose 3 complete: t3 of a3 by result',
    ])
  })

  it('[A5] a fan-out of two by two', () => {
    const d = draw(`s1: u1 a1[t1:Task>x,t2:Task>y] / s1/x: u2 a2[t3:Task>v,t4:Task>w] / s1/y: u3 a3[t5:Task>z]
s1/v: u4 a4 / s1/w: u5 a5 / s1/z: u6 a6`)
    expect(d.graph.agents().map(({ id, depth }) => `${id}${depth}`)).toEqual(['x1', 'y1', 'v2', 'w2', 'z2'])
  })

  it('[A5] one thousand deep', () => {
    const depth = 1000
    const rows = Array.from(
      { length: depth },
      (_, i) => `s1/x${i}: u${i + 2} a${i + 2}${i < depth - 1 ? `[t${i + 2}:Task>x${i + 1}]` : ''}`,
    )
    const d = draw(['s1: u1 a1[t1:Task>x0]', ...rows].join('\n'))
    expect(d.graph.agents().at(-1)?.depth).toBe(depth)
  })

  it('[A5] without a spawning call the sidecar tells the depth', () => {
    const d = draw(`s1: u1 a1[t1:Task>x] r1[t1>x] / s1/x: u2 a2 / s1/y: u3 a3
s1/y: meta {"agentType":"Explore","parentAgentId":"x","spawnDepth":2}`)
    expect(agents(d).at(-1)).toBe('y Explore 2 orphaned: none')
  })

  it('[A5] agents that spawn each other in a cycle end', () => {
    const d = draw(`s1: u1 a1 / s1/x: u2 a2[t2:Task] / s1/y: u3 a3[t3:Task]
s1/x: meta {"toolUseId":"toolu_t3"}
s1/y: meta {"toolUseId":"toolu_t2"}`)
    expect(d.graph.agents().map(({ id }) => id)).toEqual(['x', 'y'])
  })

  it('[A5] the described form: a sidechain within a sidechain, by nestingLevel', () => {
    const d = draw(`s1: u1 a1[t1:Task>u200000000]
s1: a1 > ~u200000000+{"nestingLevel":1} ~a2+${described('Task', 'dig', 1)} ~u300000000"dig"+{"nestingLevel":2} ~a3+{"nestingLevel":2}
s1: a2 > ~a4+{"nestingLevel":1} / s1: a1 > r1[t1] a5`)
    expect(nameless(d)).toEqual([
      'general-purpose 1 complete: t1 of a1 by inline',
      'helper 2 complete: 00000000-0000-4000-8000-000000006132 of a2 by inline',
    ])
    expect(d.branches()).toEqual(['agent u200000000 a2 a4 (live)', 'agent u300000000 a3 (live)'])
    expect(actors(d, 'u200000000 u300000000 a3')).toBe('Claude general-purpose helper')
  })

  it('[A5] the described form without levels: the nested prompt is that of the call above it', () => {
    const d = draw(`s1: u1 a1[t1:Task>u200000000] ~u200000000 ~a2[t2:Task>u300000000] ~u300000000 ~a3
s1: a2 > ~r2[t2] ~a4 / s1: a1 > r1[t1] a5`)
    expect(nameless(d)).toEqual([
      'general-purpose 1 complete: t1 of a1 by inline',
      'general-purpose 2 complete: t2 of a2 by inline',
    ])
    expect(d.branches()).toEqual(['agent u200000000 a2 r2 a4 (live)', 'agent u300000000 a3 (live)'])
  })
})

describe('sidechains without a known call', () => {
  const at = (d: Drawn): readonly string[] =>
    d.graph
      .agents()
      .map(
        agent =>
          `${d.say(agent.domain.roots)} at ${agent.at === null ? '-' : d.say([agent.at])} ${agent.depth}`,
      )

  it('[A5] hang where their first entry says, one deeper than that line', () => {
    const nested = '+{"nestingLevel":2}'
    const d = draw(`s1: u1 a1 ~u2 ~a2 ~u3${nested} ~a3${nested} / s1: a1 > u4 a4`)
    expect(at(d)).toEqual(['u2 at a1 1', 'u3 at a2 2'])
    expect(d.graph.agents().map(({ name, state }) => `${name} ${state}`)).toEqual([
      'unknown orphaned',
      'unknown orphaned',
    ])
    const rows = walkSession(d.graph, sessionId('s1'), {
      branches: 'show',
      agents: 'show',
      shows: () => true,
    }).rows
    expect(d.say(rows.map(({ node }) => node))).toBe('u1 a1 u2 a2 u3 a3 u4 a4')
  })

  it('[A5] have the depth that they name where they hang on nothing', () => {
    const d = draw('s1: u1 a1 / s1: ~u2<?9+{"nestingLevel":3} ~a2 / s1: a1 > u4 a4')
    expect(at(d)).toEqual(['u2 at - 3'])
  })

  it('[A5] hang on the parent agent of their sidecar, at what it had written before', () => {
    const d = draw(
      's1: u1 a1[t1:Task>x] r1[t1>x] a2 / s1/x: u2 a3 u5 a5 / s1/y: meta {"parentAgentId":"x"} / s1/y: u3@=a3 a4',
    )
    expect(at(d)).toEqual(['u2 at a1 1', 'u3 at a3 2'])
  })

  it('[A5] two that name each other as parents stay apart', () => {
    const d = draw(
      's1: u1 a1 / s1/x: meta {"parentAgentId":"y"} / s1/x: u2 a2 / s1/y: meta {"parentAgentId":"x"} / s1/y: u3 a3',
    )
    expect(d.graph.agents().filter(agent => agent.at === null)).toHaveLength(1)
  })
})
