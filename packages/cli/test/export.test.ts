import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tokenUuid } from '@dagline/testkit'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { answer, called, onFiles, prompt, sessionFile, unpackPage } from './export-files.js'
import { block, json, onShape, type Ran } from './run.js'
import { RICH } from './shapes.js'

type Use<T> = (run: (...words: string[]) => Ran, out: string) => T

/** Exports from a shape into a folder of its home. */
async function onRich<T>(use: Use<T>): Promise<T> {
  return await onShape(RICH, (run, home) => use(run, join(home.dir, 'out')))
}

function print(format: string, ...words: string[]): Promise<string> {
  return onRich(run => {
    const ran = run('export', 's1', '--format', format, '--out', '-', ...words)
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    return ran.stdout
  })
}

async function sheetOf(...words: string[]): Promise<ReturnType<typeof JSON.parse>> {
  const page = unpackPage(await print('html', ...words))
  return JSON.parse(page.get('sheet') ?? '')
}

/** A result that comes two minutes late, after the assistant has gone on. */
const LATE = `s1: u1"Start" a1[t1:Bash] a2"I keep talking" a3[t2:Read] r2[t2] a4"Continuation ends"
s1: a1 > r1[t1]@+2m a5"It arrived"`

describe('a late result', () => {
  const exported = (format: string): Promise<string> =>
    onShape(LATE, run => run('export', 's1', '--format', format, '--out', '-').stdout)

  it('[T4] stays where it came in Markdown, and is printed once', async () => {
    const text = await exported('md')
    const order = [
      '**Bash**',
      'came later',
      'I keep talking',
      'result r2',
      'Continuation ends',
      'result r1',
      'It arrived',
    ]
    expect(order.map(words => text.indexOf(words))).toEqual(
      order.map(words => text.indexOf(words)).toSorted((a, b) => a - b),
    )
    expect(text.split('result r1')).toHaveLength(2)
    expect(text).toContain('**Result of Bash**')
  })

  it.each(['json', 'html'])('[T4] stays in its own row in %s', async format => {
    const text = await exported(format)
    const rows =
      format === 'json' ? JSON.parse(text).contents : JSON.parse(unpackPage(text).get('chunk-0') ?? '')
    const blocks = new Map<string, { result?: unknown; late?: string; kind: string; text: { text: string } }>(
      rows.map((row: { node: string; blocks: unknown[] }) => [row.node, row.blocks[0]]),
    )
    expect(blocks.get(tokenUuid('a1'))).toMatchObject({ kind: 'call', result: null, late: tokenUuid('r1') })
    expect(blocks.get(tokenUuid('r1'))).toMatchObject({ kind: 'result', text: { text: 'result r1' } })
    expect(blocks.get(tokenUuid('a3'))).toMatchObject({ result: { text: { text: 'result r2' } } })
  })
})

/** A session with a rewind and a subagent, one that resumes it, and one that was forked from the branch that was left. */
const FAMILY = `s1: u1"Begin" a1"Begun" u2"By hand" a2"Done by hand"
s1: a1 > u3"With help"@+10m a3[t1:Task>x]
s1/x: u4"Look" a4"Seen"
s1: a3 > r3[t1>x] a5"Helped"
s2: a5 > u5"Later"@+1h a6"Still here"
s3: a2 > u6"Otherwise"@+1h a7"As you like"`

/** The names of anchors, and the links within the document. */
function anchorsIn(text: string): { readonly names: readonly string[]; readonly links: readonly string[] } {
  const find = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name)
  return { names: find(/<a id="([^"]+)">/g), links: find(/\]\(#([^)]+)\)/g) }
}

