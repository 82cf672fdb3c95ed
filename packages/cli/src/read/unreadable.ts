/** What cannot be read: an answer without it says so, and nothing is written from it. */
import { dirname, join } from 'node:path'
import type { Diagnostic } from '@dagline/core'
import { type FoundRoot, isBelow, isDiskError, isReadFailure } from '@dagline/store'
import { type Console, Refusal, type Unread } from '../console.js'
import { cleanLine } from '../print/clean.js'
import { count } from '../print/figures.js'
import type { Contents } from './contents.js'
import type { Place } from './places.js'
import type { Loaded } from './project.js'

const MOST_NAMED = 5

/** Says which files and folders below a root could not be read, each once, and remembers them. */
export function noteFailures(console: Console, root: string, found: readonly Diagnostic[]): void {
  const failures = found.filter(isReadFailure)
  noteUnread(
    console,
    failures.map(({ file, message }) => ({ path: join(root, file), message, isInTheWay: true })),
  )
}

/** The same for what was noticed otherwise. */
export function noteUnread(console: Console, failures: readonly Unread[]): void {
  const fresh = failures.filter(({ path }) => !console.unread.has(path))
  for (const failure of failures) {
    const known = console.unread.get(failure.path)
    console.unread.set(failure.path, known?.isInTheWay === true ? known : failure)
  }
  for (const { path, message } of fresh.slice(0, MOST_NAMED)) console.note(cleanLine(`${path}: ${message}`))
  const more = fresh.length - MOST_NAMED
  if (more > 0) console.note(`${count(more, 'further file')} could not be read.`)
}

/** Says what discovery could not read. */
export function noteUnreadRoots(console: Console, roots: readonly FoundRoot[]): void {
  for (const { root, diagnostics } of roots)
    noteUnread(
      console,
      diagnostics.filter(isReadFailure).map(each => ({
        path: join(root, each.file),
        message: each.message,
        isInTheWay: isDiskError(each),
      })),
    )
}

/** Ends the command with exit code 1 where a file could not be read that was asked for. */
export function failUnread(
  console: Console,
  { found, project }: Pick<Loaded, 'found' | 'project'>,
  isAskedFor: (path: string) => boolean,
): void {
  const failures = [...project.unread, ...found.filter(isReadFailure)]
  if (failures.some(({ file }) => isAskedFor(file))) console.fail()
}

/** Closes the contents of entries. What was printed without them is not all that was asked for. */
export function closeContents(console: Console, contents: Contents): void {
  const unread = [...contents.unread].map(([path, message]) => ({ path, message, isInTheWay: true }))
  contents.close()
  noteUnread(console, unread)
  if (unread.length > 0) console.fail()
}

/** What could not be read, as a field of JSON output; none where everything was. */
export function unreadField(console: Console): readonly (readonly [string, unknown])[] {
  const list = [...console.unread.values()].map(({ path, message }) => ({ path, message }))
  return list.length === 0 ? [] : [['unread', { list }]]
}

/** What could not be read, for people; nothing where everything was. */
export function* unreadLines(console: Console): Generator<string> {
  const unread = [...console.unread.values()]
  if (unread.length === 0) return
  yield ''
  yield console.style.bad(`${count(unread.length, 'file or folder', 'files or folders')} could not be read:`)
  for (const { path, message } of unread) yield cleanLine(`  ${path}: ${message}`)
}

/** Nothing is written where something that it might come from, in its project or above, could not be read. */
export function refuseUnread(console: Console, { root, project }: Place): void {
  const folders = new Set([project.path, ...project.files.map(({ path }) => dirname(path))])
  const isNear = (path: string): boolean =>
    [...folders].some(folder => isBelow(path, join(root, folder)) || isBelow(join(root, folder), path))
  const failures = [...console.unread.values()].filter(({ isInTheWay, path }) => isInTheWay || isNear(path))
  const [first] = failures
  if (first === undefined) return
  const others = failures.length > 1 ? ` (and ${count(failures.length - 1, 'other file')})` : ''
  throw new Refusal(
    cleanLine(
      `Nothing was written, because ${first.path}${others} could not be read whole: ${first.message} Make it readable or move it out of the project, then try again.`,
    ),
  )
}
