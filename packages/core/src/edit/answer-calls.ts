/**
 * Calls that nothing answers. Each gets a result that says so, behind the rows of its message; what was left out of the
 * conversation because of them comes back. All messages are mended in one pass: there may be thousands of them.
 *
 *   u1 a1[t1]    u2 a2  ->  u1 a1[t1] (no result of t1) u2 a2
 */

import {
  compactionAt,
  hasCalls,
  isAssistant,
  isBoundary,
  isInFile,
  isRepeated,
  isResult,
  isThinkingOnly,
  isUser,
  liveChain,
  messageOf,
  none,
  partsOf,
  resultFor,
  timeOf,
  toolIdOf,
  toolsOf,
  unitOf,
} from '../graph/nodes.js'
import { asObject } from '../parse/json.js'
import { type Bench, type MadeRow, mend, type Said } from './bench.js'
import { deriveId } from './rename.js'
import { timestampOf } from './source.js'

/** A call of a message on the chain that nothing answers gets a result that says so: the model sees what it has asked for. */
export function answerCalls(bench: Bench, talk: readonly Said[], leaf: number): readonly Said[] {
  const chain = [...liveChain(bench.graph, leaf)].reverse()
  const isCarried = carriedOn(bench, chain[0] ?? none)
  const unanswered = openCallsOn(bench, chain).filter(isCarried)
  if (unanswered.length === 0) return talk
  const atEnd = new Set(talk.slice(endOfTalk(bench, talk)))
  const open = byUnit(
    bench,
    unanswered.filter(node => !atEnd.has(node)),
  )
  return open.size === 0 ? talk : withUnits(bench, talk, chain, open)
}

/** Where the calls and results begin that a conversation ends with: the client answers such calls itself. */
function endOfTalk({ graph }: Bench, talk: readonly Said[]): number {
  const isOfTurn = (node: Said): boolean =>
    typeof node === 'number' &&
    (hasCalls(graph, node) || isResult(graph, node) || isThinkingOnly(graph, node))
  return talk.findLastIndex(node => !isOfTurn(node)) + 1
}

/** Whether an entry is sent behind the compaction that a chain begins with: of what stands before it only what was kept. */
function carriedOn({ graph }: Bench, first: number): (node: number) => boolean {
  const kept = new Set(compactionAt(graph, first)?.preserved)
  return isBoundary(graph, first) ? node => node > first || kept.has(node) : () => true
}

/** Calls without a result of the messages up to an entry. */
export function openCallsAt(bench: Bench, leaf: number): readonly number[] {
  return openCallsOn(bench, [...liveChain(bench.graph, leaf)].reverse())
}

/** Calls without a result of the messages on a chain, also in parts beside it. */
function openCallsOn(bench: Bench, chain: readonly number[]): readonly number[] {
  const open = new Set<number>()
  let before = none
  for (const node of chain) {
    const message = isAssistant(bench.graph, node) ? messageOf(bench.graph, node) : none
    // Parts of a message stand next to each other, but for results between them.
    if (message !== none && message === before) continue
    if (message !== none) before = message
    for (const part of message === none ? [node] : partsStaying(bench, node))
      if (isOpenCall(bench, part)) open.add(part)
  }
  return [...open]
}

/** Whether some call of an entry has no result. */
export function isOpenCall({ graph }: Bench, node: number): boolean {
  if (!hasCalls(graph, node)) return false
  return toolsOf(graph, node).some(tool => resultFor(graph, tool, node) === none)
}

function byUnit({ graph }: Bench, nodes: readonly number[]): ReadonlyMap<number, number[]> {
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
  bench: Bench,
  talk: readonly Said[],
  chain: readonly number[],
  open: ReadonlyMap<number, readonly number[]>,
): readonly Said[] {
  const { graph } = bench
  const numbers = talk.filter(item => typeof item === 'number')
  const known = byUnit(
    bench,
    numbers.filter(node => open.has(unitOf(graph, node))),
  )
  const ends = new Map<number, Said>(numbers.map(node => [unitOf(graph, node), node]))
  const rows = lastRows(bench, open)
  const places = new Map<number, number>()
  for (const [place, node] of chain.entries())
    if (open.has(unitOf(graph, node)) && !places.has(unitOf(graph, node)))
      places.set(unitOf(graph, node), place)
  const merged = new Map<Said, readonly Said[]>()
  const behind = new Map<Said | null, readonly Said[]>()
  const said = new Set<Said>(talk)
  for (const [unit, calls] of open) {
    const had = known.get(unit) ?? []
    const whole = wholeUnit(bench, calls, had, rows.get(unit) ?? calls[0] ?? none)
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
  bench: Bench,
  calls: readonly number[],
  had: readonly number[],
  row: number,
): readonly Said[] {
  const wanted = new Set([...had, ...calls])
  const parts = partsStaying(bench, calls[0] ?? none).filter(
    part => wanted.has(part) || isThinkingOnly(bench.graph, part),
  )
  const results = had.filter(node => isUser(bench.graph, node))
  return [...parts, ...results, ...calls.flatMap(call => resultsFor(bench, call, row))]
}

/** The parts of an entry's message that stay in the file, by rows. */
function partsStaying({ graph, file, dropped }: Bench, node: number): readonly number[] {
  const message = messageOf(graph, node)
  if (message === none) return [node]
  const isOut = (part: number): boolean =>
    !isInFile(graph, part, file) || isRepeated(graph, part) || dropped.has(part)
  const parts = partsOf(graph, message).filter(part => !isOut(part))
  return parts.length < 2 ? parts : parts.toSorted((a, b) => a - b)
}

/** The last row of each of these messages, with the results of its calls. */
function lastRows({ graph, file }: Bench, units: ReadonlyMap<number, unknown>): ReadonlyMap<number, number> {
  const rows = new Map<number, number>()
  for (const node of file.nodes) if (units.has(unitOf(graph, node))) rows.set(unitOf(graph, node), node)
  return rows
}

/** Rows that answer the open calls of an entry. They stand behind all rows of the message, the last of which is given. */
function resultsFor(bench: Bench, node: number, row: number): readonly MadeRow[] {
  const { graph } = bench
  const open = toolsOf(graph, node).filter(tool => resultFor(graph, tool, node) === none)
  const made = open.map(tool => madeResult(bench, node, toolIdOf(graph, tool), row))
  bench.made.set(row, [...(bench.made.get(row) ?? []), ...made])
  for (const tool of open)
    mend(
      bench,
      'unanswered-call',
      node,
      `Nothing answers ${toolIdOf(graph, tool)}; it gets a result that says so.`,
    )
  return made
}

function madeResult(bench: Bench, node: number, tool: string, row: number): MadeRow {
  const { graph, file, session, source } = bench
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
