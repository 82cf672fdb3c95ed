/** What is odd about the graph, each diagnostic with its location and with advice. */

import type { Diagnostic, DiagnosticRule } from '../model/diagnostic.js'
import { compareText } from '../model/group.js'
import { entryId } from '../model/ids.js'
import { isLinked } from './adopt.js'
import { type Agent, isCompactionAgent, spawnsInOrder } from './agents.js'
import { type CompactionRecord, entryBefore, lastBefore, subtypeOf } from './compactions.js'
import { callAnswered, Input, unitOf } from './facts.js'
import type { FileRecord, OpenFile } from './file-record.js'
import type { Fork } from './fork-list.js'
import type { Layout } from './lines.js'
import { filesInOrder } from './order.js'
import type { QueueStep } from './queue.js'
import { fileOf, sessionOf, sightingIn } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { resultFor, type ToolSummary, toolsOf } from './tools.js'

/** What other passes found; the diagnostics are made from it. */
interface Answers {
  readonly agents: readonly Agent[]
  readonly forks: readonly Fork[]
  readonly tools: ToolSummary
  readonly layout: Layout
  readonly queues: readonly { readonly file: FileRecord; readonly steps: readonly QueueStep[] }[]
}

/** All diagnostics, by file and row. */
export function diagnose(state: State, answers: Answers): readonly Diagnostic[] {
  const found = [
    ...state.diagnostics,
    ...orphans(state),
    ...adopted(state),
    ...cycles(state),
    ...logicalCycles(state),
    ...secondRoots(state),
    ...repeats(state),
    ...compactions(state),
    ...losses(state, answers.forks),
    ...foreignRows(state),
    ...toolEnds(state, answers.tools),
    ...strangers(state, answers.agents),
    ...missingAgents(state, answers.agents),
    ...agentsInProgress(state, answers.agents),
    ...lostInput(answers.queues),
    ...unplacedNodes(state, answers.layout),
  ]
  return found.sort(byLocation)
}

function byLocation(a: Diagnostic, b: Diagnostic): number {
  return compareText(a.file, b.file) || (a.row ?? 0) - (b.row ?? 0) || compareText(a.rule, b.rule)
}

/** A diagnostic about an entry: a warning. */
function warn(state: State, node: number, rule: DiagnosticRule, message: string): Diagnostic {
  const { table } = state
  const row = t.int(table.row, node)
  const { path: file } = fileOf(state, node).facts
  return { rule, severity: 'warning', file, row, node: entryId(t.idOf(table, node)), message }
}

/** The same as an information: nothing is wrong, or nothing can be done. */
function inform(state: State, node: number, rule: DiagnosticRule, message: string): Diagnostic {
  return { ...warn(state, node, rule, message), severity: 'info' }
}

/** F13: every node is on exactly one line, or folded. One diagnostic at the first that is not, with the number of them. */
export function unplacedNodes(state: State, { lines }: Layout): readonly Diagnostic[] {
  const { table } = state
  const counts = new Uint8Array(table.size)
  for (const line of lines)
    for (const node of line.nodes) counts[node] = Math.min(2, t.byte(counts, node) + 1)
  const isRight = (node: number): boolean =>
    t.byte(counts, node) === (t.int(table.copyOf, node) === t.none ? 1 : 0)
  let first = t.none
  let [nodes, wrong] = [0, 0]
  for (const file of filesInOrder(state)) {
    for (const node of file.nodes) {
      if (t.int(table.owner, node) !== node) continue
      nodes++
      if (isRight(node)) continue
      wrong++
      if (first === t.none) first = node
    }
  }
  if (first === t.none) return []
  const message = `${wrong} of ${nodes} nodes are on no line or on several: a bug in dagline. This is the first.`
  return [warn(state, first, 'dag/unplaced-nodes', message)]
}

