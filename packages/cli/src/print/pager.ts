/** Long output on a terminal goes through a pager, as with git: `PAGER`, else `less`; an empty `PAGER` is none. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Shows lines in the pager. False where there is none: nothing was shown then. */
export async function showPaged(lines: Iterable<string>, env: NodeJS.ProcessEnv): Promise<boolean> {
  const command = env['PAGER'] ?? 'less'
  if (command.trim() === '' || command === 'cat' || process.platform === 'win32') return false
  // F: not for less than a screen, R: colours, X: what was shown stays.
  const pager = spawn(command, {
    shell: true,
    env: { LESS: 'FRX', ...env },
    stdio: ['pipe', 'inherit', 'ignore'],
  })
  const ignore = (): void => {}
  // An interrupt is for the pager: it ends itself, and we with it.
  process.on('SIGINT', ignore)
  const ended = once(pager, 'close')
  try {
    const isShown = await feed(pager.stdin, lines)
    const [code] = await ended
    // The shell says 127 where there is no such command.
    return isShown || code !== 127
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** Writes as fast as the pager reads; ends early where it goes away. True if it took everything. */
async function feed(stdin: NodeJS.WritableStream, lines: Iterable<string>): Promise<boolean> {
  let isGone = false
  stdin.on('error', () => {
    isGone = true
  })
  const gone = once(stdin, 'close')
  for (const line of lines) {
    if (isGone) return false
    if (!stdin.write(`${line}\n`)) await Promise.race([once(stdin, 'drain'), gone])
  }
  stdin.end()
  return !isGone
}
