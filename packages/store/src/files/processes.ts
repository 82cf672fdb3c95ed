/**
 * J1: the processes of Claude Code that are running. Each of them keeps `sessions/PID.json` beside the projects root and
 * removes it when it ends; one that was killed leaves it behind. Files with other names hold secrets of the processes, and
 * are never read.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { numberIn, textIn } from '@dagline/core/files'
import { isRunning } from './abandoned.js'
import { readFields } from './sidecars.js'

/** A process of Claude Code, by its own record. */
export interface ClaudeProcess {
  readonly pid: number
  readonly session: string
  /** Its working directory. */
  readonly cwd: string | null
  readonly version: string | null
  /** What it says of itself: `busy`, `idle` or `waiting`; other words of later releases as they are. */
  readonly status: string | null
  /** What it waits for, in its own words. */
  readonly waitingFor: string | null
  /** Since when it has this status, in milliseconds since 1970. */
  readonly since: number | null
}

/** The folder in which the processes of a projects root have their records. */
export function processFolder(root: string): string {
  return join(dirname(root), 'sessions')
}

/**
 * The running processes whose transcripts are below a projects root, by their pids; null where the folder does not exist,
 * as with older releases: then nothing is known.
 */
export function listProcesses(root: string): readonly ClaudeProcess[] | null {
  const folder = processFolder(root)
  const names = namesIn(folder)
  if (names === null) return null
  const found = names.flatMap(name => {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1])
    return Number.isSafeInteger(pid) && pid > 0 ? (readProcess(join(folder, name), pid) ?? []) : []
  })
  return found.toSorted((a, b) => a.pid - b.pid)
}

function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder)
  } catch {
    return null
  }
}

/** Null for a record that is not valid, and for one of a process that has ended. */
function readProcess(path: string, pid: number): ClaudeProcess | null {
  try {
    const fields = readFields(path)
    const session = fields === null ? null : textIn(fields, 'sessionId')
    if (fields === null || session === null) return null
    const started = textIn(fields, 'procStart')
    if (!isAlive(pid, started, textIn(fields, 'pidDomain'))) return null
    return {
      pid,
      session,
      cwd: textIn(fields, 'cwd'),
      version: textIn(fields, 'version'),
      status: textIn(fields, 'status'),
      waitingFor: textIn(fields, 'waitingFor'),
      since: numberIn(fields, 'statusUpdatedAt') ?? numberIn(fields, 'updatedAt'),
    }
  } catch {
    // It ended meanwhile, or is writing its record.
    return null
  }
}

/**
 * Whether a process runs. Its number may have been given to another one since: Linux tells when each began. The numbers of
 * another container mean nothing here, so that its records are believed.
 */
function isAlive(pid: number, started: string | null, domain: string | null): boolean {
  if (process.platform === 'linux' && isElsewhere(domain)) return true
  if (!isRunning(pid)) return false
  return process.platform !== 'linux' || started === null || (startOf(pid) ?? started) === started
}

function isElsewhere(domain: string | null): boolean {
  const theirs = /pid:\[\d+\]$/.exec(domain ?? '')?.[0]
  if (theirs === undefined) return false
  try {
    return readlinkSync('/proc/self/ns/pid') !== theirs
  } catch {
    return false
  }
}

/** When a process began, in ticks since the system was started: the 22nd field of its status. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name of the program, which may hold spaces and brackets.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
