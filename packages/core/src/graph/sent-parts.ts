/** A conversation about to be sent, and the parts of its messages in the order of sending (L3). */

import { originalOf } from './copies.js'
import { isConversation } from './entries.js'
import { unitOf } from './facts.js'
import type { FileRecord } from './file-record.js'
import { partsOf } from './messages.js'
import { comparePlaces } from './order.js'
import type { Positions } from './positions.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The parts of a message in the files of the chain, once each where the history is repeated, in the order of their chain. */
export function partsIn(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const parts = partsOf(state, message).filter(part => isAtHand(sending, part))
  if (parts.length < 2) return parts
  const depths = new Map(parts.map(each => [each, depthIn(state, each)]))
  const depth = (each: number): number => depths.get(each) ?? 0
  return withoutRepeated(sending, parts).sort((a, b) => depth(a) - depth(b) || comparePlaces(state, a, b))
}

/** Whether an entry stands in a file that the chain passes through, on its first row. */
export function isAtHand({ state: { table }, files }: Sending, node: number): boolean {
  return files.has(t.int(table.file, node)) && !t.marked(table, node, t.Repeated)
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
    if (known === undefined || comparePlaces(state, part, known) < 0) beside.set(owner, part)
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

/** The conversation of a file as it is about to be sent. */
export interface Sending {
  readonly state: State
  readonly file: FileRecord
  readonly chain: readonly number[]
  /** The files that the chain passes through: a conversation may have begun in another one. */
  readonly files: ReadonlySet<number>
  /** Position on the chain, counted from the leaf; a smaller one is nearer to the end. */
  readonly positions: Positions
  readonly lastUnit: number
  /** The position of the entry that began the last turn; negative where the chain has none. */
  readonly turn: number
  /** The row of the newest process end before the last prompt: what stands above was loaded from the file. */
  readonly loadedUpTo: number
  /** No message is cut where it was resumed. */
  readonly isWhole: boolean
}

/** Whether the process of the last prompt has loaded an entry from a file. */
export function isLoaded({ state: { table }, file, loadedUpTo }: Sending, node: number): boolean {
  return t.int(table.file, node) !== file.index || t.int(table.row, node) < loadedUpTo
}

/** The next conversation entry towards the leaf. */
export function nextOnChain(sending: Sending, node: number): number {
  for (let i = (sending.positions.get(node) ?? 0) - 1; i >= 0; i--) {
    const next = sending.chain[i] ?? t.none
    if (isConversation(sending.state.table, next)) return next
  }
  return t.none
}
