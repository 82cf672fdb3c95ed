/** E18: temporary files that name their process: those of processes that were killed are removed by the next one. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './failures.js'

/** Removes files and folders whose process has ended. `processOf` reads its number from a name. Throws where the disk fails. */
export function removeAbandoned(folder: string, processOf: (name: string) => string | undefined): void {
  try {
    for (const name of readdirSync(folder)) {
      const id = processOf(name)
      if (id !== undefined && !isRunning(Number(id)))
        rmSync(join(folder, name), { recursive: true, force: true })
    }
  } catch (error) {
    // What cannot be removed does no harm: it is not read. A disk that fails here fails whoever writes here next.
    if (codeOf(error) === 'EIO') throw error
  }
}

/** Whether there is a process with this number. One that belongs to somebody else is running, too. */
export function isRunning(id: number): boolean {
  if (!Number.isSafeInteger(id) || id <= 0) return false
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
