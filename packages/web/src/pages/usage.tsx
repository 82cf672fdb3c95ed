/** The usage page: cost and tokens over time, and by project, model, subagent, session and branch. */

import { count, isoDay, money, percent, plural, tokens } from '@dagline/core/format'
import type { UsagePage as Usage } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { me } from '../app/hub.js'
import { isIndexing } from '../app/live.js'
import { isHub } from '../app/page.js'
import { navigate, route, useTitle } from '../app/route.js'
import { Bars } from '../charts/bars.js'
import { Calendar } from '../charts/calendar.js'
import { addDays } from '../charts/scale.js'
import { Choice, Field, Toggle, Toggles } from '../parts/choice.js'
import { now } from '../parts/figures.js'
import { useLoad, useThrottledChanges } from '../parts/load.js'
import { Panel, type Tile, Tiles } from '../parts/panel.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { projectChoices } from './project-names.js'
import { SpanTable, UsageGroups } from './usage-groups.js'
import { buildChart, spanEnd, stepFor, tokensIn } from './usage-spans.js'
import {
  MEASURES,
  parseUsageView,
  STEPS,
  type Step,
  type UsageView,
  usageAddress,
  usagePath,
} from './usage-view.js'

type Change = (part: Partial<UsageView>) => void

/** The page. Its filters are in the address. */
export function UsagePage(): JSX.Element {
  useTitle('Usage')
  const { query } = route.value
  const asked = useMemo(() => parseUsageView(query), [query])
  const role = me.value?.role
  // An auditor sees sums, and no sessions of which there could be others.
  const view = { ...asked, isTeam: role === 'auditor' || (role === 'admin' && asked.isTeam) }
  const { value, error, isLoading, reload } = useLoad<Usage>(usagePath(view))
  useThrottledChanges(reload)
  const change: Change = part => navigate(usageAddress({ ...view, ...part }), { replace: true })
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return (
    <div class="report">
      <header class="report-head">
        <h1>Usage</h1>
        {isHub() ? null : <a href="/waste">What was wasted</a>}
        <UsageFilters view={view} usage={value} change={change} />
      </header>
      {error === null ? null : <Failure isPart error={error} retry={reload} />}
      <div class={isLoading ? 'report-body is-stale' : 'report-body'} aria-busy={isLoading}>
        {value.totals.messages === 0 ? (
          <NoUsage view={view} />
        ) : (
          <Figures usage={value} view={view} change={change} />
        )}
      </div>
    </div>
  )
}

function NoUsage({ view }: { readonly view: UsageView }): JSX.Element {
  if (isIndexing()) return <Spinner label="Reading your sessions…" />
  const isNarrowed = view.since !== '' || view.until !== '' || view.project !== ''
  return (
    <Empty title="No usage">
      {isNarrowed ? (
        <p>
          <a href="/usage">Show all usage</a>
        </p>
      ) : (
        <p>
          {isHub()
            ? 'Tokens and costs of the sessions that you see appear here.'
            : 'Tokens and costs appear here once Claude Code has written a session.'}
        </p>
      )}
    </Empty>
  )
}

/** Common periods, in days. */
const LAST: readonly (readonly [string, number | null])[] = [
  ['7 days', 7],
  ['30 days', 30],
  ['90 days', 90],
  ['All', null],
]

interface FiguresProps {
  readonly usage: Usage
  readonly view: UsageView
  readonly change: Change
}

function UsageFilters({ view, usage, change }: FiguresProps): JSX.Element {
  const today = isoDay(now.value)
  return (
    <div class="filters">
      <fieldset class="chips">
        <legend class="hidden">Time</legend>
        {LAST.map(([name, days]) => {
          const since = days === null ? '' : addDays(today, 1 - days)
          return (
            <Toggle
              key={name}
              isOn={view.since === since && view.until === ''}
              onChange={() => change({ since, until: '' })}
            >
              {name}
            </Toggle>
          )
        })}
      </fieldset>
      {(['since', 'until'] as const).map(end => (
        <Field
          key={end}
          label={end === 'since' ? 'From' : 'To'}
          type="date"
          value={view[end]}
          onChange={event => change({ [end]: event.currentTarget.value })}
        />
      ))}
      {view.isTeam ? null : (
        <Choice
          label="Project"
          value={view.project}
          options={projectChoices(usage.projects)}
          onChange={project => change({ project })}
        />
      )}
      {me.value?.role === 'admin' ? (
        <Toggle
          isOn={view.isTeam}
          onChange={isTeam => change({ isTeam, project: '' })}
          title="Sums of all persons, without their sessions"
        >
          whole team
        </Toggle>
      ) : null}
    </div>
  )
}

