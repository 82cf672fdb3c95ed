/** Looking for a path in files, without changing them. */
import { createHash } from 'node:crypto'
import { chunksOf } from '../files/whole.js'
import type { Move } from '../write/journal.js'
import { type RewriteCount, type RewriteOptions, startRewrite } from './rewrite.js'

/** Whether a path stands anywhere in a file, in one of the ways in which JSON writes it. */
export function holdsPath(path: string, moves: readonly Move[]): boolean {
  const needles = moves.flatMap(({ from }) => waysToWrite(from))
  const longest = Math.max(0, ...needles.map(({ length }) => length))
  let end = Buffer.alloc(0)
  for (const chunk of chunksOf(path)) {
    const bytes = Buffer.concat([end, chunk])
    if (needles.some(needle => bytes.includes(needle))) return true
    end = Buffer.from(bytes.subarray(Math.max(0, bytes.length - longest)))
  }
  return false
}

/** As Claude Code writes it, with escapes for all that is not ASCII, and with escaped slashes. */
function waysToWrite(path: string): readonly Buffer[] {
  const plain = JSON.stringify(path).slice(1, -1)
  const ascii = plain.replace(
    /[\u0080-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const ways = new Set([plain, ascii, plain.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/')])
  return [...ways].map(way => Buffer.from(way))
}

/** What would change in a file. */
interface Changes extends Readonly<RewriteCount> {
  /** sha256 in hex of the bytes that were counted in. */
  readonly hash: string
}

/** Counts what would change in a file. */
export function countChanges(path: string, options: RewriteOptions): Changes {
  const rewriter = startRewrite(options)
  const hash = createHash('sha256')
  for (const chunk of chunksOf(path)) {
    hash.update(chunk)
    rewriter.write(chunk)
  }
  rewriter.end()
  return { ...rewriter.count, hash: hash.digest('hex') }
}

/** The working directories that the entries of a transcript name, each once. */
export function foldersIn(path: string): ReadonlySet<string> {
  const folders = new Set<string>()
  countChanges(path, { moves: [], deep: false, seeFolder: folder => folders.add(folder) })
  return folders
}
