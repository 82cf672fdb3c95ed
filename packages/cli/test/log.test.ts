import { describe, expect, it } from 'vitest'
import { block, json, onRecorded, onShape } from './run.js'
import { RICH } from './shapes.js'

describe('log', () => {
  it('[T4] puts a late result back to its call where the thinking between them is hidden', async () => {
    const shape = `s1: u1"Start" a1[t1:Bash] d1 a2[t2:Read] r2[t2]
      s1: a1 > r1[t1]@+2m a3"It arrived"`
    const words = ['Start', 'Bash', 'result r1', 'Read', 'result r2', 'It arrived']
    const texts = (text: string): string[] => words.toSorted((a, b) => text.indexOf(a) - text.indexOf(b))
    const [short, all] = await onShape(shape, run => [run('log', 's1'), run('log', 's1', '--all')])
    expect(texts(short.stdout)).toEqual(words)
    expect(texts(all.stdout)).toEqual(['Start', 'Bash', 'Read', 'result r2', 'result r1', 'It arrived'])
  })
})

describe('log --tokens', () => {
  it('[X18] has the tokens of a request once, at the first entry of its answer', async () => {
    const ran = await onShape('s1: u1"Ask" d1=m1 a1=m1[t1:Read] r1[t1] a2"Done"', run =>
      run('log', 's1', '--tokens', '--all'),
    )
    const columns = ran.stdout
      .split('\n')
      .flatMap(line => /^\d\d:\d\d {2}(.{6})/.exec(line)?.[1]?.trim() ?? [])
    expect(columns).toEqual(['', '10', '', '', '10'])
  })

  it('[X18] is --context, too, unless it says how much to print around an entry', async () => {
    const [tokens, column, before, count, word] = await onShape('s1: u1"Ask" a1"Done"', run => [
      run('log', 's1', '--tokens'),
      run('log', 's1', '--context'),
      run('log', '--context', 's1'),
      run('log', 's1', '--context', '3'),
      run('log', 's1', '--context', 'three'),
    ])
    expect(tokens.stdout).toContain('10')
    expect([column.stdout, before.stdout]).toEqual([tokens.stdout, tokens.stdout])
    expect(count).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--context with a number is for --around'),
    })
    expect(word).toMatchObject({ code: 1, stderr: expect.stringContaining('Give a whole number') })
  })
})

describe('compactions', () => {
  it('[C3] [C4] show their duration, and that they did not finish', async () => {
    const shape = `s1: u1 a1 c1+{"compactMetadata":{"trigger":"auto","preTokens":155000,"postTokens":4200,"durationMs":45210}} k1
      s1: k1 > u2 a2 c2+{"compactMetadata":{"trigger":"manual","preTokens":0}}
      s1: a2 > u3 a3`
    const [ran, facts] = await onShape(shape, run => [run('log', 's1', '--graph'), run('graph', '--json')])
    const lines = ran.stdout.split('\n').filter(line => /ompact/.test(line))
    expect(lines[0]).toMatch(/◆ ── Conversation compacted \(155k -> 4\.2k tokens, auto, 45\.2 s\) ─+$/)
    expect(lines[1]).toMatch(/◇ Compaction not finished \(manual\)$/)
    expect(json(facts)['epochs']).toMatchObject([{ durationMs: 45210 }, { durationMs: null, summary: null }])
  })
})

describe('log --tree', () => {
  const FAMILY = `s1: u1"Begin" a1"Begun" u2"Go on" a2"Gone on"
    s2: a2 > u3"Later"@+1h a3"Still here"
    s3: a1 > u4"Otherwise"@+1h a4"As you like"`

  it('[S1] [S2] prints all sessions of a tree, depth first, each below its header', async () => {
    const ran = await onShape(FAMILY, run => run('log', '--tree', 's3'))
    expect(block(ran.stdout)).toMatchInlineSnapshot(`
      "
      s1  Begin
      2026-01-01
      10:00  Human   Begin  00000000
      10:00  Claude  Begun
              ↗ resumed here as session s3
      10:00  Human   Go on  00000000
      10:00  Claude  Gone on
              ↗ resumed here as session s2

      s2  Later
      ↖ Resumed from session s1 after 00000000; --live shows the history it shares
      2026-01-01
      11:00  Human   Later  00000000
      11:00  Claude  Still here

      s3  Otherwise
      ↖ Resumed from session s1 after 00000000; --live shows the history it shares
      2026-01-01
      12:00  Human   Otherwise  00000000
      12:00  Claude  As you like
      "
    `)
  })

  it('[S1] gives the sessions and their rows in the same order as JSON', async () => {
    const facts = json(await onShape(FAMILY, run => run('log', '--tree', 's1', '--json')))
    expect(facts['sessions']).toMatchObject([
      { session: 's1', depth: 0, parent: null },
      { session: 's2', depth: 1, parent: { session: 's1' } },
      { session: 's3', depth: 1, parent: { session: 's1' } },
    ])
    const rows = facts['rows'] as readonly { readonly session: string; readonly text: string }[]
    expect(rows.map(({ session, text }) => `${session} ${text}`)).toEqual([
      's1 Begin',
      's1 Begun',
      's1 Go on',
      's1 Gone on',
      's2 Later',
      's2 Still here',
      's3 Otherwise',
      's3 As you like',
    ])
  })

  it('[S1] graph --json lists sessions and lines depth first', async () => {
    const shape = `s1: u1 a1 u2 a2 / s1: a1 > u5@+1h a5 / s3: a2 > u3@+1h a3 / s2: u4@+1h a4`
    const facts = json(await onShape(shape, run => run('graph', '--json')))
    const ids = (part: string): string[] =>
      (facts[part] as readonly { id: string }[]).map(({ id }) => id.split('@')[0] ?? '')
    expect(ids('sessions')).toEqual(['s1', 's3', 's2'])
    expect(ids('lines')).toEqual(['s1', 's1', 's3', 's1', 's2'])
  })
})

