/** U7: errors become one sentence, or a stack that should be reported, and an exit code. */
import { UserError, userErrorOf } from '@dagline/app'
import { CommanderError } from 'commander'
import { oneLine, writeError } from './output.js'

/** Handles an error of stdout or stderr. A reader that has gone is not an error; throws `UserError` for anything else. */
export function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  const reason = error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message)
  throw new UserError(`The output could not be written: ${reason}. Make room, or write it elsewhere.`)
}

/** Prints what was thrown. Returns 0 for help, 1 where the request could not be met, 2 for an internal error. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
  // A database or a hub that refuses says so in a sentence, too.
  const known = userErrorOf(error)
  if (known !== null) {
    writeError(`dagline: ${oneLine(known.message)}\n`)
    return 1
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  writeError(`dagline: internal error, please report it: ${text}\n`)
  return 2
}
