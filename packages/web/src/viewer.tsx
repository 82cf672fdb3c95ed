import { never } from '@dagline/core'
import { Component, type ComponentChildren, type FunctionComponent, type JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { sentenceOf } from './app/api.js'
import { navigate, type Page, place, useTitle } from './app/route.js'
import { switchTheme } from './app/theme.js'
import { Help } from './help.js'
import { HomePage } from './pages/home.js'
import { SearchPage } from './pages/search.js'
import { SessionPage } from './pages/session.js'
import { isForOthers } from './parts/keys.js'
import { Empty, Failure, Spinner } from './parts/waiting.js'
import { watchLinks } from './session/http-source.js'
import { TopBar } from './top-bar.js'

// Most people read sessions: what draws figures is fetched when it is wanted.
const AgentsPage = lazily(async () => (await import('./pages/agents.js')).AgentsPage)
const ComparePage = lazily(async () => (await import('./pages/compare.js')).ComparePage)
const HealthPage = lazily(async () => (await import('./pages/health.js')).HealthPage)
const UsagePage = lazily(async () => (await import('./pages/usage.js')).UsagePage)

/** The viewer: the bar at the top, and the page that the address names. */
export function Shell(): JSX.Element {
  const [isHelping, setHelping] = useState(false)
  const main = useRef<HTMLElement>(null)
  const { page } = place.value
  const key = page.kind === 'session' ? `session ${page.session}` : page.kind
  useShellKeys(() => setHelping(true))
  useEffect(watchLinks, [])
  useFocusOn(main, key)
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <TopBar onHelp={() => setHelping(true)} />
      <main id="main" ref={main} tabIndex={-1} class={`page page-${page.kind}`}>
        <Boundary key={key}>
          <PageOf page={page} />
        </Boundary>
      </main>
      {isHelping ? <Help onClose={() => setHelping(false)} /> : null}
    </>
  )
}

function PageOf({ page }: { readonly page: Page }): JSX.Element {
  switch (page.kind) {
    case 'home':
      return <HomePage />
    case 'session':
      return <SessionPage session={page.session} />
    case 'search':
      return <SearchPage />
    case 'usage':
      return <UsagePage />
    case 'agents':
      return <AgentsPage />
    case 'health':
      return <HealthPage />
    case 'compare':
      return <ComparePage />
    case 'nowhere':
      return <Nowhere />
    default:
      return never(page)
  }
}

function Nowhere(): JSX.Element {
  useTitle('Nothing here')
  return (
    <Empty title="There is no such page">
      <p>
        The address leads nowhere. <a href="/">All sessions</a> are one step away.
      </p>
    </Empty>
  )
}

/** Keys that work on every page, unless the page itself took them. */
function useShellKeys(onHelp: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leaveField(event)
      if (event.defaultPrevented || isForOthers(event)) return
      if (event.key === '?') onHelp()
      else if (event.key === 't') switchTheme()
      else if (event.key === 'h') navigate('/')
      else if (event.key === '/') focusSearch()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [onHelp])
}

function leaveField({ target }: KeyboardEvent): void {
  if (target instanceof HTMLInputElement) target.blur()
}

function focusSearch(): void {
  const box = document.getElementById('search')
  if (!(box instanceof HTMLInputElement)) return
  box.focus()
  box.select()
}

/** A new page takes the focus, so that reading and keys begin there. */
function useFocusOn(main: { readonly current: HTMLElement | null }, key: string): void {
  const isFirst = useRef(true)
  useEffect(() => {
    const isElsewhere = document.activeElement?.closest('main') == null
    if (!isFirst.current && isElsewhere) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [key])
}

interface BoundaryProps {
  readonly children: ComponentChildren
}

interface BoundaryState {
  readonly error: unknown
  readonly failed: boolean
}

/** Keeps a fault of one page from taking the whole viewer with it. Another `key` begins afresh. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, failed: false }

  static override getDerivedStateFromError(error: unknown): BoundaryState {
    return { error, failed: true }
  }

  override render(): ComponentChildren {
    return this.state.failed ? <Fault error={this.state.error} /> : this.props.children
  }
}

function Fault({ error }: { readonly error: unknown }): JSX.Element {
  return (
    <div class="empty failure" role="alert">
      <h2>This page has a fault</h2>
      <p>It is dagline's own; your sessions are as they were. The other pages go on working.</p>
      <p>
        <code>{sentenceOf(error)}</code>
      </p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Try again
      </button>
    </div>
  )
}

/** Parts are named by what is in them: one that is not there is of another version. */
const UPDATED =
  'A part of this page is no longer there: dagline was updated or ended meanwhile. Reload the page; if that does not help, start dagline again.'

/** The component that `load` gives, once it is there. */
function lazily(load: () => Promise<FunctionComponent>): FunctionComponent {
  let known: FunctionComponent | null = null
  return function Lazy(): JSX.Element {
    const [Page, setPage] = useState<FunctionComponent | null>(() => known)
    const [error, setError] = useState<unknown>(null)
    useEffect(() => {
      if (Page !== null) return
      setError(null)
      load().then(
        page => {
          known = page
          setPage(() => page)
        },
        () => setError(new Error(UPDATED)),
      )
    }, [])
    if (Page !== null) return <Page />
    return error === null ? <Spinner /> : <Failure error={error} retry={() => location.reload()} />
  }
}
