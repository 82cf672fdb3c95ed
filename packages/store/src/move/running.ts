/** Which sessions run at this moment: Claude Code keeps a small file for each process (since 2.1.19x). */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { textIn } from '@dagline/core/files'
import { isRunning } from '../files/abandoned.js'
import { readFields } from '../files/sidecars.js'

/** A process of Claude Code. */
export interface RunningSession {
  readonly pid: number
  readonly session: string | null
  /** The folder it works in. */
  readonly cwd: string | null
}

/** The processes that are alive, by the files in `sessions/` of a configuration folder. Never throws. */
export function runningSessions(config: string): readonly RunningSession[] {
  const folder = join(config, 'sessions')
  return namesIn(folder).flatMap(name => {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1] ?? Number.NaN)
    return isRunning(pid) ? [runningAt(join(folder, name), pid)] : []
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function runningAt(path: string, pid: number): RunningSession {
  try {
    const fields = readFields(path)
    if (fields !== null) return { pid, session: textIn(fields, 'sessionId'), cwd: textIn(fields, 'cwd') }
  } catch {
    // It has ended this moment.
  }
  return { pid, session: null, cwd: null }
}
