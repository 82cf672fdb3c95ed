/** Moving what Claude Code keeps of a project that was moved or renamed: the plan, and making it. */
import { existsSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { plural } from '@dagline/core/format'
import {
  type ClaudeProcess,
  isBelow,
  listProcesses,
  type MovedFile,
  type MovePlan,
  makeMove,
  planMove,
  undoEdit,
} from '@dagline/store'
import { nothingFound, rootsOf } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { inStore, UserError } from '../host/user-error.js'

/** How a project is moved. */
export interface MoveOptions {
  /** Also changes paths in tool calls, tool results and summaries. */
  readonly deep: boolean
  /** Also changes the project in `.claude.json`. */
  readonly config: boolean
  /** The plan is only to be shown: what prevents the move is noted instead of thrown. */
  readonly dryRun: boolean
}

/** A move before it is made. */
export interface PlannedMove {
  readonly from: string
  readonly to: string
  /** One plan for each root in which something changes. */
  readonly roots: readonly RootMove[]
}

/** The plan for one root, and what it comes to. */
export interface RootMove extends MovePlan {
  readonly sums: MoveSums
}

/** Plans a move in all roots. Throws `UserError` where there is nothing to move, or something prevents it. */
export async function planMoves(
  host: Host,
  words: { readonly from: string; readonly to: string },
  { deep, config, dryRun }: MoveOptions,
): Promise<PlannedMove> {
  const [from, to] = [plainPath(words.from), plainPath(words.to)]
  refuseUnclear(from, to)
  const roots = await inStore(() => plansFor(host, { from, to, deep, config }))
  if (roots.every(({ files, clashes }) => files.length + clashes.length === 0)) refuseEmpty(roots, from)
  for (const plan of roots) {
    const obstacle = obstacleTo(plan, Date.now())
    if (obstacle !== null && !dryRun) throw new UserError(obstacle)
    if (obstacle !== null) host.note(obstacle)
  }
  if (existsSync(from) && !existsSync(to))
    host.note(`${from} itself is still there: this moves what Claude Code keeps of it, not the project.`)
  return { from, to, roots: roots.map(plan => ({ ...plan, sums: sumsOf(plan.files) })) }
}

/** Makes a move in all roots, and returns what it came to; one `undo` takes it back in all of them. */
export async function makeMoves(host: Host, { roots }: PlannedMove): Promise<MoveSums> {
  return await inStore(() => {
    let first: number | null = null
    for (const plan of roots) {
      const number = makeOrUndo(host, plan, first)
      first ??= number
    }
    return sumsOf(roots.flatMap(({ files }) => files))
  })
}

/** Where the move cannot be made in one root, it is taken back in those before. */
function makeOrUndo(host: Host, plan: MovePlan, first: number | null): number {
  let done = 0
  const tell = (): void => {
    done++
    host.progress(`moving: ${done} of ${plural(plan.files.length, 'file')}`)
  }
  try {
    return makeMove(plan, Date.now(), first === null ? { tell } : { tell, with: first })
  } catch (error) {
    if (first !== null) undoEdit(first, Date.now())
    throw error
  } finally {
    host.progress(null)
  }
}

/** The path that a word means: absolute, without a separator at the end. Paths of Windows are taken as they are. */
function plainPath(word: string): string {
  const path = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(word) || isAbsolute(word) ? word : resolve(word)
  const plain = isAbsolute(path) && path.includes('/') ? resolve(path) : path.replace(/[\\/]+$/, '')
  if (plain === '' || plain === '/' || /^[A-Za-z]:$/.test(plain))
    throw new UserError(`${word} is not a project folder. Give its absolute path.`)
  return plain
}

/** Throws where the move could not be made a second time, or changes nothing. */
function refuseUnclear(from: string, to: string): void {
  if (from === to)
    throw new UserError(
      `The old path and the new one are the same: ${from}. Give the path that the project has now.`,
    )
  if (isBelow(to, from))
    throw new UserError(
      `${to} lies below ${from}, so what is moved already could not be told from what is not: move it to a third path first, then from there.`,
    )
}

/** The plans for all roots in which something is to be done. */
function plansFor(host: Host, options: Parameters<typeof planMove>[1]): readonly MovePlan[] {
  const roots = rootsOf(host.roots)
  if (roots.length === 0) throw new UserError(nothingFound([], host))
  const plans = roots.map(root => {
    host.progress(`looking for ${options.from} in ${root}`)
    return planMove(resolve(root), options)
  })
  host.progress(null)
  return plans.filter(({ files, left, clashes }) => files.length + left.length + clashes.length > 0)
}

function refuseEmpty(plans: readonly MovePlan[], from: string): never {
  const isInConfig = plans.some(({ left }) => left.some(({ why }) => why === 'config'))
  throw new UserError(
    isInConfig
      ? `Only .claude.json has an entry for ${from}. Use --config to move it.`
      : `No session or project uses the path ${from}. Run \`dagline ls\` to list the projects with their paths.`,
  )
}

/** A file that was written to less than this many milliseconds ago may be in use. */
const FRESH = 3000

/** Why the move cannot be made now: a session is at work there, or two files would have one name. Null where it can. */
function obstacleTo(plan: MovePlan, now: number): string | null {
  const [clash] = plan.clashes
  if (clash !== undefined)
    return `${clash} exists already, with other content: compare the two, and remove one.`
  const running = runningIn(plan)
  if (running !== undefined)
    return `A session is running there (process ${running.pid}, in ${running.cwd}): end it, then try again.`
  const fresh = plan.files.find(
    ({ kind, mtime }) => kind === 'transcript' && now - mtime < FRESH && mtime <= now,
  )
  if (fresh === undefined) return null
  return `${fresh.path} was written to just now: end its session, then try again in some seconds.`
}

function runningIn({ root, from, to, files }: MovePlan): ClaudeProcess | undefined {
  const sessions = new Set(files.map(({ path }) => basename(path, '.jsonl')))
  return listProcesses(root)?.find(({ session, cwd }) => {
    const isThere = cwd !== null && (isBelow(cwd, from) || isBelow(cwd, to))
    return isThere || sessions.has(session)
  })
}

/** Sums over the files of plans. */
export interface MoveSums {
  readonly files: number
  readonly moved: number
  readonly changed: number
  readonly rows: number
  readonly values: number
  readonly bytes: number
}

function sumsOf(files: readonly MovedFile[]): MoveSums {
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
