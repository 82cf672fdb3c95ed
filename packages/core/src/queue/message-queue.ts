/**
 * Q4: input that waits for its turn. Messages are handed out one at a time, each when the one before it is answered,
 * and a message gets its parent at that moment:
 *
 *     push(a) push(b) push(c)   ──►   a ── answer ── b ── answer ── c      one chain, however fast they were typed
 *     push(d, onto: a's answer) ──►   a ── answer ─┬─ b ...                a fork, because it was asked for
 *                                                  └─ d
 */

/** Where a message hangs: on what is live when its turn comes, or on a chosen entry (null: on none, a new beginning). */
export type Onto = 'live' | { readonly entry: string | null }

/** A message that waits. */
export interface Waiting<Content> {
  /** The uuid that its entry will have. */
  readonly id: string
  readonly content: Content
  readonly onto: Onto
}

/** A message whose turn has come. */
export interface Delivered<Content> {
  readonly id: string
  /** Null for the first entry of a conversation. */
  readonly parent: string | null
  readonly content: Content
  /** It leaves the live line: its parent was chosen, and is not the live leaf. */
  readonly forks: boolean
}

/** A queue of messages for one conversation. Iterate over it to get them; several readers share them out. */
export interface MessageQueue<Content> extends AsyncIterable<Delivered<Content>> {
  /** Adds a message at the end. Throws `RangeError` when the queue is closed. */
  readonly push: (content: Content, onto?: Onto) => Waiting<Content>
  /** Takes a message back. Null where it does not wait any more. */
  readonly recall: (id: string) => Waiting<Content> | null
  /** Takes all messages back, in their order. */
  readonly recallAll: () => readonly Waiting<Content>[]
  readonly waiting: () => readonly Waiting<Content>[]
  /**
   * The message that was handed out is answered, or will not be: `leaf` is the last entry of the conversation now, and
   * the next message may go.
   */
  readonly answered: (leaf: string) => void
  /** The entry that a message would hang on now; null where there is none yet. */
  readonly leaf: () => string | null
  /** No message is added any more: readers end when the last one is answered. */
  readonly close: () => void
  readonly [Symbol.asyncIterator]: () => AsyncIterableIterator<Delivered<Content>, undefined, undefined>
}

/** What a message queue starts with. */
export interface QueueOptions {
  /** Gives a new uuid each time: the core has no chance of its own. */
  readonly newId: () => string
  /** The last entry of a conversation that goes on; absent for a new one. */
  readonly leaf?: string | null
}

interface State<Content> {
  readonly waiting: Waiting<Content>[]
  /** Readers that wait for a message. */
  readonly readers: Set<Reader<Content>>
  leaf: string | null
  /** A message was handed out and is not answered yet. */
  isBusy: boolean
  isClosed: boolean
}

/** Called with the next message, or with nothing at the end. */
type Reader<Content> = (message: Delivered<Content> | null) => void

/** A queue without messages. */
export function createMessageQueue<Content = string>(options: QueueOptions): MessageQueue<Content> {
  const { newId, leaf = null } = options
  const state: State<Content> = { waiting: [], readers: new Set(), leaf, isBusy: false, isClosed: false }
  return {
    push: (content, onto = 'live') => {
      if (state.isClosed) throw new RangeError('the queue is closed: no message can be added')
      const message = { id: newId(), content, onto }
      state.waiting.push(message)
      serve(state)
      return message
    },
    recall: id => {
      const at = state.waiting.findIndex(message => message.id === id)
      const [recalled = null] = at < 0 ? [] : state.waiting.splice(at, 1)
      serve(state)
      return recalled
    },
    recallAll: () => {
      const recalled = state.waiting.splice(0)
      serve(state)
      return recalled
    },
    waiting: () => [...state.waiting],
    answered: last => {
      state.leaf = last
      state.isBusy = false
      serve(state)
    },
    leaf: () => state.leaf,
    close: () => {
      state.isClosed = true
      serve(state)
    },
    [Symbol.asyncIterator]: () => readerOf(state),
  }
}

/** Hands out what can be handed out, and sends readers home where nothing will come. */
function serve<Content>(state: State<Content>): void {
  const { waiting, readers } = state
  const [reader] = readers
  if (reader !== undefined && !state.isBusy && waiting.length > 0) {
    readers.delete(reader)
    reader(take(state))
  }
  if (!state.isClosed || state.isBusy || waiting.length > 0) return
  for (const idle of readers) idle(null)
  readers.clear()
}

/** The next message, with the parent that it has from now on. */
function take<Content>(state: State<Content>): Delivered<Content> | null {
  const message = state.waiting.shift()
  if (message === undefined) return null
  const { id, content, onto } = message
  const parent = onto === 'live' ? state.leaf : onto.entry
  const forks = parent !== state.leaf
  state.leaf = id
  state.isBusy = true
  return { id, parent, content, forks }
}

/** One reader. Leaving the loop (`return`) ends it at once, and leaves what waits to others. */
function readerOf<Content>(
  state: State<Content>,
): AsyncIterableIterator<Delivered<Content>, undefined, undefined> {
  const asked = new Set<Reader<Content>>()
  const reader: AsyncIterableIterator<Delivered<Content>, undefined, undefined> = {
    next: () =>
      new Promise(resolve => {
        const hear: Reader<Content> = message => {
          asked.delete(hear)
          resolve(message === null ? { done: true, value: undefined } : { done: false, value: message })
        }
        asked.add(hear)
        state.readers.add(hear)
        serve(state)
      }),
    return: () => {
      for (const hear of asked) {
        state.readers.delete(hear)
        hear(null)
      }
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]: () => reader,
  }
  return reader
}
