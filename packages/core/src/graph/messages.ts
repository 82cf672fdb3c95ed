/** T3: the messages of the API: the entries that are parts of each, and its usage. */

import type { Usage } from '../model/entry.js'
import type { MessageId } from '../model/ids.js'
import { createNames, intern, type Names, nameOf } from './names.js'
import type { State } from './state.js'
import * as t from './table.js'

export interface MessageIndex {
  readonly names: Names<MessageId>
  /** The first part in the order of reading; more follow by `nextPart`. */
  readonly firstPart: number[]
  readonly lastPart: number[]
  /** By the largest output. The parser's own objects: columns of numbers cost more to fill than these to keep. */
  readonly usage: (Usage | undefined)[]
}

/** No messages yet. */
export function createMessages(): MessageIndex {
  return { names: createNames(), firstPart: [], lastPart: [], usage: [] }
}

/** Enters a part of a message; gives the message's number. */
export function addPart({ messages, table }: State, id: string, node: number): number {
  const message = intern(messages.names, id)
  const last = messages.lastPart[message]
  if (last === undefined) messages.firstPart[message] = node
  else table.nextPart[last] = node
  messages.lastPart[message] = node
  table.message[node] = message
  return message
}

/** T3: the largest output counts, whichever row tells it. */
export function noteUsage(book: MessageIndex, message: number, usage: Usage): void {
  if ((book.usage[message]?.output ?? -1) < usage.output) book.usage[message] = usage
}

/** The usage of a message; null where no row told it. */
export function usageOf(book: MessageIndex, message: number): Usage | null {
  return book.usage[message] ?? null
}

/** The parts of a message in the order of reading, in all files; nothing for none. */
export function partsOf(state: State, message: number): readonly number[] {
  const parts: number[] = []
  let part = firstPartOf(state, message)
  for (; part !== t.none; part = t.int(state.table.nextPart, part)) parts.push(part)
  return parts
}

/** The first part of a message, or none. */
export function firstPartOf({ messages }: State, message: number): number {
  return messages.firstPart[message] ?? t.none
}

/** The id of a message. */
export function messageIdOf({ messages }: State, message: number): MessageId {
  return nameOf(messages.names, message)
}
