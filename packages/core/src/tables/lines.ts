/** How conversations divide: lines, forks, subagents, compactions, and what was typed ahead. */
import type { Epoch } from '../graph/epochs.js'
import type { FileRecord } from '../graph/file-record.js'
import { type Fork, isRewind } from '../graph/fork-list.js'
import type { Line } from '../graph/lines.js'
import { knownTimeOf, none } from '../graph/nodes.js'
import { addTime, emptyRange, type TimeRange } from '../graph/order.js'
import type { QueueStep } from '../graph/queue.js'
import { type ListedAgent, listAgents } from '../measure/agent-list.js'
import { branchOf } from '../measure/usage-messages.js'
import type { TableContext } from './context.js'
import { boolean, defineTable, integer, type Table, text, time } from './table.js'

interface LineItem extends TimeRange {
  readonly line: Line
  readonly fork: Fork | null
}

function linesOf({ graph, lines }: TableContext): readonly LineItem[] {
  const forks = new Map(graph.forks().flatMap(fork => fork.branches.map(head => [head, fork] as const)))
  return lines().map(line => {
    const range = emptyRange()
    for (const node of line.nodes) addTime(range, knownTimeOf(graph, node))
    return { line, ...range, fork: forks.get(line.head ?? none) ?? null }
  })
}

/** L1: one row for each line; each entry of `nodes` is on exactly one, or a copy. */
export const BRANCHES: Table = defineTable<LineItem>('branches', {
  about: 'A line of the conversation: the trunk of a session, a branch, or a subagent.',
  items: linesOf,
  projectOf: ({ line }, context) => projectOfLine(line, context),
  timeOf: ({ first }) => first,
  columns: {
    line: text('The id of the line, which is a REF.', ({ line }) => line.id),
    kind: text('`trunk`, `branch` or `agent`.', ({ line }) => line.kind),
    status: text('`live`, `abandoned`, `taken-back`, `retry` or `copy`.', ({ line }) => line.status),
    branch: text(
      'The branch that its usage counts for: `usage.line`.',
      ({ line }, { graph }) => branchOf(graph, line).id,
    ),
    session: text('The session of the line.', ({ line }, { sessionOf }) => sessionOf(line, none)),
    agent: text('The id of the subagent; null in the main conversation.', ({ line }) => line.domain.agent),
    agent_name: text('The type of the subagent.', ({ line }, { agentOf }) => agentOf(line)?.name),
    head: text('Its first entry.', ({ line }, { graph }) =>
      line.head === null ? null : graph.id(line.head),
    ),
    at: text('The entry of another line that it hangs on.', ({ line }, { graph }) =>
      line.at === null ? null : graph.id(line.at),
    ),
    fork_kind: text('The kind of fork that it begins at, such as `rewind`.', ({ fork }) => fork?.kind),
    entries: integer('How many entries are on it.', ({ line }) => line.nodes.length),
    turns: integer('How many turns begin on it.', ({ line }, { graph }) =>
      line.nodes.reduce((sum, node) => sum + (graph.startsTurn(node) ? 1 : 0), 0),
    ),
    prompt: text('The first words of its first turn.', ({ line }, { graph }) => {
      const prompt = line.nodes.find(node => graph.startsTurn(node))
      return prompt === undefined ? null : graph.node(prompt).head
    }),
    first: time('When its first entry was written.', ({ first }) => first),
    last: time('When its last entry was written.', ({ last }) => last),
  },
})

/** The project of its first entry; an empty line has that of its session. */
function projectOfLine({ nodes, domain }: Line, { projectOf, sessions, files }: TableContext): string {
  const [first] = nodes
  if (first !== undefined) return projectOf(first)
  const own = sessions.find(({ session }) => session === domain.session)?.project
  return own ?? [...files.values()][0]?.project ?? ''
}

/** F1-F14: one row for each fork. */
export const FORKS: Table = defineTable<Fork>('forks', {
  about: 'An entry with several children, and the verdict on it.',
  items: ({ graph }) => graph.forks(),
  projectOf: ({ at, children }, { projectOf }) => projectOf(at ?? children[0] ?? none),
  timeOf: ({ at, children }, { graph }) => knownTimeOf(graph, at ?? children[0] ?? none),
  columns: {
    node: text('The entry; null where a conversation has several roots.', ({ at }, { graph }) =>
      at === null ? null : graph.id(at),
    ),
    session: text('The session whose conversation it is part of.', (fork, context) => {
      const domain = context.domainOf(fork.domain)
      return domain?.session
    }),
    agent: text(
      'The id of the subagent; null in the main conversation.',
      (fork, { domainOf }) => domainOf(fork.domain)?.agent,
    ),
    kind: text('What happened: `rewind`, `two-writers`, `parallel` and others.', ({ kind }) => kind),
    rewind: boolean('Whether it makes branches: by a rewind, or because two processes wrote.', fork =>
      isRewind(fork),
    ),
    rule: text('The rule of docs/SPEC.md that says so.', ({ rule }) => rule),
    children: integer('How many children it has.', ({ children }) => children.length),
    branches: integer('How many of them begin a branch.', ({ branches }) => branches.length),
    copies: integer('How many of them repeat another one.', ({ copies }) => copies.length),
    evidence: text('Why, in one sentence.', ({ evidence }) => evidence),
    time: time('When the entry was written.', ({ at, children }, { graph }) =>
      knownTimeOf(graph, at ?? children[0] ?? none),
    ),
  },
})

