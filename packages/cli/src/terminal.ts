/** The person at the terminal: whether questions can be asked, the browser, and work that goes on until Ctrl-C. */
import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { browserCommand } from '@dagline/core/platform'
import type { Console } from './console.js'

/** Whether a question can be asked: stdin, stdout and stderr are terminals, and no JSON is expected. */
export function canAsk({ isTerminal, options }: Console): boolean {
  return isTerminal && process.stdin.isTTY === true && process.stderr.isTTY === true && !options.json
}

/** Opens an address in the browser. A failure is not reported: the address is printed anyway. */
export function openBrowser(url: string): void {
  const command = browserCommand(url, process.platform, process.env)
  if (command === null) return
  const [program, ...words] = command
  const child = spawn(program, words, { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

/** A pause is at least so many times as long as the work before it. */
const PAUSE_FACTOR = 20

/**
 * Does the work, waits, and does it again, until it is interrupted. The work can ask whether it should stop, and is
 * never cut off.
 */
export async function repeat(
  pause: number,
  work: (isStopped: () => boolean) => Promise<void>,
): Promise<void> {
  const signal = interruption()
  while (!signal.aborted) {
    const start = performance.now()
    await work(() => signal.aborted)
    const took = performance.now() - start
    await setTimeout(Math.max(pause, took * PAUSE_FACTOR), null, { signal }).catch(() => {})
  }
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process as usual. */
export function interruption(): AbortSignal {
  const interrupted = new AbortController()
  const end = (): void => {
    for (const name of SIGNALS) process.off(name, end)
    interrupted.abort()
  }
  for (const name of SIGNALS) process.on(name, end)
  return interrupted.signal
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
