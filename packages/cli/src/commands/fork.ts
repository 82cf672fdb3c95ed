/** `dagline fork`: a session with all its branches that goes on from an earlier point. */
import {
  carryOut,
  type EditWishes,
  fileAt,
  makeSession,
  openPoint,
  planned,
  type ReadyEdit,
  readyEdit,
  refuseBusy,
} from '@dagline/app'
import { planFork } from '@dagline/core/edit'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** Copies a session up to a point, its branches included. */
export async function fork(console: Console, ref: string, wishes: EditWishes): Promise<void> {
  const ready = await prepare(console, ref, wishes)
  await printReports(console, [await carryOut(console, ready, wishes)])
}

async function prepare(console: Console, ref: string, wishes: EditWishes): Promise<ReadyEdit> {
  const point = openPoint(ref, null, console)
  const file = fileAt(point, point.node)
  await refuseBusy(point.loaded, file, wishes)
  const plan = planned(planFork(point.source, point.node, makeSession(wishes)))
  const before = point.source.graph.live(file.facts.path).length
  return readyEdit(console, { project: point, plan, file, before }, wishes)
}
