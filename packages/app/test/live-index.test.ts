/** I15: an index that is damaged while it is open. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedIndex, discover, openIndex, syncRoot } from '@dagline/store'
import { expandShape, inProject, withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { openLiveIndex } from '../src/index/live-index.js'

it('[I15] is set aside by the server, which answers again when it was made anew', async () => {
  await withHome(inProject(expandShape('s1: u1 a1 u2 a2').files), async home => {
    const path = join(home.dir, 'index.db')
    const sync = async (): Promise<void> => {
      const index = openIndex(path)
      for (const root of discover([home.projects])) await syncRoot(index, root)
      index.close()
    }
    await sync()
    const said: (string | null)[] = []
    const live = openLiveIndex(path, [home.projects], message => said.push(message))
    const names = (): readonly string[] => live.sessions().map(({ session }) => session)
    expect(names()).toEqual(['s1'])
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0, bytes.length / 2))
    expect(names).toThrow('The index is not ready yet')
    expect(said).toEqual([expect.stringContaining(`the damaged file is now ${path}.damaged`)])
    expect(names).toThrow('The index is not ready yet')
    await sync()
    expect(names()).toEqual(['s1'])
    expect(said.length).toBe(1)
    live.close()
  })
})

const SHAPE = 's1: u1 a1 u2 a2'

/** Makes an index of the sessions of a home. */
async function syncAt(path: string, root: string): Promise<void> {
  const index = openIndex(path)
  for (const found of discover([root])) await syncRoot(index, found)
  index.close()
}

it('[I15] is set aside where an answer that was kept cannot be read', async () => {
  await withHome(inProject(expandShape(SHAPE).files), async home => {
    const path = join(home.dir, 'index.db')
    await syncAt(path, home.projects)
    const index = openIndex(path)
    const root = index.findRoot(home.projects) ?? 0
    const [kept] = [...index.answers(root, 'usage')]
    if (kept === undefined) throw new RangeError('no usage is kept')
    index.begin()
    index.keepAnswer('usage', { ...kept, value: kept.value.slice(0, -9) })
    index.commit()
    index.close()
    const said: (string | null)[] = []
    const live = openLiveIndex(path, [home.projects], message => said.push(message))
    expect(() => live.usage()).toThrow('The index is not ready yet')
    expect(said).toEqual([expect.stringContaining('was damaged')])
    live.close()
  })
})

it('[I15] damage of a page is not taken for its content when the page is written again', async () => {
  await withHome(inProject(expandShape(SHAPE).files), async home => {
    const path = join(home.dir, 'index.db')
    await syncAt(path, home.projects)
    const keep = (part: string, during = (): void => {}): void => {
      const index = openIndex(path)
      const [kept] = [...index.grouping(index.findRoot(home.projects) ?? 0)]
      during()
      index.begin()
      index.keepAnswer('test', { group: kept?.group ?? 0, part, basis: 'b', value: 'what was kept' })
      index.commit()
      index.close()
    }
    keep('one')
    keep('two', () => {
      const bytes = readFileSync(path)
      bytes.write('W', bytes.indexOf('what was kept'))
      writeFileSync(path, bytes)
    })
    expect(() => openIndex(path)).toThrow(DamagedIndex)
  })
})
