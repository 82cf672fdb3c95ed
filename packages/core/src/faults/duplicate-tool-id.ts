import { callsOf, hasCalls, isInFile, toolIdOf, toolsOf } from '../graph/nodes.js'
import { counted, type FaultKind, findingAt, type Patient } from './fault.js'

/** D7: one id for several calls. */
export const duplicateToolId: FaultKind = {
  id: 'duplicate-tool-id',
  title: 'one id for several calls',
  meaning: 'Two calls carry the same id: a gateway counts from one, or history was pasted together.',
  cost: 'Newer releases drop one of the two calls; older ones are refused with every prompt (400).',
  fix: 'dagline repair SESSION',
  find: patient => {
    const twice = [...callsMadeTwice(patient)]
    const [first] = twice
    if (first === undefined) return []
    const { graph } = patient
    const id = toolIdOf(graph, first.tool)
    const message = `${counted(twice.length, 'id is', 'ids are')} used for more than one call; the first is ${id}.`
    const tools = new Set(twice.map(({ tool }) => tool))
    const isLosing = patient.lost.some(node => toolsOf(graph, node).some(tool => tools.has(tool)))
    const severity = isLosing ? 'error' : 'warning'
    return [{ ...findingAt(patient, first.node, severity, message), count: twice.length }]
  },
}

/** Tools that two live calls of this file share. */
function* callsMadeTwice({
  graph,
  file,
  live,
}: Patient): Generator<{ readonly tool: number; readonly node: number }> {
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
