/** D19: from the loader's chain to the entries that the first request carries. */

import type { Graph } from '../graph/graph.js'
import {
  findTool,
  hasCalls,
  isApiError,
  isAssistant,
  isConversation,
  isInFile,
  isResult,
  isThinkingOnly,
  isUser,
  kindOf,
  messageIdOf,
  messageOf,
  none,
  partsOf,
  resultsOf,
  subtypeOf,
  timeOf,
  toolsOf,
  unitOf,
} from '../graph/nodes.js'
import { pushTo } from '../model/group.js'
import { BlankString, NoMessageId, NothingToSend, Unsigned } from './content-marks.js'
import type { Release } from './releases.js'
import { type LoadedRows, NAMELESS } from './rows.js'
import type { ContentMarks } from './survey.js'

/** A chain that is about to be sent. */
interface Sending {
  readonly loaded: LoadedRows
  readonly chain: readonly number[]
  readonly release: Release
  readonly marks: ContentMarks
  readonly index: MessageIndex
}

/** Parts of messages and results of calls among the rows that the loader has read. */
interface MessageIndex {
  readonly partsOf: (message: number) => readonly number[]
  readonly resultsOf: (tool: number) => readonly number[]
}

/** The graph knows each uuid once; where the loader takes another row for one, the file is indexed again. */
function indexMessages({ graph, rows, hasOtherRows }: LoadedRows): MessageIndex {
  if (!hasOtherRows)
    return { partsOf: message => partsOf(graph, message), resultsOf: tool => resultsOf(graph, tool) }
  const [parts, results] = [new Map<number, number[]>(), new Map<number, number[]>()]
  for (const row of rows) {
    const message = messageOf(graph, row)
    if (isAssistant(graph, row) && message !== none) pushTo(parts, message, row)
    if (!isResult(graph, row) || !isUser(graph, row)) continue
    for (const tool of toolsOf(graph, row)) pushTo(results, tool, row)
  }
  return { partsOf: message => parts.get(message) ?? [], resultsOf: tool => results.get(tool) ?? [] }
}

/** The user and assistant entries that are sent, in order. */
export function sentOf(options: Omit<Sending, 'index'>): readonly number[] {
  const sending: Sending = { ...options, index: indexMessages(options.loaded) }
  const chain = messagesOn(sending)
  const whole = sending.release.gathers === 'nothing' ? chain : gather(sending, chain)
  const nameless = namelessTools(sending, whole)
  const answering = withoutStrayResults(sending, whole, nameless)
  const paired = withoutOpenCalls(sending, answering, nameless)
  const spoken = spokenAnswers(sending, paired)
  const left = paired.filter(node => !isLeftOut(sending, node, spoken))
  return withoutJoinedBlanks(sending, joinAnswers(options.loaded.graph, left, options.marks))
}

/**
 * D22: clients join parts of an answer by its message id, looking back over other answers and over messages of the user with a
 * result in them: answers without an id become one, and come before what stands between them. A result that then no
 * longer follows the answer of its call is not sent.
 */
export function joinAnswers(graph: Graph, nodes: readonly number[], marks: ContentMarks): readonly number[] {
  if (marks.size === 0 || !nodes.some(node => isBare(graph, node, marks))) return nodes
  const turns = turnsOf(graph, nodes, marks)
  return turns.flatMap((turn, at) => {
    const calls = new Set(turns[at - 1]?.flatMap(node => (hasCalls(graph, node) ? toolsOf(graph, node) : [])))
    const isCalled = (node: number): boolean => toolsOf(graph, node).some(tool => calls.has(tool))
    return at === 0 ? turn : turn.filter(node => !isResult(graph, node) || isCalled(node))
  })
}

/** Answers and messages of the user in turn, as the client joins their entries. */
function turnsOf(
  graph: Graph,
  nodes: readonly number[],
  marks: ContentMarks,
): readonly (readonly number[])[] {
  const turns: number[][] = []
  const answers = new Map<number, number[]>()
  let ofUser: number[] | null = null
  let hasResult = false
  for (const node of nodes) {
    if (isUser(graph, node)) {
      if (ofUser === null) hasResult = false
      ofUser = continued(turns, ofUser, node)
      hasResult ||= isResult(graph, node)
      continue
    }
    if (ofUser !== null && !hasResult) answers.clear()
    const unit = answerIn(graph, node, marks)
    const answer = answers.get(unit) ?? null
    answers.set(unit, continued(turns, answer, node))
    if (answer === null) ofUser = null
  }
  return turns
}

