import { openProject } from './open.ts'

/** Every real fork, why it is one, and what became of each branch. */
export async function run(folder: string): Promise<string[]> {
  const graph = await openProject(folder)
  const real = graph.forks().filter(fork => fork.kind === 'rewind' || fork.kind === 'two-writers')
  return real.flatMap(fork => [
    `${fork.kind} (${fork.rule}): ${fork.evidence}`,
    ...fork.branches.map(head => {
      const line = graph.lineOf(head)
      return `  ${line?.status}, ${line?.nodes.length} entries: ${graph.node(head).head}`
    }),
  ])
}
