/** The Agent SDK: a folder whose `node_modules` hold it, given by `DAGLINE_LAB_SDK` or installed into the cache folder. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const PACKAGE = '@anthropic-ai/claude-agent-sdk'

let found: string | null | undefined

/** The folder, or null where npm cannot bring it. */
export function sdkOf(): string | null {
  found ??= lookUp()
  return found
}

function lookUp(): string | null {
  const given = process.env['DAGLINE_LAB_SDK'] ?? ''
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const folder = given === '' ? join(cache, 'dagline', 'lab', 'sdk') : resolve(given)
  if (hasSdk(folder) || (given === '' && install(folder))) return folder
  console.error('The Agent SDK is not available: npm could not bring it. Nothing was sent through it.')
  return null
}

function hasSdk(folder: string): boolean {
  return existsSync(join(folder, 'node_modules', PACKAGE, 'sdk.mjs'))
}

function install(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const words = ['install', '--no-audit', '--no-fund', '--omit=optional', PACKAGE]
  return spawnSync('npm', words, { cwd: folder }).status === 0 && hasSdk(folder)
}
