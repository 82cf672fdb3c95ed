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
import { startWorker, type WorkerOptions, type WorkerProcess } from '../workers/pool.js'
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
  const [words, patterns] = [createLane(note), createLane(note)]
  return {
    search:
      bundledCommand() === null
        ? null
        : (query, status, signal) => {
            const lane = (query.regex ?? '') === '' ? words : patterns
            return lane.run({ ...searched, query, status }, signal)
          },
    close: () => {
      words.close()
      patterns.close()
    },
  }
}

/** A worker that had nothing to do for so many milliseconds ends. */
const IDLE = 5 * 60_000

const OPTIONS: WorkerOptions = {
  isKept: true,
  endedEarly: () => new UserError('The search was ended. Search again.', 'unavailable'),
}

interface Lane {
  readonly run: (input: SearchInput, signal: AbortSignal | undefined) => Promise<SearchPage>
  readonly close: () => void
}

/** One worker, one search at a time. */
function createLane(note: (message: string) => void): Lane {
  let worker: WorkerProcess<SearchInput, SearchPage> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  const close = (): void => {
    if (timer !== null) clearTimeout(timer)
    worker?.close()
    worker = null
  }
  const start = async (input: SearchInput, signal: AbortSignal | undefined): Promise<SearchPage> => {
    if (signal?.aborted === true) throw OPTIONS.endedEarly(null)
    if (timer !== null) clearTimeout(timer)
    if (worker?.isAlive() !== true) worker = startWorker('search', OPTIONS)
    // Words are found before another process would have started; a pattern is ended with its process.
    if ((input.query.regex ?? '') !== '') signal?.addEventListener('abort', close, { once: true })
    try {
      return await worker.run(input, part => note(part as DamageMessage)).result
    } finally {
      signal?.removeEventListener('abort', close)
      timer = setTimeout(close, IDLE).unref()
    }
  }
  return {
    run: (input, signal) => {
      const next = last.then(() => start(input, signal))
      last = next.catch(() => {})
      return next
    },
    close,
  }
}

/** I15: what the worker posts where it set a damaged index aside: the line about it. */
type DamageMessage = string

/** The index that this worker has open, and what it is asked with. */
let opened: OpenedSearch | null = null

interface OpenedSearch {
  readonly index: string
  readonly context: Omit<SearchContext, 'status'>
  /** Where the message about a damaged index goes: to whoever asked last. */
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
  const context = { roots, index: live.index, rootIds: live.rootIds, sessions: live.sessions, ranges }
  const searched: OpenedSearch = { index, context, channel }
  return searched
}
