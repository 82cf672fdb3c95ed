/** Full text search over a history. */
import { type Hit, search, type TextFilter } from '@dagline/store'
import { nothingFound } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { type IndexOptions, openIndexed } from '../index/open.js'

/** What is searched beside the words. */
export interface SearchOptions {
  readonly index?: string | null
  readonly filter?: TextFilter
  /** Texts must match it, too. */
  readonly pattern?: RegExp | null
  /** How many hits; 20 unless given. */
  readonly limit?: number
}

/** The hits, the newest first. */
export interface SearchResult {
  /** How many there are in all. */
  readonly total: number
  /** Whether `total` counts them all. */
  readonly isComplete: boolean
  readonly hits: readonly Hit[]
  /** Where there was nothing to search: why. */
  readonly nothing: string | null
}

/** Finds texts that hold all words. */
export async function searchHistory(
  host: Host,
  text: string,
  { filter = {}, pattern = null, limit = 20, index = null }: SearchOptions,
): Promise<SearchResult> {
  if (text.trim() === '' && pattern === null)
    throw new UserError('There is nothing to search for. Give words, or a pattern with --regex.')
  const options: IndexOptions = { index }
  const indexed = await openIndexed(host, options)
  try {
    const { roots, report } = indexed
    const answer = search(indexed.index, indexed.ranges, {
      text,
      filter: { ...filter, ...(roots.length === 0 ? {} : { roots }) },
      limit,
      ...(pattern === null ? {} : { pattern }),
    })
    return { ...answer, nothing: report?.present === 0 ? nothingFound([], host) : null }
  } finally {
    indexed.close()
  }
}
