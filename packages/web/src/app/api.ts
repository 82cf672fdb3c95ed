/** Requests to the server. */
import { undisguised } from '@dagline/core/content'
import type { Reply } from '@dagline/core/protocol'
import { isHub } from './page.js'
import { withHubFilter } from './route.js'

/** The server rejected a request or did not answer. The message is a sentence for people. */
export class ApiFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'ApiFailure'
    this.code = code
  }
}

/** Gets a value from the API, for example from `/api/home`. Throws `ApiFailure`, or an `AbortError` for the signal. */
export async function get<T>(path: string, signal: AbortSignal | null = null): Promise<T> {
  const reply = await parseReply<T>(await send(path, signal))
  if (reply.ok) return reply.value
  throw new ApiFailure(reply.error.code, reply.error.message)
}

/** Starts what answers searches, so that the first key does not wait for it: the empty search finds nothing. */
export function prepareSearch(): void {
  get('/api/search').catch(() => {})
}

/** Sends a value to the API, and gets the answer. Throws `ApiFailure`. */
export async function post<T>(path: string, value: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const reply = await parseReply<T>(
    await sent(path, { method: 'POST', headers, body: JSON.stringify(value) }),
  )
  if (reply.ok) return reply.value
  throw new ApiFailure(reply.error.code, reply.error.message)
}

/** Gets a text, such as a raw record. Throws `ApiFailure`. */
export async function getText(path: string): Promise<string> {
  return undisguised(await (await getBody(path)).text())
}

/** Gets a file. Throws `ApiFailure`. */
export async function getFile(path: string): Promise<DownloadedFile> {
  const response = await getBody(path)
  return { file: await response.blob(), redacted: response.headers.get('X-Dagline-Redacted') }
}

/** A file, and what was replaced in it; null where nothing was to be. */
interface DownloadedFile {
  readonly file: Blob
  readonly redacted: string | null
}

async function getBody(path: string): Promise<Response> {
  const response = await send(path, null)
  if (response.ok) return response
  const reply = await parseReply<never>(response)
  throw reply.ok ? unreadable(response) : new ApiFailure(reply.error.code, reply.error.message)
}

/** HU60: the routes of lists and sums, which the filters of a hub narrow. A session is shown whoever's it is. */
const NARROWED = /^\/api\/(?:home|search|usage|agents|health|now|hub\/figures)$|^\/(?!api\/)/

/**
 * A path with a query, of a page or of the API. Parameters that are null, false or empty are omitted; true is written as 1.
 */
export function pathWith(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined || value === false || value === '') continue
    given.set(name, value === true ? '1' : `${value}`)
  }
  const query = given.toString()
  const address = query === '' ? path : `${path}?${query}`
  return NARROWED.test(path) && !given.has('session') ? withHubFilter(address) : address
}

/** The message of anything thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message
  return 'An unknown error occurred.'
}

/** Whether a request was aborted. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

const NO_SERVER = 'dagline does not answer. Is it still running in its terminal?'
const NO_HUB = 'The hub does not answer. Check your connection, and try again.'

function send(path: string, signal: AbortSignal | null): Promise<Response> {
  return sent(path, { signal, headers: { accept: 'application/json' } })
}

async function sent(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request)
  } catch (error) {
    if (isAborted(error)) throw error
    throw new ApiFailure('no-server', isHub() ? NO_HUB : NO_SERVER)
  }
}

async function parseReply<T>(response: Response): Promise<Reply<T>> {
  const reply: unknown = await readJson(response).catch(error => {
    if (isAborted(error)) throw error
    return null
  })
  if (isReply<T>(reply)) return reply
  throw unreadable(response)
}

/** V6: nothing that comes from the server reaches the page otherwise. */
async function readJson(response: Response): Promise<unknown> {
  return JSON.parse(undisguised(await response.text()))
}

function isReply<T>(value: unknown): value is Reply<T> {
  return typeof value === 'object' && value !== null && 'ok' in value
}

function unreadable(response: Response): ApiFailure {
  return new ApiFailure(
    'unreadable',
    `dagline sent an invalid reply (status ${response.status}). Reload the page.`,
  )
}
