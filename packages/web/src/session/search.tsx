/** Search within the session. Hits are rows, visited one by one. */

import { count } from '@dagline/core/format'
import type { Block } from '@dagline/core/protocol'
import { joinOf, kindAt } from '@dagline/core/view'
import { batch } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { partsOf, showMark } from './marks.js'
import { blockText } from './row-text.js'
import { goTo, goToLink, type Session, useSession } from './state.js'

/** The id of the search box. */
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
          goToNextHit(session, 1)
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
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            clearTimeout(timer.current)
            clearSearch(session)
          }}
        />
        {found !== null && (
          <span class="hits" aria-live="polite">
            {found.length === 0
              ? 'no hits'
              : `${at.value < 0 ? '' : `${count(at.value + 1)} / `}${count(found.length)}`}
          </span>
        )}
      </form>
    </search>
  )
}

/** V7: the search that is under way; the next one replaces it. */
let searching: AbortController | null = null

async function find(session: Session): Promise<void> {
  const { words, hits, at } = session.search
  const asked = words.peek().trim()
  batch(() => {
    at.value = -1
    session.search.target.value = -1
  })
  if (asked === '') {
    hits.value = null
    return
  }
  searching?.abort()
  const ending = new AbortController()
  searching = ending
  const nodes = await session.source.search(asked, ending.signal).catch(() => [])
  if (words.peek().trim() !== asked || ending.signal.aborted) return
  const [sheet, facts] = [session.sheet.peek(), session.facts.peek()]
  if (sheet === null || facts === null) return
  // H3: progress rows repeat the contents of other rows.
  const rows = nodes.map(facts.rowOf).filter(row => row >= 0 && kindAt(sheet, row) !== 'progress')
  hits.value = [...new Set(rows)].sort((a, b) => a - b)
}

/** V5: goes to an entry that a search found, and searches this session for the same words, as if they had been typed. */
export async function searchFrom(session: Session, node: string, words: string): Promise<void> {
  goToLink(session, node)
  session.search.words.value = words
  await find(session)
  const row = session.facts.peek()?.rowOf(node) ?? -1
  if (row < 0 || session.search.words.peek() !== words) return
  session.search.at.value = session.search.hits.peek()?.indexOf(row) ?? -1
  await goToHit(session, row)
}

/** Goes to the next or previous hit; the first time to the first one from where the reader is. False without hits. */
export function goToNextHit(session: Session, by: 1 | -1): boolean {
  const { hits, at } = session.search
  const found = hits.peek()
  if (found === null || found.length === 0) return false
  if (at.peek() < 0) {
    const here = session.view.peek()?.rows[session.window.peek()[0]]?.row ?? 0
    const next = found.findIndex(row => row >= here)
    at.value = next < 0 ? 0 : next
  } else at.value = (at.peek() + by + found.length) % found.length
  void goToHit(session, found[at.peek()] ?? -1)
  return true
}

/** Ends the search. False where there was none. */
export function clearSearch({ search }: Session): boolean {
  if (search.words.peek() === '' && search.hits.peek() === null) return false
  batch(() => {
    search.words.value = ''
    search.hits.value = null
    search.at.value = -1
    search.target.value = -1
  })
  return true
}

/** Scrolls to the row of a hit, and opens the tool call or folded text that contains the words. */
async function goToHit(session: Session, row: number): Promise<void> {
  const sheet = session.sheet.peek()
  if (sheet === null || row < 0) return
  const call = joinOf(sheet, row)
  const shown = call < 0 ? row : call
  session.search.target.value = shown
  goTo(session, row)
  await session.contents.load([shown])
  if (session.search.target.peek() !== shown) return
  openBlocks(session, shown, call >= 0)
  showMark(session, shown)
}

function openBlocks(session: Session, row: number, isResult: boolean): void {
  const content = session.contents.peek(row)
  const parts = partsOf(session.search.words.peek())
  const holds = (block: Block): boolean => {
    const text = blockText(block).toLowerCase()
    return parts.some(part => text.includes(part))
  }
  content?.blocks.forEach((block, at) => {
    if (block.kind === 'call' && (isResult || holds(block))) session.opened(block.id).value = true
    else if (block.kind !== 'call' && holds(block)) session.opened(`${content.node}/${at}`).value = true
  })
}
