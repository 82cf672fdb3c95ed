import { isInFile, none } from '../graph/nodes.js'
import { type FaultContext, type FaultKind, findingAt } from './fault.js'

/** D10: two processes wrote one session at once. */
export const twoWriters: FaultKind = {
  id: 'two-writers',
  rule: 'D10',
  title: 'two writers',
  meaning: 'Two processes went on in the same session at the same time, each from its own last entry.',
  cost: 'A resume takes the side that was written last; the other side is on a branch that it never shows.',
  remedy: '`dagline branches` lists both sides; `dagline checkout` makes a session of the other one.',
  fix: 'dagline branches SESSION',
  find: context => {
    const { graph, file } = context
    const forks = graph.forks().filter(({ kind, branches }) => {
      const [first] = branches
      return kind === 'two-writers' && first !== undefined && isInFile(graph, first, file)
    })
    return forks.map(({ at, branches, evidence }) => ({
      ...findingAt(context, at ?? branches[0] ?? none, 'warning', `Two processes part here: ${evidence}.`),
      ...fixFor(context, branches),
    }))
  },
}

/** The end of a side that is not live: checked out, it is a session of its own. */
function fixFor({ graph, live }: FaultContext, branches: readonly number[]): { readonly fix?: string } {
  const ends = branches.flatMap(branch => graph.lineOf(branch)?.nodes.at(-1) ?? [])
  const other = ends.find(end => !live.has(end))
  return other === undefined ? {} : { fix: `dagline checkout SESSION:${graph.id(other)}` }
}