describe('log --graph', () => {
  it('[L1] [A6] [C3] draws a session with a rewind, two agents and a compaction', async () => {
    const ran = await onShape(RICH, run => run('log', 's1', '--graph'))
    expect(ran.code).toBe(0)
    expect(block(ran.stdout)).toMatchInlineSnapshot(`
      "
      s1  Fix the parser, then the lexer
      2026-01-01
      10:00  ● Human   Fix the parser, then the lexer  00000000
      10:00  ● Claude  I will start with the parser.
      10:00  ● Claude  Bash run t1
      10:00  ● Tool    result r1
      10:00  ● Claude  The parser is fixed.
      10:00  ├─● Human   Now the lexer, by hand  [abandoned @00000000-0000-4000-8000-000000007532]
      10:00  │ ● Claude  Rewriting it from scratch.
      10:10  ● Human   Now the lexer, with two agents  00000000
      10:10  ●─╮   Claude  Task general-purpose: task t2
      10:10  ●─│─╮ Claude  Task general-purpose: task t3
      10:10  │ ● │ Claude → Explore  Look for slow tokens
      10:10  │ ● │ Explore  Bash run t4
      10:10  │ ● │ Tool    result r4
      10:10  │ ● │ Explore  Two tokens are slow.
      10:10  │ │ ● Claude → reviewer  Review the lexer
      10:10  │ │ ● reviewer  Looks fine.
      10:10  ●─│─╯ Tool    result r3
      10:10  ●─╯   Tool    result r2
      10:10  ● Claude  Both agents are done.
      10:10  ◆ ── Conversation compacted (100k -> 4k tokens, manual) ──────────────────────────────────────────────
      10:10  ● System  Parser and lexer are fixed.
      10:10  ● Human   Thanks  00000000
      10:10  ● Claude  You are welcome.
      "
    `)
    expect(ran.stderr).toBe('')
  })

  it('[A6] draws recorded sessions: two agents, one in the background', () => {
    expect(block(onRecorded('log', '4539d2d0', '--graph', '-q').stdout)).toMatchInlineSnapshot(`
      "
      4539d2d0-eb7d-486f-a7f9-2dc9916cf162  both #A#
      2026-11-15
      01:04  ● Human   both #A#  411426d1
      01:04  ●─╮   Claude  Agent general-purpose: agent X
      01:04  ●─│─╮ Claude  Agent general-purpose: agent Y
      01:04  ● │ │ Claude  Bash echo between
      01:04  ● │ │ Tool    between
      01:04  │ │ ● Claude → general-purpose  task Y #SUBY#
      01:04  │ │ ● general-purpose  Bash echo y1
      01:04  │ │ ● Tool    y1
      01:04  │ │ ● general-purpose  Y RESULT
      01:04  ●─│─╯ Tool    Y RESULT
      01:04  │ ●   Claude → general-purpose  task X #SUBX#
      01:04  │ ●   general-purpose  Bash sleep 2; echo x1
      01:04  │ ●   Tool    x1
      01:04  │ ●   general-purpose  X RESULT
      01:04  ●─╯   Tool    X RESULT
      01:04  ● Claude  Both are done.
      "
    `)
    expect(block(onRecorded('log', '4ee3489f', '--graph', '-q').stdout)).toMatchInlineSnapshot(`
      "
      4ee3489f-da9c-4b3c-8d10-244577213b1b  start #A#
      2026-11-15
      01:04  ● Human   start #A#  41bf4983
      01:04  ●─╮ Claude  Agent general-purpose: bg
      01:04  ● │ Tool    Async agent launched successfully. (This tool result is internal metadata — never quote or paste any…
      01:04  ● │ Claude  Started it.
      01:04  │ ● Claude → general-purpose  background #BG#
      01:04  │ ● general-purpose  Bash sleep 2; echo bg
      01:04  │ ● Tool    bg
      01:04  │ ● general-purpose  BG RESULT
      01:04  ●─╯ System  Agent "bg" finished
      01:04  ● Claude  (mock: no step A/2)
      01:04  ● Human   later #B#  f141a6db
      01:04  ● Claude  Answer B after it.
      "
    `)
  })

  it('[S2] names the sessions that fork from a row, and where a fork comes from', () => {
    expect(block(onRecorded('log', 'ff8c', '--graph', '-q').stdout)).toMatchInlineSnapshot(`
      "
      ff8c6790-0bbd-42e2-a074-10bb26714c1d  one #A#
      2026-11-15
      01:05  ● Human   one #A#  09d86e33
      01:05  ● Claude  Read a.txt
      01:05  ● Tool    1 alpha
      01:05  ● Claude  Answer A.
      01:05  ● Human   two #B#  81171e02
      01:05  ● Claude  Answer B.
             │ ↗ forked here as session 1e28b50b
      01:05  ● Human   main #D#  4b7eb98e
      01:05  ● Claude  Answer D.
      "
    `)
    expect(onRecorded('log', '1e28', '--graph').stdout).toContain(
      '↖ Forked from session ff8c6790 after 156f2524',
    )
  })
})

