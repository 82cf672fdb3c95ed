/** Lists and what narrows them, in this process: one home and one index for all cases. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expandShape, inProject, tokenUuid, withHome } from '@dagline/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fitMarked } from '../src/print/hits.js'
import { runHere } from './in-process.js'
import { json, type Ran } from './run.js'

/** A rewind, a subagent of depth 1 with a file, one without, and failed calls; files are touched on both lines. */
const SHAPE = `
  s1: u1"Fix the parser" a1[t1:Read] r1[t1] a2[t2:Edit] r2[t2!] a3"The parser is fixed"
  s1: a3 > u2"By hand" a4[t3:Edit] r3[t3] a5"Done by hand"
  s1: a3 > u3"With help"@+10m a6[t4:Task>x]
  s1/x: meta {"agentType":"Explore","description":"Look for tokens"}
  s1/x: u4"Look at the lexer" a7[t5:Read] r5[t5] a8"Two tokens are slow"
  s1: a6 > r4[t4>x] a9"Helped" u5"Lose one" a10[t6:Task] r6[t6] a11"Lost"
`
const OTHER = 's2: u6"Write a walrus" a12[t7:Write] r7[t7] a13"A walrus"'

const FILES: Readonly<Record<string, string>> = {
  t1: '/home/dev/proj/src/parser.ts',
  t2: '/home/dev/proj/src/parser.ts',
  t3: '/home/dev/proj/src/lexer.ts',
  t5: '/home/dev/proj/src/lexer.ts',
  t7: '/home/dev/other/walrus.md',
}

function filesOf(shape: string, project: string): ReturnType<typeof inProject> {
  const { files, metas } = expandShape(shape)
  const named = files.map(({ path, text }) => ({
    path,
    text: text.replace(/"command":"run (t\d)"/g, (_, id) => `"file_path":"${FILES[id] ?? ''}"`),
  }))
  return inProject([...named, ...metas], project)
}

const cache = mkdtempSync(join(tmpdir(), 'dagline-lists-'))
let run: (...words: string[]) => Promise<Ran>
let end: () => void
let root: string

beforeAll(async () => {
  const files = [...filesOf(SHAPE, '-home-dev-proj'), ...filesOf(OTHER, '-home-dev-other')]
  await new Promise<void>(ready => {
    void withHome(files, home => {
      const env = {
        CLAUDE_CONFIG_DIR: home.config,
        XDG_CACHE_HOME: cache,
        XDG_DATA_HOME: join(home.config, 'data'),
      }
      run = (...words) => runHere(words, { env, isTerminal: false })
      root = home.projects
      ready()
      return new Promise<void>(done => {
        end = done
      })
    })
  })
})

afterAll(() => {
  end()
  rmSync(cache, { recursive: true, force: true })
})

const nodes = (ran: Ran): readonly string[] =>
  json(ran).hits.map((hit: { readonly node: string }) => hit.node)
const uuids = (tokens: string): readonly string[] => tokens.split(' ').map(token => tokenUuid(token))

describe('ls', () => {
  const sessions = async (...words: string[]): Promise<string> =>
    json(await run('ls', '--json', ...words))
      .sessions.map(({ title }: { readonly title: string }) => title.split(' ')[0])
      .join(' ')

  it.each([
    ['', 'Fix Write'],
    ['-n 1', 'Fix'],
    ['--sort title', 'Fix Write'],
    ['--sort first', 'Fix Write'],
    ['--sort turns -n 1', 'Fix'],
    ['--project other', 'Write'],
    ['--project -home-dev-other', 'Write'],
    ['--file walrus.md', 'Write'],
    ['--file lexer.ts', 'Fix'],
    ['--since 2000-01-01', 'Fix Write'],
    ['--until 2000', ''],
  ])('[X12] %s', async (words, expected) => {
    expect(await sessions(...words.split(' ').filter(word => word !== ''))).toBe(expected)
  })

  it('[X12] one object a line with --jsonl, one table with --sort, and a sentence where nothing is left', async () => {
    const lines = (await run('ls', '--jsonl')).stdout.trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line).dagline)).toEqual([1, 1])
    const table = (await run('ls', '--sort', 'turns')).stdout.split('\n')
    expect(table[1]).toContain('Fix the parser  (1 branch, 1 subagent, 1 subagent without a file)')
    expect((await run('ls', '--until', '2000')).stderr).toBe(
      'No sessions match --until. Remove it, or give a wider one.\n',
    )
  })

  it.each([
    ['first', /^session +project +first /, 's1 '],
    ['branches', / branches +title$/, ' 1  Fix the parser  (1 subagent, 1 subagent without a file)'],
    ['subagents', / subagents +title$/, ' 2  Fix the parser  (1 branch)'],
  ])('[X12] --sort %s has a column for it', async (key, head, row) => {
    const [titles = '', first = ''] = (await run('ls', '--sort', key)).stdout.split('\n')
    expect(titles).toMatch(head)
    expect(first).toContain(row)
  })

  it.each([
    ['--project', 'nosuch', 'No project matches nosuch.'],
    ['--file', 'nosuch', 'No call names a file whose path ends with nosuch.'],
    ['--since', 'soon', 'soon is not a valid date.'],
    ['--sort', 'colour', 'Allowed choices are last, first'],
    ['--sort', 'problems', 'Allowed choices are last, first'],
    ['-n', '0', '-n 0 is not valid.'],
  ])('[X12] %s %s is an error', async (option, value, message) => {
    const ran = await run('ls', option, value)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(message.replace('-n 0', '--limit 0'))
  })
})

