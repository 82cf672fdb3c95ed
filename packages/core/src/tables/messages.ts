/** Messages, tool calls and usage. */
import type { Line } from '../graph/lines.js'
import {
  isConversation,
  isUser,
  knownTimeOf,
  messageIdOf,
  messageOf,
  none,
  versionOf,
} from '../graph/nodes.js'
import { costOf } from '../measure/cost.js'
import { type Call, callsIn, fileAction } from '../measure/tools.js'
import { PARTS_OF_A_DOLLAR } from '../measure/usage-buckets.js'
import { isUndercounted, missingTokens } from '../measure/usage-messages.js'
import type { UsageRow } from '../model/billing.js'
import type { FileTouch, TableContext } from './context.js'
import { boolean, defineTable, double, integer, type Table, text, time } from './table.js'

interface MessageItem {
  /** The id of the API message; that of the entry where there is none. */
  readonly id: string
  readonly line: Line
  /** The entries that it has on its lines. */
  readonly nodes: readonly number[]
  readonly first: number
}

/** Each message once: its entries are parts of it, on whatever lines they are. */
function messagesOf({ graph, lines }: TableContext): readonly MessageItem[] {
  const items = new Map<string, MessageItem & { readonly nodes: number[] }>()
  for (const line of lines())
    for (const node of line.nodes) {
      if (!isConversation(graph, node)) continue
      const message = messageOf(graph, node)
      const id = message === none ? graph.id(node) : messageIdOf(graph, message)
      const known = items.get(id)
      if (known === undefined) items.set(id, { id, line, nodes: [node], first: node })
      else known.nodes.push(node)
    }
  return [...items.values()]
}

/** Y2: one row for each message, however many entries and transcripts it has. */
export const MESSAGES: Table = defineTable<MessageItem>('messages', {
  about:
    'A message of the conversation: a prompt, an answer of the model with all its parts, or an entry with tool results.',
  items: messagesOf,
  projectOf: ({ first }, { projectOf }) => projectOf(first),
  timeOf: ({ first }, { graph }) => knownTimeOf(graph, first),
  columns: {
    message: text('The id of the API message; the uuid of the entry where there is none.', ({ id }) => id),
    node: text('Its first entry.', ({ first }, { graph }) => graph.id(first)),
    session: text('The session whose conversation it is part of.', ({ line, first }, { sessionOf }) =>
      sessionOf(line, first),
    ),
    line: text('The trunk, branch or subagent that it is on: `branches.line`.', ({ line }) => line.id),
    status: text('What became of that line.', ({ line }) => line.status),
    agent: text('The id of the subagent; null in the main conversation.', ({ line }) => line.domain.agent),
    agent_name: text('The type of the subagent.', ({ line }, { agentOf }) => agentOf(line)?.name),
    role: text('`user` or `assistant`.', ({ first }, { graph }) =>
      isUser(graph, first) ? 'user' : 'assistant',
    ),
    type: text(
      'What a message of the user is: `prompt`, `result`, `command` and others; `assistant` for the model.',
      ({ first }, { graph }) => graph.node(first).type,
    ),
    starts_turn: boolean('Whether a turn begins with it.', ({ first }, { graph }) => graph.startsTurn(first)),
    model: text('The model that answered.', ({ id }, { usageOf }) => usageOf(id)?.model),
    head: text(
      'The first words of a prompt, as far as the index keeps them.',
      ({ first }, { graph }) => graph.node(first).head,
    ),
    entries: integer('How many entries it has.', ({ nodes }) => nodes.length),
    calls: integer('How many tool calls it makes.', ({ nodes }, { graph }) =>
      nodes.reduce((sum, node) => sum + callsIn(graph, node).length, 0),
    ),
    live: boolean('Whether the next request of some session carries it.', ({ nodes }, { labels }) =>
      nodes.some(node => labels().live[node] === 1),
    ),
    time: time('When its first entry was written.', ({ first }, { graph }) => knownTimeOf(graph, first)),
    version: text('The release of Claude Code that wrote it.', ({ first }, { graph }) => {
      const version = versionOf(graph, first)
      return version === '' ? null : version
    }),
  },
})

interface CallItem extends Call {
  readonly line: Line
}

function* callsOf({ graph, lines }: TableContext): Generator<CallItem> {
  for (const line of lines())
    for (const node of line.nodes) for (const call of callsIn(graph, node)) yield { ...call, line }
}

