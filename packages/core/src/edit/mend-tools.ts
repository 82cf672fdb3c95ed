/** Calls and results in pairs: what the API refuses a whole conversation for. */
import {
  hasCalls,
  isAssistant,
  isInFile,
  isRepeated,
  isResult,
  isSidechain,
  isThinkingOnly,
  isUser,
  messageOf,
  none,
  parentOf,
  resultFor,
  resultsOf,
  toolIdOf,
  toolsOf,
} from '../graph/nodes.js'
import { Several } from '../resume/content-marks.js'
import { answerCalls, isOpenCall, openCallsAt } from './answer-calls.js'
import { type Bench, dropRow, isMarked, mend, patchRow, type Said } from './bench.js'

/** Mends the pairs of a conversation, and gives it as it is then sent. */
export function mendTools(bench: Bench, talk: readonly Said[], leaf: number): readonly Said[] {
  if (!bench.wants('unanswered-call')) return pairTools(bench, talk)
  return pairTools(bench, withOwnResults(bench, answerCalls(bench, talk, leaf)))
}

/**
 * Results that stand beside the conversation, as where messages have lost their ids or an entry its parent: each goes behind
 * the message of its call. A resume takes them from anywhere in the file, too.
 */
function withOwnResults(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const found = resultsBeside(bench, talk)
  if (found.size === 0) return talk
  const whole: Said[] = []
  let waiting: number[] = []
  for (const item of talk) {
    if (typeof item !== 'number' || !isAssistant(bench.graph, item)) {
      whole.push(...waiting)
      waiting = []
    }
    whole.push(item)
    if (typeof item === 'number') waiting.push(...(found.get(item) ?? []))
  }
  return [...whole, ...waiting]
}

/** For each call that the conversation does not answer, the results that the file holds. */
function resultsBeside(bench: Bench, talk: readonly Said[]): ReadonlyMap<number, readonly number[]> {
  const { graph } = bench
  const isAnswered = answersIn(bench, talk)
  const said = new Set(talk)
  const found = new Map<number, readonly number[]>()
  for (const node of talk) {
    if (typeof node !== 'number' || !hasCalls(graph, node) || isAnswered(node)) continue
    const results = toolsOf(graph, node).map(tool => resultFor(graph, tool, node))
    const beside = results.filter(result => result !== none && isIn(bench, result) && !said.has(result))
    if (beside.length > 0) found.set(node, beside)
  }
  return found
}

/** The same where calls that nothing answers stay as they are. */
export function pairTools(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const apart = bench.wants('duplicate-tool-id') ? tellApart(bench, talk) : talk
  return bench.wants('stray-result') ? dropStray(bench, apart) : apart
}

/** Two calls with one id, as some gateways make them: the later ones and their results get ids of their own. */
function tellApart(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const { graph } = bench
  const said = [...talk]
  const calls = new Map<number, number[]>()
  for (const node of talk) {
    if (typeof node !== 'number' || !hasCalls(graph, node)) continue
    for (const tool of toolsOf(graph, node)) {
      const known = calls.get(tool)
      if (known === undefined) calls.set(tool, [node])
      else known.push(node)
    }
  }
  for (const [tool, all] of calls) {
    const results = all.length < 2 ? NO_RESULTS : resultsByCall(bench, tool, all)
    for (const [nth, call] of [...results.keys()].entries())
      giveOwnId(bench, said, { tool, call, nth, result: results.get(call) ?? none })
  }
  return said
}

const NO_RESULTS: ReadonlyMap<number, number> = new Map()

/**
 * Which result is whose, of calls with one id, the calls in the order of rows: that which hangs on the call, else that between
 * it and the next, else the next that is left.
 */
function resultsByCall(bench: Bench, tool: number, calls: readonly number[]): ReadonlyMap<number, number> {
  const sorted = [...calls].sort((a, b) => a - b)
  const left = new Set(resultsOf(bench.graph, tool).filter(result => isIn(bench, result)))
  const found = new Map(sorted.map(call => [call, none]))
  const take = (isIts: (result: number, call: number, nth: number) => boolean): void => {
    for (const [nth, call] of sorted.entries()) {
      const result = found.get(call) === none ? [...left].find(item => isIts(item, call, nth)) : undefined
      if (result !== undefined) found.set(call, result)
      left.delete(result ?? none)
    }
  }
  take((result, call) => parentOf(bench.graph, result) === call)
  take((result, call, nth) => result > call && result < (sorted[nth + 1] ?? Number.POSITIVE_INFINITY))
  take((result, call) => result > call)
  return found
}

