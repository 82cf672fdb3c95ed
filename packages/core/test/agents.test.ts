import { describe, expect, it } from 'vitest'
import { actors, agents, drawAt, message, problems, spawns } from './ask.js'
import { draw, graphOfFiles } from './support.js'

const general = 'general-purpose'

describe('who speaks', () => {
  it('[A1] a person, the model, a tool and the client', () => {
    const d = draw('s1: u1 a1[t1] r1[t1] a2 s1 i1 m1 l1 o1 e1 y1 n1')
    expect(actors(d, 'u1 a1 r1 a2')).toBe('Human Claude Tool Claude')
    expect(actors(d, 's1 m1 o1 e1 y1 n1')).toBe('System System System System System System')
    expect(actors(d, 'l1 i1')).toBe('Human Human')
  })

  it('[A1] a command queued in mid turn is the person speaking', () => {
    const d = draw('s1: u1 a1[t1] r1[t1] q1 a2')
    expect(actors(d, 'q1')).toBe('Human')
  })

  it('[A1] roles are reversed in a sidechain: Claude delegates, the agent answers', () => {
    const d = draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2[t2] r2[t2] a3 / s1: a1 > r1[t1>x] a4')
    expect(actors(d, 'u2 a2 r2 a3')).toBe(`Claude ${general} Tool ${general}`)
  })

  it('[A1] one level further down the agent above delegates', () => {
    const d = draw(`s1: u1 a1[t1:Task>x] / s1/x: u2 a2[t2:Task>y] / s1/y: u3 a3
s1/x: meta {"agentType":"planner","toolUseId":"toolu_t1"}
s1/x: a2 > r2[t2>y] a4 / s1: a1 > r1[t1>x] a5`)
    expect(actors(d, 'u2 u3 a3')).toBe(`Claude planner ${general}`)
  })

  it('[A1] an agent nobody is known to have spawned is still not spoken to by a person', () => {
    expect(actors(draw('s1: u1 a1 / s1/x: u2 a2'), 'u2 a2')).toBe('Claude unknown')
  })
})

