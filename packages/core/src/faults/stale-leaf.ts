import { counted, type FaultKind, findingAt } from './fault.js'

/** D5: the note of where the conversation ended is older than the conversation. */
export const staleLeaf: FaultKind = {
  id: 'stale-leaf',
  rule: 'D5',
  title: 'outdated note of the end',
  meaning:
    'Claude Code noted another entry as the end than the one written last: a process was killed after a rewind.',
  cost: 'A resume continues from the noted entry and drops the branch that was written since.',
  remedy: 'A checkout writes the conversation as a new session, without the outdated note.',
  fix: 'dagline checkout SESSION',
  find: context => {
    const { graph, loaded, lost, survey } = context
    const { leaf } = loaded
    const isLast = context.file.nodes.at(-1) === leaf
    if (lost.length === 0 || isLast || leaf === null || graph.id(leaf) !== survey.leafNote) return []
    const what = `A resume goes back to this entry and loses ${counted(lost.length, 'message')}.`
    return [findingAt(context, leaf, 'error', what)]
  },
}
