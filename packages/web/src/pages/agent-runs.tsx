/** All runs of subagents, with filters. */

import { count, plural, shortId } from '@dagline/core/format'
import { AGENT_RUNS, type AgentsPage } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { sessionPath } from '../app/route.js'
import { Choice } from '../parts/choice.js'
import { Ago, Badge, type Tone } from '../parts/figures.js'
import { Panel } from '../parts/panel.js'
import type { AgentsView } from './agents-view.js'

interface RunsProps {
  readonly agents: AgentsPage
  readonly view: AgentsView
  readonly change: (part: Partial<AgentsView>) => void
}

/** V20: the list. Its filters are in the address. */
export function AgentRuns({ agents: { runs, found, kinds }, view, change }: RunsProps): JSX.Element {
  const types = kinds.map(({ name }) => [name, name] as const)
  const more = Math.min(found - runs.length, AGENT_RUNS * 2)
  return (
    <Panel
      id="runs"
      title={
        <>
          Runs <span class="panel-count">{count(found)}</span>
        </>
      }
    >
      <div class="filters">
        <input
          class="field"
          type="search"
          placeholder="Filter by task, type or session"
          aria-label="Filter runs"
          autocomplete="off"
          spellcheck={false}
          value={view.text}
          onInput={event => change({ text: event.currentTarget.value })}
        />
        <Choice
          label="Type"
          value={view.type}
          options={[['', 'all'], ...types]}
          onChange={type => change({ type })}
        />
        <Choice label="State" value={view.state} options={STATES} onChange={state => change({ state })} />
      </div>
      {found === 0 ? <p class="panel-note">No matching runs.</p> : null}
      <ul class="runs">
        {runs.map((run, nth) => (
          <Run key={`${run.node} ${nth}`} run={run} />
        ))}
      </ul>
      {more > 0 ? (
        <button
          type="button"
          class="button button-more"
          onClick={() => change({ count: runs.length + more })}
        >
          Show {plural(more, 'more run')}
        </button>
      ) : null}
    </Panel>
  )
}

const STATES = [
  ['', 'all'],
  ['complete', 'complete'],
  ['incomplete', 'incomplete'],
  ['empty', 'empty'],
  ['orphaned', 'call unknown'],
  ['missing', 'no transcript'],
] as const

const NAMES = new Map<string, string>(STATES)
const TONES: Readonly<Record<string, Tone>> = { complete: 'good', incomplete: 'warn', empty: 'warn' }

function Run({ run }: { readonly run: AgentsPage['runs'][number] }): JSX.Element {
  return (
    <li>
      <a href={sessionPath(run.session, run.node)}>
        <strong>{run.name}</strong> <span>{run.words || 'task unknown'}</span>
      </a>
      <span class="runs-where">{run.title || `Session ${shortId(run.session)}`}</span>
      {run.depth > 1 ? <Badge tone="agent">depth {run.depth}</Badge> : null}
      <Badge tone={TONES[run.state] ?? 'plain'}>{NAMES.get(run.state) ?? run.state}</Badge>
      <span class="runs-time">
        <Ago time={run.time} />
      </span>
    </li>
  )
}
