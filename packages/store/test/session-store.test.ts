/** The session store for the Agent SDK. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSessionStore, type FoldSessionSummary, type SessionStoreEntry } from '../src/index.js'
import { SESSION_STORE_CONTRACT } from './session-store-contract.js'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'dagline-sessions-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** As the SDK does it, as far as a test needs it: the last title. */
const fold: FoldSessionSummary = (before, { sessionId }, entries, { mtime = 0 } = {}) => ({
  ...{ sessionId, mtime },
  data: { title: entries.findLast(({ type }) => type === 'ai-title')?.['aiTitle'] ?? before?.data['title'] },
})

const KEY = { projectKey: '-home-dev-shop', sessionId: '6262bf4c-407f-4c36-a8af-fe98f84aebf9' }
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const entry = (number: number): SessionStoreEntry => ({ type: 'user', uuid: uuid(number), text: `${number}` })
const note = (text: string): SessionStoreEntry => ({ type: 'ai-title', aiTitle: text })

describe('the contract of the Agent SDK', () => {
  it.each(SESSION_STORE_CONTRACT)('[B8] $name', async ({ check }) => {
    await check(createSessionStore(folder(), { foldSessionSummary: fold }))
  })

  it('[B7] without the function of the SDK there are no summaries: it loads sessions then', () => {
    expect(createSessionStore(folder()).listSessionSummaries).toBeUndefined()
  })
})

describe('files', () => {
  it('[B7] lie where Claude Code would have put them, readable for their owner only', async () => {
    const root = folder()
    const store = createSessionStore(root)
    const agent = { ...KEY, subpath: 'subagents/agent-a1' }
    await store.append(KEY, [entry(1)])
    await store.append(agent, [entry(2), { type: 'agent_metadata', agentType: 'Explore', spawnDepth: 1 }])
    const project = join(root, KEY.projectKey)
    expect(readFileSync(join(project, `${KEY.sessionId}.jsonl`), 'utf8')).toBe(
      `${JSON.stringify(entry(1))}\n`,
    )
    const sidecar = join(project, KEY.sessionId, 'subagents', 'agent-a1.meta.json')
    expect(JSON.parse(readFileSync(sidecar, 'utf8'))).toEqual({ agentType: 'Explore', spawnDepth: 1 })
    expect(statSync(sidecar).mode & 0o777).toBe(0o600)
    expect(statSync(project).mode & 0o077).toBe(0)
    await store.delete(agent)
    expect(existsSync(sidecar)).toBe(false)
  })

  it('[B7] no key leads out of the folder, and each is read back as it was given', async () => {
    const names = fc.oneof(
      fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
      fc.constantFrom(
        '..',
        '.',
        '../x',
        '/etc',
        'C:\\x',
        'a/b',
        '.hidden',
        'CON',
        '%2e%2e',
        'x.jsonl',
        '~',
        '-',
      ),
    )
    await fc.assert(
      fc.asyncProperty(names, names, names, async (projectKey, sessionId, part) => {
        const above = folder()
        const store = createSessionStore(join(above, 'root'))
        const key = { projectKey, sessionId, subpath: `subagents/${part.replaceAll('/', '')}x` }
        await store.append({ projectKey, sessionId }, [entry(1)])
        await store.append(key, [entry(2)])
        expect(await store.load(key)).toEqual([entry(2)])
        expect((await store.listSessions(projectKey)).map(session => session.sessionId)).toEqual([sessionId])
        expect(await store.listSubkeys(key)).toEqual([key.subpath])
        expect(readdirSync(above)).toEqual(['root'])
        await store.delete({ projectKey, sessionId })
        expect(readdirSync(join(above, 'root'), { recursive: true })).toHaveLength(1)
      }),
      { numRuns: 30 },
    )
  })

  it('[B7] a part of a key that cannot be a name is an error of the caller', async () => {
    const store = createSessionStore(folder())
    for (const key of [
      { ...KEY, subpath: '' },
      { ...KEY, sessionId: '' },
      { ...KEY, projectKey: 'x'.repeat(300) },
      { ...KEY, subpath: 'a//b' },
      { ...KEY, projectKey: '\ud800' },
    ])
      await expect(store.append(key, [entry(1)])).rejects.toThrow(RangeError)
  })
})

