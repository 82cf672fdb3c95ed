/** P11: what cannot be read: an answer without it says so, and nothing is written from it. */

import { dirname, join } from 'node:path'
import type { Diagnostic } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { plural } from '@dagline/core/format'
import { type FoundRoot, isBelow, isDiskError, isReadFailure } from '@dagline/store'
import type { Contents } from '../contents/records.js'
import type { Host, Unread } from '../host.js'
import type { Place } from '../locate/places.js'
import { UserError } from '../user-error.js'
import type { Loaded } from './project.js'

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

/** Ends the command with exit code 1 where a file could not be read that was asked for. */
export function failUnread(
  host: Host,
  { found, project }: Pick<Loaded, 'found' | 'project'>,
  isAskedFor: (path: string) => boolean,
): void {
  const failures = [...project.unread, ...found.filter(isReadFailure)]
  if (failures.some(({ file }) => isAskedFor(file))) host.fail()
}

/** Closes the contents of entries. What was printed without them is not all that was asked for. */
export function closeContents(host: Host, contents: Contents): void {
  const unread = [...contents.unread].map(([path, message]) => ({ path, message, isInTheWay: true }))
  contents.close()
  noteUnread(host, unread)
  if (unread.length > 0) host.fail()
}

/** What could not be read, as a field of JSON output; none where everything was. */
export function unreadField(host: Host): readonly (readonly [string, unknown])[] {
  const list = [...host.unread.values()].map(({ path, message }) => ({ path, message }))
  return list.length === 0 ? [] : [['unread', { list }]]
}

/** Nothing is written where something that it might come from, in its project or above, could not be read. */
export function refuseUnread(host: Host, { root, project }: Place): void {
  const folders = new Set([project.path, ...project.files.map(({ path }) => dirname(path))])
  const isNear = (path: string): boolean =>
    [...folders].some(folder => isBelow(path, join(root, folder)) || isBelow(join(root, folder), path))
  const failures = [...host.unread.values()].filter(({ isInTheWay, path }) => isInTheWay || isNear(path))
  const [first] = failures
  if (first === undefined) return
  const others = failures.length > 1 ? ` (and ${plural(failures.length - 1, 'other file')})` : ''
  throw new UserError(
    cleanLine(
      `Nothing was written, because ${first.path}${others} could not be read whole: ${first.message} Make it readable or move it out of the project, then try again.`,
    ),
  )
}
