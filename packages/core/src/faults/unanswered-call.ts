import { standIn } from '../edit/copies.js'
import { type Draft, isInDraft, type MadeRow, noteRepair, type Said } from '../edit/draft.js'
import { answersIn, openCallsOn, partsStaying } from '../edit/open-calls.js'
import { deriveId } from '../edit/rename.js'
import { timestampOf } from '../edit/source.js'
import {
  compactionAt,
  hasCalls,
  isAssistant,
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
import { asObject } from '../parse/json.js'
import { counted, type FaultKind, faultAt } from './fault.js'

/** D7: calls that never got a result. */
export const unansweredCall: FaultKind = {
  id: 'unanswered-call',
  title: 'calls without a result',
  meaning: 'A tool was called and its result never written: the process was killed, or the row is gone.',
  cost: 'A resume answers the last calls with a made-up error and leaves others out; releases before 2.1.41 can be refused (400).',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file } = context
    const open = graph.tools().unanswered.filter(({ node }) => isInFile(graph, node, file))
    const [first] = open
    if (first === undefined) return []
    const lost = new Set(context.lost)
    const isLosing = open.some(({ node }) => lost.has(node))
    const live = open.filter(
      ({ node }) => context.live.has(node) || context.loaded.nodes.includes(node),
    ).length
    const where = live === 0 ? 'none of them live' : `${live} live`
    const message = `${counted(open.length, 'call has', 'calls have')} no result, ${where}; the first is ${first.id}.`
    const found = faultAt(context, first.node, isLosing ? 'error' : 'info', message)
    return [{ ...found, count: open.length, ...(isLosing ? {} : { fix: null }) }]
  },
  repairs: [{ stage: 'calls', rewrite: answerOpenCalls }],
}

/**
 * Each open call gets a result that says so, behind the rows of its message; what was left out of the conversation because of
 * it comes back. All messages are repaired in one pass: there may be thousands of them.
 *
 *   u1 a1[t1]    u2 a2  ->  u1 a1[t1] (no result of t1) u2 a2
 */
function answerOpenCalls(draft: Draft, conversation: readonly Said[]): readonly Said[] {
  if (!draft.wants('unanswered-call')) return conversation
  const leaf = standIn(draft, liveLeaf(draft.graph, draft.file))
  return withOwnResults(draft, answerCalls(draft, conversation, leaf))
}

/**
 * Results that stand beside the conversation, as where messages have lost their ids or an entry its parent: each goes behind
 * the message of its call. A resume takes them from anywhere in the file, too.
 */
function withOwnResults(draft: Draft, talk: readonly Said[]): readonly Said[] {
  const found = resultsBeside(draft, talk)
  if (found.size === 0) return talk
  const whole: Said[] = []
  let waiting: number[] = []
  for (const item of talk) {
    if (typeof item !== 'number' || !isAssistant(draft.graph, item)) {
      whole.push(...waiting)
      waiting = []
    }
    whole.push(item)
    if (typeof item === 'number') waiting.push(...(found.get(item) ?? []))
  }
  return [...whole, ...waiting]
}

/** For each call that the conversation does not answer, the results that the file holds. */
function resultsBeside(draft: Draft, talk: readonly Said[]): ReadonlyMap<number, readonly number[]> {
  const { graph } = draft
  const isAnswered = answersIn(draft, talk)
  const said = new Set(talk)
  const found = new Map<number, readonly number[]>()
  for (const node of talk) {
    if (typeof node !== 'number' || !hasCalls(graph, node) || isAnswered(node)) continue
    const results = toolsOf(graph, node).map(tool => resultFor(graph, tool, node))
    const beside = results.filter(result => result !== none && isInDraft(draft, result) && !said.has(result))
    if (beside.length > 0) found.set(node, beside)
  }
  return found
}

/** A call of a message on the chain that nothing answers gets a result that says so: the model sees what it has asked for. */
function answerCalls(draft: Draft, talk: readonly Said[], leaf: number): readonly Said[] {
  const chain = [...liveChain(draft.graph, leaf)].reverse()
  const isCarried = carriedOn(draft, chain[0] ?? none)
  const unanswered = openCallsOn(draft, chain).filter(isCarried)
  if (unanswered.length === 0) return talk
  const atEnd = new Set(talk.slice(endOfTalk(draft, talk)))
  const open = byUnit(
    draft,
    unanswered.filter(node => !atEnd.has(node)),
  )
  return open.size === 0 ? talk : withUnits(draft, talk, chain, open)
}

/** Where the calls and results begin that a conversation ends with: the client answers such calls itself. */
function endOfTalk({ graph }: Draft, talk: readonly Said[]): number {
  const isOfTurn = (node: Said): boolean =>
    typeof node === 'number' &&
    (hasCalls(graph, node) || isResult(graph, node) || isThinkingOnly(graph, node))
  return talk.findLastIndex(node => !isOfTurn(node)) + 1
}

