/** The session that the rows of a file name, from its first rows alone. */
import { closeSync, openSync, readSync } from 'node:fs'

/** A row names its session before its message: a longer start would tell no more. */
const START = 64 * 1024

/** The first session id in a file; null where its first rows name none. Throws what the file system throws. */
export function namedSession(path: string): string | null {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(START)
    const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, START, 0))
    return /"sessionId": ?"([^"]+)"/.exec(text)?.[1] ?? null
  } finally {
    closeSync(file)
  }
}
