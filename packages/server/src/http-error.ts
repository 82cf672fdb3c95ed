/** Errors as HTTP answers: a status, a stable code, and a sentence that says what to do. */
import { type UserErrorCode, userErrorOf } from '@dagline/app'

export type HttpStatus = 400 | 401 | 403 | 404 | 405 | 409 | 421 | 500 | 503

/** A request that cannot be met. */
export class HttpError extends Error {
  readonly status: HttpStatus
  readonly code: string

  constructor(status: HttpStatus, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The status of each error of the application, and its code where the protocol has another name for it. */
const ANSWERS: Readonly<Record<UserErrorCode, readonly [HttpStatus, code?: string]>> = {
  invalid: [400, 'bad-request'],
  'too-many': [400],
  'no-session': [404],
  'no-entry': [404, 'no-node'],
  ambiguous: [404],
  'no-line': [404, 'no-way'],
  'no-block': [404],
  gone: [404],
  'archived-only': [404],
  'no-export': [404],
  secrets: [409],
  'not-ready': [503],
  unavailable: [503],
}

/** The answer to an error; null where it is a fault of our own. */
export function httpErrorOf(error: Error): HttpError | null {
  if (error instanceof HttpError) return error
  const known = userErrorOf(error)
  if (known === null) return null
  const [status, code = known.code] = ANSWERS[known.code]
  return new HttpError(status, code, known.message)
}
