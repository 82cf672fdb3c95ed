/** A conversation through a queue and a writer, with a naive account of what it must come to. */
import {
  createMessageQueue,
  type Delivered,
  type MessageQueue,
  type Onto,
  type SessionWriter,
  startSession,
} from '../src/queue/index.js'

/** What is done, in order. */
export type Step =
  | { readonly do: 'push'; readonly text: string }
  /** Onto the end of an earlier turn, counted from the first; -1 for a new beginning. */
  | { readonly do: 'fork'; readonly text: string; readonly turn: number }
  | { readonly do: 'recall'; readonly nth: number }
  | { readonly do: 'answer'; readonly tools: number }

/** A turn as it must be found again. */
export interface ToldTurn {
  readonly prompt: string
  readonly parent: string | null
  readonly text: string
  /** The entries of the turn in the order of sending. */
  readonly entries: readonly string[]
}

export interface Told {
  readonly rows: string
  readonly turns: readonly ToldTurn[]
  readonly recalled: readonly string[]
}

/** Ids and times that are the same in every run. */
export function madeUp(): { readonly newId: () => string; readonly now: () => number } {
  let ids = 0
  let time = Date.UTC(2026, 0, 1)
  return {
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    now: () => {
      time += 1000
      return time
    },
  }
}

export const ORIGIN = { session: '11111111-1111-4111-8111-111111111111', cwd: '/home/dev/proj' } as const

interface Conversation {
  readonly queue: MessageQueue<string>
  readonly writer: SessionWriter
  readonly turns: ToldTurn[]
  readonly recalled: string[]
  readonly newId: () => string
  rows: string
  open: Delivered<string> | null
}

/** Runs the steps, answers what is left, and tells what was written and promised. */
export async function tell(steps: readonly Step[]): Promise<Told> {
  const clock = madeUp()
  const queue = createMessageQueue<string>({ newId: clock.newId })
  const writer = startSession(ORIGIN, clock)
  const conversation: Conversation = {
    queue,
    writer,
    turns: [],
    recalled: [],
    newId: clock.newId,
    rows: '',
    open: null,
  }
  const reading = read(conversation)
  for (const step of steps) {
    take(conversation, step)
    await settled()
  }
  while (conversation.open !== null) {
    answer(conversation, 0)
    await settled()
  }
  queue.close()
  await reading
  return conversation
}

async function read(conversation: Conversation): Promise<void> {
  for await (const message of conversation.queue) {
    conversation.rows += conversation.writer.dequeued() + conversation.writer.prompt(message)
    conversation.open = message
  }
}

function take(conversation: Conversation, step: Step): void {
  if (step.do === 'push') push(conversation, step.text, 'live')
  else if (step.do === 'fork') push(conversation, step.text, { entry: endOf(conversation, step.turn) })
  else if (step.do === 'recall') recall(conversation, step.nth)
  else answer(conversation, step.tools)
}

function endOf({ turns }: Conversation, turn: number): string | null {
  const ends = turns.map(({ entries }) => entries.at(-1) ?? '')
  return turn < 0 ? null : (ends[turn % Math.max(ends.length, 1)] ?? null)
}

function recall(conversation: Conversation, nth: number): void {
  const recalled = conversation.queue.recall(conversation.queue.waiting()[nth]?.id ?? '')
  if (recalled === null) return
  conversation.recalled.push(recalled.content)
  conversation.rows += conversation.writer.recalled(
    conversation.queue.waiting().map(({ content }) => content),
  )
}

function push(conversation: Conversation, text: string, onto: Onto): void {
  conversation.rows += conversation.writer.enqueued(text)
  conversation.queue.push(text, onto)
}

/** A text, calls with their results from the last to the first, and a word about them. */
function answer(conversation: Conversation, tools: number): void {
  const { writer, open } = conversation
  if (open === null) return
  const calls = Array.from({ length: tools }, () => conversation.newId().replaceAll('-', ''))
  const asks = calls.map(id => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }) as const)
  const start = conversation.rows.length
  conversation.rows += writer.answer({
    ...message(conversation),
    blocks: [{ type: 'text', text: 'I look.' }, ...asks],
  })
  conversation.rows += writer.results(
    calls.toReversed().map(call => ({ call, content: `result of ${call}` })),
  )
  if (tools > 0)
    conversation.rows += writer.answer({
      ...message(conversation),
      blocks: [{ type: 'text', text: 'Done.' }],
    })
  const entries = [...conversation.rows.slice(start).matchAll(/"uuid":"([^"]+)"/g)].map(([, id]) => id ?? '')
  const { id: prompt, parent, content: text } = open
  conversation.turns.push({ prompt, parent, text, entries: [prompt, ...entries] })
  conversation.open = null
  conversation.queue.answered(writer.leaf() ?? '')
}

function message(conversation: Conversation): { readonly id: string; readonly model: string } {
  return { id: `msg_${conversation.newId()}`, model: 'claude-test' }
}

/** Lets readers go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve()
}
