/** Health: what is odd in the transcripts, what will be deleted, and what dagline does not know. */
import type { HealthPage as Health, HealthKind } from '@dagline/core'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { place, useTitle } from '../app/route.js'
import { Badge, type Tone } from '../parts/badge.js'
import { now } from '../parts/figures.js'
import { count, day, percent, plural, shortId } from '../parts/format.js'
import { useLoad } from '../parts/load.js'
import { Failure, Spinner } from '../parts/waiting.js'
import { ProgressNote, useProgress, useThrottledChanges } from './reload.js'

/** The page of health. A kind of fault can be linked to: `/health#dangling-parent`. */
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
          What the files of your sessions lack, what that costs, and which command mends it. The same as{' '}
          <code>dagline doctor</code> says; nothing is changed by looking.
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

/** The examination is one more thing to wait for. */
function progressOf({ survey, isExamining }: Health): Health['survey'] {
  return isExamining ? { done: survey.done, of: survey.of + 1 } : survey
}

function Tiles({ health }: { readonly health: Health }): JSX.Element {
  const { sessions, troubled, reach, unread, sweptCount, sweptKept, unknownTypes, survey } = health
  const bare = sweptCount - (sweptKept ?? 0)
  const isDone = survey.done >= survey.of
  const lost = reach.possible - reach.now
  return (
    <dl class="tiles">
      <div class={troubled === null ? '' : troubled + unread.length > 0 ? 'is-warn' : 'is-good'}>
        <dt>Ill sessions</dt>
        <dd>{troubled === null ? '…' : count(troubled)}</dd>
        <dd class="tile-note">of {plural(sessions, 'session')}</dd>
      </div>
      <div class={troubled === null ? '' : lost > 0 ? 'is-bad' : 'is-good'}>
        <dt>A resume reaches</dt>
        <dd>{troubled === null ? '…' : reachWords(reach)}</dd>
        <dd class="tile-note">{reachNote(troubled === null, lost, reach.possible)}</dd>
      </div>
      <div class={bare > 0 ? 'is-bad' : 'is-good'}>
        <dt>About to be deleted</dt>
        <dd>{count(sweptCount)}</dd>
        <dd class="tile-note">
          {sweptCount === 0
            ? 'nothing within the next days'
            : bare === 0
              ? 'all of them are safe in the archive'
              : `${plural(bare, 'session')} not in the archive`}
        </dd>
      </div>
      <div class={unknownTypes.length > 0 ? 'is-warn' : 'is-good'}>
        <dt>Unknown types of records</dt>
        <dd>{unknownTypes.length === 0 && !isDone ? '…' : count(unknownTypes.length)}</dd>
        <dd class="tile-note">
          {unknownTypes.length === 0 ? 'everything is known' : 'kept, and shown as they are'}
        </dd>
      </div>
    </dl>
  )
}

/** Not rounded up to all of it. */
function reachNote(isLooking: boolean, lost: number, possible: number): string {
  if (isLooking) return 'still looking'
  return lost > 0
    ? `${plural(lost, 'message')} of ${count(possible)} would be lost`
    : 'every message of every session'
}

function reachWords({ now: reached, possible }: Health['reach']): string {
  if (reached === possible) return '100 %'
  return reached / possible > 0.99 ? '>99 %' : percent(reached, possible)
}

interface KindsProps {
  readonly kinds: readonly HealthKind[]
  /** Everything could be read. */
  readonly isWhole: boolean
}

function Kinds({ kinds, isWhole }: KindsProps): JSX.Element {
  const open = place.value.hash
  const grave = kinds.filter(({ severity }) => severity === 'error')
  const rest = kinds.filter(({ severity }) => severity !== 'error')
  const list = (some: readonly HealthKind[]): readonly JSX.Element[] =>
    some.map(kind => <Kind key={kind.id} kind={kind} isOpen={open === kind.id} />)
  return (
    <>
      <section class="panel">
        <header class="panel-head">
          <h2>Faults</h2>
        </header>
        {grave.length === 0 ? (
          <p class="panel-note">
            {isWhole ? 'Nothing is lost or refused.' : 'Nothing is lost or refused in what could be read.'}
          </p>
        ) : null}
        {list(grave)}
      </section>
      {rest.length === 0 ? null : (
        <section class="panel">
          <header class="panel-head">
            <h2>Notes without effect on a resume</h2>
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
          The gravest, and those of the newest sessions; <code>dagline doctor --json</code> has them all.
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
          : `When it starts, Claude Code deletes sessions that were not written to for ${plural(sweepDays, 'day')} (cleanupPeriodDays in its settings). ${sweptCount === 0 ? `None is due within the next ${sweepAhead} days.` : `${plural(sweptCount, 'session is', 'sessions are')} due within the next ${sweepAhead} days.`}`}
      </p>
      {sweptCount > (sweptKept ?? 0) ? (
        <p class="banner">
          {plural(sweptCount - (sweptKept ?? 0), 'session')} would be lost. <code>dagline archive</code> keeps{' '}
          {sweptCount - (sweptKept ?? 0) === 1 ? 'it' : 'them'}: deleted sessions can still be read here, and
          restored.
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
        <h2>Types that dagline does not know</h2>
      </header>
      <p class="panel-text">
        Newer versions of Claude Code write records of new types. They are kept in their place and can be
        looked at raw. <code>dagline census</code> tells more, such as versions and new fields.
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
