/** The page of subagents: their types, who calls whom, and the latest runs. */

import { count, duration, money, percent, plural, tokens } from '@dagline/core/format'
import { sumOf } from '@dagline/core/model'
import type { AgentKind, AgentsPage as Agents } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { pathWith } from '../app/api.js'
import { navigate, route, sessionPath, useTitle } from '../app/route.js'
import { Delegation } from '../charts/delegation.js'
import { type Column, SortTable } from '../charts/sort-table.js'
import { Choice, Toggle } from '../parts/choice.js'
import { Ago, Badge, Money, Tokens, type Tone } from '../parts/figures.js'
import { ProgressNote, useLoad, useProgress, useThrottledChanges } from '../parts/load.js'
import { Panel, type Tile, Tiles, useFirst } from '../parts/panel.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { projectChoices } from './project-names.js'

/** The subagents of all sessions, or of the project or session in the address. */
export function AgentsPage(): JSX.Element {
  useTitle('Subagents')
  const { query } = route.value
  const [project, session] = [query.get('project') ?? '', query.get('session') ?? '']
  const { value, error, reload } = useLoad<Agents>(pathWith('/api/agents', { project, session }))
  useThrottledChanges(reload)
  const isRunning = useProgress(value?.survey, reload)
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return (
    <div class="report">
      <header class="report-head">
        <h1>Subagents</h1>
        <ProgressNote progress={value.survey} />
        <div class="filters">
          {session === '' ? (
            <Choice
              label="Project"
              value={project}
              options={projectChoices(value.projects)}
              onChange={chosen => navigate(pathWith('/agents', { project: chosen }), { replace: true })}
            />
          ) : (
            <Toggle isOn onChange={() => navigate('/agents')}>
              one session only ✕
            </Toggle>
          )}
        </div>
      </header>
      {error === null ? null : <Failure error={error} retry={reload} />}
      {value.kinds.length > 0 ? (
        <Figures agents={value} />
      ) : isRunning ? (
        <Spinner label="Reading sessions…" />
      ) : (
        <NoAgents />
      )}
    </div>
  )
}

function NoAgents(): JSX.Element {
  return (
    <Empty title="No subagents">
      <p>When Claude starts subagents, this page shows who called whom, how often, and at what cost.</p>
    </Empty>
  )
}

function Figures({ agents }: { readonly agents: Agents }): JSX.Element {
  return (
    <div class="report-body">
      <Tiles tiles={tilesOf(agents.kinds)} />
      <Graph agents={agents} />
      <Panel title="By type">
        <SortTable
          label="Subagents by type"
          rows={agents.kinds}
          columns={KIND_COLUMNS}
          keyOf={({ name }) => name}
          by="Runs"
        />
      </Panel>
      <Runs runs={agents.runs} />
    </div>
  )
}

function tilesOf(kinds: readonly AgentKind[]): readonly Tile[] {
  const sum = (read: (kind: AgentKind) => number | null): number => sumOf(kinds, kind => read(kind) ?? 0)
  const [runs, missing] = [sum(kind => kind.runs), sum(kind => kind.missing)]
  const [calls, errors] = [sum(({ tools }) => tools), sum(kind => kind.errors)]
  const [kept, unfinished] = [runs - missing, sum(kind => kind.unfinished)]
  const depth = Math.max(...kinds.map(kind => kind.depth))
  return [
    {
      name: 'Runs',
      value: count(runs),
      note: `${plural(kinds.length, 'type')}, nested up to ${plural(depth, 'level')}`,
    },
    {
      name: 'Ended with an answer',
      value: kept === 0 ? '–' : percent(kept - unfinished, kept),
      note: `of ${plural(kept, 'run')} with a transcript${missing === 0 ? '' : ` (${count(missing)} without)`}`,
      tone: unfinished > 0 ? 'warn' : 'good',
    },
    {
      name: 'Tool calls',
      value: count(calls),
      note: errors === 0 ? 'none failed' : `${plural(errors, 'error')}, ${percent(errors, calls)}`,
    },
    {
      name: 'Cost',
      value: money(kinds.every(({ cost }) => cost === null) ? null : sum(({ cost }) => cost)),
      note: `${tokens(sum(kind => kind.tokens))} tokens`,
    },
  ]
}

