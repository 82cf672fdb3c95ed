import { entryId } from 'dagline/core'
import { openProject } from './open.ts'

/** What is live, and why the first entry of an abandoned branch is not. */
export async function run(folder: string): Promise<string[]> {
  const graph = await openProject(folder)
  const abandoned = graph.lines().find(({ status }) => status === 'abandoned')
  const uuid = abandoned?.head == null ? '' : graph.id(abandoned.head)
  return [...(await live(folder)), '', ...(await why(folder, uuid))]
}

/** What the next request of each file would carry, in the order of sending. */
async function live(folder: string): Promise<string[]> {
  const graph = await openProject(folder)
  return graph.files().flatMap(({ facts }) => {
    const nodes = graph.live(facts.path).map(node => graph.node(node))
    return [
      `${facts.kind} ${facts.agent ?? facts.session}`,
      ...nodes.map(({ row, type }) => `  row ${row}: ${type}`),
    ]
  })
}

/** Why the node with this uuid is where it is: rules of docs/SPEC.md, each with its evidence. */
async function why(folder: string, uuid: string): Promise<string[]> {
  const graph = await openProject(folder)
  const node = graph.index(entryId(uuid))
  if (node === null) return ['no such entry']
  return graph.explain(node).map(({ rule, evidence }) => `${rule}: ${evidence}`)
}