/** G2: a parent that was never written; silent where it is only not loaded, quiet for hooks and progress. */
function orphans(state: State): readonly Diagnostic[] {
  const { table } = state
  return [...state.orphans]
    .filter(node => t.int(table.owner, node) === node)
    .map(node => {
      const likely = likelyParent(state, node)
      const advice =
        likely === t.none
          ? 'nothing stands before it: the file may be a slice of a longer one'
          : `most likely it belongs after ${t.idOf(table, likely)} on row ${t.int(table.row, likely)}, the entry written before it`
      const tell = isExpectedOrphan(state, node) ? inform : warn
      return tell(state, node, 'dag/orphan', `Parent ${table.parentIds[node]} was never written; ${advice}.`)
    })
}

/** The entry written before it: of the same kind of chain, else any. */
function likelyParent(state: State, node: number): number {
  const before = lastBefore(state, node)
  return before === t.none ? entryBefore(state, node) : before
}

/** G2: answers and results that name no parent; one diagnostic for all where no sidechain row of a file does. */
function adopted(state: State): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  const told = new Set<OpenFile>()
  for (const [node, above] of state.adopted) {
    if (t.int(state.table.owner, node) !== node) continue
    const file = fileOf(state, node)
    if (isLinked(state, node)) found.push(missingParent(state, node, above))
    else if (!told.has(file)) {
      told.add(file)
      found.push(unlinkedSide(state, node))
    }
  }
  return found
}

function missingParent(state: State, node: number, above: number): Diagnostic {
  const { table } = state
  const isResult = t.byte(table.says, node) === t.SaysResult
  const why =
    isResult && callAnswered(state, node) === above
      ? 'the entry with its call'
      : 'the entry written before it'
  const message = `The ${isResult ? 'result' : 'answer'} names no parent; it goes on from ${t.idOf(table, above)} on row ${t.int(table.row, above)}, ${why}.`
  return warn(state, node, 'dag/missing-parent', message)
}

function unlinkedSide(state: State, node: number): Diagnostic {
  const message = 'No sidechain entry of the file names a parent: they are read as following each other.'
  return inform(state, node, 'dag/missing-parent', message)
}

/** Hooks, progress and notices lose their parent at a compaction; local commands stand at the head of a file. */
function isExpectedOrphan({ table }: State, node: number): boolean {
  const kind = t.byte(table.kind, node)
  if (kind === t.Assistant) return false
  return kind !== t.User || companions.has(t.byte(table.says, node))
}

const companions: ReadonlySet<number> = new Set([t.SaysCaveat, t.SaysCommand, t.SaysOutput, t.SaysMeta])

/** G3: one diagnostic per cycle. */
function cycles(state: State): readonly Diagnostic[] {
  const { table } = state
  return state.cuts.map(node => {
    const self = table.parentIds[node] === t.idOf(table, node)
    const rule = self ? 'dag/self-parent' : 'dag/cycle'
    const what = self ? 'The entry names itself as its parent' : 'The parents of this entry lead back to it'
    return warn(state, node, rule, `${what}; the link is cut here and the entry taken as a root.`)
  })
}

/** G3: compactions that go on from an entry behind them. */
function logicalCycles(state: State): readonly Diagnostic[] {
  return [...state.upCuts].map(([node, above]) => {
    const what = `It goes on from ${t.idOf(state.table, above)}, which hangs below it`
    return warn(state, node, 'dag/cycle', `${what}; the link is cut here and the entry taken as a root.`)
  })
}

/**
 * S3: roots that no known action leaves. Normal are: the first, prompts (edited, cleared, replayed), compactions,
 * local commands, hooks, progress and attachments, sidechains, and what hangs on another session.
 */
function secondRoots(state: State): readonly Diagnostic[] {
  return state.domains.list.flatMap(domain =>
    domain.roots
      .slice(1)
      .filter(root => isOddRoot(state, root))
      .map(root => {
        const message = `A second root that is ${nameOfRoot(state, root)}: what came before it is not in the file.`
        return warn(state, root, 'dag/second-root', message)
      }),
  )
}

function nameOfRoot(state: State, root: number): string {
  const { table } = state
  const kind = t.byte(table.kind, root)
  if (kind === t.Assistant) return 'an answer'
  return kind === t.User
    ? `a user entry (${t.meanings[t.byte(table.says, root)]})`
    : `an entry of type ${subtypeOf(state, root)}`
}

