/** The health page: problems in transcripts, sessions about to be deleted, unknown record types. */

import { count, day, percent, plural, shortId } from '@dagline/core/format'
import type { HealthPage as Health, HealthKind } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { route, useTitle } from '../app/route.js'
import { Badge, type Tone } from '../parts/badge.js'
import { now } from '../parts/figures.js'
import { useLoad } from '../parts/load.js'
import { Failure, Spinner } from '../parts/waiting.js'
import { ProgressNote, useProgress, useThrottledChanges } from './reload.js'

/** The page. A kind of problem has an address: `/health#dangling-parent`. */
export function HealthPage(): JSX.Element {
  useTitle('Health')
  const { value, error, reload } = useLoad<Health>('/api/health')
  useThrottledChanges(reload)
  useProgress(value === null ? undefined : progressOf(value), reload)
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return (
    <div class="report">
      <header class="report-head">
        <h1>Health</h1>
        <p>
          Problems in your session files, what they cost you, and how to fix them. This page shows what{' '}
          <code>dagline doctor</code> reports, and changes nothing.
        </p>
        <ProgressNote progress={progressOf(value)} />
      </header>
      {error === null ? null : <Failure error={error} retry={reload} />}
      <div class="report-body">
        <Tiles health={value} />
        {value.troubled === null ? null : <Kinds kinds={value.kinds} isWhole={value.unread.length === 0} />}
        {value.failure === null ? null : <p class="banner">{value.failure}</p>}
        <Unread health={value} />
        <Swept health={value} />
        <Unknown health={value} />
      </div>
    </div>
  )
}

/** The examination counts as one more step. */
function progressOf({ survey, isExamining }: Health): Health['survey'] {
  return isExamining ? { done: survey.done, of: survey.of + 1 } : survey
}

function Tiles({ health }: { readonly health: Health }): JSX.Element {
  const { sessions, troubled, reach, unread, sweptCount, sweptKept, unknownTypes, survey, sweepAhead } =
    health
  const bare = sweptCount - (sweptKept ?? 0)
  const isDone = survey.done >= survey.of
  const lost = reach.possible - reach.now
  return (
    <dl class="tiles">
      <div class={troubled === null ? '' : troubled + unread.length > 0 ? 'is-warn' : 'is-good'}>
        <dt>Sessions with problems</dt>
        <dd>{troubled === null ? '…' : count(troubled)}</dd>
        <dd class="tile-note">of {plural(sessions, 'session')}</dd>
      </div>
      <div class={troubled === null ? '' : lost > 0 ? 'is-bad' : 'is-good'}>
        <dt>Resume coverage</dt>
        <dd>{troubled === null ? '…' : coverage(reach)}</dd>
        <dd class="tile-note">{troubled === null ? 'still reading' : coverageNote(reach)}</dd>
      </div>
      <div class={bare > 0 ? 'is-bad' : 'is-good'}>
        <dt>About to be deleted</dt>
        <dd>{count(sweptCount)}</dd>
        <dd class="tile-note">
          {sweptCount === 0
            ? `nothing in the next ${plural(sweepAhead, 'day')}`
            : bare === 0
              ? 'all of them are archived'
              : `${plural(bare, 'session')} not archived`}
        </dd>
      </div>
      <div class={unknownTypes.length > 0 ? 'is-warn' : 'is-good'}>
        <dt>Unknown record types</dt>
        <dd>{unknownTypes.length === 0 && !isDone ? '…' : count(unknownTypes.length)}</dd>
        <dd class="tile-note">
          {unknownTypes.length === 0 ? 'all record types are known' : 'kept, and shown as raw records'}
        </dd>
      </div>
    </dl>
  )
}

function coverageNote({ now: loaded, possible }: Health['reach']): string {
  if (loaded === possible) return 'a resume loads all entries'
  return `a resume loads ${count(loaded)} of ${plural(possible, 'entry', 'entries')}`
}

/** Not rounded up to 100 %. */
function coverage({ now: loaded, possible }: Health['reach']): string {
  if (loaded === possible) return '100 %'
  return loaded / possible > 0.99 ? '>99 %' : percent(loaded, possible)
}

interface KindsProps {
  readonly kinds: readonly HealthKind[]
  /** Whether all files could be read. */
  readonly isWhole: boolean
}

function Kinds({ kinds, isWhole }: KindsProps): JSX.Element {
  const open = route.value.hash
  const grave = kinds.filter(({ severity }) => severity === 'error')
  const rest = kinds.filter(({ severity }) => severity !== 'error')
  const list = (some: readonly HealthKind[]): readonly JSX.Element[] =>
    some.map(kind => <Kind key={kind.id} kind={kind} isOpen={open === kind.id} />)
  return (
    <>
      <section class="panel">
        <header class="panel-head">
          <h2>Problems</h2>
        </header>
        {grave.length === 0 ? (
          <p class="panel-note">
            {isWhole
              ? 'No problem affects a resume.'
              : 'No problem affects a resume in the files that could be read.'}
          </p>
        ) : null}
        {list(grave)}
      </section>
      {rest.length === 0 ? null : (
        <section class="panel">
          <header class="panel-head">
            <h2>Notes that do not affect a resume</h2>
          </header>
          {list(rest)}
        </section>
      )}
    </>
  )
}

const TONES: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'warn' }

