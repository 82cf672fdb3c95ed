/** Replies: values and errors in the one form of the protocol, and queries that are checked before they are used. */
import { type UserErrorCode, userErrorOf } from '@dagline/app'
import type { Reply } from '@dagline/core/protocol'
import type { Context } from 'hono'
import type { ZodError, ZodType } from 'zod'

type HttpStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 421 | 429 | 500 | 503

/** A request that fails: a status, a stable code, and a sentence that says what to do. */
export class HttpError extends Error {
  readonly status: HttpStatus
  readonly code: string

  constructor(status: HttpStatus, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The status of each error of the application. */
const STATUSES: Readonly<Record<UserErrorCode, HttpStatus>> = {
  invalid: 400,
  'too-many': 400,
  'no-session': 404,
  'no-entry': 404,
  ambiguous: 404,
  'no-line': 404,
  'no-block': 404,
  gone: 404,
  'archived-only': 404,
  'no-export': 404,
  secrets: 409,
  'not-ready': 503,
  unavailable: 503,
}

/** The HTTP error for an error; null where the error is a bug. */
export function httpErrorOf(error: Error): HttpError | null {
  if (error instanceof HttpError) return error
  const known = userErrorOf(error)
  return known === null ? null : new HttpError(STATUSES[known.code], known.code, known.message)
}

/** Replies with a value. */
export function reply<T>(c: Context, value: T): Response {
  const body: Reply<T> = { ok: true, value }
  return c.json(body)
}

const BEFORE = Buffer.from('{"ok":true,"value":')
const AFTER = Buffer.from('}')

/** Replies with a value that is JSON already. */
export function replyJson(c: Context, value: Uint8Array): Response {
  return c.body(Buffer.concat([BEFORE, value, AFTER]), 200, { 'Content-Type': 'application/json' })
}

/** Replies with an error. */
export function replyError(c: Context, { status, code, message }: HttpError): Response {
  const body: Reply<never> = { ok: false, error: { code, message } }
  return c.json(body, status)
}

/** The query of a request, parsed by a schema. Throws `HttpError` where it is not valid. */
export function queryOf<T>(c: Context, schema: ZodType<T>): T {
  return parsedBy(schema, c.req.query())
}

/** The most bytes of a request with a body. */
const LARGEST = 64 * 1024

/** The JSON body of a request, parsed by a schema. Throws `HttpError` where it is not valid, or too large. */
export async function bodyOf<T>(c: Context, schema: ZodType<T>): Promise<T> {
  const bytes = await c.req.arrayBuffer()
  if (bytes.byteLength > LARGEST) throw new HttpError(413, 'too-large', 'The request is too large.')
  try {
    return parsedBy(schema, JSON.parse(new TextDecoder().decode(bytes)))
  } catch (error) {
    throw error instanceof SyntaxError ? new HttpError(400, 'invalid', 'The request is not JSON.') : error
  }
}

function parsedBy<T>(schema: ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const reason = issue === undefined ? 'a value is not valid' : reasonOf(issue)
  throw new HttpError(400, 'invalid', `The request is not valid: ${reason}.`)
}

type Issue = ZodError['issues'][number]

/** V29: what is wrong with a value, in words for whoever typed it. */
function reasonOf(issue: Issue): string {
  const name = issue.path.join('.') || 'the request'
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'number'
        ? `${name} is more than ${issue.maximum}`
        : `${name} is longer than ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'items'}`
    case 'too_small':
      return issue.origin === 'number' ? `${name} is less than ${issue.minimum}` : `${name} is empty`
    case 'invalid_value':
      return `${name} is not one of ${issue.values.map(value => (value === '' ? '""' : String(value))).join(', ')}`
    case 'invalid_type':
      return ['number', 'int'].includes(issue.expected)
        ? `${name} is not a whole number`
        : `${name} is missing or of another type`
    default:
      return `${name} is not valid`
  }
}
