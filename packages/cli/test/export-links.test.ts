/** Exports of sessions that belong together: late results, links between files, and trees of sessions. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tokenUuid } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { answer, onFiles, prompt, sessionFile, unpackPage } from './export-files.js'
import { onShape } from './run.js'
import { LINKED } from './shapes.js'

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
    onShape(LINKED, (run, home) => {
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

  it('[S2] a session that continues an omitted branch is named before the branch', async () => {
    const [first, third] = await inFolder('md', read => [read('s1.md'), read('s3.md')])
    expect(first).not.toContain('Done by hand')
    expect(first).toContain('*Resumed in [Otherwise](s3.md)*')
    expect(third).toContain(`](s1.md#${at('a2')})`)
    expect(first).toContain(`<a id="${at('a2')}"></a>`)
  })

  it('[S2] [A5] lead from a subagent without a known call back to its parent entry', async () => {
    const shape = 's1: u1 a1 / s1: a1 > ~u2"Look" ~a2 / s1: a1 > u3 a3'
    const text = await onShape(
      shape,
      run => run('export', 's1', '--format', 'md', '--branch', 'all', '--out', '-').stdout,
    )
    expect(text).toContain(`[Back to the entry it hangs on](#${at('a1')})`)
  })

  it('[S2] lead from a call to its subagent and back, and from a fork to the abandoned branch and back', async () => {
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
    const alone = await onShape(LINKED, run => run('export', 's2', '--out', '-').stdout)
    expect(unpackPage(alone).has('pages')).toBe(false)
  })

  it('[S2] a session is linked to what was exported into its folder before', async () => {
    await onShape(LINKED, (run, home) => {
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

  it('[S2] JSON names the sessions that continue an entry', async () => {
    const text = await onShape(LINKED, run => run('export', 's1', '--format', 'json', '--out', '-').stdout)
    const junctions = [
      { at: tokenUuid('a2'), session: 's3', how: 'resume' },
      { at: tokenUuid('a5'), session: 's2', how: 'resume' },
    ]
    expect(JSON.parse(text).junctions).toMatchObject(junctions)
    const live = await onShape(
      LINKED,
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
      LINKED,
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
    await onShape(LINKED, (run, home) => {
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
      `${LINKED}\ns4: u8"Alone"@+9h a8"Indeed"`,
      run => run('export', '--project', 'proj', '--tree', '--format', 'md', '--out', '-').stdout,
    )
    expect(text).toContain('4 sessions')
    expect(text).toContain('\n- [Alone](#s-s4)')
  })

  it.each(['json', 'jsonl', 'parquet'])('rejects %s, which holds one session', async format => {
    const ran = await onShape(LINKED, run => run('export', '--tree', 's1', '--format', format, '--out', 'x'))
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
    expect(text.match(/\[redacted:github-token-[0-9a-f]{8}\]/g)?.length).toBeGreaterThan(2)
  })
})
