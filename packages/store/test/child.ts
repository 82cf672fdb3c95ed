import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PEAK_MEMORY } from '@dagline/testkit'
import { buildSync } from 'esbuild'
import { temporaryFolder } from './temporary.js'

const SOURCE = fileURLToPath(new URL('../src/index.ts', import.meta.url))

/** What a program came to in a process of its own. */
export interface ChildResult {
  readonly value: unknown
  /** Highest resident memory above that of an idle process that has loaded the store, in MiB. */
  readonly megabytes: number
}

/**
 * Runs statements that have the store as `store` and their argument as `path`, and set `value`. Its own process shows
 * the memory that reading takes, and nothing else.
 */
export function runInChild(statements: string, path: string): ChildResult {
  const bundle = join(temporaryFolder(), 'store.mjs')
  buildSync({
    entryPoints: [SOURCE],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  })
  const program = `
    const store = await import(${JSON.stringify(bundle)})
    const path = process.argv[1]
    const before = process.memoryUsage().rss
    let value
    ${statements}
    const megabytes = Math.round((${PEAK_MEMORY} * 1024 - before) / 1048576)
    console.log(JSON.stringify({ value, megabytes }))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program, path], {
    encoding: 'utf8',
  })
  return JSON.parse(printed)
}
