/** The health page: problems in transcripts, sessions about to be deleted, unknown record types. */

import { count, day, percent, plural, shortId } from '@dagline/core/format'
import type { HealthPage as Health, HealthKind } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { askAction } from '../app/actions.js'
import { pathWith } from '../app/api.js'
import { isHub } from '../app/page.js'
import { route, sessionPath, useTitle } from '../app/route.js'
import { CommandText } from '../parts/copy.js'
import { Badge, now, type Tone } from '../parts/figures.js'
import { ProgressNote, useLoad, useProgress, useThrottledChanges } from '../parts/load.js'
import { Panel, type Tile, Tiles, useFirst } from '../parts/panel.js'
import { Failure, Spinner } from '../parts/waiting.js'

/** The page. A kind of problem has an address: `/health#dangling-parent`. */
export function HealthPage(): JSX.Element {
  useTitle('Health')
  const { value, error, reload } = useLoad<Health>(pathWith('/api/health', {}))
  useThrottledChanges(reload)
  useProgress(value === null ? undefined : progressOf(value), reload)
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return (
    <div class="report">
      <header class="report-head">
        <h1>Health</h1>
        <AllActions />
        {isHub() ? (
          <p>
            Problems in the sessions that you may see, and what they cost. This page shows what{' '}
            <code>dagline doctor --hub</code> reports. What only the machine of a session knows, such as its
            working directory, is left out.
          </p>
        ) : (
          <p>
            Problems in your session files, what they cost you, and how to fix them. This page shows what{' '}
            <code>dagline doctor</code> reports. Nothing is written before you have seen a preview.
          </p>
        )}
        <ProgressNote progress={progressOf(value)} />
      </header>
      {error === null ? null : <Failure isPart error={error} retry={reload} />}
      <div class="report-body">
        <Tiles tiles={tilesOf(value).filter(({ name }) => !isHub() || name !== SWEPT)} />
        {value.troubled === null ? null : <Kinds kinds={value.kinds} isWhole={value.unread.length === 0} />}
        {value.failure === null ? null : <p class="banner">{value.failure}</p>}
        <Unread health={value} />
        {isHub() ? null : <Swept health={value} />}
        <Unknown health={value} />
      </div>
    </div>
  )
}

/** The examination counts as one more step. */
function progressOf({ survey, isExamining }: Health): Health['survey'] {
  return isExamining ? { done: survey.done, of: survey.of + 1 } : survey
}

/** A hub deletes nothing by itself that Claude Code would. */
const SWEPT = 'About to be deleted'

function tilesOf(health: Health): readonly Tile[] {
  const { sessions, troubled, reach, unread, sweptCount, sweptKept, unknownTypes, survey } = health
  const unarchived = sweptCount - (sweptKept ?? 0)
  const isRead = troubled !== null
  const hasProblems = isRead && troubled + unread.length > 0
  const isUnknown = unknownTypes.length > 0
  const isSurveyed = survey.done >= survey.of
  return [
    {
      name: 'Affected sessions',
      value: isRead ? count(troubled) : '…',
      note: isRead
        ? `of ${plural(sessions, 'session')}: a resume loses entries, or the API rejects it`
        : 'still reading',
      tone: isRead ? (hasProblems ? 'warn' : 'good') : undefined,
    },
    {
      name: 'Resume coverage',
      value: isRead ? coverage(reach) : '…',
      note: isRead ? coverageNote(reach) : 'still reading',
      tone: isRead ? (reach.possible > reach.now ? 'bad' : 'good') : undefined,
    },
    {
      name: SWEPT,
      value: count(sweptCount),
      note: sweptNote(health, unarchived),
      tone: unarchived > 0 ? 'bad' : 'good',
    },
    {
      name: 'Unknown record types',
      value: isUnknown || isSurveyed ? count(unknownTypes.length) : '…',
      note: isUnknown
        ? 'kept, and shown as raw records'
        : isSurveyed
          ? 'all record types are known'
          : 'still reading',
      tone: isUnknown ? 'warn' : isSurveyed ? 'good' : undefined,
    },
  ]
}

function sweptNote({ sweptCount, sweepAhead }: Health, unarchived: number): string {
  if (sweptCount === 0) return `nothing in the next ${plural(sweepAhead, 'day')}`
  return unarchived === 0 ? 'all of them are archived' : `${plural(unarchived, 'session')} not archived`
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
  const severe = kinds.filter(({ severity }) => severity === 'error')
  const notes = kinds.filter(({ severity }) => severity !== 'error')
  const list = (some: readonly HealthKind[]): readonly JSX.Element[] =>
    some.map(kind => <Kind key={kind.id} kind={kind} isOpen={open === kind.id} />)
  const where = isWhole ? '' : ' in the files that could be read'
  return (
    <>
      <Panel title="Problems">
        {severe.length === 0 ? <p class="panel-note">No problem affects a resume{where}.</p> : null}
        {list(severe)}
        {severe.length === 0 ? null : (
          <p class="panel-note">
            A problem is counted wherever it was found. It does not affect every session that it is in.
          </p>
        )}
      </Panel>
      {notes.length === 0 ? null : <Panel title="Notes that do not affect a resume">{list(notes)}</Panel>}
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
          <strong>What to do:</strong> <CommandText text={fix} />
        </p>
      )}
      {isShown ? <Samples samples={samples} total={kind.count} /> : null}
    </details>
  )
}

