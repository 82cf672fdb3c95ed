/** The programs of docs/API.md, run on the session that stands beside them. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { branches } from '../../../examples/branches.ts'
import { follow } from '../../../examples/follow.ts'
import { live, why } from '../../../examples/live.ts'
import { openProject } from '../../../examples/open.ts'
import { parents } from '../../../examples/parents.ts'
import { stats } from '../../../examples/stats.ts'
import { drawing, tree, trunks } from '../../../examples/walk.ts'

const examples = join(import.meta.dirname, '../../../examples')
const project = join(examples, 'projects', '-home-dev-shop')

async function prints(lines: readonly string[], name: string): Promise<void> {
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(examples, `${name}.txt`))
}

describe('examples', () => {
  it('[F13] open: every entry of the project is on a line or folded', async () => {
    const { nodes, placed, folded } = (await openProject(project)).totals()
    expect([nodes, placed, folded]).toEqual([26, 26, 0])
  })

  it('[F12] [L4] branches: each with its status', async () => {
    await prints(await branches(project), 'branches')
  })

  it('[G2] [T1] parents: roots, orphans, children, and results by their calls', async () => {
    await prints(await parents(project), 'parents')
  })

  it('[L1] [S1] walk: the trunk, the picture of the session, and the session tree', async () => {
    await prints(
      [...(await trunks(project)), '', ...(await drawing(project)), '', ...(await tree(project))],
      'walk',
    )
  })

  it('[L3] live: what the next request carries, and why', async () => {
    const graph = await openProject(project)
    const abandoned = graph.lines().find(({ status }) => status === 'abandoned')
    const uuid = graph.id(abandoned?.head ?? -1)
    await prints([...(await live(project)), '', ...(await why(project, uuid))], 'live')
    expect(await why(project, 'absent')).toEqual(['no such entry'])
  })

  it('[X1] [X2] [X3] stats: flows, delegation, tools', async () => {
    await prints(await stats(project), 'stats')
  })

  it('[L5] follow: rows that are appended, a file that is replaced', async () => {
    const name = readdirSync(project).find(file => file.endsWith('.jsonl')) ?? ''
    const rows = readFileSync(join(project, name), 'utf8').split(/(?<=\n)/)
    const folder = mkdtempSync(join(tmpdir(), 'dagline-follow-'))
    try {
      const path = join(folder, name)
      writeFileSync(path, '')
      const { next } = await follow(path)
      const sizeAfter = (change: () => void): number => {
        change()
        return next()?.totals().nodes ?? 0
      }
      expect(sizeAfter(() => writeFileSync(path, rows.slice(0, 4).join('')))).toBe(4)
      expect(sizeAfter(() => {})).toBe(4)
      expect(sizeAfter(() => appendFileSync(path, rows.slice(4).join('')))).toBe(18)
      expect(sizeAfter(() => writeFileSync(path, rows.slice(0, 2).join('')))).toBe(2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
