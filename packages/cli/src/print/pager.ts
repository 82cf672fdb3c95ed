/** Long output on a terminal goes through a pager, as with git: `PAGER`, else `less`; an empty `PAGER` is none. */
import { spawn } from 'node:child_process'
import { pipeline } from 'node:stream/promises'

/** The exit code of a shell for a command that does not exist. */
const NO_SUCH_COMMAND = 127

/** Shows text in the pager. Returns false where there is none: nothing was shown then. */
export async function showPaged(pieces: Iterable<string>, env: NodeJS.ProcessEnv): Promise<boolean> {
  const command = env['PAGER'] ?? 'less'
  if (command.trim() === '' || process.platform === 'win32') return false
  // F: not for less than a screen, R: colors, X: what was shown stays.
  const pager = spawn(command, {
    shell: true,
    env: { LESS: 'FRX', ...env },
    stdio: ['pipe', 'inherit', 'ignore'],
  })
  // An interrupt is for the pager: it ends itself, and this process with it.
  process.on('SIGINT', ignore)
  const ended = new Promise<number | null>(resolve => {
    pager.on('error', () => resolve(NO_SUCH_COMMAND))
    pager.on('close', resolve)
  })
  await pipeline(pieces, pager.stdin).catch(ignoreLeaving)
  const code = await ended
  process.off('SIGINT', ignore)
  return code !== NO_SUCH_COMMAND
}

function ignore(): void {}

/** The pager may end before it has read everything. */
function ignoreLeaving(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}
