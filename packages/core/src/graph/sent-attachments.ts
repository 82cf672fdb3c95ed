/** L13: the attachments that a request carried beside the conversation. */
import { isWritten } from './moment.js'
import type { Sending } from './sending.js'
import { isConversation } from './sightings.js'
import * as t from './table.js'
import { isLost } from './unsent.js'

/** All attachments on the chain, and beside it with what is sent. */
export function attachmentsOf(sending: Sending, sent: readonly number[]): readonly number[] {
  const { kind } = sending.state.table
  const onChain = sending.chain.filter(node => t.byte(kind, node) === t.Attachment && !isLost(sending, node))
  const beside = sent.filter(node => !sending.positions.has(node))
  return [...onChain, ...beside.flatMap(node => attachedTo(sending, node))]
}

/**
 * The attachments that come with an entry of the chain, and with what is sent there: the entry itself, and what hangs on
 * entries beside the chain, such as the context that a hook gave to a parallel result.
 */
export function attachedAt(sending: Sending, node: number, sent: readonly number[]): readonly number[] {
  const { table } = sending.state
  if (isLost(sending, node)) return nothing
  if (t.byte(table.kind, node) === t.Attachment) return [node]
  if (sent.every(each => sending.positions.has(each))) return nothing
  return sent.filter(each => !sending.positions.has(each)).flatMap(each => attachedTo(sending, each))
}

function attachedTo({ state: { table }, positions, moment }: Sending, node: number): readonly number[] {
  const found: number[] = []
  const open = [node]
  for (let above = open.pop(); above !== undefined; above = open.pop()) {
    for (const child of t.childrenOf(table, above)) {
      if (isConversation(table, child) || positions.has(child) || !isWritten(table, moment, child)) continue
      if (t.byte(table.kind, child) === t.Attachment) found.push(child)
      open.push(child)
    }
  }
  return found
}

const nothing: readonly number[] = []
