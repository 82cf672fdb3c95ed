/** Which session a file belongs to where its path does not say it. */
import { closeSync, openSync, readSync } from 'node:fs'

/** Enough for the first row of an agent, up to its session. */
const HEAD = 64 * 1024

const SESSION = /"sessionId"\s*:\s*"([^"\\]{1,200})"/

/**
 * The session of a file. Older releases put agents beside sessions, under names that do not tell whose they are: there
 * the rows say it. What is known about such an agent stands in a sidecar beside it.
 */
export function sessionOf(file: {
  readonly place: string
  readonly kind: string
  readonly session: string | null
}): string | null {
  if (file.session !== null || (file.kind !== 'agent' && file.kind !== 'meta')) return file.session
  return SESSION.exec(headOf(file.place.replace(/\.meta\.json$/, '.jsonl')))?.[1] ?? null
}

function headOf(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(HEAD)
      return bytes.toString('latin1', 0, readSync(file, bytes, 0, HEAD, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}
