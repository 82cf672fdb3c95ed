/** Paths of projects: how Claude Code names their folders, and what a path is after a move. */

/** From one place to another: all that is there or below it. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Longer names are cut here, and end in a hash of the whole path. */
const LONGEST = 200

/**
 * The folder below `projects/` that Claude Code keeps the sessions of a working directory in: every character but
 * ASCII letters and digits becomes `-`. Recorded from 2.1.197 and 2.1.325; characters are UTF-16 code units.
 */
export function projectFolder(path: string): string {
  const name = path.replace(/[^A-Za-z0-9]/g, '-')
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST)}-${hashOf(path)}`
}

/** The sum that long names end in: 31 to the power of the place, in 32 bits, as letters and digits. */
function hashOf(path: string): string {
  let hash = 0
  for (let at = 0; at < path.length; at++) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0
  return Math.abs(hash).toString(36)
}

/** Where a path is after a move; null where it is not moved. `/a/b` moves `/a/b` and `/a/b/c`, never `/a/bc`. */
export function movedPath(path: string, moves: readonly Move[]): string | null {
  for (const { from, to } of moves) {
    if (!path.startsWith(from)) continue
    const rest = path.slice(from.length)
    if (rest === '' || rest.startsWith('/') || rest.startsWith('\\')) return to + rest
  }
  return null
}

/** Ends the names under which new bytes are written first. */
export const PART_END = '.dagline-mv'

/** Whether a path is that of a folder or lies below it. */
export function isBelow(path: string, folder: string): boolean {
  return movedPath(path, [{ from: folder, to: '' }]) !== null
}
