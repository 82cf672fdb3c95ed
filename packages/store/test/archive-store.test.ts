/** The session store in the archive. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sessionId } from '@dagline/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type ArchiveSessionStore,
  archivedOnly,
  createArchiveStore,
  createSessionStore,
  discover,
  type FoldSessionSummary,
  openArchive,
  openArchiveWriter,
  type SessionStoreEntry,
} from '../src/index.js'
import { bytesOf, fileAt, keep, newArchive, verify } from './archive-support.js'
import { SESSION_STORE_CONTRACT } from './session-store-contract.js'
import { temporaryFolder } from './temporary.js'

const fold: FoldSessionSummary = (before, { sessionId: id }, entries, { mtime = 0 } = {}) => ({
  ...{ sessionId: id, mtime },
  data: { title: entries.findLast(({ type }) => type === 'ai-title')?.['aiTitle'] ?? before?.data['title'] },
})

const KEY = { projectKey: '-home-dev-shop', sessionId: '6262bf4c-407f-4c36-a8af-fe98f84aebf9' }
const AGENT = { ...KEY, subpath: 'subagents/agent-a1' }
const SESSION = `${KEY.projectKey}/${KEY.sessionId}.jsonl`
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const entry = (number: number, text = `${number}`): SessionStoreEntry => ({
  ...{ type: 'user', uuid: uuid(number), sessionId: KEY.sessionId, text },
})
const note = (text: string): SessionStoreEntry => ({ type: 'ai-title', aiTitle: text })
const rowOf = (each: SessionStoreEntry): string => `${JSON.stringify(each)}\n`

interface Place {
  readonly folder: string
  readonly root: string
  readonly path: string
  readonly newStore: () => ArchiveSessionStore
}

function newPlace(): Place {
  const folder = temporaryFolder()
  const [root, path] = [join(folder, 'projects'), join(folder, 'archive.db')]
  mkdirSync(root)
  const newStore = (): ArchiveSessionStore => {
    const store = createArchiveStore({ archive: path, root, foldSessionSummary: fold })
    onTestFinished(() => store.close())
    return store
  }
  return { folder, root, path, newStore }
}

function isSound(path: string): void {
  const archive = newArchive(path)
  const { faults, damagedBlocks, structure } = verify(archive)
  expect({ faults, damagedBlocks, structure }).toEqual({ faults: [], damagedBlocks: [], structure: [] })
  archive.close()
}

function onDisk(root: string, entries: readonly SessionStoreEntry[], end = ''): string {
  const path = join(root, SESSION)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, entries.map(rowOf).join('') + end)
  return path
}

describe('the contract of the Agent SDK', () => {
  it.each(SESSION_STORE_CONTRACT)('[B12] $name', async ({ check }) => {
    const { newStore, path } = newPlace()
    const store = newStore()
    await check(store)
    store.close()
    isSound(path)
  })
})

describe('sessions of a store in the archive', () => {
  it('[B12] [K17] are there for readers as those that are in the archive only', async () => {
    const { root, path, newStore } = newPlace()
    const store = newStore()
    await store.append(KEY, [entry(1), note('one')])
    await store.append(AGENT, [entry(2), { type: 'agent_metadata', agentType: 'Explore' }])
    await store.append(AGENT, [{ type: 'agent_metadata', agentType: 'Plan' }])
    await store.append(AGENT, [{ type: 'agent_metadata', agentType: 'Plan' }])
    store.close()
    const archive = openArchive(path)
    const [session, ...more] = archivedOnly(archive, discover([root]))
    expect(more).toEqual([])
    expect(session?.files.map(file => [file.path, file.kind, file.isMirrored, file.versions])).toEqual([
      [SESSION, 'session', true, 1],
      [`${KEY.projectKey}/${KEY.sessionId}/subagents/agent-a1.jsonl`, 'agent', true, 1],
      [`${KEY.projectKey}/${KEY.sessionId}/subagents/agent-a1.meta.json`, 'meta', true, 1],
    ])
    expect(bytesOf(archive, fileAt(archive, SESSION)).toString()).toBe(rowOf(entry(1)) + rowOf(note('one')))
    const sidecar = bytesOf(archive, session?.files[2] as never).toString()
    expect(JSON.parse(sidecar)).toEqual({ agentType: 'Plan' })
    archive.close()
    isSound(path)
  })

  it('[B12] [B9] an import that comes again adds nothing, in this process or another one', async () => {
    const { path, newStore } = newPlace()
    const all = [note('a'), entry(1), note('x'), note('x'), entry(2), note('y')]
    for (const store of [newStore(), newStore()])
      for (let time = 0; time < 2; time++) {
        await store.append(KEY, all.slice(0, 3))
        await store.append(KEY, all.slice(3))
        expect(await store.load(KEY)).toEqual(all)
      }
    const archive = openArchive(path)
    expect(fileAt(archive, SESSION).bytes).toBe(all.map(rowOf).join('').length)
    archive.close()
  })

  it('[B12] what another process has appended comes first', async () => {
    const { newStore } = newPlace()
    const [one, two] = [newStore(), newStore()]
    for (let at = 0; at < 6; at++) await (at % 2 === 0 ? one : two).append(KEY, [entry(at), note(`${at}`)])
    const expected = [0, 1, 2, 3, 4, 5].flatMap(at => [entry(at), note(`${at}`)])
    expect(await one.load(KEY)).toEqual(expected)
    await one.delete(KEY)
    await two.append(KEY, [entry(9)])
    expect(await one.load(KEY)).toEqual([entry(9)])
  })

  it('[K17] a session that was archived from disk is loaded, and continued in a version of its own', async () => {
    const { root, path, newStore } = newPlace()
    const transcript = onDisk(root, [entry(1), entry(2)], '{"type":"user","uu')
    const archive = newArchive(path)
    keep(archive, root)
    const store = newStore()
    expect(await store.load(KEY)).toEqual([entry(1), entry(2)])
    await store.append(KEY, [entry(1), entry(2)])
    expect(fileAt(archive, SESSION)).toMatchObject({ versions: 1, isMirrored: false })
    await store.append(KEY, [entry(2), entry(3)])
    expect(await store.load(KEY)).toEqual([entry(1), entry(2), entry(3)])
    expect(fileAt(archive, SESSION)).toMatchObject({ versions: 2, isMirrored: true })
    // The file on disk is the one that was archived: nothing is stored again.
    expect(keep(archive, root)).toMatchObject({ unchanged: 1, stored: 0 })
    appendFileSync(transcript, 'id":"x"}\n')
    expect(keep(archive, root)).toMatchObject({ grown: 1, added: 0, replaced: 0 })
    expect(fileAt(archive, SESSION)).toMatchObject({ versions: 2, isMirrored: false })
    expect(bytesOf(archive, fileAt(archive, SESSION)).equals(readFileSync(transcript))).toBe(true)
    await store.append(KEY, [entry(4)])
    expect(await store.load(KEY)).toEqual([entry(1), entry(2), entry(3), entry(4)])
    expect(keep(archive, root)).toMatchObject({ unchanged: 1 })
    archive.close()
    isSound(path)
  })

  it('[B12] an archive that comes from a machine with other folders is read and continued', async () => {
    const { folder, path, newStore } = newPlace()
    const store = newStore()
    await store.append(KEY, [entry(1)])
    await store.append(AGENT, [entry(2)])
    store.close()
    const other = createArchiveStore({ archive: path, root: join(folder, 'elsewhere') })
    onTestFinished(() => other.close())
    expect(await other.load(KEY)).toEqual([entry(1)])
    await other.append(KEY, [entry(1), entry(3)])
    expect(await newStore().load(KEY)).toEqual([entry(1), entry(3)])
    expect((await other.listSessions(KEY.projectKey)).map(each => each.sessionId)).toEqual([KEY.sessionId])
    expect(await other.listSubkeys(KEY)).toEqual([AGENT.subpath])
    await other.delete(KEY)
    expect(await other.listSessions(KEY.projectKey)).toEqual([])
  })

  it('[K17] what is deleted leaves no byte, and what others have stays', async () => {
    const { path, newStore } = newPlace()
    const store = newStore()
    const other = { ...KEY, sessionId: '00000000-407f-4c36-a8af-fe98f84aebf9' }
    const [secret, shared] = [
      'a secret of this session alone '.repeat(4),
      'shared by both sessions '.repeat(8),
    ]
    await store.append(KEY, [entry(1, secret), entry(2, shared)])
    await store.append(AGENT, [entry(3, secret), { type: 'agent_metadata', agentType: 'Marker-Type' }])
    await store.append(other, [entry(2, shared)])
    await store.delete(KEY)
    expect(await store.load(KEY)).toBeNull()
    expect(await store.load(AGENT)).toBeNull()
    expect(await store.load(other)).toEqual([entry(2, shared)])
    store.close()
    const raw = readFileSync(path)
    for (const text of ['agent-a1', 'Marker-Type', KEY.sessionId.slice(0, 8)])
      expect({ text, isThere: raw.includes(text) }).toEqual({ text, isThere: false })
    isSound(path)
  })

  it('[K15] [K16] [K17] what is held is not deleted, and what is forgotten is not stored', async () => {
    const { path, newStore } = newPlace()
    const store = newStore()
    await store.append(KEY, [entry(1)])
    const archive = openArchiveWriter(path)
    onTestFinished(() => archive.close())
    const session = sessionId(KEY.sessionId)
    archive.hold(session, 1)
    await expect(store.delete(KEY)).rejects.toThrow(
      /is held, so it is not deleted. Run `dagline archive hold/,
    )
    archive.release(session)
    archive.forget([session], 1)
    expect(await store.load(KEY)).toBeNull()
    await expect(store.append(KEY, [entry(1)])).rejects.toThrow(/was forgotten.*--again/)
    archive.keepAgain(session)
    await store.append(KEY, [entry(1)])
    expect(await store.load(KEY)).toEqual([entry(1)])
  })

  it('[B12] a call that fails stores nothing, and can be made again', async () => {
    const { path, newStore } = newPlace()
    const store = newStore()
    await store.append(KEY, [entry(1), note('x')])
    const body = `
      const { createArchiveStore } = await import(${JSON.stringify(new URL('../../cli/dist/index.js', import.meta.url).href)})
      const { archive, root, key } = JSON.parse(process.argv[1])
      const store = createArchiveStore({ archive, root })
      const large = () => [{ type: 'note' }, { type: 'user', uuid: 'big', text: Array.from({ length: 60_000 }, () => Math.random()).join() }]
      let failed = 0
      for (let time = 0; time < 2; time++) await store.append(key, large()).catch(error => { failed += /full|limit|written/.test(error.message) ? 1 : 100 })
      await store.append(key, [{ type: 'user', uuid: 'after' }])
      console.log(failed)`
    if (process.platform === 'win32') return
    const given = JSON.stringify({ archive: path, root: join(path, '..', 'projects'), key: KEY })
    const words = [
      '-c',
      'ulimit -f 200; exec "$0" --input-type=module -e "$1" "$2"',
      process.execPath,
      body,
      given,
    ]
    const { stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: '2\n', stderr: '' })
    expect(await store.load(KEY)).toEqual([entry(1), note('x'), { type: 'user', uuid: 'after' }])
    store.close()
    isSound(path)
  })

  it('[B12] a store in a folder and one in the archive give the same', async () => {
    const { folder, newStore } = newPlace()
    const [own, other] = [newStore(), createSessionStore(join(folder, 'store'))]
    const all = Array.from({ length: 300 }, (_, at) => (at % 4 === 0 ? note(`${at % 3}`) : entry(at)))
    for (const store of [own, other]) {
      for (let at = 0; at < all.length; at += 7) await store.append(KEY, all.slice(at, at + 7))
      for (let at = 0; at < all.length; at += 50) await store.append(KEY, all.slice(at, at + 50))
    }
    expect(await own.load(KEY)).toEqual(await other.load(KEY))
    rmSync(join(folder, 'store'), { recursive: true })
  })
})
