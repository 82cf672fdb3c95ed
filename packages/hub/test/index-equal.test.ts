/**
 * The index in PostgreSQL says of real files what the one in SQLite says: of the samples, of recordings where they are beside the
 * repository, and of the corpus.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type FoundText, type IndexStore, openIndex, type Phrase, type TextFilter } from '@dagline/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import { dumpAnswers } from '../../store/test/dump.js'
import { syncFolder } from '../../store/test/indexes.js'
import { type IndexPlaces, openPlaces } from './index-places.js'
import { hasPostgres } from './postgres.js'
import { randomSearches } from './random-searches.js'

const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')
const corpus = findCorpus()
/** Each takes about 0.1 s: `DAGLINE_RUNS=1000` for all of them. */
const CORPUS_SEARCHES = Math.max(200, Number(process.env['DAGLINE_RUNS'] ?? 0))
const folders: readonly (readonly [name: string, folder: string, searches: number])[] = [
  ['the samples', SAMPLES, 300],
  ...(corpus === null ? [] : ([['the corpus', corpus, CORPUS_SEARCHES]] as const)),
]

describe.runIf(hasPostgres('the index in PostgreSQL against SQLite'))(
  'the index in PostgreSQL against SQLite',
  () => {
    let places: IndexPlaces
    beforeAll(async () => {
      places = await openPlaces()
    })
    afterAll(() => places.close())

    it.each(folders)('[HU4] says the same of %s', { timeout: 600_000 }, async (_, folder, searches) => {
      expect(existsSync(folder)).toBe(true)
      const local = openIndex(':memory:')
      const index = places.writer(places.newTenant())
      await syncFolder(local, folder)
      await syncFolder(index, folder)
      expect(dumpAnswers(index, 1)).toEqual(dumpAnswers(local, 1))
      expect(index.vocabulary().split('\n').sort()).toEqual(local.vocabulary().split('\n').sort())
      const words = local
        .vocabulary()
        .split('\n')
        .map(line => line.slice(0, line.indexOf('\t')))
        .filter(word => word !== '')
      const differing: unknown[] = []
      let found = 0
      for (const ask of randomSearches(20_261_118, { words, index: local }).slice(0, searches)) {
        const [ours, theirs] = [index, local].map(each => answersOf(each, ask))
        found += theirs?.total ?? 0
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) differing.push({ ask, ours, theirs })
      }
      expect(differing.slice(0, 3)).toEqual([])
      expect(found).toBeGreaterThan(searches)
      local.close()
    })
  },
)

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