function Kind({ kind, isOpen }: { readonly kind: HealthKind; readonly isOpen: boolean }): JSX.Element {
  const [isShown, setShown] = useState(isOpen)
  useEffect(() => {
    if (isOpen) setShown(true)
  }, [isOpen])
  const { id, severity, title, meaning, cost, fix, samples } = kind
  return (
    <details class="kind" id={id} open={isShown} onToggle={event => setShown(event.currentTarget.open)}>
      <summary>
        <span class="kind-title">{title}</span>
        {severity === 'info' ? null : <Badge tone={TONES[severity] ?? 'plain'}>{severity}</Badge>}
        <code class="quiet">{id}</code>
        <span class="kind-count figure">
          {count(kind.count)} <span class="quiet">in {plural(kind.sessions, 'session')}</span>
        </span>
      </summary>
      <p>{meaning}</p>
      <p>
        <strong>What it costs:</strong> {cost}
      </p>
      {fix === null ? null : (
        <p>
          <strong>What to do:</strong> <code>{fix}</code>
        </p>
      )}
      {isShown ? <Samples samples={samples} total={kind.count} /> : null}
    </details>
  )
}

const FIRST_SAMPLES = 6

function Samples({
  samples,
  total,
}: {
  readonly samples: HealthKind['samples']
  readonly total: number
}): JSX.Element {
  const [isLong, setLong] = useState(false)
  const shown = isLong ? samples : samples.slice(0, FIRST_SAMPLES)
  return (
    <>
      <ul class="samples">
        {shown.map(({ session, title, node, row, message, fix }, nth) => (
          <li key={nth}>
            <a href={`/s/${encodeURIComponent(session)}${node === null ? '' : `#${node}`}`}>
              {title ?? shortId(session)}
            </a>
            {row === null ? null : <span class="quiet"> row {count(row)}</span>}
            <span class="sample-words">{message}</span>
            {fix?.includes(shortId(session)) ? <code class="quiet">{fix}</code> : null}
          </li>
        ))}
      </ul>
      {shown.length < samples.length ? (
        <button type="button" class="button button-more" onClick={() => setLong(true)}>
          Show {count(samples.length - shown.length)} more
        </button>
      ) : null}
      {total > samples.length && shown.length === samples.length ? (
        <p class="panel-note">
          These are the most severe ones, and those of the newest sessions. <code>dagline doctor --json</code>{' '}
          lists all.
        </p>
      ) : null}
    </>
  )
}

function Unread({ health: { unread } }: { readonly health: Health }): JSX.Element | null {
  if (unread.length === 0) return null
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>Could not be read</h2>
      </header>
      <ul class="samples">
        {unread.map(({ file, title, message }) => (
          <li key={file + title}>
            <code>{file}</code>
            <span class="sample-words">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Swept({ health }: { readonly health: Health }): JSX.Element {
  const { swept, sweptCount, sweptKept, sweepDays, sweepAhead } = health
  return (
    <section class="panel" id="swept-soon">
      <header class="panel-head">
        <h2>About to be deleted</h2>
      </header>
      <p class="panel-text">
        {sweepDays === null
          ? 'Claude Code does not clean these folders.'
          : `When it starts, Claude Code deletes sessions that have not changed for ${plural(sweepDays, 'day')} (cleanupPeriodDays in its settings). ${sweptCount === 0 ? `None is due within the next ${sweepAhead} days.` : `${plural(sweptCount, 'session is', 'sessions are')} due within the next ${sweepAhead} days.`}`}
      </p>
      {sweptCount > (sweptKept ?? 0) ? (
        <p class="banner">
          {plural(sweptCount - (sweptKept ?? 0), 'session')} would be lost. Run <code>dagline archive</code>{' '}
          to keep {sweptCount - (sweptKept ?? 0) === 1 ? 'it' : 'them'}: you can still read archived sessions
          here, and restore them.
        </p>
      ) : null}
      <ul class="samples">
        {swept.map(({ session, title, project, due, isArchived }) => (
          <li key={`${project} ${session}`} class="swept">
            <a href={`/s/${encodeURIComponent(session)}`}>{title ?? shortId(session)}</a>
            <Badge tone={isArchived ? 'good' : 'bad'}>{isArchived ? 'archived' : 'not archived'}</Badge>
            <span class="quiet figure">
              {due < now.value ? 'at the next start' : `after ${day(due, now.value)}`}
            </span>
          </li>
        ))}
      </ul>
      {sweptCount > swept.length ? (
        <p class="panel-note">And {count(sweptCount - swept.length)} more.</p>
      ) : null}
    </section>
  )
}

function Unknown({ health: { unknownTypes } }: { readonly health: Health }): JSX.Element | null {
  if (unknownTypes.length === 0) return null
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>Unknown record types</h2>
      </header>
      <p class="panel-text">
        Newer versions of Claude Code write new types of records. dagline keeps them in their order and shows
        them as raw records. Run <code>dagline census</code> for versions and new fields.
      </p>
      <ul class="samples">
        {unknownTypes.map(({ type, count: times, session }) => (
          <li key={type} class="swept">
            {session === null ? (
              <code>{type}</code>
            ) : (
              <a href={`/s/${encodeURIComponent(session)}`}>
                <code>{type}</code>
              </a>
            )}
            <span class="quiet figure">{plural(times, 'time')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
