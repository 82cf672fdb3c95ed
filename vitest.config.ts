import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './scripts/lib/slow-first.ts'

/** Files that replace a module for all who import it: each of them needs a process of its own. */
const MOCKING = ['packages/store/src/files/discover.test.ts', 'packages/store/src/files/state.test.ts']

// What commands of earlier runs have stored: indexes of other versions, and compiled code of other bundles.
rmSync(`${import.meta.dirname}/node_modules/.cache/dagline`, { recursive: true, force: true })

/** Bytes: many times what tests have on disk at one time. */
const ROOM = 6 * 1024 ** 3
const temporary = temporaryFolder()

export default defineConfig({
  test: {
    // One more than there are cores: tests start commands and browsers, and wait for them.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    setupFiles: ['./vitest.setup.ts'],
    environment: 'node',
    env: temporary === null ? {} : { TMPDIR: temporary },
    // Node imports the sources by itself: tests never need a build.
    experimental: { viteModuleRunner: false },
    execArgv: ['--import', `${import.meta.dirname}/scripts/lib/source-loader.ts`],
    // These end what hangs, and measure no speed: on a busy machine everything takes many times as long.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'dagline',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            '{scripts,lab,test,conformance}/**/*.test.ts',
          ],
          exclude: [...MOCKING, '**/node_modules/**'],
          // Starting a process and loading the sources takes longer than most files of tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING } },
    ],
  },
})

/**
 * A folder in memory for the homes of the tests, where there is room: they are made and removed thousands of times,
 * which takes a fifth of the processor time of such tests on a disk.
 */
function temporaryFolder(): string | null {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (Math.min(bavail * bsize, process.availableMemory()) < ROOM) return null
    for (const name of readdirSync(memory))
      if (hasEnded(Number(/^dagline-tests-(\d+)-/.exec(name)?.[1])))
        rmSync(`${memory}/${name}`, { recursive: true, force: true })
    const folder = mkdtempSync(`${memory}/dagline-tests-${process.pid}-`)
    // Some commands run as another user.
    chmodSync(folder, 0o1777)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return null
  }
}

/** Whether a process is over; a run that was killed leaves its folder behind. */
function hasEnded(pid: number): boolean {
  try {
    return pid > 0 && !process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