/** Whether an entry is sent behind the compaction that a chain begins with: of what stands before it only what was kept. */
function carriedOn({ graph }: Draft, first: number): (node: number) => boolean {
  const kept = new Set(compactionAt(graph, first)?.preserved)
  return isBoundary(graph, first) ? node => node > first || kept.has(node) : () => true
}

function byUnit({ graph }: Draft, nodes: readonly number[]): ReadonlyMap<number, number[]> {
  const units = new Map<number, number[]>()
  for (const node of nodes) {
    const unit = units.get(unitOf(graph, node))
    if (unit === undefined) units.set(unitOf(graph, node), [node])
    else unit.push(node)
  }
  return units
}

/** A conversation with messages whole: their parts, the calls that were left out among them, and all results. */
function withUnits(
  draft: Draft,
  talk: readonly Said[],
  chain: readonly number[],
  open: ReadonlyMap<number, readonly number[]>,
): readonly Said[] {
  const { graph } = draft
  const numbers = talk.filter(item => typeof item === 'number')
  const known = byUnit(
    draft,
    numbers.filter(node => open.has(unitOf(graph, node))),
  )
  const ends = new Map<number, Said>(numbers.map(node => [unitOf(graph, node), node]))
  const rows = lastRows(draft, open)
  const places = new Map<number, number>()
  for (const [place, node] of chain.entries())
    if (open.has(unitOf(graph, node)) && !places.has(unitOf(graph, node)))
      places.set(unitOf(graph, node), place)
  const merged = new Map<Said, readonly Said[]>()
  const behind = new Map<Said | null, readonly Said[]>()
  const said = new Set<Said>(talk)
  for (const [unit, calls] of open) {
    const had = known.get(unit) ?? []
    const whole = wholeUnit(draft, calls, had, rows.get(unit) ?? calls[0] ?? none)
    const [first] = had
    if (first !== undefined) merged.set(first, whole)
    else {
      let place = (places.get(unit) ?? 0) - 1
      while (place >= 0 && !said.has(chain[place] ?? none)) place--
      behind.set(place < 0 ? null : (ends.get(unitOf(graph, chain[place] ?? none)) ?? null), whole)
    }
    for (const item of whole) said.add(item)
    ends.set(unit, whole.at(-1) ?? none)
  }
  const replaced = new Set<Said>([...known.values()].flat())
  return assembled(
    talk.flatMap(item => merged.get(item) ?? (replaced.has(item) ? [] : [item])),
    behind,
  )
}

/** The conversation with messages put in behind the entries that they follow; those may have been put in as well. */
function assembled(
  talk: readonly Said[],
  behind: ReadonlyMap<Said | null, readonly Said[]>,
): readonly Said[] {
  const result: Said[] = []
  const put = (start: readonly Said[]): void => {
    for (let items: readonly Said[] | undefined = start; items !== undefined; ) {
      result.push(...items)
      items = behind.get(items.at(-1) ?? null)
    }
  }
  put(behind.get(null) ?? [])
  for (const item of talk) put([item])
  return result
}

/** A message with all that belongs to it: its parts, the results that it had, and those that are made. */
function wholeUnit(
  draft: Draft,
  calls: readonly number[],
  had: readonly number[],
  row: number,
): readonly Said[] {
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

/** Rows that answer the open calls of an entry. They stand behind all rows of the message, the last of which is given. */
function resultsFor(draft: Draft, node: number, row: number): readonly MadeRow[] {
  const { graph } = draft
  const open = toolsOf(graph, node).filter(tool => resultFor(graph, tool, node) === none)
  const made = open.map(tool => madeResult(draft, node, toolIdOf(graph, tool), row))
  draft.made.set(row, [...(draft.made.get(row) ?? []), ...made])
  for (const tool of open)
    noteRepair(
      draft,
      'unanswered-call',
      node,
      `Nothing answers ${toolIdOf(graph, tool)}; it gets a result that says so.`,
    )
  return made
}

function madeResult(draft: Draft, node: number, tool: string, row: number): MadeRow {
  const { graph, file, session, source } = draft
  const { id: call, version } = source.graph.node(node)
  const last = timeOf(graph, row)
  const id = deriveId(session, `result ${tool}`)
  const content = [{ tool_use_id: tool, type: 'tool_result', content: NO_RESULT, is_error: true }]
  const record = asObject({
    parentUuid: call,
    isSidechain: false,
    userType: 'external',
    cwd: file.cwd ?? '',
    sessionId: session,
    version,
    type: 'user',
    message: { role: 'user', content },
    uuid: id,
    ...timestampOf(last),
    toolUseResult: NO_RESULT,
    sourceToolAssistantUUID: call,
  })
  return { id, record: record ?? {} }
}

const NO_RESULT = '(no result recorded)'
