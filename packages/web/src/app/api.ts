/** What the page asks of its server. */
import type { Reply, ServerEvent } from '@dagline/core'

/** The server said no, or did not answer; the message is a sentence for people. */
export class ApiFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'ApiFailure'
    this.code = code
  }
}

/** What a caller may want of one question. */
interface GetOptions {
  /** Ends the question; the promise then fails with the signal's own reason. */
  readonly signal?: AbortSignal
}

/** The value behind a path of the server's API, `/api/home` for one. Fails with an `ApiFailure`. */
export async function get<T>(path: string, options: GetOptions = {}): Promise<T> {
  const response = await ask(path, options)
  const reply = await replyOf<T>(response)
  if (reply.ok) return reply.value
  throw new ApiFailure(reply.error.code, reply.error.message)
}

/** The text behind a path, such as the raw record of a node. Fails with an `ApiFailure`. */
export async function getText(path: string, options: GetOptions = {}): Promise<string> {
  const response = await ask(path, options)
  if (response.ok) return response.text()
  const reply = await replyOf<never>(response)
  throw reply.ok ? unreadable(response) : new ApiFailure(reply.error.code, reply.error.message)
}

/** The bytes behind a path: a file to keep. Fails with an `ApiFailure`. */
export async function getFile(path: string): Promise<Blob> {
  const response = await ask(path, {})
  if (response.ok) return response.blob()
  const reply = await replyOf<never>(response)
  throw reply.ok ? unreadable(response) : new ApiFailure(reply.error.code, reply.error.message)
}

/** A path with its parameters; those that are null, false or empty are left out. */
export function pathWith(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== false && value !== '') given.set(name, `${value}`)
  }
  const query = given.toString()
  return query === '' ? path : `${path}?${query}`
}

/** The sentence of whatever was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message
  return 'Something went wrong, and it did not say what.'
}

/** Whether a question ended because nobody wants the answer any more. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** How the line to the server is. */
export type LineState = 'open' | 'lost'

const FIRST_WAIT = 500
const LONGEST_WAIT = 15_000

/**
 * Hears what the server tells, and calls again, at growing distances, when the line is lost. Whoever comes back after
 * a loss is told `changed` for everything: something may have been missed. Returns what ends it.
 */
export function events(
  onEvent: (event: ServerEvent) => void,
  onState: (state: LineState) => void = () => {},
): () => void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = FIRST_WAIT
  let wasLost = false

  function connect(): void {
    source = new EventSource('/api/events')
    source.onopen = opened
    source.onerror = lost
    source.onmessage = message => {
      const event = eventOf(message.data)
      if (event !== null) onEvent(event)
    }
  }

  function opened(): void {
    wait = FIRST_WAIT
    onState('open')
    if (wasLost) onEvent({ kind: 'changed', sessions: [] })
    wasLost = false
  }

  function lost(): void {
    source?.close()
    if (!wasLost) onState('lost')
    wasLost = true
    timer = setTimeout(connect, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }

  connect()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}

async function ask(path: string, options: GetOptions): Promise<Response> {
  try {
    return await fetch(path, { ...options, headers: { accept: 'application/json' } })
  } catch (error) {
    if (isAborted(error)) throw error
    throw new ApiFailure('no-server', 'dagline does not answer. Is it still running in its terminal?')
  }
}

async function replyOf<T>(response: Response): Promise<Reply<T>> {
  const reply: unknown = await response.json().catch(error => {
    if (isAborted(error)) throw error
    return null
  })
  if (isReply<T>(reply)) return reply
  throw unreadable(response)
}

function isReply<T>(value: unknown): value is Reply<T> {
  return typeof value === 'object' && value !== null && 'ok' in value
}

function unreadable(response: Response): ApiFailure {
  return new ApiFailure(
    'unreadable',
    `dagline gave an answer the page cannot read (status ${response.status}).`,
  )
}

function eventOf(data: unknown): ServerEvent | null {
  if (typeof data !== 'string') return null
  try {
    const event: ServerEvent = JSON.parse(data)
    return event
  } catch {
    return null
  }
}
