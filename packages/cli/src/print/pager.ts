/** Long output on a terminal goes through a pager, as with git: `PAGER`, else `less`; an empty `PAGER` is none. */
import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/** The shell's word for a command that is not there. */
const NO_SUCH_COMMAND = 127

/** Shows lines in the pager. False where there is none: nothing was shown then. */
export async function showPaged(lines: Iterable<string>, env: NodeJS.ProcessEnv): Promise<boolean> {
  const command = env['PAGER'] ?? 'less'
  if (command.trim() === '' || process.platform === 'win32') return false
  // F: not for less than a screen, R: colours, X: what was shown stays.
  const pager = spawn(command, {
    shell: true,
    env: { LESS: 'FRX', ...env },
    stdio: ['pipe', 'inherit', 'ignore'],
  })
  // An interrupt is for the pager: it ends itself, and we with it.
  process.on('SIGINT', ignore)
  const ended = new Promise<number | null>(resolve => {
    pager.on('error', () => resolve(NO_SUCH_COMMAND))
    pager.on('close', resolve)
  })
  await feed(pager.stdin, lines)
  const code = await ended
  process.off('SIGINT', ignore)
  return code !== NO_SUCH_COMMAND
}

function ignore(): void {}

/** Writes as fast as the pager reads; ends early where it goes away. */
async function feed(stdin: Writable, lines: Iterable<string>): Promise<void> {
  let isGone = false
  const gone = new Promise<void>(resolve => {
    for (const event of ['error', 'close']) {
      stdin.on(event, () => {
        isGone = true
        resolve()
      })
    }
  })
  for (const line of lines) {
    if (isGone) return
    if (!stdin.write(`${line}\n`)) await Promise.race([drained(stdin), gone])
  }
  stdin.end()
}

async function drained(stdin: Writable): Promise<void> {
  await new Promise<void>(resolve => {
    stdin.once('drain', () => resolve())
  })
}