function Graph({ agents: { kinds, delegation } }: { readonly agents: Agents }): JSX.Element {
  const [isTable, setTable] = useState(false)
  const known = new Map(kinds.map(kind => [kind.name, kind]))
  const figuresOf = (name: string): string => {
    const kind = known.get(name)
    if (kind === undefined) return ''
    return kind.cost === null ? plural(kind.runs, 'run') : `${plural(kind.runs, 'run')} · ${money(kind.cost)}`
  }
  const controls = (
    <Toggle isOn={isTable} onChange={setTable}>
      table
    </Toggle>
  )
  return (
    <Panel title="Delegation" controls={controls}>
      {isTable ? (
        <SortTable
          label="Delegation"
          rows={delegation}
          columns={DELEGATION_COLUMNS}
          keyOf={({ from, to }) => `${from} ${to}`}
          by="Calls"
        />
      ) : (
        <Delegation calls={delegation} figuresOf={figuresOf} />
      )}
    </Panel>
  )
}

const DELEGATION_COLUMNS: readonly Column<Agents['delegation'][number]>[] = [
  {
    title: 'From',
    value: ({ from }) => from ?? '',
    cell: ({ from }) => from ?? <span class="quiet">unknown</span>,
  },
  { title: 'To', value: ({ to }) => to },
  { title: 'In parallel', value: ({ parallel }) => parallel },
  { title: 'Calls', value: ({ calls }) => calls, hasBar: true },
]

const KIND_COLUMNS: readonly Column<AgentKind>[] = [
  { title: 'Type', value: ({ name }) => name },
  {
    title: 'Unfinished',
    value: ({ unfinished }) => unfinished,
    hint: 'The transcript does not end with an answer',
    isMinor: true,
  },
  {
    title: 'No transcript',
    value: ({ missing }) => missing,
    hint: 'The run never began, or its transcript was deleted',
    isMinor: true,
  },
  { title: 'Depth', value: ({ depth }) => depth, isMinor: true },
  { title: 'Tool calls', value: ({ tools }) => tools, isMinor: true },
  {
    title: 'Errors',
    value: ({ errors }) => errors,
    cell: ({ errors }) => <span class={errors > 0 ? 'figure is-bad' : 'figure quiet'}>{count(errors)}</span>,
  },
  {
    title: 'Median time',
    value: kind => kind.duration,
    cell: kind => <span class="figure">{kind.duration === null ? '–' : duration(kind.duration)}</span>,
    hint: 'Half of the runs took longer',
    isMinor: true,
  },
  {
    title: 'Tokens',
    value: kind => kind.tokens,
    cell: kind => <Tokens value={kind.tokens} />,
    isMinor: true,
  },
  { title: 'Cost', value: ({ cost }) => cost, cell: ({ cost }) => <Money value={cost} /> },
  { title: 'Runs', value: ({ runs }) => runs, hasBar: true },
]

const TONES: Readonly<Record<string, Tone>> = { complete: 'good', incomplete: 'warn', empty: 'warn' }

const FIRST_RUNS = 12

function Runs({ runs }: { readonly runs: Agents['runs'] }): JSX.Element {
  const { shown, more } = useFirst(runs, FIRST_RUNS)
  return (
    <Panel title="Latest runs">
      <ul class="runs">
        {shown.map((run, nth) => (
          <li key={`${run.node} ${nth}`}>
            <a href={sessionPath(run.session, run.node)}>
              <strong>{run.name}</strong> <span>{run.words ?? ''}</span>
            </a>
            <span class="runs-where">{run.title}</span>
            {run.depth > 1 ? <Badge tone="agent">depth {run.depth}</Badge> : null}
            <Badge tone={TONES[run.state] ?? 'plain'}>
              {run.state === 'missing' ? 'no transcript' : run.state}
            </Badge>
            <span class="runs-time">
              <Ago time={run.time} />
            </span>
          </li>
        ))}
      </ul>
      {more}
    </Panel>
  )
}
