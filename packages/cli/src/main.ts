/** The command, or a worker of it. */
import { applySettings, runAsWorker } from '@dagline/app'
import { onOutputError, reportError } from './report.js'
import { runCommand } from './run.js'

// An error that nobody awaits is printed as any other, in a worker, too: its message may have text from disk.
process.on('uncaughtException', error => process.exit(reportError(error)))

const words = process.argv.slice(2)
// A worker has the variables of the command, which hold the settings; prices are taken from there.
if (words[0] === '--worker') applySettings()
if (!(await runAsWorker(words))) {
  // Help is written before there is a console, and its reader may leave early; with 2>&1 that of stderr does, too.
  process.stdout.on('error', onOutputError)
  process.stderr.on('error', onOutputError)
  const code = await runCommand(words)
  if (code !== undefined) process.exitCode = code
}
