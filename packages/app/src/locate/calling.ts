/** B5: which session a tool call belongs to, while the call runs. */
import { join } from 'node:path'
import { findRoots, projectLocations } from '../files/projects.js'
import { isInTail } from '../files/scan.js'
import type { Host } from '../host/host.js'

/** A call that runs is at the end of a transcript that was just written to: older ones are not looked at. */
const MOST_FILES = 20

/** The session whose transcript, or that of a subagent of it, ends with a call; null where none does. */
export function sessionOfCall(callId: string, host: Host): string | null {
  const files = projectLocations(findRoots([], host)).flatMap(({ root, project }) =>
    project.files.map(file => ({ ...file, at: join(root, file.path) })),
  )
  const newest = files.toSorted((a, b) => b.mtime - a.mtime).slice(0, MOST_FILES)
  return newest.find(({ at }) => isInTail(at, `"id":${JSON.stringify(callId)}`))?.session ?? null
}
