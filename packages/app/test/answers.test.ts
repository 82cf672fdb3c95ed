/** I12: answers that are kept in the index equal those of the files, whatever happens to the files in between. */
import fs, { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { openIndex, takeLock } from '@dagline/store'
import { corruptedSessions, expandShape, listRecordings, STYLE_NAMES, sessionTexts } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aChange, World } from '../../store/test/world.js'
import { askParts, openParts } from '../src/graphs/answers.js'
import { silentHost } from '../src/host/host.js'
import { type FaceHistory, openFaceHistory } from '../src/index.js'
import { countRecords } from '../src/measure/census.js'
import { ownFolder } from './own-folders.js'

const runs = { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 10) }
const folder = ownFolder()
const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'fixtures')
const RECORDINGS = join(FIXTURES, 'recordings')
const SAMPLES = join(FIXTURES, 'samples', 'projects')

const aStory = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  style: fc.constantFrom(...STYLE_NAMES),
  damage: fc.boolean(),
  part: fc.nat(10),
  changes: fc.array(aChange, { minLength: 1, maxLength: 6, size: 'max' }),
})

type Story = typeof aStory extends fc.Arbitrary<infer T> ? T : never

/** What the four commands say: of the roots with the index, or of a folder from its files. */
async function answersOf(
  history: FaceHistory,
  path: string | null,
  paths: readonly string[] = path === null ? [] : [path],
): Promise<object> {
  return {
    tree: await history.sessionLists(paths),
    census: await history.census(paths),
    stats: rounded(await history.stats(paths)),
    health: await history.health(path),
  }
}