interface RepeatedCall {
  readonly tool: number
  readonly call: number
  readonly nth: number
  /** None where nothing answers it. */
  readonly result: number
}

function giveOwnId(bench: Bench, said: Said[], { tool, call, nth, result }: RepeatedCall): void {
  const id = toolIdOf(bench.graph, tool)
  const tools = new Map([[id, ownId(id, nth)]])
  if (nth > 0) {
    patchRow(bench, call, { tools })
    if (result !== none) patchRow(bench, result, { tools })
    const why = `An earlier call has the id ${id}, too; this one is now ${ownId(id, nth)}.`
    mend(bench, 'duplicate-tool-id', call, why)
  }
  if (result === none) return
  const known = said.indexOf(result)
  if (known >= 0) said.splice(known, 1)
  let place = said.findLastIndex(item => typeof item === 'number' && isPartOf(bench, item, call)) + 1
  // Results stand as they were written.
  while (isResultIn(bench, said[place]) && Number(said[place]) < result) place++
  said.splice(place, 0, result)
}

/** Not `_2`: 2.1.325 takes that for the same id, and joins the results of both (lab: s03, same tool id twice). */
function ownId(id: string, nth: number): string {
  return `${id}n${nth + 1}`
}

function isIn({ graph, file, dropped }: Bench, node: number): boolean {
  const isOff = isRepeated(graph, node) || isSidechain(graph, node) || dropped.has(node)
  return isInFile(graph, node, file) && !isOff
}

function isResultIn({ graph }: Bench, item: Said | undefined): boolean {
  return typeof item === 'number' && isResult(graph, item)
}

function isPartOf({ graph }: Bench, node: number, call: number): boolean {
  const message = messageOf(graph, call)
  return node === call || (message !== none && messageOf(graph, node) === message)
}

/** Results that nothing has asked for, and second answers to one call. */
function dropStray(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const asked = new Set<string>()
  return talk.filter(node => {
    if (typeof node !== 'number') return true
    const ids = toolsOf(bench.graph, node).map(tool => nameIn(bench, node, tool))
    if (hasCalls(bench.graph, node)) for (const id of ids) asked.add(id)
    if (!isUser(bench.graph, node) || ids.length === 0) return true
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
  const id = toolIdOf(bench.graph, tool)
  return bench.patches.get(node)?.tools?.get(id) ?? id
}

/** Calls that nothing answers, of messages on the way to an entry: a resume would make answers up where the end is open. */
export function dropOpenCalls(bench: Bench, talk: readonly Said[], leaf: number): void {
  const open = openCallsAt(bench, leaf)
  const said = new Set(open.length === 0 ? [] : talk)
  for (const node of open)
    if (!said.has(node)) dropRow(bench, 'unanswered-call', node, 'Nothing answers it, and it is not sent.')
}

/** Calls of the last message that nothing answers: a resume would make the answer up, and they say nothing. */
export function dropOpenEnd(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const calls = talk.filter(node => typeof node === 'number').filter(node => isOpenCall(bench, node))
  const answered = calls.length === 0 ? null : answersIn(bench, talk)
  const open = new Set<Said>(calls.filter(node => answered?.(node) === false))
  if (open.size === 0) return talk
  for (const node of open)
    dropRow(bench, 'unanswered-call', Number(node), 'Nothing answers it, and the conversation ends with it.')
  return withoutThoughts(
    bench,
    talk.filter(node => !open.has(node)),
  )
}

/** Which calls a conversation has an answer to, a made one or its own. */
function answersIn({ graph, source }: Bench, talk: readonly Said[]): (call: number) => boolean {
  const made = new Set<unknown>()
  const tools = new Set<number>()
  for (const item of talk) {
    if (typeof item === 'object') made.add(item.record.sourceToolAssistantUUID)
    else if (isUser(graph, item)) for (const tool of toolsOf(graph, item)) tools.add(tool)
  }
  return call => made.has(source.graph.id(call)) || toolsOf(graph, call).some(tool => tools.has(tool))
}

/** L7: thoughts that are left of a message without its calls are not sent. */
function withoutThoughts(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const last = talk.findLastIndex(node => typeof node !== 'number' || !isThinkingOnly(bench.graph, node))
  for (const node of talk.slice(last + 1))
    if (typeof node === 'number')
      dropRow(
        bench,
        'unanswered-call',
        node,
        'Its call is left out, and a thought is not sent without what it led to.',
      )
  return talk.slice(0, last + 1)
}
