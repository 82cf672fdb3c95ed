/** `dagline ls`: projects and sessions. */
import { plainTag, projectPaths, type SessionFigures, UserError } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { bytes, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import { isBareCopy } from '@dagline/core/protocol'
import { type AddCommand, ALL_SESSIONS, defineCommand, text } from '../command.js'
import type { Console } from '../console.js'
import type { SessionJson } from '../json/history.js'
import {
  isData,
  LIST_OPTIONS,
  type ListValues,
  printList,
  projectColumn,
  type SortKeys,
  sortOption,
  sortRows,
} from '../list.js'
import { shared } from '../options.js'
import { labelFacts, labelledTitle } from '../print/names.js'
import { type Column, figureColumn, tableLines } from '../print/table.js'
import { fit } from '../print/width.js'

const SORT_KEYS: SortKeys<SessionFigures> = {
  last: ({ last }) => last,
  first: ({ first }) => first,
  title: ({ title, prompt }) => title ?? prompt,
  size: ({ bytes: size }) => size,
  turns: ({ turns }) => turns,
  branches: ({ branches }) => branches,
  subagents: ({ agents, called }) => agents + called,
  compactions: ({ compactions }) => compactions,
  diagnostics: ({ problems }) => problems,
}

const OPTIONS = {
  ...LIST_OPTIONS,
  file: text(...shared('file')),
  tag: text('--tag <tag>', 'only sessions that have this tag, themselves or on a branch or entry'),
  all: ALL_SESSIONS,
  sort: sortOption(SORT_KEYS),
}

export const lsCommand: AddCommand = defineCommand({
  usage: 'ls [session|path...]',
  description: 'List projects and sessions, the latest first; with --sort as one list.',
  options: OPTIONS,
  examples: [
    'dagline ls',
    'dagline ls -n 10',
    'dagline ls --project shop --since "last month"',
    'dagline ls --file src/total.ts',
    'dagline ls --sort size -n 5',
    'dagline ls ~/.claude/projects/-home-dev-shop',
    "dagline ls --json | jq -r '.sessions[] | select(.branches > 0).session'",
  ],
  run: ls,
})

interface LsOptions extends ListValues {
  readonly file: string | null
  readonly tag: string | null
  readonly all: boolean
  readonly sort: string | null
}

/** Prints the sessions that the words name or that are below them; all without words; the latest first. */
export async function ls(console: Console, words: readonly string[], options: LsOptions): Promise<void> {
  const { all: isAll, tag, limit, sort, jsonl, ...filter } = options
  const choose = (sessions: readonly SessionFigures[]): Chosen => {
    const all = tag === null ? sessions : withTag(console, sessions, plainTag(tag))
    return { all, shown: isAll ? all : all.filter(session => !session.isIdle) }
  }
  const isPlain = limit === null && sort === null && filter.file === null && filter.project === null
  const newest = newestFirst(console, choose, isPlain && !isData(console, options))
  const found = choose(await console.history.sessions(words, { ...filter, onNewest: newest.print }))
  const { all } = found
  const others = await newest.others(found.shown)
  const rows = sort === null ? latestOf(others, limit) : sortRows(others, SORT_KEYS, sort)
  const labels = console.history.labels()
  await printList(console, options, {
    command: 'ls',
    rows: rows.slice(0, limit ?? rows.length),
    facts: (figures): SessionJson => ({ ...factsOf(figures), ...labelFacts(labels.get(figures.session)) }),
    json: sessions => ({ sessions }),
    lines: shown => (sort === null ? sessionLines(console, shown) : flatLines(console, shown, sort)),
  })
  if (tag !== null && all.length === 0)
    throw new UserError(`No session has the tag ${plainTag(tag)}. Run \`dagline tag\` to list the tags.`)
  const hidden = all.length - found.shown.length
  if (hidden > 0) console.note(`${plural(hidden, 'session')} not shown (warm-up or empty); --all lists them.`)
}

/** The sessions that were written to last, in the order that they have. */
function latestOf(sessions: readonly SessionFigures[], limit: number | null): readonly SessionFigures[] {
  if (limit === null) return sessions
  const latest = new Set(sortRows(sessions, SORT_KEYS, 'last').slice(0, limit))
  return sessions.filter(session => latest.has(session))
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
  isWanted: boolean,
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
    print: console.isTerminal && isWanted ? print : () => {},
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

function factsOf(figures: SessionFigures): SessionJson {
  const { session, project, cwd, title, file, first, last, turns, branches, agents, called } = figures
  const { compactions, bytes: size, archivedOnly, problems } = figures
  return {
    session,
    project,
    cwd,
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
    ...(figures.person === undefined ? {} : { person: figures.person }),
  }
}

/** A table with a heading for each project. */
export function* sessionLines(console: Console, sessions: readonly SessionFigures[]): Generator<string> {
  if (sessions.length === 0) return
  const { style, width } = console
  const lines = tableLines(sessions, columns(console), console)
  yield lines.next().value ?? ''
  const paths = projectPaths(sessions)
  let before: string | null = null
  for (const { project } of sessions) {
    if (project !== before) {
      if (before !== null) yield ''
      yield style.strong(fit(cleanLine(paths.get(project) ?? project), width))
    }
    before = project
    yield lines.next().value ?? ''
  }
}

/** One table, with the project in each row, and what it is sorted by in a column. */
function flatLines(console: Console, sessions: readonly SessionFigures[], sort: string): Iterable<string> {
  const [id, ...others] = columns(console, sort)
  const first = id === undefined ? [] : [{ ...id, text: (row: SessionFigures) => shortId(row.session) }]
  return tableLines(sessions, [...first, projectColumn(3), ...others], console)
}

function columns(console: Console, sort: string | null = null): readonly Column<SessionFigures>[] {
  const { style } = console
  const labels = console.history.labels()
  const turns = (row: SessionFigures): string => (isBareCopy(row) ? 'copy' : String(row.turns))
  const title = (row: SessionFigures): string => {
    const labelled = labelledTitle(labels.get(row.session), row.title ?? '(no title)')
    return `${row.archivedOnly ? '(archived) ' : ''}${cleanLine(labelled)}`
  }
  return [
    { title: 'session', text: row => `  ${shortId(row.session)}`, paint: style.id },
    sort === 'first'
      ? { title: 'first', text: row => dayAndTime(row.first), paint: style.faint }
      : { title: 'last', text: row => dayAndTime(row.last), paint: style.faint },
    { title: 'person', text: row => cleanLine(row.person ?? ''), hiddenIf: '', dropRank: 3 },
    { title: 'size', text: row => bytes(row.bytes), align: 'right', dropRank: 2 },
    { title: 'turns', text: turns, align: 'right', dropRank: 1 },
    ...MARKS.filter(({ key }) => key === sort).map(({ key, number }) => figureColumn(key, number)),
    { title: 'title', text: title, tail: row => marksOf(row, sort), flexible: true },
  ]
}

/** A figure that few sessions have. */
interface Mark {
  /** The key of `--sort` that goes by it. */
  readonly key: string
  readonly number: (row: SessionFigures) => number
  readonly words: (row: SessionFigures) => readonly string[]
}

const MARKS: readonly Mark[] = [
  {
    key: 'branches',
    number: ({ branches }) => branches,
    words: ({ branches }) => (branches === 0 ? [] : [plural(branches, 'branch', 'branches')]),
  },
  {
    key: 'compactions',
    number: ({ compactions }) => compactions,
    words: ({ compactions }) =>
      compactions === 0 ? [] : [compactions === 1 ? 'compacted' : `compacted ${compactions} times`],
  },
  {
    key: 'diagnostics',
    number: ({ problems }) => problems,
    words: ({ problems }) => (problems === 0 ? [] : [plural(problems, 'diagnostic')]),
  },
  {
    key: 'subagents',
    number: ({ agents, called }) => agents + called,
    words: ({ agents, called }) => [
      ...(agents === 0 ? [] : [plural(agents, 'subagent')]),
      ...(called === 0 ? [] : [`${plural(called, 'subagent')} without a file`]),
    ],
  },
]

/**
 * What few sessions have; as columns of their own these would take the room of the titles. All of it, and then less and
 * less for narrow terminals: what says most of a conversation stays longest. What is a column is not said twice.
 */
function marksOf(session: SessionFigures, sort: string | null): readonly string[] {
  const marks = MARKS.flatMap(({ key, words }) => (key === sort ? [] : words(session)))
  return marks.map((_, less) => `(${marks.slice(0, marks.length - less).join(', ')})`)
}
