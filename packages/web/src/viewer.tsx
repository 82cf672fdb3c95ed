import { Component, type ComponentChildren, type FunctionComponent, type JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { asked } from './app/actions.js'
import { errorMessage } from './app/api.js'
import { isHub } from './app/page.js'
import { navigate, type Page, route, useTitle } from './app/route.js'
import { switchTheme } from './app/theme.js'
import { Help } from './help.js'
import { HubBar } from './hub-bar.js'
import { HomePage } from './pages/home.js'
import { SearchPage } from './pages/search.js'
import { prefetchLinks, SessionPage } from './pages/session.js'
import { focusField, isReserved } from './parts/keys.js'
import { Empty, Failure, Spinner } from './parts/waiting.js'
import { TopBar } from './top-bar.js'

/** The viewer: the top bar, and the page of the current route. */
export function Viewer(): JSX.Element {
  const [isHelping, setHelping] = useState(false)
  const main = useRef<HTMLElement>(null)
  const { page } = route.value
  const key = page.kind === 'session' ? `session ${page.session}` : page.kind
  useViewerKeys(() => setHelping(true))
  useEffect(prefetchLinks, [])
  useFocusOn(main, key)
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <TopBar onHelp={() => setHelping(true)} />
      <main id="main" ref={main} tabIndex={-1} class={`page page-${page.kind}`}>
        {isHub() ? <HubBar /> : null}
        <Boundary key={key}>
          <PageOf page={page} />
        </Boundary>
      </main>
      {isHelping ? <Help onClose={() => setHelping(false)} /> : null}
      {asked.value === null ? null : <ActionDialog />}
    </>
  )
}

/** Most people read sessions: pages with figures are loaded on demand. */
const PAGES: Readonly<Record<Exclude<Page['kind'], 'session'>, FunctionComponent>> = {
  home: HomePage,
  search: SearchPage,
  now: lazily(async () => (await import('./pages/now.js')).NowPage),
  usage: lazily(async () => (await import('./pages/usage.js')).UsagePage),
  waste: lazily(async () => (await import('./pages/waste.js')).WastePage),
  agents: lazily(async () => (await import('./pages/agents.js')).AgentsPage),
  health: lazily(async () => (await import('./pages/health.js')).HealthPage),
  compare: lazily(async () => (await import('./pages/compare.js')).ComparePage),
  blame: lazily(async () => (await import('./pages/blame.js')).BlamePage),
  commits: lazily(async () => (await import('./pages/commits.js')).CommitsPage),
  unknown: UnknownPage,
}

const ActionDialog = lazily(async () => (await import('./parts/action-dialog.js')).ActionDialog)

function PageOf({ page }: { readonly page: Page }): JSX.Element {
  if (page.kind === 'session') return <SessionPage session={page.session} />
  const Shown = PAGES[page.kind]
  return <Shown />
}

function UnknownPage(): JSX.Element {
  useTitle('Page not found')
  return (
    <Empty isPage title="Page not found">
      <p>
        No page has this address. <a href="/">All sessions</a>
      </p>
    </Empty>
  )
}

/** Keys that work on every page, unless the page handles them. */
function useViewerKeys(onHelp: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leaveField(event)
      if (event.defaultPrevented || isReserved(event)) return
      if (event.key === '?') onHelp()
      else if (event.key === 't') switchTheme()
      else if (event.key === 'h') navigate('/')
      else if (event.key === '/') focusField('search')
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

/** Moves the focus to a new page, so that screen readers and keys start there. */
function useFocusOn(main: { readonly current: HTMLElement | null }, key: string): void {
  const isFirst = useRef(true)
  useEffect(() => {
    const isElsewhere = document.activeElement?.closest('main') == null
    if (!isFirst.current && isElsewhere) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [key])
}

interface BoundaryState {
  readonly thrown: { readonly error: unknown } | null
}

/** Confines an error to the page that threw it. Another `key` starts over. */
class Boundary extends Component<{ readonly children: ComponentChildren }, BoundaryState> {
  override state: BoundaryState = { thrown: null }

  static override getDerivedStateFromError(error: unknown): BoundaryState {
    return { thrown: { error } }
  }

  override render(): ComponentChildren {
    const { thrown } = this.state
    return thrown === null ? this.props.children : <ErrorMessage error={thrown.error} />
  }
}

function ErrorMessage({ error }: { readonly error: unknown }): JSX.Element {
  return (
    <div class="empty failure" role="alert">
      <h1>This page failed</h1>
      <p>This is an error in dagline. Your sessions are unchanged, and the other pages still work.</p>
      <p>
        <code>{errorMessage(error)}</code>
      </p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Try again
      </button>
    </div>
  )
}

/** Parts of the script are named by their contents: a missing one is of another version. */
const UPDATED =
  'A part of this page is missing because dagline was updated or stopped. Reload the page. If that does not help, start dagline again.'

/** A component that is loaded when it is first shown. */
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
