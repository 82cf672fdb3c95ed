/**
 * Index rebuilt equals index updated: files grow, shrink, move, come and go; after every sync the index that was kept
 * says what a new one says, and both say what core says of all files together.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, type Graph, parseRow, type RawRow, type SeeRecord, startGraph } from '@dagline/core'
import { readMessageUsage } from '@dagline/core/content'
import { isoDay } from '@dagline/core/format'
import {
  assignUsage,
  gatherUsage,
  LIST_PRICES,
  tallyBuckets,
  type UsageBucket,
  type UsagePart,
  type UsageRow,
  uniqueMessages,
} from '@dagline/core/measure'
import { STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexStore } from '../src/db/index-store.js'
import { openIndex } from '../src/db/sqlite.js'
import { readBuckets, readDays } from '../src/db/usage-buckets.js'
import { discover, type FoundRoot } from '../src/files/discover.js'
import { readTranscript } from '../src/files/transcript.js'
import { createUsageScanner } from '../src/files/usage-scan.js'
import { presentFiles } from '../src/sync/plan.js'
import { syncRoot } from '../src/sync/sync.js'
import { dumpAnswers, dumpTables, type NodeVerdict, verdictsIn } from './dump.js'
import { readApart } from './indexes.js'
import { openMemoryIndex } from './memory-index.js'
import { temporaryFolder } from './temporary.js'
import { aChange, type Change, World } from './world.js'

const runs = { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 6) }

const aStory = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  damage: fc.boolean(),
  part: fc.nat(10),
  changes: fc.array(aChange, { maxLength: 14, size: 'max' }),
})

type Story = typeof aStory extends fc.Arbitrary<infer T> ? T : never

describe.each(STYLE_NAMES)('an index of conversations as %s writes them', style => {
  it('[I2] [I1] [I9] [X10] updated says what it says rebuilt, and what core says', {
    timeout: 600_000,
  }, async () => {
    const folder = temporaryFolder()
    let nth = 0
    const tell = async (story: Story): Promise<void> => {
      nth++
      const place = join(folder, String(nth))
      const world = new World(join(place, 'projects'))
      world.add(story.seed, { style, actions: 6, damage: story.damage }, story.part / 10)
      await follow(world, place, story.changes)
      rmSync(place, { recursive: true })
    }
    await fc.assert(fc.asyncProperty(aStory, tell), runs)
  })
})

const aTangle = fc.record({
  seeds: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 4 }),
  wires: fc.array(
    fc.record({ kind: fc.constant('rewire' as const), pick: fc.nat(5000), part: fc.nat(999) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  ),
})

describe('conversations that name each other', () => {
  it('[I3] groups say what the graph of all files says', { timeout: 600_000 }, async () => {
    const folder = temporaryFolder()
    let nth = 0
    const tell = async ({
      seeds,
      wires,
    }: typeof aTangle extends fc.Arbitrary<infer T> ? T : never): Promise<void> => {
      nth++
      const place = join(folder, String(nth))
      const world = new World(join(place, 'projects'))
      for (const seed of seeds)
        world.add(seed, { style: STYLE_NAMES[seed % STYLE_NAMES.length] ?? 'seed', actions: 2 }, 1)
      await follow(world, place, wires)
      rmSync(place, { recursive: true })
    }
    await fc.assert(fc.asyncProperty(aTangle, tell), { numRuns: runs.numRuns * 4 })
  })
})

/** Makes the changes, and compares whenever there was a sync. */
async function follow(world: World, place: string, changes: readonly Change[]): Promise<void> {
  const path = join(place, 'kept.db')
  const kept = openIndex(path)
  const plain = openMemoryIndex()
  try {
    for (const change of [start, ...changes, start]) {
      world.apply(change)
      if (change.kind !== 'sync') continue
      const found = rootOf(world)
      // One session comes before the others, and is judged again where these have something to say of it.
      await syncRoot(kept, found, { reader: readApart, newest: { sessions: 1, bytes: 10_000_000 } })
      await syncRoot(plain, found)
      await compare(found, place)
      expectBuckets(kept)
      expect(dumpAnswers(plain, 1)).toEqual(dumpAnswers(kept, 1))
    }
  } finally {
    kept.close()
  }
}

const start: Change = { kind: 'sync', pick: 0, part: 0 }

function rootOf(world: World): FoundRoot {
  const [found] = discover([world.root])
  if (found === undefined) throw new RangeError('no root')
  return found
}

async function compare(found: FoundRoot, place: string): Promise<void> {
  const [kept, fresh] = [join(place, 'kept.db'), join(place, 'fresh.db')]
  const index = openIndex(fresh)
  try {
    await syncRoot(index, found)
    const again = openIndex(kept)
    expect(dumpAnswers(again, 1)).toEqual(dumpAnswers(index, 1))
    again.close()
    expect(dumpTables(kept)).toEqual(dumpTables(fresh))
    const { graph, parts } = readAll(found)
    expectCore(verdictsIn(fresh), graph)
    expectCoreFigures(index, graph)
    expectCoreUsage(index, graph, parts)
    expectScannedUsage(index, found)
  } finally {
    index.close()
    for (const end of ['', '-wal', '-shm']) rmSync(fresh + end, { force: true })
  }
}

