import { conversationEntries, type Draft } from '../edit/draft.js'
import { addedRecord } from '../edit/new-rows.js'
import { partsOnChain, partsStaying } from '../edit/open-calls.js'
import { deriveId } from '../edit/rename.js'
import {
  compactionAt,
  hasCalls,
  isBoundary,
  isInFile,
  isResult,
  isThinkingOnly,
  isUser,
  liveChain,
  liveLeaf,
  none,
  resultFor,
  timeOf,
  toolIdOf,
  toolsOf,
  unitOf,
} from '../graph/nodes.js'
import { groupBy } from '../model/group.js'
import type { ConversationItem, InsertedRow, PromisedConversation } from '../resume/conversation.js'
import { counted, type EntriesFinding, type FaultKind, findingFor } from './fault.js'

/** D7: calls that never got a result. */
export const unansweredCall: FaultKind<EntriesFinding> = {
  id: 'unanswered-call',
  rule: 'D7',
  title: 'calls without a result',
  meaning: 'A tool was called and its result never written: the process was killed, or the row is gone.',
  cost: 'A resume answers the last calls with a made-up error and leaves others out; releases before 2.1.41 can be refused (400).',
  remedy: 'The repair adds a result that says that none was recorded.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file, live, loaded } = context
    const open = graph.tools().unanswered.filter(({ node }) => isInFile(graph, node, file))
    const [first] = open
    if (first === undefined) return []
    const lost = new Set(context.lost)
    const isLoaded = new Set(loaded.nodes)
    const isLosing = open.some(({ node }) => lost.has(node))
    const sent = open.filter(({ node }) => live.has(node) || isLoaded.has(node)).length
    const where = sent === 0 ? 'none of them live' : `${sent} live`
    const message = `${counted(open.length, 'call has', 'calls have')} no result, ${where}; the first is ${first.id}.`
    const nodes = open.map(({ node }) => node)
    const found = findingFor(context, nodes, isLosing ? 'error' : 'info', message)
    return found.map(each => (isLosing ? each : { ...each, fix: null }))
  },
  stages: ['calls'],
  repair: (draft, found) => {
    for (const { nodes } of found) answerCalls(draft, new Set(nodes))
  },
}

/**
 * Each call of a message on the chain gets a result that says that there is none, behind the rows of its message; what was left
 * out of the conversation because of it comes back. All messages are repaired in one pass: there may be thousands of them.
 *
 *   u1 a1[t1]    u2 a2  ->  u1 a1[t1] (no result of t1) u2 a2
 */
function answerCalls(draft: Draft, found: ReadonlySet<number>): void {
  const { graph } = draft
  const promised = draft.promised()
  const chain = liveChain(graph, draft.standIn(liveLeaf(graph, draft.file))).toReversed()
  const isCarried = carriedOn(draft, chain[0] ?? none)
  const atEnd = new Set(promised.slice(endOfTurns(draft, promised)))
  const unanswered = partsOnChain(draft, chain).filter(
    node => found.has(node) && isCarried(node) && !atEnd.has(node),
  )
  const open = groupBy(unanswered, node => unitOf(graph, node))
  if (open.size > 0) draft.promise(withUnits(draft, promised, chain, open))
}

/** Where the calls and results begin that a conversation ends with: the client answers such calls itself. */
function endOfTurns({ graph }: Draft, conversation: PromisedConversation): number {
  const isOfTurn = (item: ConversationItem): boolean =>
    typeof item === 'number' &&
    (hasCalls(graph, item) || isResult(graph, item) || isThinkingOnly(graph, item))
  return conversation.findLastIndex(item => !isOfTurn(item)) + 1
}

/** Whether an entry is sent behind the compaction that a chain begins with: of what stands before it only what was kept. */
function carriedOn({ graph }: Draft, first: number): (node: number) => boolean {
  const kept = new Set(compactionAt(graph, first)?.preserved)
  return isBoundary(graph, first) ? node => node > first || kept.has(node) : () => true
}

