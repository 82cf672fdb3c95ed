/** E3: a point of the graph as a session of its own: the conversation up to it, as one line. */
import type { Graph } from '../graph/graph.js'
import {
  compactionAt,
  hasCalls,
  isApiError,
  isBoundary,
  isCarried,
  isConversation,
  isResult,
  isSidechain,
  isSummary,
  isThinkingOnly,
  isUser,
  none,
  rowOf,
  toolsOf,
} from '../graph/nodes.js'
import { type EntryId, entryId } from '../model/ids.js'
import type { SentConversation } from '../resume/conversation.js'
import { addBeginning, addEnd, addState, addTitle } from './new-rows.js'
import {
  type Change,
  COPY,
  createRowList,
  type EditCommand,
  type EditPlan,
  type RowList,
  type RowPatch,
} from './plan.js'
import { renamer } from './rename.js'
import { sentAt } from './sent.js'
import { agentFiles } from './sidecars.js'
import {
  type EditSource,
  isSendable,
  type NewSession,
  needsCleaning,
  rowLocation,
  titleOf,
  titleWith,
} from './source.js'

/** The plan of a session that ends at a node, or a sentence that says why there can be none. */
export function planCheckout(source: EditSource, node: number, target: NewSession): EditPlan | string {
  const title = agentTitle(source, node) ?? titleOf(source, source.graph.node(node).session)
  return planLine(source, [sentAt(source.graph, node)], {
    ...target,
    command: 'checkout',
    node,
    title: target.title ?? titleWith('checkout', title),
  })
}

/** A session that is written as one line. */
interface LineTarget extends NewSession {
  readonly command: EditCommand
  /** The node it comes from. */
  readonly node: number
  readonly title: string
}

/** The plan of a session that is one line of the given conversations, one after another. */
export function planLine(
  source: EditSource,
  conversations: readonly SentConversation[],
  target: LineTarget,
): EditPlan | string {
  const { graph } = source
  const { command, session, title } = target
  const rows = createRowList()
  const changes: Change[] = []
  const parts = conversations.map(each => withoutBareBoundary(source, withoutStray(source, each)))
  const first = parts.flatMap(({ sent }) => sent).find(node => isSendable(source, node)) ?? none
  const beginning = addBeginning(source, first, rows, session)
  const added = parts.flatMap(part => addConversation(source, part, rows, changes))
  if (added.length === 0) return 'There is nothing to send up to that point: choose a later one.'
  addState(source, target.node, rows)
  const promise = beginning === null ? added : [beginning, ...added]
  const nodes = parts.flatMap(part => part.nodes)
  const leaf = promise.at(-1) ?? entryId('')
  const end = nodes.findLastIndex(node => graph.id(node) === leaf)
  const isAtEnd = (node: number): boolean => nodes.indexOf(node) >= end
  addEnd(rows, source, target, { leaf, last: nodes[end] ?? none, nodes, isAtEnd })
  addTitle(rows, target, title)
  return {
    ...COPY,
    command,
    session,
    title,
    from: { session: graph.node(target.node).session, node: graph.id(target.node) },
    shape: 'line',
    rows: rows.rows,
    sidecars: agentFiles(graph, new Set(nodes)),
    changes,
    promise: promise.map(renamer(session)),
  }
}

/**
 * C4: a boundary whose summary is gone or empty is left out: a reader takes what stands behind it for unfinished. So is one
 * before which entries stay (C2): a resume would begin behind it.
 */
function withoutBareBoundary(source: EditSource, conversation: SentConversation): SentConversation {
  const { graph } = source
  const hasSummary = (boundary: number): boolean => {
    const { summary = none, followsLogical = false } = compactionAt(graph, boundary) ?? {}
    if (followsLogical && boundary !== conversation.nodes[0]) return false
    return conversation.sent.includes(summary) && isSendable(source, summary)
  }
  const isBare = (node: number): boolean => isBoundary(source.graph, node) && !hasSummary(node)
  return conversation.nodes.some(isBare)
    ? { ...conversation, nodes: conversation.nodes.filter(node => !isBare(node)) }
    : conversation
}

