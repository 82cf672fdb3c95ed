/** Where a session comes from, and the contents of its rows: fetched in chunks when rows are shown. */
import type {
  ContextBandPage,
  ContextPage,
  GivenLabel,
  NodeLocation,
  RowContent,
  Sheet,
  SheetUpdate,
  Why,
} from '@dagline/core/protocol'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import type { AskAction } from '../app/actions.js'
import type { WholeText } from '../text/cut.js'
import type { Place } from './address.js'

/** Chunks in the cache; those not shown for longest are dropped first. */
const MOST_CHUNKS = 120
/** Concurrent requests. */
const MOST_REQUESTS = 3

interface Chunk {
  readonly rows: Signal<readonly RowContent[] | null>
  state: 'wanted' | 'requested' | 'loaded' | 'stale' | 'failed'
}

export interface Contents {
  /** The contents of a row; null until they are fetched. A component that reads it is drawn again then. */
  readonly at: (row: number) => RowContent | null
  /** The contents of a row if they are in the cache. Fetches nothing. */
  readonly peek: (row: number) => RowContent | null
  /** Fetches rows. Resolves when they are in the cache. */
  readonly load: (rows: readonly number[]) => Promise<void>
  /** After an update: rows from `keep` on have changed, and calls may have received their results. */
  readonly renew: (keep: number) => void
}

/** The contents of a session of `size` rows. */
export function createContents(source: SessionSource, size: () => number): Contents {
  const chunks = new Map<number, Chunk>()
  const wanted: number[] = []
  let requests = 0

  function want(at: number): Chunk {
    const known = chunks.get(at)
    const chunk: Chunk = known ?? { rows: signal(null), state: 'stale' }
    // A chunk that is used moves to the end of the map, and is dropped last.
    chunks.delete(at)
    chunks.set(at, chunk)
    if (chunk.state === 'stale') {
      chunk.state = 'wanted'
      wanted.push(at)
      queueMicrotask(fetchNext)
    }
    return chunk
  }

  function fetchNext(): void {
    while (requests < MOST_REQUESTS && wanted.length > 0) {
      // The newest first: what was scrolled past can wait.
      const at = wanted.pop()
      if (at !== undefined) void fetchChunk(at)
    }
  }

  async function fetchChunk(at: number): Promise<void> {
    const chunk = chunks.get(at)
    if (chunk?.state !== 'wanted') return
    chunk.state = 'requested'
    requests++
    try {
      const from = at * source.chunkRows
      const rows = await source.contents(from, Math.min(size(), from + source.chunkRows))
      if (chunk.state === 'requested') chunk.state = 'loaded'
      chunk.rows.value = rows
    } catch {
      chunk.state = 'failed'
      setTimeout(() => retry(at, chunk), 2000)
    }
    requests--
    forget()
    fetchNext()
  }

  function retry(at: number, chunk: Chunk): void {
    chunk.state = 'stale'
    want(at)
  }

  function forget(): void {
    for (const [at, chunk] of chunks) {
      if (chunks.size <= MOST_CHUNKS) return
      if (chunk.state === 'loaded') chunks.delete(at)
    }
  }

  const find = (rows: readonly RowContent[] | null | undefined, row: number): RowContent | null =>
    rows?.[row % source.chunkRows] ?? null
  const chunkOf = (row: number): number => Math.floor(row / source.chunkRows)

  return {
    at: row => find(want(chunkOf(row)).rows.value, row),
    peek: row => find(chunks.get(chunkOf(row))?.rows.peek(), row),
    load: async rows => {
      const needed = [...new Set(rows.map(chunkOf))].map(want)
      await Promise.all(needed.map(chunk => arrived(chunk.rows)))
    },
    renew: keep => {
      for (const [at, chunk] of chunks) {
        if (chunk.state !== 'loaded') continue
        const isOther = (at + 1) * source.chunkRows > keep
        if (isOther || chunk.rows.peek()?.some(isPending)) chunk.state = 'stale'
      }
    },
  }
}

/** Whether a row has a call without a result. */
function isPending(content: RowContent): boolean {
  return content.blocks.some(
    block => block.kind === 'call' && block.result === null && block.late === undefined,
  )
}

function arrived(rows: Signal<readonly RowContent[] | null>): Promise<void> {
  return new Promise(done => {
    if (rows.peek() !== null) return done()
    const stop = rows.subscribe(value => {
      if (value === null) return
      queueMicrotask(() => stop())
      done()
    })
  })
}

/** V27: what was before the model. */
interface ContextSource {
  /** The requests of the session, or of a subagent. */
  readonly band: (agent: string | null) => Promise<ContextBandPage>
  /** The request of an entry. */
  readonly at: (node: string) => Promise<ContextPage>
  /** Loads the part of the script that draws them. */
  readonly load: () => Promise<FunctionComponent>
}

export interface SessionSource {
  /** Whether a server provides it, and thus other pages. */
  readonly isServed: boolean
  /** Opens the dialog of an action; null where nothing may be done. */
  readonly ask: ReadonlySignal<AskAction | null>
  /** Rows per request for contents. */
  readonly chunkRows: number
  readonly sheet: () => Promise<Sheet>
  /** The changes since a version. */
  readonly update: (known: string) => Promise<SheetUpdate>
  /** The contents of rows, `to` not included. */
  readonly contents: (from: number, to: number) => Promise<readonly RowContent[]>
  /** Null where the source cannot answer. */
  readonly why: ((node: string) => Promise<Why>) | null
  readonly raw: ((node: string) => Promise<string>) | null
  readonly contexts: ContextSource | null
  /** The address of another session, or of an entry in it; null where it has no page. */
  readonly hrefOf: (session: string, node?: string) => string | null
  /** The relative address of a place in this session. */
  readonly addressOf: (place: Place) => string
  /** Finds the session that has an entry. */
  readonly locate: ((node: string) => Promise<NodeLocation>) | null
  /** Names, tags and notes of the session and its parts. */
  readonly labels: (() => Promise<readonly GivenLabel[]>) | null
  readonly wholeText: WholeText
  /** The uuids of the rows that contain all of the words, in any order. */
  readonly search: (words: string, signal: AbortSignal) => Promise<readonly string[]>
  /** Calls back after changes. Returns a function that stops it. */
  readonly onChange: (listener: () => void) => () => void
}
