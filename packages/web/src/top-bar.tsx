import { bytes, duration, percent } from '@dagline/core/format'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { pathWith, prepareSearch } from './app/api.js'
import { loginAddress } from './app/hub.js'
import { connection, type SyncView, sync } from './app/live.js'
import { isHub } from './app/page.js'
import { navigate, type Page, route } from './app/route.js'
import { ThemeButton } from './parts/theme-button.js'

const LINKS: readonly (readonly [kind: Page['kind'], path: string, name: string])[] = [
  ['home', '/', 'Sessions'],
  ['now', '/now', 'Now'],
  ['search', '/search', 'Search'],
  ['usage', '/usage', 'Usage'],
  ['agents', '/agents', 'Subagents'],
  ['compare', '/compare', 'Compare'],
  ['health', '/health', 'Health'],
]

/** Pages without a link of their own, and the link that leads to them. */
const PART_OF: Partial<Record<Page['kind'], Page['kind']>> = { session: 'home', waste: 'usage' }

/** The top bar: links, search, theme, help, progress of the index. */
export function TopBar({ onHelp }: { readonly onHelp: () => void }): JSX.Element {
  const { kind } = route.value.page
  const currentOf = (name: Page['kind']): 'page' | 'true' | undefined =>
    name === kind ? 'page' : name === PART_OF[kind] ? 'true' : undefined
  return (
    <header class="top">
      <div class="top-row">
        <a class="top-name" href={pathWith('/', {})} aria-label="dagline, all sessions">
          <Logo />
          <span>dagline</span>
        </a>
        <nav class="top-links" aria-label="Pages">
          {LINKS.map(([name, path, label]) => (
            <a key={path} href={pathWith(path, {})} aria-current={currentOf(name)}>
              {label}
            </a>
          ))}
        </nav>
        <span class="top-gap" />
        <SyncNote />
        {kind === 'search' ? null : <SearchBox />}
        <ThemeButton />
        <button type="button" class="button-quiet" title="Keys (?)" aria-label="Keys" onClick={onHelp}>
          ?
        </button>
      </div>
      <SyncBar />
    </header>
  )
}

/** The search box that `/` focuses. The search page has its own. */
function SearchBox(): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  return (
    <search>
      <form
        class="top-search"
        onSubmit={event => {
          event.preventDefault()
          navigate(pathWith('/search', { q: input.current?.value.trim() }))
        }}
      >
        <input
          ref={input}
          id="search"
          type="search"
          placeholder="Search everything"
          aria-label="Search everything"
          autocomplete="off"
          spellcheck={false}
          onFocus={prepareSearch}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  )
}

/** V2: what to do depends on whether the token is still valid. */
const LOST = {
  lost: 'dagline has stopped. This page continues when you start it again.',
  locked: 'dagline has a new token. Run "dagline open" to open the viewer again.',
}

const HUB_LOST = {
  lost: 'The hub does not answer. This page continues when it does.',
  locked: 'Your login has ended.',
}

function SyncNote(): JSX.Element | null {
  if (connection.value !== 'open' && isHub())
    return (
      <span class="top-note is-bad" role="status">
        {HUB_LOST[connection.value]}{' '}
        {connection.value === 'locked' ? (
          <a href={loginAddress()} target="_self">
            Log in again
          </a>
        ) : null}
      </span>
    )
  if (connection.value !== 'open')
    return (
      <span class="top-note is-bad" role="status">
        {LOST[connection.value]}
      </span>
    )
  const text = syncText(sync.value)
  if (text === null) return null
  const failed = sync.value?.status.state === 'failed'
  return <span class={failed ? 'top-note is-bad' : 'top-note'}>{text}</span>
}

/** `indexing 45 % · 120 MB/s · 3 s left`; null while the index is up to date. */
export function syncText(view: SyncView | null): string | null {
  if (view === null || view.status.state === 'done') return null
  const { status, pace } = view
  if (status.state === 'failed') return status.message ?? 'The index could not be updated.'
  const share = status.bytes === 0 ? '' : ` ${percent(status.bytesDone, status.bytes)}`
  if (pace === null || pace <= 0) return `indexing${share}`
  const left = Math.ceil((status.bytes - status.bytesDone) / pace) * 1000
  return `indexing${share} · ${bytes(pace)}/s · ${duration(left)} left`
}

function SyncBar(): JSX.Element | null {
  const status = sync.value?.status
  if (status?.state !== 'running') return null
  const share = status.bytes === 0 ? 0 : status.bytesDone / status.bytes
  return (
    <progress class="top-progress" aria-label="Indexing" max={1} value={share}>
      {Math.round(share * 100)} %
    </progress>
  )
}

function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 20 20" aria-hidden="true">
      <path class="logo-trunk" d="M5 2v16" />
      <path class="logo-branch" d="M5 6c0 5 9 2 9 8v1" />
      <circle class="logo-trunk" cx="5" cy="4" r="2" />
      <circle class="logo-branch" cx="14" cy="16" r="2" />
    </svg>
  )
}