describe('which call spawned an agent', () => {
  it('[A2] meta: the sidecar names the call', () => {
    const d = draw(
      's1: u1 a1[t1:Task>none,t2:Task>none] / s1/x: u2"other words" a2\ns1/x: meta {"toolUseId":"toolu_t2","agentType":"Explore"}',
    )
    expect(agents(d)).toEqual(['x Explore 1 complete: t2 of a1 by meta'])
  })

  it('[A2] result: the result of the call names the agent', () => {
    const d = draw('s1: u1 a1[t1:Task>none] r1[t1>x] a3 / s1/x: u2"other words" a2')
    expect(agents(d)).toEqual([`x ${general} 1 complete: t1 of a1 by result`])
  })

  it('[A2] progress: rows under the call name the agent', () => {
    const d = draw(
      's1: u1 a1[t1:Task>none] p1[t1]+{"data":{"type":"agent_progress","agentId":"x"}} / s1/x: u2"other words" a2',
    )
    expect(spawns(d)).toEqual(['x t1 progress'])
  })

  it('[A2] inline: the sidechain hangs on the entry with the call', () => {
    const d = draw('s1: u1 a1[t1:Task>none] ~u2"other words" ~a2 / s1: a1 > r1[t1] a3')
    expect(spawns(d).map(line => line.split(' ').slice(1).join(' '))).toEqual(['t1 inline'])
  })

  it('[A2] prompt: the first text is the prompt of the call', () => {
    expect(spawns(draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2'))).toEqual(['x t1 prompt'])
  })

  it('[A2] prompt-folded: the same after white space is folded', () => {
    const call =
      '{"message":{"content":[{"type":"tool_use","id":"toolu_t1","name":"Task","input":{"prompt":"look  at\\n\\tthis"}}]}}'
    expect(spawns(draw(`s1: u1 a1[t1:Task]+${call} / s1/x: u2"look at this " a2`))).toEqual([
      'x t1 prompt-folded',
    ])
  })

  it('[A2] promptId: the only open call of the same turn', () => {
    const d = draw('s1: u1+{"promptId":"p1"} a1[t1:Task>none] / s1/x: u2"other words"+{"promptId":"p1"} a2')
    expect(spawns(d)).toEqual(['x t1 promptId'])
  })

  it('[A2] promptId proves nothing where two calls of the turn are open', () => {
    const d = draw(
      's1: u1+{"promptId":"p1"} a1[t1:Task>none,t2:Task>none] / s1/x: u2"other words"+{"promptId":"p1"} a2',
    )
    expect(spawns(d)).toEqual(['x none'])
  })

  it('[A2] team: the result of the call names the mate, its file begins with the name', () => {
    const d = draw(
      's1: u1 a1[t1:Task>none] r1[t1]+{"toolUseResult":{"status":"teammate_spawned","agentId":"alice@team"}} / s1/aalice-1f: u2"other" a2',
    )
    expect(spawns(d)).toEqual(['aalice-1f t1 team'])
  })

  it('[A2] team: a name that begins with another name is not that mate', () => {
    const d = draw(`s1: u1 a1[t1:Task,t2:Task]
s1: a1 > r1[t1]+{"toolUseResult":{"status":"teammate_spawned","agentId":"bob@team"}}
s1: a1 > r2[t2]+{"toolUseResult":{"status":"teammate_spawned","agentId":"bob-two@team"}}
s1/abob-1f: u2"one" a2 / s1/abob-two-2e: u3"two" a3`)
    expect(spawns(d)).toEqual(['abob-1f t1 team', 'abob-two-2e t2 team'])
  })

  it('[A2] team: mates of one name in two sessions belong to their own sessions', () => {
    const spawned = '+{"toolUseResult":{"status":"teammate_spawned","agentId":"bob@team"}}'
    const d = draw(`s1: u1 a1[t1:Task] r1[t1]${spawned} / s2: u4 a4[t4:Task] r4[t4]${spawned}
s1/abob-1f: u2"one" a2 / s2/abob-2e: u3"two" a3`)
    expect(spawns(d)).toEqual(['abob-1f t1 team', 'abob-2e t4 team'])
  })

  it('[A2] journal: the agent lies in the folder of the run that the result names', () => {
    const d = drawAt(
      's1: u1 a1[t1:Workflow] r1[t1]+{"toolUseResult":{"status":"async_launched","runId":"run1"}} / s1/x: u2 a2 / s1/y: u3 a3',
      {
        's1/subagents/agent-x.jsonl': 's1/subagents/workflows/run1/agent-x.jsonl',
        's1/subagents/agent-y.jsonl': 's1/subagents/workflows/run2/agent-y.jsonl',
      },
    )
    expect(spawns(d)).toEqual(['x t1 journal', 'y none'])
  })

  it('[A2] none: kept, shown and reported', () => {
    const d = draw('s1: u1 a1 / s1/x: u2 a2')
    expect(agents(d)).toEqual(['x unknown 1 orphaned: none'])
    expect(d.branches()).toEqual(['agent u2 a2 (live)'])
    expect(problems(d)).toEqual(['warning dag/unknown-agent s1/subagents/agent-x.jsonl:1 u2'])
  })
})

describe('evidence against evidence', () => {
  it('[A2] calls with identical prompts are taken once each, in the order of writing', () => {
    const d = draw(
      's1: u1 a1[t1:Task>x,t2:Task>y,t3:Task>z] / s1/x: u2"same" a2 / s1/y: u3"same" a3 / s1/z: u4"same" a4',
    )
    expect(spawns(d)).toEqual(['x t1 prompt', 'y t2 prompt', 'z t3 prompt'])
  })

  it('[A2] a fourth agent with the same prompt finds no call left', () => {
    const d = draw('s1: u1 a1[t1:Task>x] / s1/x: u2"same" a2 / s1/y: u3"same" a3')
    expect(spawns(d)).toEqual(['x t1 prompt', 'y none'])
  })

  it('[A2] a call that an id claims is not guessed for an earlier agent by its prompt', () => {
    const d = draw(`s1: u1 a1[t1:Task>x,t2:Task>y] / s1/x: u2"same" a2 / s1/y: u3"same" a3
s1/y: meta {"toolUseId":"toolu_t1"}`)
    expect(spawns(d)).toEqual(['x t2 prompt', 'y t1 meta'])
  })

  it('[A2] the sidecar is stronger than the result', () => {
    const d = draw(
      's1: u1 a1[t1:Task,t2:Task] / s1: a1 > r1[t1>x] / s1/x: u2 a2\ns1/x: meta {"toolUseId":"toolu_t2"}',
    )
    expect(spawns(d)).toEqual(['x t2 meta'])
  })

  it('[A2] a result is stronger than progress and than a prompt', () => {
    const d = draw(`s1: u1 a1[t1:Task>x,t2:Task] p1[t1]+{"data":{"type":"agent_progress","agentId":"x"}}
s1: a1 > r2[t2>x] / s1/x: u2 a2`)
    expect(spawns(d)).toEqual(['x t2 result'])
  })

  it('[A2] a sidecar without a call id leaves the weaker evidence to be asked', () => {
    const d = draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2\ns1/x: meta {"agentType":"Explore"}')
    expect(agents(d)).toEqual(['x Explore 1 complete: t1 of a1 by prompt'])
  })

  it('[A2] a sidecar that names a call of no file leaves the weaker evidence to be asked', () => {
    const d = draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2\ns1/x: meta {"toolUseId":"toolu_gone"}')
    expect(spawns(d)).toEqual(['x t1 prompt'])
  })

  it('[A2] an agent is not spawned by a call of its own', () => {
    const d = draw('s1: u1 a1 / s1/x: u2"same" a2[t2:Task>x]')
    expect(spawns(d)).toEqual(['x none'])
  })

  it('[A2] a prompt of another session is not evidence', () => {
    expect(spawns(draw('s1: u1 a1[t1:Task>u2] / s2: u9 a9 / s2/x: u2"same" a2'))).toEqual(['x none'])
  })

  it('[A2] equal call ids in two sessions do not mix', () => {
    const d = draw(
      's1: u1 a1[t1:Task] r1[t1>x] / s2: u3 a3[t1:Task] r3[t1>y] / s1/x: u2"one" a2 / s2/y: u4"two" a4',
    )
    expect(agents(d).map(line => line.split(': ')[1])).toEqual(['t1 of a1 by result', 't1 of a3 by result'])
  })
})

describe('names of agents', () => {
  it('[A3] the sidecar, then the call', () => {
    const shape = 's1: u1 a1[t1:Task>x] r1[t1>x] / s1/x: u2 a2'
    expect(draw(shape).graph.agents()[0]?.name).toBe(general)
    expect(draw(`${shape}\ns1/x: meta {"agentType":"Explore"}`).graph.agents()[0]?.name).toBe('Explore')
  })

  it('[A3] then the attribution on its own rows', () => {
    const d = draw('s1: u1 a1 / s1/x: u2 a2+{"attributionAgent":"bug-hunter"}')
    expect(d.graph.agents()[0]?.name).toBe('bug-hunter')
  })

  it('[A3] else unknown', () => {
    expect(draw('s1: u1 a1 / s1/x: u2 a2').graph.agents()[0]?.name).toBe('unknown')
  })
})

describe('forms of agents', () => {
  it('[A6] parallel agents in one message, results in the order of completion', () => {
    const d = draw(`s1: u1 a1[t1:Task>x] a2=a1[t2:Task>y] a3=a1[t3:Task>z]
s1/x: u2 a4 / s1/y: u3 a5 / s1/z: u4 a6
s1: a3 > r3[t3>z] / s1: a1 > r1[t1>x] / s1: a2 > r2[t2>y] a7`)
    expect(spawns(d)).toEqual(['x t1 result', 'y t2 result', 'z t3 result'])
    expect(d.live()).toBe('u1 a1 a2 a3 r3 r1 r2 a7')
    expect(d.branches()).toEqual(['agent u2 a4 (live)', 'agent u3 a5 (live)', 'agent u4 a6 (live)'])
  })

  it('[A6] a background agent: launched, then a notification', () => {
    const d =
      draw(`s1: u1 a1[t1:Agent>x] r1[t1>x]+{"toolUseResult":{"isAsync":true,"status":"async_launched"}} a2
s1/x: u2 a3 / s1: a2 > n1[t1>x] a4`)
    expect(agents(d)).toEqual([`x ${general} 1 complete: t1 of a1 by result`])
    expect(d.trunk()).toBe('u1 a1 r1 a2 n1 a4')
    expect(actors(d, 'n1')).toBe('System')
  })

  it('[A6] a background agent that has launched but not ended is incomplete', () => {
    const d =
      draw(`s1: u1 a1[t1:Agent>x] r1[t1>x]+{"toolUseResult":{"isAsync":true,"status":"async_launched"}} a2
s1/x: u2 a3[t3]`)
    expect(agents(d)).toEqual([`x ${general} 1 incomplete: t1 of a1 by result`])
  })

  it('[A6] a continued agent: a second run in the same file stays with the first call', () => {
    const d = draw(`s1: u1 a1[t1:Agent>x] r1[t1>x] a2 / s1/x: u2 a3
s1: a2 > u3 a4[t2:SendMessage] r2[t2>x] a5 / s1/x: a3 > m1"The coordinator sent a message"<a3 a6`)
    expect(agents(d)).toEqual([`x ${general} 1 complete: t1 of a1 by result`])
    expect(d.branches()).toEqual(['agent u2 a3 m1 a6 (live)'])
    expect(d.live('s1/subagents/agent-x.jsonl')).toBe('u2 a3 m1 a6')
  })

  it('[A6] team mates: one by its name, one by its prompt', () => {
    const d = draw(`s1: u1 a1[t1:Task>aalice-1f] a2=a1[t2:Task>b0b]
s1: a1 > r1[t1]+{"toolUseResult":{"status":"teammate_spawned","agentId":"alice@team"}}
s1/aalice-1f: u2"<teammate-message teammate_id=\\"lead\\">go</teammate-message>" a3 / s1/b0b: u3 a4`)
    expect(spawns(d)).toEqual(['aalice-1f t1 team', 'b0b t2 prompt'])
    expect(problems(d)).not.toContain('dag/missing-agent-file')
  })

  it('[A6] a workflow run: all agents of its folder, the journal is not a conversation', () => {
    const d = drawAt(
      `s1: u1 a1[t1:Workflow] r1[t1]+{"toolUseResult":{"runId":"run1"}} / s1/x: u2 a2 / s1/y: u3 a3
s1/journal: ! {"type":"started","agentId":"x","label":"one"}
s1/journal: ! {"type":"result","agentId":"x","result":"done"}`,
      Object.fromEntries(
        ['agent-x', 'agent-y', 'agent-journal'].map(name => [
          `s1/subagents/${name}.jsonl`,
          `s1/subagents/workflows/run1/${name.replace('agent-j', 'j')}.jsonl`,
        ]),
      ),
    )
    expect(spawns(d)).toEqual(['x t1 journal', 'y t1 journal'])
    expect(d.graph.files().map(({ facts }) => facts.kind)).toEqual(['session', 'agent', 'agent', 'journal'])
  })

  it('[A6] an agent whose file is split over two sessions is one agent', () => {
    const d = draw(
      's1: u1 a1[t1:Agent>x] r1[t1>x] a2 / s1/x: u2 a3[t3] / s2: u1 a1 r1 a2 u5 / s2/x: a3 > r3[t3] a4',
    )
    expect(agents(d)).toEqual([`x ${general} 1 complete: t1 of a1 by result`])
    expect(d.branches()).toEqual(['agent u2 a3 r3 a4 (live)'])
    expect(problems(d)).toEqual([])
  })

  it.each([
    ['only the second half', ''],
    ['the prompt again and the second half', ' / s2/x: u2'],
  ])('[A6] the conversation of a split agent is live as a whole: %s', (_, repeated) => {
    const d = draw(`s1: u1 a1[t1:Agent>x] r1[t1>x] a2 / s1/x: u2 a3[t3] r3[t3] a4[t4]
s2: u1 a1 r1 a2 u5${repeated} / s2/x: a4 > a5=a4[t5] r4[t4] r5[t5] a6[t6] r6[t6] a7`)
    const whole = 'u2 a3 r3 a4 a5 r4 r5 a6 r6 a7'
    expect(d.live('s2/subagents/agent-x.jsonl')).toBe(whole)
    expect(d.live('s1/subagents/agent-x.jsonl')).toBe('u2 a3 r3 a4')
    expect(d.branches()).toEqual([`agent ${whole} (live)`])
  })
})

describe('an agent with a second file that repeats the first under another id', () => {
  const session = 's1: u1 a1[t1:Agent>u2] r1[t1] a2'

  it.each([
    ['the first by path is the copy', 's1/w: u2 a3 / s1/x: u2 a3 m1<a3 a4', 'x', 'w'],
    ['the last by path is the copy', 's1/x: u2 a3 / s1/w: u2 a3 m1<a3 a4', 'w', 'x'],
  ])('[A10] both have the call, and the longer one has the line: %s', (_, files, longer, copy) => {
    const d = draw(`${session} / ${files}`)
    expect([...agents(d)].sort()).toEqual(
      [longer, copy].sort().map(id => `${id} ${general} 1 complete: t1 of a1 by prompt`),
    )
    expect([...d.branches()].sort()).toEqual(['agent  (copy)', 'agent u2 a3 m1 a4 (live)'])
    expect(d.live(`s1/subagents/agent-${copy}.jsonl`)).toBe('u2 a3')
    expect(d.live(`s1/subagents/agent-${longer}.jsonl`)).toBe('u2 a3 m1 a4')
    expect(problems(d)).toEqual([])
  })

  it('[A10] evidence that names the copy counts for both', () => {
    const d = draw('s1: u1 a1[t1:Agent>w] r1[t1>w] a2 / s1/w: u2 a3 / s1/x: u2 a3 m1<a3 a4')
    expect([...agents(d)].sort()).toEqual(
      ['w', 'x'].map(id => `${id} ${general} 1 complete: t1 of a1 by result`),
    )
  })

  it('[A10] a file of another agent that goes on by itself stays an agent of its own', () => {
    const d = draw(`${session} / s1/w: u2 a3 u3 a4 / s1/x: u2 a3 u4 a5`)
    expect(
      d.graph
        .agents()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['w', 'x'])
    expect(d.live('s1/subagents/agent-x.jsonl')).toBe('u2 a3 u4 a5')
  })
})

describe('how agents end', () => {
  it('[A7] complete, with an answer as its last word', () => {
    expect(draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2').graph.agents()[0]?.state).toBe('complete')
  })

  it('[A7] complete, also where a hook or a notice follows the answer', () => {
    expect(draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2 h1 s1').graph.agents()[0]?.state).toBe('complete')
  })

  it.each([
    ['only its prompt', 'u2'],
    ['an open call', 'u2 a2[t2]'],
    ['a result', 'u2 a2[t2] r2[t2]'],
    ['a failed request', 'u2 e1'],
    ['an interrupt', 'u2 a2[t2] r2[t2!] i1'],
  ])('[A7] incomplete: it ends with %s', (_, rows) => {
    expect(draw(`s1: u1 a1[t1:Task>x] / s1/x: ${rows}`).graph.agents()[0]?.state).toBe('incomplete')
  })

  it('[A7] complete where the sidecar says that it has finished', () => {
    const d = draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2[t2]\ns1/x: meta {"finished":true}')
    expect(d.graph.agents()[0]?.state).toBe('complete')
  })

  it('[A7] a split agent is judged by its second half', () => {
    const d = draw('s1: u1 a1[t1:Agent>x] r1[t1>x] / s1/x: u2 a3 / s2: u1 a1 r1 u5 / s2/x: a3 > m1 a4[t4]')
    expect(d.graph.agents()[0]?.state).toBe('incomplete')
  })

  it('[A7] warm-up agents belong to no call and are no problem', () => {
    const d = draw('s1: u1 a1 / s1+x: u2"Warmup" a2')
    expect(agents(d)).toEqual(['x unknown 1 warmup: none'])
    expect(problems(d)).toEqual([])
  })

  it('[A7] empty: a file without any conversation', () => {
    const empty = { path: 's1/subagents/agent-x.jsonl', text: '' }
    expect(
      graphOfFiles([empty])
        .agents()
        .map(({ id, state }) => `${id} ${state}`),
    ).toEqual(['x empty'])
  })

  it('[A7] empty: notes and attachments are no conversation', () => {
    expect(draw('s1: u1 a1[t1:Task] r1[t1>x] / s1/x: h1').graph.agents()[0]?.state).toBe('empty')
  })

  it('[A3] [A7] orphaned, but expected: the helper of a compaction, and named so', () => {
    const d = draw('s1: u1 a1 / s1/acompact-12: u2 a2')
    expect(agents(d)).toEqual(['acompact-12 compaction 1 orphaned: none'])
    expect(problems(d)).toEqual(['info dag/unknown-agent s1/subagents/agent-acompact-12.jsonl:1 u2'])
    expect(message(d, 'dag/unknown-agent')).toContain('compaction')
  })

  it('[A8] a compaction inside an agent follows the rules within its line', () => {
    const d = draw('s1: u1 a1[t1:Task>x] / s1/x: u2 a2 u3 a3 c1{a3} k1<c1 a4 / s1: a1 > r1[t1>x] a5')
    expect(d.branches()).toEqual(['agent u2 a2 u3 a3 c1 k1 a4 (live)'])
    expect(d.live('s1/subagents/agent-x.jsonl')).toBe('k1 a3 a4')
    expect(d.live()).toBe('u1 a1 r1 a5')
    expect(d.graph.epochs().map(({ boundary }) => d.say([boundary]))).toEqual(['c1'])
  })
})
