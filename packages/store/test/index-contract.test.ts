/** The contract of an index, on the real one and on the model; and what only the real one has. */
import { join } from 'node:path'
import { SEARCH_SORTS } from '@dagline/core/protocol'
import { STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/db/driver.js'
import { FIELDS } from '../src/db/facts.js'
import type { IndexStore, Phrase, TextFilter } from '../src/db/index-store.js'
import { openIndex } from '../src/db/sqlite.js'
import { discover } from '../src/files/discover.js'
import { syncRoot } from '../src/sync/sync.js'
import { indexContract } from './index-contract.js'
import { addRows, draft, judgement, line, prompts, sessionFact } from './index-parts.js'
import { openMemoryIndex } from './memory-index.js'
import { wordsOf } from './memory-queries.js'
import { temporaryFolder } from './temporary.js'
import { World } from './world.js'

indexContract('memory', openMemoryIndex)
indexContract('sqlite', () => opened(':memory:'))
indexContract('sqlite in a file', () => opened(join(temporaryFolder(), 'index.db')))

function opened(path: string): IndexStore {
  const index = openIndex(path)
  onTestFinished(() => index.close())
  return index
}

describe('the index in SQLite', () => {
  it('[I5] lines keep their numbers; what did not change is not written', () => {
    const path = join(temporaryFolder(), 'index.db')
    const index = opened(path)
    const file = index.addFile(index.rootId('/one'), draft('-a/s1.jsonl'))
    addRows(index, file, prompts(1, 'u1', 'u2', 'u3'))
    const branch = line('s1@u2', { kind: 'branch', session: 's1', status: 'abandoned' })
    const parts = { lines: [line('s1'), branch], sessions: [sessionFact('s1')] }
    const verdicts = [{ line: 0, live: true }, { line: 1 }, { line: 0, live: true }]
    index.judge(judgement({ [file]: verdicts }, parts))
    const before = linesIn(path)
    const runs = index.statements()
    index.judge(judgement({ [file]: verdicts }, { ...parts, before: [file] }))
    const same = index.statements() - runs
    expect(linesIn(path)).toEqual(before)
    const lines = [{ ...branch, status: 'live', branchStatus: 'live' } as const, line('s1'), line('s1@u3')]
    index.judge(
      judgement({ [file]: [{ line: 1 }, { line: 0 }, { line: 2 }] }, { ...parts, before: [file], lines }),
    )
    expect(linesIn(path)).toMatchObject([
      { ...before[0], status: 'live' },
      { ...before[1], status: 'live' },
      { name: 's1@u3' },
    ])
    expect(same).toBeLessThan(10)
  })
})

function linesIn(path: string): readonly object[] {
  const db = openDatabase(path, { readOnly: true })
  const lines = db.prepare('SELECT id, name, status FROM line ORDER BY id').all()
  db.close()
  return lines.map(row => ({ ...row }))
}

const aFilter: fc.Arbitrary<TextFilter> = fc.record(
  {
    roots: fc.subarray([1, 2]),
    projects: fc.subarray(['-home-dev-proj', '-home-dev-other', 'other']),
    session: fc.constantFrom('', '1', 'a', 'f'),
    since: fc.integer({ min: 1_767_603_600_000, max: 1_767_610_000_000 }),
    until: fc.integer({ min: 1_767_603_600_000, max: 1_767_610_000_000 }),
    fields: fc.subarray([...FIELDS]),
    tool: fc.constantFrom('Bash', 'read', 'Task', 'B_sh'),
    touched: fc.constantFrom('.ts', 'a.ts', 'nowhere'),
    touching: fc.constantFrom('.ts', 'a.ts', 'nowhere'),
    agent: fc.constantFrom('', 'Explore', 'a', '1', 'general-purpose'),
    branch: fc.constantFrom('live' as const, 'abandoned' as const),
    live: fc.boolean(),
    beforeCompaction: fc.boolean(),
    failed: fc.boolean(),
  },
  { requiredKeys: [] },
)

const aSearch = fc.record({
  filter: aFilter,
  picks: fc.array(
    fc.record({ pick: fc.nat(5000), length: fc.integer({ min: 1, max: 3 }), isPrefix: fc.boolean() }),
    {
      maxLength: 2,
    },
  ),
  limit: fc.constantFrom(1, 5, 500),
  sort: fc.constantFrom(...SEARCH_SORTS),
})

describe.each(STYLE_NAMES)('searches in what %s writes', style => {
  it('[I1] [I4] [H8] [H13] find the same in both, with the same labels, in the same order', async () => {
    const world = new World(join(temporaryFolder(), 'projects'))
    world.add(11, { style, actions: 12 }, 1)
    world.add(12, { style, actions: 6, project: '-home-dev-other' }, 1)
    const [real, model] = [opened(':memory:'), openMemoryIndex()]
    const words = wordsOf(
      world
        .files()
        .map(path => world.read(path).slice(0, 20_000))
        .join(' '),
    )
    for (const index of [real, model])
      for (const found of discover([world.root])) await syncRoot(index, found)
    expect(termLines(real)).toEqual(termLines(model))
    fc.assert(
      fc.property(aSearch, ({ filter, picks, limit, sort }) => {
        const phrases = picks.map(({ pick, length, isPrefix }): Phrase => {
          const typed = words.slice(pick % words.length).slice(0, length)
          return {
            words: isPrefix ? [...typed.slice(0, -1), typed.at(-1)?.slice(0, 2) ?? 'a'] : typed,
            isPrefix,
          }
        })
        expect(real.find(phrases, filter, limit, sort)).toEqual(model.find(phrases, filter, limit, sort))
        expect(real.texts(real.findIds(phrases, filter, limit, sort))).toEqual(
          real.find(phrases, filter, limit, sort),
        )
        if (phrases.length === 0) expect([...real.each(filter, sort)]).toEqual(model.each(filter, sort))
        expect(real.count(phrases, filter, limit)).toBe(model.count(phrases, filter, limit))
        expect(real.countBySession(phrases, filter)).toEqual(model.countBySession(phrases, filter))
        for (const found of real.find(phrases, filter, 1))
          expect(real.around(found, limit)).toEqual(model.around(found, limit))
      }),
    )
  })
})

function termLines(index: IndexStore): readonly string[] {
  return index.vocabulary().split('\n').sort()
}
