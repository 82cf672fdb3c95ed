/** A conversation about to be sent: what the rules of L3 ask about it. */

import { isConversation } from './conversation.js'
import type { FileRecord } from './file-record.js'
import type { Positions } from './positions.js'
import type { State } from './state.js'
import * as t from './table.js'

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
