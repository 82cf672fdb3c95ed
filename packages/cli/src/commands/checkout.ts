/** `dagline checkout`: any point of the graph becomes a session that can be resumed. */
import { planCheckout } from '@dagline/core'
import type { Console } from '../console.js'
import { timeOf } from '../read/dates.js'
import { openPoint } from '../read/edit.js'
import { fileAt } from '../read/edit-file.js'
import { carryOut, makeSession, planned, tell } from '../read/edit-run.js'
import { type EditWishes, refuseBusy } from '../read/edit-target.js'

/** Makes a session of the conversation up to a point. */
export async function checkout(
  console: Console,
  ref: string,
  wishes: EditWishes & { readonly at: string | null },
): Promise<void> {
  const point = openPoint(ref, timeOf(wishes.at, true), console)
  const file = fileAt(point, point.node)
  await refuseBusy(point.loaded, file, wishes)
  const plan = planned(planCheckout(point.source, point.node, makeSession(wishes)))
  const before = point.source.graph.live(file.facts.path).length
  await tell(console, [carryOut(console, { project: point, plan, file, before }, wishes)])
}
