/** Runs one command, and turns its result into an exit code. */
import { applySettings } from '@dagline/app'
import { withHubOfSettings } from './hub-choice.js'
import { oneLine, writeError } from './output.js'
import { createProgram } from './program.js'
import { reportError } from './report.js'

/** Runs the command that the words name. Returns its exit code where it failed. */
export async function runCommand(given: readonly string[]): Promise<number | undefined> {
  const words = withHubOfSettings(given)
  try {
    const problems = applySettings()
    if (words[0] !== 'config' && !words.some(word => word === '-q' || word === '--quiet'))
      for (const problem of problems) writeError(`${oneLine(problem)}\n`)
    await (await createProgram(words)).parseAsync(words, { from: 'user' })
    return undefined
  } catch (error) {
    return reportError(error)
  }
}