describe('log', () => {
  it('[L6] folds branches and agents to one line each and says so', async () => {
    const ran = await onShape(RICH, run => run('log', 's1'))
    expect(block(ran.stdout)).toMatchInlineSnapshot(`
      "
      s1  Fix the parser, then the lexer
      2026-01-01
      10:00  Human   Fix the parser, then the lexer  00000000
      10:00  Claude  I will start with the parser.
      10:00  Claude  Bash run t1
      10:00  Tool    result r1
      10:00  Claude  The parser is fixed.
      10:00    ↳ abandoned branch @00000000-0000-4000-8000-000000007532, 2 messages: Now the lexer, by hand
      10:10  Human   Now the lexer, with two agents  00000000
      10:10  Claude  Task general-purpose: task t2
      10:10    ↳ Explore agent-x, 3 messages: Look for slow tokens
      10:10  Tool    result r2
      10:10  Claude  Task general-purpose: task t3
      10:10    ↳ reviewer agent-y, 2 messages: Review the lexer
      10:10  Tool    result r3
      10:10  Claude  Both agents are done.
      10:10  ── Conversation compacted (100k -> 4k tokens, manual) ──────────────────────────────────────────────
      10:10  System  Parser and lexer are fixed.
      10:10  Human   Thanks  00000000
      10:10  Claude  You are welcome.
      "
    `)
    expect(ran.stderr).toBe(
      '1 branch folded, 2 subagents folded; --graph draws them, --all shows everything.\n',
    )
  })

  it('[U3] the id of a folded subagent is one that log takes, also without a transcript of its own', async () => {
    const shape =
      's1: u1 a1[t1:Task] ~u2"Look" ~a2"Seen"\n s1: a1 > r1[t1] a3\ns1: a3 > a4[t2:Task] r2[t2]\ns1/x: u5"Find" a5"Found"'
    await onShape(shape, run => {
      const refs = run('log', 's1').stdout.match(/(?<=↳ \S+ )[^,]+/g) ?? []
      expect(refs.length).toBeGreaterThan(0)
      for (const ref of refs) expect([ref, run('log', ref).code]).toEqual([ref, 0])
    })
  })

  it('[L6] shows hooks and attachments only with --all', async () => {
    const shape = 's1: u1 h1 a1 p1 x1 u2 a2'
    const [short, long] = await onShape(shape, run => [run('log', 's1'), run('log', 's1', '--all')])
    expect(short?.stdout.match(/^\d\d:\d\d/gm)).toHaveLength(4)
    expect(short?.stderr).toContain('3 hooks, attachments and notes omitted')
    expect(long?.stdout.match(/^\d\d:\d\d/gm)).toHaveLength(7)
    expect(long?.stderr).toBe('')
  })

  it('[L3] --live prints what the next request would carry', () => {
    const rows = json(onRecorded('log', 'a2a9607f', '--live', '--json')).rows
    expect(rows.map((row: { text: string }) => row.text)).toEqual([
      'one #A#',
      'Answer A.',
      'four #D#',
      'Answer D.',
      'five #E#',
      'Answer E.',
    ])
    expect(rows.every((row: { live: boolean }) => row.live)).toBe(true)
  })

  it('[L4] --branch prints one branch from where it starts', () => {
    for (const id of ['a2a9607f-5536-4fe0-bc51-987050a2a441@7e083490-9b5', '@7e083490', '7e08']) {
      const { stdout } = onRecorded('log', 'a2a9607f', '--branch', id)
      expect(stdout).toContain('two #B#')
      expect(stdout).not.toContain('four #D#')
    }
    expect(onRecorded('log', 'a2a9607f', '--branch', 'zz').stderr).toContain(
      'No branch or subagent is called zz',
    )
  })

  it('[A1] names speaker and subagent in the conversation of a subagent, also as JSON', async () => {
    const ran = await onShape(RICH, run => run('log', 's1', '--graph', '--json'))
    const { dagline, session, rows, left } = json(ran)
    expect({ dagline, session, left }).toEqual({
      dagline: 1,
      session: 's1',
      left: { branches: 0, agents: 0, structural: 0 },
    })
    const prompt = rows.find((row: { text: string }) => row.text === 'Look for slow tokens')
    expect(prompt).toMatchObject({ actor: 'Claude', depth: 1, lane: 1, kind: 'prompt', line: 's1#agent-x' })
    const call = rows.find((row: { node: string }) => row.node === prompt.parent)
    expect(call).toMatchObject({ actor: 'Claude', depth: 0, lane: 0, kind: 'call' })
    expect(Object.keys(prompt)).toEqual([
      'node',
      'parent',
      'line',
      'lane',
      'depth',
      'actor',
      'kind',
      'time',
      'live',
      'text',
    ])
  })

  it('prints ids of prompts that other commands accept, and of every row with --ids', () => {
    const ids = (...more: string[]): readonly string[] =>
      onRecorded('log', 'ff8c', ...more).stdout.match(/ {2}[0-9a-f]{8}$/gm) ?? []
    const rows = json(onRecorded('log', 'ff8c', '--json')).rows
    const short = (row: { node: string }): string => `  ${row.node.slice(0, 8)}`
    expect(ids('--ids')).toEqual(rows.map(short))
    expect(ids()).toEqual(rows.filter((row: { actor: string }) => row.actor === 'Human').map(short))
    expect(onRecorded('show', ids()[2]?.trim() ?? '').stdout).toContain('main #D#')
  })

  it('[G6] shows the shared history of a session that has nothing of its own', async () => {
    const ran = await onShape('s1: u1"start here" a1 u2 a2 / s2: u1 a1', run => run('log', 's2'))
    expect(ran.stdout).toMatch(/^↖ .*nothing was added since, so this is the history it shares$/m)
    expect(ran.stdout.match(/^\d\d:\d\d/gm)).toHaveLength(2)
    expect(ran.stdout).toContain('start here')
    expect(ran.stderr).toBe('')
  })

  it('of a folder that is not a project it says which session it takes', async () => {
    await onShape('s1: u1"older" a1 / s2: u2"later" a2', (run, home) => {
      expect(run('log', `${home.projects}/-home-dev-proj`).stderr).toBe('')
      const { stdout, stderr } = run('log', home.dir)
      expect(stdout).toContain('later')
      expect(stderr).toMatch(/^Of 2 sessions below .* the latest is taken: .*-home-dev-proj\/s2\.jsonl$/m)
    })
  })

  it('accepts latest, a prefix, a file and the file of a subagent', async () => {
    const heads = await onShape(
      's1: u1 a1[t1:Task>x] / s1/x: u9"agent here" a9 / s2: u2"later" a2',
      (run, home) => {
        const project = `${home.projects}/-home-dev-proj`
        return ['latest', 's2', `${project}/s2.jsonl`, `${project}/s1/subagents/agent-x.jsonl`].map(
          word => run('log', word).stdout,
        )
      },
    )
    expect(heads.slice(0, 3).every(text => text.startsWith('s2  later'))).toBe(true)
    expect(heads[3]).toContain('agent here')
  })
})

describe('log of a line', () => {
  it('[L1] prints a branch or subagent by its id, as with --branch', async () => {
    await onShape(RICH, run => {
      const { lines } = json(run('graph', '--json'))
      const sides = lines.filter(({ kind }: { kind: string }) => kind !== 'trunk')
      expect(sides.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
        'agent',
        'agent',
        'branch',
        'branch',
      ])
      for (const { id } of sides) {
        const { stdout, code } = run('log', id)
        expect([code, stdout]).toEqual([0, run('log', 's1', '--branch', id).stdout])
      }
    })
  })

  it('[L1] accepts the id of a subagent in `--branch` without its session', async () => {
    await onShape(RICH, run => {
      const [agent] = json(run('graph', '--json')).agents
      const end = agent.line.slice(agent.line.indexOf('#'))
      expect(run('log', 's1', '--branch', end).stdout).toBe(run('log', agent.line).stdout)
    })
  })
})
