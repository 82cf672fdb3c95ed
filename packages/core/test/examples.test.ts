/** The programs of docs/API.md, run on the session that stands beside them; test/packages.test.ts runs them once installed. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openProject } from '../../../examples/open.ts'
import { ownFolder } from '../../app/test/own-folders.js'

const examples = join(import.meta.dirname, '../../../examples')
const project = join(examples, 'projects', '-home-dev-shop')
const folder = ownFolder()

interface Program {
  readonly run: (folder: string, out: string) => Promise<string[]>
}

describe('examples', () => {
  it('[F13] open: every entry of the project is on a line or folded', async () => {
    const { nodes, placed, folded } = (await openProject(project)).totals()
    expect([nodes, placed, folded]).toEqual([26, 26, 0])
  })

  it.each([
    ['sessions', '[S6] projects and sessions in figures'],
    ['branches', '[F12] [L4] each with its status'],
    ['parents', '[G2] [T1] roots, orphans, children, and results by their calls'],
    ['walk', '[L1] [S1] the trunk, the picture of the session, and the session tree'],
    ['live', '[L3] what the next request carries, and why'],
    ['conversation', '[L3] [C1] what is live, and all of it over the compaction'],
    ['contents', '[P12] what entries say'],
    ['rows', '[P5] [P6] [P9] [K10] what entries say whose rows are not as usual'],
    ['costs', '[T3] [S6] the session, its turns, branches and subagents'],
    ['stats', '[X1] [X2] [X3] flows, delegation, tools'],
    ['search', '[H1] what is live and what is not'],
    ['follow', '[L5] what happens in a transcript that grows'],
    ['checkout', '[E1] a branch as a session, planned, written and taken back'],
    ['browser', '[P1] files as a browser has them'],
    ['picture', '[S1] the graph of one file, drawn'],
    ['store', '[B7] [B10] sessions of the Agent SDK in a folder, and a graph from any store'],
  ])('%s: %s', async name => {
    const program: Program = await import(join(examples, `${name}.ts`))
    const out = join(folder, name)
    mkdirSync(out)
    const lines = await program.run(project, out)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(examples, `${name}.txt`))
  })
})
