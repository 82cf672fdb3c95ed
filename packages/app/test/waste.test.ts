/** Waste and usage of the same files: no sum is more than what was used, whatever is asked for. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expandShape } from '@dagline/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { openFaceHistory } from '../src/index.js'
import { ownFolder } from './own-folders.js'

const folder = ownFolder()
const root = join(folder, 'projects')
const history = openFaceHistory({ roots: [root], index: join(folder, 'index.db') })

const used = (read: number, written: number): string =>
  `+{"message":{"usage":{"input_tokens":2,"cache_read_input_tokens":${read},"cache_creation_input_tokens":${written},"output_tokens":7}}}`

/** A rewind and a pause; the second project has a copy of the same file. */
const SHAPE = `s1: u1"one" a1${used(0, 5000)} u2"two" a2${used(5000, 90)}
s1: a1 > u3"three"@+30m a3${used(0, 6000)} u4@+30m a4${used(0, 7000)}`

function write(project: string): void {
  for (const { path, text } of expandShape(SHAPE).files) {
    const file = join(root, project, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

beforeAll(() => {
  write('-home-dev-a')
  write('-home-dev-b')
})

describe('waste', () => {
  it('[X41] counts a message once, also where two projects have it', async () => {
    const { items, kinds, wasted, used: all } = await history.waste()
    expect(items.map(({ kind, tokens }) => [kind, tokens])).toEqual([
      ['cache-expiry', 6000],
      ['rewind', 5099],
    ])
    expect(kinds.map(({ kind, count }) => [kind, count])).toEqual([
      ['cache-expiry', 1],
      ['rewind', 1],
    ])
    const rows = await history.usage()
    expect(all.messages).toBe(rows.length)
    expect(wasted.tokens).toBe(6000 + 5099)
    expect(wasted.costUSD ?? 0).toBeLessThanOrEqual(all.costUSD ?? 0)
  })

  it('[X41] counts for a session, a project and a time what usage counts for them', async () => {
    expect((await history.waste({ session: 's1' })).wasted.tokens).toBe(6000 + 5099)
    const projects = await Promise.all(
      ['-home-dev-a', '-home-dev-b'].map(async project => (await history.waste({ project })).wasted.tokens),
    )
    expect(projects).toEqual([6000 + 5099, 0])
    const none = await history.waste({ until: '2001-01-01' })
    expect([none.items, none.used.messages]).toEqual([[], 0])
  })
})
