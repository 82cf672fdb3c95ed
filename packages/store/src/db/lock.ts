/** One writer at a time. The lock is a transaction on a file of its own: whatever happens to its holder, it ends. */

import { StoreFailure } from '../files/failures.js'
import { openDatabase } from './driver.js'

/** Takes the lock beside an index and gives the way to let it go; null where another process holds it. */
export function takeLock(path: string, busyTimeout: number): (() => void) | null {
  const db = openDatabase(`${path}.lock`, { busyTimeout })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return () => db.close()
  } catch (error) {
    db.close()
    if (error instanceof StoreFailure && error.kind === 'busy') return null
    throw error
  }
}
