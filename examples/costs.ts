import { openHistory } from 'dagline'

/** What a session cost, and its turns, branches and subagents. */
export async function run(folder: string): Promise<string[]> {
  const history = openHistory({ roots: [folder] })
  const { graph, session } = await history.graphOf(folder)
  const cost = async (name: string, ref: string): Promise<string> => {
    const { own, total } = await history.costOf(ref)
    return `${name}: $${total.costUSD?.toFixed(4)}, messages: ${own.messages} of its own, ${total.messages} with subagents`
  }
  const lines = graph.lines().filter(({ kind, domain }) => kind !== 'trunk' && domain.session === session.id)
  const turns = [...graph.nodes()].filter(
    node => graph.startsTurn(node) && graph.lineOf(node)?.domain.kind === 'session',
  )
  return [
    await cost('session', session.id),
    ...(await Promise.all(turns.map(node => cost(`turn "${graph.node(node).head}"`, graph.id(node))))),
    ...(await Promise.all(lines.map(({ kind, status, id }) => cost(`${kind}, ${status}`, id)))),
  ]
}
