/** The page of subagents: their types, who calls whom, and all runs. */

import { count, duration, money, percent, plural, tokens } from '@dagline/core/format'
import { sumOf } from '@dagline/core/model'
import type { AgentKind, AgentsPage as Agents } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { isIndexing } from '../app/live.js'
import { navigate, route, useTitle } from '../app/route.js'
import { Delegation } from '../charts/delegation.js'
import { type Column, SortTable } from '../charts/sort-table.js'
import { Choice, Toggle } from '../parts/choice.js'
import { Money, Tokens } from '../parts/figures.js'
import { ProgressNote, useLoad, useProgress, useThrottledChanges } from '../parts/load.js'
import { Panel, type Tile, Tiles } from '../parts/panel.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { AgentRuns } from './agent-runs.js'
import { type AgentsView, agentsAddress, agentsPath, parseAgentsView } from './agents-view.js'
import { projectChoices } from './project-names.js'

type Change = (part: Partial<AgentsView>) => void

/** The subagents of all sessions, or of the project or session in the address. */
export function AgentsPage(): JSX.Element {
  useTitle('Subagents')
  const { query, hash } = route.value
  const view = useMemo(() => parseAgentsView(query), [query])
  const { value, error, reload } = useLoad<Agents>(agentsPath(view))
  const change: Change = part => navigate(agentsAddress({ ...view, ...part }), { replace: true })
  useThrottledChanges(reload)
  const isRunning = useProgress(value?.survey, reload)
  const isReady = value !== null
  useEffect(() => {
    if (isReady && hash === 'runs') document.getElementById('runs')?.scrollIntoView()
  }, [isReady, hash, view.type])
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return (
    <div class="report is-wide">
      <header class="report-head">
        <h1>Subagents</h1>
        <ProgressNote progress={value.survey} />
        <div class="filters">
          {view.session === '' ? (
            <Choice
              label="Project"
              value={view.project}
              options={projectChoices(value.projects)}
              onChange={project => change({ project, type: '' })}
            />
          ) : (
            <Toggle isOn onChange={() => navigate('/agents')}>
              one session only ✕
            </Toggle>
          )}
        </div>
      </header>
      {error === null ? null : <Failure isPart error={error} retry={reload} />}
      {value.kinds.length > 0 ? (
        <Figures agents={value} view={view} change={change} />
      ) : isRunning || isIndexing() ? (
        <Spinner label="Reading your sessions…" />
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

interface FiguresProps {
  readonly agents: Agents
  readonly view: AgentsView
  readonly change: Change
}

function Figures({ agents, view, change }: FiguresProps): JSX.Element {
  const runsOf = (type: string): string => `${agentsAddress({ ...view, type, state: '', text: '' })}#runs`
  return (
    <div class="report-body">
      <Tiles tiles={tilesOf(agents.kinds)} />
      <Graph agents={agents} runsOf={runsOf} />
      <Panel title="By type">
        <SortTable
          label="Subagents by type"
          rows={agents.kinds}
          columns={kindColumns(runsOf)}
          keyOf={({ name }) => name}
          by="Runs"
        />
      </Panel>
      <AgentRuns agents={agents} view={view} change={change} />
    </div>
  )
}

function tilesOf(kinds: readonly AgentKind[]): readonly Tile[] {
  const sum = (read: (kind: AgentKind) => number | null): number => sumOf(kinds, kind => read(kind) ?? 0)
  const [runs, missing] = [sum(kind => kind.runs), sum(kind => kind.missing)]
  const [calls, errors] = [sum(({ tools }) => tools), sum(kind => kind.errors)]
  const [orphaned, unfinished] = [sum(kind => kind.orphaned), sum(kind => kind.unfinished)]
  const known = runs - missing - orphaned
  const depth = Math.max(...kinds.map(kind => kind.depth))
  return [
    {
      name: 'Runs',
      value: count(runs),
      note: `${plural(kinds.length, 'type')}, nested up to ${plural(depth, 'level')}`,
    },
    {
      name: 'Ended with an answer',
      value: known === 0 ? '–' : percent(known - unfinished, known),
      note: answeredNote({ known, missing, orphaned }),
      tone: unfinished > 0 ? 'warn' : known > 0 ? 'good' : undefined,
    },
    {
      name: 'Tool calls',
      value: count(calls),
      note: errors === 0 ? 'none failed' : `${plural(errors, 'error')}, ${percent(errors, calls)}`,
    },
    {
      name: 'Cost',
      value: money(kinds.every(({ cost }) => cost === null) ? null : sum(({ cost }) => cost)),
      note: `${tokens(sum(kind => kind.tokens))} tokens${missing === 0 ? '' : ', of runs with a transcript'}`,
    },
  ]
}

interface Answered {
  /** Runs whose end is known. */
  readonly known: number
  readonly missing: number
  readonly orphaned: number
}

/** The runs of which the share is taken, and those of which nobody can say how they ended. */
function answeredNote({ known, missing, orphaned }: Answered): string {
  const leftOut = [
    ...(missing === 0 ? [] : [`${count(missing)} without a transcript`]),
    ...(orphaned === 0 ? [] : [`${count(orphaned)} without a known call`]),
  ]
  const share = `of ${plural(known, 'run')}`
  return leftOut.length === 0 ? share : `${share}; not counted: ${leftOut.join(', ')}`
}

interface GraphProps {
  readonly agents: Agents
  readonly runsOf: (type: string) => string
}

function Graph({ agents: { kinds, delegation }, runsOf }: GraphProps): JSX.Element {
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
        <Delegation
          calls={delegation}
          figuresOf={figuresOf}
          hrefOf={name => (known.has(name) ? runsOf(name) : null)}
        />
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

function kindColumns(runsOf: (type: string) => string): readonly Column<AgentKind>[] {
  const cell = ({ name }: AgentKind): JSX.Element => <a href={runsOf(name)}>{name}</a>
  return [{ title: 'Type', value: ({ name }) => name, cell }, ...KIND_FIGURES]
}

const KIND_FIGURES: readonly Column<AgentKind>[] = [
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