/** T1, T2: one row for each call, with how it ended. */
export const TOOL_CALLS: Table = defineTable<CallItem>('tool_calls', {
  about: 'A tool call, and how it ended.',
  items: callsOf,
  projectOf: ({ node }, { projectOf }) => projectOf(node),
  timeOf: ({ node }, { graph }) => knownTimeOf(graph, node),
  columns: {
    call: text('The id of the call.', ({ id }) => id),
    node: text('The entry that makes it.', ({ node }, { graph }) => graph.id(node)),
    message: text(
      'The id of the API message that makes it.',
      ({ node }, { graph }) => graph.node(node).message,
    ),
    session: text('The session whose conversation it is part of.', ({ line, node }, { sessionOf }) =>
      sessionOf(line, node),
    ),
    line: text('The trunk, branch or subagent that it is on: `branches.line`.', ({ line }) => line.id),
    status: text('What became of that line.', ({ line }) => line.status),
    agent: text('The id of the subagent; null in the main conversation.', ({ line }) => line.domain.agent),
    agent_name: text('The type of the subagent.', ({ line }, { agentOf }) => agentOf(line)?.name),
    tool: text('The name of the tool.', ({ tool }) => tool),
    ending: text(
      '`ok`, `error`, `denied`, `interrupted`, `spilled` (its result is in a file of its own) or `unanswered`.',
      ({ ending }) => ending ?? 'unanswered',
    ),
    result_node: text('The entry with the result; null where there is none.', ({ result }, { graph }) =>
      result === none ? null : graph.id(result),
    ),
    time: time('When the call was written.', ({ node }, { graph }) => knownTimeOf(graph, node)),
    result_time: time('When the result was written.', ({ result }, { graph }) => knownTimeOf(graph, result)),
    duration_ms: integer('From the call to its result, in milliseconds.', ({ node, result }, { graph }) => {
      const [from, to] = [knownTimeOf(graph, node), knownTimeOf(graph, result)]
      return from === null || to === null ? null : to - from
    }),
  },
})

/** T3, X4: one row for each API message that says what it used. */
export const USAGE: Table = defineTable<UsageRow>('usage', {
  about: 'What an API message used. Each message counts once over all transcripts, as in `dagline usage`.',
  items: ({ usage }) => usage,
  projectOf: ({ project }) => project,
  timeOf: row => row.time,
  columns: {
    message: text('The id of the API message.', ({ message }) => message),
    node: text('Its first entry: `nodes.node`.', ({ message }, { graph, firstOf }) => {
      const node = firstOf(message)
      return node === none ? null : graph.id(node)
    }),
    session: text('The session that it counts for.', ({ session }) => session),
    line: text(
      'The branch that it counts for; messages of subagents count for the branch that called them.',
      ({ line }) => line,
    ),
    status: text('What became of that branch.', ({ status }) => status),
    agent: text('The id of the subagent; null for the main conversation.', ({ agentId }) => agentId),
    agent_name: text('The type of the subagent.', ({ agent }) => agent),
    model: text('The model, as the API names it.', ({ model }) => model),
    tier: text('The service tier where it is not the standard one.', ({ tier }) => tier),
    speed: text('The speed where it is not the standard one, such as `fast`.', ({ speed }) => speed),
    geo: text('The region of inference where it is not the standard one.', ({ geo }) => geo),
    time: time('When its first part was written.', row => row.time),
    version: text('The release of Claude Code that wrote it.', ({ version }) => version),
    input: integer('Input tokens that no cache was used for.', ({ input }) => input),
    output: integer('Output tokens.', ({ output }) => output),
    cache_read: integer('Input tokens that were read from the cache.', ({ cacheRead }) => cacheRead),
    cache_write_5m: integer(
      'Tokens written to the cache for five minutes.',
      ({ cacheWrite5m }) => cacheWrite5m,
    ),
    cache_write_1h: integer('Tokens written to the cache for one hour.', ({ cacheWrite1h }) => cacheWrite1h),
    web_searches: integer('Web searches of the API.', ({ webSearches }) => webSearches),
    cost_usd: double(
      'The cost in dollars by list prices; null where no price is known.',
      (row, { prices }) => {
        const cost = costOf(row, prices)
        // As `usage` adds it up: in billionths of a dollar.
        return cost === null ? null : Math.round(cost * PARTS_OF_A_DOLLAR) / PARTS_OF_A_DOLLAR
      },
    ),
    missing_output: integer(
      'Output tokens that are missing at least, where the final usage was never written; else 0.',
      row => (isUndercounted(row) ? missingTokens(row) : 0),
    ),
  },
})

interface TouchItem extends FileTouch {
  readonly at: number
  readonly line: Line | null
}

/** X15: one row for each file that a call names. */
export const FILES: Table = defineTable<TouchItem>('files', {
  about: 'A file that a tool call names; `dagline files` adds them up.',
  *items({ graph, touches, nodeNamed }) {
    for (const touch of touches) {
      const at = nodeNamed(touch.node)
      if (at !== none) yield { ...touch, at, line: graph.lineOf(at) }
    }
  },
  projectOf: ({ at }, { projectOf }) => projectOf(at),
  timeOf: ({ at }, { graph }) => knownTimeOf(graph, at),
  columns: {
    path: text('The path as the call gives it.', ({ path }) => path),
    tool: text('The name of the tool.', ({ tool }) => tool),
    action: text('`read`, `edit`, `write` or `other`.', ({ tool }) => fileAction(tool)),
    node: text('The entry that makes the call.', ({ node }) => node),
    session: text('The session whose conversation it is part of.', ({ line, at }, { sessionOf }) =>
      sessionOf(line, at),
    ),
    line: text('The trunk, branch or subagent that it is on: `branches.line`.', ({ line }) => line?.id),
    status: text('What became of that line.', ({ line }) => line?.status),
    agent: text('The id of the subagent; null in the main conversation.', ({ line }) => line?.domain.agent),
    time: time('When the call was written.', ({ at }, { graph }) => knownTimeOf(graph, at)),
  },
})