/** A conversation without results that nothing in it asks for, and without calls before a prompt that nothing answers. */
function withoutStray({ graph }: EditSource, conversation: SentConversation): SentConversation {
  const called = new Set<number>()
  const stray = openBeforePrompt(graph, conversation.sent)
  for (const node of conversation.sent) {
    const tools = toolsOf(graph, node)
    if (hasCalls(graph, node)) for (const tool of tools) called.add(tool)
    else if (tools.length > 0 && !tools.some(tool => called.has(tool))) stray.add(node)
  }
  if (stray.size === 0) return conversation
  const isKept = (node: number): boolean => !stray.has(node)
  const { nodes, sent, live, left } = conversation
  return {
    nodes: nodes.filter(isKept),
    sent: sent.filter(isKept),
    live: live.filter(isKept),
    left: [...stray, ...left],
  }
}

/** The process that wrote a conversation may have sent them (2.0.x, resumed in the middle of a message); no other does. */
function openBeforePrompt(graph: Graph, sent: readonly number[]): Set<number> {
  const prompt = sent.findLastIndex(node => isUser(graph, node) && !isResult(graph, node))
  const answered = new Set(sent.flatMap(node => (isResult(graph, node) ? toolsOf(graph, node) : [])))
  const isOpen = (node: number): boolean =>
    hasCalls(graph, node) && !toolsOf(graph, node).some(tool => answered.has(tool))
  return new Set(sent.slice(0, Math.max(0, prompt)).filter(isOpen))
}

/** Adds the rows of a conversation, and returns the uuids that are sent. What is left out is noted. */
function addConversation(
  source: EditSource,
  { nodes, left }: SentConversation,
  rows: RowList,
  changes: Change[],
): readonly EntryId[] {
  const { graph } = source
  const sent: EntryId[] = []
  for (const node of nodes) {
    const isMessage = isConversation(graph, node)
    if (isMessage && !isSendable(source, node)) {
      changes.push(change(source, node, 'empty-content', 'It has nothing that can be sent.'))
      continue
    }
    if (isMessage) sent.push(graph.id(node))
    const patch = patchFor(source, node)
    rows.add(rowLocation(source, node), isExtra(source, nodes, node) ? { ...patch, plain: true } : patch)
  }
  for (const node of left) changes.push(change(source, node, 'left-out', whyLeft(source, node)))
  return sent
}

function patchFor(source: EditSource, node: number): RowPatch {
  const { graph } = source
  return {
    ...(needsCleaning(source, node) ? { clean: true } : {}),
    ...(isBoundary(graph, node) ? { kept: null } : {}),
    ...(isSidechain(graph, node) ? { main: true } : {}),
    ...(isCarried(graph, node) ? { carried: graph.id(node) } : {}),
  }
}

/** Whether a summary is not that of the compaction which the conversation begins with: a later one has kept it. */
function isExtra({ graph }: EditSource, nodes: readonly number[], node: number): boolean {
  if (!isSummary(graph, node)) return false
  const [first = none] = nodes
  return first !== node && compactionAt(graph, first)?.summary !== node
}

/** A change at a node. */
export function change({ graph }: EditSource, node: number, what: string, why: string): Change {
  return { what, node: graph.id(node), row: rowOf(graph, node), why }
}

function whyLeft({ graph }: EditSource, node: number): string {
  if (isApiError(graph, node)) return 'It is a notice of a failed request, which is never sent.'
  if (isThinkingOnly(graph, node)) return 'It is thinking without an answer, which is not sent.'
  if (hasCalls(graph, node)) return 'Nothing answers the call; it would make the request invalid.'
  if (isResult(graph, node)) return 'Nothing before it asks for this result.'
  return 'It is not part of what is sent.'
}

/** What an agent's conversation is called: by its type and what it was to do. */
function agentTitle({ graph }: EditSource, node: number): string | null {
  const { agent } = graph.node(node)
  const found = agent === null ? undefined : graph.agents().find(({ id }) => id === agent)
  if (found === undefined) return null
  const { name, meta } = found
  return meta?.description == null ? name : `${name}: ${meta.description}`
}
