import { copyFileSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { tokenUuid, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import type { Console } from '../src/console.js'
import { diffLines } from '../src/print/diff.js'
import { styleFor } from '../src/print/style.js'
import { block, dagline, json, onRecorded, onShape, REPOSITORY } from './run.js'

const REWIND = `
s1: u1"Mend the tax" a1 u2"Use decimals" a2[t1:Bash] r2[t1] a3 u3"Now the tests" a4
s1: a1 > u4"Round once"@+30m a5
s2: u5"Something else" a6
`
const LEFT = `s1@${tokenUuid('u2')}`
const TAKEN = `s1@${tokenUuid('u4')}`

describe('diff', () => {
  it('[X7] prints two branches side by side, from where they diverge', async () => {
    const { stdout } = await onShape(REWIND, run => run('diff', LEFT, TAKEN))
    expect(block(stdout)).toMatchInlineSnapshot(`
      "
      They diverge after 00000000, with 2 entries in common.
      2 children each continue the conversation: the user rewound to this entry

                    A s1@00000000-0000-4000-8000-000000007532 (abandon… │ B s1@00000000-0000-4000-8000-000000007534 (live)
      time          2026-01-01 10:00                                    │ 2026-01-01 10:30
      turns         2                                                   │ 1
      API messages  3                                                   │ 1
      tokens        45 (15 output)                                      │ 15 (5 output)
      cost          $0.0005                                             │ $0.0002
      tools         Bash 1                                              │

      ── 10:00 00000000                                          │ ── 10:30 00000000
      Use decimals                                               │ Round once
      · Bash run t1                                              │ answer a5
      answer a3                                                  │

      ── 10:00 00000000                                          │
      Now the tests                                              │
      answer a4                                                  │
      "
    `)
  })

  it('[X7] a single branch is compared with the live one', async () => {
    await onShape(REWIND, run => {
      const alone = json(run('diff', LEFT, '--json'))
      const both = json(run('diff', LEFT, TAKEN, '--json'))
      expect(alone.fork).toEqual(both.fork)
      expect(alone.sides.map((side: { line: string }) => side.line)).toEqual([LEFT, TAKEN])
      expect(alone.sides[0].turns).toEqual(both.sides[0].turns)
      expect(alone.sides[1].turns).toEqual(both.sides[1].turns)
    })
  })

  it('[X7] a session stands for its only abandoned branch; with several, one must be named', async () => {
    await onShape(REWIND, run => {
      const { sides } = json(run('diff', 's1', '--json'))
      expect(sides.map((side: { line: string }) => side.line)).toEqual([LEFT, TAKEN])
      expect(run('diff', 's2').stdout).toContain('They are the same')
    })
    const several = await onShape('s1: u1 a1 u2 a2\ns1: a1 > u3 a3\ns1: a1 > u4 a4', run => run('diff', 's1'))
    expect(several.code).toBe(1)
    expect(several.stderr).toMatch(/^dagline: s1 has 2 branches: @.*, @.*; name one: `dagline diff s1@/)
  })

  it('[X7] the rest of a turn that began before the fork is not a turn', async () => {
    const shape = 's1: u1 a1[t1:Bash] r1[t1] a2 u2 a3\ns2: u1 a1[t1:Bash] r1[t1] a4 u3 a5'
    const { sides } = json(await onShape(shape, run => run('diff', 's1', 's2', '--json')))
    expect(sides.map((side: { turnCount: number }) => side.turnCount)).toEqual([1, 1])
  })

  it('[X7] prints prompts, calls and figures as JSON, with ISO times', async () => {
    const { fork, sides } = json(await onShape(REWIND, run => run('diff', LEFT, TAKEN, '--json')))
    expect(fork).toMatchObject({ node: tokenUuid('a1'), session: 's1', shared: 2 })
    expect(sides[0]).toMatchObject({
      status: 'abandoned',
      turnCount: 2,
      tools: [{ name: 'Bash', calls: 1, errors: 0 }],
    })
    expect(sides[0].turns.map((turn: { prompt: string }) => turn.prompt)).toEqual([
      'Use decimals',
      'Now the tests',
    ])
    expect(sides[1].first).toMatch(/^2026-01-01T10:3/)
  })

  it('[X7] sessions without common history are shown from the start, with their names', async () => {
    await onShape(REWIND, run => {
      run('name', 's2', 'side work')
      run('name', LEFT, 'decimals')
      const { stdout } = run('diff', 'decimals', 'side work')
      expect(stdout).toContain('They have no common history')
      expect(stdout).toMatch(/A s1 decimals .*B s2 side work/)
      expect(json(run('diff', 'decimals', 'side work', '--json')).sides[0].name).toBe('decimals')
    })
  })

  it('[X7] says so when there is nothing to compare, or too much', async () => {
    await onShape(REWIND, run => {
      expect(run('diff', TAKEN).stdout).toContain('They are the same')
      expect(run('diff', LEFT, TAKEN, 's2')).toMatchObject({ code: 1 })
      expect(run('diff', LEFT, 'nothing').stderr).toContain(
        'No session, branch, subagent or entry is called nothing',
      )
    })
  })

  it('[X7] prints one after the other when there is no room for two columns', () => {
    const side = (name: string) => ({
      ref: 'r',
      session: 'session1',
      line: `session1@${name}`,
      status: 'live',
      title: null,
      first: null,
      last: null,
      messages: 1,
      tokens: 1200,
      output: 10,
      cost: 0.5,
      agents: 0,
      tools: [{ name: 'Edit', calls: 2, errors: 1 }],
      files: [
        { path: `${name}.ts`, edits: 2 },
        { path: 'both.ts', edits: 1 },
      ],
      turnCount: 3,
      turns: [
        {
          node: `${name}-turn`,
          time: null,
          prompt: `ask ${name}`,
          answer: 'word '.repeat(200),
          calls: [],
          cost: null,
        },
      ],
    })
    const fork = { node: 'at-node', session: 'session1', shared: 4, evidence: null }
    const console = { width: 50, style: styleFor(false) } as Console
    const page = {
      comparison: { fork, sides: [side('one'), side('two')] as const },
      names: ['', ''] as const,
      isFull: false,
    }
    const lines = [...diffLines(console, page)]
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(50)
    expect(lines.filter(line => line === '…')).toHaveLength(2)
    expect(lines.indexOf('ask one')).toBeLessThan(lines.indexOf('ask two'))
    expect(lines).toEqual(
      expect.arrayContaining(['A B  both.ts  1× 1×', 'A    one.ts  2×', '  B  two.ts  2×']),
    )
    expect(lines.at(-1)).toBe('2 further turns of B not shown.')
  })
})

describe('diff --compaction', () => {
  const sample = `${REPOSITORY}/fixtures/recordings/2.1.325/s09_compact_headless/projects`

  it('[X8] prints what was dropped, what was kept, and the summary', () => {
    const { stdout, code } = dagline(['diff', '--compaction', 'latest', '--root', sample])
    expect(code).toBe(0)
    expect(block(stdout.split('\n').slice(0, 14).join('\n'))).toMatchInlineSnapshot(`
      "
      Conversation compacted (2.9k -> 2.7k tokens, manual, 112 ms)  af1c042d, entry 7e9b2291
      Dropped: 4 messages, 1 tool call, 1 tool result; 2,880 tokens became 2,668.

      Prompts dropped (2)
        c4813d08  2026-11-15 01:05  prompt  one #A#
        3047e3bc  2026-11-15 01:05  prompt  two #B#

      Files of dropped calls (1)
        /home/dev/lab/s09_compact_headless/proj/a.txt  1×

      Entries kept (1)
        bdc0914d  2026-11-15 01:05  text  Answer B.

      Summary"
    `)
    expect(stdout).toContain('MOCK SUMMARY of the conversation so far.')
  })

  it('[X8] finds the compaction that dropped an entry, and prints JSON', () => {
    const told = json(dagline(['diff', '--compaction', 'c4813d08', '--root', sample, '--json']))
    expect(told).toMatchObject({ trigger: 'manual', preTokens: 2880, postTokens: 2668 })
    expect(told.dropped).toMatchObject({ messages: 4, calls: 1, results: 1 })
    expect(told.dropped.prompts.map(({ text }: { text: string }) => text)).toEqual(['one #A#', 'two #B#'])
    expect(told.kept).toHaveLength(1)
    const itself = json(dagline(['diff', '--compaction', told.boundary, '--root', sample, '--json']))
    expect(itself).toEqual(told)
  })

  it('[X8] finds a session whose transcript has another name', async () => {
    await withHome([], home => {
      const [transcript = ''] = globSync('*/af1c042d*.jsonl', { cwd: sample })
      mkdirSync(join(home.projects, '-renamed'))
      copyFileSync(join(sample, transcript), join(home.projects, '-renamed', 'kept.jsonl'))
      const ran = dagline(['diff', '--compaction', 'af1c042d', '--root', home.projects])
      expect(ran.stdout).toContain('Dropped: 4 messages')
      const { stderr } = dagline(['diff', '--compaction', 'af1c042d:00000000', '--root', home.projects])
      expect(stderr).toContain('No entry')
    })
  })

  it('[X8] says which of several it is, and how to see the others', async () => {
    const told = await onShape('s1: u1 a1 c1 k1 u2 a2 c2 k2 u3 a3', run => {
      const of = (token: string): string => run('diff', '--compaction', `s1:${tokenUuid(token)}`).stdout
      return [of('u1'), of('u2'), json(run('diff', '--compaction', 's1', '--json')).compactions]
    })
    expect(told[0]).toContain(
      'This is compaction 1 of 2. Run `dagline diff --compaction 00000000` for the other.',
    )
    expect(told[1]).toContain('This is compaction 2 of 2.')
    expect(told[2]).toEqual([tokenUuid('c1'), tokenUuid('c2')])
  })

  it('[X8] says so when nothing was compacted', () => {
    expect(onRecorded('diff', '--compaction', 'a2a9607f').stderr).toContain('has no compaction')
  })
})
