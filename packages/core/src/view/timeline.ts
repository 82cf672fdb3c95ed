/** What happened to a session, by time: what people did to it, its queue, its workflow runs. */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import type { OperationKind } from '../graph/operations.js'
import { compareTimes } from '../graph/order.js'
import type { QueueStep } from '../graph/queue.js'
import type { FileId, SessionId } from '../model/ids.js'
import { plainHead } from '../model/prompt-words.js'

/** `queued` to `lost`: what happened to a text that was typed while Claude worked. */
export type TimelineKind = OperationKind | 'queued' | 'delivered' | 'recalled' | 'lost' | 'workflow'

/** Something that happened to a session. */
export interface TimelineEvent {
  readonly kind: TimelineKind
  /** Milliseconds since 1970. */
  readonly time: number | null
  readonly file: FileId
  readonly row: number
  /** The entry that shows it; null where there is none. */
  readonly node: number | null
  readonly text: string
}

/** What happened to a session, by time: what people did, its queue, its workflow runs. Events of one instant are by row. */
export function timelineOf(graph: Graph, session: SessionId): readonly TimelineEvent[] {
  const events = [
    ...operationEvents(graph, session),
    ...queueEvents(graph, session),
    ...runEvents(graph, session),
  ]
  return events.sort((a, b) => compareTimes(a.time, b.time) || a.row - b.row)
}

/** Q1: the queue of a session, step by step; each text with what became of it. */
export function queueEvents(graph: Graph, session: SessionId): readonly TimelineEvent[] {
  return graph
    .queues()
    .flatMap(({ file, steps }) =>
      file.facts.session === session ? steps.flatMap(step => queueEvent(graph, file, step)) : [],
    )
}

function queueEvent(graph: Graph, file: FileRecord, step: QueueStep): readonly TimelineEvent[] {
  const { note, node } = step
  const { operation, time } = note
  const at = { time, file: file.facts.path, row: note.source.row, node }
  const text = plainHead(note.text?.head ?? (node === null ? '' : (graph.node(node).head ?? '')))
  if (operation === 'enqueue')
    return [{ ...at, kind: step.became === 'lost' ? 'lost' : 'queued', text: `${text}${FATES[step.became]}` }]
  if (operation === 'popAll')
    return [{ ...at, kind: 'recalled', text: 'all queued messages were taken back' }]
  // A bare dequeue before each prompt is how some releases start a turn: nothing was waiting.
  if (step.became === 'unknown') return []
  return [
    { ...at, kind: 'delivered', text: step.became === 'dequeued' ? 'its entry is not written yet' : text },
  ]
}

const FATES: Readonly<Record<QueueStep['became'], string>> = {
  prompt: '',
  notification: '',
  unknown: '',
  merged: ' (merged into one prompt with others)',
  attachment: ' (delivered within the running turn)',
  recalled: ' (taken back)',
  dequeued: ' (left the queue; its entry is not written yet)',
  lost: ' (never delivered)',
}

function operationEvents(graph: Graph, session: SessionId): readonly TimelineEvent[] {
  return graph
    .operations()
    .filter(operation => operation.session === session)
    .map(({ kind, node, label }) => ({ kind, node, text: label, ...locate(graph, node) }))
}

function runEvents(graph: Graph, session: SessionId): readonly TimelineEvent[] {
  return graph.workflows().flatMap(run => {
    if (run.session !== session || run.call === null) return []
    return [{ kind: 'workflow', node: run.call, text: workflowLabel(run), ...locate(graph, run.call) }]
  })
}

function locate(graph: Graph, node: number): Pick<TimelineEvent, 'time' | 'file' | 'row'> {
  const { time, file, row } = graph.node(node)
  return { time, file, row }
}

/** One line about a workflow run: `lab, completed: One (2 subagents)`. */
export function workflowLabel({ name, id, state, phases }: ReturnType<Graph['workflows']>[number]): string {
  const parts = phases.map(({ title, agents }) => {
    const size = `${agents.length} ${agents.length === 1 ? 'subagent' : 'subagents'}`
    return title === '' ? size : `${title} (${size})`
  })
  return [`${name ?? id}, ${state}`, parts.join(', ')].filter(part => part !== '').join(': ')
}

/** The step of each subagent that a workflow run started, by its id: `lab: One, wfa`. */
export function workflowSteps(graph: Graph): ReadonlyMap<string, string> {
  const steps = new Map<string, string>()
  for (const { id: run, name, phases } of graph.workflows())
    for (const { title, agents } of phases)
      for (const { id, label } of agents) {
        const step = [title, label ?? ''].filter(part => part !== '').join(', ')
        steps.set(id, step === '' ? (name ?? run) : `${name ?? run}: ${step}`)
      }
  return steps
}
