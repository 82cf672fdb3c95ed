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

interface Talk {
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
  const talk: Talk = { queue, writer, turns: [], recalled: [], newId: clock.newId, rows: '', open: null }
  const reading = read(talk)
  for (const step of steps) {
    take(talk, step)
    await settled()
  }
  while (talk.open !== null) {
    answer(talk, 0)
    await settled()
  }
  queue.close()
  await reading
  return talk
}

async function read(talk: Talk): Promise<void> {
  for await (const message of talk.queue) {
    talk.rows += talk.writer.dequeued() + talk.writer.prompt(message)
    talk.open = message
  }
}

function take(talk: Talk, step: Step): void {
  if (step.do === 'push') push(talk, step.text, 'live')
  else if (step.do === 'fork') push(talk, step.text, { entry: endOf(talk, step.turn) })
  else if (step.do === 'recall') recall(talk, step.nth)
  else answer(talk, step.tools)
}

function endOf({ turns }: Talk, turn: number): string | null {
  const ends = turns.map(({ entries }) => entries.at(-1) ?? '')
  return turn < 0 ? null : (ends[turn % Math.max(ends.length, 1)] ?? null)
}

function recall(talk: Talk, nth: number): void {
  const recalled = talk.queue.recall(talk.queue.waiting()[nth]?.id ?? '')
  if (recalled === null) return
  talk.recalled.push(recalled.content)
  talk.rows += talk.writer.recalled(talk.queue.waiting().map(({ content }) => content))
}

function push(talk: Talk, text: string, onto: Onto): void {
  talk.rows += talk.writer.enqueued(text)
  talk.queue.push(text, onto)
}

/** A text, calls with their results from the last to the first, and a word about them. */
function answer(talk: Talk, tools: number): void {
  const { writer, open } = talk
  if (open === null) return
  const calls = Array.from({ length: tools }, () => talk.newId().replaceAll('-', ''))
  const asks = calls.map(id => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }) as const)
  const start = talk.rows.length
  talk.rows += writer.answer({ ...message(talk), blocks: [{ type: 'text', text: 'I look.' }, ...asks] })
  talk.rows += writer.results(calls.toReversed().map(call => ({ call, content: `result of ${call}` })))
  if (tools > 0) talk.rows += writer.answer({ ...message(talk), blocks: [{ type: 'text', text: 'Done.' }] })
  const entries = [...talk.rows.slice(start).matchAll(/"uuid":"([^"]+)"/g)].map(([, id]) => id ?? '')
  const { id: prompt, parent, content: text } = open
  talk.turns.push({ prompt, parent, text, entries: [prompt, ...entries] })
  talk.open = null
  talk.queue.answered(writer.leaf() ?? '')
}

function message(talk: Talk): { readonly id: string; readonly model: string } {
  return { id: `msg_${talk.newId()}`, model: 'claude-test' }
}

/** Lets readers go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve()
}
