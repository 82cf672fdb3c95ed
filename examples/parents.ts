import { openProject } from './open.ts'

/** The parents as the files record them: roots, parents that are missing, nodes with several children, calls and results. */
export async function run(folder: string): Promise<string[]> {
  const graph = await openProject(folder)
  const say = (node: number): string => `${graph.node(node).kind} on row ${graph.node(node).row}`
  const parted = [...graph.nodes()].filter(node => graph.childrenOf(node).length > 1)
  const calls = [...graph.nodes()].filter(node => graph.node(node).kind === 'assistant')
  return [
    `roots: ${graph.roots().map(say).join(', ')}`,
    `orphans: ${graph.orphans().map(say).join(', ') || 'none'}`,
    ...parted.map(node => `${say(node)} has ${graph.childrenOf(node).map(say).join(' and ')}`),
    ...calls.flatMap(node =>
      graph.toolEnds(node).map(({ id }) => {
        const result = graph.resultOf(id)
        return `${id} is answered by ${result === null ? 'nothing' : say(result)}`
      }),
    ),
  ]
}
