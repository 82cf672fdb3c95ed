/** Calls and results in pairs: what the API refuses a whole conversation for. */
import { unitOf } from '../graph/facts.js'
import { liveChain } from '../graph/live.js'
import { firstPartOf } from '../graph/message-book.js'
import * as t from '../graph/table.js'
import { resultFor, toolId, toolsOf } from '../graph/tool-book.js'
import { asObject } from '../parse/json.js'
import { type Bench, dropRow, isMarked, type MadeRow, mend, patchRow, type Said } from './bench.js'
import { deriveId } from './rename.js'
import { Several } from './survey.js'

/** Mends the pairs of a conversation, and gives it as it is then sent. */
export function mendTools(bench: Bench, talk: readonly Said[], leaf: number): readonly Said[] {
  const answered = bench.wants('unanswered-call') ? answerCalls(bench, talk, leaf) : talk
  const apart = bench.wants('duplicate-tool-id') ? tellApart(bench, answered) : answered
  return bench.wants('stray-result') ? dropStray(bench, apart) : apart
}

/** A call on the chain that nothing answers gets a result that says so: the model sees what it has asked for. */
function answerCalls(bench: Bench, talk: readonly Said[], leaf: number): readonly Said[] {
  const { state } = bench
  const chain = [...liveChain(state, leaf, t.none)].reverse()
  const inTalk = new Set(talk)
  const open = chain.filter(node => isOpenCall(bench, node) && !inTalk.has(node))
  let said = talk
  for (const unit of new Set(open.map(node => unitOf(state, node)))) {
    const calls = open.filter(node => unitOf(state, node) === unit)
    said = withUnit(bench, said, chain, calls)
  }
  return said
}

function isOpenCall({ state }: Bench, node: number): boolean {
  if (!t.marked(state.table, node, t.HasCalls)) return false
  return toolsOf(state, node).some(tool => resultFor(state, tool, node) === t.none)
}

/** A conversation with a message whole: its parts, the calls that were left out among them, and all results. */
function withUnit(
  bench: Bench,
  talk: readonly Said[],
  chain: readonly number[],
  calls: readonly number[],
): readonly Said[] {
  const [first = t.none] = calls
  const isIn = (item: Said): boolean =>
    typeof item === 'number' && unitOf(bench.state, item) === unitOf(bench.state, first)
  const known = talk.filter(isIn)
  const others = talk.filter(item => !isIn(item))
  const at = known.length > 0 ? talk.findIndex(isIn) : placeFor(bench, others, chain, first)
  const wanted = new Set<Said>([...known, ...calls])
  const parts = partsOf(bench, first).filter(
    part => wanted.has(part) || t.marked(bench.state.table, part, t.ThinkingOnly),
  )
  const results = known.filter(
    item => typeof item === 'number' && t.byte(bench.state.table.kind, item) === t.User,
  )
  const unit = [...parts, ...results, ...calls.flatMap(call => resultsFor(bench, call))]
  return [...others.slice(0, at), ...unit, ...others.slice(at)]
}

/** Behind the message that stands before an entry on the chain. */
function placeFor({ state }: Bench, said: readonly Said[], chain: readonly number[], node: number): number {
  const places = new Map(said.map((item, place) => [item, place]))
  const before = chain.slice(0, chain.indexOf(node)).findLast(above => places.has(above))
  if (before === undefined) return 0
  const unit = unitOf(state, before)
  const last = said.findLastIndex(item => typeof item === 'number' && unitOf(state, item) === unit)
  let end = last + 1
  while (typeof said[end] === 'object') end++
  return end
}

/** The parts of an entry's message in the file, by rows. */
function partsOf({ state, file }: Bench, node: number): readonly number[] {
  const { table } = state
  const message = t.int(table.message, node)
  if (message === t.none) return [node]
  const parts: number[] = []
  for (let part = firstPartOf(state, message); part !== t.none; part = t.int(table.nextPart, part))
    if (t.int(table.file, part) === file.index && !t.marked(table, part, t.Repeated)) parts.push(part)
  return parts.sort((a, b) => a - b)
}

/** Rows that answer the open calls of an entry. They stand behind all rows of the message. */
function resultsFor(bench: Bench, node: number): readonly MadeRow[] {
  const { state } = bench
  const open = toolsOf(state, node).filter(tool => resultFor(state, tool, node) === t.none)
  const made = open.map(tool => madeResult(bench, node, toolId(state, tool)))
  const behind = lastRowOf(bench, node)
  bench.made.set(behind, [...(bench.made.get(behind) ?? []), ...made])
  for (const tool of open)
    mend(
      bench,
      'unanswered-call',
      node,
      `Nothing answers ${toolId(state, tool)}; it gets a result that says so.`,
    )
  return made
}

/** The last row of a message with the results of its calls. */
function lastRowOf({ state, file }: Bench, node: number): number {
  const unit = unitOf(state, node)
  return file.nodes.findLast(other => unitOf(state, other) === unit) ?? node
}

function madeResult(bench: Bench, node: number, tool: string): MadeRow {
  const { state, file, session, source } = bench
  const { id: call, version } = source.graph.node(node)
  const last = t.real(state.table.time, lastRowOf(bench, node))
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
    ...(Number.isNaN(last) ? {} : { timestamp: new Date(last).toISOString() }),
    toolUseResult: NO_RESULT,
    sourceToolAssistantUUID: call,
  })
  return { id, record: record ?? {} }
}

