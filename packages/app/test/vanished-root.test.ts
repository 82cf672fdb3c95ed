/** I8: a root that disappears while it is read. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { discover, openIndex, syncRoot } from '@dagline/store'
import { expandShape, inProject, withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { silentHost } from '../src/host/host.js'
import { syncRoots } from '../src/index/open.js'

const SESSIONS = inProject(expandShape('s1: u1 a1\ns2: u2 a2\ns3: u3 a3').files)

it('[I8] a sync whose root disappears says so, and fails', async () => {
  await withHome(SESSIONS, async home => {
    const gone = `${home.projects}.moved`
    const options = {
      index: join(home.dir, 'index.db'),
      tell: ({ files }: { readonly files: number }): void => {
        if (files === 1) renameSync(home.projects, gone)
      },
    }
    const asked = syncRoots(silentHost([home.projects]), options)
    await expect(asked).rejects.toThrow(`${home.projects} disappeared while it was read`)
    renameSync(gone, home.projects)
  })
})

it('[I8] files that disappear before they are read are not counted as read', async () => {
  await withHome(SESSIONS, async home => {
    const gone = `${home.projects}.moved`
    const index = openIndex(join(home.dir, 'index.db'))
    const [found] = discover([home.projects])
    if (found === undefined) throw new RangeError('no root')
    const onProgress = ({ files }: { readonly files: number }): void => {
      if (files === 1) renameSync(home.projects, gone)
    }
    const report = await syncRoot(index, found, { onProgress })
    index.close()
    expect(report).toMatchObject({ present: 3, read: 1, left: 0, failed: [{}, {}] })
    expect(report.bytes).toBeLessThan(
      found.projects[0]?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0,
    )
    renameSync(gone, home.projects)
  })
})
