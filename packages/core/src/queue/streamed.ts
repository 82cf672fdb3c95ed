/** Q4: a queue as the streaming input of the Claude Agent SDK, `query({ prompt })`. */
import type { Delivered, MessageQueue } from './message-queue.js'

/** A user message as the SDK takes it; assignable to its `SDKUserMessage` where the content is one of the API's. */
export interface StreamedMessage<Content> {
  type: 'user'
  message: { role: 'user'; content: Content }
  parent_tool_use_id: null
  uuid: Uuid
}

/** The form of a uuid, as Node's `randomUUID` has it. */
export type Uuid = `${string}-${string}-${string}-${string}-${string}`

/**
 * Messages that one process takes one after the other. A process goes on from its own last entry and from no other, so a
 * message that forks needs a new one, which is to resume at `parent`.
 */
export interface StreamedRun<Content> {
  /** The entry to resume at (`resumeSessionAt`); null for a conversation that begins. */
  readonly parent: string | null
  readonly messages: AsyncIterable<StreamedMessage<Content>>
}

/** Cuts the messages of a queue into runs: each fork begins one. Read a run to its end before the next is asked for. */
export async function* streamRuns<Content>(
  queue: MessageQueue<Content>,
): AsyncGenerator<StreamedRun<Content>, void, void> {
  const ahead: Ahead<Content> = { next: await nextOf(queue) }
  while (ahead.next !== null) yield { parent: ahead.next.parent, messages: messagesOf(queue, ahead) }
}

/** The message that begins the next run. */
interface Ahead<Content> {
  next: Delivered<Content> | null
}

async function nextOf<Content>(queue: MessageQueue<Content>): Promise<Delivered<Content> | null> {
  const { value } = await queue[Symbol.asyncIterator]().next()
  return value ?? null
}

async function* messagesOf<Content>(
  queue: MessageQueue<Content>,
  ahead: Ahead<Content>,
): AsyncGenerator<StreamedMessage<Content>, void, void> {
  let message = ahead.next
  do {
    if (message === null) break
    yield streamed(message)
    message = await nextOf(queue)
  } while (message?.forks === false)
  ahead.next = message
}

function streamed<Content>({ id, content }: Delivered<Content>): StreamedMessage<Content> {
  if (!isUuid(id)) throw new RangeError(`the SDK takes uuids only, and the queue's newId gave ${id}`)
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, uuid: id }
}

function isUuid(id: string): id is Uuid {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
}
