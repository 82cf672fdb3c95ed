/** What tests of installation need: copies of the repository, clean environments, other versions of Node and TypeScript. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ROOT } from '../scripts/lib/sources.ts'

/** How npm is started. On Windows it is a script for a shell, so the module is run that started these tests. */
export const NPM: readonly [program: string, ...words: string[]] =
  process.env['npm_execpath'] === undefined ? ['npm'] : [process.execPath, process.env['npm_execpath']]

/** Copies all files that belong to the repository, as they are now. */
export function copyRepository(checkout: string): void {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  for (const file of files.filter(file => file !== '' && existsSync(join(ROOT, file)))) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    cpSync(join(ROOT, file), join(checkout, file))
  }
}

/** The machine's own Node and npm with its settings and cache, and nothing of this checkout. */
export function newcomerEnv(home: string): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^npm_|^(INIT_CWD|NODE_OPTIONS|NODE_ENV|VITEST.*|CLAUDE_.*|XDG_.*)$/.test(name)
      ? []
      : [[name, value] as const],
  )
  const path = (process.env['PATH'] ?? '').split(delimiter).filter(part => !part.includes('node_modules'))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    HOME: home,
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  }
}

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
    const [program, ...first] = NPM
    const { status, stderr } = spawnSync(program, [...first, ...words], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm install ${name}@${version} failed:\n${stderr}`)
    writeFileSync(join(folder, 'complete'), '')
  }
  return installed
}
