/** A move before it is made: what was meant, what it would change, and what stands in the way. */
import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import {
  isBelow,
  type MovedFile,
  type MovePlan,
  type MovePlanOptions,
  planMove,
  type RunningSession,
  runningSessions,
} from '@dagline/store'
import { nothingFound, rootsOf } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'

/** The path that a word means: absolute, without a separator at the end. Paths of Windows are taken as they are. */
export function plainPath(word: string): string {
  const path = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(word) || isAbsolute(word) ? word : resolve(word)
  const plain = isAbsolute(path) && path.includes('/') ? resolve(path) : path.replace(/[\\/]+$/, '')
  if (plain === '' || plain === '/' || /^[A-Za-z]:$/.test(plain))
    throw new UserError(`${word} is not a project folder. Give its absolute path.`)
  return plain
}

/** Refuses moves that could not be made a second time, or say nothing. */
export function refuseOdd({ from, to }: Pick<MovePlanOptions, 'from' | 'to'>): void {
  if (from === to) throw new UserError(`${from} is where it was: give the old path and the new one.`)
  if (isBelow(to, from))
    throw new UserError(
      `${to} lies below ${from}, so what is moved already could not be told from what is not: move it to a third path first, then from there.`,
    )
}

/** The plans for all roots in which something is to be done. */
export function plansFor(wishes: MovePlanOptions, host: Host): readonly MovePlan[] {
  const roots = rootsOf(host.roots)
  if (roots.length === 0) throw new UserError(nothingFound([], host))
  const plans = roots.map(root => {
    host.progress(`looking for ${wishes.from} in ${root}`)
    return planMove(resolve(root), wishes)
  })
  host.progress(null)
  return plans.filter(({ files, left, clashes }) => files.length + left.length + clashes.length > 0)
}

/** Written to less than this many milliseconds ago: somebody may be at it. */
const FRESH = 3000

/** Refuses while a session is at work there, or where two files would have one name. */
export function refuseRunning(plan: MovePlan, now: number): void {
  const [clash] = plan.clashes
  if (clash !== undefined)
    throw new UserError(
      `${clash} is there already, with another content: look at both, and take one of them away.`,
    )
  const running = runningIn(plan)
  if (running !== undefined)
    throw new UserError(
      `A session is running there (process ${running.pid}, in ${running.cwd}): end it, then try again.`,
    )
  const fresh = plan.files.find(
    ({ kind, mtime }) => kind === 'transcript' && now - mtime < FRESH && mtime <= now,
  )
  if (fresh !== undefined)
    throw new UserError(
      `${fresh.path} was written to just now: end its session, then try again in some seconds.`,
    )
}

function runningIn({ root, from, to, files }: MovePlan): RunningSession | undefined {
  const sessions = new Set(files.map(({ path }) => basename(path, '.jsonl')))
  return runningSessions(dirname(root)).find(({ session, cwd }) => {
    const isThere = cwd !== null && (isBelow(cwd, from) || isBelow(cwd, to))
    return isThere || (session !== null && sessions.has(session))
  })
}

/** Sums over the files of plans. */
interface MoveSums {
  readonly files: number
  readonly moved: number
  readonly changed: number
  readonly rows: number
  readonly values: number
  readonly bytes: number
}

/** What plans come to. */
export function sumMoves(files: readonly MovedFile[]): MoveSums {
  const changed = files.filter(({ values }) => values > 0)
  const sum = (list: readonly MovedFile[], figure: (file: MovedFile) => number): number =>
    list.reduce((total, file) => total + figure(file), 0)
  return {
    files: files.length,
    moved: files.filter(({ path, target }) => path !== target).length,
    changed: changed.length,
    rows: sum(changed, ({ changedRows }) => changedRows),
    values: sum(changed, ({ values }) => values),
    bytes: sum(changed, file => file.bytes),
  }
}

/** What the project itself needs, which is not moved by this. */
export function adviceFor({ from, to }: MovePlanOptions): string | null {
  if (existsSync(from) && !existsSync(to))
    return `${from} itself is still there: this moves what Claude Code keeps of it, not the project.`
  return null
}
