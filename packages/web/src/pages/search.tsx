import { duration, plural } from '@dagline/core/format'
import type { SearchHit, SearchPage as SearchReply } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { get, isAborted, pathWith, prepareSearch } from '../app/api.js'
import { navigate, route, useTitle } from '../app/route.js'
import { useKeys } from '../parts/keys.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { SearchFilters } from './search-filters.js'
import { Results } from './search-results.js'
import { isNarrowed, parseSearchView, type SearchView, searchPath } from './search-view.js'

/** Milliseconds between the last key and the request. */
const PAUSE = 120

const EXAMPLES: readonly (readonly [words: string, query: string, what: string])[] = [
  ['TODO', 'q=TODO', 'a word, anywhere: prompts, answers, thinking, tools'],
  ['"connection refused"', 'q=%22connection+refused%22', 'an exact phrase'],
  ['src/app.ts', 'q=src%2Fapp.ts', 'punctuation matters'],
  ['error in abandoned branches', 'q=error&branch=abandoned', 'what rewinds abandoned'],
  ['test in your prompts', 'q=test&role=human', 'only what you typed'],
  ['git in failed calls', 'q=git&errors=1', 'only errors'],
]

/** Full-text search as you type. */
export function SearchPage(): JSX.Element {
  const { query } = route.value
  const view = useMemo(() => parseSearchView(query), [query])
  const found = useSearch(view)
  const box = useRef<HTMLInputElement>(null)
  useTitle(view.q === '' ? 'Search' : `${view.q} · Search`)
  useHitKeys(box)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  // H7: a pattern may read everything, so it runs on Enter, and not at each key.
  const [typed, setTyped] = useState<string | null>(null)
  const change = (part: Partial<SearchView>): void => {
    setTyped(null)
    navigate(pathWith('/search', { ...view, q: typed ?? view.q, ...part }), { replace: true })
  }
  const runTyped = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || typed === null) return
    event.stopImmediatePropagation()
    change({})
  }
  return (
    <div class="search">
      <h1 class="hidden">Search</h1>
      <input
        ref={box}
        id="search"
        class="field search-box"
        type="search"
        value={typed ?? view.q}
        placeholder={
          view.regex ? 'A regular expression; Enter runs it' : 'Words, "an exact phrase", or part*'
        }
        aria-label="Search everything"
        autocomplete="off"
        spellcheck={false}
        onFocus={prepareSearch}
        onInput={({ currentTarget: { value } }) => (view.regex ? setTyped(value) : change({ q: value }))}
        onKeyDown={runTyped}
      />
      <SearchFilters view={view} change={change} />
      <Answer view={view} found={found} />
    </div>
  )
}

interface Found {
  readonly hits: readonly SearchHit[] | null
  readonly total: number
  readonly isComplete: boolean
  readonly note: string | null
  readonly below: number | null
  readonly warning: string | null
  readonly took: number
  readonly error: unknown
  readonly isLoading: boolean
  readonly more: () => void
  readonly retry: () => void
}

function Answer({ view, found }: { readonly view: SearchView; readonly found: Found }): JSX.Element {
  const { hits, error, below, isLoading } = found
  if (searchPath(view) === null) return <Examples />
  if (error !== null) return <Failure isPart error={error} retry={found.retry} />
  if (hits === null) return <Spinner label="Searching…" />
  if (hits.length === 0) return <NoHits view={view} warning={found.warning ?? found.note} />
  return (
    <div class={isLoading ? 'answer is-stale' : 'answer'}>
      <p class="search-note" role="status">
        {found.note === null ? null : `${found.note} `}
        {countWords(found, hits.length)} · {duration(found.took)}
      </p>
      {found.warning === null ? null : <p class="search-note">{found.warning}</p>}
      <Results hits={hits} words={view.regex ? null : view.q} />
      {below === null ? null : (
        <button type="button" class="button" disabled={isLoading} onClick={found.more}>
          More hits
        </button>
      )}
    </div>
  )
}

function countWords({ below, total, isComplete }: Found, shown: number): string {
  const all = `${isComplete ? '' : 'at least '}${plural(total, 'hit')}`
  return below === null ? plural(shown, 'hit') : `the first ${shown} of ${all}`
}

function NoHits({
  view,
  warning,
}: {
  readonly view: SearchView
  readonly warning: string | null
}): JSX.Element {
  return (
    <Empty title="No hits">
      {warning === null ? null : <p>{warning}</p>}
      <p>
        {isNarrowed(view) ? 'Remove a filter, or try fewer or other words.' : 'Try fewer or other words.'} A
        hit contains all of them, or words like them. <b>.* regex</b> searches for any text.
      </p>
    </Empty>
  )
}

function Examples(): JSX.Element {
  return (
    <section class="examples">
      <h2>Examples</h2>
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

/** Searches after a pause. A new search aborts the previous one; old hits stay until the new ones arrive. */
function useSearch(view: SearchView): Found {
  const path = searchPath(view)
  const [page, setPage] = useState<Omit<Found, 'more' | 'retry'>>(NOTHING_YET)
  const [below, setBelow] = useState<number | null>(null)
  const [attempt, setAttempt] = useState(0)
  const requested = useRef<string | null>(null)

  useEffect(() => {
    const isNew = requested.current !== path
    requested.current = path
    if (isNew && below !== null) return setBelow(null)
    if (path === null) return setPage(NOTHING_YET)
    const ending = new AbortController()
    setPage(before => ({ ...before, error: null, isLoading: true }))
    const timer = setTimeout(search, below === null ? PAUSE : 0)

    function search(): void {
      const full = below === null ? path : `${path}&below=${below}`
      get<SearchReply>(full ?? '', ending.signal).then(
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
  }, [path, below, attempt])

  return { ...page, more: () => setBelow(page.below), retry: () => setAttempt(count => count + 1) }
}

const NOTHING_YET: Omit<Found, 'more' | 'retry'> = {
  hits: null,
  total: 0,
  isComplete: true,
  note: null,
  below: null,
  warning: null,
  took: 0,
  error: null,
  isLoading: false,
}

function joined(before: readonly SearchHit[], reply: SearchReply): Omit<Found, 'more' | 'retry'> {
  return { ...reply, hits: [...before, ...reply.hits], error: null, isLoading: false }
}

/** Arrow keys move over the hits, also from and to the search box. */
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
