/** I16: what is read for one session gives the answers of its whole project. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { entryId, walkSession } from '@dagline/core'
import { expandShape, STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { CHANGES, World } from '../../store/test/world.js'
import { openHistory, type SessionGraph } from '../src/index.js'

const folder = mkdtempSync(join(tmpdir(), 'dagline-linked-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Opened = ReturnType<typeof openHistory>

let worlds = 0

/** A projects root, a history of it with an index, and one that has none and reads whole projects. */
function newWorld(): { readonly world: World; readonly linked: Opened; readonly whole: Opened } {
  const place = join(folder, String(++worlds))
  const world = new World(join(place, 'projects'))
  const roots = [world.root]
  return {
    world,
    linked: openHistory({ roots, index: join(place, 'index.db') }),
    whole: openHistory({ roots, index: join(place, 'none.db') }),
  }
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** All that commands ask about one session, by uuids: `log`, `branches`, `explain`, and what a resume starts from. */
function answersOf({ graph, session, diagnostics, line }: SessionGraph): object {
  const ids = (nodes: readonly number[]): readonly string[] => nodes.map(node => graph.id(node))
  const own = graph.lines().filter(({ domain }) => domain.session === session.id)
  const domains = new Set(own.map(({ domain }) => domain.index))
  const paths = new Set<string>(session.files.map(({ facts }) => facts.path))
  const { rows, left } = walkSession(graph, session.id, {
    branches: 'show',
    agents: 'show',
    shows: () => true,
    warmups: true,
  })
  return {
    session: session.id,
    title: session.title,
    parent: session.parent && { ...session.parent, at: graph.id(session.parent.at) },
    line: line?.id ?? null,
    files: [...paths],
    current: graph.currentFile(session.id)?.facts.path,
    lines: own.map(each => [each.id, each.kind, each.status, ids(each.nodes)]),
    forks: graph
      .forks()
      .filter(({ domain }) => domains.has(domain))
      .map(({ at, kind, children, evidence }) => [
        ids(at === null ? [] : [at]),
        kind,
        ids(children),
        evidence,
      ]),
    rows: rows.map(row => [graph.id(row.node), row.line.id]),
    left,
    live: session.files.map(({ facts }) => ids(graph.live(facts.path))),
    because: own.flatMap(each => each.nodes.map(node => graph.explain(node))),
    diagnostics: diagnostics().filter(({ file }) => paths.has(file)),
  }
}

/** What an answer is, or the message of its error. */
async function orMessage(answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return await answer()
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

async function expectSame({
  linked,
  whole,
}: Pick<ReturnType<typeof newWorld>, 'linked' | 'whole'>): Promise<void> {
  const sessions = (await linked.sessions()).map(({ session }) => session)
  const ask = (history: Opened, session: string): Promise<unknown> =>
    orMessage(async () => answersOf(await history.graphOf(session, { isLinkedOnly: true })))
  for (const session of [...sessions, 'latest'])
    expect(await ask(linked, session)).toEqual(await ask(whole, session))
  const [a = '', b = ''] = sessions
  expect(await orMessage(() => linked.compare(a, b))).toEqual(await orMessage(() => whole.compare(a, b)))
}

const aStory = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  style: fc.constantFrom(...STYLE_NAMES),
  damage: fc.boolean(),
  changes: fc.array(
    fc.record({ kind: fc.constantFrom(...CHANGES), pick: fc.nat(1000), part: fc.nat(1000) }),
    { minLength: 2, maxLength: 4 },
  ),
})

