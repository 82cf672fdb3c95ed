/** `dagline now`: sessions with and without records of their processes. The process of these records is the test's own. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, inProject, type TextFile, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { runHere } from './in-process.js'
import { json } from './run.js'

const SHAPE = `
  s1: u1"Fix the parser" a1[t1:Bash]
  s2: u2"Write a walrus" a2[t2:Task>x]
  s2/x: meta {"agentType":"Explore","description":"Look for tusks"}
  s2/x: u3 a3[t3:Bash]
  s3: u4"Rest" a4"Done"
`

/** The sessions with their times moved to now. */
function recentFiles(): readonly TextFile[] {
  const { files, metas } = expandShape(SHAPE)
  const recent = files.map(({ path, text }) => ({
    path,
    text: text.replace(/"timestamp":"[^"]+"/g, `"timestamp":"${new Date().toISOString()}"`),
  }))
  return inProject([...recent, ...metas], '-home-dev-proj')
}

interface Listed {
  readonly session: string
  readonly state: string
  readonly doing: string
  readonly evidence: string
  readonly agents: readonly { readonly name: string; readonly description: string; readonly doing: string }[]
}

const inShort = ({ state, doing, evidence }: Listed): string => `${state}: ${doing} (${evidence})`

describe('dagline now', () => {
  it('[J1] [J2] [J3] lists sessions by what their processes and transcripts say', async () => {
    await withHome(recentFiles(), async home => {
      const env = {
        CLAUDE_CONFIG_DIR: home.config,
        XDG_CACHE_HOME: join(home.config, 'cache'),
        XDG_DATA_HOME: join(home.config, 'data'),
      }
      const now = async (): Promise<readonly Listed[]> =>
        json(await runHere(['now', '--json'], { env, isTerminal: false })).sessions
      const sessionId = (await now()).find(({ doing }) => doing.startsWith('Bash'))?.session

      // Without records the transcripts decide.
      expect((await now()).map(inShort).toSorted()).toEqual([
        'idle: ready for the next prompt (transcript)',
        'working: Bash run t1, or waiting for a permission (transcript)',
        expect.stringMatching(/^working: .*, or waiting for a permission \(transcript\)$/),
      ])
      const agents = (await now()).flatMap(listed => listed.agents)
      expect(agents).toEqual([
        expect.objectContaining({ name: 'Explore', description: 'Look for tusks', doing: 'Bash run t3' }),
      ])

      // With records only sessions with a process are running.
      const folder = join(home.config, 'sessions')
      mkdirSync(folder)
      expect(await now()).toEqual([])
      const record = { sessionId, status: 'waiting', waitingFor: 'permission prompt', cwd: '/home/dev/proj' }
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(record))
      expect((await now()).map(inShort)).toEqual(['waiting: needs a permission: Bash run t1 (process)'])
      const { stdout } = await runHere(['now'], { env, isTerminal: false })
      expect(stdout).toMatch(/waits for you .*needs a permission: Bash run t1/)

      // A process whose session has no transcript yet.
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify({ sessionId: 'new', status: 'idle' }))
      expect((await now()).map(inShort)).toEqual(['idle: no prompt yet (process)'])
      rmSync(folder, { recursive: true })
    })
  })
})
