/** The contents of rows, fetched in chunks as they are shown. */
import type { RowContent } from '@dagline/core'
import { type Signal, signal } from '@preact/signals'
import type { SessionSource } from './source.js'

/** Chunks that are kept; those not shown for longest go first. */
const MOST_CHUNKS = 120
/** Questions under way at once. */
const MOST_ASKED = 3

interface Chunk {
  readonly rows: Signal<readonly RowContent[] | null>
  state: 'wanted' | 'asked' | 'here' | 'stale' | 'failed'
}

export interface Contents {
  /** What a row says; null while it is on its way. Who reads it while drawing is drawn again when it comes. */
  readonly at: (row: number) => RowContent | null
  /** What is known of a row right now, without asking. */
  readonly peek: (row: number) => RowContent | null
  /** Fetches rows and says when they are there. */
  readonly load: (rows: readonly number[]) => Promise<void>
  /** After an update: rows from `keep` on are other ones, and calls may have got their results. */
  readonly renew: (keep: number) => void
}

/** The contents of a session of `size` rows, by its source. */
export function createContents(source: SessionSource, size: () => number): Contents {
  const chunks = new Map<number, Chunk>()
  const wanted: number[] = []
  let asked = 0

  function want(at: number): Chunk {
    const known = chunks.get(at)
    const chunk: Chunk = known ?? { rows: signal(null), state: 'stale' }
    // The last one asked for is the last one in the map, and so the last one to go.
    chunks.delete(at)
    chunks.set(at, chunk)
    if (chunk.state === 'stale') {
      chunk.state = 'wanted'
      wanted.push(at)
      queueMicrotask(askNext)
    }
    return chunk
  }

  function askNext(): void {
    while (asked < MOST_ASKED && wanted.length > 0) {
      // The newest wish first: what was scrolled past can wait.
      const at = wanted.pop()
      if (at !== undefined) void ask(at)
    }
  }

  async function ask(at: number): Promise<void> {
    const chunk = chunks.get(at)
    if (chunk?.state !== 'wanted') return
    chunk.state = 'asked'
    asked++
    try {
      const from = at * source.chunkRows
      const rows = await source.contents(from, Math.min(size(), from + source.chunkRows))
      if (chunk.state === 'asked') chunk.state = 'here'
      chunk.rows.value = rows
    } catch {
      chunk.state = 'failed'
      setTimeout(() => retry(at, chunk), 2000)
    }
    asked--
    forget()
    askNext()
  }

  function retry(at: number, chunk: Chunk): void {
    chunk.state = 'stale'
    want(at)
  }

  function forget(): void {
    for (const [at, chunk] of chunks) {
      if (chunks.size <= MOST_CHUNKS) return
      if (chunk.state === 'here') chunks.delete(at)
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
        if (chunk.state !== 'here') continue
        const isOther = (at + 1) * source.chunkRows > keep
        if (isOther || chunk.rows.peek()?.some(waits)) chunk.state = 'stale'
      }
    },
  }
}

/** A call that had no result when it was fetched. */
function waits(content: RowContent): boolean {
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
