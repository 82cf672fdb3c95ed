/** Commands, with the memory that they took. */
import { expect } from 'vitest'
import type { CommandResult } from './command-server.js'
import { daglineMeasured } from './run.js'

/** The memory that a command may have resident at any time, in KB, as the operating system counts it. */
const MOST_MEMORY = 600 * 1024

/** Runs a command that must end within its memory, with a code. */
export function ends(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  expected: number | null = 0,
): CommandResult {
  const ran = daglineMeasured(words, env)
  const { code, stderr, memory } = ran
  expect({ code, stderr }).toMatchObject({
    code: expected,
    stderr: expect.not.stringContaining('internal error'),
  })
  expect(memory).toBeGreaterThan(0)
  expect(memory).toBeLessThan(MOST_MEMORY)
  return ran
}
