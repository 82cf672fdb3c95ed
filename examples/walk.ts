import { actorName, isSpoken, layOutLanes, renderText, walkSession, walkTree } from 'dagline/core'
import { openProject } from './open.ts'

/** Three ways to walk. */
export async function run(folder: string): Promise<string[]> {
  return [...(await trunks(folder)), '', ...(await drawing(folder)), '', ...(await tree(folder))]
}

/** The trunk of every session, one node after the other. */
async function trunks(folder: string): Promise<string[]> {
  const graph = await openProject(folder)
  return graph
    .lines()
    .filter(line => line.kind === 'trunk')
    .flatMap(line => line.nodes.map(node => `${actorName(graph.actor(node))}: ${graph.node(node).type}`))
}

/** The same as `dagline log --graph`: rows, their lanes, and text of your own beside them. */
async function drawing(folder: string): Promise<string[]> {
  const graph = await openProject(folder)
  return graph.sessions().map(({ id }) => {
    const { rows } = walkSession(graph, id, { branches: 'show', agents: 'show', shows: isSpoken })
    return renderText(rows, layOutLanes(rows), row => actorName(graph.actor(row.node)))
  })
}

/** All sessions and lines, depth first: a header, the whole trunk, then the lines that leave it. */
async function tree(folder: string): Promise<string[]> {
  return [...walkTree(await openProject(folder))].map(step =>
    step.kind === 'session'
      ? `${'  '.repeat(step.depth)}${step.session.title}`
      : `${'  '.repeat(step.depth + 1)}${step.line.kind}, ${step.line.nodes.length} entries`,
  )
}
