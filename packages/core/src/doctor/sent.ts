/** From the loader's chain to the entries that the first request carries. */

import { BlankString, NothingToSend, Unsigned } from '../edit/survey.js'
import { unitOf } from '../graph/facts.js'
import { isConversation } from '../graph/live.js'
import type { State } from '../graph/state.js'
import * as t from '../graph/table.js'
import { toolsOf } from '../graph/tool-book.js'
import { booksOf, type LoadedBooks } from './books.js'
import type { ContentMarks } from './extras.js'
import type { Release } from './releases.js'
import type { LoadedRows } from './rows.js'

/** A chain that is about to be sent. */
interface Sending extends SendingOptions {
  readonly books: LoadedBooks
}

/** What is known of a chain before it is sent. */
export interface SendingOptions {
  readonly loaded: LoadedRows
  readonly chain: readonly number[]
  readonly release: Release
  readonly marks: ContentMarks
}

/** The user and assistant entries that are sent, in order. */
export function sentOf(options: SendingOptions): readonly number[] {
  const sending: Sending = { ...options, books: booksOf(options.loaded) }
  const chain = messagesOn(sending)
  const whole = sending.release.gathers === 'nothing' ? chain : gather(sending, chain)
  const paired = withoutOpenCalls(sending, withoutStrayResults(sending, whole))
  const spoken = spokenUnits(sending, paired)
  return paired.filter(node => !isLeftOut(sending, node, spoken))
}

function messagesOn({ loaded: { state, rows }, chain }: Sending): readonly number[] {
  return chain.map(place => rows[place] ?? t.none).filter(node => isConversation(state.table, node))
}

/** Every message on the chain with all its parts, and the results of their calls. */
function gather(sending: Sending, chain: readonly number[]): readonly number[] {
  return sending.release.gathers === 'by-parent' ? withLostBehind(sending, chain) : withParts(sending, chain)
}

function messageOf({ table }: State, node: number): number {
  return t.byte(table.kind, node) === t.Assistant ? t.int(table.message, node) : t.none
}

/** Parts and results come where the first part of the message stands. */
function withParts(sending: Sending, chain: readonly number[]): readonly number[] {
  const gathered = new Set<number>()
  const onChain = new Set(chain)
  for (const node of chain) {
    const message = messageOf(sending.loaded.state, node)
    const parts = message === t.none ? [node] : partsOf(sending, message)
    for (const part of parts) gathered.add(part)
    for (const part of parts) for (const result of resultsBeside(sending, part, onChain)) gathered.add(result)
  }
  return [...gathered]
}

/**
 * What is beside the chain comes behind the last part on it, and so before the results on it: where history stands there
 * twice, the results of the other copy are the first.
 */
function withLostBehind(sending: Sending, chain: readonly number[]): readonly number[] {
  const { state } = sending.loaded
  const onChain = new Set(chain)
  const lastParts = new Map(chain.map(node => [messageOf(state, node), node]))
  return chain.flatMap(node => {
    const message = messageOf(state, node)
    if (message === t.none || lastParts.get(message) !== node) return [node]
    const parts = partsOf(sending, message)
    const results = parts.flatMap(part => resultsBeside(sending, part, onChain))
    const isLost = (each: number): boolean => !onChain.has(each)
    return [
      node,
      ...byTime(state, parts.filter(isLost)),
      ...byTime(state, [...new Set(results)].filter(isLost)),
    ]
  })
}

function byTime({ table }: State, nodes: readonly number[]): readonly number[] {
  return nodes.toSorted((a, b) => t.real(table.time, a) - t.real(table.time, b))
}

function partsOf({ loaded, books }: Sending, message: number): readonly number[] {
  return books.partsOf(message).filter(part => isLoaded(loaded, part))
}

/**
 * The results of a part's calls that hang on a part of its message. For a call that has none there, and none on the chain,
 * newer releases take those that stand anywhere in the file.
 */
