/** What an Agent SDK program writes into a store is what dagline reads: recorded sessions, imported as the SDK does it. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Graph, isSpoken } from '@dagline/core'
import { archivePath } from '@dagline/store'
import { listRecordings } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import {
  createArchiveStore,
  createSessionStore,
  graphOf,
  type LoadableStore,
  openFaceHistory,
  openStored,
  type SessionKey,
  type SessionStoreEntry,
} from '../src/index.js'
import { ownFolder } from './own-folders.js'

const folder = ownFolder()
const RECORDINGS = listRecordings(join(import.meta.dirname, '..', '..', '..', 'fixtures', 'recordings'))

interface Transcript {
  readonly key: SessionKey
  readonly path: string
}

/** The transcripts of recordings in the layout that the SDK knows, by the keys that it gives them. */
function transcriptsOf(projects: string): readonly Transcript[] {
  const paths = readdirSync(projects, { recursive: true, encoding: 'utf8' }).sort()
  return paths
    .filter(path => path.endsWith('.jsonl') && !/^[^/\\]+[/\\]agent-/.test(path))
    .filter(path => statSync(join(projects, path)).size > 0)
    .map(path => {
      const [projectKey = '', sessionId = '', ...more] = path.replace(/\.jsonl$/, '').split(sep)
      return {
        key: { projectKey, sessionId, ...(more.length === 0 ? {} : { subpath: more.join('/') }) },
        path: join(projects, path),
      }
    })
}

/** The batches that `importSessionToStore` of the SDK gives: 500 rows, then the sidecar as a row. */
function* batchesOf(path: string): Generator<SessionStoreEntry[]> {
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter(row => row !== '')
  for (let at = 0; at < rows.length; at += 500) yield rows.slice(at, at + 500).map(row => JSON.parse(row))
  try {
    const meta = JSON.parse(readFileSync(path.replace(/\.jsonl$/, '.meta.json'), 'utf8'))
    yield [{ type: 'agent_metadata', ...meta }]
  } catch {
    // Few have one.
  }
}

type Append = (key: SessionKey, entries: SessionStoreEntry[]) => Promise<void>

async function importAll(append: Append, transcripts: readonly Transcript[]): Promise<void> {
  for (const { key, path } of transcripts) for (const batch of batchesOf(path)) await append(key, batch)
}

/** Another store: it appends whatever comes, as the SDK's own store for tests does. */
function plainStore(): LoadableStore & { readonly append: Append } {
  const all = new Map<string, SessionStoreEntry[]>()
  const nameOf = ({ projectKey, sessionId, subpath = '' }: SessionKey): string =>
    [projectKey, sessionId, subpath].join('\n')
  return {
    append: async (key, entries) => void all.set(nameOf(key), [...(all.get(nameOf(key)) ?? []), ...entries]),
    load: async key => all.get(nameOf(key)) ?? null,
    listSubkeys: async ({ projectKey, sessionId }) =>
      [...all.keys()].flatMap(name => {
        const [project, session, subpath = ''] = name.split('\n')
        return project === projectKey && session === sessionId && subpath !== '' ? [subpath] : []
      }),
  }
}

function filesBelow(root: string): Readonly<Record<string, string>> {
  const items = readdirSync(root, { recursive: true, withFileTypes: true }).filter(item => item.isFile())
  const paths = items.map(item => join(item.parentPath, item.name)).sort()
  return Object.fromEntries(paths.map(path => [relative(root, path), readFileSync(path, 'utf8')]))
}

/** What a reader sees of a graph. */
function seenIn(graph: Graph): object {
  return {
    lines: graph.lines().map(({ id, status, nodes }) => [id, status, nodes.map(node => graph.id(node))]),
    agents: graph.agents().map(({ id, name, state, spawnedBy }) => [id, name, state, spawnedBy?.evidence]),
    problems: graph
      .diagnostics()
      .filter(({ severity }) => severity !== 'info')
      .map(({ rule, node }) => [rule, node]),
  }
}

