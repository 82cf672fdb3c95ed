/** The home page: all sessions, and how far the index is. */

import { tallyUsage } from '@dagline/core/measure'
import type { GivenLabel, Home, SessionCard } from '@dagline/core/protocol'
import type { Label, Labels, SessionFact } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import type { LiveContext } from '../live/context.js'

/** Makes the list of all sessions, again and again. */
export function createHome(context: LiveContext): () => Home {
  const costs = createCosts(context)
  return () => homeOf(context, costs)
}

function homeOf(context: LiveContext, costs: () => Costs): Home {
  const sessions = sessionsOf(context)
  const labels = context.labels()
  const costOf = sessions.length === 0 ? new Map<string, number>() : costs()
  return {
    looked: context.looked,
    isSample: context.isSample,
    sync: context.events.status(),
    sessions: sessions.map(fact => cardOf(fact, costOf, labels)),
  }
}

/** None while the index is being made for the first time. */
function sessionsOf(context: LiveContext): readonly SessionFact[] {
  try {
    return context.sessions()
  } catch (error) {
    if (error instanceof UserError && error.code === 'not-ready') return []
    throw error
  }
}

function cardOf(fact: SessionFact, costs: Costs, labels: Labels): SessionCard {
  // The page does not need these.
  const { file, called, isCleared, parent, ...shown } = fact
  const label = labels.get(fact.session)
  return {
    ...shown,
    cost: costs.get(fact.session) ?? null,
    parent: parent === null ? null : { session: parent.session, how: parent.how },
    label: label === undefined ? null : givenLabel(label),
  }
}

/** A label as the page gets it. */
export function givenLabel({ kind, id, name, tags, note }: Label): GivenLabel {
  return { kind, id, name, tags, note }
}

type Costs = ReadonlyMap<string, number | null>

/** Adding everything up takes at most one part in so many of the time, however often sessions grow. */
const SHARE = 20

/** What sessions cost; a little old where they change faster than they can be added up. */
function createCosts(context: LiveContext): () => Costs {
  let [known, from, until]: [Costs, unknown, number] = [new Map(), null, 0]
  return () => {
    if (context.now() < until) return known
    const start = performance.now()
    const usage = context.usage()
    if (usage === from) return known
    const { groups } = tallyUsage(usage, 'session', () => '')
    known = new Map(groups.map(({ key, cost }) => [key, cost]))
    from = usage
    until = context.now() + (performance.now() - start) * SHARE
    return known
  }
}
