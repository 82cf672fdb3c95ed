/**
 * V7: searches of the page in processes of their own, so that none keeps the server from answering: one for words, and one for
 * patterns, which take long. Each lives as long as there is something to search for now and then.
 */
import type { SearchPage, SyncStatus } from '@dagline/core/protocol'
import { openRangeReader } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import { openArchivedFiles } from '../index/archive.js'
import { openLiveIndex } from '../index/live-index.js'
import { bundledCommand } from '../workers/entry.js'
import { createLane } from '../workers/lane.js'
import type { Channel } from '../workers/protocol.js'
import { type SearchContext, type SearchPageOptions, searchPage } from './search.js'

/** What is searched. */
interface Searched {
  /** The index file. */
  readonly index: string
  readonly roots: readonly string[]
}

/** A search, and how far the index is. */
export interface SearchInput extends Searched {
  readonly query: SearchPageOptions
  readonly status: SyncStatus
}

/** Searches in another process. Once the signal is aborted, the answer does not matter. */
export type SearchElsewhere = (
  query: SearchPageOptions,
  status: SyncStatus,
  signal: AbortSignal | undefined,
) => Promise<SearchPage>

interface Searcher {
  /** Null while sources run as they are: then searches run in this process. */
  readonly search: SearchElsewhere | null
  readonly close: () => void
}

/** Searches an index in workers, which start with the first search. `note` receives the message about an index that was damaged. */
export function createSearcher(searched: Searched, note: (message: string) => void): Searcher {
  const tell = (message: unknown): void => note(message as DamageMessage)
  const [words, patterns] = [createLane('search', endedEarly, tell), createLane('search', endedEarly, tell)]
  return {
    search:
      bundledCommand() === null
        ? null
        : (query, status, signal) => {
            const isPattern = (query.regex ?? '') !== ''
            const lane = isPattern ? patterns : words
            // Words are found before another process would have started; a pattern is ended with its process.
            return lane.run({ ...searched, query, status }, { signal, endsBySignal: isPattern })
          },
    close: () => {
      words.close()
      patterns.close()
    },
  }
}

const endedEarly = (): UserError => new UserError('The search was ended. Search again.', 'unavailable')

/** I15: what the worker posts where it set a damaged index aside: the line about it. */
type DamageMessage = string

/** The index that this worker has open, and what it is asked with. */
let opened: OpenedSearch | null = null

interface OpenedSearch {
  readonly index: string
  readonly context: Omit<SearchContext, 'status'>
  /** Receives the message about a damaged index: the channel of the last search. */
  channel: Pick<Channel, 'post'>
}

/** The task of a worker: searches. The index stays open for the next search. */
export async function searchIndex(
  { index, roots, query, status }: SearchInput,
  channel: Pick<Channel, 'post'>,
): Promise<SearchPage> {
  if (opened?.index !== index) opened = openSearched(index, roots, channel)
  opened.channel = channel
  const { context } = opened
  try {
    return await searchPage({ ...context, status: () => status }, query)
  } finally {
    // A file that was replaced is another one under the same name.
    context.ranges.close()
  }
}

function openSearched(index: string, roots: readonly string[], channel: Pick<Channel, 'post'>): OpenedSearch {
  const live = openLiveIndex(index, roots, message => {
    if (message !== null) searched.channel.post(message satisfies DamageMessage)
  })
  const ranges = openRangeReader(openArchivedFiles(roots).at)
  const context = {
    roots,
    index: live.index,
    rootIds: live.rootIds,
    sessions: live.sessions,
    ranges,
    isPushed: false,
    ownerOf: () => null,
  }
  const searched: OpenedSearch = { index, context, channel }
  return searched
}
