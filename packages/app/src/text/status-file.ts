/**
 * J4: the figures of a status line, kept in the cache folder. Claude Code asks for its status line several times a second, so
 * that nothing is measured for it then: what is printed was measured before, in another process.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asNumber, asObject } from '@dagline/core/parse'
import { cacheFolder } from '@dagline/store'

/** What was measured for a session. Costs are in USD; null where no price is known. */
export interface StatusFigures {
  /** When it was measured, in milliseconds since 1970. */
  readonly at: number
  /** What the session cost, its subagents and branches included. */
  readonly session: number | null
  readonly today: number | null
  /** The current window of five hours. */
  readonly block: number | null
  /** When that window ends; null without one. */
  readonly blockEnd: number | null
  /** Branches of the session that were abandoned. */
  readonly branches: number
}

/** Milliseconds after which figures are measured again, also where the transcript of the session has not changed. */
export const STATUS_AGE = 30_000

/** Milliseconds after which the figures of a session are deleted. */
const KEPT = 7 * 24 * 60 * 60 * 1000

function statusFolder(): string {
  return join(cacheFolder(), 'status')
}

/** Ids come from outside and are not safe as names of files. */
function fileOf(session: string): string {
  return join(statusFolder(), `${createHash('sha256').update(session).digest('hex').slice(0, 24)}.json`)
}

/** The figures of a session that were measured last; null where there are none. */
export function readStatus(session: string): StatusFigures | null {
  try {
    const fields = asObject(JSON.parse(readFileSync(fileOf(session), 'utf8')))
    const number = (name: keyof StatusFigures): number | null => asNumber(fields?.[name])
    const at = number('at')
    if (at === null) return null
    return {
      at,
      session: number('session'),
      today: number('today'),
      block: number('block'),
      blockEnd: number('blockEnd'),
      branches: number('branches') ?? 0,
    }
  } catch {
    return null
  }
}

/** Keeps the figures of a session, and removes those of sessions that nobody asked for lately. */
export function writeStatus(session: string, figures: StatusFigures): void {
  mkdirSync(statusFolder(), { recursive: true, mode: 0o700 })
  const path = fileOf(session)
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(figures), { mode: 0o600 })
  renameSync(temporary, path)
  for (const name of readdirSync(statusFolder())) removeOld(join(statusFolder(), name), figures.at)
}

function removeOld(path: string, now: number): void {
  try {
    if (now - statSync(path).mtimeMs > KEPT) rmSync(path)
  } catch {
    // Another process was quicker.
  }
}

/**
 * Claims the next measurement of a session, so that one process at a time measures. False where another one has claimed it
 * within the last minute; a process that was killed keeps its claim no longer.
 */
export function claimStatus(session: string, now: number): boolean {
  const claim = `${fileOf(session)}.claim`
  try {
    mkdirSync(statusFolder(), { recursive: true, mode: 0o700 })
    removeClaim(claim, now)
    writeFileSync(claim, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch {
    return false
  }
}

const CLAIMED = 60_000

function removeClaim(claim: string, now: number): void {
  const made = statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? now
  if (now - made > CLAIMED) rmSync(claim, { force: true })
}

/** Gives a claim back. */
export function releaseStatus(session: string): void {
  rmSync(`${fileOf(session)}.claim`, { force: true })
}
