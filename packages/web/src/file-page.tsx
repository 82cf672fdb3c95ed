/** The page around a session that no server provides: of an exported file, or of files that were dropped. */
import { dayAndTime, plural } from '@dagline/core/format'
import type { FileSession } from '@dagline/core/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import './style/theme.css'
import './style/base.css'
import './style/parts.css'
import './style/file.css'
import './style/help.css'
import { switchTheme } from './app/theme.js'
import { windowTitle } from './app/title.js'
import { Help } from './help.js'
import { useKeys } from './parts/keys.js'
import { ThemeButton } from './parts/theme-button.js'
import type { SessionSource } from './session/contents.js'
import { readHash } from './session/file-source.js'
import { SessionView } from './session/session-view.js'

interface FilePageProps {
  /** Null where there is one session, and nothing to choose from. */
  readonly sessions: readonly FileSession[] | null
  /** A session by its number. */
  readonly sourceOf: (number: number) => SessionSource
  /** What stands beside the buttons. */
  readonly children?: ComponentChildren
}

/** Shows the session and entry in the fragment of the address. */
export function FilePage({ sessions, sourceOf, children }: FilePageProps): VNode {
  const [hash, setHash] = useState({ text: location.hash.slice(1) })
  useEffect(() => {
    // By now the address may be another one again: the session that is shown keeps it up to date.
    const look = ({ newURL }: HashChangeEvent): void => setHash({ text: new URL(newURL).hash.slice(1) })
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [])
  const { session, node } =
    sessions === null ? { session: '', node: hash.text } : readHash(hash.text, sessions)
  const number = Math.max(0, sessions?.findIndex(each => each.session === session) ?? 0)
  const source = useMemo(() => sourceOf(number), [sourceOf, number])
  const at = useMemo(() => ({ at: node, find: '', shown: null }), [hash])
  const [isHelping, setHelping] = useState(false)
  useKeys({ '?': () => setHelping(true), t: switchTheme })
  return (
    <>
      <div class="file-buttons">
        {children}
        <ThemeButton />
        <button
          type="button"
          class="button-quiet"
          title="Keys (?)"
          aria-label="Keys"
          onClick={() => setHelping(true)}
        >
          ?
        </button>
      </div>
      <main class="page page-session">
        {sessions !== null && sessions.length > 1 && <FileTree sessions={sessions} shown={number} />}
        <SessionView key={number} source={source} at={at} onTitle={setTitle} />
      </main>
      {isHelping && <Help isFile onClose={() => setHelping(false)} />}
    </>
  )
}

function setTitle(title: string | null): void {
  if (title !== null) document.title = windowTitle(title)
}

interface FileTreeProps {
  readonly sessions: readonly FileSession[]
  /** The index of the session that is shown. */
  readonly shown: number
}

/** S1: the tree of sessions, depth first. Those that a filter finds stand without the others. */
function FileTree({ sessions, shown }: FileTreeProps): VNode {
  const [filter, setFilter] = useState('')
  const words = filter.toLowerCase().trim()
  const found = sessions
    .map((listed, at) => ({ ...listed, at }))
    .filter(({ name, session }) => `${name} ${session}`.toLowerCase().includes(words))
  return (
    <nav class="file-tree" aria-label="Sessions in this file">
      <h2>
        {words === '' ? '' : `${found.length} of `}
        {plural(sessions.length, 'session')}
      </h2>
      <input
        class="field"
        type="search"
        placeholder="Filter sessions"
        aria-label="Filter sessions"
        value={filter}
        onInput={event => setFilter(event.currentTarget.value)}
      />
      <ol>
        {found.map(({ session, name, depth, first, at }) => (
          <li key={session} style={{ paddingInlineStart: `${Math.min(depth, 8) * 20}px` }}>
            <a href={`#${session}`} aria-current={at === shown ? 'page' : undefined}>
              {name}
            </a>
            {first !== null && <time>{dayAndTime(first)}</time>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
