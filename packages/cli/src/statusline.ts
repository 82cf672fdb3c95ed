/**
 * J4: prints the status line of Claude Code. An entry point of its own, which loads no more than it needs: Claude Code runs it
 * several times a second.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { claimStatus, currentGitBranch, readStatus, STATUS_AGE, type StatusFigures } from '@dagline/app'
import { writeOut } from './output.js'
import { readStatusInput, type StatusInput, statusText } from './print/statusline.js'
import { styleFor } from './print/style.js'

/** Prints the line for what Claude Code passes on stdin, and has its figures measured where they are old. */
export async function printStatusLine(): Promise<void> {
  const input = readStatusInput(await readInput())
  const now = Date.now()
  const figures = input.session === null ? null : readStatus(input.session)
  const gitBranch = input.cwd === null ? null : currentGitBranch(input.cwd)
  const line = statusText({ input, figures, gitBranch, now }, styleFor(!process.env['NO_COLOR']))
  await writeOut(`${line}\n`)
  if (input.session !== null && isOld(figures, input, now)) measureLater(input.session, now)
}

async function readInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk)
  return text
}

/** Other sessions may have spent something, too. */
function isOld(figures: StatusFigures | null, { transcript }: StatusInput, now: number): boolean {
  if (figures === null || now - figures.at > STATUS_AGE) return true
  const written = transcript === null ? undefined : statSync(transcript, { throwIfNoEntry: false })
  return written !== undefined && written.mtimeMs > figures.at
}

/** Measures in another process, which nobody waits for and which ends by itself. */
function measureLater(session: string, now: number): void {
  const [command] = process.argv.slice(1)
  if (command === undefined || !claimStatus(session, now)) return
  const words = [command, 'statusline', '--measure', session, '--quiet']
  spawn(process.execPath, words, { detached: true, stdio: 'ignore', windowsHide: true }).unref()
}
