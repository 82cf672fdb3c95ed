/** What to compare: two sessions of the list, or two branches of a fork. */

import { capitalize, count, money, plural, shortId } from '@dagline/core/format'
import {
  type ComparableBranch,
  type ComparableFork,
  type CompareChoices,
  cardsIn,
  type Home,
  type SessionCard,
} from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { pathWith } from '../app/api.js'
import { sessionPath } from '../app/route.js'
import { Ago, When } from '../parts/figures.js'
import { useLoad } from '../parts/load.js'
import { Panel } from '../parts/panel.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { SideLetter, StatusBadge } from './compare-turns.js'
import { sessionTitle } from './home-row.js'
import { projectNames } from './project-names.js'

/** Lists what can be compared in a session. */
export function CompareChoose({ session }: { readonly session: string }): JSX.Element {
  const { value, error, reload } = useLoad<CompareChoices>(pathWith('/api/compare', { session }))
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  const link = sessionPath(value.session)
  if (value.forks.length === 0)
    return (
      <Empty isPage title="This session has no forks">
        <p>
          <a href={link}>{value.title ?? shortId(value.session)}</a> was never rewound, and no other session
          continues from it.
        </p>
      </Empty>
    )
  return (
    <div class="report compare is-choosing">
      <header class="report-head">
        <h1>Compare</h1>
        <p>
          <a href={link}>{value.title ?? shortId(value.session)}</a> has {plural(value.forks.length, 'fork')}.{' '}
          {value.forks.length === 1 ? 'Choose two of its branches.' : 'Choose two branches of one fork.'}
        </p>
      </header>
      <div class="report-body">
        {value.forks.map((fork, nth) => (
          <Fork key={fork.node ?? nth} fork={fork} />
        ))}
      </div>
    </div>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  rewind: 'Rewind',
  'two-writers': 'Two processes wrote at once',
  fork: 'Forked into another session',
  branch: 'Branched into another session',
  resume: 'Resumed in another session',
  background: 'Sent to the background',
}

function Fork({ fork }: { readonly fork: ComparableFork }): JSX.Element {
  const { node, kind, evidence, branches } = fork
  const last = branches.at(-1)
  const [chosen, choose] = useState<readonly string[]>(() => [branches.at(-2)?.ref ?? '', last?.ref ?? ''])
  const toggle = (ref: string): void =>
    choose(chosen.includes(ref) ? chosen.filter(each => each !== ref) : [...chosen, ref].slice(-2))
  const [a, b] = branches.map(({ ref }) => ref).filter(ref => chosen.includes(ref))
  const title = (
    <>
      {KINDS[kind] ?? kind} <When time={fork.time} />
    </>
  )
  const controls =
    a !== undefined && b !== undefined ? (
      <a class="button" href={pathWith('/compare', { a, b })}>
        Compare
      </a>
    ) : (
      <span class="quiet">choose two</span>
    )
  return (
    <Panel class="fork" title={title} controls={controls}>
      {evidence === null ? null : <p class="panel-note">{capitalize(evidence)}.</p>}
      <ul>
        {branches.map(branch => (
          <li key={branch.ref}>
            <label class={chosen.includes(branch.ref) ? 'branch-choice is-on' : 'branch-choice'}>
              <input
                type="checkbox"
                checked={chosen.includes(branch.ref)}
                onChange={() => toggle(branch.ref)}
              />
              <Branch branch={branch} />
            </label>
          </li>
        ))}
      </ul>
      {node === null ? <p class="panel-note">At the beginning of the session.</p> : null}
    </Panel>
  )
}

function Branch({ branch }: { readonly branch: ComparableBranch }): JSX.Element {
  return (
    <>
      <span class="choice-words">{branch.words ?? shortId(branch.ref)}</span>
      <StatusBadge status={branch.status} />
      <span class="quiet figure">{plural(branch.turns, 'turn')}</span>
      <span class="quiet">
        <When time={branch.time} />
      </span>
    </>
  )
}

/** Sessions that are shown; the filter finds others. */
const MOST = 40

/** The list with its filter. */
export function CompareSessions(): JSX.Element {
  const [text, setText] = useState('')
  const { value, error, reload } = useLoad<Home>(pathWith('/api/home', { q: text, flat: true, count: MOST }))
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return <Chooser home={value} text={text} setText={setText} />
}

interface ChooserProps {
  readonly home: Home
  readonly text: string
  readonly setText: (text: string) => void
}

function Chooser({ home, text, setText }: ChooserProps): JSX.Element {
  const [chosen, choose] = useState<readonly SessionCard[]>([])
  const found = cardsIn(home)
  const names = useMemo(() => projectNames(home.projects, 1), [home])
  const nthOf = (card: SessionCard): number => chosen.findIndex(({ session }) => session === card.session)
  const toggle = (card: SessionCard): void =>
    choose(nthOf(card) >= 0 ? chosen.toSpliced(nthOf(card), 1) : [...chosen, card].slice(-2))
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
        {found.map(card => (
          <li key={card.session}>
            <SessionChoice
              card={card}
              where={names.get(card.project) ?? card.project}
              nth={nthOf(card)}
              toggle={() => toggle(card)}
            />
          </li>
        ))}
      </ul>
      {home.rows > MOST ? (
        <p class="panel-note">{count(home.rows - MOST)} more. Type to filter the list.</p>
      ) : null}
    </div>
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
            <SideLetter nth={nth} />
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

interface SessionChoiceProps {
  readonly card: SessionCard
  readonly where: string
  readonly nth: number
  readonly toggle: () => void
}

function SessionChoice({ card, where, nth, toggle }: SessionChoiceProps): JSX.Element {
  return (
    <div class={nth >= 0 ? 'branch-choice is-on' : 'branch-choice'}>
      <label>
        <input type="checkbox" checked={nth >= 0} onChange={toggle} />
        <span class="choice-words">{sessionTitle(card)}</span>
        <span class="quiet choice-where">{where.replace(/^…\//, '')}</span>
      </label>
      <span class="choice-branches">
        {card.branches > 0 ? (
          <a href={pathWith('/compare', { session: card.session })}>
            {plural(card.branches, 'branch', 'branches')}
          </a>
        ) : null}
      </span>
      <span class="quiet figure choice-turns">{plural(card.turns, 'turn')}</span>
      <span class="quiet figure choice-cost">{card.cost === null ? '' : money(card.cost)}</span>
      <span class="quiet choice-time">
        <Ago time={card.last} />
      </span>
    </div>
  )
}
