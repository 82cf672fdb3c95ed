/** `dagline ls`: projects and sessions. */

import type { IndexOptions } from '@dagline/app'
import { jsonLines, type Labels, plainTag, type SessionFigures } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { bytes, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import { isBareCopy } from '@dagline/core/protocol'
import type { Command } from 'commander'
import { type Action, command, finish, textIn, withIndexOption } from '../command.js'
import { type Console, unreadField } from '../console.js'
import { labelFacts, labelledTitle } from '../print/names.js'
import { type Column, tableLines } from '../print/table.js'
import { fit } from '../print/width.js'

/** Adds `dagline ls`. */
export function addLs(program: Command): void {
  const made = withIndexOption(command(program, 'ls [session|path...]', 'List projects and sessions.'))
    .option('-a, --all', 'include empty sessions and those that only warm the cache')
    .option('--tag <tag>', 'only sessions that have this tag, themselves or on a branch or entry')
  const act: Action = async (console, words, options) => {
    await ls(console, words, {
      all: options['all'] === true,
      index: textIn(options, 'index'),
      tag: textIn(options, 'tag'),
    })
  }
  finish(made, act, [
    'dagline ls',
    'dagline ls ~/.claude/projects/-home-dev-proj',
    "dagline ls --json | jq -r '.sessions[] | select(.branches > 0).session'",
  ])
}

export interface LsOptions extends IndexOptions {
  /** Idle sessions, too. */
  readonly all: boolean
  /** Only sessions with this tag, on themselves or on anything in them. */
  readonly tag: string | null
}

/** Prints the sessions that the words name or that are below them, of all without any; the latest first. */
export async function ls(console: Console, words: readonly string[], options: LsOptions): Promise<void> {
  const found = await console.history.sessions(words, options)
  const labels = console.history.labels()
  const all = options.tag === null ? found : tagged(found, labels, plainTag(options.tag))
  const shown = options.all ? all : all.filter(session => !session.isIdle)
  if (console.options.json)
    await console.print(
      jsonLines([
        ['dagline', 1],
        [
          'sessions',
          { list: shown.map(figures => ({ ...facts(figures), ...labelFacts(labels.get(figures.session)) })) },
        ],
        ...unreadField(console),
      ]),
    )
  else if (shown.length > 0) await console.print(sessionLines(console, shown))
  const hidden = all.length - shown.length
  if (hidden > 0) console.note(`${plural(hidden, 'session')} left out (warm-up or empty); --all shows them.`)
}

function tagged(sessions: readonly SessionFigures[], labels: Labels, tag: string): readonly SessionFigures[] {
  const having = [...labels.values()].filter(({ tags }) => tags.includes(tag))
  const ids = new Set(having.map(({ session }) => session))
  return sessions.filter(({ session }) => ids.has(session))
}

function facts(figures: SessionFigures): Readonly<Record<string, unknown>> {
  const {
    session,
    project,
    title,
    file,
    turns,
    branches,
    agents,
    called,
    compactions,
    bytes: size,
    problems,
  } = figures
  return {
    session,
    project,
    title,
    file,
    first: isoTime(figures.first),
    last: isoTime(figures.last),
    turns,
    branches,
    agents,
    compactions,
    bytes: size,
    archivedOnly: figures.archivedOnly,
    problems,
    ...(called > 0 ? { called } : {}),
  }
}

/** A table with a heading for each project. */
export function* sessionLines(console: Console, sessions: readonly SessionFigures[]): Generator<string> {
  const { style, width } = console
  const lines = tableLines(sessions, columns(console), { width, title: style.faint })
  yield lines.next().value ?? ''
  let project: string | null = null
  for (const session of sessions) {
    if (session.project !== project) {
      if (project !== null) yield ''
      yield style.strong(fit(cleanLine(session.cwd ?? session.project), width))
    }
    project = session.project
    yield lines.next().value ?? ''
  }
}

function turnsText(figures: SessionFigures): string {
  return isBareCopy(figures) ? 'copy' : String(figures.turns)
}

function columns(console: Console): readonly Column<SessionFigures>[] {
  const { style } = console
  const labels = console.history.labels()
  const figure = (
    title: string,
    number: (row: SessionFigures) => number,
    spare: number,
  ): Column<SessionFigures> => ({
    spare,
    title,
    text: row => (number(row) === 0 ? '' : String(number(row))),
    side: 'left',
    unless: '',
  })
  return [
    { title: 'session', text: row => `  ${shortId(row.session)}`, paint: style.id },
    { title: 'last', text: row => dayAndTime(row.last), paint: style.faint },
    { title: 'size', text: row => bytes(row.bytes), side: 'left', spare: 4 },
    { title: 'turns', text: turnsText, side: 'left', spare: 1 },
    figure('branches', row => row.branches, 2),
    { title: 'agents', text: agentsText, side: 'left', unless: '', spare: 3 },
    figure('compacted', row => row.compactions, 6),
    {
      ...figure('problems', row => row.problems, 5),
      paint: (text, row) => (row.problems > 0 ? style.bad(text) : text),
    },
    {
      title: 'title',
      text: row => {
        const title = labelledTitle(labels.get(row.session), row.title ?? '(no title)')
        return `${row.archivedOnly ? '(archived) ' : ''}${cleanLine(title)}`
      },
      flexible: true,
    },
  ]
}

/** Agents with a transcript, and those that were called and left none. */
function agentsText({ agents, called }: SessionFigures): string {
  const known = agents === 0 ? '' : String(agents)
  return called === 0 ? known : `${known === '' ? '' : `${known} + `}${called} called`
}
