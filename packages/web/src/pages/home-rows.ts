/** X9: the rows of the list of sessions, loaded as they come near the window. */
import { HOME_ROWS, type Home, type HomeItem } from '@dagline/core/protocol'
import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { get, isAborted, pathWith } from '../app/api.js'
import { noteSync } from '../app/live.js'
import { useThrottledChanges } from '../parts/load.js'

/** A row that is not loaded yet. */
interface Gap {
  readonly kind: 'gap'
  readonly index: number
}

export type HomeRowItem = HomeItem | Gap

type Query = Readonly<Record<string, string | boolean | null>>

/** What is loaded of a list. */
export interface LoadedRows {
  /** The path of the list: its filters and its order. */
  readonly path: string
  /** The last answer. */
  readonly home: Home
  /** The rows that are loaded, at their indices. */
  readonly items: ReadonlyMap<number, HomeItem>
}

/** What was loaded last, shown at once when the reader comes back. */
const loaded = signal<LoadedRows | null>(null)
/** Where the reader was in it. */
let near: readonly [first: number, last: number] = [0, 0]

/** The least number of milliseconds between two requests after changes. */
const PAUSE = 1500
/** The same as a multiple of the time that the last request took. */
const REST = 10

/** Loads the rows of a list near the window, and loads them again after changes. */
export function useHomeRows(query: Query): {
  readonly rows: ReadonlySignal<LoadedRows | null>
  readonly error: unknown
  readonly reload: () => void
  /** Loads the rows around these, where they are not there. */
  readonly onWindow: (first: number, last: number) => void
} {
  const [error, setError] = useState<unknown>(null)
  const loader = useMemo(() => createLoader(setError), [])
  const path = pathWith('/api/home', query)
  useEffect(() => loader.open(path), [loader, path])
  useEffect(() => loader.stop, [loader])
  useThrottledChanges(loader.reload, loader.pause)
  return { rows: loaded, error, reload: loader.reload, onWindow: loader.show }
}

interface Loader {
  readonly open: (path: string) => void
  readonly reload: () => void
  readonly show: (first: number, last: number) => void
  readonly pause: () => number
  readonly stop: () => void
}

function createLoader(setError: (error: unknown) => void): Loader {
  let [path, took, request]: [string, number, AbortController | null] = ['', 0, null]
  const stop = (): void => {
    request?.abort()
    request = null
  }
  const ask = (): void => {
    stop()
    const [start, sending, asked] = [performance.now(), new AbortController(), path]
    request = sending
    get<Home>(withRange(path), sending.signal).then(
      home => {
        request = null
        took = performance.now() - start
        loaded.value = joinRows(loaded.peek(), asked, home)
        noteSync(home.sync)
        setError(null)
      },
      problem => {
        if (isAborted(problem)) return
        request = null
        setError(problem)
      },
    )
  }
  return {
    stop,
    open: next => {
      // The reader comes back to where he was; another list is shown from its top.
      if (next !== loaded.peek()?.path) near = [0, 0]
      path = next
      ask()
    },
    reload: ask,
    // Whoever waits for the first sessions gets them at once.
    pause: () => (loaded.peek()?.home.isEmpty === true ? 0 : Math.max(PAUSE, REST * took)),
    show: (first, last) => {
      near = [first, last]
      const known = loaded.peek()
      if (request !== null || known === null || known.path !== path) return
      for (let index = first; index <= Math.min(last, known.home.rows - 1); index++)
        if (!known.items.has(index)) return ask()
    },
  }
}

/** Whole pages, so that small steps of the reader do not ask again. */
function withRange(path: string): string {
  const [first, last] = near
  const from = Math.floor(first / HOME_ROWS) * HOME_ROWS
  const count = Math.min(10, Math.ceil((last + 1 - from) / HOME_ROWS)) * HOME_ROWS
  const range = pathWith('', { from: from || null, count: count > HOME_ROWS ? count : null })
  return path.includes('?') ? path + range.replace('?', '&') : path + range
}

/** Rows of the same list and version are kept; others would not follow the new ones. */
export function joinRows(before: LoadedRows | null, path: string, home: Home): LoadedRows {
  const isSame = before !== null && before.path === path && before.home.version === home.version
  const items = new Map(isSame ? before.items : [])
  home.items.forEach((item, at) => {
    items.set(home.from + at, item)
  })
  return { path, home, items }
}

/** All rows of a list, those that are not loaded as gaps. */
export function useRowItems({ home, items }: LoadedRows): readonly HomeRowItem[] {
  const gaps = useRef<readonly Gap[]>([])
  return useMemo(() => {
    // A gap stays the same object, so that it is not drawn again.
    if (gaps.current.length < home.rows)
      gaps.current = Array.from({ length: home.rows }, (_, index) => ({ kind: 'gap', index }))
    return gaps.current.slice(0, home.rows).map((gap, index) => items.get(index) ?? gap)
  }, [home, items])
}
