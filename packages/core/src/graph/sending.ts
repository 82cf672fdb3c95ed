/** A conversation that is about to be sent, and what its entries are to the process that sends it. */

import type { OpenFile } from './file-record.js'
import type { Moment } from './moment.js'
import type { Positions } from './positions.js'
import { mayBeStart } from './processes.js'
import { isConversation } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The conversation of a file as it is about to be sent. */
export interface Sending {
  readonly state: State
  readonly file: OpenFile
  /** The oldest entry first. */
  readonly chain: readonly number[]
  /** The files that the chain passes through: a conversation may have begun in another one. */
  readonly files: ReadonlySet<number>
  /** Positions on the chain. */
  readonly positions: Positions
  /** The entry that the conversation ends in. */
  readonly leaf: number
  /** The message that may be under way still; none where the request was answered. */
  readonly lastUnit: number
  /** The position of the entry that began the last turn; negative where the chain has none. */
  readonly turn: number
  /** The position of the first entry that came after the prompt of that turn, and above it; that of the turn for none. */
  readonly overtakenFrom: number
  /** The row of the newest process end before the last prompt: what stands above was loaded from the file. */
  readonly loadedUpTo: number
  /** The position before which nothing is sent. */
  readonly lostUpTo: number
  /** The position of the last prompt that another process may have begun with, as far as no mark tells; -1 for none. */
  readonly lastStart: number
  /** No message is cut where it was resumed. */
  readonly isWhole: boolean
  /** When it is sent: what was written later is not in it. */
  readonly moment: Moment
}

/** The end of a conversation whose last request was answered: nothing before the answer is under way. */
export function answeredAt(
  table: t.Table,
  chain: readonly number[],
): Pick<Sending, 'leaf' | 'lastUnit' | 'isWhole'> {
  const leaf = chain.findLast(node => isConversation(table, node)) ?? t.none
  return { leaf, lastUnit: t.none, isWhole: false }
}

/** The message that an answer is a part of; none for other entries. */
export function messageAt(table: t.Table, node: number): number {
  return t.byte(table.kind, node) === t.Assistant ? t.int(table.message, node) : t.none
}

/** Whether the process of the last prompt has loaded an entry from a file. */
export function isLoaded(
  { state: { table }, file, loadedUpTo }: Pick<Sending, 'file' | 'loadedUpTo' | 'state'>,
  node: number,
): boolean {
  return t.int(table.file, node) !== file.index || t.int(table.row, node) < loadedUpTo
}

/** Whether an entry of the chain stands in the turn that the request belongs to. */
export function isOfLastTurn({ positions, turn }: Sending, node: number): boolean {
  return turn >= 0 && (positions.get(node) ?? turn) > turn
}

/** Whether the process of the last prompt has an entry of 1.x or 2.0.x in memory, as far as these releases tell. */
export function isInMemory(sending: Sending, node: number): boolean {
  return !isLoaded(sending, node) && sending.lastStart <= (sending.positions.get(node) ?? -1)
}

/** The next conversation entry towards the leaf. */
export function nextOnChain(sending: Sending, node: number): number {
  const { chain, positions, state } = sending
  for (let i = (positions.get(node) ?? chain.length) + 1; i < chain.length; i++) {
    const next = chain[i] ?? t.none
    if (isConversation(state.table, next)) return next
  }
  return t.none
}

/** The position of the last prompt on a chain that another process may have begun with; -1 for none. */
export function lastStartOn(state: State, file: OpenFile, chain: readonly number[]): number {
  return chain.findLastIndex(node => mayBeStart(state, file, node))
}
