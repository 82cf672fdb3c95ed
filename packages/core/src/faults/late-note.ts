import { isConversation, nodeCount, none, parentOf, roleOf, rowOf, type UserRole } from '../graph/nodes.js'
import { counted, type FaultContext, type FaultKind, findingAt } from './fault.js'

/** D5: the last row is not a message, or a local command, and hangs on an older entry. */
export const lateNote: FaultKind = {
  id: 'late-note',
  rule: 'D5',
  title: 'late hook, notice or command',
  meaning:
    'The last row is a hook, a notice, progress or a local command that hangs on an older entry than the last.',
  cost: 'A resume takes it for the end of the conversation and loses what was written since.',
  remedy: 'A checkout writes the conversation as a new session, which ends with its last message.',
  fix: 'dagline checkout SESSION',
  find: context => {
    const { loaded, lost } = context
    const leaf = loaded.leaf ?? none
    if (loaded.stop !== null || !isNote(context, leaf) || !isLate(context, leaf)) return []
    const what = `A resume goes on from here and loses ${counted(lost.length, 'message')}.`
    return [findingAt(context, leaf, 'error', what)]
  },
}

function isNote({ graph }: FaultContext, leaf: number): boolean {
  if (leaf === none) return false
  return !isConversation(graph, leaf) || COMMANDS.has(roleOf(graph, leaf))
}

/** Whether something that is lost was written after the entry that it hangs on: at the end of all there is nothing such. */
function isLate(context: FaultContext, leaf: number): boolean {
  const { graph } = context
  let node = leaf
  for (let left = nodeCount(graph); isNote(context, node) && left > 0; left--) node = parentOf(graph, node)
  const row = node === none ? 0 : rowOf(graph, node)
  return context.lost.some(lost => rowOf(graph, lost) > row)
}

/** 1.0.x hangs every local command of a process on its one caveat, however much was written in between. */
const COMMANDS: ReadonlySet<UserRole> = new Set(['caveat', 'command', 'output'])
