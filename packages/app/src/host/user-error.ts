/** Errors for the user, and failures of the store, whose messages are for the user too. */
import { StoreError } from '@dagline/store'

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

/** The error for a kind of problem that does not exist. */
export function unknownKind(kind: string, known: readonly string[]): UserError {
  return new UserError(`There is no kind of problem ${kind}. Give one of ${known.join(', ')}.`)
}

/** The error for the user that something thrown stands for; null where it is a fault of our own. */
export function userErrorOf(error: unknown): UserError | null {
  if (error instanceof UserError) return error
  return error instanceof StoreError ? new UserError(error.message, 'unavailable') : null
}

/** Does something with the store. Throws `UserError` where the store fails. */
export async function inStore<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw userErrorOf(error) ?? error
  }
}
