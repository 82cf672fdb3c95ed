import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tokenUuid } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { block, dagline, daglineProcess, json, onRecorded, onShape, RECORDED, REPOSITORY } from './run.js'

describe('dagline', () => {
  it('shows the samples when there are no sessions, and says so', () => {
    const { stdout, code } = dagline([])
    expect(code).toBe(0)
    expect(stdout).toContain('You have no sessions yet; these are the samples')
    expect(stdout).toContain('7 sessions in 3 projects')
    expect(stdout).toContain('dagline log latest --graph --root')
  })

  it('shows the sessions of the configured folder', async () => {
    const ran = await onShape('s1: u1"Mend the fence" a1', run => run())
    expect(ran.stdout).toContain('1 session in 1 project')
    expect(ran.stdout).toContain('Mend the fence')
    expect(ran.stdout).not.toContain('samples')
  })

  it.each([
    ['--version'],
    ['ls', '--help'],
    ['log', 'latest', '--graph', '--root', RECORDED],
    ['usage', '--json', '--root', RECORDED],
    ['log', 'none-of-them', '--root', RECORDED],
    ['ls', '--no-such-option'],
  ])('does in the process that tests share what it does in its own: %s %s', (...words) => {
    expect(dagline(words)).toEqual(daglineProcess(words))
  })

  it('prints the version of its package', () => {
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'packages/cli/package.json'), 'utf8'))
    expect(dagline(['--version']).stdout).toBe(`${version}\n`)
  })

  it('help lists every command in a group', () => {
    const { stdout } = dagline(['--help'])
    const groups = [
      'See:',
      'Find and measure:',
      'Repair and reuse:',
      'Keep and share:',
      'The index and the shell:',
    ]
    const places = groups.map(group => stdout.indexOf(`\n${group}\n`))
    expect(places.every((place, at) => place > (places[at - 1] ?? 0))).toBe(true)
    expect(stdout.slice(places[1], places[2])).toMatch(/\n {2}ls [\s\S]*\n {2}search [\s\S]*\n {2}usage /)
    expect(stdout.slice(stdout.indexOf('\nCommands:\n'))).toMatch(/^\nCommands:\n {2}help .*\n\n/)
  })

  it('every command has help with examples and --json', () => {
    for (const command of ['graph', 'ls', 'log', 'tree', 'branches', 'explain', 'show', 'census']) {
      const { stdout, code } = dagline([command, '--help'])
      expect(code).toBe(0)
      expect(stdout).toContain('--json')
      expect(stdout).toContain(`Examples:\n  $ dagline ${command}`)
    }
  })
})

describe('a session given instead of a path', () => {
  it('stands for its transcript, with its subagents', () => {
    const { files } = json(onRecorded('graph', '4539d2d0', '--json'))
    expect(files.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['agent', 'agent', 'session'])
    expect(json(onRecorded('ls', '4539d2d0', '--json')).sessions).toHaveLength(1)
    expect(json(onRecorded('census', '4539d2d0', '--json')).records).toBe(77)
    expect(json(onRecorded('usage', '4539d2d0', '--json')).totals.messages).toBe(6)
  })

  it('that does not exist gives one sentence', () => {
    for (const command of ['graph', 'ls', 'usage', 'census'])
      expect([command, onRecorded(command, 'nowhere')]).toEqual([
        command,
        expect.objectContaining({
          code: 1,
          stdout: '',
          stderr:
            'dagline: No session, project, file or folder is called nowhere. Run `dagline ls --everywhere` to list them.\n',
        }),
      ])
    expect(onRecorded('ls', '4').stderr).toContain('2 sessions begin with 4')
    expect(onRecorded('stats', '4539d2d0#agent-a03')).toMatchObject({
      code: 0,
      stderr: '4539d2d0#agent-a03 is a part of session 4539d2d0; the whole session is taken.\n',
    })
  })
})

