/** H12: search in a root that is not indexed yet. */
import { appendFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { parseHomeView } from '@dagline/core/protocol'
import { discover, openIndex, syncRoot } from '@dagline/store'
import { expandShape, inProject, type TestHome, withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { type History, openHistory, openLive, type Sync } from '../src/index.js'

const SESSIONS = 70

/** Sessions that were written one after another, each with a word of its own; the oldest has some more. */
async function onManySessions<T>(use: (history: History, home: TestHome) => Promise<T>): Promise<T> {
  const names = Array.from({ length: SESSIONS }, (_, nth) => `s${1000 + nth}`)
  const text = names.map((name, nth) => `${name}: u${nth}"Number${nth} Größe src/app.ts" a${nth}`).join('\n')
  return await withHome(inProject(expandShape(text).files), async home => {
    for (const [nth, name] of names.entries())
      utimesSync(join(home.projects, `-home-dev-proj/${name}.jsonl`), 1000, 1000 + nth)
    return await use(openHistory({ roots: [home.projects], index: join(home.dir, 'index.db') }), home)
  })
}

const HASTY = { scanAbove: 0 }

it('[H12] finds words in files that are not indexed, and says so', async () => {
  await onManySessions(async (history, { dir }) => {
    const { hits, scan } = await history.search('number0', HASTY)
    expect(hits).toEqual([])
    expect(scan).toMatchObject({ files: 6, of: 6, hits: [{ session: 's1000', field: 'prompt', row: 1 }] })
    expect(scan?.hits[0]?.snippet).toContain('Number0')
    expect(scan?.hits[0]?.node).toMatch(/^[0-9a-f-]{36}$/)
    const newest = await history.search('number69', { ...HASTY, index: join(dir, 'other.db') })
    expect([newest.hits.length, newest.scan?.hits]).toEqual([1, []])
  })
})

it('[H12] finds what the index finds: prefixes, paths, phrases, diacritics', async () => {
  await onManySessions(async (history, { dir, projects }) => {
    const whole = openHistory({ roots: [projects], index: join(dir, 'whole.db') })
    for (const text of [
      'grosse',
      'größe',
      'groß*',
      'src/app.ts',
      'src/ap',
      '"größe src"',
      'app.js',
      'umber3*',
    ]) {
      const index = join(dir, `${encodeURIComponent(text)}.db`)
      const part = await history.search(text, { ...HASTY, index, limit: 100 })
      const all = await whole.search(text, { limit: 100 })
      const found = [...part.hits, ...(part.scan?.hits ?? [])].map(({ node }) => node)
      expect([text, found.sort()]).toEqual([text, all.hits.map(({ node }) => node).sort()])
      expect(part.scan).not.toBeNull()
    }
  })
})

it('[H12] filters what it can, and waits for the index where it cannot', async () => {
  await onManySessions(async (history, { dir }) => {
    const search = async (filter: object, name: string): Promise<readonly (string | null)[]> => {
      const index = join(dir, `${name}.db`)
      const { scan, hits } = await history.search('number0', { ...HASTY, index, filter })
      return scan === null ? hits.map(() => 'indexed') : scan.hits.map(({ session }) => session)
    }
    expect(await search({ role: 'human', project: 'dev-proj', session: 's1000' }, 'a')).toEqual(['s1000'])
    expect(await search({ role: 'claude' }, 'b')).toEqual([])
    expect(await search({ until: '2000' }, 'c')).toEqual([])
    expect(await search({ branch: 'live' }, 'd')).toEqual(['indexed'])
    expect(await search({ regex: 'number0' }, 'e')).toEqual(['indexed'])
  })
})

it('[H12] stops with enough hits, does not repeat an entry, and serves the next search', async () => {
  await onManySessions(async (history, { projects }) => {
    const few = await history.search('src/app.ts', { ...HASTY, limit: 2 })
    expect([few.scan?.files, few.scan?.of, few.scan?.hits.length]).toEqual([2, 6, 2])
    // The next one indexes the rest.
    expect((await history.search('number0', HASTY)).scan).toBeNull()
    appendFileSync(join(projects, '-home-dev-proj/s1000.jsonl'), '\n')
    expect((await history.search('number0', HASTY)).hits).toHaveLength(1)
  })
})

/** Indexes the newest sessions, and goes on until it is released. */
function syncNewest(path: string, root: string, until: Promise<void>): Sync {
  return async tell => {
    const index = openIndex(path)
    const stop = new AbortController()
    const options = { signal: stop.signal, onNewest: () => stop.abort() }
    for (const found of discover([root])) await syncRoot(index, found, options)
    index.close()
    tell({ files: 64, totalFiles: 70, bytes: 1, totalBytes: 1e9, hasNewest: true })
    await until
    return []
  }
}

it('[H12] [I9] the page lists the newest sessions and searches the rest while the index is made', async () => {
  await onManySessions(async (_, { dir, projects }) => {
    let release: () => void = () => {}
    const until = new Promise<void>(resolve => {
      release = resolve
    })
    const index = join(dir, 'live.db')
    const live = openLive({
      index,
      roots: [projects],
      isSample: false,
      sync: syncNewest(index, projects, until),
    })
    const shown = new Promise<void>(resolve => {
      live.events.listen(event => event.kind === 'changed' && resolve())
    })
    live.start()
    await shown
    const home = live.home({ view: parseHomeView(() => null), from: 0, count: 100 })
    expect([home.sync.state, home.sessions, home.items.length]).toEqual(['running', 64, 64])
    const page = await live.search({ q: 'number0', limit: 30, below: 0 })
    expect(page.hits).toMatchObject([{ session: 's1000', label: null }])
    expect(page.note).toBe('6 of 6 files that are not indexed yet were searched, too.')
    release()
    live.close()
  })
})