function isOddRoot(state: State, root: number): boolean {
  const { table } = state
  if (table.parentIds[root] !== null || t.int(table.up, root) !== t.none) return false
  switch (t.byte(table.kind, root)) {
    case t.User:
      return oddMeanings.has(t.byte(table.says, root))
    case t.System:
      return !['compact_boundary', 'compact_prelude', 'local_command'].includes(subtypeOf(state, root))
    case t.Attachment:
    case t.Progress:
      return false
    default:
      return true
  }
}

const oddMeanings: ReadonlySet<number> = new Set([t.SaysResult, t.SaysInterrupt, t.SaysOutput])

/** Rows written again: one diagnostic per file. */
function repeats(state: State): readonly Diagnostic[] {
  return state.files
    .filter(file => file.repeats.length > 0)
    .map(file => {
      const count = file.repeats.length
      const message = `${count} row${count === 1 ? '' : 's'} repeat entries that stand in the file already; each counts once.`
      return inform(state, file.repeats[0] ?? t.none, 'dag/duplicate-row', message)
    })
}

/** C1, C2, C4: compactions that name entries which were never written, or have no summary. */
function compactions(state: State): readonly Diagnostic[] {
  return filesInOrder(state).flatMap(file =>
    file.compactions
      .filter(({ boundary }) => t.int(state.table.owner, boundary) === boundary)
      .flatMap(record => [...brokenLinks(state, record), ...unfinished(state, record)]),
  )
}

function brokenLinks(state: State, record: CompactionRecord): readonly Diagnostic[] {
  const entry = state.table.entries[record.boundary]
  const compaction = entry?.kind === 'system' ? entry.compaction : null
  const messages: string[] = []
  const named = compaction?.logicalParent ?? null
  if (named !== null && record.logical === t.none) {
    const taken = t.int(state.table.up, record.boundary)
    const instead =
      taken === t.none ? 'nothing stands before it' : `${t.idOf(state.table, taken)} is taken instead`
    messages.push(`The compaction continues ${named}, which was never written; ${instead}.`)
  }
  const file = t.int(state.table.file, record.boundary)
  const missing = (compaction?.preserved ?? []).filter(id => sightingIn(state, id, file) === t.none)
  if (missing.length > 0)
    messages.push(`The compaction kept ${missing.join(', ')}, never written: not shown as live.`)
  return messages.map(message => warn(state, record.boundary, 'dag/broken-compaction', message))
}

function unfinished(state: State, record: CompactionRecord): readonly Diagnostic[] {
  if (record.summary !== t.none) return []
  const message = 'The compaction has no summary, so it was not finished: the messages before it stay live.'
  return [warn(state, record.boundary, 'dag/unfinished-compaction', message)]
}

/** L8, F1: shapes in which parts of the conversation were really left out, or may have been. */
function losses(state: State, forks: readonly Fork[]): readonly Diagnostic[] {
  return forks.flatMap(fork => {
    const { at } = fork
    if (at === null) return []
    const inMessage = fork.children.filter(child => unitOf(state, child) === unitOf(state, at))
    const input = fork.children.filter(child => (t.byte(state.table.facts, child) & Input) !== 0)
    const prompt = fork.children.find(child => t.byte(state.table.says, child) === t.SaysPrompt)
    if (fork.kind === 'rewind' && input.length > 1 && input.every(child => goesOnFrom(state, at, child))) {
      const message =
        'The conversation goes on from two parts of one message: after a crash the turns since were forgotten.'
      return [warn(state, at, 'dag/forgotten-turns', message)]
    }
    if (prompt !== undefined && inMessage.some(child => isAnsweredPart(state, child))) {
      const message =
        'A resume in the middle of a message: that process sent it cut here, a later one sends it whole.'
      return [inform(state, prompt, 'dag/ambiguous-live', message)]
    }
    return []
  })
}

/** Whether a child goes on with its parent's message or answer, or with a result of its calls: nobody typed it. */
function goesOnFrom(state: State, parent: number, child: number): boolean {
  if (unitOf(state, child) === unitOf(state, parent)) return true
  if (!t.marked(state.table, parent, t.HasCalls)) return false
  return t.byte(state.table.kind, child) === t.Assistant || callAnswered(state, child) === parent
}

