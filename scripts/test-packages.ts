// Tests both packages on every Node and TypeScript that they support: the same on every system, whatever its shell.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './lib/sources.ts'

const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/packages.test.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, DAGLINE_PACKAGES: 'all' },
})
process.exitCode = status ?? 1