describe('graph', () => {
  it('[L3] prints the contract: every part, and what is live by file', () => {
    const graph = json(dagline(['graph', RECORDED, '--json']))
    expect(Object.keys(graph)).toEqual([
      'dagline',
      'files',
      'sessions',
      'lines',
      'folded',
      'forks',
      'live',
      'agents',
      'epochs',
      'queue',
      'operations',
      'workflows',
      'edges',
      'tools',
      'diagnostics',
      'totals',
    ])
    const rewind = '-home-dev-lab-s13-rewind-proj/a2a9607f-5536-4fe0-bc51-987050a2a441.jsonl'
    expect(graph.live[rewind]).toHaveLength(6)
    expect(Object.keys(graph.live).sort()).toEqual(
      graph.files.map((file: { path: string }) => file.path).sort(),
    )
    expect(graph.totals.placed + graph.totals.folded).toBe(graph.totals.nodes)
    expect(graph.agents[0].spawnedBy.evidence).toBe('meta')
    expect(graph.epochs).toHaveLength(2)
    expect(graph.lines.filter((line: { kind: string }) => line.kind === 'branch')).toHaveLength(4)
    const fork = graph.forks.find((each: { kind: string }) => each.kind === 'rewind')
    expect(Object.keys(fork)).toEqual(['at', 'line', 'kind', 'rule', 'children', 'evidence'])
  })

  it('[P1] --summary adds up, as text and as JSON', () => {
    const { totals } = json(dagline(['graph', RECORDED, '--summary', '--json']))
    expect(totals.rows).toBe(totals.entries + totals.blank + totals.damaged)
    expect(block(dagline(['graph', RECORDED, '--summary']).stdout)).toMatchInlineSnapshot(`
      "
      13 files, 413 kB
      415 rows: 415 records, 0 blank, 0 damaged
      198 nodes: 198 placed, 0 folded as copies
      5 forks, 2 of them with branches (rewinds, or two processes)
      "
    `)
  })

  it('[P5] a last row without a newline counts; one that does not parse is torn', async () => {
    const ran = await onShape('s1: u1 a1', (run, home) => {
      const file = `${home.projects}/-home-dev-proj/s1.jsonl`
      const text = readFileSync(file, 'utf8')
      const rows = (end: string): unknown => {
        writeText(file, text.trimEnd() + end)
        const { totals, diagnostics } = json(run('graph', file, '--json'))
        return { ...pick(totals, 'rows', 'entries', 'damaged'), rules: diagnostics.map(ruleOf) }
      }
      return [rows(''), rows('\n{"type":"user","uu')]
    })
    expect(ran).toEqual([
      { rows: 2, entries: 2, damaged: 0, rules: [] },
      { rows: 3, entries: 2, damaged: 1, rules: ['parse/torn-row info'] },
    ])
  })
})

describe('ls', () => {
  it('lists projects and sessions', () => {
    expect(block(onRecorded('ls').stdout)).toMatchInlineSnapshot(`
      "
      session     last                 size  turns  title
      /home/dev/shop
        7d1c90aa  2026-11-15 09:21  14.6 kB      4  Why does the checkout test fail?  (1 branch, compacted, 2 subagents)

      /home/dev/lab/s13_rewind/proj
        a2a9607f  2026-11-15 01:05  49.2 kB      5  one #A#  (1 branch)

      /home/dev/lab/s12_fork_session/proj
        3805e72d  2026-11-15 01:05  36.1 kB      1  one #A#
        ff8c6790  2026-11-15 01:05  40.1 kB      3  one #A#
        1e28b50b  2026-11-15 01:05    34 kB      1  one #A#

      /home/dev/lab/s09_compact_headless/proj
        af1c042d  2026-11-15 01:05    72 kB      3  one #A#  (compacted)

      /home/dev/lab/s08_background_agent/proj
        4ee3489f  2026-11-15 01:04  72.7 kB      2  start #A#  (1 subagent)

      /home/dev/lab/s06_parallel_subagents/proj
        4539d2d0  2026-11-15 01:04  94.8 kB      1  both #A#  (2 subagents)
      "
    `)
  })

  it('has the fields of the contract', () => {
    const { sessions } = json(onRecorded('ls', '--json'))
    expect(sessions).toHaveLength(8)
    expect(sessions[1]).toEqual({
      session: 'a2a9607f-5536-4fe0-bc51-987050a2a441',
      project: '-home-dev-lab-s13-rewind-proj',
      cwd: '/home/dev/lab/s13_rewind/proj',
      title: 'one #A#',
      file: '-home-dev-lab-s13-rewind-proj/a2a9607f-5536-4fe0-bc51-987050a2a441.jsonl',
      first: expect.stringMatching(/^2026-11-15T01:05/),
      last: expect.stringMatching(/^2026-11-15T01:05/),
      turns: 5,
      branches: 1,
      agents: 0,
      compactions: 0,
      bytes: 49199,
      archivedOnly: false,
      problems: 0,
    })
  })

  it('[S4] hides warm-up sessions, and says how many', async () => {
    const [short, all] = await onShape('s1: u1 a1 / s2: u2"Warmup" a2', run => [
      run('ls'),
      run('ls', '--all'),
    ])
    expect(short?.stdout).not.toContain('Warmup')
    expect(short?.stderr).toBe('1 session not shown (warm-up or empty); --all lists them.\n')
    expect(all?.stdout).toContain('Warmup')
  })

  it('[S4] a title in custom-title.json takes precedence over all others', async () => {
    await onShape('s1: u1 a1', (run, home) => {
      writeText(`${home.projects}/-home-dev-proj/s1/custom-title.json`, '{"customTitle":"My own name"}')
      const titles = [
        json(run('ls', '--json')).sessions[0].title,
        json(run('ls', 's1', '--json')).sessions[0].title,
        json(run('ls', home.projects, '--json')).sessions[0].title,
        run('log', 's1').stdout.match(/My own name/)?.[0],
        json(run('tree', '--json')).sessions[0].title,
        json(run('graph', '--json')).sessions[0].title,
        run('doctor', 's1').stdout.match(/My own name/)?.[0],
        json(run('checkout', 's1', '--dry-run', '--json')).title,
      ]
      expect(titles).toEqual([...titles.slice(0, -1).map(() => 'My own name'), 'My own name (checkout)'])
    })
  })
})

