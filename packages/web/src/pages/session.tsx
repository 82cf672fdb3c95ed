/** The session page, and its source: the server. A session is prefetched when the pointer or the focus rests on a link. */
import type {
  ContextBandPage,
  ContextPage,
  GivenLabel,
  NodeLocation,
  RowContent,
  SearchPage,
  Sheet,
  SheetUpdate,
  Why,
} from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { askAction } from '../app/actions.js'
import { get, getText, pathWith } from '../app/api.js'
import { onChanges, useChanges } from '../app/live.js'
import { route, sessionPath, useTitle, withHubFilter } from '../app/route.js'
import { parsePlace, placeQuery } from '../session/address.js'
import type { SessionSource } from '../session/contents.js'
import { SessionView } from '../session/session-view.js'

/** A session by its id or a prefix of one. */
export function SessionPage({ session }: { readonly session: string }): VNode {
  const [title, setTitle] = useState<string | null>(null)
  const listeners = useMemo(() => new Set<() => void>(), [])
  const source = useMemo(
    () =>
      httpSource(session, listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }),
    [session],
  )
  const { hash, query } = route.value
  const at = useMemo(() => parsePlace(query, hash), [route.value])
  useTitle(title)
  useChanges(sessions => {
    const isMeant = sessions.length === 0 || sessions.some(id => id.startsWith(session))
    if (isMeant) for (const listener of listeners) listener()
  })
  useEffect(() => () => listeners.clear(), [])
  return <SessionView key={session} source={source} at={at} onTitle={setTitle} />
}

/** Hits per request, and in all. */
const HITS = 200
const MOST_HITS = 1000

/** The session of an id or prefix, over HTTP. `onChange` says when to load it again. */
function httpSource(session: string, onChange: SessionSource['onChange']): SessionSource {
  const path = sheetPath(session)
  // The address may hold a prefix, but search needs the whole id.
  let id = session
  let others: readonly string[] = []
  const node = (uuid: string): string => `/api/nodes/${encodeURIComponent(uuid)}`
  return {
    isServed: true,
    ask: askAction,
    chunkRows: 64,
    sheet: async () => {
      const sheet = await loadSheet(session)
      id = sheet.session.id
      others = ownersOf(sheet)
      return sheet
    },
    update: known => get<SheetUpdate>(pathWith(path, { known })),
    contents: (from, to) => get<readonly RowContent[]>(pathWith(`${path}/contents`, { from: `${from}`, to })),
    why: uuid => get<Why>(pathWith(`${node(uuid)}/why`, { session: id })),
    contexts: {
      band: agent => get<ContextBandPage>(pathWith(`${path}/contexts`, { agent })),
      at: uuid => get<ContextPage>(pathWith(`${node(uuid)}/context`, { session: id })),
      load: async () => (await import('../session/context-band.js')).ContextView,
    },
    raw: uuid => getText(`${node(uuid)}/raw`),
    hrefOf: sessionPath,
    addressOf: place => withHubFilter(location.pathname + placeQuery(place)),
    locate: uuid => get<NodeLocation>(node(uuid)),
    labels: () => get<readonly GivenLabel[]>(`${path}/labels`),
    wholeText: (uuid, block) => getText(pathWith(`${node(uuid)}/text`, { block: `${block}` })),
    search: async (words, signal) => {
      const found = await Promise.all([id, ...others].map(each => searchSession(words, each, signal)))
      return found.flat()
    },
    onChange,
  }
}

/** The sessions that own shared history of this one: search finds its rows there. */
function ownersOf({ lines, session }: Sheet): readonly string[] {
  const shared = lines.filter(({ isShared }) => isShared).map(({ id }) => id.split(/[@#]/)[0] ?? '')
  return [...new Set(shared)].filter(owner => owner !== '' && owner !== session.id)
}

async function searchSession(
  words: string,
  session: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const nodes: string[] = []
  let below: number | null = 0
  while (below !== null && below < MOST_HITS) {
    const query: string = pathWith('/api/search', { q: words, session, limit: HITS, below: `${below}` })
    const page: SearchPage = await get<SearchPage>(query, signal)
    nodes.push(...page.hits.flatMap(hit => hit.node ?? []))
    below = page.below
  }
  return nodes
}

interface Prefetched {
  readonly session: string
  readonly sheet: Promise<Sheet>
  readonly time: number
}

/** Milliseconds that the pointer or the focus must rest on a link. */
const POINTED = 70
const FOCUSED = 250
/** Milliseconds after which a prefetched answer is too old. */
const FRESH = 20_000

let prefetched: Prefetched | null = null

/** The path of a session's sheet, by its id or a prefix. */
function sheetPath(session: string): string {
  return `/api/sessions/${encodeURIComponent(session)}`
}

/** Loads the sheet of a session, or takes the prefetched one. */
function loadSheet(session: string): Promise<Sheet> {
  const known = freshSheet(session)
  prefetched = null
  return known ?? get<Sheet>(sheetPath(session))
}

function freshSheet(session: string): Promise<Sheet> | null {
  if (prefetched?.session !== session || performance.now() - prefetched.time >= FRESH) return null
  return prefetched.sheet
}

/** Watches the links to sessions on all pages. Returns a function that stops it. */
export function prefetchLinks(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let timer: ReturnType<typeof setTimeout> | undefined
  const after = (wait: number) => (event: Event) => {
    clearTimeout(timer)
    const session = sessionAt(event.target)
    if (session === null) return
    if (wait === 0) prefetch(session)
    else timer = setTimeout(() => prefetch(session), wait)
  }
  document.addEventListener('pointerover', after(POINTED), { signal, passive: true })
  document.addEventListener('pointerdown', after(0), { signal, passive: true })
  document.addEventListener('focusin', after(FOCUSED), { signal })
  const stop = onChanges(() => {
    prefetched = null
  })
  return () => {
    clearTimeout(timer)
    ending.abort()
    stop()
  }
}

/** The session that a link leads to, unless it is the one that is open. */
function sessionAt(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return null
  const [, session] = /^\/s\/([^/]+)$/.exec(link.pathname) ?? []
  return session === undefined || link.pathname === location.pathname ? null : decodeURIComponent(session)
}

function prefetch(session: string): void {
  if (freshSheet(session) !== null) return
  const sheet = get<Sheet>(sheetPath(session))
  // The error is reported when the session is opened.
  sheet.catch(() => {})
  prefetched = { session, sheet, time: performance.now() }
}
