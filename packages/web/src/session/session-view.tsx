/** A session: header, bar, conversation, outline and minimap. */

import { plural } from '@dagline/core/format'
import { effect } from '@preact/signals'
import type { FunctionComponent, VNode } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useKeys } from '../parts/keys.js'
import { Failure, Spinner } from '../parts/waiting.js'
import { WholeTextContext } from '../text/cut.js'
import { choiceOf, currentPlace, type Place } from './address.js'
import { SessionBar } from './bar.js'
import type { SessionSource } from './contents.js'
import { RowDialogs } from './dialogs.js'
import { SessionHeader } from './header.js'
import { keyActions, watchFindKey } from './keys.js'
import { Conversation } from './list.js'
import { watchMarks } from './marks.js'
import { Minimap } from './minimap.js'
import { Outline } from './outline-panel.js'
import { searchFrom } from './search.js'
import {
  choose,
  createSession,
  goToLink,
  type Session,
  SessionContext,
  startSession,
  useSession,
  useView,
} from './state.js'
import './session.css'

interface SessionViewProps {
  readonly source: SessionSource
  /** Where to go, whenever the object changes. */
  readonly at: Place
  readonly onTitle?: (title: string | null) => void
}

export function SessionView({ source, at, onTitle }: SessionViewProps): VNode {
  const [session] = useState(() => createSession(source))
  const title = session.sheet.value?.session.title ?? null
  useEffect(() => startSession(session), [session])
  useEffect(() => watchMarks(session), [session])
  useEffect(watchFindKey, [])
  useEffect(() => onTitle?.(title), [title])
  if (session.failure.value !== null) return <Failure error={session.failure.value} />
  if (session.view.value === null) return <Spinner label="Loading the session…" />
  return (
    <SessionContext.Provider value={session}>
      <WholeTextContext.Provider value={source.wholeText}>
        <Loaded at={at} />
      </WholeTextContext.Provider>
    </SessionContext.Provider>
  )
}

function Loaded({ at }: Pick<SessionViewProps, 'at'>): VNode {
  const session = useSession()
  const [isOutlineOpen, setOutlineOpen] = useState(false)
  useKeys(keyActions(session))
  useLayoutEffect(() => {
    applyPlace(session, at)
  }, [at])
  useEffect(() => keepAddress(session), [session])
  return (
    <div class={`session${isOutlineOpen ? ' has-outline' : ''}`}>
      <div class="session-main">
        <SessionHeader />
        <Contexts />
        <SessionBar onOutline={() => setOutlineOpen(!isOutlineOpen)} />
        <Conversation />
        <Fresh />
        <ToastBox />
      </div>
      <aside class="session-side">
        <Outline onPick={() => setOutlineOpen(false)} />
        <Minimap />
      </aside>
      <RowDialogs />
    </div>
  )
}

/** V27: the context band, once the part of the script that draws it is there. */
function Contexts(): VNode | null {
  const { contexts } = useSession().source
  const { turns, calls } = useView().facts.totals
  const [View, setView] = useState<FunctionComponent | null>(null)
  useEffect(() => {
    // Without it, the session can still be read.
    contexts?.load().then(
      loaded => setView(() => loaded),
      () => {},
    )
  }, [contexts])
  if (contexts === null) return null
  return <div class={turns + calls > 1 ? 'context-room' : undefined}>{View !== null && <View />}</div>
}

/** A button that leads to new messages below the window. */
function Fresh(): VNode | null {
  const session = useSession()
  const count = session.fresh.value
  if (count === 0) return null
  return (
    <button type="button" class="fresh" onClick={() => session.list.current?.showEnd()}>
      {plural(count, 'new message')} ↓
    </button>
  )
}

/** Shows what an address names, and goes to its entry. */
function applyPlace(session: Session, { at, find, shown }: Place): void {
  const sheet = session.sheet.peek()
  if (sheet !== null && shown !== null) choose(session, choiceOf(sheet, shown))
  if (find === '') goToLink(session, at)
  else void searchFrom(session, at, find)
}

/** Milliseconds between the last change and the address that holds it. */
const PAUSE = 200

/** Keeps the address up to date with what is shown, without steps in the browser history. */
function keepAddress(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = effect(() => {
    for (const { value } of [session.window, session.cursor, session.choice, session.search.words]) void value
    clearTimeout(timer)
    timer = setTimeout(() => writeAddress(session), PAUSE)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

function writeAddress(session: Session): void {
  const { href } = new URL(session.source.addressOf(currentPlace(session)), location.href)
  if (href !== location.href) history.replaceState(history.state, '', href)
}

/** Milliseconds that a notice stays. It stays longer while the pointer or the focus is on it. */
const STAYS = 7000

/** The current notice. The box is always in the page, so that screen readers announce what is put into it. */
function ToastBox(): VNode {
  const { toast } = useSession()
  const now = toast.value
  const close = (): void => {
    toast.value = null
  }
  useEffect(() => {
    if (now === null) return undefined
    const timer = setTimeout(function end(): void {
      if (document.querySelector('.toast:hover, .toast:focus-within') === null) close()
      else setTimeout(end, STAYS)
    }, STAYS)
    return () => clearTimeout(timer)
  }, [now])
  return (
    <div class="toast-box" role="status" aria-live="polite">
      {now !== null && (
        <p class="toast">
          <span>{now.text}</span>
          {now.action !== null && (
            <button
              type="button"
              onClick={() => {
                close()
                now.action?.run()
              }}
            >
              {now.action.label}
            </button>
          )}
          {now.link !== null && <a href={now.link.href}>{now.link.label}</a>}
          <button type="button" class="toast-close" aria-label="Close" onClick={close}>
            ×
          </button>
        </p>
      )}
    </div>
  )
}
