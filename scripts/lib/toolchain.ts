import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './sources.ts'

/** The npm package `node` or `typescript` in one version. */
export interface Tool {
  readonly name: 'node' | 'typescript'
  /** As npm understands it: `22.16`, `latest`. */
  readonly version: string
}

/** The folder of a tool that the tests of the packages run. It is downloaded once and kept in the cache folder. */
export function installTool({ name, version }: Tool): string {
  const folder = join(ROOT, 'node_modules', '.cache', 'tools', `${name}-${version}`)
  const installed = join(folder, 'node_modules', name)
  if (!existsSync(join(folder, 'complete'))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, allowScripts: { node: true } }),
    )
    const words = ['install', `${name}@${version}`, '--no-save', '--no-audit', '--no-fund']
    const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm install ${name}@${version} failed:\n${stderr}`)
    writeFileSync(join(folder, 'complete'), '')
  }
  return installed
}
