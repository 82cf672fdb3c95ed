import { counted, type FaultContext, type FaultKind, findingFor } from './fault.js'

/** D2: messages that a resume loads though they are not part of the conversation. */
export const moreLoaded: FaultKind = {
  id: 'more-loaded',
  rule: 'D2',
  title: 'more than the conversation',
  meaning:
    'A resume also loads messages that are not part of the conversation: of an abandoned branch, or written twice.',
  cost: 'The model sees them as part of the conversation. A checkout leaves them out.',
  remedy: 'A checkout writes the conversation alone as a new session.',
  fix: 'dagline checkout SESSION',
  find: (context, before) => {
    const { more } = context
    const what = `${counted(more.length, 'message')} from elsewhere`
    const rest = more.length === 1 ? '' : '; this is the first'
    if (!before.some(({ effect }) => effect === 'loss'))
      return findingFor(context, more, 'info', `A resume also loads ${what}${rest}.`)
    const message = `What is lost stands on another branch: a resume loads ${what} instead${rest}. To keep these, check out their end.`
    const fix = checkoutOfLoaded(context)
    return findingFor(context, more, 'info', message).map(found => ({ ...found, fix }))
  },
}

/** The command that writes what a resume loads today as a session of its own. */
function checkoutOfLoaded({ graph, loaded }: FaultContext): string | null {
  const last = loaded.nodes.at(-1)
  return last === undefined ? null : `dagline checkout SESSION:${graph.id(last)}`
}
