/** What could not be read, for people. */

import { cleanLine } from '@dagline/core/content'
import { plural } from '@dagline/core/format'
import type { Console } from '../console.js'

/** What could not be read, for people; nothing where everything was. */
export function* unreadLines(console: Console): Generator<string> {
  const unread = [...console.unread.values()]
  if (unread.length === 0) return
  yield ''
  yield console.style.bad(`${plural(unread.length, 'file or folder', 'files or folders')} could not be read:`)
  for (const { path, message } of unread) yield cleanLine(`  ${path}: ${message}`)
}