const rowsOf = async (list: string, ...words: string[]): Promise<readonly Record<string, unknown>[]> =>
  json(await run(list, '--json', ...words))[list]

describe('agents', () => {
  it('[X13] each subagent with its figures, and calls that left none', async () => {
    const [lost, found] = await rowsOf('agents', 's1')
    expect(found).toMatchObject({
      ref: expect.stringContaining('#agent-x'),
      type: 'Explore',
      state: 'complete',
      description: 'Look for tokens',
      depth: 1,
      turns: 1,
      tools: 1,
      errors: 0,
      tokens: 30,
      duration: 3000,
      title: 'Fix the parser',
    })
    expect(found?.['costUSD']).toBeGreaterThan(0)
    expect(lost).toMatchObject({
      ref: tokenUuid('a10'),
      state: 'missing',
      agent: null,
      tokens: 0,
      costUSD: null,
    })
    expect((await run('log', String(found?.['ref']))).stdout).toContain('Two tokens are slow')
  })

  it('[X13] cost is that of usage', async () => {
    const agents = await rowsOf('agents')
    const { rows } = json(await run('usage', '--by', 'agent', '--json'))
    const spent = rows.find(({ key }: { readonly key: string }) => key === 'Explore')
    expect(agents.find(({ type }) => type === 'Explore')?.['costUSD']).toBe(spent.costUSD)
  })

  it('[X12] sorts, limits, and says that there are none', async () => {
    expect((await rowsOf('agents', '--sort', 'tokens', '-n', '1')).map(({ state }) => state)).toEqual([
      'complete',
    ])
    expect((await run('agents', 's2')).stderr).toBe('The session has no subagents.\n')
    expect((await run('agents', '--until', '2000')).stderr).toBe(
      'No subagents match --until. Remove it, or give a wider one.\n',
    )
    expect((await run('agents', 'nosuch')).code).toBe(1)
    const text = (await run('agents', 's1')).stdout
    expect(text).toContain('no file')
    expect(text.split('\n')[0]).not.toContain('errors')
  })
})

describe('branches', () => {
  it('[X14] the abandoned ones of all sessions, with cost and what replaced them', async () => {
    expect(await rowsOf('branches')).toMatchObject([
      {
        status: 'abandoned',
        kind: 'rewind',
        messages: 3,
        prompt: 'By hand',
        instead: 'With help',
        tokens: 30,
      },
    ])
    expect((await run('branches')).stdout).toContain('By hand')
    expect((await run('branches', '--project', 'other')).stderr).toBe(
      'No branches match --project. Remove it, or give a wider one.\n',
    )
  })

  it('[X14] of a session the forks, in the same forms', async () => {
    expect(json(await run('branches', 's1', '--json')).forks).toHaveLength(1)
    expect(json(await run('branches', 's1', '--jsonl'))).toMatchObject({ dagline: 1, kind: 'rewind' })
    expect((await run('branches', 's1', '--sort', 'cost')).stderr).toContain('leave out the session')
    expect((await run('branches', '--all')).stderr).toContain('Give the session')
  })
})

describe('files', () => {
  it('[X15] how often each was touched, and by whom', async () => {
    expect(await rowsOf('files')).toMatchObject([
      { path: FILES['t5'], reads: 1, edits: 1, writes: 0, main: 1, subagents: 1, sessions: ['s1'] },
      { path: FILES['t1'], reads: 1, edits: 1, main: 2, subagents: 0 },
      { path: FILES['t7'], writes: 1, sessions: ['s2'] },
    ])
    const paths = async (...words: string[]): Promise<unknown> =>
      (await rowsOf('files', ...words)).map(({ path }) => path)
    expect(await paths('s2')).toEqual([FILES['t7']])
    expect(await paths('--project', 'other')).toEqual([FILES['t7']])
    expect(await paths('--file', 'LEXER.ts')).toEqual([FILES['t5']])
    expect(await paths('--sort', 'path', '-n', '1')).toEqual([FILES['t7']])
    expect((await run('files', '--file', 'nosuch')).stderr).toContain('No call names a file')
    expect((await run('files', 's1')).stdout).toMatch(/ src\/lexer\.ts\n/)
  })
})

