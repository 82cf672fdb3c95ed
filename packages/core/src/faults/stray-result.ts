import { marksAt } from '../edit/source.js'
import { hasCalls, isInFile, isUser, toolsOf } from '../graph/nodes.js'
import { Several } from '../resume/content-marks.js'
import { counted, type EntriesFinding, type FaultContext, type FaultKind, findingFor } from './fault.js'

/** Results that nothing has asked for, and the ids of their tools by entry. */
interface StrayFinding extends EntriesFinding {
  readonly ids: ReadonlyMap<number, readonly string[]>
}

/** D7: results whose call is nowhere. */
export const strayResult: FaultKind<StrayFinding> = {
  id: 'stray-result',
  rule: 'D7',
  title: 'results without a call',
  meaning: 'A result answers a call that is not in the file.',
  cost: 'Newer releases leave it out; with those before 2.1.41 every prompt is refused (400).',
  remedy: 'The repair leaves the result out.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file, live } = context
    const inConversation = strayIn(context)
    const isBeside = (node: number): boolean => !live.has(node) && isInFile(graph, node, file)
    const beside = graph.tools().stray.filter(({ node }) => isBeside(node))
    const isLive = inConversation.size > 0
    const nodes = [...inConversation.keys(), ...beside.map(({ node }) => node)]
    const ids = [...[...inConversation.values()].flat(), ...beside.map(({ id }) => id)]
    const message = `${counted(ids.length, 'result answers', 'results answer')} calls that are not there; the first is ${ids[0]}.`
    const found = findingFor(context, nodes, isLive ? 'warning' : 'info', message)
    return found.map(each => ({
      ...each,
      count: ids.length,
      ids: inConversation,
      ...(isLive ? {} : { fix: null }),
    }))
  },
  stages: ['results'],
  repair: (draft, found) => {
    for (const [node, ids] of found.flatMap(each => [...each.ids])) {
      const why = `Nothing before it asks for the result of ${ids.join(', ')}.`
      if ((marksAt(draft.source, node) & Several) === 0) draft.drop(node, why)
      else {
        draft.note(node, why)
        draft.rewrite(node, { strayTools: ids })
      }
    }
    draft.promise(draft.promised().filter(item => typeof item !== 'number' || !draft.isDropped(item)))
  },
}

/** Results of the conversation that nothing before them has asked for, and second answers to one call. */
function strayIn({ graph, live, toolId }: FaultContext): ReadonlyMap<number, readonly string[]> {
  const asked = new Set<string>()
  const found = new Map<number, readonly string[]>()
  for (const node of live) {
    const ids = toolsOf(graph, node).map(tool => toolId(node, tool))
    if (hasCalls(graph, node)) for (const id of ids) asked.add(id)
    if (!isUser(graph, node) || ids.length === 0) continue
    const stray = ids.filter(id => !asked.delete(id))
    if (stray.length > 0) found.set(node, stray)
  }
  return found
}