const NO_RESULT = '(no result recorded)'

/** Two calls with one id, as some gateways make them: the later ones and their results get ids of their own. */
function tellApart(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const { state } = bench
  const said = [...talk]
  const calls = new Map<number, number[]>()
  for (const node of talk) {
    if (typeof node !== 'number' || !t.marked(state.table, node, t.HasCalls)) continue
    for (const tool of toolsOf(state, node)) calls.set(tool, [...(calls.get(tool) ?? []), node])
  }
  for (const [tool, all] of calls) {
    for (const [nth, call] of [...all].sort((a, b) => a - b).entries())
      if (nth > 0) giveOwnId(bench, said, { tool, call, nth, next: all[nth + 1] ?? Number.POSITIVE_INFINITY })
  }
  return said
}

interface RepeatedCall {
  readonly tool: number
  readonly call: number
  readonly nth: number
  /** The next call with the id: its results are not this one's. */
  readonly next: number
}

function giveOwnId(bench: Bench, said: Said[], { tool, call, nth, next }: RepeatedCall): void {
  const { state } = bench
  const id = toolId(state, tool)
  const tools = new Map([[id, `${id}_${nth + 1}`]])
  patchRow(bench, call, { tools })
  mend(
    bench,
    'duplicate-tool-id',
    call,
    `An earlier call has the id ${id}, too; this one is now ${id}_${nth + 1}.`,
  )
  const isIts = (item: Said): item is number =>
    typeof item === 'number' && item > call && item < next && isResultOf(bench, item, tool)
  const result = said.find(isIts)
  if (result === undefined) return
  patchRow(bench, result, { tools })
  said.splice(said.indexOf(result), 1)
  let place = said.findLastIndex(item => typeof item === 'number' && isPartOf(bench, item, call)) + 1
  // Results stand as they were written.
  while (isResult(bench, said[place]) && Number(said[place]) < result) place++
  said.splice(place, 0, result)
}

function isResult({ state }: Bench, item: Said | undefined): boolean {
  return typeof item === 'number' && t.byte(state.table.says, item) === t.SaysResult
}

function isResultOf({ state }: Bench, node: number, tool: number): boolean {
  return t.byte(state.table.kind, node) === t.User && toolsOf(state, node).includes(tool)
}

function isPartOf({ state }: Bench, node: number, call: number): boolean {
  const message = t.int(state.table.message, call)
  return node === call || (message !== t.none && t.int(state.table.message, node) === message)
}

/** Results that nothing has asked for, and second answers to one call. */
function dropStray(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const asked = new Set<string>()
  return talk.filter(node => {
    if (typeof node !== 'number') return true
    const ids = toolsOf(bench.state, node).map(tool => nameIn(bench, node, tool))
    if (t.marked(bench.state.table, node, t.HasCalls)) for (const id of ids) asked.add(id)
    if (t.byte(bench.state.table.kind, node) !== t.User || ids.length === 0) return true
    const stray = ids.filter(id => !asked.delete(id))
    return stray.length === 0 || keepsRest(bench, node, stray)
  })
}

/** Takes stray results out of an entry; false where it was nothing but them. */
function keepsRest(bench: Bench, node: number, stray: readonly string[]): boolean {
  const why = `Nothing before it asks for the result of ${stray.join(', ')}.`
  if (!isMarked(bench, node, Several)) {
    dropRow(bench, 'stray-result', node, why)
    return false
  }
  mend(bench, 'stray-result', node, why)
  patchRow(bench, node, { strayTools: stray })
  return true
}

/** The id of a tool in an entry, as it will be written. */
function nameIn(bench: Bench, node: number, tool: number): string {
  const id = toolId(bench.state, tool)
  return bench.patches.get(node)?.tools?.get(id) ?? id
}

/** Calls of the last message that nothing answers: a resume would make the answer up, and they say nothing. */
export function dropOpenEnd(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const open = talk
    .filter(node => typeof node === 'number' && isOpenCall(bench, node))
    .filter(node => !talk.some(item => answers(bench, item, Number(node))))
  if (open.length === 0) return talk
  for (const node of open)
    dropRow(bench, 'unanswered-call', Number(node), 'Nothing answers it, and the conversation ends with it.')
  return withoutThoughts(
    bench,
    talk.filter(node => !open.includes(node)),
  )
}

/** D4: thoughts that are left of a message without its calls are not sent. */
function withoutThoughts(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const { table } = bench.state
  const last = talk.findLastIndex(node => typeof node !== 'number' || !t.marked(table, node, t.ThinkingOnly))
  for (const node of talk.slice(last + 1))
    if (typeof node === 'number')
      dropRow(bench, 'unanswered-call', node, 'Of its message nothing is left but the thought.')
  return talk.slice(0, last + 1)
}

function answers(bench: Bench, item: Said, call: number): boolean {
  if (typeof item === 'object') return item.record.sourceToolAssistantUUID === bench.source.graph.id(call)
  if (t.byte(bench.state.table.kind, item) !== t.User) return false
  const tools = toolsOf(bench.state, call)
  return toolsOf(bench.state, item).some(tool => tools.includes(tool))
}
