/** Failures of the store, whose messages are for the user. */
import { StoreError } from '@dagline/store'
import { UserError } from './user-error.js'

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
