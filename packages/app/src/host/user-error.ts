/** Why a request cannot be met, for programs. */
export type UserErrorCode =
  | 'invalid'
  | 'too-many'
  | 'no-session'
  | 'no-entry'
  | 'ambiguous'
  | 'no-line'
  | 'no-block'
  | 'gone'
  | 'archived-only'
  | 'no-export'
  | 'secrets'
  | 'not-ready'
  | 'unavailable'

/** The request cannot be met. The message is for the user: what happened, then what to do. */
export class UserError extends Error {
  readonly code: UserErrorCode

  constructor(message: string, code: UserErrorCode = 'invalid') {
    super(message)
    this.code = code
  }
}