describe('sessions of a store', () => {
  it('[B7] [B9] dagline lists them as those of Claude Code, and a second import changes no byte', async () => {
    const figures = async (root: string, index: string): Promise<readonly object[]> => {
      const all = await openFaceHistory({ roots: [root], index: join(folder, index) }).sessions()
      return all.map(({ session, title, turns, branches, agents, compactions, problems, first, last }) => ({
        ...{ session, title, turns, branches, agents, compactions, problems, first, last },
      }))
    }
    const recorded = RECORDINGS.filter(hasSubagents)
    expect(recorded.length).toBeGreaterThan(5)
    for (const [at, { projectsDir, name }] of recorded.entries()) {
      const root = join(folder, 'stores', name)
      const transcripts = transcriptsOf(projectsDir)
      await importAll(createSessionStore(root).append, transcripts)
      const once = filesBelow(root)
      await importAll(createSessionStore(root).append, transcripts)
      expect(filesBelow(root)).toEqual(once)
      const [ours, theirs] = [await figures(root, `a${at}.db`), await figures(projectsDir, `b${at}.db`)]
      expect({ name, ours }).toEqual({ name, ours: theirs })
    }
  })

  it('[B12] dagline lists those of the archive as sessions that are nowhere else, and a second import adds nothing', async () => {
    const recorded = RECORDINGS.filter(hasSubagents).slice(0, 6)
    expect(recorded).toHaveLength(6)
    for (const [at, { projectsDir, name }] of recorded.entries()) {
      const root = join(folder, 'roots', name)
      mkdirSync(root, { recursive: true })
      const transcripts = transcriptsOf(projectsDir)
      const store = createArchiveStore({ root })
      await importAll(store.append, transcripts)
      store.close()
      const once = readFileSync(archivePath())
      for (const append of [store.append, createArchiveStore({ root }).append])
        await importAll(append, transcripts)
      expect(readFileSync(archivePath()).equals(once)).toBe(true)
      const listed = await openFaceHistory({ roots: [root], index: join(folder, `c${at}.db`) }).sessions()
      const original = await openFaceHistory({
        roots: [projectsDir],
        index: join(folder, `d${at}.db`),
      }).sessions()
      const figures = (all: typeof listed): readonly object[] =>
        all.map(({ session, title, turns, branches, agents, compactions, problems }) => ({
          ...{ session, title, turns, branches, agents, compactions, problems },
        }))
      expect({ name, seen: figures(listed) }).toEqual({ name, seen: figures(original) })
      expect(listed.every(({ archivedOnly }) => archivedOnly)).toBe(true)
      store.close()
    }
  })

  it('[B10] graphOf gives the same graph from any store, also from one that took an import twice', async () => {
    for (const { projectsDir, name } of RECORDINGS) {
      const transcripts = transcriptsOf(projectsDir)
      const [own, other] = [createSessionStore(join(folder, 'graphs', name)), plainStore()]
      for (const append of [own.append, other.append, other.append]) await importAll(append, transcripts)
      for (const { key } of transcripts.filter(({ key: { subpath } }) => subpath === undefined)) {
        const graph = await graphOf(own, key)
        const twice = await graphOf(other, key)
        if (graph === null || twice === null) throw new Error(`${name} is not in the store`)
        expect({ name, ...seenIn(twice) }).toEqual({ name, ...seenIn(graph) })
      }
    }
  })

  it('[B10] opens contents, too, and has nothing for what is not there', async () => {
    const recording = RECORDINGS.find(hasSubagents)
    const transcripts = transcriptsOf(recording?.projectsDir ?? '')
    const key = transcripts[0]?.key ?? { projectKey: 'x', sessionId: 'x' }
    const store = plainStore()
    expect(await openStored(store, key)).toBeNull()
    expect(await graphOf(store, key)).toBeNull()
    await importAll(store.append, transcripts)
    const project = await openStored(store, key)
    const { graph } = project ?? {}
    const [first = -1] = graph?.lines()[0]?.nodes.filter(node => isSpoken(graph, node)) ?? []
    expect(await project?.blocks(first)).not.toHaveLength(0)
    expect(graph?.agents()).not.toHaveLength(0)
  })
})

function hasSubagents({ projectsDir }: { readonly projectsDir: string }): boolean {
  return transcriptsOf(projectsDir).some(({ key }) => key.subpath !== undefined)
}