/** Whether an answer has no message id. */
function isBare(graph: Graph, node: number, marks: ContentMarks): boolean {
  return ((marks.get(graph.id(node)) ?? 0) & NoMessageId) !== 0
}

/** The turn with a node added to it; a new one where there is none. */
function continued(turns: number[][], turn: number[] | null, node: number): number[] {
  if (turn !== null) {
    turn.push(node)
    return turn
  }
  turns.push([node])
  return turns.at(-1) ?? []
}

/**
 * Neighbours of the user are one message to the client, which leaves blank texts out of it. A blank string that is a message
 * by itself is sent as it is.
 */
function withoutJoinedBlanks(sending: Sending, nodes: readonly number[]): readonly number[] {
  const { loaded, release, marks } = sending
  const { graph } = loaded
  const isOfUser = (node: number | undefined): boolean => node !== undefined && isUser(graph, node)
  const isBlank = (node: number): boolean =>
    isOfUser(node) && ((marks.get(graph.id(node)) ?? 0) & BlankString) !== 0
  if (marks.size === 0 || !release.dropsBlankPrompts || !nodes.some(isBlank)) return nodes
  const joined = besideJoiningAttachments(sending)
  return nodes.filter((node, at) => {
    if (!isBlank(node)) return true
    const isJoined = at === 0 ? release.joinsFirstPrompt : isOfUser(nodes[at - 1])
    return !isJoined && !joined.has(node) && !isOfUser(nodes[at + 1])
  })
}

/** Attachments that the client writes into the message of the user beside them; others are messages of their own. */
const JOINING = new Set(['file', 'fork_briefing', 'instructions', 'remote_session_change'])

/** The messages on the chain that stand next to such an attachment. */
function besideJoiningAttachments({ loaded: { graph, rows }, chain }: Sending): ReadonlySet<number> {
  const beside = new Set<number>()
  let above: number = none
  let isJoining = false
  for (const place of chain) {
    const node = rows[place] ?? none
    if (isConversation(graph, node)) {
      if (isJoining) beside.add(node)
      above = node
      isJoining = false
    } else if (kindOf(graph, node) === 'attachment' && JOINING.has(subtypeOf(graph, node))) {
      beside.add(above)
      isJoining = true
    }
  }
  return beside
}

function messagesOn({ loaded: { graph, rows }, chain }: Sending): readonly number[] {
  return chain.map(place => rows[place] ?? none).filter(node => isConversation(graph, node))
}

/** Every message on the chain with all its parts, and the results of their calls. */
function gather(sending: Sending, chain: readonly number[]): readonly number[] {
  return sending.release.gathers === 'by-parent' ? withLostBehind(sending, chain) : withParts(sending, chain)
}

/** The message of an answer; `none` for entries of the user. */
function answerOf(graph: Graph, node: number): number {
  return isAssistant(graph, node) ? messageOf(graph, node) : none
}

/** Parts and results come where the first part of the message stands. */
function withParts(sending: Sending, chain: readonly number[]): readonly number[] {
  const gathered = new Set<number>()
  const onChain = new Set(chain)
  for (const node of chain) {
    const message = answerOf(sending.loaded.graph, node)
    const parts = message === none ? [node] : loadedParts(sending, message)
    for (const part of parts) gathered.add(part)
    for (const part of parts) for (const result of resultsBeside(sending, part, onChain)) gathered.add(result)
  }
  return [...gathered]
}

/**
 * What is beside the chain comes behind the last part on it, and so before the results on it: where history stands there
 * twice, the results of the other copy are the first.
 */
function withLostBehind(sending: Sending, chain: readonly number[]): readonly number[] {
  const { graph } = sending.loaded
  const onChain = new Set(chain)
  const lastParts = new Map(chain.map(node => [answerOf(graph, node), node]))
  return chain.flatMap(node => {
    const message = answerOf(graph, node)
    if (message === none || lastParts.get(message) !== node) return [node]
    const parts = loadedParts(sending, message)
    const results = parts.flatMap(part => resultsBeside(sending, part, onChain))
    const isLost = (each: number): boolean => !onChain.has(each)
    return [
      node,
      ...byTime(graph, parts.filter(isLost)),
      ...byTime(graph, [...new Set(results)].filter(isLost)),
    ]
  })
}