function resultsBeside(
  { loaded, books, release }: Sending,
  part: number,
  onChain: ReadonlySet<number>,
): readonly number[] {
  const { state } = loaded
  if (!t.marked(state.table, part, t.HasCalls)) return []
  const message = t.int(state.table.message, part)
  const hangsOnIt = (result: number): boolean => {
    const parent = parentIn(loaded, result)
    return message === t.none ? parent === part : isPartOf(state, parent, message)
  }
  return toolsOf(state, part).flatMap(tool => {
    const here = books.resultsOf(tool).filter(result => isLoaded(loaded, result))
    const beside = here.filter(hangsOnIt)
    const isFound = beside.length > 0 || here.some(result => onChain.has(result))
    return isFound || release.gathers === 'by-parent' ? beside : here
  })
}

function isLoaded({ state, places, rows, dropped }: LoadedRows, node: number): boolean {
  const place = places.get(t.idOf(state.table, node)) ?? t.none
  return rows[place] === node && dropped[place] === 0
}

function parentIn({ state, places, parents, rows }: LoadedRows, node: number): number {
  const place = places.get(t.idOf(state.table, node)) ?? t.none
  return rows[parents[place] ?? t.none] ?? t.none
}

function isPartOf({ table }: State, node: number, message: number): boolean {
  return node !== t.none && t.byte(table.kind, node) === t.Assistant && t.int(table.message, node) === message
}

/** Results that are left out: those without a call, where they are not the first that is said, and further ones. */
function withoutStrayResults(
  { loaded: { state }, release }: Sending,
  nodes: readonly number[],
): readonly number[] {
  if (!release.dropsStrayResults) return nodes
  const calling = nodes.filter(node => t.marked(state.table, node, t.HasCalls))
  const asked = new Set(calling.flatMap(node => toolsOf(state, node)))
  const answered = new Set<number>()
  return nodes.filter((node, nth) => {
    if (t.byte(state.table.says, node) !== t.SaysResult) return true
    const called = toolsOf(state, node).filter(tool => asked.has(tool))
    const fresh = called.filter(tool => !answered.has(tool))
    for (const tool of fresh) answered.add(tool)
    return release.dropsFurtherResults ? fresh.length > 0 : called.length > 0 || nth === 0
  })
}

/**
 * Entries whose calls have no result at all are left out. Where a turn was cut off at the end, behind a call or a result,
 * a release that makes results up does so for all of them.
 */
function withoutOpenCalls(
  { loaded: { state }, release }: Sending,
  nodes: readonly number[],
): readonly number[] {
  const { table } = state
  const answered = new Set(
    nodes.flatMap(node => (t.byte(table.says, node) === t.SaysResult ? toolsOf(state, node) : [])),
  )
  const isOpen = (node: number): boolean =>
    t.marked(table, node, t.HasCalls) && !toolsOf(state, node).some(tool => answered.has(tool))
  const last = nodes.at(-1) ?? t.none
  const isCutOff = t.byte(table.says, last) === t.SaysResult || (last !== t.none && isOpen(last))
  if (release.closesOpenCalls && isCutOff) return nodes
  return nodes.filter(node => !isOpen(node))
}

/** Entries that are loaded and never sent. */
function isLeftOut(
  { loaded: { state }, release, marks }: Sending,
  node: number,
  spoken: ReadonlySet<number>,
): boolean {
  const { table } = state
  if (release.dropsNotices && t.marked(table, node, t.ApiError)) return true
  if (t.byte(table.kind, node) === t.User) {
    const mark = marks.get(t.idOf(table, node)) ?? 0
    return release.dropsBlankPrompts && isHollow(mark) && (mark & BlankString) === 0
  }
  if (!release.dropsHollow) return false
  if (isHollow(marks.get(t.idOf(table, node)) ?? 0)) return true
  if (!t.marked(table, node, t.ThinkingOnly)) return false
  return !spoken.has(unitOf(state, node))
}

/** Nothing but empty text; thinking without a signature is another matter. */
export function isHollow(mark: number): boolean {
  return (mark & NothingToSend) !== 0 && (mark & Unsigned) === 0
}

/** The messages that say more than thinking. */
function spokenUnits({ loaded: { state } }: Sending, nodes: readonly number[]): ReadonlySet<number> {
  const { table } = state
  const spoken = nodes.filter(
    node => t.byte(table.kind, node) === t.Assistant && !t.marked(table, node, t.ThinkingOnly),
  )
  return new Set(spoken.map(node => unitOf(state, node)))
}
