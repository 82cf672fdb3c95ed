/** HU13: which sessions may leave this machine: only those of named projects, and never those of denied ones. */
import { homedir } from 'node:os'
import { isWindowsPath, pathKey } from '@dagline/core/platform'

/** What was chosen, as patterns: of git remotes, of folders, or of the names of folders of transcripts. */
export interface Choice {
  readonly allow: readonly string[]
  /** Wins over `allow`. */
  readonly deny: readonly string[]
  /** Projects that are sent as they are, without redaction. */
  readonly plain: readonly string[]
}

/** Where a session was begun. */
export interface Origin {
  /** The working directory; null where its rows name none. */
  readonly cwd: string | null
  /** `github.com/acme/shop`; null where the folder is gone, and was never seen. */
  readonly remotes: readonly string[] | null
  /** The name of the folder of its transcript: `-home-dev-shop`. */
  readonly folder: string
}

/** Why a session stays, or that it may leave. */
export type Decision = 'allowed' | 'denied' | 'not-allowed' | 'unknown-remote'

/** Decides about a session. If its remotes are unknown and any remote is denied, it stays: its remote may be the denied one. */
export function decide({ allow, deny }: Choice, origin: Origin): Decision {
  if (deny.some(pattern => matches(pattern, origin))) return 'denied'
  if (!allow.some(pattern => matches(pattern, origin))) return 'not-allowed'
  const isNamed = allow.some(pattern => isName(pattern) && matches(pattern, origin))
  const mayBeDenied = origin.remotes === null && !isNamed && deny.some(isRemotePattern)
  return mayBeDenied ? 'unknown-remote' : 'allowed'
}

function isRemotePattern(pattern: string): boolean {
  return !isName(pattern) && !isFolderPattern(pattern)
}

/** The name of a folder of transcripts. */
function isName(pattern: string): boolean {
  return pattern.startsWith('-')
}

/** Whether what leaves of a session is redacted. */
export function isRedacted({ plain }: Choice, origin: Origin): boolean {
  return !plain.some(pattern => matches(pattern, origin))
}

/**
 * Whether a pattern names the origin of a session. `*` stands for any characters; a pattern also names everything below it:
 * `github.com/acme`, `~/work`.
 */
export function matches(pattern: string, { cwd, remotes, folder }: Origin): boolean {
  if (pattern === '*') return true
  if (isFolderPattern(pattern)) return cwd !== null && isBelow(keyOf(expand(pattern)), keyOf(cwd))
  if (isName(pattern)) return isMatch(pattern, folder)
  const wanted = pattern.toLowerCase().replace(/\/+$/, '')
  return (remotes ?? []).some(remote => isBelow(wanted, remote.toLowerCase()))
}

function isFolderPattern(pattern: string): boolean {
  return pattern.startsWith('/') || pattern.startsWith('~') || isWindowsPath(pattern)
}

function expand(pattern: string): string {
  return pattern === '~' || /^~[\\/]/.test(pattern) ? homedir() + pattern.slice(1) : pattern
}

/** Folders of Windows are compared with one kind of slash. */
function keyOf(path: string): string {
  return pathKey(path, process.platform).replaceAll('\\', '/')
}

function isBelow(pattern: string, name: string): boolean {
  return isMatch(pattern, name) || isMatch(`${pattern}/*`, name)
}

/** Without a regular expression, whose time could be exponential in the number of stars. */
function isMatch(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (!name.startsWith(first)) return false
  const last = parts.pop()
  if (last === undefined) return name === first
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
