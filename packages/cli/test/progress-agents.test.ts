/** A9 on the command line: a subagent of which only progress rows are left is treated like any other. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { carryInProgress, expandShape, inProject, type TestHome, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { dagline, json, ownFolders, type Ran } from './run.js'

const SESSION = 's1'
const SHAPE = `${SESSION}: u1"find the bug" a1[t1:Task>x] / ${SESSION}/x: u2"look at the walrus" a2"a walrus"[t2] r2[t2] a3"done"
${SESSION}: a1 > r1[t1>x] a5"fixed"`

type Run = (...words: string[]) => Ran

/** Runs on a project whose subagent stands in progress rows only, or in a file, too. */
async function onProgress<T>(keepsFile: boolean, use: (run: Run, home: TestHome) => T): Promise<T> {
  const { files } = expandShape(SHAPE)
  const carried = carryInProgress(files, { agent: 'x', call: 'toolu_t1', keepsFile })
  return await withHome(inProject(carried), home =>
    use((...words) => dagline(words, { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }), home),
  )
}

describe('a subagent in progress rows', () => {
  it('[A9] is listed with its source, and not as a call without a transcript', async () => {
    const [graph, sessions] = await onProgress(false, run => [
      json(run('graph', '--json')),
      json(run('ls', '--json')).sessions,
    ])
    expect(graph.agents).toMatchObject([
      {
        agent: 'x',
        name: 'general-purpose',
        state: 'complete',
        source: 'progress',
        spawnedBy: { evidence: 'progress' },
      },
    ])
    expect(graph.totals).toMatchObject({ rows: 7, entries: 7, nodes: 10, placed: 10, folded: 0 })
    expect(sessions).toMatchObject([{ session: SESSION, agents: 1 }])
  })

  it('[A9] is shown at its call, with its source, and as a conversation of its own', async () => {
    const [log, graph, own] = await onProgress(false, run => [
      run('log', SESSION).stdout,
      run('log', SESSION, '--graph', '--all').stdout,
      run('log', `${SESSION}#agent-x`).stdout,
    ])
    expect(log).toContain(
      `↳ general-purpose ${SESSION.slice(0, 8)}#agent-x, 2 messages, from progress rows: look at the walrus`,
    )
    expect(graph).toContain('a walrus')
    expect(own).toContain('Claude → general-purpose  look at the walrus')
  })

  it('[A9] is found, labelled as a subagent, once', async () => {
    for (const keepsFile of [false, true]) {
      const { hits } = await onProgress(keepsFile, run => json(run('search', 'walrus', '--json')))
      expect(hits.map(({ field, label }: Hit) => `${field} ${label.agent}`).sort()).toEqual([
        'answer general-purpose',
        'input null',
        'prompt general-purpose',
      ])
    }
  })

  it('[A11] [X4] is counted once, with its file and without', async () => {
    const messages = (run: Run): number => json(run('usage', '--by', 'agent', '--json')).totals.messages
    expect(await onProgress(false, messages)).toBe(3)
    expect(await onProgress(true, messages)).toBe(4)
    const stats = await onProgress(false, run => json(run('stats', '--json')))
    expect(stats.agents).toMatchObject([{ agent: 'general-purpose', states: { complete: 1, missing: 0 } }])
  })

  it.each(['md', 'json', 'html', 'jsonl'])('[A9] is in an export as %s', async format => {
    const text = await onProgress(false, (run, home) => {
      const file = join(home.config, `out.${format}`)
      const ran = run('export', SESSION, '--format', format, '-o', file)
      expect(ran.code).toBe(0)
      return readFileSync(file, 'utf8')
    })
    if (format === 'html') expect(text.length).toBeGreaterThan(1000)
    else expect(text).toContain('a walrus')
    if (format === 'md')
      expect(text).toContain('Agent general-purpose (from progress rows): look at the walrus')
  })

  it('[E4] [A9] is checked out as a session that holds its messages', async () => {
    const [ran, made] = await onProgress(false, (run, home) => {
      const checkout = run('checkout', `${SESSION}#agent-x`)
      const folder = readdirSync(home.projects, { recursive: true, encoding: 'utf8' })
      const path = folder.find(file => file.endsWith('.jsonl') && !file.includes(SESSION)) ?? ''
      return [checkout, readFileSync(join(home.projects, path), 'utf8')]
    })
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(made).toContain('look at the walrus')
    expect(made).not.toContain('agent_progress')
  })
})

interface Hit {
  readonly field: string
  readonly label: { readonly agent: string | null }
}
