/** I15: an index that is damaged while it is open. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { discover, openIndex, syncRoot } from '@dagline/store'
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
