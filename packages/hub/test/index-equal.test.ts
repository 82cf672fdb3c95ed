/**
 * The index in PostgreSQL says of real files what the one in SQLite says: of the samples, and of the corpus where it is beside the
 * repository. The one in memory says the same of the samples and of one project of the corpus, chosen by DAGLINE_SEED: it goes
 * through everything for each question, and would take days for all of it.
 */
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type FoundText, type IndexStore, openIndex, type Phrase, type TextFilter } from '@dagline/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import { dumpAnswers } from '../../store/test/dump.js'
import { syncFolder } from '../../store/test/indexes.js'
import { openMemoryIndex } from '../../store/test/memory-index.js'
import { temporaryFolder } from '../../store/test/temporary.js'
import { type IndexPlaces, openPlaces } from './index-places.js'
import { hasPostgres } from './postgres.js'
import { randomSearches } from './random-searches.js'

const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')
const corpus = findCorpus()
/** Each takes about 0.1 s: `DAGLINE_RUNS=1000` for all of them. */
const CORPUS_SEARCHES = Math.max(200, Number(process.env['DAGLINE_RUNS'] ?? 0))
const SEED = Number(process.env['DAGLINE_SEED'] ?? 18)

/** A folder, how many searches to compare, and whether the index in memory is asked, too. */
type Compared = readonly [name: string, folder: () => string, searches: number, withMemory: boolean]

const folders: readonly Compared[] = [
  ['the samples', () => SAMPLES, 300, true],
  ...(corpus === null
    ? []
    : ([
        ['a project of the corpus', () => smallProject(corpus), 100, true],
        ['the corpus', () => corpus, CORPUS_SEARCHES, false],
      ] as const)),
]

/** One of the projects of less than a megabyte, alone in a root. */
function smallProject(root: string): string {
  const small = readdirSync(root)
    .sort()
    .filter(name => sizeOf(join(root, name)) < 1e6)
  const name = small[SEED % small.length] ?? ''
  const folder = temporaryFolder()
  cpSync(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true })
  return folder
}

function sizeOf(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
}

describe.runIf(hasPostgres('the index in PostgreSQL against SQLite'))(
  'the index in PostgreSQL against SQLite',
  () => {
    let places: IndexPlaces
    beforeAll(async () => {
      places = await openPlaces()
    })
    afterAll(() => places.close())

    it.each(folders)(
      '[HU4] [HU73] says the same of %s',
      { timeout: 1_800_000 },
      async (_, find, searches, withMemory) => {
        const folder = find()
        expect(existsSync(folder)).toBe(true)
        const local = openIndex(':memory:')
        const index = places.writer(places.newTenant())
        const others: Readonly<Record<string, IndexStore>> = {
          postgres: index,
          ...(withMemory ? { memory: openLists() } : {}),
        }
        await syncFolder(local, folder)
        const said = dumpAnswers(local, 1)
        for (const other of Object.values(others)) {
          await syncFolder(other, folder)
          expect(dumpAnswers(other, 1)).toEqual(said)
        }
        expect(index.vocabulary().split('\n').sort()).toEqual(local.vocabulary().split('\n').sort())
        const words = local
          .vocabulary()
          .split('\n')
          .map(line => line.slice(0, line.indexOf('\t')))
          .filter(word => word !== '')
        const differing: unknown[] = []
        let found = 0
        for (const ask of randomSearches(20_261_118, { words, index: local }).slice(0, searches)) {
          const wanted = answersOf(local, ask)
          found += wanted.total
          for (const [name, other] of Object.entries(others)) {
            const answer = answersOf(other, ask)
            if (JSON.stringify(answer) !== JSON.stringify(wanted))
              differing.push({ name, ask, answer, wanted })
          }
        }
        expect(differing.slice(0, 3)).toEqual([])
        expect(found).toBeGreaterThan(searches)
        local.close()
      },
    )
  },
)

/** The index in memory, without the copies of everything that it makes to be able to go back. */
function openLists(): IndexStore {
  return { ...openMemoryIndex(), begin: () => {}, commit: () => {} }
}

interface Asked {
  readonly phrases: readonly Phrase[]
  readonly filter: TextFilter
  readonly limit: number
  readonly sort: 'rank' | 'time'
}

function answersOf(
  index: IndexStore,
  { phrases, filter, limit, sort }: Asked,
): { readonly total: number; readonly [part: string]: unknown } {
  const found = index.find(phrases, filter, limit, sort)
  return {
    found: found.map(withoutIds),
    total: index.count(phrases, filter),
    sessions: index.countBySession(phrases, filter),
    around: found.slice(0, 1).map(each => {
      const { before, after } = index.around(each, 3)
      return [before.map(withoutIds), after.map(withoutIds)]
    }),
  }
}

/** Numbers depend on the order in which files were added. */
function withoutIds({ text, file, ...rest }: FoundText): object {
  return rest
}
