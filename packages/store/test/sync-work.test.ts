/** I5: the work of a sync follows the change. Rows that are parsed and statements that are run are counted, not timed. */
import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { IndexStore } from '../src/db/index-store.js'
import { openIndex } from '../src/db/sqlite.js'
import type { SyncOptions, SyncReport } from '../src/sync/sync.js'
import { expectAsNew, readApart, syncFolder } from './indexes.js'
import { temporaryFolder } from './temporary.js'

/** How large an archive is. */
interface Size {
  readonly sessions: number
  /** Turns of each session. */
  readonly turns: number
  /** Agents of the session that changes. */
  readonly agents: number
}

const SMALL: Size = { sessions: 4, turns: 20, agents: 2 }

/** An index of an archive, up to date. */
interface Kept {
  readonly folder: string
  readonly path: string
  readonly index: IndexStore
}

async function keep({ sessions, turns, agents }: Size): Promise<Kept> {
  const place = temporaryFolder()
  const folder = join(place, 'projects')
  for (let nth = 0; nth < sessions; nth++)
    write(folder, `p${nth % 3}/s${nth}.jsonl`, chain(`s${nth}`, 0, turns))
  for (let nth = 0; nth < agents; nth++)
    write(folder, `p0/s0/subagents/agent-x${nth}.jsonl`, chain('s0', 0, 3, `x${nth}`))
  const path = join(place, 'index.db')
  const index = openIndex(path)
  onTestFinished(() => index.close())
  await syncFolder(index, folder)
  return { folder, path, index }
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Prompts and answers that follow each other, from a turn on. */
function chain(session: string, from: number, to: number, agent?: string): string {
  const owner = agent ?? session
  let text = ''
  for (let turn = from; turn < to; turn++) {
    const parent = turn === 0 ? null : `${owner}-a${turn - 1}`
    text += row(
      session,
      { type: 'user', uuid: `${owner}-u${turn}`, parentUuid: parent, agentId: agent },
      turn * 2,
    )
    const answer = {
      type: 'assistant',
      uuid: `${owner}-a${turn}`,
      parentUuid: `${owner}-u${turn}`,
      agentId: agent,
    }
    text += row(session, answer, turn * 2 + 1)
  }
  return text
}

interface Written {
  readonly type: string
  readonly uuid: string
  readonly parentUuid: string | null
  readonly agentId: string | undefined
}

function row(session: string, entry: Written, second: number): string {
  const content = [{ type: 'text', text: `words of ${entry.uuid}` }]
  const timestamp = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
  const message = {
    role: entry.type,
    content,
    id: entry.type === 'assistant' ? `m-${entry.uuid}` : undefined,
  }
  const isSidechain = entry.agentId !== undefined
  return `${JSON.stringify({ ...entry, sessionId: session, isSidechain, version: '2.1.0', timestamp, message })}\n`
}

interface Work extends SyncReport {
  readonly statements: number
}

async function workOf({ index, folder }: Kept): Promise<Work> {
  const before = index.statements()
  const report = await syncFolder(index, folder)
  return { ...report, statements: index.statements() - before }
}

/** A row behind the last one of the first session. */
function append({ folder }: Kept, { turns }: Size): void {
  const [prompt = ''] = chain('s0', turns, turns + 1).split(/(?<=\n)/)
  appendFileSync(join(folder, 'p0/s0.jsonl'), prompt)
}

async function workOfAppending(size: Size): Promise<Work> {
  const kept = await keep(size)
  append(kept, size)
  const work = await workOf(kept)
  await expectAsNew(kept.path, kept.folder)
  return work
}

describe('groups that were judged where they were read', () => {
  it('[I5] are taken as they are: no row is unpacked for them', async () => {
    const { folder } = await keep(SMALL)
    const index = openIndex(join(folder, '..', 'apart.db'))
    onTestFinished(() => index.close())
    const unpacked: number[] = []
    const watched: IndexStore = {
      ...index,
      rowsOf: file => {
        unpacked.push(file)
        return index.rowsOf(file)
      },
    }
    const { judged } = await syncFolder(watched, folder, { reader: readApart })
    expect(judged).toBe(SMALL.sessions)
    expect(unpacked).toEqual([])
  })
})

describe('files of many projects that belong together', () => {
  const PROJECTS = 6

  /** A file in each project, all of one session. */
  function writeShared(folder: string): void {
    for (let nth = 0; nth < PROJECTS; nth++) {
      const entry = { type: 'user', uuid: `shared-${nth}`, parentUuid: null, agentId: undefined }
      write(folder, `q${nth}/c${nth}.jsonl`, row('shared', entry, nth))
    }
  }

  async function unpackedBy({ folder, path, index }: Kept, options: SyncOptions = {}): Promise<number> {
    let unpacked = 0
    const rowsOf: IndexStore['rowsOf'] = file => {
      unpacked++
      return index.rowsOf(file)
    }
    await syncFolder({ ...index, rowsOf }, folder, options)
    await expectAsNew(path, folder)
    return unpacked
  }

  it('[I10] are joined once, when a new index is filled', async () => {
    const { folder } = await keep(SMALL)
    writeShared(folder)
    const path = join(folder, '..', 'filled.db')
    const index = openIndex(path)
    onTestFinished(() => index.close())
    expect(index.isFilling()).toBe(true)
    expect(await unpackedBy({ folder, path, index })).toBe(PROJECTS)
    expect(index.isFilling()).toBe(false)
  })

  it('[I10] are read and judged together, where they begin at the same time', async () => {
    const { folder } = await keep(SMALL)
    for (let nth = 0; nth < PROJECTS; nth++) {
      const entry = { type: 'user', uuid: `copy-${nth}`, parentUuid: null, agentId: undefined }
      write(folder, `q${nth}/c${nth}.jsonl`, row(`c${nth}`, entry, 500).replace(`of copy-${nth}`, 'of all'))
    }
    const path = join(folder, '..', 'alike.db')
    const index = openIndex(path)
    onTestFinished(() => index.close())
    expect(await unpackedBy({ folder, path, index }, { reader: readApart })).toBe(0)
    const copies = index.grouping(1).filter(file => file.path.startsWith('q'))
    expect(new Set(copies.map(({ group }) => group)).size).toBe(1)
  })

  it('[I10] are joined once, when they come to an index', async () => {
    const kept = await keep(SMALL)
    writeShared(kept.folder)
    expect(await unpackedBy(kept)).toBe(PROJECTS)
  })

  it('[I10] [I6] are joined by the next sync, where the one that filled the index was stopped', async () => {
    const { folder } = await keep(SMALL)
    writeShared(folder)
    const path = join(folder, '..', 'stopped.db')
    const index = openIndex(path)
    onTestFinished(() => index.close())
    const stop = new AbortController()
    const onProgress = ({ files }: { readonly files: number }): void => {
      if (files === 4) stop.abort()
    }
    await syncFolder(index, folder, { signal: stop.signal, onProgress })
    expect(index.isFilling()).toBe(true)
    await syncFolder(index, folder)
    expect(index.isFilling()).toBe(false)
    await expectAsNew(path, folder)
  })
})

describe('the newest sessions', () => {
  /** An archive whose sessions changed one after another, the last one last, and an empty index for it. */
  async function aged(): Promise<Kept> {
    const { folder } = await keep({ ...SMALL, sessions: 6, agents: 1 })
    for (let nth = 0; nth < 6; nth++) utimesSync(join(folder, `p${nth % 3}/s${nth}.jsonl`), 1000, 1000 + nth)
    utimesSync(join(folder, 'p0/s0/subagents/agent-x0.jsonl'), 1000, 2000)
    const path = join(folder, '..', 'aged.db')
    const index = openIndex(path)
    onTestFinished(() => index.close())
    return { folder, path, index }
  }

  const NEWEST = { sessions: 2, bytes: 1_000_000 }

  it('[I9] are in the index before another file is read', async () => {
    const { folder, path, index } = await aged()
    const read: string[] = []
    let listed: readonly string[] = []
    const paths = (): readonly string[] => index.files(1).map(each => each.path)
    const watched: IndexStore = {
      ...index,
      addChunk: (file, chunk) => {
        read.push(index.files(1).find(({ id }) => id === file)?.path ?? '')
        index.addChunk(file, chunk)
      },
    }
    const onNewest = (): void => {
      expect(read).toEqual(['p0/s0.jsonl', 'p0/s0/subagents/agent-x0.jsonl', 'p2/s5.jsonl'])
      const other = openIndex(path, { readOnly: true })
      listed = other.sessions().map(({ session }) => session)
      expect(other.count([{ words: ['words'], isPrefix: false }], {})).toBe(2 * 40 + 6)
      other.close()
    }
    await syncFolder(watched, folder, { newest: NEWEST, onNewest })
    expect(listed).toEqual(['s0', 's5'])
    expect(read).toHaveLength(paths().length)
    await expectAsNew(path, folder)
  })

  it('[I9] [I6] stay where the sync ends behind them', async () => {
    const { folder, path, index } = await aged()
    const onNewest = (): void => {
      throw new RangeError('the end')
    }
    await expect(syncFolder(index, folder, { newest: NEWEST, onNewest })).rejects.toThrow('the end')
    expect(index.sessions()).toHaveLength(2)
    expect(await syncFolder(index, folder)).toMatchObject({ read: 4, judged: 4 })
    await expectAsNew(path, folder)
  })

  it('[I9] are not told apart where there is nothing else to read', async () => {
    const { folder, index } = await aged()
    let told = 0
    await syncFolder(index, folder, { onNewest: () => told++ })
    expect(told).toBe(0)
  })
})

describe('the work of a sync', () => {
  it('[I5] nothing changed: no row is parsed, a handful of statements whatever the archive', async () => {
    const [few, many] = [
      await workOf(await keep(SMALL)),
      await workOf(await keep({ ...SMALL, sessions: 40 })),
    ]
    expect(few).toMatchObject({ read: 0, rows: 0, removed: 0, judged: 0 })
    expect(many).toMatchObject({ read: 0, rows: 0, removed: 0, judged: 0 })
    expect(few.statements).toBeLessThan(6)
    expect(many.statements).toBe(few.statements)
  })

  it('[I5] one row appended: one row is parsed, one group judged, few statements run', async () => {
    const small = await workOfAppending(SMALL)
    expect(small).toMatchObject({ read: 1, rows: 1, judged: 1, removed: 0 })
    expect(small.statements).toBeLessThan(80)
  })

  it.each([
    ['archive', { ...SMALL, sessions: 40 }],
    ['session', { ...SMALL, turns: 200 }],
  ])('[I5] one row appended to an %s ten times as large: the same statements', async (_, size) => {
    const [small, large] = [await workOfAppending(SMALL), await workOfAppending(size)]
    expect(large).toMatchObject({ read: 1, rows: 1, judged: 1 })
    expect(Math.abs(large.statements - small.statements)).toBeLessThanOrEqual(2)
  })

  it('[I5] one row appended to a session with more agents: some statements for each of them', async () => {
    const more = 20
    const small = await workOfAppending(SMALL)
    const large = await workOfAppending({ ...SMALL, agents: SMALL.agents + more })
    expect(large).toMatchObject({ read: 1, rows: 1, judged: 1 })
    expect(large.statements - small.statements).toBeLessThanOrEqual(more * 4)
  })

  it('[I5] rows appended one by one cost the same each time', async () => {
    const kept = await keep(SMALL)
    const counts: number[] = []
    for (let turn = 0; turn < 12; turn++) {
      append(kept, { ...SMALL, turns: SMALL.turns + turn })
      counts.push((await workOf(kept)).statements)
    }
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4)
    await expectAsNew(kept.path, kept.folder)
  })

  it('[I5] a file that moved is not read', async () => {
    const kept = await keep(SMALL)
    mkdirSync(join(kept.folder, 'p9'))
    renameSync(join(kept.folder, 'p1/s1.jsonl'), join(kept.folder, 'p9/s1.jsonl'))
    expect(await workOf(kept)).toMatchObject({ read: 0, rows: 0, judged: 1, removed: 0 })
    await expectAsNew(kept.path, kept.folder)
  })

  it('[I5] [I3] a session that comes, changes or goes has only its own group judged', async () => {
    const kept = await keep(SMALL)
    write(kept.folder, 'p1/new.jsonl', chain('new', 0, 5))
    expect(await workOf(kept)).toMatchObject({ read: 1, rows: 10, judged: 1 })
    write(kept.folder, 'p1/new.jsonl', chain('new', 0, 2))
    expect(await workOf(kept)).toMatchObject({ read: 1, rows: 4, judged: 1 })
    // A copy of its first turn under another session: now they are judged together.
    write(kept.folder, 'p2/copy.jsonl', chain('new', 0, 1) + chain('copy', 0, 1))
    expect(await workOf(kept)).toMatchObject({ read: 1, rows: 4, judged: 1 })
    await expectAsNew(kept.path, kept.folder)
  })
})
