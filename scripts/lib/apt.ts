import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Whether this process may install packages of Debian. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

/** Installs a package of Debian, with new lists where the known ones do not name it. Returns whether that worked. */
export function installPackage(name: string): boolean {
  const install = ['install', '-y', '--no-install-recommends', name]
  return apt(install) || (apt(['update']) && apt(install))
}

function apt(words: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync('apt-get', ['-qq', ...words], { env, stdio: 'ignore', timeout: 300_000 })
  return status === 0
}
