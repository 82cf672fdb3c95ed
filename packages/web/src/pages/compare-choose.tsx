/** The forks of a session, and the branches of each that can be compared. */

import { plural, shortId } from '@dagline/core/format'
import type { ComparableBranch, ComparableFork, CompareChoices } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { pathWith } from '../app/api.js'
import { sessionPath } from '../app/route.js'
import { Ago } from '../parts/figures.js'
import { useLoad } from '../parts/load.js'
import { Panel } from '../parts/panel.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { StatusBadge } from './compare-turns.js'

/** Lists what can be compared in a session. */
export function CompareChoose({ session }: { readonly session: string }): JSX.Element {
  const { value, error, reload } = useLoad<CompareChoices>(pathWith('/api/compare', { session }))
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  const link = sessionPath(value.session)
  if (value.forks.length === 0)
    return (
      <Empty title="This session has no forks">
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
          <a href={link}>{value.title ?? shortId(value.session)}</a> has {plural(value.forks.length, 'fork')}.
          Choose two branches of one fork.
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
      {KINDS[kind] ?? kind} <Ago time={fork.time} />
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
      {evidence === null ? null : <p class="panel-note">{evidence}.</p>}
      <ul>
        {branches.map(way => (
          <li key={way.ref}>
            <label class={chosen.includes(way.ref) ? 'way is-on' : 'way'}>
              <input type="checkbox" checked={chosen.includes(way.ref)} onChange={() => toggle(way.ref)} />
              <Way way={way} />
            </label>
          </li>
        ))}
      </ul>
      {node === null ? <p class="panel-note">At the beginning of the session.</p> : null}
    </Panel>
  )
}

function Way({ way }: { readonly way: ComparableBranch }): JSX.Element {
  return (
    <>
      <span class="way-words">{way.words ?? shortId(way.ref)}</span>
      <StatusBadge status={way.status} />
      <span class="quiet figure">{plural(way.turns, 'turn')}</span>
      <span class="quiet">
        <Ago time={way.time} />
      </span>
    </>
  )
}
