/** Commands as processes, with the memory that they took. */
import { execFile } from 'node:child_process'
import { PEAK_MEMORY } from '@dagline/testkit'
import { expect } from 'vitest'
import { BUNDLE, cleanEnv, type Ran } from './run.js'

/** A command that hangs is killed after this time. It does not measure speed: a busy machine takes long. */
const HANGS = 180_000
/** The memory that a command may have resident at any time, in KB, as the operating system counts it. */
const MOST_MEMORY = 600 * 1024

/** Makes a command print, as the last row of stderr, how much memory it had resident at most. */
const PRINTS_MEMORY = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  process.on('exit', () => writeSync(2, '\\n' + ${PEAK_MEMORY}))
`)}`

interface Measured extends Ran {
  readonly memory: number
}

/** Runs a command that must end within its memory. One that hangs is killed, and has no exit code. */
export async function ends(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  const ran = await run(words, env)
  const { code, stderr, memory } = ran
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('internal error') })
  expect(memory).toBeGreaterThan(0)
  expect(memory).toBeLessThan(MOST_MEMORY)
  return ran
}

function run(words: readonly string[], more: Readonly<Record<string, string>>): Promise<Measured> {
  const env = cleanEnv(more)
  const options = { env, maxBuffer: 256 * 1024 * 1024, timeout: HANGS, killSignal: 'SIGKILL' } as const
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      ['--import', PRINTS_MEMORY, BUNDLE, ...words],
      options,
      (_, stdout, stderr) => {
        const [memory = ''] = /\d+$/.exec(stderr) ?? []
        resolve({ stdout, stderr, code: child.exitCode, memory: Number(memory) })
      },
    )
  })
}