describe('prompts', () => {
  it('[X16] what was typed, with where it is', async () => {
    const typed = (await rowsOf('prompts')).map(({ ref, text, state }) => [ref, text, state])
    const prompt = (token: string, text: string, state: string): unknown => [tokenUuid(token), text, state]
    expect(typed).toEqual([
      prompt('u5', 'Lose one', 'live'),
      prompt('u3', 'With help', 'live'),
      prompt('u2', 'By hand', 'abandoned'),
      prompt('u1', 'Fix the parser', 'live'),
      prompt('u6', 'Write a walrus', 'live'),
    ])
    expect((await rowsOf('prompts', '-n', '2', '--project', 'proj')).map(({ text }) => text)).toEqual([
      'Lose one',
      'With help',
    ])
    expect((await rowsOf('prompts', '--sort', 'length', '-n', '1')).map(({ text }) => text)).toEqual([
      'Fix the parser',
    ])
    expect((await run('prompts', 's2')).stdout).toContain('Write a walrus')
  })
})

describe('usage', () => {
  it('[X4] sessions have titles, weeks the day they begin with', async () => {
    const rows = json(await run('usage', '--by', 'session', '--json')).rows
    expect(rows.map(({ title }: { readonly title: string }) => title).sort()).toEqual([
      'Fix the parser',
      'Write a walrus',
    ])
    expect((await run('usage', '--by', 'session')).stdout).toContain('Fix the parser')
    expect((await run('usage', '--by', 'week')).stdout).toMatch(/^2026-W\d\d, from 20\d\d-\d\d-\d\d /m)
  })
})

describe('a project in the place of a session', () => {
  const sessionsOf = async (list: string, word: string): Promise<readonly unknown[]> => {
    const rows = await rowsOf(list, word)
    return [...new Set(rows.flatMap(({ session, sessions }) => session ?? sessions))]
  }

  it.each([
    ['agents', ['s1']],
    ['branches', ['s1']],
    ['files', ['s1']],
    ['prompts', ['s1']],
  ])('[U1] %s lists those of all its sessions', async (list, expected) => {
    expect(await sessionsOf(list, '/home/dev/proj')).toEqual(expected)
    expect(await sessionsOf(list, join(root, '-home-dev-proj'))).toEqual(expected)
    expect((await run(list, '/home/dev/proj', '--project', 'other')).stderr).toBe(
      'dagline: /home/dev/proj and --project other are two projects. Give one of them.\n',
    )
  })

  it('[U8] [X41] [X43] is named by none of the sentences about one session', async () => {
    expect((await run('agents', 'other')).stderr).toBe('There are no subagents.\n')
    expect((await run('branches', 'other')).stderr).toBe('There are no abandoned branches.\n')
    const used = async (...words: string[]): Promise<number> =>
      json(await run('waste', ...words, '--json')).used
    expect(await used('proj')).toEqual(await used('--project', 'proj'))
    expect(await used('other')).toEqual(await used('s2'))
    expect(json(await run('lessons', 'other', '--json')).lessons).toEqual([])
  })

  it('[U3] the transcript of a subagent stands for its session', async () => {
    const path = join(root, '-home-dev-proj', 's1', 'subagents', 'agent-x.jsonl')
    const typed = await rowsOf('prompts', path)
    expect(new Set(typed.map(({ session }) => session))).toEqual(new Set(['s1']))
    expect(json(await run('search', '--session', path, '--role', 'human', '--json', 'walrus')).hits).toEqual(
      [],
    )
  })
})

