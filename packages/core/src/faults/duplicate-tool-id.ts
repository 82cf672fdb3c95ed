import { type Draft, isInDraft } from '../edit/draft.js'
import {
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
import { pushTo } from '../model/group.js'
import type { ConversationItem } from '../resume/conversation.js'
import { counted, type EntriesFinding, type FaultContext, type FaultKind, findingFor } from './fault.js'

/** The calls of each tool id that several calls of the conversation have, in its order. */
interface SharedIdFinding extends EntriesFinding {
  readonly calls: ReadonlyMap<number, readonly number[]>
}

/** D7: one id for several calls. */
export const duplicateToolId: FaultKind<SharedIdFinding> = {
  id: 'duplicate-tool-id',
  rule: 'D7',
  title: 'one id for several calls',
  meaning: 'Two calls carry the same id: a gateway counts from one, or history was pasted together.',
  cost: 'Newer releases drop one of the two calls; older ones are refused with every prompt (400).',
  remedy: 'The repair gives the later call and its result an id of their own.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, lost } = context
    const calls = callsSharingIds(context)
    const [id = none] = calls.keys()
    const message = `${counted(calls.size, 'id is', 'ids are')} used for more than one call; the first is ${id === none ? '' : toolIdOf(graph, id)}.`
    const isLosing = lost.some(node => toolsOf(graph, node).some(tool => calls.has(tool)))
    const second = [...calls.values()].map(nodes => nodes[1] ?? none)
    const found = findingFor(context, second, isLosing ? 'error' : 'warning', message)
    return found.map(each => ({ ...each, calls }))
  },
  stages: ['call ids'],
  repair: (draft, found) => {
    const items = [...draft.promised()]
    for (const [tool, calls] of found.flatMap(each => [...each.calls])) giveOwnIds(draft, items, tool, calls)
    draft.promise(items)
  },
}

/** The calls of each tool that several live entries of the file call. */
function callsSharingIds({ graph, file, live }: FaultContext): ReadonlyMap<number, readonly number[]> {
  const calls = new Map<number, number[]>()
  for (const node of live)
    if (hasCalls(graph, node) && isInFile(graph, node, file))
      for (const tool of new Set(toolsOf(graph, node))) pushTo(calls, tool, node)
  return new Map([...calls].filter(([, nodes]) => nodes.length > 1))
}

/** The later calls and their results get ids of their own; each result stands behind its call. */
function giveOwnIds(draft: Draft, items: ConversationItem[], tool: number, calls: readonly number[]): void {
  const id = toolIdOf(draft.graph, tool)
  for (const [nth, [call, result]] of [...resultsByCall(draft, tool, calls)].entries()) {
    const own = ownId(id, nth)
    const tools = new Map([[id, own]])
    if (nth > 0) {
      draft.rewrite(call, { tools })
      if (result !== none) draft.rewrite(result, { tools })
      draft.note(call, `An earlier call has the id ${id}, too; this one is now ${own}.`)
    }
    if (result !== none) moveBehindCall(draft, items, call, result)
  }
}

/**
 * Which result is whose, of calls with one id, the calls in the order of rows: that which hangs on the call, else that between
 * it and the next, else the next that is left.
 */
function resultsByCall(draft: Draft, tool: number, calls: readonly number[]): ReadonlyMap<number, number> {
  const sorted = calls.toSorted((a, b) => a - b)
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

/** Not `_2`: 2.1.325 takes that for the same id, and joins the results of both (lab: s03, same tool id twice). */
function ownId(id: string, nth: number): string {
  return `${id}n${nth + 1}`
}

function moveBehindCall({ graph }: Draft, items: ConversationItem[], call: number, result: number): void {
  const message = messageOf(graph, call)
  const isOfCall = (item: ConversationItem): boolean =>
    item === call || (typeof item === 'number' && message !== none && messageOf(graph, item) === message)
  const isEarlierResult = (item: ConversationItem | undefined): boolean =>
    typeof item === 'number' && isResult(graph, item) && item < result
  const known = items.indexOf(result)
  if (known >= 0) items.splice(known, 1)
  let place = items.findLastIndex(isOfCall) + 1
  // Results stand as they were written.
  while (isEarlierResult(items[place])) place++
  items.splice(place, 0, result)
}