describe('appending', () => {
  it('[B8] a row that a crash cut off does not take the next one with it', async () => {
    const root = folder()
    const store = createSessionStore(root)
    await store.append(KEY, [entry(1)])
    appendFileSync(join(root, KEY.projectKey, `${KEY.sessionId}.jsonl`), '{"type":"user","uu')
    for (const each of [store, createSessionStore(root)]) await each.append(KEY, [entry(2), note('x')])
    expect(await store.load(KEY)).toEqual([entry(1), entry(2), note('x')])
  })

  it.skipIf(process.platform === 'win32')(
    '[B8] where nothing more can be written nothing is torn, and the SDK can try again',
    async () => {
      const root = folder()
      const body = `
        const entry = number => ({ type: 'user', uuid: String(number), text: 'x'.repeat(3000) })
        let failed = 0
        for (let at = 0; at < 5; at++)
          await store.append(key, [entry(2 * at), { type: 'note' }, entry(2 * at + 1)]).catch(() => failed++)
        console.log(failed)`
      // A file may have 16 kB: the third call is the first to fail.
      const script = 'ulimit -f 16; exec "$0" --input-type=module -e "$1"'
      const words = ['-c', script, process.execPath, programOf(root, body)]
      const { stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' })
      expect({ stdout, stderr }).toEqual({ stdout: '3\n', stderr: '' })
      const written = (await createSessionStore(root).load(KEY))?.map(each => each.uuid ?? 'note')
      expect(written).toEqual(['0', 'note', '1', '2', 'note', '3'])
      expect(readFileSync(join(root, KEY.projectKey, `${KEY.sessionId}.jsonl`), 'utf8')).toMatch(/\}\n$/)
    },
  )

  it('[B8] rows of several processes do not mix, and those of each are in order', async () => {
    const root = folder()
    const writers = ['a', 'b', 'c'].map(name =>
      spawn(process.execPath, [
        ...['--input-type=module', '-e'],
        programOf(
          root,
          `for (let at = 0; at < 100; at++)
             await store.append(key, [{ type: 'user', uuid: '${name}' + at, text: 'y'.repeat(at * 50) }, { type: '${name}', at }])`,
        ),
      ]),
    )
    await Promise.all(writers.map(writer => once(writer, 'close')))
    const written = (await createSessionStore(root).load(KEY)) ?? []
    expect(written).toHaveLength(600)
    for (const name of ['a', 'b', 'c'])
      expect(written.filter(({ type }) => type === name).map(each => each['at'])).toEqual([
        ...Array(100).keys(),
      ])
  })
})

/** A program that has a store of the built library. */
function programOf(root: string, body: string): string {
  const library = new URL('../../cli/dist/index.js', import.meta.url)
  return `
    import { createSessionStore } from ${JSON.stringify(library.href)}
    const [store, key] = [createSessionStore(${JSON.stringify(root)}), ${JSON.stringify(KEY)}]
    ${body}`
}

/** Rows of a transcript: entries, and notes of which many are equal. */
const rows = fc
  .array(fc.oneof(fc.constant('entry'), fc.constantFrom('x', 'y')), { minLength: 1, maxLength: 40 })
  .map(kinds => kinds.map((kind, at) => (kind === 'entry' ? entry(at) : note(kind))))

/** Cuts rows into batches that have an entry each, as those of an import have: it takes 500 rows at a time. */
function batches(all: readonly SessionStoreEntry[], size: number): readonly (readonly SessionStoreEntry[])[] {
  const cut: SessionStoreEntry[][] = [[]]
  for (const row of all) {
    const last = cut.at(-1) ?? []
    if (last.length >= size && last.some(({ uuid: id }) => id !== undefined)) cut.push([row])
    else last.push(row)
  }
  return cut
}

describe('importing again', () => {
  it('[B9] changes nothing, in whatever batches, and appends only what is new', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(rows, sizes, fc.double({ min: 0, max: 1, noNaN: true }), async (all, each, part) => {
        fc.pre(all.some(({ uuid: id }) => id !== undefined))
        const root = folder()
        const first = all.slice(0, Math.ceil(all.length * part))
        // What is written live comes as it comes.
        for (const row of first) await createSessionStore(root).append(KEY, [row])
        for (const size of each) {
          const store = createSessionStore(root)
          for (const batch of [...batches(all, size), ...batches(all, size)]) await store.append(KEY, batch)
          expect(await store.load(KEY)).toEqual(
            first.some(({ uuid: id }) => id) ? all : await store.load(KEY),
          )
        }
      }),
      { numRuns: 100 },
    )
  })

  it('[B9] a batch that the SDK sends again after a failure changes nothing', async () => {
    const store = createSessionStore(folder())
    const batch = [entry(1), note('x'), note('x'), entry(2), note('y')]
    await store.append(KEY, batch)
    await store.append(KEY, batch)
    expect(await store.load(KEY)).toEqual(batch)
    await store.append(KEY, [note('y')])
    expect(await store.load(KEY)).toEqual([...batch, note('y')])
  })

  it('[B9] a note behind a new entry is new, whatever stood behind the entries before', async () => {
    const store = createSessionStore(folder())
    await store.append(KEY, [entry(1), note('x')])
    await store.append(KEY, [entry(1), entry(2), note('x')])
    expect(await store.load(KEY)).toEqual([entry(1), note('x'), entry(2), note('x')])
  })
})