function Figures({ usage, view, change }: FiguresProps): JSX.Element {
  return (
    <>
      <Tiles tiles={tilesOf(usage)} />
      <OverTime usage={usage} view={view} change={change} />
      <UsageGroups usage={usage} view={view} onChange={by => change({ by })} />
      <Year view={view} change={change} />
      <Notes usage={usage} />
    </>
  )
}

function tilesOf({ totals, abandoned, abandonedBranches }: Usage): readonly Tile[] {
  const all = tokensIn(totals)
  const branches = plural(abandonedBranches, 'abandoned branch', 'abandoned branches')
  return [
    { name: 'Cost', value: money(totals.cost), note: 'at list prices' },
    {
      name: 'Tokens',
      value: tokens(all),
      note: `${tokens(totals.output)} output, ${percent(totals.cacheRead, all)} read from the cache`,
    },
    { name: 'API messages', value: count(totals.messages), note: 'copies are not counted' },
    abandoned.messages === 0
      ? { name: 'Abandoned', value: '–', note: 'no abandoned branches' }
      : {
          name: 'Abandoned',
          value: money(abandoned.cost),
          note: `${percent(abandoned.cost ?? 0, totals.cost ?? 0)} of the cost went into ${branches}`,
          tone: 'warn',
        },
  ]
}

function OverTime({ usage, view, change }: FiguresProps): JSX.Element {
  const step = view.step ?? stepFor(usage.days)
  const chart = useMemo(() => buildChart(usage, view.measure, step), [usage, view.measure, step])
  const undated = usage.days.find(({ key }) => key === 'undated')
  const controls = (
    <fieldset class="chips">
      <legend class="hidden">Chart</legend>
      <Toggles values={MEASURES} chosen={view.measure} onChange={measure => change({ measure })} />
      <span class="chips-gap" />
      <Toggles values={STEPS} chosen={step} onChange={each => change({ step: each })} />
      <span class="chips-gap" />
      <Toggle isOn={view.isTable} onChange={isTable => change({ isTable })}>
        table
      </Toggle>
    </fieldset>
  )
  return (
    <Panel title="Over time" controls={controls}>
      {view.isTable ? (
        <SpanTable days={usage.days} step={step} />
      ) : (
        <Bars
          label={`${view.measure} by ${step}`}
          bars={chart.bars}
          series={chart.series}
          format={view.measure === 'cost' ? money : tokens}
          onPick={({ key }) => change(narrowed(key, step))}
        />
      )}
      {undated === undefined ? null : (
        <p class="panel-note">
          {plural(undated.messages, 'answer')} without a date: part of the totals, but not of the chart.
        </p>
      )}
    </Panel>
  )
}

/** The filters that show the days of a bar. */
function narrowed(key: string, step: Step): Partial<UsageView> {
  const since = key.length === 7 ? `${key}-01` : key
  return { since, until: spanEnd(key, step), step: step === 'month' ? 'week' : 'day' }
}

/** The year up to today, whatever period is chosen. */
function Year({ view, change }: { readonly view: UsageView; readonly change: Change }): JSX.Element | null {
  const { value } = useLoad<Usage>(usagePath({ ...view, since: '', until: '', by: 'project' }))
  const amounts = useMemo(
    () => new Map((value?.days ?? []).map(({ key, cost }) => [key, cost ?? 0])),
    [value],
  )
  const today = isoDay(now.value)
  const last = value?.days.findLast(({ key }) => key !== 'undated')?.key
  if (last === undefined) return null
  // An old history is shown up to its own last day.
  const until = last < addDays(today, -365) ? last : today
  return (
    <Panel title="Day by day">
      <Calendar
        label="Calendar of costs"
        until={until}
        amounts={amounts}
        format={money}
        onPick={day => change({ since: day, until: day, step: 'day' })}
      />
    </Panel>
  )
}

/** The limits of the figures. */
function Notes({ usage }: { readonly usage: Usage }): JSX.Element {
  const { unknownModels, undercounted, pricesAsOf } = usage
  return (
    <section class="panel notes">
      <h2>About these figures</h2>
      <ul>
        <li>
          Prices are the list prices of {pricesAsOf}. With a subscription, the cost shows how much was used,
          not what was paid.
        </li>
        <li>Warm-ups are counted here, and not in the list of sessions.</li>
        {unknownModels.length === 0 ? null : (
          <li>No price is known for {unknownModels.join(', ')}: the cost does not include their tokens.</li>
        )}
        {undercounted.messages === 0 ? null : (
          <li>
            For {plural(undercounted.messages, 'answer')}, Claude Code logged only the initial token count. At
            least {tokens(undercounted.missing)} tokens of output are missing.
          </li>
        )}
      </ul>
    </section>
  )
}
