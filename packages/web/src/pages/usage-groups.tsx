/** Usage as tables: by project, model, subagent, session or branch, and the chart in figures. */

import { capitalize, count, percent, shortId } from '@dagline/core/format'
import type { UsageCell, UsageDay, UsageGroupCell, UsagePage } from '@dagline/core/protocol'
import { statusLabel } from '@dagline/core/view'
import type { ComponentChildren, JSX } from 'preact'
import { sessionPath } from '../app/route.js'
import { type Column, SortTable } from '../charts/sort-table.js'
import { Toggles } from '../parts/choice.js'
import { Badge, Money, Tokens } from '../parts/figures.js'
import { Panel } from '../parts/panel.js'
import { projectNames } from './project-names.js'
import { spanName, spansOf, sumCells, tokensIn } from './usage-spans.js'
import { GROUPINGS, type Grouping, type Step, TEAM_GROUPINGS, type UsageView } from './usage-view.js'

interface UsageGroupsProps {
  readonly usage: UsagePage
  readonly view: Pick<UsageView, 'by' | 'isTeam'>
  readonly onChange: (by: Grouping) => void
}

/** The most expensive groups. */
export function UsageGroups({ usage, view, onChange }: UsageGroupsProps): JSX.Element {
  const { groups, groupCount, projects } = usage
  const folders = projectNames(projects)
  const whole = usage.by === 'branch' ? usage.abandoned : usage.totals
  const controls = (
    <fieldset class="chips">
      <legend class="hidden">Grouped by</legend>
      <Toggles
        values={view.isTeam ? TEAM_GROUPINGS : GROUPINGS}
        chosen={view.isTeam && !TEAM_GROUPINGS.includes(view.by) ? 'project' : view.by}
        nameOf={groupName}
        onChange={onChange}
      />
    </fieldset>
  )
  return (
    <Panel
      title={usage.by === 'branch' ? 'Abandoned branches' : `By ${groupName(usage.by)}`}
      controls={controls}
    >
      {groups.length === 0 ? (
        <p class="panel-note">There are no abandoned branches.</p>
      ) : (
        <SortTable
          key={usage.by}
          label={`Usage by ${usage.by}`}
          rows={groups}
          columns={columnsOf(usage.by, folders, whole)}
          keyOf={({ key }) => key}
          by="Cost"
        />
      )}
      {groupCount > groups.length ? (
        <p class="panel-note">
          The {count(groups.length)} most expensive of {count(groupCount)}.
        </p>
      ) : null}
    </Panel>
  )
}

/** `agent` is the name in addresses and requests. */
function groupName(by: string): string {
  return by === 'agent' ? 'subagent' : by
}

function columnsOf(
  by: string,
  folders: ReadonlyMap<string, string>,
  whole: UsageCell,
): readonly Column<UsageGroupCell>[] {
  const isNested = by === 'session' || by === 'branch'
  const name: Column<UsageGroupCell> = {
    title: capitalize(groupName(by)),
    value: ({ key, title }) => title ?? folders.get(key) ?? key,
    cell: row => <GroupName row={row} by={by} folders={folders} />,
  }
  const project: Column<UsageGroupCell> = {
    title: 'In',
    value: row => folders.get(row.project ?? '') ?? row.project ?? '',
    cell: row => <span class="quiet">{folders.get(row.project ?? '') ?? row.project}</span>,
    isMinor: true,
  }
  return [name, ...(isNested ? [project] : []), ...figureColumns<UsageGroupCell>(whole)]
}

interface GroupNameProps {
  readonly row: UsageGroupCell
  readonly by: string
  readonly folders: ReadonlyMap<string, string>
}

function GroupName({ row, by, folders }: GroupNameProps): ComponentChildren {
  const { key, title, session, status } = row
  if (by === 'project') return <span title={key}>{folders.get(key) ?? key}</span>
  if (by === 'agent') return key === 'main' ? <span class="quiet">the main conversation</span> : key
  if (session === null) return key
  // The key of a branch is its session and the prefix of its first entry.
  const [, branch] = key.split('@')
  const words = title ?? shortId(session)
  if (by === 'session' || branch === undefined) return <a href={sessionPath(session)}>{words}</a>
  return (
    <>
      <a href={sessionPath(session, branch)}>{words}</a>{' '}
      <Badge tone="warn">{statusLabel(status ?? '')}</Badge>
    </>
  )
}

function figureColumns<T extends UsageCell>(whole: UsageCell): readonly Column<T>[] {
  return [
    { title: 'API messages', value: ({ messages }) => messages, isMinor: true },
    { title: 'Tokens', value: tokensIn, cell: row => <Tokens value={tokensIn(row)} /> },
    {
      title: 'Output',
      value: ({ output }) => output,
      cell: row => <Tokens value={row.output} />,
      isMinor: true,
    },
    {
      title: 'Share',
      value: ({ cost }) => cost,
      cell: ({ cost }) => <span class="quiet">{cost === null ? '' : percent(cost, whole.cost ?? 0)}</span>,
      isMinor: true,
    },
    { title: 'Cost', value: ({ cost }) => cost, cell: row => <Money value={row.cost} />, hasBar: true },
  ]
}

interface SpanTableProps {
  readonly days: readonly UsageDay[]
  readonly step: Step
}

/** The chart in figures. */
export function SpanTable({ days, step }: SpanTableProps): JSX.Element {
  const rows = spansOf(days, step)
    .map(span => ({ ...sumCells(span.days), key: span.key }))
    .filter(({ messages }) => messages > 0)
  const name: Column<UsageCell> = {
    title: 'Time',
    value: ({ key }) => key,
    cell: ({ key }) => spanName(key, step),
  }
  return (
    <SortTable
      label={`Usage by ${step}`}
      rows={rows.toReversed()}
      columns={[name, ...figureColumns<UsageCell>(sumCells(days))]}
      keyOf={({ key }) => key}
    />
  )
}
