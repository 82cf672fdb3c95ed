/** A2 on the command line: subagents' files in another project folder than the transcript of their session. */
import { expandShape, type TestHome, type TextFile, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { dagline, json, ownFolders, type Ran } from './run.js'

const SESSION = '5a000000-0000-4000-8000-000000000001'
const SHAPE = `s1: u1"find the bug" a1[t1:Task>x] / s1/x: u2"look at the walrus" a2"a walrus"
s1: a1 > r1[t1>x] a5"fixed"`

type Run = (...words: string[]) => Ran

/** Runs on a session in one project folder and its subagent in another, in the folder of its session or loose. */
async function onApart<T>(agentPath: string, use: (run: Run, home: TestHome) => T): Promise<T> {
  const files = expandShape(SHAPE).files.map(
    ({ path, text }): TextFile => ({
      path: path === 's1.jsonl' ? `-home-dev-a/${SESSION}.jsonl` : `-home-dev-b/${agentPath}`,
      text: text.replaceAll('"sessionId":"s1"', `"sessionId":"${SESSION}"`),
    }),
  )
  return await withHome(files, home =>
    use((...words) => dagline(words, { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }), home),
  )
}

describe.each([
  ['in the folder of its session', `${SESSION}/subagents/agent-x.jsonl`],
  ['beside transcripts', 'agent-x.jsonl'],
])('a subagent in another project folder, %s', (_, path) => {
  it('[A10] is linked to its call', async () => {
    const graph = await onApart(path, run => json(run('graph', '--json')))
    expect(graph.agents).toMatchObject([
      { agent: 'x', file: `-home-dev-b/${path}`, state: 'complete', spawnedBy: { evidence: 'result' } },
    ])
  })

  it('[A10] is shown at its call, listed with its session and found as its subagent', async () => {
    const [log, sessions, hits] = await onApart(path, run => [
      run('log', SESSION).stdout,
      json(run('ls', '--json')).sessions,
      json(run('search', 'walrus', '--json')).hits,
    ])
    expect(log).toContain('↳ general-purpose agent-x, 2 messages')
    expect(sessions).toMatchObject([{ session: SESSION, agents: 1 }])
    expect(hits.map(({ label }: { label: { agent: string | null } }) => label.agent)).toContain(
      'general-purpose',
    )
  })
})
