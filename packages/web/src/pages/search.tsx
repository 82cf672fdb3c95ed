import type { SearchHit, SearchPage as SearchReply } from '@dagline/core'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { get, isAborted, pathWith } from '../app/api.js'
import { navigate, place, useTitle } from '../app/route.js'
import { duration, plural } from '../parts/format.js'
import { useKeys } from '../parts/keys.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { SearchFilters } from './search-filters.js'
import { Results } from './search-results.js'
import { isNarrowed, type SearchView, searchPath, searchQuery, searchViewOf } from './search-view.js'

/** Milliseconds after the last key before anything is asked. */
const PAUSE = 120

const EXAMPLES: readonly (readonly [words: string, query: string, what: string])[] = [
  ['TODO', 'q=TODO', 'a word, anywhere: prompts, answers, thinking, tools'],
  ['"connection refused"', 'q=%22connection+refused%22', 'words in this order'],
  ['src/app.ts', 'q=src%2Fapp.ts', 'signs count, too'],
  ['error in what was abandoned', 'q=error&branch=abandoned', 'what a rewind left behind'],
  ['test said by you', 'q=test&role=human', 'only your own prompts'],
  ['git of failed calls', 'q=git&errors=1', 'what went wrong'],
]

/** Full text over everything, as you type. */
export function SearchPage(): JSX.Element {
  const { query } = place.value
  const view = useMemo(() => searchViewOf(query), [query])
  const found = useSearch(view)
  const box = useRef<HTMLInputElement>(null)
  useTitle(view.q === '' ? 'Search' : `${view.q} · Search`)
  useHitKeys(box)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  const change = (part: Partial<SearchView>): void =>
    navigate(pathWith('/search', searchQuery({ ...view, ...part })), { replace: true })
  return (
    <div class="search">
      <h1 class="hidden">Search</h1>
      <input
        ref={box}
        id="search"
        class="field search-box"
        type="search"
        value={view.q}
        placeholder={
          view.regex ? 'A regular expression' : 'Words that must all be there, or "words in order"'
        }
        aria-label="Search everything"
        autocomplete="off"
        spellcheck={false}
        onInput={event => change({ q: event.currentTarget.value })}
      />
      <SearchFilters view={view} change={change} />
      <Answer view={view} found={found} />
    </div>
  )
}

interface Found {
  readonly hits: readonly SearchHit[] | null
  readonly below: number | null
  readonly took: number
  readonly error: unknown
  readonly isLoading: boolean
  readonly more: () => void
  readonly retry: () => void
}

function Answer({ view, found }: { readonly view: SearchView; readonly found: Found }): JSX.Element {
  const { hits, error, below, isLoading } = found
  if (view.q.trim() === '') return <Examples />
  if (error !== null) return <Failure error={error} retry={found.retry} />
  if (hits === null) return <Spinner label="Searching…" />
  if (hits.length === 0) return <Nothing view={view} />
  return (
    <div class={isLoading ? 'answer is-stale' : 'answer'}>
      <p class="search-note" role="status">
        {below === null ? plural(hits.length, 'hit') : `the first ${plural(hits.length, 'hit')}`} ·{' '}
        {duration(found.took)}
      </p>
      <Results hits={hits} />
      {below === null ? null : (
        <button type="button" class="button" disabled={isLoading} onClick={found.more}>
          More hits
        </button>
      )}
    </div>
  )
}

function Nothing({ view }: { readonly view: SearchView }): JSX.Element {
  return (
    <Empty title="Nothing found">
      <p>
        {isNarrowed(view) ? 'Leave out a filter, or try fewer or other words.' : 'Try fewer or other words.'}{' '}
        Each of them must be in the text.
      </p>
    </Empty>
  )
}

function Examples(): JSX.Element {
  return (
    <section class="examples">
      <h2>For example</h2>
      <ul>
        {EXAMPLES.map(([words, query, what]) => (
          <li key={query}>
            <a class="example" href={`/search?${query}`}>
              {words}
            </a>
            <span class="example-what">{what}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Asks after a pause; a new question ends the one before, and the old hits stay until the new ones are there. */
function useSearch(view: SearchView): Found {
  const path = searchPath(view)
  const [page, setPage] = useState<Omit<Found, 'more' | 'retry'>>(NOTHING_YET)
  const [below, setBelow] = useState<number | null>(null)
  const [turn, setTurn] = useState(0)
  const asked = useRef<string | null>(null)

  useEffect(() => {
    const isNew = asked.current !== path
    asked.current = path
    if (isNew && below !== null) return setBelow(null)
    if (path === null) return setPage(NOTHING_YET)
    const ending = new AbortController()
    setPage(before => ({ ...before, error: null, isLoading: true }))
    const timer = setTimeout(ask, below === null ? PAUSE : 0)

    function ask(): void {
      const full = below === null ? path : `${path}&below=${below}`
      get<SearchReply>(full ?? '', { signal: ending.signal }).then(
        reply => setPage(before => joined(below === null ? [] : (before.hits ?? []), reply)),
        error => {
          if (!isAborted(error)) setPage(before => ({ ...before, error, isLoading: false }))
        },
      )
    }

    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [path, below, turn])

  return { ...page, more: () => setBelow(page.below), retry: () => setTurn(count => count + 1) }
}

const NOTHING_YET: Omit<Found, 'more' | 'retry'> = {
  hits: null,
  below: null,
  took: 0,
  error: null,
  isLoading: false,
}

function joined(before: readonly SearchHit[], reply: SearchReply): Omit<Found, 'more' | 'retry'> {
  const { hits, below, took } = reply
  return { hits: [...before, ...hits], below, took, error: null, isLoading: false }
}

/** Arrows move over the hits, from the box too; above the first one is the box. */
function useHitKeys(box: { readonly current: HTMLInputElement | null }): void {
  function move(step: 1 | -1): void {
    const hits = [...document.querySelectorAll<HTMLElement>('a.hit')]
    const active = document.activeElement
    const at = active instanceof HTMLElement ? hits.indexOf(active) : -1
    if (at < 0 && step < 0) return
    const next = hits[at + step]
    if (next !== undefined) {
      next.focus({ preventScroll: true })
      next.scrollIntoView({ block: 'nearest' })
    } else if (at + step < 0) box.current?.focus()
  }

  useEffect(() => {
    const input = box.current
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
      event.preventDefault()
      move(1)
    }
    input?.addEventListener('keydown', listen)
    return () => input?.removeEventListener('keydown', listen)
  }, [])
  useKeys({ ArrowDown: () => move(1), ArrowUp: () => move(-1), j: () => move(1), k: () => move(-1) })
}
