/** Where the reader is: the address is the state, and going somewhere is changing the address. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** A page of the viewer. */
export type Page =
  | { readonly kind: 'home' | 'search' | 'usage' | 'agents' | 'health' | 'compare' | 'nowhere' }
  | { readonly kind: 'session'; readonly session: string }

/** An address, taken apart. */
interface Place {
  readonly page: Page
  readonly path: string
  readonly query: URLSearchParams
  /** Without its `#`; empty for none. */
  readonly hash: string
}

const here = signal<Place>(placeOf('/', '', ''))

/** The place the reader is at. */
export const place: ReadonlySignal<Place> = here

/** Goes somewhere. `replace` leaves no step behind in the history: for what changes while somebody types. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const target = new URL(to, location.href)
  if (target.origin !== location.origin) return
  const before = here.value.path
  if (replace || target.href === location.href) writeSoon(target)
  else {
    writeNow()
    rememberScroll()
    history.pushState(null, '', target)
  }
  here.value = placeOf(target.pathname, target.search, target.hash)
  if (!replace && here.value.path !== before) window.scrollTo(0, 0)
}

/** Takes an address apart. */
function placeOf(path: string, query: string, hash: string): Place {
  return { page: pageOf(path), path, query: new URLSearchParams(query), hash: unescaped(hash.slice(1)) }
}

/** Follows the browser's own steps, and turns clicks on links into the page's. Returns what ends it. */
export function startRoute(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  history.scrollRestoration = 'manual'
  window.addEventListener('popstate', stepped, { signal })
  document.addEventListener('click', followLink, { signal })
  window.addEventListener('pagehide', leave, { signal })
  stepped()
  return () => ending.abort()
}

/** The name of the page in the window's title. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null || title === '' ? 'dagline' : `${title} · dagline`
  }, [title])
}

/** Browsers refuse an address that changes with every key that is struck; it is written after a pause. */
const PAUSE = 250

let unwritten: { readonly target: URL; readonly timer: ReturnType<typeof setTimeout> } | null = null

function writeSoon(target: URL): void {
  clearTimeout(unwritten?.timer)
  unwritten = { target, timer: setTimeout(writeNow, PAUSE) }
}

function writeNow(): void {
  if (unwritten === null) return
  clearTimeout(unwritten.timer)
  history.replaceState(history.state, '', unwritten.target)
  unwritten = null
}

function pageOf(path: string): Page {
  const [, first = '', second = '', ...rest] = path.split('/')
  if (first === '' && second === '') return { kind: 'home' }
  if (first === 's' && second !== '' && rest.length === 0)
    return { kind: 'session', session: unescaped(second) }
  if (second !== '') return { kind: 'nowhere' }
  switch (first) {
    case 'search':
    case 'usage':
    case 'agents':
    case 'health':
    case 'compare':
      return { kind: first }
    default:
      return { kind: 'nowhere' }
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function leave(): void {
  writeNow()
  rememberScroll()
}

function rememberScroll(): void {
  history.replaceState({ scroll: window.scrollY }, '')
}

function stepped(): void {
  clearTimeout(unwritten?.timer)
  unwritten = null
  here.value = placeOf(location.pathname, location.search, location.hash)
  const scroll = scrollOf(history.state)
  if (scroll !== null) restoreScroll(scroll)
}

function scrollOf(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('scroll' in state)) return null
  return typeof state.scroll === 'number' ? state.scroll : null
}

/** The page has its height back after some frames: what it shows has to be drawn first. */
function restoreScroll(scroll: number, tries = 20): void {
  window.scrollTo(0, scroll)
  if (tries > 0 && Math.abs(window.scrollY - scroll) > 1) {
    requestAnimationFrame(() => restoreScroll(scroll, tries - 1))
  }
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || !isOurs(link)) return
  event.preventDefault()
  navigate(link.href)
}

/** A page of the viewer, and not a mere jump within the page, a download or something of the API. */
function isOurs(link: HTMLAnchorElement): boolean {
  if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return false
  if (link.pathname.startsWith('/api/')) return false
  return !(link.getAttribute('href') ?? '').startsWith('#')
}
