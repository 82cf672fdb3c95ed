/** How Claude Code names the folder below `projects/` that it keeps the sessions of a working directory in. */

/** Longer names are cut here, and end in a hash of the whole path. */
const LONGEST = 200

/**
 * The folder of a path: every character but ASCII letters and digits becomes `-`. Recorded from 2.1.197 and 2.1.325;
 * characters are UTF-16 code units.
 */
export function projectFolder(path: string): string {
  const name = plainName(path)
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST)}-${hashOf(path)}`
}

/** Whether some release gives a path's sessions this folder: early ones do not cut, and not all have the same hash. */
export function isProjectFolder(name: string, path: string): boolean {
  const own = plainName(path)
  return name === own || (own.length > LONGEST && name.startsWith(`${own.slice(0, LONGEST)}-`))
}

function plainName(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-')
}

/** The sum that long names end in: 31 to the power of the place, in 32 bits, as letters and digits. */
function hashOf(path: string): string {
  let hash = 0
  for (let at = 0; at < path.length; at++) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0
  return Math.abs(hash).toString(36)
}
