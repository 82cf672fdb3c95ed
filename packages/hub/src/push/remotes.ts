/** The git remotes of a folder, read from its repository: git itself is not started. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitFolderOf } from '@dagline/app'

/** The remotes of the repository that a folder is in, `origin` first, without protocol, user and `.git`. */
export function remotesOf(folder: string): readonly string[] {
  const git = gitFolderOf(folder)
  if (git === null) return []
  const remotes = urlsIn(configAt(git)).sort(([a], [b]) => Number(b === 'origin') - Number(a === 'origin'))
  return [...new Set(remotes.flatMap(([, url]) => plainRemote(url) ?? []))]
}

function configAt(git: string): string {
  try {
    return readFileSync(join(git, 'config'), 'utf8')
  } catch {
    return ''
  }
}

function urlsIn(config: string): [name: string, url: string][] {
  const urls: [string, string][] = []
  let name: string | null = null
  for (const line of config.split('\n')) {
    const [, section] = /^\s*\[(.+)\]/.exec(line) ?? []
    if (section !== undefined) name = /^remote\s+"(.*)"$/.exec(section)?.[1] ?? null
    const [, url] = /^\s*url\s*=\s*(\S.*?)\s*$/.exec(line) ?? []
    if (name !== null && url !== undefined) urls.push([name, url.replace(/^"(.*)"$/, '$1')])
  }
  return urls
}

/**
 * A remote as people name it: `git@github.com:acme/shop.git` is `github.com/acme/shop`. Null for a folder of this machine.
 * Credentials in it are left out.
 */
export function plainRemote(url: string): string | null {
  const [, scpHost, scpPath] = /^(?:[^@/\s]+@)?([^:/\s]{2,}):(?!\/\/)(.+)$/.exec(url) ?? []
  const host = scpHost ?? parsed(url)?.host
  const path = scpPath ?? parsed(url)?.path
  if (host === undefined || path === undefined || host === '') return null
  const plain = path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  return plain === '' ? null : `${host.toLowerCase()}/${plain}`
}

function parsed(url: string): { host: string; path: string } | null {
  if (!/^(?:https?|ssh|git|git\+ssh):\/\//.test(url) || !URL.canParse(url)) return null
  const { hostname, port, pathname, protocol } = new URL(url)
  const isWeb = /^https?:$/.test(protocol)
  return { host: isWeb && port !== '' ? `${hostname}:${port}` : hostname, path: decodeSafely(pathname) }
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