describe('ls with subagents', () => {
  it('[X1] counts subagents without a transcript, as stats does', async () => {
    const shape =
      's1: u1"three" a1[t1:Task>x] a2=a1[t2:Task] a3=a1[t3:Task] r1[t1>x] r2[t2] r3[t3] a4\ns1/x: u9 a9'
    await onShape(shape, run => {
      expect(run('ls').stdout).toContain('1 subagent, 2 subagents without a file')
      expect(run('stats', 's1').stdout).toContain('3 subagents (2 without a transcript)')
      expect(json(run('ls', '--json')).sessions[0]).toMatchObject({ agents: 1, called: 2 })
    })
  })
})

describe('tree', () => {
  it('[S1] puts sessions below the one they come from', () => {
    expect(
      block(dagline(['tree', join(RECORDED, '-home-dev-lab-s12-fork-session-proj')]).stdout),
    ).toMatchInlineSnapshot(`
      "
      /home/dev/lab/s12_fork_session/proj
      ff8c6790  one #A#  2026-11-15 01:05, 3 turns
      └─ 1e28b50b  forked after 156f2524: one #A#  2026-11-15 01:05, 1 turn
         └─ 3805e72d  forked after 6e1aec13: one #A#  2026-11-15 01:05, 1 turn
      "
    `)
    const { sessions } = json(onRecorded('tree', '--json'))
    expect(sessions.map((session: { depth: number }) => session.depth)).toEqual([0, 0, 0, 0, 1, 2, 0, 0])
  })

  it('[S1] of a session prints the whole tree that it is in, and no other', () => {
    const { sessions } = json(onRecorded('tree', '3805e72d', '--json'))
    expect(sessions.map(({ session }: { session: string }) => session.slice(0, 8))).toEqual([
      'ff8c6790',
      '1e28b50b',
      '3805e72d',
    ])
  })

  it('[C6] marks a session that begins with /clear', async () => {
    const shape = 's1: u1 a1 / s2: m1 l1"<command-name>/clear</command-name>" u2"Afresh" a2'
    const ran = await onShape(shape, run => run('tree'))
    expect(ran.stdout).toContain('(after /clear)')
  })
})

describe('branches', () => {
  it('[F12] lists rewinds with the abandoned and the live branch', () => {
    const { stdout, stderr } = onRecorded('branches', 'a2a9')
    expect(stdout).toMatch(/^rewind after 59760cd3, 2026-11-15 01:05 {2}F12: /)
    expect(stdout).toContain(
      '○ @7e083490-9b5  abandoned      4 messages  2026-11-15 01:05   $0.0031  two #B#',
    )
    expect(stdout).toContain(
      '● @79cad093-94b  live           4 messages  2026-11-15 01:05   $0.0033  four #D#',
    )
    expect(stderr).toBe('')
  })

  it('[F1] lists forks that are not branches with --all, and counts them without', () => {
    expect(onRecorded('branches', '4539').stderr).toContain('--all gives the reason')
    expect(onRecorded('branches', '4539', '--all').stdout).toContain('parallel after 7df9b9ba')
  })

  it('[L4] gives every side of a fork as JSON', () => {
    const { session, forks } = json(onRecorded('branches', 'a2a9', '--json'))
    expect(session).toBe('a2a9607f-5536-4fe0-bc51-987050a2a441')
    expect(forks[0].children[0]).toMatchObject({
      status: 'abandoned',
      prompt: 'two #B#',
      line: `${session}@7e083490-9b5`,
    })
    expect(Object.keys(forks[0].children[0])).toEqual([
      'node',
      'line',
      'status',
      'nodes',
      'prompt',
      'first',
      'last',
      'asked',
      'messages',
      'costUSD',
    ])
  })

  it('[L4] a branch is shown by its first prompt, not by the hook before it', async () => {
    const shape = 's1: u1 a1 u2 a2\ns1: a1 > h1@+2d u3"Another way"@+1h a3[t1:Bash] r3[t1] a4'
    await onShape(shape, run => {
      expect(run('branches', 's1').stdout).toMatch(/live {11}3 messages {2}2026-01-03 11:00 .*Another way$/m)
      const { children } = json(run('branches', 's1', '--json')).forks[0]
      const live = children.find((side: { status: string }) => side.status === 'live')
      expect(live).toMatchObject({ prompt: 'Another way', messages: 3, nodes: 5 })
      expect(live.asked > live.first).toBe(true)
      expect(run('show', live.line).stdout).toContain('Another way')
    })
  })

  it('[X4] the cost of a branch equals that of usage --branch', () => {
    const { forks } = json(onRecorded('branches', '7d1c', '--json'))
    const [row] = json(onRecorded('usage', '--branch', 'abandoned', '--session', '7d1c', '--json')).rows
    const left = forks[0].children.find((side: { line: string }) => side.line === row.key)
    expect(left.costUSD).toBeCloseTo(row.costUSD, 9)
  })
})

