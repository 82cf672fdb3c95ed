/** Work in the store, whose failures are sentences for the user. */
import { StoreFailure } from '@dagline/store'
import { UserError } from './user-error.js'

/** Does something with the store; what the world refuses is a sentence. */
export async function inStore<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StoreFailure ? new UserError(error.message) : error
  }
}
