/**
 * Q4: a session as rows of a transcript, in the form of Claude Code 2.1.x: one row for each block of an answer, each
 * hanging on the one before it; each result on the row of its own call. The rows are text for the caller to append;
 * where they go, what time it is and which ids are new is the caller's business.
 */
import type { Delivered } from './message-queue.js'

/** What is the same on all rows of a session. */
export interface SessionOrigin {
  /** The session's id, which is also the name of its file. */
  readonly session: string
  /** The folder that the work is done in. */
  readonly cwd: string
  readonly gitBranch?: string
  /** The release whose form the rows have; the one that this form was recorded from unless given. */
  readonly version?: string
}

/** What the core has not: chance and a clock. */
export interface SessionClock {
  /** Gives a new uuid each time. */
  readonly newId: () => string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A block of what the user says. Others (images, documents) are written as they are. */
export type PromptContent = string | readonly object[]

/** A block of an answer. */
export type AnswerBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }

/** One message of the model. */
export interface Answer {
  /** `message.id`. */
  readonly id: string
  readonly model: string
  readonly blocks: readonly AnswerBlock[]
  /** As the API counts it. */
  readonly usage?: object
}

/** What a tool gave back. */
export interface ToolAnswer {
  /** The id of the call. */
  readonly call: string
  readonly content: PromptContent
  readonly isError?: boolean
}

/** A session under way. Every function gives the rows to append, each with its newline, and moves the leaf on. */
export interface SessionWriter {
  /** The last entry: what an answer hangs on, and the next message. */
  readonly leaf: () => string | null
  /** Calls that have no result yet. */
  readonly openCalls: () => readonly string[]
  /** A message whose turn has come; its parent may be any entry of the session. */
  readonly prompt: (message: Delivered<PromptContent>) => string
  /** Throws `RangeError` for an answer without blocks, or one before any message. */
  readonly answer: (answer: Answer) => string
  /** Results in the order in which they came. Throws `RangeError` for a result that no open call waits for. */
  readonly results: (results: readonly ToolAnswer[]) => string
  /** That a text waits, is handed out, is taken back: with these rows no input is lost where a process dies (Q3). */
  readonly enqueued: (content: PromptContent) => string
  readonly dequeued: () => string
  /** Given what goes on waiting: the recorder only knows taking everything back. */
  readonly recalled: (waiting: readonly PromptContent[]) => string
  /** What people call the session. */
  readonly title: (title: string) => string
}

/** The release that was recorded; docs/FORMAT.md. */
const FORM = '2.1.325'

interface Writing {
  readonly origin: SessionOrigin
  readonly clock: SessionClock
  leaf: string | null
  /** Calls without a result, with the entry of each. */
  readonly calls: Map<string, string>
}

/** Starts a session, or goes on with one whose last entry is `leaf`. */
export function startSession(
  origin: SessionOrigin,
  clock: SessionClock,
  leaf: string | null = null,
): SessionWriter {
  const writing: Writing = { origin, clock, leaf, calls: new Map() }
  const queueRow = (operation: string, content?: PromptContent): string =>
    row({
      type: 'queue-operation',
      operation,
      timestamp: timeOf(clock),
      sessionId: origin.session,
      ...(content === undefined ? {} : { content }),
    })
  return {
    leaf: () => writing.leaf,
    openCalls: () => [...writing.calls.keys()],
    prompt: message => promptRow(writing, message),
    answer: answer => answerRows(writing, answer),
    results: results => results.map(result => resultRow(writing, result)).join(''),
    enqueued: content => queueRow('enqueue', content),
    dequeued: () => queueRow('dequeue'),
    recalled: waiting =>
      [queueRow('popAll'), ...waiting.map(content => queueRow('enqueue', content))].join(''),
    title: title => row({ type: 'custom-title', customTitle: title, sessionId: origin.session }),
  }
}

function promptRow(writing: Writing, { id, parent, content }: Delivered<PromptContent>): string {
  writing.calls.clear()
  return entryRow(writing, { id, parent, type: 'user' }, { message: { role: 'user', content } })
}

function answerRows(writing: Writing, { id, model, blocks, usage }: Answer): string {
  if (blocks.length === 0) throw new RangeError(`the answer ${id} has no blocks`)
  if (writing.leaf === null) throw new RangeError(`the answer ${id} comes before any message`)
  const stops = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  const rows = blocks.map((block, apiBlockIndex) => {
    const entry = writing.clock.newId()
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [block],
      stop_reason: stops,
      stop_sequence: null,
      usage: usage ?? NO_USAGE,
    }
    if (block.type === 'tool_use') writing.calls.set(block.id, entry)
    return entryRow(
      writing,
      { id: entry, parent: writing.leaf, type: 'assistant' },
      { message, apiBlockIndex },
    )
  })
  return rows.join('')
}

const NO_USAGE = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
}

/** T1: a result hangs on the row of its own call, wherever the leaf is. */
function resultRow(writing: Writing, { call, content, isError }: ToolAnswer): string {
  const caller = writing.calls.get(call)
  if (caller === undefined) throw new RangeError(`no open call has the id ${call}`)
  writing.calls.delete(call)
  const block = {
    tool_use_id: call,
    type: 'tool_result',
    content,
    ...(isError === undefined ? {} : { is_error: isError }),
  }
  const message = { role: 'user', content: [block] }
  const head = { id: writing.clock.newId(), parent: caller, type: 'user' } as const
  return entryRow(writing, head, { message, sourceToolAssistantUUID: caller })
}

interface EntryHead {
  readonly id: string
  readonly parent: string | null
  readonly type: 'user' | 'assistant'
}

function entryRow(writing: Writing, { id, parent, type }: EntryHead, body: object): string {
  const { origin, clock } = writing
  writing.leaf = id
  return row({
    parentUuid: parent,
    isSidechain: false,
    type,
    ...body,
    uuid: id,
    timestamp: timeOf(clock),
    userType: 'external',
    entrypoint: 'sdk-cli',
    cwd: origin.cwd,
    sessionId: origin.session,
    version: origin.version ?? FORM,
    ...(origin.gitBranch === undefined ? {} : { gitBranch: origin.gitBranch }),
  })
}

function timeOf({ now }: SessionClock): string {
  return new Date(now()).toISOString()
}

function row(record: object): string {
  return `${JSON.stringify(record)}\n`
}
