/** Two sides of a comparison, or the forks of a session that can be compared. */

import { sessionId } from '@dagline/core'
import {
  type ComparedPath,
  compareApart,
  compareLines,
  createPricer,
  listComparable,
  nodeNamed,
} from '@dagline/core/measure'
import type { CompareChoices, Comparison } from '@dagline/core/protocol'
import { textsFrom } from '../compare/sides.js'
import { currentPrices } from '../host/prices.js'
import { UserError } from '../host/user-error.js'
import type { LiveContext, OpenSession } from '../live/context.js'
import { sessionName } from './projects.js'

/** The forks of a session, to choose the two sides of a comparison from. */
export function comparisonChoices(context: LiveContext, word: string): CompareChoices {
  const { graph, fact } = context.graphOf(word)
  const { session } = fact
  return { session, title: sessionName(fact), forks: listComparable(graph, sessionId(session)) }
}

/** Compares two sessions, branches or entries. */
export function comparisonPage(context: LiveContext, a: string, b: string): Comparison {
  const first = find(context, a)
  const other = find(context, b)
  // Looking for the second may have renewed the graph of the first: ask the newest of both.
  const one = isSameGroup(first.session, other.session) ? nodeIn(other.session, first.id, a) : first
  const [left, right] = [placeOf(context, one), placeOf(context, other)]
  if (left.graph === right.graph) return compareLines(left.graph, left.node, right.node, right.options)
  return compareApart(left, right)
}

/** A node that was found. */
interface Found {
  readonly session: OpenSession
  readonly node: number
  readonly id: string
}

/** A session, a branch (`session@1f00ab34cd56`) or the uuid of an entry; beginnings of them suffice. */
function find(context: LiveContext, word: string): Found {
  const [start = ''] = word.split('@')
  const isSession = word.includes('@') || context.sessions().some(({ session }) => session.startsWith(start))
  if (!isSession) {
    const { session, node } = context.nodeOf(word)
    return { session, node, id: session.graph.id(node) }
  }
  const session = context.graphOf(start)
  return nodeIn(session, word === start ? session.fact.session : word, word)
}

function nodeIn(session: OpenSession, name: string, word: string): Found {
  const node = nodeNamed(session.graph, name)
  if (node === null)
    throw new UserError(`${word} leads to no conversation: it may have nothing of its own.`, 'no-line')
  return { session, node, id: session.graph.id(node) }
}

function isSameGroup(a: OpenSession, b: OpenSession): boolean {
  return a.root === b.root && a.files[0]?.group === b.files[0]?.group
}

function placeOf(context: LiveContext, { session, node }: Found): ComparedPath {
  const { graph } = session
  const messages = context.sheets.messagesOf(session)
  const price = createPricer(currentPrices())
  const titles = new Map(context.sessions().map(fact => [fact.session, sessionName(fact)]))
  return {
    graph,
    node,
    options: {
      ...textsFrom(each => context.reading.record(session, each)),
      costOf: message => {
        const usage = messages.get(message)
        return usage === undefined ? null : price(usage)
      },
      titleOf: id => titles.get(id) ?? null,
    },
  }
}
