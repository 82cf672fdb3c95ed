/** `dagline` alone: where the sessions are, how many, the latest ones, and what to do next. */

import type { SessionFigures, ShownRoots } from '@dagline/app'
import { plural } from '@dagline/core/format'
import type { Console } from '../console.js'
import { type LsOptions, ls, sessionLines } from './ls.js'

const MOST = 20

/** Prints the overview of the user's sessions, or of the samples where there are none. */
export async function overview(console: Console): Promise<void> {
  const shown = await console.history.shownRoots()
  const paths = shown.isSample ? shown.roots : []
  const options: LsOptions = { all: false, index: null, tag: null }
  if (console.options.json) return await ls(console, paths, options)
  const all = await console.history.sessions(paths)
  const sessions = all.filter(session => !session.isIdle)
  await console.print(overviewLines(console, shown, sessions))
}

/** The overview of sessions that are known already. */
export function* overviewLines(
  console: Console,
  { roots, isSample }: ShownRoots,
  sessions: readonly SessionFigures[],
): Generator<string> {
  const { style, options } = console
  const projects = new Set(sessions.map(session => session.project)).size
  if (isSample) yield 'No sessions of yours were found; these are the samples that come with dagline.'
  const where = roots.join(', ')
  yield `${style.strong(plural(sessions.length, 'session'))} in ${plural(projects, 'project')}, ${where}`
  yield ''
  if (sessions.length > 0) yield* sessionLines(console, sessions.slice(0, MOST))
  if (sessions.length > MOST)
    yield style.faint(`  and ${plural(sessions.length - MOST, 'more', 'more')}: dagline ls`)
  yield ''
  const root = (isSample ? roots : options.root).map(given => ` --root ${given}`).join('')
  const branched = sessions.find(session => session.branches > 0) ?? sessions[0]
  const name = branched?.session.slice(0, 8) ?? 'SESSION'
  const next = [
    [`dagline log latest --graph${root}`, 'the latest conversation, drawn'],
    [`dagline branches ${name}${root}`, 'what was left, and for what'],
    [`dagline search WORDS${root}`, 'where something was said'],
    [`dagline usage${root}`, 'tokens and cost by day'],
    ['dagline --help', 'everything else'],
  ] as const
  const wide = Math.max(...next.map(([command]) => command.length))
  for (const [command, what] of next) yield `${command.padEnd(wide)}  ${style.faint(what)}`
}
