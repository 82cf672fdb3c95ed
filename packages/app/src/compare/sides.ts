/** X7: the two sides of a comparison: from words on the command line to nodes of graphs. */

import { messageText, summarizeCalls } from '@dagline/core/content'
import { type CompareOptions, compareApart, compareLines, nodeNamed } from '@dagline/core/measure'
import { plainPrompt } from '@dagline/core/model'
import type { Json } from '@dagline/core/parse'
import type { Comparison } from '@dagline/core/protocol'
import { openContents } from '../contents/records.js'
import { labelsFor, namedBy } from '../files/labels.js'
import type { LoadedProject } from '../graphs/project.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { isSession } from '../locate/label-target.js'
import { isEntryForm, lineForm, openRef } from '../locate/ref.js'
import { openSession } from '../locate/session.js'
import { type Bill, openBill } from '../measure/stats.js'

/** Two sides compared, each with the name that the user gave it, or an empty text. */
export interface NamedComparison {
  readonly comparison: Comparison
  readonly names: readonly [string, string]
}

/** Compares two sessions, branches or entries; one alone with what is live in its session. */
export function compareSides(host: Host, a: string, b: string | null): NamedComparison {
  const named = openSide(a, host)
  const one = b === null ? abandonedSide(named) : named
  const other = b === null ? liveSide(one) : openOtherSide(b, one, host)
  const comparison = compareOpen(one, other)
  const nameOf = (word: string | null, line: string): string =>
    (word === null ? null : namedBy(word, host))?.name ?? labelsFor(host).get(line)?.name ?? ''
  const [left, right] = comparison.sides
  return { comparison, names: [nameOf(a, left.line), nameOf(b, right.line)] }
}

function compareOpen(one: OpenSide, other: OpenSide): Comparison {
  const [left, right] = [compareOptions(one), compareOptions(other)]
  try {
    if (one.loaded === other.loaded) return compareLines(one.loaded.graph, one.node, other.node, left)
    return compareApart(
      { graph: one.loaded.graph, node: one.node, options: left },
      { graph: other.loaded.graph, node: other.node, options: right },
    )
  } finally {
    left.close()
    right.close()
  }
}

/** A node on the side that is meant, in the project it is in. */
interface OpenSide {
  readonly loaded: LoadedProject
  readonly node: number
  readonly bill: Bill
  /** The session that was named, where a whole one was. */
  readonly session: string | null
}

/** Opens what a word means: a session by its last live entry, a branch by its first, an entry. */
export function openSide(word: string, host: Host): OpenSide {
  if (word === '') throw new UserError('The REF is empty. Give a session, a branch or an entry.')
  const bill = openBill()
  const named = namedBy(word, host)
  const isWhole = named === null ? isSessionForm(word, host) : named.kind === 'session'
  return isWhole ? sessionSide(word, host, bill) : entrySide(word, host, bill)
}

/** An entry; else a session that only the rows of a transcript with another name know. */
function entrySide(word: string, host: Host, bill: Bill): OpenSide {
  try {
    return { ...openRef(word, host, { see: bill.see }), bill, session: null }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    try {
      return sessionSide(word, host, openBill())
    } catch {
      throw error
    }
  }
}

function sessionSide(word: string, host: Host, bill: Bill): OpenSide {
  const { loaded, session, line } = openSession(word, host, { see: bill.see })
  const node = nodeNamed(loaded.graph, line?.id ?? session.id)
  if (node === null)
    throw new UserError(`${word} has no conversation of its own. Give a session or branch that has one.`)
  return { loaded, node, bill, session: line === null ? session.id : null }
}

function isSessionForm(word: string, host: Host): boolean {
  return !isEntryForm(word) && lineForm(word, host) === null && isSession(word, host)
}

/** Another side, in the same graph where it is there: a project is read once. */
function openOtherSide(word: string, beside: OpenSide, host: Host): OpenSide {
  const id = namedBy(word, host)?.id ?? word
  const node = nodeNamed(beside.loaded.graph, id)
  if (node !== null) return { ...beside, node }
  const side = openSide(word, host)
  const isSame =
    side.loaded.root === beside.loaded.root && side.loaded.project.path === beside.loaded.project.path
  const known = isSame ? beside.loaded.graph.index(side.loaded.graph.id(side.node)) : null
  return known === null ? side : { ...beside, node: known }
}

/** The one branch of a session that was left; the session itself where there is none, and where it was not named. */
function abandonedSide(side: OpenSide): OpenSide {
  const { graph } = side.loaded
  const session = graph.sessions().find(({ id }) => id === side.session)
  const left = graph
    .lines()
    .filter(
      ({ kind, status, domain }) =>
        kind === 'branch' &&
        status !== 'live' &&
        domain.kind === 'session' &&
        domain.session === side.session,
    )
  const [only] = left
  if (session === undefined || only === undefined) return side
  if (left.length === 1) return { ...side, node: only.head ?? side.node }
  const ids = left.slice(0, MOST_NAMED).map(({ id }) => id.slice(id.lastIndexOf('@')))
  const more = left.length > ids.length ? ` and ${left.length - ids.length} more` : ''
  throw new UserError(
    `${side.session} has ${left.length} branches: ${ids.join(', ')}${more}; name one: \`dagline diff ${side.session}${ids[0]}\`.`,
  )
}

/** The most branches that the message names. */
const MOST_NAMED = 4

/** The live side of the conversation that a side is of. */
function liveSide(side: OpenSide): OpenSide {
  const { graph } = side.loaded
  const line = graph.lineOf(side.node)
  const node = line === null ? null : nodeNamed(graph, line.domain.session)
  if (node === null)
    throw new UserError('Nothing is live beside it. Give the other side, too: `dagline diff A B`.')
  return { ...side, node }
}

/** Texts longer than this are cut: two columns are for comparing, `show` is for reading. */
const MOST_WORDS = 8000

/** What comparing shows of entries, from their records. */
export function textsFrom(
  recordOf: (node: number) => Json | null,
): Pick<CompareOptions, 'wordsOf' | 'callsOf'> {
  return {
    wordsOf: node => {
      const record = recordOf(node)
      const text = record === null ? null : messageText(record)
      if (text === null) return null
      const words = plainPrompt(text)
      return words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS)} …` : words
    },
    callsOf: node => {
      const record = recordOf(node)
      return record === null ? [] : summarizeCalls(record)
    },
  }
}

/** What comparing asks for, read from the files; to be closed. */
function compareOptions({ loaded, bill }: OpenSide): CompareOptions & { readonly close: () => void } {
  const contents = openContents(loaded.root, loaded.graph)
  return {
    ...textsFrom(contents.record),
    costOf: bill.costOf,
    titleOf: id => loaded.graph.session(id)?.title ?? null,
    close: contents.close,
  }
}
