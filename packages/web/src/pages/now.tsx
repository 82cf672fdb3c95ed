/** The page of what is running now: what each session is doing, and which of them wait for the user. */

import { duration, plural, shortId } from '@dagline/core/format'
import {
  type NowPage as Now,
  RUNNING_STATES,
  type RunningAgent,
  type RunningSession,
  type RunningState,
} from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { pathWith } from '../app/api.js'
import { onRunning } from '../app/live.js'
import { notifying, switchNotify } from '../app/notify.js'
import { isHub } from '../app/page.js'
import { sessionPath, useTitle } from '../app/route.js'
import { Badge, Money, now, Tokens, type Tone } from '../parts/figures.js'
import { useLoad, useThrottledChanges } from '../parts/load.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'

/** Milliseconds between two reloads while sessions write. */
const PAUSE = 1000

export function NowPage(): JSX.Element {
  const { value, error, reload } = useLoad<Now>(pathWith('/api/now', {}))
  const waiting = value?.sessions.filter(({ state }) => state === 'waiting').length ?? 0
  useTitle(waiting > 0 ? `(${waiting}) Now` : 'Now')
  useThrottledChanges(reload, () => PAUSE)
  useEffect(() => onRunning(reload), [reload])
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return (
    <div class="report">
      <header class="report-head">
        <h1>Now</h1>
        {isHub() ? null : <NotifyButton />}
        {value.sessions.length === 0 ? null : <p>{summaryOf(value.sessions)}</p>}
      </header>
      {error === null ? null : <Failure isPart error={error} retry={reload} />}
      {value.sessions.length === 0 ? (
        <Empty title="Nothing is running">
          <p>
            {isHub()
              ? 'A session appears here while it is written and pushed: run "dagline hub push --watch" where it runs.'
              : 'A session of Claude Code appears here as soon as it starts.'}
          </p>
        </Empty>
      ) : (
        <ul class="running">
          {value.sessions.map(session => (
            <Running key={session.session} running={session} />
          ))}
        </ul>
      )}
    </div>
  )
}

const TONES: Readonly<Record<RunningState, Tone>> = {
  waiting: 'warn',
  failed: 'bad',
  working: 'good',
  idle: 'plain',
}

function summaryOf(sessions: readonly RunningSession[]): string {
  const counted = Object.keys(RUNNING_STATES).flatMap(state => {
    const count = sessions.filter(session => session.state === state).length
    return count === 0 ? [] : `${count} ${state}`
  })
  return `${plural(sessions.length, 'session')} running${counted.length === 0 ? '' : `: ${counted.join(', ')}`}.`
}

function NotifyButton(): JSX.Element {
  const isOn = notifying.value === 'on'
  if (notifying.value === 'blocked')
    return <span class="quiet">This browser does not allow notifications here.</span>
  return (
    <button type="button" class="button" aria-pressed={isOn} onClick={() => void switchNotify()}>
      {isOn ? 'Notifications on' : 'Notify me when a session waits'}
    </button>
  )
}

function Running({ running }: { readonly running: RunningSession }): JSX.Element {
  const { session, title, state, doing, since, cwd, agents, queued, evidence } = running
  return (
    <li class={`running-session is-${state}`}>
      <div class="running-head">
        <Badge tone={TONES[state]}>{RUNNING_STATES[state]}</Badge>
        <a href={sessionPath(session)} title={title ?? undefined}>
          {title ?? shortId(session)}
        </a>
        {since === null ? null : <span class="quiet figure">{duration(Math.max(0, now.value - since))}</span>}
      </div>
      <p class="running-doing">{doing}</p>
      <Figures running={running} />
      {agents.length === 0 ? null : <Agents agents={agents} />}
      {queued.length === 0 ? null : <Queued texts={queued} />}
      <p class="quiet running-where">
        {cwd ?? ''}
        {evidence === 'transcript'
          ? ' · judged by its transcript: this release keeps no record of its process'
          : ''}
      </p>
    </li>
  )
}

function Figures({ running }: { readonly running: RunningSession }): JSX.Element {
  const { contextTokens, costToday, cost } = running
  return (
    <p class="running-figures">
      {contextTokens === null ? null : (
        <span>
          <Tokens value={contextTokens} /> in context
        </span>
      )}
      {cost === null ? null : (
        <span>
          <Money value={costToday} /> today, <Money value={cost} /> in all
        </span>
      )}
    </p>
  )
}

function Agents({ agents }: { readonly agents: readonly RunningAgent[] }): JSX.Element {
  return (
    <ul class="running-agents">
      {agents.map(({ agent, name, description, doing }) => (
        <li key={agent}>
          <Badge tone="agent">{name}</Badge> {description ?? ''} <span class="quiet">{doing}</span>
        </li>
      ))}
    </ul>
  )
}

function Queued({ texts }: { readonly texts: readonly string[] }): JSX.Element {
  return (
    <p class="running-queued">
      <span class="quiet">{plural(texts.length, 'prompt')} queued:</span> {texts.join(' · ')}
    </p>
  )
}
