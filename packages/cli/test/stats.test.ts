import { duration, money, percent, tokens } from '@dagline/core/format'
import { describe, expect, it } from 'vitest'
import { barOf, sparkline } from '../src/print/table.js'
import { block, json, onRecorded, onShape } from './run.js'

/** Two agents at once, one of which calls a third; a further call after a failure; a rewind and a compaction. */
const RICH = `
  s1: u1"Fix the parser" a1[t1:Bash]
  s1: a1 > r1[t1!] a2[t2:Bash] r2[t2] a3[t3:Task>x] a4=a3[t4:Task>y]
  s1/x: meta {"agentType":"Explore"}
  s1/x: u2"Look around" a5[t5:Task>z]
  s1/z: meta {"agentType":"reviewer","toolUseId":"toolu_t5"}
  s1/z: u3"Review it" a6"Fine."
  s1/x: a5 > r5[t5>z] a7"Error: nothing found"
  s1/y: meta {"agentType":"Explore"}
  s1/y: u4"Look elsewhere" a8"Two files."
  s1: a3 > r3[t3>x]
  s1: a4 > r4[t4>y] a9[t9:Task>w]
  s1/w: meta {"agentType":"Explore"}
  s1/w: u5"Look again" a10"Here."
  s1: a9 > r9[t9>w] a11"All done."
  s1: a11 > u6"By hand" a12"Rewriting."
  s1: a11 > u7"With a tool"@+3h a13"Yes."
  s1: a13 > c1 k1"Done." u8"Thanks" a14"You are welcome."
`

describe('stats', () => {
  it('[X1] [X2] [X3] prints tables that fit, and the graph of delegation', async () => {
    const ran = await onShape(RICH, run => run('stats'))
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    expect(block(ran.stdout)).toMatchInlineSnapshot(`
      "
      1 session in 1 project, 2026-01-01 to 2026-01-01
      4 turns, 30 entries, 6 tool calls, 4 subagents
      13 API messages: 130 tokens in, 65 out, $0.002

      Turns
                        turns                      tools/turn  median  longest
      request-response      3  75 %  ████████████              981 ms      1 s
      nested                1  25 %  ████                 5.0    21 s     21 s

      Subagents
      type      calls  depth  tools  out     cost  median
      Explore       3             1   20   $0.001  981 ms
      reviewer      1      2           5  <$0.001     1 s

      Delegation
      Claude
      └─ Explore           3  1 single, 2 parallel
         └─ reviewer       1  1 single, depth 2

      Follow-up calls
      pattern     count  by    who
      refinement      1  call  Claude → Explore

      Tools
      tool  calls  subagents  errors  recovered  median    90 %
      Task      4          1                        3 s    10 s
      Bash      2                  1          1  981 ms  981 ms

      Events
      1 compaction (1 manual), from 100k to 4k tokens on average
      1 rewind
      1 branch abandoned (2 entries, 5 tokens out, <$0.001)

      Prompts by hour of the day
                                    ██       ██
      00       03       06       09       12       15       18       21
      most from 10 to 11 o'clock: 2, local time
      "
    `)
    for (const line of ran.stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
  })

  it('[X1] [X2] [X3] prints the same as JSON', async () => {
    const facts = json(await onShape(RICH, run => run('stats', '--json')))
    expect(facts.dagline).toBe(1)
    expect(Object.keys(facts)).toEqual([
      'dagline',
      'totals',
      'agents',
      'delegation',
      'patterns',
      'flows',
      'tools',
      'compactions',
      'rewinds',
      'queue',
      'hours',
    ])
    expect(
      facts.agents.map((row: { agent: string; invocations: number }) => [row.agent, row.invocations]),
    ).toEqual([
      ['Explore', 3],
      ['reviewer', 1],
    ])
    expect(facts.patterns).toEqual([
      { pattern: 'refinement', from: 'Claude', to: 'Explore', by: 'call', count: 1 },
    ])
    expect(facts.hours[10]).toBe(2)
    expect(facts.hours[13]).toBe(2)
    expect(facts.agents[0].durationMs).toMatchObject({ count: 3 })
  })

  it('[X1] accepts sessions, folders and files, and counts a session once', async () => {
    await onShape('s1: u1 a1 / s2: u2 a2 u3 a3', (run, { projects }) => {
      const turns = (...words: string[]): number =>
        json(run('stats', '--json', ...words)).flows.reduce(
          (sum: number, row: { turns: number }) => sum + row.turns,
          0,
        )
      expect(turns()).toBe(3)
      expect(turns('s1')).toBe(1)
      expect(turns('s1', 's2')).toBe(3)
      expect(turns('s2', 's2')).toBe(2)
      expect(turns(projects)).toBe(3)
      expect(turns(`${projects}/-home-dev-proj`)).toBe(3)
      expect(turns(`${projects}/-home-dev-proj/s2.jsonl`)).toBe(2)
      expect(run('stats', 'zzz').stderr).toBe(
        'dagline: No session begins with zzz. Run `dagline ls --everywhere --all` to list them.\n',
      )
    })
  })

  it('[X1] prints the cost of subagents when the price is known', () => {
    const { agents, totals } = json(onRecorded('stats', '--json'))
    expect(agents[0].costUSD).toBeGreaterThan(0)
    expect(totals).toMatchObject({ projects: 6, sessions: 8, unpriced: 0 })
  })

  it('[P7] names from transcripts are data', async () => {
    const shape = 's1: u1 a1[t1:__proto__] r1[t1] a2[t2:constructor] r2[t2] a3'
    const { tools } = json(await onShape(shape, run => run('stats', '--json')))
    expect(tools.map((row: { tool: string }) => row.tool)).toEqual(['__proto__', 'constructor'])
  })
})

describe('charts', () => {
  it('draws blocks and bars', () => {
    expect(sparkline([0, 1, 4, 8])).toBe(' ▂▅█')
    expect(sparkline([])).toBe('')
    expect(barOf(0.5, 4)).toBe('██')
    expect(barOf(0.0001, 4)).toBe('▏')
    expect(barOf(0, 4)).toBe('')
  })

  it('formats short figures', () => {
    expect([0, 850, 4200, 59_999, 200_000, 7_500_000, 273_600_000].map(duration)).toEqual([
      '0 ms',
      '850 ms',
      '4.2 s',
      '1m 00s',
      '3m 20s',
      '2h 05m',
      '3d 4h',
    ])
    expect([0, 812, 45_400, 1_234_567, 3.4e9].map(tokens)).toEqual(['0', '812', '45.4k', '1.2M', '3.4B'])
    expect([0, 0.001, 0.42, 1234.5].map(money)).toEqual(['$0', '$0.001', '$0.42', '$1,235'])
    expect([0, 0.001, 0.126, 1].map(share => percent(share, 1))).toEqual(['0 %', '0.1 %', '13 %', '100 %'])
  })
})
