/** Asking the person at the terminal. */
import type { Console } from '../console.js'

/** Whether there is somebody to ask: a terminal on all sides, and nobody who waits for JSON. */
export function canAsk({ isTerminal, options }: Console): boolean {
  return isTerminal && process.stdin.isTTY === true && process.stderr.isTTY === true && !options.json
}

/** Asks a question on stderr. Leaving it with Ctrl-C is a no. */
export async function ask(message: string, expected: 'yes' | 'no'): Promise<boolean> {
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message, initialValue: expected === 'yes', output: process.stderr })) === true
}
