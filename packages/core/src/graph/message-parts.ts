/** L3: the parts of a message, in the order of sending. */

import { originalOf } from './copies.js'
import { unitOf } from './facts.js'
import { firstPartOf } from './messages.js'
import { isWritten } from './moment.js'
import { compareLocations } from './order.js'
import type { Sending } from './sending.js'
import { isConversation } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The parts of a message in the files of the chain, once each where the history is repeated, in the order of their chain. */
export function partsIn(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const parts = partsAtHand(sending, message)
  if (parts.length < 2 || isOneLine(state.table, parts)) return parts
  const depths = new Map(parts.map(each => [each, depthIn(state, each)]))
  const depth = (each: number): number => depths.get(each) ?? 0
  return withoutRepeated(sending, parts).sort((a, b) => depth(a) - depth(b) || compareLocations(state, a, b))
}

function partsAtHand(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const parts: number[] = []
  let part = firstPartOf(state, message)
  for (; part !== t.none; part = t.int(state.table.nextPart, part)) {
    if (isAtHand(sending, part)) parts.push(part)
  }
  return parts
}

/** Whether parts hang on each other as they were read, and nothing repeats them: so do nearly all. */
function isOneLine({ owner, copyOf, parent }: t.Table, parts: readonly number[]): boolean {
  let before = t.none
  for (const part of parts) {
    if (t.int(owner, part) !== part || t.int(copyOf, part) !== t.none) return false
    if (before !== t.none && t.int(parent, part) !== before) return false
    before = part
  }
  return true
}

/** Whether an entry stands in a file that the chain passes through, on its first row, and had been written by then. */
export function isAtHand({ state: { table }, files, moment, positions }: Sending, node: number): boolean {
  if (!files.has(t.int(table.file, node)) || t.marked(table, node, t.Repeated)) return false
  return isWritten(table, moment, node) || positions.has(node)
}

/** The parts on the chain, and those beside it that repeat none of them; of a uuid in two files only one. */
function withoutRepeated({ state, positions }: Sending, parts: readonly number[]): number[] {
  const { table } = state
  const onChain = parts.filter(part => positions.has(part))
  const originals = new Set(onChain.map(part => originalOf(table, part)))
  const beside = new Map<number, number>()
  for (const part of parts) {
    if (originals.has(originalOf(table, part))) continue
    const owner = t.int(table.owner, part)
    const known = beside.get(owner)
    if (known === undefined || compareLocations(state, part, known) < 0) beside.set(owner, part)
  }
  return [...onChain, ...beside.values()]
}

/** How deep a part stands within its message: the parent chain up to the entry before the message. */
function depthIn(state: State, part: number): number {
  const { table } = state
  const unit = t.int(table.message, part)
  let depth = 0
  for (
    let node = t.int(table.parent, part);
    node !== t.none && depth < 512;
    node = t.int(table.parent, node)
  ) {
    if (isConversation(table, node) && unitOf(state, node) !== unit) break
    depth++
  }
  return depth
}
