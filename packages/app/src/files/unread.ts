/** P11: files and folders that cannot be read are noted on the host, each once. */
import { join } from 'node:path'
import type { Diagnostic } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { plural } from '@dagline/core/format'
import { type FoundRoot, isDiskError, isReadFailure } from '@dagline/store'
import type { Host, Unread } from '../host/host.js'

const MOST_NAMED = 5

/** Says which files and folders below a root could not be read, each once, and remembers them. */
export function noteFailures(host: Host, root: string, found: readonly Diagnostic[]): void {
  const failures = found.filter(isReadFailure)
  noteUnread(
    host,
    failures.map(({ file, message }) => ({ path: join(root, file), message, isInTheWay: true })),
  )
}

/** The same for what was noticed otherwise. */
export function noteUnread(host: Host, failures: readonly Unread[]): void {
  const fresh = failures.filter(({ path }) => !host.unread.has(path))
  for (const failure of failures) {
    const known = host.unread.get(failure.path)
    host.unread.set(failure.path, known?.isInTheWay === true ? known : failure)
  }
  for (const { path, message } of fresh.slice(0, MOST_NAMED)) host.note(cleanLine(`${path}: ${message}`))
  const more = fresh.length - MOST_NAMED
  if (more > 0) host.note(`${plural(more, 'further file')} could not be read.`)
}

/** Says what discovery could not read. */
export function noteUnreadRoots(host: Host, roots: readonly FoundRoot[]): void {
  for (const { root, diagnostics } of roots)
    noteUnread(
      host,
      diagnostics.filter(isReadFailure).map(each => ({
        path: join(root, each.file),
        message: each.message,
        isInTheWay: isDiskError(each),
      })),
    )
}
