/** `dagline pick`: turns of one branch at the end of another. */
import {
  carryOut,
  type EditedPoint,
  type EditWishes,
  fileAt,
  makeSession,
  openPoint,
  planned,
  type ReadyEdit,
  readyEdit,
  refuseBusy,
  UserError,
} from '@dagline/app'
import type { Graph, Line } from '@dagline/core'
import { planPick, promptOf } from '@dagline/core/edit'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** What the command was told. */
export interface PickOptions extends EditWishes {
  readonly onto: string
}

/** Makes a session of the conversation at a point and the turns that were picked. */
export async function pick(console: Console, refs: readonly string[], wishes: PickOptions): Promise<void> {
  if (refs.length === 0)
    throw new UserError('Nothing was picked: give the uuids of prompts, or of answers below them.')
  const ready = await prepare(console, refs, wishes)
  await printReports(console, [await carryOut(console, ready, wishes)])
}

async function prepare(console: Console, refs: readonly string[], wishes: PickOptions): Promise<ReadyEdit> {
  const onto = openPoint(wishes.onto, null, console)
  const picked = refs.flatMap(ref => nodesIn(onto, ref, console))
  const file = fileAt(onto, onto.node)
  await refuseBusy(onto.loaded, file, wishes)
  const plan = planned(planPick(onto.source, onto.node, picked, makeSession(wishes)))
  const before = onto.source.graph.live(file.facts.path).length
  return readyEdit(console, { project: onto, plan, file, before }, wishes)
}

/** What a reference names, in the graph of the point that it goes onto: an entry, or all turns of a branch. */
function nodesIn(onto: EditedPoint, ref: string, console: Console): readonly number[] {
  const { graph, root, project } = onto.loaded
  const known = graph.index(ref)
  if (known >= 0) return [known]
  const { loaded, node, line } = openPoint(ref, null, console)
  const isSame = loaded.root === root && loaded.project.path === project.path
  const found = turnsOf(loaded.graph, line, node).map(each => graph.index(loaded.graph.id(each)))
  if (isSame && found.every(each => each >= 0)) return found
  throw new UserError(`${ref} lies in another project than the point it goes onto: pick within one project.`)
}

/** The prompts of a branch, in their order; an entry stands for its own turn. */
function turnsOf(graph: Graph, line: Line | null, node: number): readonly number[] {
  const prompts = line?.kind === 'branch' ? line.nodes.filter(each => promptOf(graph, each) === each) : []
  return prompts.length > 0 ? prompts : [node]
}
