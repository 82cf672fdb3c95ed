// Finds PostgreSQL for the tests of the hub, and on Debian gets it where there is none. Prints the folder of its
// programs, or a sentence that says what to do; the exit code is 0 in either case: without it those tests are left out.
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { canInstall, installPackage } from './lib/apt.ts'

/** Where Debian and Homebrew install each version. */
const PLACES = [
  '/usr/lib/postgresql/*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
]

/** What to do where there is no PostgreSQL. */
export const NO_POSTGRES =
  'No PostgreSQL here: the tests of the hub on a database are NOT RUN. ' +
  'Install it (Debian: apt-get install postgresql), or set POSTGRES to the folder of its programs.'

/**
 * The folder with `initdb` and `postgres`: that of the variable POSTGRES, else one of PATH, else the newest in the usual
 * places; null where there is none. Clusters in temporary folders need a system that has Unix sockets.
 */
export function findPostgres(): string | null {
  if (process.platform === 'win32') return null
  const given = process.env['POSTGRES']
  if (given !== undefined && given !== '') return hasPrograms(given) ? given : null
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  const installed = globSync(PLACES).sort((a, b) => versionOf(b) - versionOf(a))
  return [...folders, ...installed].find(hasPrograms) ?? null
}

function hasPrograms(folder: string): boolean {
  return ['initdb', 'postgres', 'pg_ctl'].every(name => existsSync(join(folder, name)))
}

function versionOf(folder: string): number {
  return Number(/(\d+)\/bin$/.exec(folder)?.[1] ?? 0)
}

/** The same, after an attempt to install Debian's package where there is none. */
export function getPostgres(): string | null {
  const found = findPostgres()
  if (found !== null || process.env['POSTGRES'] !== undefined || !canInstall()) return found
  console.log('Installing PostgreSQL for the tests of the hub…')
  return installPackage('postgresql') ? findPostgres() : null
}

if (import.meta.main) console.log(getPostgres() ?? NO_POSTGRES)