describe('search', () => {
  it.each([
    ['--file', 'src/parser.ts', 'a2 a1'],
    ['--file', 'walrus.md', 'a12'],
    ['--tool', 'Write', 'r7 a12'],
    ['--errors', '', 'r2'],
    ['--agent', 'Explore', 'a8 r5 a7 u4'],
    ['--branch', 'abandoned', 'a5 r3 a4 u2'],
  ])('[H13] %s %s alone is a query, the newest first', async (option, value, expected) => {
    const ran = await run('search', option, ...(value === '' ? [] : [value]), '--json')
    expect(nodes(ran)).toEqual(uuids(expected))
    expect(ran).toMatchObject({ code: 0, stderr: '' })
  })

  it('[H13] with words a file means the sessions that touched it', async () => {
    expect(nodes(await run('search', 'fixed', '--file', 'lexer.ts', '--json'))).toEqual(uuids('a3'))
    expect((await run('search', 'walrus', '--file', 'lexer.ts')).code).toBe(1)
  })

  it('[H13] -l counts by session, --sort rank by the number', async () => {
    const { sessions, total } = json(await run('search', '-l', '--role', 'human', '--json'))
    const counts = sessions.map(({ title, matches }: Record<string, unknown>) => [title, matches])
    expect(counts).toEqual([
      ['Fix the parser', 5],
      ['Write a walrus', 1],
    ])
    expect(total).toBe(6)
    const ran = await run('search', 'walrus', '-l', '--jsonl')
    expect(json(ran)).toMatchObject({ dagline: 1, matches: 3, title: 'Write a walrus' })
    expect((await run('search', '-l', 'absent')).code).toBe(1)
  })

  it('[H13] -C gives what stands around a hit on its line', async () => {
    const { hits } = json(await run('search', 'hand', '--role', 'human', '-C', '1', '--json'))
    const around = hits.map(({ before, after }: Record<string, readonly { readonly node: string }[]>) =>
      [...(before ?? []), ...(after ?? [])].map(({ node }) => node),
    )
    expect(around).toEqual([uuids('a4')])
    const printed = (await run('search', 'tokens', '--role', 'claude', '-C', '2')).stdout.split('\n')
    // Without a number it is 2, and a word behind it is what is searched for.
    for (const words of [
      ['tokens', '--role', 'claude', '-C'],
      ['-C', 'tokens', '--role', 'claude'],
    ])
      expect((await run('search', ...words)).stdout.split('\n')).toEqual(printed)
    expect(printed.slice(1, 5).map(line => line.slice(2, 10))).toEqual(
      uuids('a7 r5 a8')
        .map(uuid => uuid.slice(0, 8))
        .concat('  Two to'),
    )
  })

  it('[H13] log -n prints the last rows', async () => {
    const rows = async (...words: string[]) =>
      json(await run('log', 's1', '--json', ...words)).rows.map(({ node }: { readonly node: string }) => node)
    expect(await rows('-n', '3')).toEqual((await rows()).slice(-3))
    expect(await rows('-n', '1000')).toEqual(await rows())
    const lines = (await run('log', 's1', '-n', '1')).stdout.trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(/Lost$/)
    expect(lines).toHaveLength(3)
    expect((await run('log', 's1', '-n', '1', '--tree')).code).toBe(1)
  })

  it('[H13] log --around prints the rows around an entry, which is marked', async () => {
    const texts = async (...words: string[]): Promise<readonly string[]> =>
      json(await run('log', ...words, '--json')).rows.map(({ node }: { readonly node: string }) => node)
    expect(await texts('--around', tokenUuid('a5'), '-C', '1')).toEqual(uuids('r3 a5'))
    expect(await texts('--around', tokenUuid('r5'), '-C', '1')).toEqual(uuids('a7 r5 a8'))
    const lines = (await run('log', '--around', tokenUuid('a9'), '-C', '0')).stdout.trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(/^\d\d:\d\d ▸Claude +Helped/)
    expect((await run('log', '--around', 's1')).stderr).toContain('s1 is not an entry.')
  })

  it('[H7] a pattern without words finds the newest first', async () => {
    const { hits } = json(await run('search', '--regex', 'parser|walrus|Helped', '--json', '-n', '99'))
    const times = hits.map(({ time }: { readonly time: string }) => time)
    expect(times).toEqual(times.toSorted().reverse())
  })

  it.each([
    ['--tool', 'Bsah', 'No tool is called Bsah. Run `dagline stats` to list the tools.'],
    ['--file', 'nowhere.ts', 'No call names a file whose path ends with nowhere.ts.'],
    ['--project', 'nosuch', 'No project matches nosuch.'],
    ['--session', 'nosuch', 'No session begins with nosuch.'],
    ['--agent', 'nosuch', 'No subagent is of the type nosuch.'],
    ['--since', '2026-02-30', '2026-02-30 is not a valid date.'],
  ])('[H13] %s %s is said to be unknown, exit code 1', async (option, value, message) => {
    for (const words of [[], ['the']]) {
      const ran = await run('search', ...words, option, value)
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toContain(message)
    }
  })

  it('[H13] nothing found is exit code 1; no filter at all is an error', async () => {
    expect(await run('search', 'quagga', '--json')).toMatchObject({ code: 1 })
    expect((await run('search')).stderr).toContain('There is nothing to search for.')
    expect((await run('search', 'x', '--since', '2026-03', '--until', '2026-02')).stderr).toContain(
      '--since 2026-03 is later than --until 2026-02.',
    )
    expect(nodes(await run('search', 'walrus', '--session', 'latest', '--json', '--role', 'human'))).toEqual(
      [],
    )
  })

  it('[H6] a snippet is cut to the width around its first mark', () => {
    const snippet = 'one two three four five six seven eight nine ten'
    const at = snippet.indexOf('seven')
    const fitted = fitMarked({ snippet, marks: [[at, at + 5]] }, 24)
    expect(fitted).toEqual({ snippet: '…six seven eight nine t…', marks: [[5, 10]] })
    expect(fitMarked({ snippet, marks: [[at, at + 5]] }, 99).snippet).toBe(snippet)
    expect(fitMarked({ snippet, marks: [] }, 12).snippet).toBe('one two thr…')
  })
})

