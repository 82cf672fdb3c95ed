/** Runs one command, and turns its result into an exit code. */
import { createProgram } from './program.js'
import { reportError } from './report.js'

/** Runs the command that the words name. Returns its exit code where it failed. */
export async function runCommand(words: readonly string[]): Promise<number | undefined> {
  try {
    await (await createProgram(words)).parseAsync(words, { from: 'user' })
    return undefined
  } catch (error) {
    return reportError(error)
  }
}
