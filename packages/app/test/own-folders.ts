/** Folders of a test file's own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

const VARIABLES = ['XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'] as const

/** A folder that goes with the test file. What a history stores by itself lies in it, too. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-'))
  const before = VARIABLES.map(name => [name, process.env[name]] as const)
  beforeAll(() => {
    for (const name of VARIABLES) process.env[name] = join(folder, name)
  })
  afterAll(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
