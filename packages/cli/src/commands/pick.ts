/** `dagline pick`: turns of one branch at the end of another. */
import { planPick } from '@dagline/core'
import { type Console, Refusal } from '../console.js'
import { type EditedPoint, openPoint } from '../read/edit.js'
import { fileAt } from '../read/edit-file.js'
import { carryOut, makeSession, planned, type ReadyEdit, readyEdit, tell } from '../read/edit-run.js'
import { type EditWishes, refuseBusy } from '../read/edit-target.js'

/** What the command was told. */
export interface PickOptions extends EditWishes {
  readonly onto: string
}

/** Makes a session of the conversation at a point and the turns that were picked. */
export async function pick(console: Console, refs: readonly string[], wishes: PickOptions): Promise<void> {
  if (refs.length === 0)
    throw new Refusal('Nothing was picked: give the uuids of prompts, or of answers below them.')
  const ready = await prepare(console, refs, wishes)
  await tell(console, [await carryOut(ready, wishes)])
}

async function prepare(console: Console, refs: readonly string[], wishes: PickOptions): Promise<ReadyEdit> {
  const onto = openPoint(wishes.onto, null, console)
  const picked = refs.map(ref => nodeIn(onto, ref, console))
  const file = fileAt(onto, onto.node)
  await refuseBusy(onto.loaded, file, wishes)
  const plan = planned(planPick(onto.source, onto.node, picked, makeSession(wishes)))
  const before = onto.source.graph.live(file.facts.path).length
  return readyEdit(console, { project: onto, plan, file, before }, wishes)
}

/** The entry that a reference names, in the graph of the point that it goes onto. */
function nodeIn({ loaded: { graph, root, project } }: EditedPoint, ref: string, console: Console): number {
  const point = openPoint(ref, null, console)
  const node = graph.index(point.loaded.graph.id(point.node))
  const isSame = point.loaded.root === root && point.loaded.project.path === project.path
  if (isSame && node >= 0) return node
  throw new Refusal(`${ref} lies in another project than the point it goes onto: pick within one project.`)
}
