/** `dagline` alone: where the sessions are, how many, the latest ones, and what to do next. */

import type { SessionFigures } from '@dagline/app'
import { findRoots, samplesRoot } from '@dagline/app'
import { plural } from '@dagline/core/format'
import type { Console } from '../console.js'
import { type LsOptions, ls, sessionLines } from './ls.js'

const MOST = 20

/** Prints the overview of the user's sessions, or of the samples where there are none. */
export async function overview(console: Console): Promise<void> {
  const own = findRoots([], console).filter(({ projects }) => projects.length > 0)
  const samples = own.length > 0 ? null : samplesRoot()
  const options: LsOptions = { all: false, index: null, tag: null }
  if (console.options.json) return await ls(console, samples === null ? [] : [samples], options)
  const all = await console.history.sessions(samples === null ? [] : [samples])
  const sessions = all.filter(session => !session.isIdle)
  const roots = samples === null ? own.map(({ root }) => root) : [samples]
  await console.print(overviewLines(console, roots, sessions, samples))
}

/** The overview of sessions that are known already; of the samples where these are given. */
export function* overviewLines(
  console: Console,
  roots: readonly string[],
  sessions: readonly SessionFigures[],
  samples: string | null,
): Generator<string> {
  const { style, options } = console
  const projects = new Set(sessions.map(session => session.project)).size
  if (samples !== null) yield 'No sessions of yours were found; these are the samples that come with dagline.'
  const where = roots.join(', ')
  yield `${style.strong(plural(sessions.length, 'session'))} in ${plural(projects, 'project')}, ${where}`
  yield ''
  if (sessions.length > 0) yield* sessionLines(console, sessions.slice(0, MOST))
  if (sessions.length > MOST)
    yield style.faint(`  and ${plural(sessions.length - MOST, 'more', 'more')}: dagline ls`)
  yield ''
  const root =
    samples === null ? options.root.map(given => ` --root ${given}`).join('') : ` --root ${samples}`
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
