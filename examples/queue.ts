import { openFiles } from '@dagline/core/open'
import {
  createMessageQueue,
  type MessageQueue,
  type SessionClock,
  type StreamedMessage,
  startSession,
  streamRuns,
} from '@dagline/core/queue'

/** Writes a session and reads it back: each entry with its parent, and what became of its line. */
export async function run(): Promise<string[]> {
  let ids = 0
  const session = '00000000-0000-4000-8000-000000000000'
  const newId = (): string => `${session.slice(0, -4)}${String(++ids).padStart(4, '0')}`
  const rows = await written({ newId, now: () => Date.UTC(2026, 0, 1) + ids * 1000 }, session, '/home/dev')
  const [project] = await openFiles([{ path: `${session}.jsonl`, bytes: new TextEncoder().encode(rows) }])
  if (project === undefined) return []
  const { graph } = project
  return [...graph.nodes()].map(node => {
    const { id, parent, kind } = graph.node(node)
    const number = (uuid: string | null): string => (uuid === null ? 'none' : `${Number(uuid.slice(-4))}`)
    return `${kind} ${number(id)} on ${number(parent)}: ${graph.lineOf(node)?.status}`
  })
}

/** The rows of a session: three messages that were queued at once, and one that forks off after the first answer. */
export async function written(clock: SessionClock, session: string, cwd: string): Promise<string> {
  const queue = createMessageQueue({ newId: clock.newId })
  const writer = startSession({ session, cwd }, clock)
  for (const text of ['Read the code.', 'Repair it.', 'Run the tests.']) queue.push(text)
  let rows = ''
  for await (const message of queue) {
    rows += writer.prompt(message)
    // Here a model would answer.
    const text = `Done: ${message.content}`
    rows += writer.answer({ id: `msg_${message.id}`, model: 'claude', blocks: [{ type: 'text', text }] })
    const leaf = writer.leaf() ?? message.id
    if (message.parent === null) queue.push('Write it again instead.', { entry: leaf })
    if (queue.waiting().length === 0) queue.close()
    queue.answered(leaf)
  }
  return rows
}

/** What is used here of `query` from `@anthropic-ai/claude-agent-sdk`: pass that function. */
export type Query = (ask: {
  prompt: AsyncIterable<StreamedMessage<string>>
  options?: { sessionId?: string; resume?: string; resumeSessionAt?: string }
}) => AsyncIterable<{ type: string; uuid?: string }>

/** Sends the messages of a queue through the SDK, each when the one before it is answered. */
export async function send(query: Query, queue: MessageQueue<string>, session: string): Promise<void> {
  for await (const { parent, messages } of streamRuns(queue)) {
    // A fork needs a process of its own, which resumes at the chosen entry.
    const options = parent === null ? { sessionId: session } : { resume: session, resumeSessionAt: parent }
    let leaf = parent ?? ''
    for await (const { type, uuid } of query({ prompt: messages, options })) {
      if (type === 'assistant') leaf = uuid ?? leaf
      if (type === 'result') queue.answered(leaf)
    }
  }
}
