/** Runs commands in this process, which is quicker than starting one for each: what they write is collected. */
import type { Command } from 'commander'
import { createProgram } from '../src/program.js'
import { runCommand } from '../src/run.js'
import type { Ran } from './run.js'

/** What the world of a command is: variables of its environment, and whether it writes to a terminal. */
export interface World {
  readonly env: Readonly<Record<string, string>>
  readonly isTerminal: boolean
}

/** Runs a command as the bundle would. One at a time: the streams and the environment of this process are its own. */
export async function runHere(words: readonly string[], world: World): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const undo = [
    ...(['stdout', 'stderr'] as const).map(name =>
      replaceStream(name, world.isTerminal, text => {
        written[name] += text
      }),
    ),
    replaceEnv({ ...world.env, COLUMNS: '120', PAGER: '', NO_COLOR: '', TERM: 'xterm', TZ: 'UTC' }),
  ]
  process.exitCode = undefined
  try {
    const failed = await runCommand(words)
    return { ...written, code: failed ?? Number(process.exitCode ?? 0) }
  } finally {
    process.exitCode = undefined
    for (const restore of undo) restore()
  }
}

type Restore = () => void

function replaceStream(name: 'stdout' | 'stderr', isTTY: boolean, see: (text: string) => void): Restore {
  const stream = process[name]
  const before = Object.getOwnPropertyDescriptors(stream)
  const listeners = stream.listeners('error')
  const write = (text: string | Uint8Array, done?: unknown): boolean => {
    see(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'))
    if (typeof done === 'function') done()
    return true
  }
  Object.defineProperties(stream, {
    write: { value: write, configurable: true, writable: true },
    isTTY: { value: isTTY, configurable: true, writable: true },
  })
  return () => {
    for (const key of ['write', 'isTTY'] as const) {
      const known = before[key]
      if (known === undefined) Reflect.deleteProperty(stream, key)
      else Object.defineProperty(stream, key, known)
    }
    for (const listener of stream.listeners('error'))
      if (!listeners.includes(listener)) stream.off('error', listener as () => void)
  }
}

function replaceEnv(values: Readonly<Record<string, string>>): Restore {
  const before = { ...process.env }
  Object.assign(process.env, values)
  // A command also sets variables itself: those of the settings.
  return () => {
    for (const name of Object.keys(process.env)) {
      const known = before[name]
      if (known === undefined) delete process.env[name]
      else process.env[name] = known
    }
  }
}

/** All commands of the program. */
export async function allCommands(): Promise<readonly Command[]> {
  return (await createProgram()).commands
}
