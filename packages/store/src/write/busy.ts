/** E9: whether another process is writing a transcript. */
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { readingSource } from '../files/whole.js'

/** A file that was not written to for this long rests. */
const RESTS = 3000
/** A turn that is open may be silent for this long. */
const OPEN_RESTS = 60_000
const LOOK_AGAIN = 1200

/** How a transcript ends. */
interface Ending {
  /** Nobody has answered the last prompt or call yet. */
  readonly isOpen: boolean
  readonly now: number
}

/** Why a file seems to be written to, in words; null where it rests. Throws `StoreError` where it cannot be asked. */
export async function writerOf(path: string, { isOpen, now }: Ending): Promise<string | null> {
  if (isHeldOpen(path)) return 'another process has it open for writing'
  const before = readingSource(path, () => statSync(path))
  const age = now - before.mtimeMs
  if (age < 0 || age > OPEN_RESTS) return null
  if (isOpen) return `its last turn is open, and it was written to ${Math.round(age / 1000)} s ago`
  if (age > RESTS) return null
  await setTimeout(LOOK_AGAIN)
  const after = readingSource(path, () => statSync(path))
  return after.size === before.size && after.mtimeMs === before.mtimeMs ? null : 'it is growing'
}

/** On Linux: whether another process of this user has the file open for writing. */
function isHeldOpen(path: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    const real = realpathSync(path)
    return readdirSync('/proc').some(
      pid => /^\d+$/.test(pid) && Number(pid) !== process.pid && holds(pid, real),
    )
  } catch {
    return false
  }
}

function holds(pid: string, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(fd => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === path && isWriter(pid, fd)
      } catch {
        return false
      }
    })
  } catch {
    // Processes of others, and those that have just ended.
    return false
  }
}

/** `flags` is octal; the lowest two bits are 1 for writing and 2 for both. */
function isWriter(pid: string, fd: string): boolean {
  const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0'
  return (Number.parseInt(flags, 8) & 3) !== 0
}