/** A conversation with messages whole: their parts, the calls that were left out among them, and all results. */
function withUnits(
  draft: Draft,
  conversation: PromisedConversation,
  chain: readonly number[],
  open: ReadonlyMap<number, readonly number[]>,
): readonly ConversationItem[] {
  const { graph } = draft
  const entries = conversationEntries(conversation)
  const inUnits = entries.filter(node => open.has(unitOf(graph, node)))
  const known = groupBy(inUnits, node => unitOf(graph, node))
  const ends = new Map<number, ConversationItem>(entries.map(node => [unitOf(graph, node), node]))
  const rows = lastRows(draft, open)
  const places = new Map<number, number>()
  for (const [place, node] of chain.entries())
    if (open.has(unitOf(graph, node)) && !places.has(unitOf(graph, node)))
      places.set(unitOf(graph, node), place)
  const merged = new Map<ConversationItem, readonly ConversationItem[]>()
  const behind = new Map<ConversationItem | null, readonly ConversationItem[]>()
  const present = new Set<ConversationItem>(conversation)
  for (const [unit, calls] of open) {
    const had = known.get(unit) ?? []
    const whole = wholeUnit(draft, calls, had, rows.get(unit) ?? calls[0] ?? none)
    const [first] = had
    if (first !== undefined) merged.set(first, whole)
    else {
      let place = (places.get(unit) ?? 0) - 1
      while (place >= 0 && !present.has(chain[place] ?? none)) place--
      behind.set(place < 0 ? null : (ends.get(unitOf(graph, chain[place] ?? none)) ?? null), whole)
    }
    for (const item of whole) present.add(item)
    ends.set(unit, whole.at(-1) ?? none)
  }
  const replaced = new Set<ConversationItem>([...known.values()].flat())
  return assembled(
    conversation.flatMap(item => merged.get(item) ?? (replaced.has(item) ? [] : [item])),
    behind,
  )
}

/** The conversation with messages put in behind the entries that they follow; those may have been put in as well. */
function assembled(
  conversation: PromisedConversation,
  behind: ReadonlyMap<ConversationItem | null, readonly ConversationItem[]>,
): readonly ConversationItem[] {
  const result: ConversationItem[] = []
  const put = (start: readonly ConversationItem[]): void => {
    for (let items: readonly ConversationItem[] | undefined = start; items !== undefined; ) {
      result.push(...items)
      items = behind.get(items.at(-1) ?? null)
    }
  }
  put(behind.get(null) ?? [])
  for (const item of conversation) put([item])
  return result
}

/** A message with all that belongs to it: its parts, the results that it had, and those that are inserted. */
function wholeUnit(
  draft: Draft,
  calls: readonly number[],
  had: readonly number[],
  row: number,
): readonly ConversationItem[] {
  const wanted = new Set([...had, ...calls])
  const parts = partsStaying(draft, calls[0] ?? none).filter(
    part => wanted.has(part) || isThinkingOnly(draft.graph, part),
  )
  const results = had.filter(node => isUser(draft.graph, node))
  return [...parts, ...results, ...calls.flatMap(call => resultsFor(draft, call, row))]
}

/** The last row of each of these messages, with the results of its calls. */
function lastRows({ graph, file }: Draft, units: ReadonlyMap<number, unknown>): ReadonlyMap<number, number> {
  const rows = new Map<number, number>()
  for (const node of file.nodes) if (units.has(unitOf(graph, node))) rows.set(unitOf(graph, node), node)
  return rows
}

/** Inserts results for the open calls of an entry. They stand behind all rows of the message, the last of which is given. */
function resultsFor(draft: Draft, node: number, row: number): readonly InsertedRow[] {
  const { graph } = draft
  const open = toolsOf(graph, node).filter(tool => resultFor(graph, tool, node) === none)
  return open.map(tool => {
    const id = toolIdOf(graph, tool)
    const result = noResult(draft, node, id, row)
    draft.insert(result, row)
    draft.note(node, `Nothing answers ${id}; a placeholder result is added.`)
    return result
  })
}

function noResult({ graph, session, source }: Draft, call: number, tool: string, row: number): InsertedRow {
  const id = deriveId(session, `result ${tool}`)
  const content = [{ tool_use_id: tool, type: 'tool_result', content: NO_RESULT, is_error: true }]
  const fields = { type: 'user', message: { role: 'user', content } }
  const parent = graph.id(call)
  const entry = { beside: call, session, parent, id, time: timeOf(graph, row), fields }
  const record = {
    ...addedRecord(source, entry),
    toolUseResult: NO_RESULT,
    sourceToolAssistantUUID: parent,
  }
  return { id, record, parent: call }
}

const NO_RESULT = '(no result recorded)'
