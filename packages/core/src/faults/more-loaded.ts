import { none } from '../graph/nodes.js'
import { counted, type FaultContext, type FaultKind, type Finding, findingAt } from './fault.js'

/** D2: messages that a resume loads though they are not part of the conversation. */
export const moreLoaded: FaultKind = {
  id: 'more-loaded',
  title: 'more than the conversation',
  meaning:
    'A resume also loads messages that are not part of the conversation: of a branch that was left, or written twice.',
  cost: 'The model sees them as if they had been said. A checkout leaves them out.',
  fix: 'dagline checkout SESSION',
  find: (context, before) => {
    const [first] = context.more
    if (first === undefined) return []
    const count = context.more.length
    const rest = count === 1 ? '' : '; this is the first'
    const isInstead = before.some(({ effect }) => effect === 'loss')
    if (!isInstead)
      return [
        {
          ...found(context, `A resume also loads ${counted(count, 'message')} from elsewhere${rest}.`),
          count,
        },
      ]
    const message = `What is lost stands on another branch: a resume loads ${counted(count, 'message')} from elsewhere instead${rest}. To keep these, check out their end.`
    return [{ ...found(context, message), count, fix: checkoutOfLoaded(context) }]
  },
}

function found(context: FaultContext, message: string): Finding {
  return findingAt(context, context.more[0] ?? none, 'info', message)
}

/** The command that writes what a resume loads today as a session of its own. */
function checkoutOfLoaded({ graph, loaded }: FaultContext): string | null {
  const last = loaded.nodes.at(-1)
  return last === undefined ? null : `dagline checkout SESSION:${graph.id(last)}`
}
