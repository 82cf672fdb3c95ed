import { plural } from '@dagline/core/format'
import type { Home, HomeView } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { pathWith } from '../app/api.js'
import { isHub } from '../app/page.js'
import { navigate, route, useTitle } from '../app/route.js'
import { useKeys } from '../parts/keys.js'
import { NothingShared } from '../parts/nothing-shared.js'
import type { ListHandle } from '../parts/virtual.js'
import { VirtualList } from '../parts/virtual-list.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { Filters, focusFilter, Summary } from './home-filters.js'
import { HomeRow } from './home-row.js'
import { type HomeRowItem, type LoadedRows, useHomeRows, useRowItems } from './home-rows.js'
import { homeQuery, isFiltered, parseAddress } from './home-view.js'
import { projectNames } from './project-names.js'

/** The list of all sessions. */
export function HomePage(): JSX.Element {
  useTitle(null)
  const { query } = route.value
  const view = useMemo(() => parseAddress(query), [query])
  const { rows, error, reload, onWindow } = useHomeRows(homeQuery(view))
  const shown = rows.value
  if (shown === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  const { home } = shown
  return (
    <div class="home">
      {home.isSample ? <SampleBanner home={home} /> : null}
      <UnreadBanner unread={home.sync.unread} />
      <Sessions shown={shown} view={view} onWindow={onWindow} />
    </div>
  )
}

function SampleBanner({ home }: { readonly home: Home }): JSX.Element {
  return (
    <p class="banner" role="note">
      These are samples: dagline found no sessions in {home.looked.join(', ')}. Your own appear here as soon
      as Claude Code has written one.
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

interface SessionsProps {
  readonly shown: LoadedRows
  readonly view: HomeView
  readonly onWindow: (first: number, last: number) => void
}

function Sessions({ shown, view, onWindow }: SessionsProps): JSX.Element {
  const { home } = shown
  const items = useRowItems(shown)
  const places = useMemo(() => new Map(items.map((item, index) => [keyOf(item), index])), [items])
  const names = useMemo(
    () => projectNames(home.projects, view.byProject ? 3 : 1),
    [home.projects, view.byProject],
  )
  const handle = useRef<ListHandle | null>(null)
  useListKeys(items, handle)
  const change = (part: Partial<HomeView>): void =>
    navigate(pathWith('/', homeQuery({ ...view, ...part })), { replace: true })
  return (
    <>
      <Summary home={home} view={view} />
      {home.isEmpty ? null : <Filters home={home} view={view} change={change} />}
      {items.length === 0 ? (
        <NoSessions home={home} view={view} change={change} />
      ) : (
        <VirtualList
          items={items}
          keyOf={keyOf}
          estimate={estimate}
          find={item => places.get(keyOf(item)) ?? -1}
          covered={topBar}
          onWindow={onWindow}
          render={item => <HomeRow item={item} names={names} byProject={view.byProject} />}
          label="Sessions"
          listId={shown.path}
          handle={handle}
        />
      )}
    </>
  )
}

interface NoSessionsProps {
  readonly home: Home
  readonly view: HomeView
  readonly change: (part: Partial<HomeView>) => void
}

function NoSessions({ home, view, change }: NoSessionsProps): JSX.Element {
  if (home.isEmpty && isHub()) return <NothingShared />
  if (home.isEmpty && home.sync.state === 'running') return <Spinner label="Reading your sessions…" />
  if (home.isEmpty)
    return (
      <Empty title="No sessions yet">
        <p>
          dagline looked in {home.looked.join(', ')}. Sessions appear here once you use Claude Code. If yours
          are elsewhere, run <code>dagline --root FOLDER</code>.
        </p>
      </Empty>
    )
  if (home.sums.idle > 0 && !isFiltered(view))
    return (
      <Empty title="No session has a conversation">
        <p>All of them are empty, or only warm up.</p>
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

/** Keys that move the focus from session to session, skipping headings. */
function useListKeys(items: readonly HomeRowItem[], handle: { readonly current: ListHandle | null }): void {
  const at = useRef<string | null>(null)
  /** A row to go to that is not loaded yet. */
  const awaited = useRef<readonly [index: number, step: 1 | -1] | null>(null)

  function go(from: number, step: 1 | -1): void {
    let index = from
    while (items[index]?.kind === 'project') index += step
    const item = items[index]
    awaited.current = item?.kind === 'gap' ? [index, step] : null
    if (item === undefined) return
    at.current = keyOf(item)
    handle.current?.show(index, item.kind === 'gap' ? {} : { onDrawn: focusLink })
  }

  useEffect(() => {
    if (awaited.current !== null) go(...awaited.current)
  }, [items])

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

function keyOf(item: HomeRowItem): string {
  if (item.kind === 'gap') return `gap ${item.index}`
  return item.kind === 'project' ? `project ${item.project}` : item.card.session
}

const narrow = matchMedia('(max-width: 700px)')

/** The height of the bar at the top of the page. */
function topBar(): number {
  return document.querySelector('.top')?.clientHeight ?? 0
}

function estimate(item: HomeRowItem): number {
  if (item.kind === 'project') return 52
  return narrow.matches ? 96 : 62
}