/** Sums of money differ in their last digits with the order of adding. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each) =>
    key === 'costUSD' && typeof each === 'number' ? Number(each.toPrecision(10)) : each,
  )
}

let worlds = 0

function newWorld(): { readonly world: World; readonly history: FaceHistory; readonly index: string } {
  const place = join(folder, String(++worlds))
  const index = join(place, 'index.db')
  const world = new World(join(place, 'projects'))
  return { world, index, history: openFaceHistory({ roots: [world.root], index }) }
}

describe('kept answers', () => {
  it('[I12] equal those of the files after any changes', { timeout: 600_000 }, async () => {
    const follow = async (story: Story): Promise<void> => {
      const { world, history } = newWorld()
      world.add(story.seed, { style: story.style, actions: 5, damage: story.damage }, story.part / 10)
      await answersOf(history, null)
      for (const change of story.changes) {
        world.apply(change)
        expect(await answersOf(history, null)).toEqual(await answersOf(history, world.root))
      }
    }
    await fc.assert(fc.asyncProperty(aStory, follow), runs)
  })

  it('[I12] equal those of the files for recordings and samples', { timeout: 120_000 }, async () => {
    const all = listRecordings(RECORDINGS).map(({ projectsDir }) => projectsDir)
    const roots = [SAMPLES, ...all.filter((_, nth) => nth % 10 === 0)]
    const history = openFaceHistory({ roots, index: join(folder, 'recordings.db') })
    const kept = await answersOf(history, null)
    expect(await answersOf(history, null)).toEqual(kept)
    const files = await Promise.all(roots.map(root => history.health(root)))
    expect(kept).toEqual({ ...(await answersOf(history, null, roots)), health: files.flat() })
  })

  it('[I12] equal those of the files for corrupted sessions', { timeout: 120_000 }, async () => {
    const { world, history } = newWorld()
    for (const { seed, session, text } of corruptedSessions(sessionTexts(RECORDINGS), { count: 24 })) {
      const id = `${String(seed).padStart(8, '0')}${session.slice(8)}`
      mkdirSync(join(world.root, `-seed-${seed % 20}`), { recursive: true })
      writeFileSync(join(world.root, `-seed-${seed % 20}`, `${id}.jsonl`), text.replaceAll(session, id))
    }
    const kept = await answersOf(history, null)
    expect(kept).toEqual(await answersOf(history, world.root))
    expect(await answersOf(history, null)).toEqual(kept)
  })

  it('[I12] [K10] leave out sessions that are in the archive only', async () => {
    const { world, history } = newWorld()
    for (const seed of [1, 2]) world.add(seed, { style: 'seed', actions: 4 }, 1)
    await answersOf(history, null)
    await history.archive.keep([world.root])
    world.apply({ kind: 'delete', pick: 0, part: 0 })
    const listed = await history.sessions()
    expect(listed.some(({ archivedOnly }) => archivedOnly)).toBe(true)
    expect(await answersOf(history, null)).toEqual(await answersOf(history, world.root))
  })

  it('[D10] [D11] [D12] [I12] what only the disk shows is checked at every call', async () => {
    const { world, history } = newWorld()
    const output = join(folder, 'output.txt')
    const cwd = join(folder, 'work')
    const more = JSON.stringify({ cwd, toolUseResult: { persistedOutputPath: output } })
    const { files } = expandShape(`s1: u1 a1[t1:Bash] r1[t1]+${more} a2+{"cwd":"${cwd}"}`)
    mkdirSync(join(world.root, '-elsewhere'))
    for (const { path, text } of files) writeFileSync(join(world.root, '-elsewhere', path), text)
    const faults = async (): Promise<readonly string[]> => {
      const found = await history.health()
      expect(found).toEqual(await history.health(world.root))
      return found.flatMap(each => each.faults.map(({ id, severity }) => `${id} ${severity}`))
    }
    writeFileSync(output, 'long')
    writeFileSync(join(world.root, '..', 'settings.json'), '{"cleanupPeriodDays": 30}')
    expect(await faults()).not.toContain('missing-output info')
    rmSync(output)
    expect(await faults()).toContain('missing-output info')
    writeFileSync(join(world.root, '..', 'settings.json'), '{"cleanupPeriodDays": 1}')
    expect(await faults()).toContain('swept-soon warning')
    const before = (await faults()).filter(fault => fault.startsWith('wrong-folder'))
    mkdirSync(cwd)
    const after = (await faults()).filter(fault => fault.startsWith('wrong-folder'))
    expect([before, after]).toEqual([['wrong-folder info'], ['wrong-folder warning']])
  })

  it('[I12] read only the file groups that changed', async () => {
    const { world, index } = newWorld()
    for (const seed of [1, 2, 3, 4]) world.add(seed, { style: 'seed', actions: 3 }, 1)
    const first = await readParts(world.root, index)
    expect(first).toBeGreaterThan(3)
    expect(await readParts(world.root, index)).toBe(0)
    world.apply({ kind: 'edit', pick: 0, part: 900 })
    expect(await readParts(world.root, index)).toBe(1)
    world.apply({ kind: 'delete', pick: 0, part: 0 })
    expect(await readParts(world.root, index)).toBeLessThan(2)
    expect(await readParts(world.root, index)).toBe(0)
  })

  it('[I12] are not kept while another process writes, and the answer comes from the files', async () => {
    const { world, index, history } = newWorld()
    world.add(5, { style: 'seed', actions: 3 }, 1)
    const unlock = takeLock(index, 0)
    openIndex(index).close()
    expect(await history.census()).toEqual(await history.census([world.root]))
    unlock?.()
    expect(await readParts(world.root, index)).toBeGreaterThan(0)
  })

  it('[P11] are not given for a file that may not be read any more', async () => {
    const { world, index } = newWorld()
    world.add(6, { style: 'seed', actions: 3 }, 1)
    await readParts(world.root, index)
    const [path = ''] = world.files()
    const access = fs.accessSync
    fs.accessSync = (name, mode) => {
      if (String(name).endsWith(path)) throw new Error('EACCES')
      access(name, mode)
    }
    syncBuiltinESMExports()
    try {
      expect(await readParts(world.root, index)).toBe(1)
    } finally {
      fs.accessSync = access
      syncBuiltinESMExports()
    }
  })

  it('[I12] are not kept for a file that grows while it is read', async () => {
    const { world, index } = newWorld()
    world.add(7, { style: 'seed', actions: 3 }, 1)
    const [path = ''] = world.files()
    const grow = (): void => appendFileSync(join(world.root, path), '{"type":"summary"}\n')
    await readParts(world.root, index, grow)
    expect(await readParts(world.root, index)).toBe(1)
    expect(await readParts(world.root, index)).toBe(0)
  })
})

/** How many parts a question about everything reads. */
async function readParts(root: string, index: string, meanwhile: () => void = () => {}): Promise<number> {
  let count = 0
  const host = silentHost([root])
  const opened = await openParts(host, { index })
  const read: typeof countRecords = location => {
    count++
    meanwhile()
    return countRecords(location)
  }
  await askParts({ name: 'countRecords', read }, opened, host)
  opened.close()
  return count
}
