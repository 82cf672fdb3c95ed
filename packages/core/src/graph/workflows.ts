/** A6: workflow runs. The call's result names the run, the run's journal and record say what happened in it. */

import type { JournalNote } from '../model/entry.js'
import type { AgentId, SessionId } from '../model/ids.js'
import type { RunRecord } from '../model/source.js'
import { spawnsInOrder } from './agents.js'
import type { OpenFile } from './file-record.js'
import { filesInOrder } from './order.js'
import { fileOf } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { callFor, toolsOf } from './tools.js'

/** How far a run has come: its record says so at the end, else the journal does. */
export type WorkflowState = 'completed' | 'failed' | 'running'

/** A phase of a run, with the subagents that were started in it. */
export interface WorkflowPhase {
  readonly title: string
  readonly agents: readonly WorkflowAgent[]
}

/** A subagent of a workflow run. */
export interface WorkflowAgent {
  /** The subagent's id; its conversation may be gone. */
  readonly id: AgentId
  /** What the script calls it. */
  readonly label: string | null
  readonly hasResult: boolean
}

/** One run of a workflow script. */
export interface WorkflowRun {
  readonly id: string
  readonly session: SessionId | null
  readonly name: string | null
  readonly summary: string | null
  /** In their order; subagents that no phase claims are in one without a title. */
  readonly phases: readonly WorkflowPhase[]
  readonly state: WorkflowState
  /** The entry with the call that started it; null where it is not known. */
  readonly call: number | null
  readonly durationMs: number | null
}

/** Every run that a journal, a record or a result tells of, in the order of its files. */
export function findWorkflows(state: State): readonly WorkflowRun[] {
  const launches = launchesByRun(state)
  const journals = new Map(
    filesInOrder(state).flatMap(file =>
      file.facts.kind === 'journal' && file.facts.run !== null ? [[file.facts.run, file] as const] : [],
    ),
  )
  const runs = new Set([...launches.keys(), ...journals.keys()])
  return [...runs].map(id => describeRun(state, id, launches.get(id), journals.get(id)))
}

/** The entries with the results that name runs, by run. */
function launchesByRun(state: State): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const node of spawnsInOrder(state)) {
    const entry = state.table.entries[node]
    const run = entry?.kind === 'user' ? (entry.spawn?.run ?? null) : null
    if (run !== null && t.int(state.table.owner, node) === node && !found.has(run)) found.set(run, node)
  }
  return found
}

function describeRun(
  state: State,
  id: string,
  launch: number | undefined,
  journal: OpenFile | undefined,
): WorkflowRun {
  const record = journal?.facts.runRecord ?? null
  const result = state.table.entries[launch ?? t.none]
  const spawn = result?.kind === 'user' ? result.spawn : null
  const agents = agentsIn(journal?.journal ?? [])
  const [tool] = launch === undefined ? [] : toolsOf(state, launch)
  return {
    id,
    session: (launch === undefined ? journal : fileOf(state, launch))?.facts.session ?? null,
    name: record?.name ?? spawn?.workflow ?? null,
    summary: record?.summary ?? null,
    phases: phasesOf(record, agents),
    state: stateOf(record, agents),
    call: launch === undefined || tool === undefined ? null : t.orNull(callFor(state, tool, launch)),
    durationMs: record?.durationMs ?? null,
  }
}

interface PhasedAgent extends WorkflowAgent {
  readonly phase: string
}

/** The subagents that the journal says were started, once each. */
function agentsIn(notes: readonly JournalNote[]): readonly PhasedAgent[] {
  const done = new Set(
    notes.flatMap(({ step, agent }) => (step === 'result' && agent !== null ? [agent] : [])),
  )
  const found = new Map<string, PhasedAgent>()
  for (const { step, agent: id, label, phase } of notes) {
    if (step !== 'started' || id === null || found.has(id)) continue
    found.set(id, { id, label, phase: phase ?? '', hasResult: done.has(id) })
  }
  return [...found.values()]
}

/** Phases as the record lists them, then those that only the journal knows. */
function phasesOf(record: RunRecord | null, agents: readonly PhasedAgent[]): readonly WorkflowPhase[] {
  const titles = new Set([...(record?.phases ?? []), ...agents.map(({ phase }) => phase)])
  return [...titles].map(title => ({ title, agents: agents.filter(({ phase }) => phase === title) }))
}

function stateOf(record: RunRecord | null, agents: readonly PhasedAgent[]): WorkflowState {
  if (record?.status === 'completed') return 'completed'
  if (record?.status !== undefined && record.status !== null && record.status !== 'running') return 'failed'
  return agents.length > 0 && agents.every(({ hasResult }) => hasResult) ? 'completed' : 'running'
}