function byTime(graph: Graph, nodes: readonly number[]): readonly number[] {
  return nodes.toSorted((a, b) => timeOf(graph, a) - timeOf(graph, b))
}

function loadedParts({ loaded, index }: Sending, message: number): readonly number[] {
  return index.partsOf(message).filter(part => isLoaded(loaded, part))
}

/**
 * The results of a part's calls that hang on a part of its message. For a call that has none there, and none on the chain,
 * newer releases take those that stand anywhere in the file.
 */
function resultsBeside(
  { loaded, index, release }: Sending,
  part: number,
  onChain: ReadonlySet<number>,
): readonly number[] {
  const { graph } = loaded
  const message = messageOf(graph, part)
  if (message === none || !hasCalls(graph, part)) return []
  const hangsOnIt = (result: number): boolean => isPartOf(graph, parentIn(loaded, result), message)
  return toolsOf(graph, part).flatMap(tool => {
    const here = index.resultsOf(tool).filter(result => isLoaded(loaded, result))
    const beside = here.filter(hangsOnIt)
    const isFound = beside.length > 0 || here.some(result => onChain.has(result))
    return isFound || release.gathers === 'by-parent' ? beside : here
  })
}

/** Of a session that was copied a thousand times, a thousand files have the entry: a look at the file comes first. */
function isLoaded({ graph, file, places, rows, dropped }: LoadedRows, node: number): boolean {
  if (!isInFile(graph, node, file)) return false
  const place = places.get(graph.id(node)) ?? none
  return rows[place] === node && dropped[place] === 0
}

function parentIn({ graph, places, parents, rows }: LoadedRows, node: number): number {
  const place = places.get(graph.id(node)) ?? none
  return rows[parents[place] ?? none] ?? none
}

function isPartOf(graph: Graph, node: number, message: number): boolean {
  return node !== none && isAssistant(graph, node) && messageOf(graph, node) === message
}

/** Tools that the entry without a uuid calls or answers, where it is sent. */
interface NamelessTools {
  readonly calls: readonly number[]
  readonly results: readonly number[]
  /** It is the end of the chain, and no open call stands there. */
  readonly isEnd: boolean
}

const NO_TOOLS: NamelessTools = { calls: [], results: [], isEnd: false }

/** It is sent where it stands on the chain, is a part of a message that is, or answers a call of one like other results. */
function namelessTools(sending: Sending, nodes: readonly number[]): NamelessTools {
  const { loaded, chain, release } = sending
  const { graph, rows, nameless } = loaded
  if (nameless === null) return NO_TOOLS
  const calls = nameless.calls.map(id => findTool(graph, id))
  const results = nameless.results.map(id => findTool(graph, id))
  const isOnChain = chain.some(place => rows[place] === NAMELESS)
  const isGathered = release.gathers !== 'nothing' && isBesideOf(sending, nodes, results)
  if (!isOnChain && !isGathered) return NO_TOOLS
  const isEnd = rows[chain.at(-1) ?? none] === NAMELESS && nameless.calls.length === 0
  return { calls, results, isEnd }
}

function isBesideOf(
  { loaded, index, release }: Sending,
  nodes: readonly number[],
  results: readonly number[],
): boolean {
  const { graph, nameless, rows, parents } = loaded
  if (nameless?.message != null && nodes.some(node => nameless.message === answerIdOf(graph, node)))
    return true
  const parent = rows[parents[rows.indexOf(NAMELESS)] ?? none] ?? none
  const answered = nodes.filter(node => toolsOf(graph, node).some(tool => results.includes(tool)))
  return answered.some(
    node =>
      hasCalls(graph, node) &&
      (parent === node ||
        isPartOf(graph, parent, answerOf(graph, node)) ||
        (release.gathers === 'by-call' &&
          !results.some(tool => index.resultsOf(tool).some(each => isLoaded(loaded, each))))),
  )
}

function answerIdOf(graph: Graph, node: number): string | null {
  const message = answerOf(graph, node)
  return message === none ? null : messageIdOf(graph, message)
}

