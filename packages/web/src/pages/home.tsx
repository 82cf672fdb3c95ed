import { plural } from '@dagline/core/format'
import type { Home } from '@dagline/core/protocol'
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { get, pathWith } from '../app/api.js'
import { noteSync } from '../app/live.js'
import { navigate, route, useTitle } from '../app/route.js'
import { now } from '../parts/figures.js'
import { useKeys } from '../parts/keys.js'
import { useThrottledChanges } from '../parts/load.js'
import type { ListHandle } from '../parts/virtual.js'
import { VirtualList } from '../parts/virtual-list.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { Filters, focusFilter, Summary } from './home-filters.js'
import { type HomeItem, type HomeList, listHome, projectsOf } from './home-list.js'
import { HomeRow } from './home-row.js'
import { type HomeView, homeQuery, isFiltered, parseHomeView } from './home-view.js'
import { projectNames } from './project-names.js'

/** The last answer, shown at once when the reader comes back. */
const known = signal<Home | null>(null)

/** The least number of milliseconds between two requests. */
const PAUSE = 1500
/** The least time between two requests, as a multiple of the time the last one took. */
const REST = 10

/** The list of all sessions. */
export function HomePage(): JSX.Element {
  useTitle(null)
  const [error, setError] = useState<unknown>(null)
  const refresh = useRefresh(setError)
  const home = known.value
  if (home === null) return error === null ? <Spinner /> : <Failure error={error} retry={refresh} />
  return (
    <div class="home">
      {home.isSample ? <SampleBanner home={home} /> : null}
      <UnreadBanner unread={home.sync.unread} />
      <Sessions home={home} />
    </div>
  )
}

function SampleBanner({ home }: { readonly home: Home }): JSX.Element {
  return (
    <p class="banner" role="note">
      These are samples: dagline found no sessions in {home.looked.join(', ')}. Once Claude Code has written a
      session there, start dagline again to see it.
    </p>
  )
}

/** Says that the list is incomplete. */
function UnreadBanner({ unread }: { readonly unread: Home['sync']['unread'] }): JSX.Element | null {
  if (unread.length === 0) return null
  return (
    <p class="banner" role="note">
      {plural(unread.length, 'file or folder', 'files or folders')} could not be read, so this list is
      incomplete. <a href="/health">Health</a> lists them.
    </p>
  )
}

function Sessions({ home }: { readonly home: Home }): JSX.Element {
  const { query } = route.value
  const view = useMemo(() => parseHomeView(query), [query])
  const list = useMemo(() => listHome(home.sessions, view, now.peek()), [home, view])
  const names = useMemo(
    () => projectNames(projectsOf(home.sessions), view.byProject ? 3 : 1),
    [home, view.byProject],
  )
  const handle = useRef<ListHandle | null>(null)
  useListKeys(list.items, handle)
  const change = (part: Partial<HomeView>): void =>
    navigate(pathWith('/', homeQuery({ ...view, ...part })), { replace: true })
  return (
    <>
      <Summary home={home} list={list} view={view} />
      {home.sessions.length === 0 ? null : <Filters home={home} list={list} view={view} change={change} />}
      {list.items.length === 0 ? (
        <NoSessions home={home} view={view} list={list} change={change} />
      ) : (
        <VirtualList
          items={list.items}
          keyOf={keyOf}
          estimate={estimate}
          find={item => list.items.findIndex(other => keyOf(other) === keyOf(item))}
          covered={topBar}
          render={item => <HomeRow item={item} names={names} byProject={view.byProject} />}
          label="Sessions"
          listId={query.toString()}
          handle={handle}
        />
      )}
    </>
  )
}

interface NoSessionsProps {
  readonly home: Home
  readonly view: HomeView
  readonly list: HomeList
  readonly change: (part: Partial<HomeView>) => void
}

function NoSessions({ home, view, list, change }: NoSessionsProps): JSX.Element {
  if (home.sessions.length === 0 && home.sync.state === 'running')
    return <Spinner label="Reading your sessions…" />
  if (home.sessions.length === 0)
    return (
      <Empty title="No sessions yet">
        <p>
          dagline looked in {home.looked.join(', ')}. Sessions appear here once you use Claude Code. If yours
          are elsewhere, run <code>dagline --root FOLDER</code>.
        </p>
      </Empty>
    )
  if (list.idle > 0 && !isFiltered(view))
    return (
      <Empty title="Only idle sessions">
        <p>None of them has a prompt or an answer.</p>
        <button type="button" class="button" onClick={() => change({ showIdle: true })}>
          Show them
        </button>
      </Empty>
    )
  const text = view.text.trim()
  return (
    <Empty title="No matching sessions">
      {text === '' ? null : (
        <p>
          The filter covers titles, first prompts, projects and ids.{' '}
          <a href={pathWith('/search', { q: text })}>Search all conversations for “{text}”</a>
        </p>
      )}
      <button type="button" class="button" onClick={() => navigate('/', { replace: true })}>
        Show all sessions
      </button>
    </Empty>
  )
}

/** Loads the list, and reloads it after changes. */
function useRefresh(setError: (error: unknown) => void): () => void {
  const took = useRef(0)
  const [ask] = useState(() => () => {
    const start = performance.now()
    get<Home>('/api/home').then(
      home => {
        took.current = performance.now() - start
        known.value = home
        noteSync(home.sync)
        setError(null)
      },
      error => setError(error),
    )
  })
  useEffect(ask, [ask])
  useThrottledChanges(ask, () => Math.max(PAUSE, REST * took.current))
  return ask
}

/** Keys that move the focus from session to session, skipping headings. */
function useListKeys(items: readonly HomeItem[], handle: { readonly current: ListHandle | null }): void {
  const at = useRef<string | null>(null)

  function go(from: number, step: 1 | -1): void {
    let index = from
    while (items[index]?.kind === 'project') index += step
    const item = items[index]
    if (item === undefined) return
    at.current = keyOf(item)
    handle.current?.show(index, { onDrawn: focusLink })
  }

  function move(step: 1 | -1): void {
    const focused = document.activeElement?.closest('[data-index]')?.getAttribute('data-index')
    const index = focused == null ? items.findIndex(item => keyOf(item) === at.current) : Number(focused)
    go(index < 0 ? (step === 1 ? 0 : items.length - 1) : index + step, step)
  }

  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => (isInList() ? move(1) : false),
    ArrowUp: () => (isInList() ? move(-1) : false),
    g: () => go(0, 1),
    G: () => go(items.length - 1, -1),
    f: focusFilter,
  })
}

function isInList(): boolean {
  return document.activeElement?.closest('.virtual') != null
}

function focusLink(element: HTMLElement): void {
  element.querySelector('a')?.focus({ preventScroll: true })
}

function keyOf(item: HomeItem): string {
  return item.kind === 'project' ? `project ${item.project}` : item.card.session
}

const narrow = matchMedia('(max-width: 700px)')

/** The height of the bar at the top of the page. */
function topBar(): number {
  return document.querySelector('.top')?.clientHeight ?? 0
}

function estimate(item: HomeItem): number {
  if (item.kind === 'project') return 52
  return narrow.matches ? 96 : 62
}
