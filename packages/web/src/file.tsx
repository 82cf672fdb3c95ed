/** The page inside an exported file: one session, or the sessions of a tree, and nothing to ask. */
import type { FileSession } from '@dagline/core'
import { render, type VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import './style/theme.css'
import './style/base.css'
import './style/parts.css'
import './session/file.css'
import { Failure } from './parts/waiting.js'
import { fileSessions, fileSource, readHash } from './session/file-source.js'
import { FileTree } from './session/file-tree.js'
import { SessionView } from './session/session-view.js'

/** Follows the part of the address behind `#`. */
function FilePage({ sessions }: { sessions: readonly FileSession[] | null }): VNode {
  const [hash, setHash] = useState({ text: location.hash.slice(1) })
  useEffect(() => {
    const look = (): void => setHash({ text: location.hash.slice(1) })
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [])
  const { session, node } =
    sessions === null ? { session: '', node: hash.text } : readHash(hash.text, sessions)
  const number = Math.max(0, sessions?.findIndex(each => each.session === session) ?? 0)
  const source = useMemo(() => fileSource(sessions, number), [sessions, number])
  const at = useMemo(() => ({ hash: node }), [hash])
  return (
    <main class="page page-session">
      {sessions !== null && <FileTree sessions={sessions} shown={number} />}
      <SessionView key={number} source={source} at={at} onTitle={nameWindow} />
    </main>
  )
}

function nameWindow(title: string | null): void {
  if (title !== null) document.title = title
}

const page = document.getElementById('page')
if (page !== null)
  fileSessions().then(
    sessions => render(<FilePage sessions={sessions} />, page),
    (error: unknown) => render(<Failure error={error} />, page),
  )