/** Results that are left out: those without a call, where they are not the first message, and further ones. */
function withoutStrayResults(
  { loaded: { graph }, release }: Sending,
  nodes: readonly number[],
  nameless: NamelessTools,
): readonly number[] {
  if (!release.dropsStrayResults) return nodes
  const calling = nodes.filter(node => hasCalls(graph, node))
  const asked = new Set([...calling.flatMap(node => toolsOf(graph, node)), ...nameless.calls])
  const answered = new Set<number>()
  return nodes.filter((node, nth) => {
    if (!isResult(graph, node)) return true
    const called = toolsOf(graph, node).filter(tool => asked.has(tool))
    const fresh = called.filter(tool => !answered.has(tool))
    for (const tool of fresh) answered.add(tool)
    return release.dropsFurtherResults ? fresh.length > 0 : called.length > 0 || nth === 0
  })
}

/** Entries whose calls have no result at all are left out, unless the client makes results up for them. */
function withoutOpenCalls(
  sending: Sending,
  nodes: readonly number[],
  nameless: NamelessTools,
): readonly number[] {
  const { graph } = sending.loaded
  const answered = new Set(nodes.flatMap(node => (isResult(graph, node) ? toolsOf(graph, node) : [])))
  for (const tool of nameless.results) answered.add(tool)
  const isOpen = (node: number): boolean =>
    hasCalls(graph, node) && !toolsOf(graph, node).some(tool => answered.has(tool))
  const open = new Set(nodes.filter(isOpen))
  if (open.size === 0) return nodes
  const isClosing = sending.release.closesOpenCalls && !nameless.isEnd
  const closed = isClosing ? closedCalls(sending, nodes, open) : new Set<number>()
  return nodes.filter(node => !open.has(node) || closed.has(node))
}

/** The client closes calls since the last prompt: all where a result is the last of what is left, else those of the last answer. */
function closedCalls(
  sending: Sending,
  nodes: readonly number[],
  open: ReadonlySet<number>,
): ReadonlySet<number> {
  const { loaded, marks } = sending
  const { graph } = loaded
  const prompt = nodes.findLastIndex(node => isUser(graph, node) && !isResult(graph, node))
  const recent = new Set(nodes.slice(prompt + 1))
  if (isResult(graph, nodes.findLast(node => !open.has(node)) ?? none)) return recent
  const spoken = spokenAnswers(sending, nodes)
  const spokenNodes = nodes.filter(node => isUser(graph, node) || spoken.has(answerIn(graph, node, marks)))
  // Where parts of an earlier answer stand behind the last one, this is still the one that began last.
  const last = turnsOf(graph, spokenNodes, marks).findLast(([first = none]) => isAssistant(graph, first))
  return new Set(last?.filter(node => recent.has(node)))
}

/** The answer that an entry is a part of, to the client. */
function answerIn(graph: Graph, node: number, marks: ContentMarks): number {
  return isBare(graph, node, marks) ? JOINED : unitOf(graph, node)
}

/** The unit of all answers without a message id. */
const JOINED = -2

/** Entries that are loaded and never sent. */
function isLeftOut(
  { loaded: { graph }, release, marks }: Sending,
  node: number,
  spoken: ReadonlySet<number>,
): boolean {
  if (release.dropsNotices && isApiError(graph, node)) return true
  if (isUser(graph, node)) {
    const mark = marks.get(graph.id(node)) ?? 0
    return release.dropsBlankPrompts && isHollow(mark) && (mark & BlankString) === 0
  }
  if (!release.dropsHollow) return false
  if (isHollow(marks.get(graph.id(node)) ?? 0)) return true
  if (!isThinkingOnly(graph, node)) return false
  return !spoken.has(answerIn(graph, node, marks))
}

/** Nothing but empty text; thinking without a signature is another matter. */
export function isHollow(mark: number): boolean {
  return (mark & NothingToSend) !== 0 && (mark & Unsigned) === 0
}

/** The answers that say more than thinking. */
function spokenAnswers({ loaded: { graph }, marks }: Sending, nodes: readonly number[]): ReadonlySet<number> {
  const spoken = nodes.filter(node => isAssistant(graph, node) && !isThinkingOnly(graph, node))
  return new Set(spoken.map(node => answerIn(graph, node, marks)))
}
