/** A request that cannot be met: a status, a stable code, and a sentence that says what to do. */
export class Refused extends Error {
  readonly status: RefusedStatus
  readonly code: string

  constructor(status: RefusedStatus, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export type RefusedStatus = 400 | 401 | 403 | 404 | 405 | 409 | 421 | 500 | 503