describe('links', () => {
  const inFolder = <T>(
    format: string,
    use: (read: (name: string) => string) => T,
    ...words: string[]
  ): Promise<T> =>
    onShape(FAMILY, (run, home) => {
      const out = join(home.dir, 'out')
      const ran = run('export', '--project', 'proj', '--format', format, '--out', out, ...words)
      expect({ code: ran.code, stderr: ran.stderr.includes('Error') }).toEqual({ code: 0, stderr: false })
      return use(name => readFileSync(join(out, name), 'utf8'))
    })
  const at = (token: string): string => `e-${tokenUuid(token)}`

  it('[S2] lead forward and back between the Markdown files of a project', async () => {
    const [first, second] = await inFolder('md', read => [read('s1.md'), read('s2.md')])
    expect(first).toContain('*Resumed in [Later](s2.md)*')
    expect(first).toContain(`<a id="${at('a5')}"></a>`)
    expect(second).toContain(`Resumed from [Begin](s1.md#${at('a5')}).`)
  })

  it('[S2] a session that goes on from a branch that is left out is named before the branch', async () => {
    const [first, third] = await inFolder('md', read => [read('s1.md'), read('s3.md')])
    expect(first).not.toContain('Done by hand')
    expect(first).toContain('*Resumed in [Otherwise](s3.md)*')
    expect(third).toContain(`](s1.md#${at('a2')})`)
    expect(first).toContain(`<a id="${at('a2')}"></a>`)
  })

  it('[S2] lead from a call to its subagent and back, and from a fork to what was left and back', async () => {
    const text = await inFolder('md', read => read('s1.md'), '--branch', 'all')
    expect(text).toContain(`see [the section of its agent general-purpose](#${at('u4')})`)
    expect(text).toContain(`[Back to its call](#${at('a3')})`)
    expect(text).toContain(`*Left here: [abandoned attempt: By hand](#${at('u2')})*`)
    expect(text).toContain(`[Back to where it was left](#${at('a1')})`)
    const { names, links } = anchorsIn(text)
    expect(links.filter(link => !names.includes(link))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })

  it('[S2] lead from a late result to its call and back', async () => {
    const text = await onShape(LATE, run => run('export', 's1', '--format', 'md', '--out', '-').stdout)
    expect(text).toContain(`*(the result came later, [see below](#${at('r1')}))*`)
    expect(text).toContain(`**Result of Bash** ([its call](#${at('a1')}))`)
  })

  it('[S2] a page knows the pages beside it, and a file by itself knows none', async () => {
    const [first, third] = await inFolder('html', read => [read('s1.html'), read('s3.html')])
    expect(JSON.parse(unpackPage(first).get('pages') ?? '')).toEqual({ s2: 's2.html', s3: 's3.html' })
    expect(JSON.parse(unpackPage(third).get('pages') ?? '')).toEqual({ s1: 's1.html' })
    const alone = await onShape(FAMILY, run => run('export', 's2', '--out', '-').stdout)
    expect(unpackPage(alone).has('pages')).toBe(false)
  })

  it('[S2] a session is linked to what was exported into its folder before', async () => {
    await onShape(FAMILY, (run, home) => {
      const out = `${join(home.dir, 'out')}/`
      run('export', 's1', '--format', 'md', '--out', out)
      run('export', 's2', '--format', 'md', '--out', out)
      expect(readFileSync(join(out, 's1.md'), 'utf8')).toContain('*Resumed in Later (`s2`)*')
      expect(readFileSync(join(out, 's2.md'), 'utf8')).toContain(`[Begin](s1.md#${at('a5')})`)
    })
  })

  it('[S2] a hostile title stays the text of its link', async () => {
    const title = '](javascript:alert(1)) [x](data:,) <img src=x> \u001b[31m`code`'
    const begun = answer({ type: 'text', text: 'Begun' })
    const later = { ...prompt('Later'), parentUuid: begun['uuid'] }
    const files = [
      sessionFile('s1', [prompt('Begin'), begun]),
      sessionFile('s2', [{ type: 'custom-title', customTitle: title }, later]),
    ]
    const text = await onFiles(files, (run, out) => {
      expect(run('export', '--project', 'proj', '--format', 'md', '--out', out).code).toBe(0)
      return readFileSync(join(out, 's1.md'), 'utf8')
    })
    expect(text).toContain('*Resumed in [(javascript:alert(1)) x(data:,) img src=x code](s2.md)*')
  })

  it('[S2] JSON names the sessions that go on from an entry', async () => {
    const text = await onShape(FAMILY, run => run('export', 's1', '--format', 'json', '--out', '-').stdout)
    const junctions = [
      { at: tokenUuid('a2'), session: 's3', how: 'resume' },
      { at: tokenUuid('a5'), session: 's2', how: 'resume' },
    ]
    expect(JSON.parse(text).junctions).toMatchObject(junctions)
    const live = await onShape(
      FAMILY,
      run => run('export', 's1', '--format', 'json', '--branch', 'live', '--out', '-').stdout,
    )
    const { junctions: named, totals, contents } = JSON.parse(live)
    expect(named).toMatchObject(junctions)
    expect(totals.nodes).toBe(contents.length)
  })
})

describe('export --tree', () => {
  it('[S1] [S2] is one Markdown document with all sessions, depth first', async () => {
    const text = await onShape(
      FAMILY,
      run => run('export', '--tree', 's3', '--format', 'md', '--out', '-').stdout,
    )
    const words = [
      '# Begin',
      '3 sessions',
      '- [Begin](#s-s1)',
      '  - [Otherwise](#s-s3)',
      '  - [Later](#s-s2)',
      'Helped',
      'As you like',
      'Still here',
    ]
    const places = words.map(each => text.indexOf(each))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(text.split('Helped')).toHaveLength(2)
    const { names, links } = anchorsIn(text)
    expect(links).toContain(`e-${tokenUuid('a5')}`)
    expect(links.filter(link => !names.includes(link))).toEqual([])
  })

  it('[S1] is one page with all sessions, depth first', async () => {
    await onShape(FAMILY, (run, home) => {
      const out = join(home.dir, 'tree.html')
      const ran = run('export', '--tree', 's1', '--out', out)
      expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 })
      const page = unpackPage(readFileSync(out, 'utf8'))
      const sessions = JSON.parse(page.get('sessions') ?? '')
      expect(sessions).toMatchObject([
        { session: 's1', name: 'Begin', depth: 0 },
        { session: 's3', name: 'Otherwise', depth: 1 },
        { session: 's2', name: 'Later', depth: 1 },
      ])
      expect(JSON.parse(page.get('sheet-1') ?? '').rows.node).toEqual([tokenUuid('u6'), tokenUuid('a7')])
      expect(page.get('chunk-2-0')).toContain('Still here')
    })
  })

  it('[S1] is the whole project with --project', async () => {
    const text = await onShape(
      `${FAMILY}\ns4: u8"Alone"@+9h a8"Indeed"`,
      run => run('export', '--project', 'proj', '--tree', '--format', 'md', '--out', '-').stdout,
    )
    expect(text).toContain('4 sessions')
    expect(text).toContain('\n- [Alone](#s-s4)')
  })

  it.each(['json', 'jsonl', 'parquet'])('says that %s holds one session', async format => {
    const ran = await onShape(FAMILY, run => run('export', '--tree', 's1', '--format', format, '--out', 'x'))
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('--format md')
  })

  it('[S1] replaces secrets in all sessions', async () => {
    const secret = `ghp_${'A1b2C3d4'.repeat(4)}AbCd`
    const shape = `s1: u1"Begin with ${secret}" a1"Begun"\ns2: a1 > u2"Again ${secret}"@+1h a2"Yes"`
    const text = await onShape(
      shape,
      run => run('export', '--tree', 's1', '--format', 'md', '--redact', '--out', '-').stdout,
    )
    expect(text).not.toContain(secret)
    expect(text.match(/\[redacted:github-token-1\]/g)?.length).toBeGreaterThan(2)
  })
})