/** I12: the sums that were kept, group by group, say what all messages say. */
function expectBuckets(index: IndexStore): void {
  const told = (buckets: readonly UsageBucket[]): readonly string[] =>
    inOrder(buckets.map(bucket => Object.entries(bucket).sort()))
  const buckets = gatherUsage(index.usage([1]), LIST_PRICES)
  expect(told(readBuckets(index, 1, LIST_PRICES))).toEqual(told(buckets))
  const days = readDays(index, 1, LIST_PRICES)
  for (const by of ['day', 'project', 'model'] as const)
    expect(tallyBuckets(days ?? [], by, isoDay)).toEqual(tallyBuckets(buckets, by, isoDay))
}

/** X10: what the pass without an index says, as far as it knows whose a message is. */
function expectScannedUsage(index: IndexStore, found: FoundRoot): void {
  const owner = { session: '', agent: null, agentId: null, line: '', status: 'live', version: null } as const
  const scan = createUsageScanner(SMALL_BLOCK)
  const scanned = presentFiles(found, null).flatMap(({ root, path, project }) =>
    scan(root, path).parts.map(part => ({ ...part, ...owner, project })),
  )
  const indexed = index.usage().map(row => ({ ...row, ...owner }))
  expect(sorted(uniqueMessages(scanned))).toEqual(sorted(indexed))
}

/** Small enough that rows lie on both sides of its end. */
const SMALL_BLOCK = 4096

function sorted(rows: readonly UsageRow[]): readonly UsageRow[] {
  return rows.toSorted((a, b) => (a.message < b.message ? -1 : 1))
}

/** The graph of everything that was found, and what its messages say of their usage, read from the files. */
function readAll({ root, projects }: FoundRoot): {
  readonly graph: Graph
  readonly parts: readonly UsagePart[]
} {
  const builder = startGraph()
  const parts: UsagePart[] = []
  const see: SeeRecord = (json, record) => {
    const usage = record.kind === 'assistant' ? readMessageUsage(json) : null
    if (usage !== null && 'id' in record)
      parts.push({ usage, entry: record.id, session: record.session, version: record.version })
  }
  for (const facts of projects.flatMap(({ files }) => files)) {
    const add = (row: RawRow): void => builder.addRow(facts, parseRow(row, see))
    const { result } = readTranscript(root, facts.path, add)
    if (result?.pending != null) add(result.pending)
    builder.addFile(facts, facts.bytes)
  }
  return { graph: builder.build(), parts }
}

/** What is not a message is labelled as the message before it, and is left to the tests of core. */
function expectCore(verdicts: ReadonlyMap<string, NodeVerdict>, graph: Graph): void {
  const live = new Set(
    graph.files().flatMap(({ facts }) => graph.live(facts.path).map(node => graph.id(node))),
  )
  const told = [...graph.nodes()].map(node => {
    const { id, kind } = graph.node(node)
    // G7: a copy is its original's.
    const { file } = graph.node(graph.originalOf(node))
    const isMessage = kind === 'user' || kind === 'assistant'
    const isLive = isMessage ? live.has(id) : (verdicts.get(id)?.live ?? null)
    return [id, { line: graph.lineOf(node)?.id ?? null, live: isLive, owner: file }]
  })
  expect(Object.fromEntries(verdicts)).toEqual(Object.fromEntries(told))
}

function expectCoreFigures(index: IndexStore, graph: Graph): void {
  const sessions = graph.sessions().map(({ id, first, last, parent }) => ({
    session: id,
    first: Number.isNaN(first) ? null : first,
    last: Number.isNaN(last) ? null : last,
    parent: parent && { session: graph.node(parent.at).session, at: graph.id(parent.at), how: parent.how },
  }))
  const kept = index.sessions().map(({ session, first, last, parent }) => ({ session, first, last, parent }))
  expect(inOrder(kept)).toEqual(inOrder(sessions))
  const isOfGraph = ({ rule }: Diagnostic): boolean => rule.startsWith('dag/')
  expect(inOrder(index.diagnostics().filter(isOfGraph))).toEqual(
    inOrder(graph.diagnostics().filter(isOfGraph)),
  )
}

/** T3: each message once. Its project is that of its file here and that of its session there. */
function expectCoreUsage(index: IndexStore, graph: Graph, parts: readonly UsagePart[]): void {
  const told = (rows: readonly UsageRow[]): readonly string[] =>
    inOrder(
      rows.map(({ message, input, output, session, agent, line, status, isFinal }) => {
        return { message, input, output, session, agent, line, status, isFinal }
      }),
    )
  expect(told(index.usage())).toEqual(told(assignUsage(graph, parts, () => '')))
}

function inOrder(items: readonly unknown[]): readonly string[] {
  return items.map(item => JSON.stringify(item)).sort()
}
