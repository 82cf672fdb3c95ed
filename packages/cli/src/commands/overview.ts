/** `dagline` alone: where the sessions are, how many, the latest ones, and what to do next. */
import type { SessionFigures, ShownRoots } from '@dagline/app'
import { plural } from '@dagline/core/format'
import type { Console } from '../console.js'
import { NO_OPTIONS } from '../list.js'
import { ls, sessionLines } from './ls.js'

const MOST = 20

/** Prints the overview of the user's sessions, or of the samples where there are none. */
export async function overview(console: Console): Promise<void> {
  const shown = await console.history.shownRoots()
  const paths = shown.isSample ? shown.roots : []
  if (console.options.json)
    return await ls(console, paths, { ...NO_OPTIONS, all: false, tag: null, file: null, sort: null })
  await printOverview(console, shown, await console.history.sessions(paths))
}

/** Prints the overview of sessions that are known already; nothing where there are none. */
export async function printOverview(
  console: Console,
  shown: ShownRoots,
  all: readonly SessionFigures[],
): Promise<void> {
  const sessions = all.filter(({ isIdle }) => !isIdle)
  if (sessions.length > 0) await console.print(overviewLines(console, shown, sessions))
}

function* overviewLines(
  console: Console,
  { roots, isSample }: ShownRoots,
  sessions: readonly SessionFigures[],
): Generator<string> {
  const { style, options } = console
  const projects = new Set(sessions.map(session => session.project)).size
  if (isSample) yield 'You have no sessions yet; these are the samples that come with dagline.'
  yield `${style.strong(plural(sessions.length, 'session'))} in ${plural(projects, 'project')}, ${roots.join(', ')}`
  yield ''
  yield* sessionLines(console, sessions.slice(0, MOST))
  // Inside of a project `ls` alone lists the sessions of that project.
  if (sessions.length > MOST)
    yield style.faint(`  and ${sessions.length - MOST} more: dagline ls --everywhere`)
  yield ''
  const root = (isSample ? roots : options.root).map(folder => ` --root ${folder}`).join('')
  const branched = sessions.find(session => session.branches > 0) ?? sessions[0]
  const name = branched?.session.slice(0, 8) ?? 'SESSION'
  const next = [
    [`dagline log latest --graph${root}`, 'draw the latest conversation'],
    [`dagline branches ${name}${root}`, 'list abandoned branches'],
    [`dagline search WORDS${root}`, 'search conversations'],
    [`dagline usage${root}`, 'show tokens and cost by day'],
    ['dagline --help', 'list all commands'],
  ] as const
  const wide = Math.max(...next.map(([command]) => command.length))
  for (const [command, what] of next) yield `${command.padEnd(wide)}  ${style.faint(what)}`
}