describe('the files that a session is linked with', () => {
  it('[I16] give the answers of the whole project after any changes', { timeout: 600_000 }, async () => {
    const numRuns = Number(process.env['DAGLINE_RUNS'] ?? 6)
    await fc.assert(
      fc.asyncProperty(aStory, async ({ seed, style, damage, changes }) => {
        const { world, ...histories } = newWorld()
        world.add(seed, { style, actions: 5, damage }, 0.7)
        for (const change of changes) world.apply(change)
        await expectSame(histories)
        world.apply({ kind: 'grow', pick: seed, part: 500 })
        await expectSame(histories)
      }),
      { numRuns },
    )
  })

  const SHAPES = {
    'a copy under another id, and a session that shares nothing':
      's1: u1 a1 u2 a2\ns2: u1 a1 u3 a3\ns3: u4 a4 u5 a5',
    'a fork that a third file continues': 's1: u1 a1\ns2: a1 > u2 a2\ns3: a2 > u3 a3\ns4: u9 a9',
    subagents: 's1: u1 a1[t1:Task]\ns1/x: u2 a2\ns1: a1 > r1[t1] a3\ns2: u8 a8[t8:Task]\ns2/y: u7 a7',
  }

  it.each(Object.entries(SHAPES))('[I16] are known: %s', async (_, shape) => {
    const { world, ...histories } = newWorld()
    const { files } = expandShape(shape)
    for (const { path, text } of files) write(world.root, { [`-p/${path}`]: text })
    await histories.linked.sync()
    await expectSame(histories)
  })

  it('[I16] are found when subagents were moved to another folder, and when a file joins two groups', async () => {
    const { world, ...histories } = newWorld()
    const { files } = expandShape('s1: u1 a1[t1:Task] r1[t1] a3\ns1/x: u2 a2\ns2: u8 a8\ns3: u9 a9')
    for (const { path, text } of files)
      write(world.root, { [`${path.includes('/x') ? '-q' : '-p'}/${path}`]: text })
    await histories.linked.sync()
    await expectSame(histories)
    const joining = expandShape('s4: u8 a8\ns4: a9 > u10 a10').files.find(({ path }) => path.startsWith('s4'))
    write(world.root, { '-p/s4.jsonl': joining?.text ?? '' })
    await expectSame(histories)
  })

  it('[I16] are all that is read: of three sessions two, and by a uuid as by a session', async () => {
    const { world, linked, whole } = newWorld()
    const { files } = expandShape(SHAPES['a copy under another id, and a session that shares nothing'])
    for (const { path, text } of files) write(world.root, { [`-p/${path}`]: text })
    const pathsOf = async (history: Opened, isLinkedOnly: boolean): Promise<readonly string[]> => {
      const { graph } = await history.graphOf('s1', { isLinkedOnly })
      return graph.files().map(({ facts }) => facts.path)
    }
    const all = ['-p/s1.jsonl', '-p/s2.jsonl', '-p/s3.jsonl']
    expect(await pathsOf(linked, true), 'without an index').toEqual(all)
    await linked.sync()
    expect(await pathsOf(linked, true)).toEqual(all.slice(0, 2))
    expect(await pathsOf(linked, false), 'not asked for').toEqual(all)
    const uuid = (await whole.graphOf('s3')).session.files[0]?.nodes[0] ?? -1
    const id = (await whole.graphOf('s3')).graph.id(uuid)
    const { graph, node } = await linked.entryOf(id, { isLinkedOnly: true })
    expect([graph.id(node), graph.files().map(({ facts }) => facts.path)]).toEqual([id, ['-p/s3.jsonl']])
    expect(graph.index(entryId('nothing'))).toBeNull()
  })

  it('[I16] are read from what was appended, and an index of other files stays as it is', async () => {
    const { world, linked, whole } = newWorld()
    const { files } = expandShape('s1: u1 a1\ns1: a1 > u2 a2\ns2: u3 a3')
    const rows = (files[0]?.text ?? '').trimEnd().split('\n')
    write(world.root, {
      '-p/s1.jsonl': `${rows.slice(0, 2).join('\n')}\n`,
      '-p/s2.jsonl': files[1]?.text ?? '',
    })
    const index = join(dirname(world.root), 'index.db')
    await linked.graphOf('s1', { isLinkedOnly: true })
    expect(existsSync(index), 'a command about one session makes no index').toBe(false)
    await linked.sync()
    appendFileSync(join(world.root, '-p/s1.jsonl'), `${rows.slice(2).join('\n')}\n`)
    await expectSame({ linked, whole })
    const { graph } = await linked.graphOf('s1', { isLinkedOnly: true })
    expect(graph.files().map(({ nodes }) => nodes.length)).toEqual([4])
    const before = readFileSync(index)
    const elsewhere = openHistory({ roots: [join(world.root, '-p')], index })
    await elsewhere.graphOf('s2', { isLinkedOnly: true })
    expect(readFileSync(index).equals(before)).toBe(true)
  })
})