const FIRST_SAMPLES = 6

interface SamplesProps {
  readonly samples: HealthKind['samples']
  readonly total: number
}

function Samples({ samples, total }: SamplesProps): JSX.Element {
  const { shown, more } = useFirst(samples, FIRST_SAMPLES)
  return (
    <>
      <ul class="samples">
        {shown.map(({ session, title, node, row, message, fix }, nth) => (
          <li key={nth}>
            <a href={sessionPath(session, node)}>{title ?? shortId(session)}</a>
            {row === null ? null : <span class="quiet"> row {count(row)}</span>}
            <span class="sample-words">{message}</span>
            {fix?.includes(shortId(session)) ? <CommandText text={fix} /> : null}
            <RepairButton fix={fix} session={session} />
          </li>
        ))}
      </ul>
      {more}
      {total > samples.length && more === null ? (
        <p class="panel-note">
          These are the most severe ones, and those of the newest sessions.{' '}
          <code>{isHub() ? 'dagline doctor --hub --json' : 'dagline doctor --json'}</code> lists all.
        </p>
      ) : null}
    </>
  )
}

/** Repairs a session where that is what helps, and the page may do it. */
function RepairButton({
  fix,
  session,
}: {
  readonly fix: string | null
  readonly session: string
}): JSX.Element | null {
  const ask = askAction.value
  if (ask === null || fix?.startsWith('dagline repair') !== true) return null
  return (
    <button
      type="button"
      class="button"
      onClick={() => ask({ kind: 'repair', session, isInPlace: false, acceptsLoss: false })}
    >
      Repair…
    </button>
  )
}

/** What concerns all sessions. */
function AllActions(): JSX.Element | null {
  const ask = askAction.value
  if (ask === null) return null
  return (
    <span class="dialog-buttons">
      <button type="button" class="button" onClick={() => ask({ kind: 'archive' })}>
        Archive all…
      </button>
      <button type="button" class="button" onClick={() => ask({ kind: 'undo', number: null })}>
        Undo an edit…
      </button>
    </span>
  )
}

function Unread({ health: { unread } }: { readonly health: Health }): JSX.Element | null {
  if (unread.length === 0) return null
  return (
    <Panel title="Could not be read">
      <ul class="samples">
        {unread.map(({ file, title, message }) => (
          <li key={file + title}>
            <code>{file}</code>
            <span class="sample-words">{message}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Swept({ health }: { readonly health: Health }): JSX.Element {
  const { swept, sweptCount, sweptKept, sweepDays, sweepAhead } = health
  const unarchived = sweptCount - (sweptKept ?? 0)
  const due = sweptCount === 0 ? 'None is' : plural(sweptCount, 'session is', 'sessions are')
  return (
    <Panel title="About to be deleted" id="swept-soon">
      <p class="panel-text">
        {sweepDays === null
          ? 'Claude Code does not clean these folders.'
          : `When it starts, Claude Code deletes sessions that have not changed for ${plural(sweepDays, 'day')} (cleanupPeriodDays in its settings). ${due} due within the next ${plural(sweepAhead, 'day')}.`}
      </p>
      {unarchived > 0 ? (
        <p class="banner">
          {plural(unarchived, 'session')} would be lost. Run <code>dagline archive</code> to keep{' '}
          {unarchived === 1 ? 'it' : 'them'}: you can still read archived sessions here, and restore them.
        </p>
      ) : null}
      <ul class="samples">
        {swept.map(({ session, title, project, due: time, isArchived }) => (
          <li key={`${project} ${session}`} class="swept">
            <a href={sessionPath(session)}>{title ?? shortId(session)}</a>
            <Badge tone={isArchived ? 'good' : 'bad'}>{isArchived ? 'archived' : 'not archived'}</Badge>
            <span class="quiet figure">
              {time < now.value ? 'at the next start' : `after ${day(time, now.value)}`}
            </span>
          </li>
        ))}
      </ul>
      {sweptCount > swept.length ? (
        <p class="panel-note">And {count(sweptCount - swept.length)} more.</p>
      ) : null}
    </Panel>
  )
}

function Unknown({ health: { unknownTypes } }: { readonly health: Health }): JSX.Element | null {
  if (unknownTypes.length === 0) return null
  return (
    <Panel title="Unknown record types">
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
              <a href={sessionPath(session)}>
                <code>{type}</code>
              </a>
            )}
            <span class="quiet figure">{plural(times, 'time')}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