/** X13: one row for each subagent, and for each call that left none. */
export const SUBAGENTS: Table = defineTable<ListedAgent>('subagents', {
  about: 'A subagent, or a call for one that left no conversation.',
  items: ({ graph }) => listAgents(graph),
  projectOf: ({ node }, context) => projectOfAgent(node, context),
  timeOf: ({ first }) => first,
  columns: {
    agent: text('Its id; null where the call left no conversation.', ({ agent }) => agent),
    session: text('The session that it is part of.', ({ session }) => session),
    line: text('Its line: `branches.line`.', ({ line }) => line),
    name: text('Its type, such as `Explore`.', ({ name }) => name),
    description: text('What it was for, as far as that is kept.', ({ description }) => description),
    state: text(
      '`complete`, `incomplete`, `orphaned`, `warmup`, `empty` or `missing`.',
      ({ state }) => state,
    ),
    depth: integer('1 for a subagent of the session, 2 for one of such a subagent.', ({ depth }) => depth),
    node: text('Its first entry, or its call where it left none.', ({ node }) => node),
    turns: integer('How many prompts it got.', ({ turns }) => turns),
    tool_calls: integer('How many tools it called.', ({ tools }) => tools),
    errors: integer('How many calls and requests of it failed.', ({ errors }) => errors),
    first: time('When it was called or began.', ({ first }) => first),
    last: time('When its last entry was written.', ({ last }) => last),
    duration_ms: integer('How long it worked, in milliseconds.', ({ duration }) => duration),
  },
})

function projectOfAgent(node: string | null, { nodeNamed, projectOf, files }: TableContext): string {
  const at = node === null ? none : nodeNamed(node)
  return at === none ? ([...files.values()][0]?.project ?? '') : projectOf(at)
}

/** C3: one row for each compaction. */
export const COMPACTIONS: Table = defineTable<Epoch>('compactions', {
  about: 'A compaction.',
  items: ({ graph }) => graph.epochs(),
  projectOf: ({ boundary }, { projectOf }) => projectOf(boundary),
  timeOf: ({ boundary }, { graph }) => knownTimeOf(graph, boundary),
  columns: {
    node: text('The entry of its boundary.', ({ boundary }, { graph }) => graph.id(boundary)),
    session: text('The session whose conversation it is part of.', ({ boundary }, { graph, sessionOf }) =>
      sessionOf(graph.lineOf(boundary), boundary),
    ),
    line: text(
      'The line that it is on: `branches.line`.',
      ({ boundary }, { graph }) => graph.lineOf(boundary)?.id,
    ),
    status: text('What became of that line.', ({ boundary }, { graph }) => graph.lineOf(boundary)?.status),
    agent: text(
      'The id of the subagent; null in the main conversation.',
      ({ boundary }, { graph }) => graph.lineOf(boundary)?.domain.agent,
    ),
    trigger: text('`auto` or `manual`.', ({ trigger }) => trigger),
    tokens_before: integer('Tokens of the context before.', ({ preTokens }) => preTokens),
    tokens_after: integer('Tokens of the context after.', ({ postTokens }) => postTokens),
    duration_ms: integer('How long it took, in milliseconds.', ({ durationMs }) => durationMs),
    preserved: integer('How many entries it kept.', ({ preserved }) => preserved.length),
    summary: text('The entry with the summary; null where it was not finished.', ({ summary }, { graph }) =>
      summary === null ? null : graph.id(summary),
    ),
    time: time('When it was written.', ({ boundary }, { graph }) => knownTimeOf(graph, boundary)),
  },
})

interface QueueItem extends QueueStep {
  readonly file: FileRecord
}

/** Q1: one row for each operation on a queue. */
export const QUEUE: Table = defineTable<QueueItem>('queue', {
  about: 'An operation on the queue of messages that were typed during a turn.',
  *items({ graph }) {
    for (const { file, steps } of graph.queues()) for (const step of steps) yield { ...step, file }
  },
  projectOf: ({ file }, { files }) => files.get(file.facts.path)?.project ?? '',
  timeOf: ({ note }) => note.time,
  columns: {
    session: text('The session of the transcript.', ({ file }) => file.facts.session),
    transcript: text('The path of the transcript below the root.', ({ file }) => file.facts.path),
    row: integer('The number of its row there, from 1.', ({ note }) => note.source.row),
    operation: text('`enqueue`, `dequeue`, `remove` or `popAll`.', ({ note }) => note.operation),
    became: text(
      'What became of the text: `prompt`, `merged`, `attachment`, `notification`, `recalled`, `dequeued`, `lost` or `unknown`.',
      ({ became }) => became,
    ),
    node: text('The entry that it became.', ({ node }, { graph }) => (node === null ? null : graph.id(node))),
    head: text('The first words of the text, as far as the index keeps them.', ({ note }) => note.text?.head),
    time: time('When it was written.', ({ note }) => note.time),
  },
})