describe('explain', () => {
  it('[L3] says whether an entry is live, and why', () => {
    expect(onRecorded('explain', '79cad093').stdout).toMatch(/^live {5}yes$/m)
    expect(onRecorded('explain', '7e083490').stdout).toContain('L3       not live: its line is abandoned')
  })

  it('accepts a prefix, a session with a prefix, and the id of a branch', () => {
    const session = 'a2a9607f-5536-4fe0-bc51-987050a2a441'
    const nodes = ['79cad', 'a2a9607f:79ca', `${session}@79cad093-94b`].map(
      ref => json(onRecorded('explain', ref, '--json')).node,
    )
    expect(new Set(nodes)).toEqual(new Set(['79cad093-94bd-4c3b-9b73-b8c3ad4ca8b3']))
    expect(json(onRecorded('explain', 'latest:f645', '--json')).node).toMatch(/^f64551fc-/)
  })

  it('rejects a session, and names the command that prints it', () => {
    for (const word of ['a2a9607f', 'latest']) {
      expect(onRecorded('explain', word).stderr).toContain(`${word} is a session`)
      expect(onRecorded('show', word).stderr).toContain(`Run \`dagline log ${word}\` to print it`)
    }
  })

  it('has the fields of the contract', () => {
    const facts = json(onRecorded('explain', '79cad', '--json'))
    expect(Object.keys(facts)).toEqual([
      'dagline',
      'node',
      'file',
      'row',
      'parent',
      'line',
      'live',
      'because',
    ])
    expect(facts.because.length).toBeGreaterThan(3)
  })
})

describe('show', () => {
  it('[T3] prints all parts of a message with their results', () => {
    const { stdout } = onRecorded('show', 'cea7e636')
    expect(stdout).toContain('prompt: task X #SUBX#')
    expect(stdout).toContain('command: echo between')
    expect(stdout).toContain('\n  between\n')
    expect(json(onRecorded('show', 'cea7e636', '--json')).parts).toHaveLength(6)
  })

  it('prints raw rows byte for byte', () => {
    const file = join(RECORDED, '-home-dev-lab-s13-rewind-proj/a2a9607f-5536-4fe0-bc51-987050a2a441.jsonl')
    const row = readFileSync(file, 'utf8').split('\n')[41]
    expect(onRecorded('show', '79cad', '--raw').stdout).toBe(`${row}\n`)
  })

  it('[P5] finds the right one of two records on a row', async () => {
    const text = await onShape('s1: u1"first" a1"second"', (run, home) => {
      const file = `${home.projects}/-home-dev-proj/s1.jsonl`
      writeText(file, readFileSync(file, 'utf8').replace('}\n{', '}{'))
      return run('show', tokenUuid('a1')).stdout
    })
    expect(text).toContain('second')
    expect(text).not.toContain('first')
  })
})

describe('census', () => {
  it('[P2] knows every type and field of the recorded projects', () => {
    expect(onRecorded('census').stdout).toContain('Every type and field is known.')
  })

  it('[P2] counts unknown types and fields', async () => {
    const shape = 's1: u1 x1 a1+{"brandNew":1}'
    const [text, facts] = await onShape(shape, run => [run('census').stdout, json(run('census', '--json'))])
    expect(text).toContain('1 type that dagline does not know:')
    expect(text).toContain('assistant: brandNew')
    expect(facts.unknown.types).toHaveLength(1)
    expect(facts.unknown.fields).toContainEqual(
      expect.objectContaining({ type: 'assistant', field: 'brandNew', count: 1 }),
    )
    expect(facts.records).toBe(3)
  })
})

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function pick(from: Record<string, unknown>, ...keys: string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map(key => [key, from[key]]))
}

function ruleOf({ rule, severity }: { rule: string; severity: string }): string {
  return `${rule} ${severity}`
}
