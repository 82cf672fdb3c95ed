/** X9: the home page: some rows of the list of sessions, and how far the index is. */

import { tallyBuckets } from '@dagline/core/measure'
import type { GivenLabel, Home, HomeProject, HomeView, SessionCard } from '@dagline/core/protocol'
import type { Label, Labels, SessionFact } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import type { LiveContext } from '../live/context.js'
import { type HomeList, listHome, listProjects } from './home-list.js'

/** Which rows of which list. */
export interface HomeOptions {
  readonly view: HomeView
  readonly from: number
  readonly count: number
}

/** Makes parts of the list of sessions, again and again. */
export function createHome(context: LiveContext): (options: HomeOptions) => Home {
  const costs = createCosts(context)
  let all = noSessions(0)
  let listed: { readonly key: string; readonly list: HomeList } | null = null
  return ({ view, from, count }) => {
    const next = describeSessions(context, costs, all)
    // The list goes by the minute: sessions leave the last day while it is shown.
    const key = JSON.stringify([view, Math.floor(context.now() / 60_000)])
    if (listed?.key !== key || next !== all) listed = { key, list: listHome(next.cards, view, context.now()) }
    all = next
    const { items, ...sums } = listed.list
    return {
      looked: context.looked,
      isSample: context.isSample,
      sync: context.events.status(),
      version: all.version,
      from,
      items: items.slice(from, from + count),
      rows: items.length,
      sums,
      sessions: all.sessions,
      isEmpty: all.cards.length === 0,
      hasArchived: all.hasArchived,
      projects: all.projects,
    }
  }
}

/** All sessions, whatever the filters. */
interface AllSessions {
  readonly version: number
  /** What they were made from. */
  readonly made: readonly unknown[]
  readonly cards: readonly SessionCard[]
  readonly sessions: number
  readonly hasArchived: boolean
  readonly projects: readonly HomeProject[]
}

function noSessions(version: number): AllSessions {
  return { version, made: [], cards: [], sessions: 0, hasArchived: false, projects: [] }
}

/** The same as before while nothing has changed. */
function describeSessions(context: LiveContext, costs: () => Costs, before: AllSessions): AllSessions {
  const facts = sessionsOf(context)
  if (facts.length === 0) return before.cards.length === 0 ? before : noSessions(before.version + 1)
  const made = [facts, context.labels(), costs()] as const
  if (made.every((part, at) => part === before.made[at])) return before
  const [, labels, costOf] = made
  const cards = facts.map(fact => cardOf(fact, costOf, labels, context.ownerOf(fact)))
  return {
    version: before.version + 1,
    made,
    cards,
    sessions: cards.filter(({ isIdle }) => !isIdle).length,
    hasArchived: cards.some(({ archivedOnly }) => archivedOnly),
    projects: listProjects(cards),
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

function cardOf(fact: SessionFact, costs: Costs, labels: Labels, owner: number | null): SessionCard {
  // The page does not need these.
  const { file, called, isCleared, parent, ...shown } = fact
  const label = labels.get(fact.session)
  return {
    ...shown,
    cost: costs.get(fact.session) ?? null,
    parent: parent === null ? null : { session: parent.session, how: parent.how },
    label: label === undefined ? null : givenLabel(label),
    owner,
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
    const { groups } = tallyBuckets(usage, 'session', () => '')
    known = new Map(groups.map(({ key, cost }) => [key, cost]))
    from = usage
    until = context.now() + (performance.now() - start) * SHARE
    return known
  }
}
