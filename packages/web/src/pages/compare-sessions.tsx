/** The list of sessions: choose two to compare, or one with branches. */

import { count, money, plural } from '@dagline/core/format'
import type { Home, SessionCard } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { pathWith } from '../app/api.js'
import { Ago, now } from '../parts/figures.js'
import { useLoad } from '../parts/load.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { listHome, projectsOf } from './home-list.js'
import { sessionTitle } from './home-row.js'
import { parseHomeView } from './home-view.js'
import { projectNames } from './project-names.js'

/** Sessions that are shown; the filter finds others. */
const MOST = 40

/** The list with its filter. */
export function CompareSessions(): JSX.Element {
  const { value, error, reload } = useLoad<Home>('/api/home')
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return <Chooser home={value} />
}

function Chooser({ home }: { readonly home: Home }): JSX.Element {
  const [text, setText] = useState('')
  const [chosen, choose] = useState<readonly SessionCard[]>([])
  const found = useMemo(() => find(home, text), [home, text])
  const names = useMemo(() => projectNames(projectsOf(home.sessions), 1), [home])
  const toggle = (card: SessionCard): void =>
    choose(chosen.includes(card) ? chosen.filter(each => each !== card) : [...chosen, card].slice(-2))
  return (
    <div class="report compare is-choosing">
      <header class="report-head">
        <h1>Compare</h1>
        <p>
          Two sessions, or two branches of one, side by side: what was asked, what was done, which files
          changed, what it cost.
        </p>
      </header>
      <Chosen cards={chosen} />
      <input
        class="field compare-filter"
        type="search"
        placeholder="Filter by title, prompt, project or id"
        aria-label="Filter sessions"
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      {found.length === 0 ? <Empty title="No matching sessions" /> : null}
      <ul class="compare-list">
        {found.slice(0, MOST).map(card => (
          <li key={card.session}>
            <SessionChoice
              card={card}
              where={names.get(card.project) ?? card.project}
              nth={chosen.indexOf(card)}
              toggle={() => toggle(card)}
            />
          </li>
        ))}
      </ul>
      {found.length > MOST ? (
        <p class="panel-note">{count(found.length - MOST)} more. Type to filter the list.</p>
      ) : null}
    </div>
  )
}

function find(home: Home, text: string): readonly SessionCard[] {
  const view = { ...parseHomeView(new URLSearchParams()), text, flat: true }
  return listHome(home.sessions, view, now.peek()).items.flatMap(item =>
    item.kind === 'session' ? [item.card] : [],
  )
}

/** The chosen sessions. */
function Chosen({ cards: [a, b] }: { readonly cards: readonly SessionCard[] }): JSX.Element {
  return (
    <div class="compare-chosen" role="status">
      {a === undefined ? (
        <span class="quiet">Choose two sessions, or one with branches.</span>
      ) : (
        [a, b].map((card, nth) => (
          <span key={nth} class="side-name">
            <span class={`side-letter side-${nth}`}>{nth === 0 ? 'A' : 'B'}</span>
            {card === undefined ? (
              <span class="quiet">choose another</span>
            ) : (
              <span class="compare-name">{sessionTitle(card)}</span>
            )}
          </span>
        ))
      )}
      {a === undefined || b === undefined ? null : (
        <a class="button" href={pathWith('/compare', { a: a.session, b: b.session })}>
          Compare
        </a>
      )}
    </div>
  )
}

function SessionChoice({
  card,
  where,
  nth,
  toggle,
}: {
  readonly card: SessionCard
  readonly where: string
  readonly nth: number
  readonly toggle: () => void
}): JSX.Element {
  return (
    <div class={nth >= 0 ? 'way is-on' : 'way'}>
      <label>
        <input type="checkbox" checked={nth >= 0} onChange={toggle} />
        <span class="way-words">{sessionTitle(card)}</span>
        <span class="quiet way-where">{where.replace(/^…\//, '')}</span>
      </label>
      <span class="quiet figure">
        {plural(card.turns, 'turn')}
        {card.cost === null ? '' : ` · ${money(card.cost)}`}
      </span>
      <span class="quiet way-time">
        <Ago time={card.last} />
      </span>
      <span class="way-branches">
        {card.branches > 0 ? (
          <a href={pathWith('/compare', { session: card.session })}>
            {plural(card.branches, 'branch', 'branches')}
          </a>
        ) : null}
      </span>
    </div>
  )
}
