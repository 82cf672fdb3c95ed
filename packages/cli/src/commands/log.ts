/** `dagline log`: a conversation as a reader wants it. */

import {
  allDiagnostics,
  type Contents,
  type FoundSession,
  findLine,
  jsonLines,
  type Labels,
  namedBy,
  titleOf,
  UserError,
} from '@dagline/app'
import {
  actorName,
  type Graph,
  isSpoken,
  type LaneRow,
  type Line,
  layOutLanes,
  type View,
  type ViewRow,
  walkSession,
  walkTree,
} from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { isoTime, plural, shortId } from '@dagline/core/format'
import { queueEvents, type TimelineEvent, walkNodes } from '@dagline/core/view'
import { type Command, Option } from 'commander'
import { type Action, command, finish } from '../command.js'
import { type Console, unreadField } from '../console.js'
import { logLines } from '../print/log.js'
import { labelAt, labelFacts } from '../print/names.js'

/** Adds `dagline log`. */
export function addLog(program: Command): void {
  const live = new Option('--live', 'print only what the next request would carry')
  const tree = new Option(
    '--tree',
    'print all sessions of its tree: those it continues, and those that continue it',
  )
  const made = command(
    program,
    'log <session>',
    'Print a conversation; branches and subagents are folded to one line each.',
  )
    .option('-g, --graph', 'draw lanes with branches and subagents in full')
    .option('-a, --all', 'print everything: branches, subagents, hooks, attachments, progress, thinking')
    .addOption(live.conflicts(['branch', 'all']))
    .option('--branch <id>', 'print one branch or subagent, from where it starts')
    .addOption(tree.conflicts(['branch', 'live']))
    .option(
      '--ids',
      'print the id of every row, not only of prompts; an id is a REF for show, checkout and others',
    )
  const act: Action = async (console, [session = ''], options) => {
    const print = options['tree'] === true ? logTree : log
    await print(console, session, {
      graph: options['graph'] === true,
      all: options['all'] === true,
      live: options['live'] === true,
      branch: typeof options['branch'] === 'string' ? options['branch'] : null,
      ids: options['ids'] === true,
    })
  }
  finish(made, act, [
    'dagline log latest',
    'dagline log latest --graph',
    'dagline log --tree 4539d2d0',
    'dagline log 4539d2d0 --live',
    'dagline log a2a9607f --branch @7e083490',
    "dagline log '4539d2d0#agent-a03cfe19'",
    'dagline log session.jsonl --json | jq .rows',
  ])
}

interface LogOptions {
  readonly graph: boolean
  readonly all: boolean
  readonly live: boolean
  readonly branch: string | null
  /** The uuid of every row, not of prompts alone. */
  readonly ids: boolean
}

/** Prints the rows of a session. */
async function log(console: Console, word: string, options: LogOptions): Promise<void> {
  // The next request may carry entries of the sessions that this one continues.
  const summaries = options.live ? 'project' : 'session'
  const found = await console.history.graphOf(word, { summaries })
  const { graph } = found.loaded
  const named = options.branch === null ? null : namedBy(options.branch, console)
  const own = viewOf(found, named === null ? options : { ...options, branch: named.id })
  // G6: a fork or checkout that nobody continued has rows of others alone.
  const isShared = own.rows.length === 0 && options.branch === null && found.line === null && !options.live
  const view = isShared ? viewOf(found, { ...options, live: true }) : own
  const lanes = layOutLanes(view.rows)
  const contents = await console.history.contentsOf(found)
  const isSide = options.branch !== null || found.line !== null
  const labels = console.history.labels()
  const queue = options.all && !isSide ? queueEvents(graph, found.session.id) : []
  if (console.options.json)
    await console.print(factLines(console, found, view, { lanes, contents, labels, queue }))
  else {
    const drawn = options.graph ? 'lanes' : 'list'
    const ids = options.ids ? 'all' : 'prompts'
    const which = { isSide, isLive: options.live, isShared, ids } as const
    const page = { found, view, lanes, contents, labels, drawn, queue, ...which } as const
    await console.page(() => logLines(console, page))
    if (!isShared) leftOut(console, view, options)
    tellDiagnostics(console, found, options.all)
  }
  contents.close()
}

