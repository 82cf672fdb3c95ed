/** `dagline ls`: projects and sessions. */
import { plainTag, type SessionFigures } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { bytes, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import { isBareCopy } from '@dagline/core/protocol'
import { type AddCommand, ALL_SESSIONS, defineCommand, INDEX, text } from '../command.js'
import { type Console, type Facts, unreadField } from '../console.js'
import { labelFacts, labelledTitle } from '../print/names.js'
import { type Column, figureColumn, tableLines } from '../print/table.js'
import { fit } from '../print/width.js'

export const lsCommand: AddCommand = defineCommand({
  usage: 'ls [session|path...]',
  description: 'List projects and sessions.',
  options: {
    index: INDEX,
    all: ALL_SESSIONS,
    tag: text('--tag <tag>', 'only sessions that have this tag, themselves or on a branch or entry'),
  },
  examples: [
    'dagline ls',
    'dagline ls ~/.claude/projects/-home-dev-proj',
    "dagline ls --json | jq -r '.sessions[] | select(.branches > 0).session'",
  ],
  run: ls,
})

interface LsOptions {
  readonly index: string | null
  readonly all: boolean
  readonly tag: string | null
}

/** Prints the sessions that the words name or that are below them; all without words; the latest first. */
export async function ls(
  console: Console,
  words: readonly string[],
  { index, all: isAll, tag }: LsOptions,
): Promise<void> {
  const choose = (sessions: readonly SessionFigures[]): Chosen => {
    const all = tag === null ? sessions : withTag(console, sessions, plainTag(tag))
    return { all, shown: isAll ? all : all.filter(session => !session.isIdle) }
  }
  const newest = newestFirst(console, choose)
  const found = choose(await console.history.sessions(words, { index, onNewest: newest.print }))
  const { all } = found
  const shown = await newest.others(found.shown)
  if (console.options.json) {
    const labels = console.history.labels()
    const list = shown.map(figures => ({ ...factsOf(figures), ...labelFacts(labels.get(figures.session)) }))
    await console.printJson({ sessions: { list }, ...unreadField(console) })
  } else await console.print(sessionLines(console, shown))
  if (tag !== null && all.length === 0)
    console.note(`No session has the tag ${plainTag(tag)}. Run \`dagline tag\` to list the tags.`)
  const hidden = all.length - shown.length
  if (hidden > 0) console.note(`${plural(hidden, 'session')} not shown (warm-up or empty); --all lists them.`)
}

/** The sessions that were asked for, and those of them that are listed. */
interface Chosen {
  readonly all: readonly SessionFigures[]
  readonly shown: readonly SessionFigures[]
}

/**
 * I9: on a terminal the newest sessions of a root that is not indexed yet are printed while the others are read. What is
 * known of them by then may change; then they are printed again among the others.
 */
function newestFirst(
  console: Console,
  choose: (sessions: readonly SessionFigures[]) => Chosen,
): {
  readonly print: (sessions: readonly SessionFigures[]) => void
  readonly others: (sessions: readonly SessionFigures[]) => Promise<readonly SessionFigures[]>
} {
  const printed = new Set<string>()
  let printing: Promise<void> | null = null
  const print = (sessions: readonly SessionFigures[]): void => {
    const { shown } = choose(sessions)
    if (printing !== null || shown.length === 0) return
    for (const session of shown) printed.add(JSON.stringify(session))
    printing = console.print([...sessionLines(console, shown), ''])
  }
  return {
    print: console.isTerminal && !console.options.json ? print : () => {},
    others: async sessions => {
      await printing
      return printed.size === 0 ? sessions : sessions.filter(each => !printed.has(JSON.stringify(each)))
    },
  }
}

function withTag(
  console: Console,
  sessions: readonly SessionFigures[],
  tag: string,
): readonly SessionFigures[] {
  const labels = [...console.history.labels().values()].filter(({ tags }) => tags.includes(tag))
  const ids = new Set(labels.map(({ session }) => session))
  return sessions.filter(({ session }) => ids.has(session))
}

function factsOf(figures: SessionFigures): Facts {
  const { session, project, title, file, first, last, turns, branches, agents, called } = figures
  const { compactions, bytes: size, archivedOnly, problems } = figures
  return {
    session,
    project,
    title,
    file,
    first: isoTime(first),
    last: isoTime(last),
    turns,
    branches,
    agents,
    compactions,
    bytes: size,
    archivedOnly,
    problems,
    ...(called > 0 ? { called } : {}),
  }
}

/** A table with a heading for each project. */
export function* sessionLines(console: Console, sessions: readonly SessionFigures[]): Generator<string> {
  if (sessions.length === 0) return
  const { style, width } = console
  const lines = tableLines(sessions, columns(console), console)
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

function columns(console: Console): readonly Column<SessionFigures>[] {
  const { style } = console
  const labels = console.history.labels()
  const turns = (row: SessionFigures): string => (isBareCopy(row) ? 'copy' : String(row.turns))
  const title = (row: SessionFigures): string => {
    const labelled = labelledTitle(labels.get(row.session), row.title ?? '(no title)')
    return `${row.archivedOnly ? '(archived) ' : ''}${cleanLine(labelled)}`
  }
  return [
    { title: 'session', text: row => `  ${shortId(row.session)}`, paint: style.id },
    { title: 'last', text: row => dayAndTime(row.last), paint: style.faint },
    { title: 'size', text: row => bytes(row.bytes), align: 'right', dropRank: 4 },
    { title: 'turns', text: turns, align: 'right', dropRank: 1 },
    figureColumn('branches', row => row.branches, 2),
    { title: 'subagents', text: agentsText, align: 'right', hiddenIf: '', dropRank: 3 },
    figureColumn('compacted', row => row.compactions, 6),
    { ...figureColumn('problems', row => row.problems, 5), paint: style.bad },
    { title: 'title', text: title, flexible: true },
  ]
}

/** Subagents with a transcript, and those that were called and have none. */
function agentsText({ agents, called }: SessionFigures): string {
  const known = agents === 0 ? [] : [String(agents)]
  return [...known, ...(called === 0 ? [] : [`${called} no file`])].join(' + ')
}