describe('compactions in Markdown', () => {
  it('[C3] [C4] say how long they took, and that they were not finished', async () => {
    const shape = `s1: u1 a1 c1+{"compactMetadata":{"trigger":"auto","preTokens":0,"durationMs":45210}} k1
      s1: k1 > u2 a2 c2+{"compactMetadata":{"trigger":"manual","preTokens":0}}
      s1: a2 > u3 a3`
    const text = await onShape(shape, run => run('export', 's1', '--format', 'md', '--out', '-').stdout)
    expect(text).toContain('---\n\n**Conversation compacted (auto, 45 s)**\n\n---')
    expect(text).toContain('\n\n*Compaction not finished (manual)*\n\n')
  })
})

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

  it('leaves out what was not asked for', async () => {
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

  it('a text is whole, pictures are in it, and a result beside the transcript too', async () => {
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

describe('export --format md', () => {
  it('is a document with turns, tools, what was left, agents and compactions', async () => {
    expect(block(await print('md', '--branch', 'all'))).toMatchInlineSnapshot(`
      "
      <a id="s-s1"></a>

      # Fix the parser, then the lexer

      Session \`s1\`, project \`-home-dev-proj\`, 2026-01-01 10:00 to 2026-01-01 10:10, 16 messages, 1 abandoned branch, 2 agents.

      ## 1. Fix the parser, then the lexer

      **Claude**

      I will start with the parser.

      **Bash**

      \`\`\`bash
      run t1
      \`\`\`

      \`\`\`
      result r1
      \`\`\`

      <a id="e-00000000-0000-4000-8000-000000006133"></a>

      The parser is fixed.

      *Left here: [abandoned attempt: Now the lexer, by hand](#e-00000000-0000-4000-8000-000000007532)*

      <a id="e-00000000-0000-4000-8000-000000007532"></a>

      ### Abandoned attempt

      [Back to where it was left](#e-00000000-0000-4000-8000-000000006133)

      #### Now the lexer, by hand

      **Claude**

      Rewriting it from scratch.

      *End of the abandoned attempt.*

      ## 2. Now the lexer, with two agents

      <a id="e-00000000-0000-4000-8000-000000006135"></a>

      **Task** \`general-purpose: task t2\`, see [the section of its agent Explore](#e-00000000-0000-4000-8000-000000007534)

      <a id="e-00000000-0000-4000-8000-000000006136"></a>

      **Task** \`general-purpose: task t3\`, see [the section of its agent reviewer](#e-00000000-0000-4000-8000-000000007535)

      <a id="e-00000000-0000-4000-8000-000000007534"></a>

      ### Agent Explore: Look for slow tokens

      [Back to its call](#e-00000000-0000-4000-8000-000000006135)

      > Look for slow tokens

      **Bash**

      \`\`\`bash
      run t4
      \`\`\`

      \`\`\`
      result r4
      \`\`\`

      **Explore**

      Two tokens are slow.

      *End of the agent Explore.*

      <a id="e-00000000-0000-4000-8000-000000007535"></a>

      ### Agent reviewer: Review the lexer

      [Back to its call](#e-00000000-0000-4000-8000-000000006136)

      > Review the lexer

      **reviewer**

      Looks fine.

      *End of the agent reviewer.*

      **Claude**

      Both agents are done.

      ---

      **Conversation compacted (100k -> 4k tokens, manual)**

      ---

      <details><summary>Summary</summary>

      > Parser and lexer are fixed.

      </details>

      ## 3. Thanks

      **Claude**

      You are welcome.

      "
    `)
  })

  it('has what is live unless more is asked for', async () => {
    const text = await print('md')
    expect(text).toContain('Now the lexer, with two agents')
    expect(text).not.toContain('by hand')
    expect(await print('md', '--no-agents', '--no-tools')).not.toMatch(/Two tokens|Bash|Task/)
  })

  it('one branch: all that leads to it, and nothing beside it', async () => {
    const text = await print('md', '--branch', '@00000000-0000-4000-8000-000000007532')
    expect(text).toContain('The parser is fixed.')
    expect(text).toContain('Rewriting it from scratch.')
    expect(text).not.toContain('two agents')
  })

  it('an entry on a branch that was left: that branch, with its own dates, and says so', async () => {
    const ran = await onRich(run => run('export', `s1:${tokenUuid('a4')}`, '--format', 'md', '--out', '-'))
    expect(ran.stdout).toBe(await print('md', '--branch', '@00000000-0000-4000-8000-000000007532'))
    expect(ran.stdout).toContain('Rewriting it from scratch.')
    expect(ran.stdout).toContain('2026-01-01 10:00 to 2026-01-01 10:00')
    expect(ran.stderr).toContain('The entry is not live: its branch @00000000')
    const live = await onRich(run => run('export', `s1:${tokenUuid('a10')}`, '--format', 'md', '--out', '-'))
    expect(live).toMatchObject({ stdout: await print('md'), stderr: '' })
  })

  it('one agent, by its own name', async () => {
    const text = await onRich(run => run('export', 's1#agent-x', '--format', 'md', '--out', '-').stdout)
    expect(text).toContain('Two tokens are slow.')
    expect(text).not.toContain('The parser is fixed.')
  })

  it('stays a document, whatever is said in it', async () => {
    const evil = '# Big\n<script>alert(1)</script> [x](javascript:alert(1)) `<b>`\n```js\nlet a = "<i>"\n'
    const output = `one\n\`\`\`\`\ntwo\n${'line\n'.repeat(500)}last`
    const records = [
      prompt('> hi <img src=x onerror=alert(1)>'),
      ...called('Bash', { command: 'x' }, output),
      answer({ type: 'text', text: evil }),
      prompt('next'),
    ]
    const text = await onFiles(
      [sessionFile('s1', records)],
      run => run('export', 's1', '--format', 'md', '--out', '-').stdout,
    )
    const code = text.replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '').replace(/`[^`\n]+`/g, '')
    const anchored = code.replace(/<a id="[es]-[\w-]+"><\/a>/g, '')
    expect(anchored).not.toMatch(/<(?!\/?(?:details|summary)>)[a-z/]/i)
    expect(code).not.toContain('(javascript:')
    expect(text).toContain('#### Big')
    expect(text).toContain('`<b>`')
    expect(text).toMatch(/^`{5}\none\n`{4}\ntwo$/m)
    expect(text).toMatch(/… \d+ lines left out …/)
    expect(text).toMatch(/let a = "<i>"\n\n?```\n\n## 2\. next\n\n$/)
  })
})

describe('export --format json', () => {
  it('is the part of the graph that belongs to the session, and what its rows say', async () => {
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

  it('has the rows of a branch, and reads as the same conversation', async () => {
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
  it('is a folder with four tables', async () => {
    const tables = await onShape(RICH, async (run, home) => {
      const out = join(home.dir, 'tables')
      expect(run('export', 's1', '--format', 'parquet', '--out', out).code).toBe(0)
      const read = async (name: string): Promise<readonly Record<string, unknown>[]> =>
        await parquetReadObjects({ file: await asyncBufferFromFile(join(out, `${name}.parquet`)) })
      return {
        names: readdirSync(out).sort(),
        nodes: await read('nodes'),
        messages: await read('messages'),
        tools: await read('tools'),
        usage: await read('usage'),
      }
    })
    expect(tables.names).toEqual(['messages.parquet', 'nodes.parquet', 'tools.parquet', 'usage.parquet'])
    expect(tables.nodes.filter(row => row['line_kind'] === 'agent')).toHaveLength(6)
    expect(tables.nodes.filter(row => row['status'] === 'abandoned')).toHaveLength(2)
    expect(tables.nodes[0]).toMatchObject({ kind: 'prompt', actor: 'Human', depth: 0, row: 1, session: 's1' })
    expect(tables.nodes[0]?.['time']).toBeInstanceOf(Date)
    expect(tables.messages.map(row => row['text'])).toContain('Two tokens are slow.')
    expect(tables.tools.map(row => row['name'])).toEqual(['Bash', 'Task', 'Task', 'Bash'])
    expect(tables.tools.every(row => row['state'] === 'ok')).toBe(true)
    expect(tables.usage.length).toBeGreaterThan(5)
    expect(typeof tables.usage[0]?.['output']).toBe('bigint')
  })

  it('a session without calls has an empty table of them', async () => {
    const rows = await onShape('s1: u1"hi" a1"hello"', async (run, home) => {
      const out = join(home.dir, 'tables')
      expect(run('export', 's1', '--format', 'parquet', '--out', out).stderr).toContain('tables')
      return await parquetReadObjects({ file: await asyncBufferFromFile(join(out, 'tools.parquet')) })
    })
    expect(rows).toEqual([])
  })
})

describe('where an export goes', () => {
  it('a file named after the session, or a given file or folder', async () => {
    await onRich((run, out) => {
      expect(run('export', 's1', '--format', 'md', '--out', `${out}/`).stderr).toContain(join(out, 's1.md'))
      expect(run('export', 's1', '--format', 'md', '--out', join(out, 'my.md')).code).toBe(0)
      expect(readdirSync(out).sort()).toEqual(['my.md', 's1.md'])
    })
  })

  it('nothing is overwritten unless that is asked for, and nothing by half is left', async () => {
    await onRich((run, out) => {
      mkdirSync(out)
      const file = join(out, 'mine.html')
      writeFileSync(file, 'mine')
      const ran = run('export', 's1', '--out', file)
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain(
        'is there already: give another place with --out, or replace it with --force.',
      )
      expect(readFileSync(file, 'utf8')).toBe('mine')
      expect(run('export', 's1', '--out', file, '--force').code).toBe(0)
      expect(readFileSync(file, 'utf8')).toContain('<!doctype html>')
      expect(readdirSync(out)).toEqual(['mine.html'])
    })
  })

  it('a folder keeps what else is in it', async () => {
    await onRich((run, out) => {
      mkdirSync(out)
      writeFileSync(join(out, 'mine.txt'), 'mine')
      expect(run('export', 's1', '--format', 'parquet', '--out', out).code).toBe(1)
      expect(run('export', 's1', '--format', 'parquet', '--out', out, '--force').code).toBe(0)
      expect(readdirSync(out)).toHaveLength(5)
      expect(readFileSync(join(out, 'mine.txt'), 'utf8')).toBe('mine')
    })
  })

  it('says in JSON what it wrote', async () => {
    const [made, out] = await onRich((run, folder) => [
      json(run('export', 's1', '--json', '--out', join(folder, 'a.html'))),
      folder,
    ])
    expect(made).toMatchObject({ dagline: 1, files: [{ path: join(out, 'a.html') }], redacted: null })
  })

  it.each([
    [['s1', '--format', 'parquet', '--out', '-'], 'Four tables do not fit into one stream'],
    [['--project', 'proj', '--out', '-'], 'A project is many files'],
    [['s1', '--project', 'proj'], 'A session and --project do not go together'],
    [['--project', 'nowhere'], 'No project has nowhere in its name'],
    [['zzz'], 'No session begins with zzz'],
    [['s1', '--branch', '@zzz'], 'No branch or agent is called @zzz'],
    [['s1', '--depth', 'x'], 'x is no depth'],
    [['s1', '--redact', 'all'], '--redact knows no all'],
    [['--redact', 'nobody'], 'No session begins with nobody'],
    [['--redact', 'paths,nobody'], '--redact knows no nobody'],
    [['s1', '--format', 'jsonl', '--no-tools'], 'would not be one'],
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
      expect(index).not.toContain('<script')
      expect(existsSync(join(home.dir, '.out'))).toBe(false)
    })
  })

  it('[S1] lists sessions below those they come from', async () => {
    await onShape(FAMILY, (run, home) => {
      const out = join(home.dir, 'out')
      run('export', '--project', 'proj', '--out', out)
      const index = readFileSync(join(out, 'index.html'), 'utf8')
      const list = index
        .slice(index.indexOf('<ol>'), index.indexOf('</body>'))
        .replace(/<small>.*?<\/small>/g, '')
      expect(list.replace(/\s*\n\s*/g, '')).toBe(
        '<ol><li><a href="s1.html">Begin</a><ol><li><a href="s3.html">Otherwise</a></li><li><a href="s2.html">Later</a></li></ol></li></ol>',
      )
    })
  })

  it('in another format too', async () => {
    await onShape(`s1: u1"One" a1`, (run, home) => {
      const out = join(home.dir, 'out')
      expect(run('export', '--project', 'proj', '--format', 'md', '--out', out).code).toBe(0)
      expect(readdirSync(out).sort()).toEqual(['index.html', 's1.md'])
    })
  })
})
