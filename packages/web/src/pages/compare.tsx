/** Two branches or sessions side by side, from their fork on. */

import { capitalize, plural } from '@dagline/core/format'
import type { Comparison } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { pathWith } from '../app/api.js'
import { route, sessionPath, useTitle } from '../app/route.js'
import { useLoad } from '../parts/load.js'
import { Failure, Spinner } from '../parts/waiting.js'
import { CompareChoose, CompareSessions } from './compare-choose.js'
import { CompareFigures } from './compare-figures.js'
import { CompareTurns, SideName } from './compare-turns.js'

/** The compare page: `?a=&b=` shows two branches, `?session=` the forks of a session, no query all sessions. */
export function ComparePage(): JSX.Element {
  useTitle('Compare')
  const { query } = route.value
  const [a, b, session] = [query.get('a') ?? '', query.get('b') ?? '', query.get('session') ?? '']
  if (a !== '' && b !== '') return <Compared a={a} b={b} />
  if (session !== '') return <CompareChoose session={session} />
  return <CompareSessions />
}

function Compared({ a, b }: { readonly a: string; readonly b: string }): JSX.Element {
  const { value, error, reload } = useLoad<Comparison>(pathWith('/api/compare', { a, b }))
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  const [left] = value.sides
  return (
    <div class="report compare is-wide">
      <header class="report-head">
        <h1>Compare</h1>
        <div class="filters">
          <a class="button" href="#figures">
            Figures and files
          </a>
          <a class="button" href={pathWith('/compare', { a: b, b: a })}>
            ⇄ Swap
          </a>
          <a class="button" href={pathWith('/compare', { session: value.fork?.session ?? left.session })}>
            Other branches
          </a>
        </div>
        <Fork fork={value.fork} />
      </header>
      <div class="sides sides-head">
        <SideName sides={value.sides} nth={0} />
        <SideName sides={value.sides} nth={1} />
      </div>
      <div class="report-body">
        <CompareTurns sides={value.sides} />
        <CompareFigures sides={value.sides} />
      </div>
    </div>
  )
}

function Fork({ fork }: { readonly fork: Comparison['fork'] }): JSX.Element {
  if (fork === null) return <p>These two share no entries: both are shown from their beginning.</p>
  const { node, session, shared, evidence } = fork
  return (
    <p>
      {node === null ? (
        'The fork is at the beginning of the session'
      ) : (
        <>
          They share {plural(shared, 'entry', 'entries')} up to{' '}
          <a href={sessionPath(session, node)}>the fork</a>
        </>
      )}
      . {evidence === null ? null : `${capitalize(evidence)}.`}
    </p>
  )
}
