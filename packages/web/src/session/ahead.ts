/**
 * Asks for a session before it is opened: when the pointer rests on a link to it, or the focus does, or a button goes
 * down there. One at a time; the answer is kept for a moment.
 */
import type { Sheet } from '@dagline/core'
import { get } from '../app/api.js'
import { onChanges } from '../app/live.js'

interface Ahead {
  readonly session: string
  readonly sheet: Promise<Sheet>
  readonly time: number
}

/** Milliseconds that pointer and focus rest on a link before it counts. */
const POINTED = 70
const FOCUSED = 250
/** An answer that nobody takes for so long is asked for again. */
const FRESH = 20_000

let ahead: Ahead | null = null

/** The path of a session's sheet, by its id or a prefix. */
export function sheetPath(session: string): string {
  return `/api/sessions/${encodeURIComponent(session)}`
}

/** The sheet of a session, which may be on its way already. */
export function takeSheet(session: string): Promise<Sheet> {
  const known = ahead
  ahead = null
  const isKnown = known?.session === session && performance.now() - known.time < FRESH
  return isKnown ? known.sheet : get<Sheet>(sheetPath(session))
}

/** Watches links to sessions, on all pages. Returns what ends it. */
export function watchLinks(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let timer: ReturnType<typeof setTimeout> | undefined
  const after = (wait: number) => (event: Event) => {
    clearTimeout(timer)
    const session = sessionAt(event.target)
    if (session === null) return
    if (wait === 0) ask(session)
    else timer = setTimeout(() => ask(session), wait)
  }
  document.addEventListener('pointerover', after(POINTED), { signal, passive: true })
  document.addEventListener('pointerdown', after(0), { signal, passive: true })
  document.addEventListener('focusin', after(FOCUSED), { signal })
  // What was asked for may be old now.
  const unheard = onChanges(() => {
    ahead = null
  })
  return () => {
    clearTimeout(timer)
    ending.abort()
    unheard()
  }
}

/** The session that a link leads to, unless it is the one that is open. */
function sessionAt(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return null
  const [, session] = /^\/s\/([^/]+)$/.exec(link.pathname) ?? []
  return session === undefined || link.pathname === location.pathname ? null : decodeURIComponent(session)
}

function ask(session: string): void {
  const isKnown = ahead?.session === session && performance.now() - ahead.time < FRESH
  if (isKnown) return
  const sheet = get<Sheet>(sheetPath(session))
  // Whoever opens the session hears why it failed.
  sheet.catch(() => {})
  ahead = { session, sheet, time: performance.now() }
}
