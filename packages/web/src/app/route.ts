/** The route: the address of the page holds its state, and navigation changes the address. */
import { HUB_FILTERS } from '@dagline/core/protocol'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { windowTitle } from './title.js'

const PAGES = ['now', 'search', 'usage', 'waste', 'agents', 'health', 'compare', 'blame', 'commits'] as const

/** A page of the viewer. */
export type Page =
  | { readonly kind: 'home' | (typeof PAGES)[number] | 'unknown' }
  | { readonly kind: 'session'; readonly session: string }

/** A parsed address. */
interface Route {
  readonly page: Page
  readonly path: string
  readonly query: URLSearchParams
  /** Without its `#`; empty for none. */
  readonly hash: string
}

const current = signal<Route>(parseRoute('/', '', ''))

/** The current route. */
export const route: ReadonlySignal<Route> = current

/** HU60: the filters of a hub as a query; empty for none. All pages keep them. */
const hubFilter: ReadonlySignal<string> = computed(() => filtersIn(current.value.query).toString())

function filtersIn(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams()
  for (const name of HUB_FILTERS) {
    const value = query.get(name) ?? ''
    if (value !== '') kept.set(name, value)
  }
  return kept
}

/** HU60: an address with the filters of the hub that are set now. */
export function withHubFilter(address: string): string {
  if (hubFilter.value === '') return address
  const [, path = '', hash = ''] = /^([^#]*)(.*)$/s.exec(address) ?? []
  return `${path}${path.includes('?') ? '&' : '?'}${hubFilter.value}${hash}`
}

/** Adds filters that an address does not name. One that it names as empty is removed. */
function keepHubFilter({ searchParams }: URL): void {
  for (const [name, value] of filtersIn(current.value.query))
    if (!searchParams.has(name)) searchParams.set(name, value)
  for (const name of HUB_FILTERS) if (searchParams.get(name) === '') searchParams.delete(name)
}

/** Goes to an address. `replace` adds no step to the browser history, for what changes while the user types. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const target = new URL(to, location.href)
  if (target.origin !== location.origin) return
  keepHubFilter(target)
  const before = current.value.path
  if (replace || target.href === location.href) writeSoon(target)
  else {
    writeNow()
    rememberScroll()
    history.pushState(null, '', target)
  }
  current.value = parseRoute(target.pathname, target.search, target.hash)
  if (!replace && current.value.path !== before) window.scrollTo(0, 0)
}

/** The address of a session, or of an entry in it. */
export function sessionPath(session: string, node: string | null = null): string {
  const path = `/s/${encodeURIComponent(session)}`
  return withHubFilter(node === null ? path : `${path}?at=${encodeURIComponent(node)}`)
}

/** Parses an address. */
function parseRoute(path: string, query: string, hash: string): Route {
  return { page: pageOf(path), path, query: new URLSearchParams(query), hash: decode(hash.slice(1)) }
}

/** Follows the browser history and handles clicks on links. */
export function startRoute(): void {
  history.scrollRestoration = 'manual'
  window.addEventListener('popstate', readAddress)
  document.addEventListener('click', followLink)
  window.addEventListener('pagehide', leave)
  readAddress()
}

/** Sets the title of the window. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null || title === '' ? 'dagline' : `${windowTitle(title)} · dagline`
  }, [title])
}

/** Browsers limit how often an address may change: it is written this many milliseconds after the last change. */
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
  if (first === 's' && second !== '' && rest.length === 0) return { kind: 'session', session: decode(second) }
  if (second !== '') return { kind: 'unknown' }
  return { kind: PAGES.find(kind => kind === first) ?? 'unknown' }
}

function decode(text: string): string {
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

function readAddress(): void {
  clearTimeout(unwritten?.timer)
  unwritten = null
  current.value = parseRoute(location.pathname, location.search, location.hash)
  const scroll = scrollOf(history.state)
  // An address that names an entry leads there: the rows above it may have other heights now.
  if (scroll !== null && !current.value.query.has('at')) restoreScroll(scroll)
}

function scrollOf(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('scroll' in state)) return null
  return typeof state.scroll === 'number' ? state.scroll : null
}

/** Tries for some frames: the page has its height only after it is drawn. */
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
  const href = link?.getAttribute('href') ?? null
  if (link === null || href === null || !isPageLink(link, href)) return
  event.preventDefault()
  navigate(href)
}

/**
 * Whether a link, of the document or of a drawing, leads to a page of the viewer, and is not a jump within the page, a
 * download or an API address.
 */
function isPageLink(link: Element, href: string): boolean {
  if ((link.getAttribute('target') ?? '') !== '' || link.hasAttribute('download')) return false
  const target = URL.parse(href, location.href)
  if (target?.origin !== location.origin || target.pathname.startsWith('/api/')) return false
  return !href.startsWith('#')
}
