/** Files that a program has at hand, opened by the core: the same graph and contents as of the same files on disk. */
import { globSync, mkdirSync, openAsBlob, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { entryId, type Graph, liveConversation, wholeConversation } from '@dagline/core'
import { measureCost } from '@dagline/core/measure'
import { type GivenFile, type OpenedProject, openFiles } from '@dagline/core/open'
import { mutantBySeed, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { type History, openHistory } from '../src/history.js'

const fixtures = join(import.meta.dirname, '../../../fixtures')
const SAMPLES = globSync('recordings/2.1.325/*/projects', { cwd: fixtures }).filter((_, at) => at % 3 === 0)
const SPILLED = 'recordings/2.1.325/s22_large_output/projects'

/** Everything below a folder, as a visitor of a page would drop it. */
async function filesBelow(root: string): Promise<GivenFile[]> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map(path => join(root, path))
  const files = paths.filter(path => statSync(path).isFile())
  return await Promise.all(
    files.map(async path => ({
      path: `/${relative(root, path).split(sep).join('/')}`,
      bytes: await openAsBlob(path),
    })),
  )
}

function factsOf(graph: Graph): unknown {
  const idsOf = (nodes: readonly number[]): readonly string[] => nodes.map(node => graph.id(node))
  return {
    totals: graph.totals(),
    lines: graph.lines().map(({ id, kind, status, nodes }) => ({ id, kind, status, nodes: idsOf(nodes) })),
    live: graph.files().map(({ facts, bytes }) => [facts, bytes, idsOf(graph.live(facts.path))]),
    agents: graph.agents().map(({ id, name, state, spawnedBy }) => ({ id, name, state, spawnedBy })),
    diagnostics: graph.diagnostics(),
  }
}

/** What the history says of a project on disk, and the core of the same files. */
async function compare(history: History, folder: string, opened: OpenedProject): Promise<number> {
  const source = await history.graphOf(folder)
  const { graph } = source
  const contents = await history.contentsOf(source)
  let read = 0
  for (const node of graph.nodes()) {
    const other = opened.graph.index(graph.id(node)) ?? -1
    expect(await opened.record(other)).toEqual(contents.record(node))
    expect(await opened.raw(other)).toBe(contents.raw(node))
    expect(await opened.blocks(other)).toEqual(contents.blocks(node))
    read++
  }
  contents.close()
  return read
}

/** The facts of a file on disk have its size and time as well. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => (key === 'mtime' || key === 'bytes' ? undefined : each)),
  )
}

describe('openFiles', () => {
  it.each([...new Set([...SAMPLES, SPILLED])])(
    '[P1] gives the graph and contents of files on disk: %s',
    async name => {
      const root = join(fixtures, name)
      const projects = await openFiles(await filesBelow(root))
      expect(projects.length).toBeGreaterThan(0)
      const history = openHistory({ roots: [root] })
      for (const project of projects) {
        const folder = join(root, project.path)
        const strip = (graph: Graph): string =>
          JSON.stringify(plain(factsOf(graph))).replaceAll(`"${project.path}/`, '"')
        expect(strip(project.graph)).toBe(strip((await history.graphOf(folder)).graph))
        expect(await compare(history, folder, project)).toBeGreaterThan(0)
      }
    },
  )

  it('[L3] [S6] a whole conversation has all that is live, and turns cost what their rows in the page say', async () => {
    for (const name of SAMPLES) {
      for (const { graph, usage, sheet: sheetOf } of await openFiles(
        await filesBelow(join(fixtures, name)),
      )) {
        for (const { id } of graph.sessions()) {
          const live = liveConversation(graph, id)
          const whole = wholeConversation(graph, id)
          expect(new Set(whole).size).toBe(whole.length)
          const sent = new Set(live)
          expect(whole.filter(node => sent.has(node))).toEqual(live)
          const sheet = sheetOf(id)
          if (sheet.lines.some(({ isShared }) => isShared)) continue
          for (const [row, cost] of sheet.turns) {
            const node = graph.index(entryId(sheet.rows.node[row] ?? '')) ?? -1
            expect(measureCost(graph, { kind: 'turn', node }, usage).total.costUSD).toBeCloseTo(cost, 5)
          }
        }
      }
    }
  })

  it('[P5] [P8] does the same with damaged transcripts', async () => {
    const [path = ''] = globSync(`${SAMPLES[0]}/*/*.jsonl`, { cwd: fixtures })
    const text = readFileSync(join(fixtures, path), 'utf8')
    const source = { name: path, session: basename(path, '.jsonl'), folder: '-p', text }
    let compared = 0
    for (let seed = 0; seed < 24; seed++) {
      const { session, bytes } = mutantBySeed([source], seed)
      const path = `-p/${session}.jsonl`
      await withHome([], async ({ projects }) => {
        mkdirSync(join(projects, '-p'))
        writeFileSync(join(projects, path), bytes)
        const [opened] = await openFiles([{ path, bytes }])
        if (opened === undefined || opened.graph.sessions().length === 0) return
        compared += await compare(openHistory({ roots: [projects] }), join(projects, '-p'), opened)
      })
    }
    expect(compared).toBeGreaterThan(100)
  })

  it('[P6] takes bytes, streams and files, and reduces a giant row', async () => {
    const uuid = '00000000-0000-4000-8000-000000000001'
    const row = {
      type: 'user',
      uuid,
      parentUuid: null,
      sessionId: 's',
      message: { content: 'x'.repeat(17 << 20) },
    }
    const bytes = new TextEncoder().encode(`${JSON.stringify(row)}\n`)
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 1 << 20) yield bytes.subarray(at, at + (1 << 20))
    }
    const given: GivenFile[] = [
      { path: 's.jsonl', bytes },
      { path: 's.jsonl', bytes: stream() },
      new File([bytes], 's.jsonl'),
    ]
    for (const file of given) {
      const progress: number[] = []
      const [project] = await openFiles([file], { onProgress: read => progress.push(read) })
      const node = project?.graph.index(entryId(uuid)) ?? -1
      expect(progress.at(-1)).toBe(bytes.length)
      expect(project?.diagnostics.map(({ rule }) => rule)).toEqual(['parse/reduced-row'])
      expect((await project?.record(node))?.['message']).toEqual({ content: 'x'.repeat(256) })
    }
  })

  it('takes a File that has a path of its own, and says what it cannot take', async () => {
    const file = Object.assign(new File(['{}'], 's1.jsonl'), { path: '/elsewhere/s1.jsonl' })
    const [project] = await openFiles([file])
    expect(project?.graph.files().map(({ facts }) => facts.path)).toEqual(['s1.jsonl'])
    for (const odd of [
      { path: 's1.jsonl', file },
      { path: 5, bytes: new Uint8Array() },
    ] as unknown[])
      await expect(openFiles([odd as GivenFile])).rejects.toThrow(/^A file to open is a File, or an object/)
  })

  it('reports a file that cannot be read, and reads the others', async () => {
    const gone = {
      name: 'gone.jsonl',
      size: 10,
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }),
    }
    const [project] = await openFiles([
      gone,
      new File(['{"type":"user","uuid":"u","parentUuid":null}\n'], 'a.jsonl'),
    ])
    expect(project?.graph.totals().nodes).toBe(1)
    expect(project?.diagnostics[0]).toMatchObject({
      rule: 'store/unreadable',
      file: 'gone.jsonl',
      message: 'The file could not be read: NotReadableError.',
    })
  })
})
