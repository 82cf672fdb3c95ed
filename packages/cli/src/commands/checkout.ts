/** `dagline checkout`: any point of the graph becomes a session that can be resumed. */
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
  timeOf,
} from '@dagline/app'
import { planCheckout } from '@dagline/core/edit'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** What the command was told. */
export interface CheckoutOptions extends EditWishes {
  readonly at: string | null
}

/** Makes a session of the conversation up to a point. It asks nothing: what is there stays as it is. */
export async function checkout(console: Console, ref: string, wishes: CheckoutOptions): Promise<void> {
  const ready = await prepare(console, ref, wishes)
  await printReports(console, [await carryOut(console, ready, wishes)])
}

async function prepare(console: Console, ref: string, wishes: CheckoutOptions): Promise<ReadyEdit> {
  const point = openPoint(ref, timeOf(wishes.at, true), console)
  const file = fileAt(point, point.node)
  await refuseBusy(point.loaded, file, wishes)
  const plan = planned(planCheckout(point.source, point.node, makeSession(wishes)))
  const before = point.source.graph.live(file.facts.path).length
  return readyEdit(console, { project: point, plan, file, before }, wishes)
}
