import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SESSION_TABLES } from '@dagline/core/tables'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import {
  answer,
  called,
  onFiles,
  onRich,
  print,
  prompt,
  sessionFile,
  sheetOf,
  unpackPage,
} from './export-files.js'
import { json, onShape } from './run.js'
import { LINKED, RICH } from './shapes.js'

describe('export --format html', () => {
  it('is one page with its script, its style and its data, and nothing else', async () => {
    const html = await print('html')
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
    const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`,
    )
    expect(script.length).toBeGreaterThan(10_000)
    expect(html.match(/<script/g)).toHaveLength(3)
    expect(html.replace(script, '').replace(style, '')).not.toMatch(/src=|href=|https?:/)
    expect(html).toContain('<title>Fix the parser, then the lexer</title>')
  })

  it('holds the sheet and the contents of all rows', async () => {
    const page = unpackPage(await print('html'))
    expect([...page.keys()]).toEqual(['sheet', 'chunk-0'])
    const sheet = JSON.parse(page.get('sheet') ?? '')
    const contents = JSON.parse(page.get('chunk-0') ?? '')
    expect(contents.map((content: { node: string }) => content.node)).toEqual(sheet.rows.node)
    expect(page.get('chunk-0')).toContain('Rewriting it from scratch.')
    expect(page.get('chunk-0')).toContain('Two tokens are slow.')
  })

  it('omits what was not asked for', async () => {
    const all = await sheetOf()
    const live = await sheetOf('--branch', 'live')
    const alone = await sheetOf('--no-agents')
    const spoken = await sheetOf('--no-tools')
    const kinds = (sheet: typeof all): string =>
      sheet.lines.map((line: { kind: string }) => line.kind).join(' ')
    expect(kinds(all)).toBe('trunk branch branch agent agent')
    expect(all.forks).toHaveLength(1)
    expect(kinds(live)).toBe('trunk branch agent agent')
    expect(live.forks).toHaveLength(0)
    expect(kinds(alone)).toBe('trunk branch branch')
    expect(kinds(spoken)).toBe('trunk branch branch agent agent')
    expect(all.rows.node.length - live.rows.node.length).toBe(2)
    expect(all.rows.node.length - spoken.rows.node.length).toBe(8)
  })

  it.each([
    [],
    ['--branch', 'live'],
    ['--no-agents'],
    ['--no-tools'],
    ['--no-tools', '--depth', '1', '--branch', 'live'],
  ])('every number in the sheet leads somewhere: %s %s %s', async (...words) => {
    const { rows, lines, forks, epochs, returns, live } = await sheetOf(...words)
    const count = rows.node.length
    for (const [row, up] of rows.up.entries()) {
      expect(row - up).toBeGreaterThanOrEqual(0)
      expect(row - rows.joins[row]).toBeGreaterThanOrEqual(0)
      expect(lines[rows.line[row]]).toBeDefined()
      expect(up > 0).toBe(rows.edge[row] > 0)
    }
    for (const [number, line] of lines.entries()) {
      expect(rows.line[line.head]).toBe(number)
      expect(line.at).toBeLessThan(count)
      if (line.at >= 0) expect(rows.line[line.at]).toBe(line.parent)
    }
    const named = [...forks, ...epochs].map(({ row }) => row)
    for (const row of [...named, ...live, ...returns.flat()]) expect(row).toBeLessThan(count)
  })

  it('has whole texts, images, and results from files of their own', async () => {
    const long = `start ${'all work and no play '.repeat(4000)} end`
    const image = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    const spilled =
      '<persisted-output>\nOutput too large. Full output saved to: /home/ada/x/tool-results/big.txt\n'
    const records = [
      prompt([
        { type: 'text', text: 'look' },
        { type: 'image', source: image },
      ]),
      ...called('Bash', { command: 'cat big' }, spilled),
      answer({ type: 'text', text: long }),
    ]
    const files = [
      sessionFile('s1', records),
      { path: '-home-dev-proj/s1/tool-results/big.txt', text: 'the whole of the big result' },
    ]
    const html = await onFiles(files, run => run('export', 's1', '--out', '-').stdout)
    const contents = unpackPage(html).get('chunk-0') ?? ''
    expect(contents).toContain(long)
    expect(contents).toContain('iVBORw0KGgo=')
    expect(contents).toContain('the whole of the big result')
  })
})

describe('export --format json', () => {
  it('is the part of the graph that belongs to the session, with the contents of its rows', async () => {
    const [made, graph] = await onRich(run => [
      JSON.parse(run('export', 's1', '--format', 'json', '--out', '-').stdout),
      json(run('graph', '--json')),
    ])
    for (const part of [
      'files',
      'sessions',
      'lines',
      'folded',
      'forks',
      'live',
      'agents',
      'epochs',
      'queue',
      'diagnostics',
    ])
      expect(made[part], part).toEqual(graph[part])
    expect(made.totals).toEqual(graph.totals)
    expect(made.contents).toHaveLength(graph.totals.placed)
    expect(made.contents[0].blocks).toEqual([
      { kind: 'text', text: { text: 'Fix the parser, then the lexer', cut: null } },
    ])
  })

  it('has nothing of other sessions', async () => {
    const shape = `s1: u1"one" a1\ns2: u2"two" a2`
    const made = await onShape(shape, run =>
      JSON.parse(run('export', 's2', '--format', 'json', '--out', '-').stdout),
    )
    expect(made.sessions.map((session: { id: string }) => session.id)).toEqual(['s2'])
    expect(made.contents).toHaveLength(2)
    expect(JSON.stringify(made)).not.toContain('"one"')
  })
})

describe('export --format jsonl', () => {
  const odd =
    '{"type":"user", "uuid":"u-1","sessionId":"s1","parentUuid":null,"message":{"role":"user","content":"caf\\u00e9 é"}}'
  const note = '{"type":"custom-title","customTitle":"My title","sessionId":"s1"}'

  it('gives the same bytes again', async () => {
    const text = `${odd}\n${note}\n`
    const files = [{ path: '-home-dev-proj/s1.jsonl', text }]
    expect(await onFiles(files, run => run('export', 's1', '--format', 'jsonl', '--out', '-').stdout)).toBe(
      text,
    )
  })

  it('has the rows of a branch, which parse to the same conversation', async () => {
    const [rows, again] = await onRich((run, out) => {
      const { stdout } = run('export', 's1', '--format', 'jsonl', '--branch', 'live', '--out', '-')
      mkdirSync(out)
      writeFileSync(join(out, 's1.jsonl'), stdout)
      return [stdout, json(run('log', join(out, 's1.jsonl'), '--json'))]
    })
    expect(rows).not.toContain('by hand')
    expect(
      again.rows.filter((row: { live: boolean }) => row.live).map((row: { text: string }) => row.text),
    ).toEqual(['Parser and lexer are fixed.', 'Thanks', 'You are welcome.'])
  })
})

describe('export --format parquet', () => {
  it('[Y9] is a folder with the tables of all sessions, and one with what entries say', async () => {
    const tables = await onShape(RICH, async (run, home) => {
      const out = join(home.dir, 'tables')
      expect(run('export', 's1', '--format', 'parquet', '--out', out).code).toBe(0)
      const read = async (name: string): Promise<readonly Record<string, unknown>[]> =>
        await parquetReadObjects({ file: await asyncBufferFromFile(join(out, `${name}.parquet`)) })
      return {
        names: readdirSync(out).sort(),
        nodes: await read('nodes'),
        contents: await read('contents'),
        calls: await read('tool_calls'),
        branches: await read('branches'),
        usage: await read('usage'),
      }
    })
    expect(tables.names).toEqual(SESSION_TABLES.map(({ name }) => `${name}.parquet`).sort())
    expect(tables.nodes.filter(row => row['agent'] != null)).toHaveLength(6)
    expect(tables.nodes.filter(row => row['status'] === 'abandoned')).toHaveLength(2)
    expect(tables.nodes[0]).toMatchObject({ type: 'prompt', actor: 'Human', row: 1n, session: 's1' })
    expect(tables.nodes[0]?.['time']).toBeInstanceOf(Date)
    expect(tables.contents.map(row => row['text'])).toContain('Two tokens are slow.')
    expect(tables.calls.map(row => row['tool'])).toEqual(['Bash', 'Task', 'Task', 'Bash'])
    expect(tables.calls.every(row => row['ending'] === 'ok')).toBe(true)
    const results = tables.contents.filter(row => row['kind'] === 'result').map(row => row['call'])
    expect(results.sort()).toEqual(tables.calls.map(row => row['call']).sort())
    expect(tables.branches.map(row => row['kind']).sort()).toEqual([
      'agent',
      'agent',
      'branch',
      'branch',
      'trunk',
    ])
    expect(tables.usage.length).toBeGreaterThan(5)
    expect(typeof tables.usage[0]?.['output']).toBe('bigint')
  })

  it('[Y9] a part has the rows of its entries, and none of calls that are omitted', async () => {
    const read = async (out: string, name: string): Promise<number> =>
      (await parquetReadObjects({ file: await asyncBufferFromFile(join(out, `${name}.parquet`)) })).length
    const counts = await onShape(RICH, async (run, home) => {
      const out = join(home.dir, 'tables')
      run(
        'export',
        's1',
        '--format',
        'parquet',
        '--branch',
        'live',
        '--no-agents',
        '--no-tools',
        '--out',
        out,
      )
      const names = ['branches', 'subagents', 'tool_calls', 'files', 'sessions', 'transcripts']
      return await Promise.all(names.map(name => read(out, name)))
    })
    expect(counts).toEqual([2, 0, 0, 0, 1, 3])
  })

  it('[Y2] a project has each row once, with the session that owns it', async () => {
    const shape = 's1: u1 a1 u2 a2\ns2: u1 a1 u2 a2 u3 a3'
    const { nodes, usage, live } = await onShape(shape, async (run, home) => {
      const read = async (out: string, name: string): Promise<readonly Record<string, unknown>[]> => {
        const files = readdirSync(out).filter(file => !file.endsWith('.html'))
        const tables = files.map(async file =>
          parquetReadObjects({ file: await asyncBufferFromFile(join(out, file, `${name}.parquet`)) }),
        )
        return (await Promise.all(tables)).flat()
      }
      const [out, other] = [join(home.dir, 'all'), join(home.dir, 'live')]
      const project = ['export', '--project', 'proj', '--format', 'parquet']
      run(...project, '--out', out)
      run(...project, '--branch', 'live', '--out', other)
      return {
        nodes: await read(out, 'nodes'),
        usage: await read(out, 'usage'),
        live: await read(other, 'usage'),
      }
    })
    expect(nodes.map(row => row['session']).sort()).toEqual(['s1', 's1', 's1', 's1', 's2', 's2'])
    expect(usage).toHaveLength(3)
    expect(live).toHaveLength(3)
  })

  it('a session without calls has an empty table of them', async () => {
    const rows = await onShape('s1: u1"hi" a1"hello"', async (run, home) => {
      const out = join(home.dir, 'tables')
      expect(run('export', 's1', '--format', 'parquet', '--out', out).stderr).toContain('tables')
      return await parquetReadObjects({ file: await asyncBufferFromFile(join(out, 'tool_calls.parquet')) })
    })
    expect(rows).toEqual([])
  })
})

describe('the output of an export', () => {
  it('is a file named after the session, or a given file or folder', async () => {
    await onRich((run, out) => {
      expect(run('export', 's1', '--format', 'md', '--out', `${out}/`).stderr).toContain(join(out, 's1.md'))
      expect(run('export', 's1', '--format', 'md', '--out', join(out, 'my.md')).code).toBe(0)
      expect(readdirSync(out).sort()).toEqual(['my.md', 's1.md'])
    })
  })

  it('does not overwrite files unless asked, and leaves no partial file', async () => {
    await onRich((run, out) => {
      mkdirSync(out)
      const file = join(out, 'mine.html')
      writeFileSync(file, 'mine')
      const ran = run('export', 's1', '--out', file)
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain(
        'already exists. Give another path with --out, or use --force to overwrite it.',
      )
      expect(readFileSync(file, 'utf8')).toBe('mine')
      expect(run('export', 's1', '--out', file, '--force').code).toBe(0)
      expect(readFileSync(file, 'utf8')).toContain('<!doctype html>')
      expect(readdirSync(out)).toEqual(['mine.html'])
    })
  })

  it('does not remove other files of a folder', async () => {
    await onRich((run, out) => {
      mkdirSync(out)
      writeFileSync(join(out, 'mine.txt'), 'mine')
      expect(run('export', 's1', '--format', 'parquet', '--out', out).code).toBe(1)
      expect(run('export', 's1', '--format', 'parquet', '--out', out, '--force').code).toBe(0)
      expect(readdirSync(out)).toHaveLength(SESSION_TABLES.length + 1)
      expect(readFileSync(join(out, 'mine.txt'), 'utf8')).toBe('mine')
    })
  })

  it('is listed in JSON', async () => {
    const [made, out] = await onRich((run, folder) => [
      json(run('export', 's1', '--json', '--out', join(folder, 'a.html'))),
      folder,
    ])
    expect(made).toMatchObject({ dagline: 1, files: [{ path: join(out, 'a.html') }], redacted: null })
  })

  it.each([
    [['s1', '--format', 'parquet', '--out', '-'], 'Tables do not fit into one stream'],
    [['--project', 'proj', '--out', '-'], 'A project is many files'],
    [['s1', '--project', 'proj'], 'A session and --project do not go together'],
    [['--project', 'nowhere'], 'No project matches nowhere'],
    [['zzz'], 'No session begins with zzz'],
    [['s1', '--branch', '@zzz'], 'No branch or subagent is called @zzz'],
    [['s1', '--depth', 'x'], '--depth x is not valid'],
    [['s1', '--redact', 'all'], '--redact all is not valid'],
    [['--redact', 'nobody'], 'No session begins with nobody'],
    [['--redact', 'paths,nobody'], '--redact nobody is not valid'],
    [['s1', '--format', 'jsonl', '--no-tools'], 'A transcript needs its tool calls'],
    [['s1', '--format', 'pdf'], 'Allowed choices are html, md, json, jsonl, parquet'],
  ])('%s: one sentence', async (words, sentence) => {
    const ran = await onRich(run => run('export', ...words))
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' })
    expect(ran.stderr).toContain(sentence)
    expect(ran.stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('export --project', () => {
  it('is a folder with a page for each session and one that lists them', async () => {
    const shape = `s1: u1"First <b>prompt</b>" a1\ns2: u2"Second" a2`
    await onShape(shape, (run, home) => {
      const out = join(home.dir, 'out')
      const ran = run('export', '--project', 'proj', '--out', out)
      expect({ code: ran.code, files: readdirSync(out).sort() }).toEqual({
        code: 0,
        files: ['index.html', 's1.html', 's2.html'],
      })
      const index = readFileSync(join(out, 'index.html'), 'utf8')
      expect(index).toContain('<a href="s1.html">First &lt;b&gt;prompt&lt;/b&gt;</a>')
      expect(index).toContain('2 sessions')
      expect(index.indexOf('s1.html')).toBeLessThan(index.indexOf('s2.html'))
      // One script, of our own: its hash is in the policy.
      const scripts = [...index.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(
        ([, script = '']) => script,
      )
      expect(scripts).toHaveLength(1)
      const hash = createHash('sha256')
        .update(scripts[0] ?? '')
        .digest('base64')
      expect(index).toContain(`script-src 'sha256-${hash}'; style-src 'sha256-`)
      expect(existsSync(join(home.dir, '.out'))).toBe(false)
    })
  })

  it('[S1] lists sessions below those they come from', async () => {
    await onShape(LINKED, (run, home) => {
      const out = join(home.dir, 'out')
      run('export', '--project', 'proj', '--out', out)
      const index = readFileSync(join(out, 'index.html'), 'utf8')
      const list = index
        .slice(index.indexOf('<ol>'), index.indexOf('</main>'))
        .replace(/<small>.*?<\/small>/g, '')
      expect(list.replace(/\s*\n\s*/g, '')).toBe(
        '<ol><li><div><a href="s1.html">Begin</a></div><ol><li><div><a href="s3.html">Otherwise</a></div></li><li><div><a href="s2.html">Later</a></div></li></ol></li></ol>',
      )
    })
  })

  it('also in another format', async () => {
    await onShape(`s1: u1"One" a1`, (run, home) => {
      const out = join(home.dir, 'out')
      expect(run('export', '--project', 'proj', '--format', 'md', '--out', out).code).toBe(0)
      expect(readdirSync(out).sort()).toEqual(['index.html', 's1.md'])
    })
  })
})
