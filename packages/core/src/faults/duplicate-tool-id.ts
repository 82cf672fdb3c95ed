import { type Draft, isInDraft, noteRepair, patchRow, type Said } from '../edit/draft.js'
import {
  callsOf,
  hasCalls,
  isInFile,
  isResult,
  messageOf,
  none,
  parentOf,
  resultsOf,
  toolIdOf,
  toolsOf,
} from '../graph/nodes.js'
import { counted, type FaultContext, type FaultKind, faultAt } from './fault.js'

/** D7: one id for several calls. */
export const duplicateToolId: FaultKind = {
  id: 'duplicate-tool-id',
  title: 'one id for several calls',
  meaning: 'Two calls carry the same id: a gateway counts from one, or history was pasted together.',
  cost: 'Newer releases drop one of the two calls; older ones are refused with every prompt (400).',
  fix: 'dagline repair SESSION',
  find: context => {
    const twice = [...callsMadeTwice(context)]
    const [first] = twice
    if (first === undefined) return []
    const { graph } = context
    const id = toolIdOf(graph, first.tool)
    const message = `${counted(twice.length, 'id is', 'ids are')} used for more than one call; the first is ${id}.`
    const tools = new Set(twice.map(({ tool }) => tool))
    const isLosing = context.lost.some(node => toolsOf(graph, node).some(tool => tools.has(tool)))
    const severity = isLosing ? 'error' : 'warning'
    return [{ ...faultAt(context, first.node, severity, message), count: twice.length }]
  },
  repairs: [{ stage: 'call ids', rewrite: tellApart }],
}

/** Tools that two live calls of this file share. */
function* callsMadeTwice({
  graph,
  file,
  live,
}: FaultContext): Generator<{ readonly tool: number; readonly node: number }> {
  const seen = new Map<number, number>()
  const told = new Set<number>()
  for (const node of live) {
    if (!isInFile(graph, node, file) || !hasCalls(graph, node)) continue
    for (const tool of toolsOf(graph, node)) {
      const before = seen.get(tool)
      seen.set(tool, node)
      if (before === undefined || before === node || told.has(tool) || callsOf(graph, tool).length < 2)
        continue
      told.add(tool)
      yield { tool, node }
    }
  }
}

/** Two calls with one id, as some gateways make them: the later ones and their results get ids of their own. */
function tellApart(draft: Draft, talk: readonly Said[]): readonly Said[] {
  if (!draft.wants('duplicate-tool-id')) return talk
  const { graph } = draft
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
    const results = all.length < 2 ? NO_RESULTS : resultsByCall(draft, tool, all)
    for (const [nth, call] of [...results.keys()].entries())
      giveOwnId(draft, said, { tool, call, nth, result: results.get(call) ?? none })
  }
  return said
}

const NO_RESULTS: ReadonlyMap<number, number> = new Map()

/**
 * Which result is whose, of calls with one id, the calls in the order of rows: that which hangs on the call, else that between
 * it and the next, else the next that is left.
 */
function resultsByCall(draft: Draft, tool: number, calls: readonly number[]): ReadonlyMap<number, number> {
  const sorted = [...calls].sort((a, b) => a - b)
  const left = new Set(resultsOf(draft.graph, tool).filter(result => isInDraft(draft, result)))
  const found = new Map(sorted.map(call => [call, none]))
  const take = (isIts: (result: number, call: number, nth: number) => boolean): void => {
    for (const [nth, call] of sorted.entries()) {
      const result = found.get(call) === none ? [...left].find(item => isIts(item, call, nth)) : undefined
      if (result !== undefined) found.set(call, result)
      left.delete(result ?? none)
    }
  }
  take((result, call) => parentOf(draft.graph, result) === call)
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

function giveOwnId(draft: Draft, said: Said[], { tool, call, nth, result }: RepeatedCall): void {
  const id = toolIdOf(draft.graph, tool)
  const tools = new Map([[id, ownId(id, nth)]])
  if (nth > 0) {
    patchRow(draft, call, { tools })
    if (result !== none) patchRow(draft, result, { tools })
    const why = `An earlier call has the id ${id}, too; this one is now ${ownId(id, nth)}.`
    noteRepair(draft, 'duplicate-tool-id', call, why)
  }
  if (result === none) return
  const known = said.indexOf(result)
  if (known >= 0) said.splice(known, 1)
  let place = said.findLastIndex(item => typeof item === 'number' && isPartOf(draft, item, call)) + 1
  // Results stand as they were written.
  while (isResultIn(draft, said[place]) && Number(said[place]) < result) place++
  said.splice(place, 0, result)
}

/** Not `_2`: 2.1.325 takes that for the same id, and joins the results of both (lab: s03, same tool id twice). */
function ownId(id: string, nth: number): string {
  return `${id}n${nth + 1}`
}

function isResultIn({ graph }: Draft, item: Said | undefined): boolean {
  return typeof item === 'number' && isResult(graph, item)
}

function isPartOf({ graph }: Draft, node: number, call: number): boolean {
  const message = messageOf(graph, call)
  return node === call || (message !== none && messageOf(graph, node) === message)
}
