import { never } from '@dagline/core'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate, type Page, place, useTitle } from './app/route.js'
import { switchTheme } from './app/theme.js'
import { Boundary } from './boundary.js'
import { Help } from './help.js'
import { lazily } from './lazy.js'
import { HomePage } from './pages/home.js'
import { SearchPage } from './pages/search.js'
import { SessionPage } from './pages/session.js'
import { isForOthers } from './parts/keys.js'
import { Empty } from './parts/waiting.js'
import { watchLinks } from './session/ahead.js'
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
