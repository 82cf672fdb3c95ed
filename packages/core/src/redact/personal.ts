/** Personal data: user names in paths, e-mail addresses, names. Replaced only on request. */

import type { Found } from './anchors.js'
import { isIn, runEnd, runStart, SETS } from './chars.js'

const HOMES =
  /(?:\/(?:home|Users)\/|[A-Za-z]:[\\/]+Users[\\/]+|\/export\/home\/|(?<![A-Za-z0-9])-(?:home|Users)-)/g
/** Home folders that belong to no person. */
const SHARED = /^(?:Shared|Public|Default|All Users|linuxbrew)$/
/** Characters that end a user name in a path. */
const NAME_END = /[\s/\\"'`:,;<>|*?()[\]{}$]/
const NAME_MOST = 64

/** Finds the user names in paths of home folders, also in the folder names that Claude Code makes of paths. */
export function findUsers(text: string): readonly Found[] {
  const found: Found[] = []
  HOMES.lastIndex = 0
  for (let match = HOMES.exec(text); match !== null; match = HOMES.exec(text)) {
    const start = match.index + match[0].length
    const near = text.slice(start, start + NAME_MOST)
    const length = near.search(match[0].startsWith('-') ? /[^A-Za-z0-9_]/ : NAME_END)
    const name = length < 0 ? near : near.slice(0, length)
    if (name === '' || SHARED.test(name) || name.startsWith('[redacted')) continue
    found.push({ kind: 'user', start, end: start + name.length })
  }
  return found
}

const LOCAL = SETS.token & ~SETS.base64
const HARMLESS =
  /^(?:git|noreply|no-reply|npm|svn|hg)@|@(?:[\w-]+\.)*example\.(?:com|org|net)$|@users\.noreply\.github\.com$/i
/** Endings of file names that look like domains. */
const FILE_END =
  /\.(?:[cm]?[jt]sx?|json|md|py|rb|go|rs|css|html|sh|lock|png|svg|jpe?g|ya?ml|toml|txt|service|target|timer)$/i

/** Finds e-mail addresses, except those of machines and examples. */
export function findEmails(text: string): readonly Found[] {
  const found: Found[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = localStart(text, at)
    const end = domainEnd(text, at + 1)
    if (start === at || end < 0) continue
    const address = text.slice(start, end)
    if (HARMLESS.test(address) || FILE_END.test(address)) continue
    found.push({ kind: 'email', start, end })
  }
  return found
}

function localStart(text: string, at: number): number {
  let start = runStart(text, at, SETS.dotted | LOCAL, NAME_MOST)
  while (text[start - 1] === '+' && at - start < NAME_MOST)
    start = runStart(text, start - 1, SETS.dotted, NAME_MOST)
  while (start < at && !isIn(text, start, SETS.word)) start++
  return start
}

function domainEnd(text: string, from: number): number {
  let end = runEnd(text, from, SETS.dotted & ~UNDERSCORE, 253)
  while (end > from && !isIn(text, end - 1, SETS.alnum)) end--
  return /^(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}$/.test(text.slice(from, end)) ? end : -1
}

const UNDERSCORE = SETS.word & ~SETS.alnum

/** Finds names: a whole name in any case, and each part of it as written. */
export function nameFinder(names: readonly string[]): (text: string) => readonly Found[] {
  const whole = names.map(name => name.trim()).filter(name => name.length > 1)
  const parts = whole
    .flatMap(name => name.split(/\s+/))
    .filter(part => part.length > 2 && /^\p{Lu}/u.test(part))
  const patterns = [pattern(whole, 'giu'), pattern(parts, 'gu')].filter(made => made !== null)
  return text =>
    patterns
      .flatMap(made => [...text.matchAll(made)])
      .map(({ 0: name, index }) => ({ kind: 'name', start: index, end: index + name.length }))
}

function pattern(words: readonly string[], flags: string): RegExp | null {
  const any = [...new Set(words)].sort((a, b) => b.length - a.length).map(literal)
  return any.length === 0
    ? null
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${any.join('|')})(?![\\p{L}\\p{N}])`, flags)
}

/** A pattern that matches a text; blanks match blanks and line breaks. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s{1,4}')
}
