/** Transcripts that Claude Code wrote on Windows, read on this system. */
import { expandShape, withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { openHistory } from '../src/history.js'
import { silentHost } from '../src/host/host.js'
import { findScope } from '../src/locate/project.js'

const CWD = 'C:\\Users\\me\\my shop'
const FOLDER = 'C--Users-me-my-shop'

const FILES = expandShape('s1: u1 a1[t1:Bash] r1[t1] a2 u2 a3').files.map(({ path, text }) => ({
  path: `${FOLDER}/${path}`,
  text: text.replaceAll(/"cwd":"[^"]*"/g, () => `"cwd":${JSON.stringify(CWD)}`).replaceAll('\n', '\r\n'),
}))

it('[P5] [O5] rows with CRLF and paths of Windows are read, and their project is found by its path', async () => {
  await withHome(FILES, async ({ projects }) => {
    const history = openHistory({ roots: [projects] })
    const [session] = await history.sessions([projects])
    expect([session?.cwd, session?.turns]).toEqual([CWD, 2])
    const { graph, diagnostics } = await history.graphOf('latest')
    expect(graph.totals()).toMatchObject({ nodes: 6, placed: 6 })
    expect(diagnostics().map(({ rule }) => rule)).toEqual(['parse/crlf'])
    for (const word of [CWD, 'c:\\users\\ME\\my shop', 'C:/Users/me/my shop/', FOLDER])
      expect([...findScope(word, silentHost([projects])).names]).toEqual([FOLDER])
  })
})

it('[E1] [O5] an edit of such a session says how to resume it where it was', async () => {
  await withHome(FILES, async ({ projects, dir }) => {
    const history = openHistory({ roots: [projects] })
    const { graph } = await history.graphOf('latest')
    const { resume } = await history.edit.checkout(graph.id(1), { out: dir, dryRun: true })
    expect(resume).toMatch(/^cd "C:\\Users\\me\\my shop" && claude --resume [0-9a-f-]+$/)
  })
})
