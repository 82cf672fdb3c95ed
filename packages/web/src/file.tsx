/** The page inside an exported file: one session, and nothing to ask. */
import { render, type VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import './style/theme.css'
import './style/base.css'
import './style/parts.css'
import './session/file.css'
import { fileSource } from './session/file-source.js'
import { SessionView } from './session/session-view.js'

/** Follows the part of the address behind `#`. */
function FilePage(): VNode {
  const source = useMemo(fileSource, [])
  const [at, setAt] = useState({ hash: location.hash.slice(1) })
  useEffect(() => {
    const look = (): void => setAt({ hash: location.hash.slice(1) })
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [])
  return (
    <main class="page page-session">
      <SessionView source={source} at={at} onTitle={nameWindow} />
    </main>
  )
}

function nameWindow(title: string | null): void {
  if (title !== null) document.title = title
}

const page = document.getElementById('page')
if (page !== null) render(<FilePage />, page)