describe('an empty answer', () => {
  const LISTS = ['ls', 'agents', 'branches', 'files', 'prompts', 'usage', 'search x', 'search -l x']

  it.each(LISTS)('[U8] of %s says once that there are no transcripts, and where it looked', async words => {
    await withHome([], async home => {
      const env = { CLAUDE_CONFIG_DIR: home.config, XDG_CACHE_HOME: home.dir, XDG_DATA_HOME: home.dir }
      for (const options of [[], ['--since', '30d']]) {
        const { stderr } = await runHere([...words.split(' '), ...options], { env, isTerminal: false })
        expect(stderr).toBe(
          `No transcripts in ${home.projects}. Give another PATH or --root, or set CLAUDE_CONFIG_DIR.\n`,
        )
      }
    })
  })

  it.each(['census', 'graph', 'tree', 'stats', 'doctor', 'waste', 'lessons'])(
    '[U8] of %s is this sentence alone',
    async words => {
      await withHome([], async home => {
        const env = { CLAUDE_CONFIG_DIR: home.config, XDG_CACHE_HOME: home.dir, XDG_DATA_HOME: home.dir }
        const { stdout, stderr } = await runHere([words], { env, isTerminal: false })
        expect([stdout, stderr]).toEqual([
          '',
          `No transcripts in ${home.projects}. Give another PATH or --root, or set CLAUDE_CONFIG_DIR.\n`,
        ])
      })
    },
  )

  it('[U8] names the folder of a relative path, and says the same where there is an archive', async () => {
    await withHome([], async home => {
      const env = { CLAUDE_CONFIG_DIR: home.config, XDG_CACHE_HOME: home.dir, XDG_DATA_HOME: home.dir }
      const ask = async (...words: string[]): Promise<string> =>
        (await runHere(words, { env, isTerminal: false })).stderr
      expect(await ask('stats', relative(process.cwd(), home.dir))).toContain(
        `No transcripts in ${home.dir}. `,
      )
      await ask('archive')
      expect(await ask('log')).toContain(`No transcripts in ${home.projects}. `)
    })
  })

  it.each([
    ['waste --until 2000', 'No API messages match --until. Remove it, or give a wider one.'],
    ['ls --until 2000', 'No sessions match --until. Remove it, or give a wider one.'],
    ['agents --until 2000', 'No subagents match --until. Remove it, or give a wider one.'],
    ['branches --until 2000', 'No branches match --until. Remove it, or give a wider one.'],
    ['files --until 2000', 'No files match --until. Remove it, or give a wider one.'],
    ['prompts --until 2000', 'No prompts match --until. Remove it, or give a wider one.'],
    ['usage --until 2000', 'No API messages match --until. Remove it, or give a wider one.'],
    ['agents s2', 'The session has no subagents.'],
    ['branches s2', 'The session has no branches.'],
    [
      'usage --branch abandoned --session s2',
      'No abandoned branch has usage: everything that was counted is live.',
    ],
    [
      'search quagga --until 2000',
      'Nothing found. Remove a filter, or try fewer or other words: a text must contain all of them. --regex searches for any text.',
    ],
    ['search --regex quagga', 'Nothing found. Try another pattern.'],
    [
      'search ?!',
      'Nothing found. Give at least one letter or digit, or use --regex to search for punctuation.',
    ],
  ])('[U8] of %s is one sentence', async (words, sentence) => {
    const { stdout, stderr } = await run(...words.split(' '))
    expect([stdout, stderr]).toEqual(['', `${sentence}\n`])
  })
})