/** What is shown of a session, or of one line of it. */
function viewOf(found: FoundSession, { graph: isDrawn, all, live, branch }: LogOptions): View {
  const { graph } = found.loaded
  if (live) return walkNodes(graph, liveNodes(found))
  const line = branch === null ? found.line : findLine(graph, branch)
  const unfolded = isDrawn || all ? 'show' : 'fold'
  const shows = all ? () => true : isSpoken
  const options = { branches: unfolded, agents: unfolded, shows, warmups: all } as const
  return walkSession(graph, found.session.id, line === null ? options : { ...options, line })
}

/** What the next request of the session's current file would carry. */
function liveNodes({ loaded: { graph }, session, line }: FoundSession): readonly number[] {
  const file = line === null ? graph.currentFile(session.id) : agentFile(graph, line)
  const path = file?.facts.path
  if (path === undefined) throw new UserError('The session has no file: give the path of its transcript.')
  // A sighting in a copy has no place: the node that owns the uuid has.
  return graph.live(path).map(node => graph.index(graph.id(node)) ?? node)
}

function agentFile(graph: Graph, { domain }: Line): ReturnType<Graph['files']>[number] | undefined {
  const files = graph.files().filter(file => domain.files.has(file.index))
  return files.find(({ stamped }) => !stamped) ?? files[0]
}

/** The uuids that are live in the files of the shown lines. */
function liveIds(graph: Graph, rows: readonly ViewRow[]): ReadonlySet<string> {
  const indexes = new Set<number>()
  for (const domain of new Set(rows.map(row => row.line.domain)))
    for (const index of domain.files) indexes.add(index)
  const files = graph.files().filter(file => indexes.has(file.index))
  return new Set(files.flatMap(({ facts }) => graph.live(facts.path).map(node => graph.id(node))))
}

function* factLines(
  console: Console,
  { loaded: { graph }, session }: FoundSession,
  view: View,
  beside: BesideRows & { readonly queue: readonly TimelineEvent[] },
): Generator<string> {
  const list = rowFacts(graph, view, beside)
  yield* jsonLines([
    ['dagline', 1],
    ['session', session.id],
    ...Object.entries(labelFacts(beside.labels.get(session.id))),
    ['rows', { list }],
    ['left', view.left],
    ...(beside.queue.length > 0 ? [['queue', { list: beside.queue.map(queueFact) }] as const] : []),
    ...unreadField(console),
  ])
}

function queueFact({ kind, time, file, row, text }: TimelineEvent): Readonly<Record<string, unknown>> {
  return { kind, time: isoTime(time), file, row, text }
}

/** What is told of rows beside what they are. */
interface BesideRows {
  readonly lanes: readonly LaneRow[]
  readonly contents: Contents
  readonly labels: Labels
}

/** The rows of a view as the contract has them. */
export function* rowFacts(
  graph: Graph,
  { rows }: View,
  { lanes, contents, labels }: BesideRows,
): Generator<Readonly<Record<string, unknown>>> {
  const live = liveIds(graph, rows)
  for (const [at, row] of rows.entries()) {
    const node = graph.node(row.node)
    const summary = contents.summary(row.node)
    const above = row.parents[0] === undefined ? undefined : rows[row.parents[0].row]
    yield {
      node: node.id,
      parent: above === undefined ? null : graph.id(above.node),
      line: row.line.id,
      lane: lanes[at]?.lane ?? 0,
      depth: row.depth,
      actor: actorName(graph.actor(row.node)),
      kind: row.kind === 'node' ? summary.kind : row.kind,
      time: isoTime(node.time),
      live: live.has(node.id),
      text: summary.text,
      ...(row.kind === 'node' ? {} : { folded: row.folded }),
      ...labelFacts(labelAt(labels, graph, row)),
    }
  }
}

/** What reading the session's files found odd: how much, or with `--all` each in a line. */
function tellDiagnostics(console: Console, { loaded, session }: FoundSession, isAll: boolean): void {
  const files = new Set(session.files.map(({ facts }) => String(facts.path)))
  const odd = allDiagnostics(loaded).filter(({ severity, file }) => severity !== 'info' && files.has(file))
  if (odd.length === 0) return
  console.note(`${plural(odd.length, 'diagnostic')} about this session${isAll ? ':' : '; --all lists them.'}`)
  if (!isAll) return
  for (const { rule, row, message } of odd.slice(0, MOST_DIAGNOSTICS))
    console.note(`  ${cleanLine(`${row === null ? '' : `row ${row}: `}${message} (${rule})`)}`)
  const more = odd.length - MOST_DIAGNOSTICS
  if (more > 0)
    console.note(`  and ${more} more: \`dagline graph ${shortId(session.id)} --json\` has all of them.`)
}

