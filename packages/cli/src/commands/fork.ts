/** `dagline fork`: a session with all its branches that goes on from an earlier point. */
import { planFork } from '@dagline/core'
import type { Console } from '../console.js'
import { openPoint } from '../read/edit.js'
import { fileAt } from '../read/edit-file.js'
import { carryOut, makeSession, planned, type ReadyEdit, readyEdit, tell } from '../read/edit-run.js'
import { type EditWishes, refuseBusy } from '../read/edit-target.js'

/** Copies a session up to a point, its branches included. */
export async function fork(console: Console, ref: string, wishes: EditWishes): Promise<void> {
  const ready = await prepare(console, ref, wishes)
  await tell(console, [await carryOut(console, ready, wishes)])
}

async function prepare(console: Console, ref: string, wishes: EditWishes): Promise<ReadyEdit> {
  const point = openPoint(ref, null, console)
  const file = fileAt(point, point.node)
  await refuseBusy(point.loaded, file, wishes)
  const plan = planned(planFork(point.source, point.node, makeSession(wishes)))
  const before = point.source.graph.live(file.facts.path).length
  return readyEdit(console, { project: point, plan, file, before }, wishes)
}
