/** The command: parses the arguments, runs one command, and turns the result into an exit code. */
import { runAsWorker, UserError } from '@dagline/app'
import { CommanderError } from 'commander'
import { createProgram } from './program.js'

if (!(await runAsWorker(process.argv.slice(2)))) await run()

async function run(): Promise<void> {
  // Help is written before there is a console, and its reader may leave early.
  process.stdout.on('error', ignoreLeaving)
  try {
    await (await createProgram(process.argv.slice(2))).parseAsync()
  } catch (error) {
    process.exitCode = report(error)
  }
}

function ignoreLeaving(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** 0 done, 1 the request could not be met, 2 internal error. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
  if (error instanceof UserError) {
    process.stderr.write(`dagline: ${error.message}\n`)
    return 1
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`dagline: internal error, please report it: ${text}\n`)
  return 2
}