const MOST_DIAGNOSTICS = 50

/** L6: says what the view left out. */
function leftOut(console: Console, { left }: View, { graph, all, live }: LogOptions): void {
  const parts = [
    left.branches > 0 ? `${left.branches} ${left.branches === 1 ? 'branch' : 'branches'} folded` : '',
    left.agents > 0 ? `${left.agents} ${left.agents === 1 ? 'agent' : 'agents'} folded` : '',
    left.structural > 0
      ? `${plural(left.structural, 'hook, attachment or note', 'hooks, attachments and notes')} left out`
      : '',
  ].filter(part => part !== '')
  if (parts.length === 0 || all || live) return
  const advice =
    graph || left.branches + left.agents === 0
      ? '--all shows everything'
      : '--graph draws them, --all shows everything'
  console.note(`${parts.join(', ')}; ${advice}.`)
}

/** S1: a session of a tree, with what is shown of it. */
interface LoggedSession {
  readonly found: FoundSession
  readonly depth: number
  readonly view: View
  readonly lanes: readonly LaneRow[]
}

/** Prints all sessions of a tree, depth first, each below its header. */
async function logTree(console: Console, word: string, options: LogOptions): Promise<void> {
  const found = await console.history.graphOf(word, { summaries: 'project' })
  const { graph } = found.loaded
  const contents = await console.history.contentsOf(found)
  const labels = console.history.labels()
  const logged = treeOf(found, options)
  if (console.options.json) await console.print(treeFacts(found, logged, { contents, labels }))
  else {
    const drawn = options.graph ? 'lanes' : 'list'
    const ids = options.ids ? 'all' : 'prompts'
    const which = { isSide: false, isLive: false, isShared: false, ids, drawn } as const
    await console.page(function* () {
      for (const [at, { found: each, view, lanes }] of logged.entries()) {
        if (at > 0) yield ''
        const queue = options.all ? queueEvents(graph, each.session.id) : []
        yield* logLines(console, { found: each, view, lanes, contents, labels, queue, ...which })
      }
    })
    leftOut(console, { rows: [], left: sumLeft(logged) }, options)
    for (const { found: each } of logged) tellDiagnostics(console, each, options.all)
  }
  contents.close()
}

function treeOf(found: FoundSession, options: LogOptions): readonly LoggedSession[] {
  const steps = [...walkTree(found.loaded.graph, { session: found.session.id })]
  return steps.flatMap((step): LoggedSession[] => {
    if (step.kind !== 'session') return []
    const each = { ...found, session: step.session, line: null, file: null }
    const view = viewOf(each, options)
    return [{ found: each, depth: step.depth, view, lanes: layOutLanes(view.rows) }]
  })
}

function sumLeft(logged: readonly LoggedSession[]): View['left'] {
  const sum = (pick: (left: View['left']) => number): number =>
    logged.reduce((total, { view }) => total + pick(view.left), 0)
  return {
    branches: sum(left => left.branches),
    agents: sum(left => left.agents),
    structural: sum(left => left.structural),
  }
}

function* treeFacts(
  { session, loaded: { graph } }: FoundSession,
  logged: readonly LoggedSession[],
  beside: Omit<BesideRows, 'lanes'>,
): Generator<string> {
  const sessions = logged.map(({ found, depth }) => headerFacts(found, depth, beside.labels))
  yield* jsonLines([
    ['dagline', 1],
    ['session', session.id],
    ['sessions', { list: sessions }],
    ['rows', { list: treeRows(graph, logged, beside) }],
    ['left', sumLeft(logged)],
  ])
}

function headerFacts({ session, loaded }: FoundSession, depth: number, labels: Labels): object {
  const { id, parent, title } = session
  const { graph } = loaded
  return {
    session: id,
    title: titleOf(loaded, id, title),
    depth,
    parent: parent && { session: graph.node(parent.at).session, at: graph.id(parent.at), how: parent.how },
    ...labelFacts(labels.get(id)),
  }
}

function* treeRows(
  graph: Graph,
  logged: readonly LoggedSession[],
  beside: Omit<BesideRows, 'lanes'>,
): Generator<object> {
  for (const { found, view, lanes } of logged)
    for (const row of rowFacts(graph, view, { ...beside, lanes })) yield { session: found.session.id, ...row }
}