function isAnsweredPart(state: State, child: number): boolean {
  if (t.byte(state.table.kind, child) !== t.Assistant) return false
  return toolsOf(state, child).every(tool => resultFor(state, tool, child) !== t.none)
}

/** G1: rows that carry another session's id than their file: one diagnostic per file. */
function foreignRows(state: State): readonly Diagnostic[] {
  return filesInOrder(state).flatMap(file => {
    const { session, kind } = file.facts
    if (session === null || kind !== 'session') return []
    const foreign = file.nodes.filter(node => sessionOf(state, node) !== session)
    const first = foreign[0]
    if (first === undefined) return []
    const message = `${foreign.length} entries of the file carry the id of session ${sessionOf(state, first)}: copied from it, or the file was renamed.`
    return [inform(state, first, 'dag/foreign-session', message)]
  })
}

/** T2: calls without a result and results without a call. */
function toolEnds(state: State, tools: ToolSummary): readonly Diagnostic[] {
  return [
    ...tools.unanswered.map(({ id, node }) => {
      const message = `Call ${id} has no result: it was interrupted, or still runs.`
      return inform(state, node, 'dag/unanswered-call', message)
    }),
    ...tools.stray.map(({ id, node }) => {
      const message = `The result answers call ${id}, which is in no file read.`
      return warn(state, node, 'dag/stray-result', message)
    }),
  ]
}

/** A2, A7: agents that no call can be found for. */
function strangers(state: State, agents: readonly Agent[]): readonly Diagnostic[] {
  return agents
    .filter(agent => agent.state === 'orphaned' && agent.domain.roots.length > 0)
    .map(agent => {
      const helper = isCompactionAgent(agent.id)
      const message = helper
        ? `Agent ${agent.id} is a helper of a compaction; no call spawned it.`
        : `No call that spawned agent ${agent.id} was found: its parent's rows may be missing. It is kept as unknown.`
      const tell = helper ? inform : warn
      return tell(state, agent.domain.roots[0] ?? t.none, 'dag/unknown-agent', message)
    })
}

/** Results that name an agent whose transcript is not here. */
function missingAgents(state: State, agents: readonly Agent[]): readonly Diagnostic[] {
  const here = new Set(agents.map(agent => agent.id))
  const told = new Set<string>()
  const found: Diagnostic[] = []
  for (const node of spawnsInOrder(state)) {
    const entry = state.table.entries[node]
    const agent = entry?.kind === 'user' ? (entry.spawn?.agent ?? null) : null
    if (agent === null || here.has(agent) || told.has(agent) || isMate(state, node)) continue
    told.add(agent)
    const message = `The transcript of agent ${agent} is not in the project: it was deleted or not copied.`
    found.push(inform(state, node, 'dag/missing-agent-file', message))
  }
  return found
}

/** A9: agents of which only progress rows are left. */
function agentsInProgress(state: State, agents: readonly Agent[]): readonly Diagnostic[] {
  return agents
    .filter(({ source }) => source === 'progress')
    .map(({ id, domain }) => {
      const message = `The transcript of agent ${id} is not in the project: its messages are read from the progress rows of the session, which leave out its last answer.`
      return inform(state, domain.roots[0] ?? t.none, 'dag/missing-agent-file', message)
    })
}

function isMate(state: State, node: number): boolean {
  const entry = state.table.entries[node]
  return entry?.kind === 'user' && entry.spawn?.mate === true
}

/** Q3: typed, queued, never delivered. */
function lostInput(queues: Answers['queues']): readonly Diagnostic[] {
  return queues.flatMap(({ file, steps }) =>
    steps
      .filter(step => step.became === 'lost')
      .map(
        (step): Diagnostic => ({
          rule: 'dag/lost-input',
          severity: 'warning',
          file: file.facts.path,
          row: step.note.source.row,
          node: null,
          message: `Queued input was never delivered: ${JSON.stringify(step.note.text?.head ?? '')}`,
        }),
      ),
  )
}
