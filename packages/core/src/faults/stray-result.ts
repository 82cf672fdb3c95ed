import { type Draft, dropRow, isMarked, noteRepair, patchRow, type Said } from '../edit/draft.js'
import { hasCalls, isInFile, isUser, toolIdOf, toolsOf } from '../graph/nodes.js'
import { Several } from '../resume/content-marks.js'
import { counted, type FaultKind, faultAt } from './fault.js'

/** D7: results whose call is nowhere. */
export const strayResult: FaultKind = {
  id: 'stray-result',
  title: 'results without a call',
  meaning: 'A result answers a call that is not in the file.',
  cost: 'Newer releases leave it out; with those before 2.1.41 every prompt is refused (400).',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file, live } = context
    const stray = graph.tools().stray.filter(({ node }) => isInFile(graph, node, file))
    const [first] = stray
    if (first === undefined) return []
    const isLive = stray.some(({ node }) => live.has(node))
    const message = `${counted(stray.length, 'result answers', 'results answer')} calls that are not there; the first is ${first.id}.`
    const found = {
      ...faultAt(context, first.node, isLive ? 'warning' : 'info', message),
      count: stray.length,
    }
    return [isLive ? found : { ...found, fix: null }]
  },
  repairs: [{ stage: 'results', rewrite: dropStray }],
}

/** Results that nothing has asked for, and second answers to one call. */
function dropStray(draft: Draft, talk: readonly Said[]): readonly Said[] {
  if (!draft.wants('stray-result')) return talk
  const asked = new Set<string>()
  return talk.filter(node => {
    if (typeof node !== 'number') return true
    const ids = toolsOf(draft.graph, node).map(tool => nameIn(draft, node, tool))
    if (hasCalls(draft.graph, node)) for (const id of ids) asked.add(id)
    if (!isUser(draft.graph, node) || ids.length === 0) return true
    const stray = ids.filter(id => !asked.delete(id))
    return stray.length === 0 || keepsRest(draft, node, stray)
  })
}

/** Takes stray results out of an entry; false where it was nothing but them. */
function keepsRest(draft: Draft, node: number, stray: readonly string[]): boolean {
  const why = `Nothing before it asks for the result of ${stray.join(', ')}.`
  if (!isMarked(draft, node, Several)) {
    dropRow(draft, 'stray-result', node, why)
    return false
  }
  noteRepair(draft, 'stray-result', node, why)
  patchRow(draft, node, { strayTools: stray })
  return true
}

/** The id of a tool in an entry, as it will be written. */
function nameIn(draft: Draft, node: number, tool: number): string {
  const id = toolIdOf(draft.graph, tool)
  return draft.patches.get(node)?.tools?.get(id) ?? id
}
