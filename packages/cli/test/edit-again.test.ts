/** Editing what was edited before: copies of copies, and originals that have copies. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { onRested } from './rested.js'
import { json } from './run.js'

const PROJECT = '-home-dev-proj'

describe('a copy', () => {
  it('[E5] has the subagents, also when its source is a copy or has copies already', async () => {
    await onRested('s1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a4', (run, home) => {
      const agentOf = (session: string): string =>
        join(home.projects, PROJECT, session, 'subagents', 'agent-x.jsonl')
      const first = json(run('checkout', 's1', '--json')).session
      const second = json(run('checkout', 's1', '--json')).session
      const third = json(run('checkout', first, '--json')).session
      for (const session of [first, second, third]) expect(existsSync(agentOf(session))).toBe(true)
      const { agents } = json(run('graph', '--json'))
      expect(agents).toMatchObject([{ line: 's1#agent-x', file: `${PROJECT}/s1/subagents/agent-x.jsonl` }])
      expect(run('checkout', 's1#agent-x').code).toBe(0)
      expect(run('show', `${first}#agent-x`).stdout).toBe(run('show', 's1#agent-x').stdout)
      expect(run('show', `${first}#agent-y`).stderr).toContain('No branch or subagent is called')
    })
  })

  it('[E4] [S1] that begins with a row of its own still names its origin', async () => {
    await onRested('s1: a1 u2 a2', run => {
      const { session } = json(run('repair', 's1', '--yes', '--json'))
      const { sessions } = json(run('tree', '--json'))
      expect(sessions.find((each: { session: string }) => each.session === session).parent).toMatchObject({
        session: 's1',
      })
    })
  })

  it('[E7] of a fork has its branches, too', async () => {
    await onRested('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3', (run, home) => {
      const fork = json(run('fork', 's1', '--json'))
      const again = json(run('fork', fork.session, '--json'))
      const rows = (file: string): number =>
        readFileSync(join(home.projects, file), 'utf8').trimEnd().split('\n').length
      expect([again.changes, rows(again.file)]).toEqual([[], rows(fork.file)])
    })
  })
})
