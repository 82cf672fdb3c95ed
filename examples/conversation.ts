import { openHistory } from 'dagline'
import { liveConversation, wholeConversation } from 'dagline/core'

/** A session as one sequence: what the model has now, and the same with all that compactions replaced. */
export async function run(folder: string): Promise<string[]> {
  const history = openHistory()
  const found = await history.graphOf(folder)
  const contents = await history.contentsOf(found)
  const { graph, session } = found
  const line = (node: number): string => {
    const { kind, text } = contents.summary(node)
    return `  ${kind}: ${text}`
  }
  const live = liveConversation(graph, session.id)
  const whole = wholeConversation(graph, session.id)
  const lines = [`${live.length} live`, ...live.map(line), `${whole.length} in all`, ...whole.map(line)]
  history.close()
  return lines
}
