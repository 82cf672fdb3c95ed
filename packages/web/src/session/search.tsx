/** Search within the session: hits are rows, walked through one by one. */
import { kindAt } from '@dagline/core'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { count } from '../parts/format.js'
import { useSession } from './context.js'
import { goTo, type Session } from './state.js'

/** The id of the box, for the key that leads there. */
export const SESSION_SEARCH = 'session-search'

export function SearchBox(): VNode {
  const session = useSession()
  const { words, hits, at } = session.search
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (value: string): void => {
    words.value = value
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void find(session), 150)
  }
  const found = hits.value
  return (
    <search>
      <form
        class="session-search"
        onSubmit={event => {
          event.preventDefault()
          turnHit(session, 1)
        }}
      >
        <input
          id={SESSION_SEARCH}
          type="search"
          placeholder="Search this session"
          aria-label="Search this session"
          autocomplete="off"
          spellcheck={false}
          value={words.value}
          onInput={event => type(event.currentTarget.value)}
        />
        {found !== null && (
          <span class="hits" aria-live="polite">
            {found.length === 0
              ? 'nothing'
              : `${at.value < 0 ? '' : `${count(at.value + 1)} / `}${count(found.length)}`}
          </span>
        )}
      </form>
    </search>
  )
}

async function find(session: Session): Promise<void> {
  const { words, hits, at } = session.search
  const asked = words.peek().trim()
  at.value = -1
  if (asked === '') {
    hits.value = null
    return
  }
  const nodes = await session.source.search(asked).catch(() => [])
  if (words.peek().trim() !== asked) return
  const [sheet, facts] = [session.sheet.peek(), session.facts.peek()]
  if (sheet === null || facts === null) return
  // H3: progress repeats what is said elsewhere.
  const rows = nodes.map(facts.rowOf).filter(row => row >= 0 && kindAt(sheet, row) !== 'progress')
  hits.value = [...new Set(rows)].sort((a, b) => a - b)
}

/** To the next hit, or the one before; from where the reader is, the first time. False without hits. */
export function turnHit(session: Session, by: 1 | -1): boolean {
  const { hits, at } = session.search
  const found = hits.peek()
  if (found === null || found.length === 0) return false
  if (at.peek() < 0) {
    const here = session.view.peek()?.rows[session.window.peek()[0]]?.row ?? 0
    const next = found.findIndex(row => row >= here)
    at.value = next < 0 ? 0 : next
  } else at.value = (at.peek() + by + found.length) % found.length
  goTo(session, found[at.peek()] ?? -1)
  return true
}
