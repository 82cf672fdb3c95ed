/** `dagline log`: a conversation as a reader wants it. */
import { type Contents, findLine, type Labels, labelNamed, type SessionGraph, UserError } from '@dagline/app'
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
import { sumOf } from '@dagline/core/model'
import { queueEvents, walkNodes } from '@dagline/core/view'
import {
  type AddCommand,
  conflicting,
  defineCommand,
  flag,
  optionalText,
  text,
  type Values,
  wholeNumber,
} from '../command.js'
import { type Console, unreadField } from '../console.js'
import type { LoggedSessionJson, LogRowJson, QueueEventJson } from '../json/conversation.js'
import { shared } from '../options.js'
import { type LogPage, type LogPart, logLines } from '../print/log.js'
import { labelAt, labelFacts } from '../print/names.js'

const OPTIONS = {
  graph: flag('-g, --graph', 'draw lanes with branches and subagents in full'),
  all: flag(...shared('all', ': branches, subagents, hooks, attachments, progress, thinking')),
  live: conflicting(flag(...shared('live')), ['branch', 'all']),
  branch: text(...shared('branch', ': the id of a branch or subagent, from where it starts')),
  tree: conflicting(flag(...shared('tree')), ['branch', 'live']),
  limit: conflicting(wholeNumber(...shared('limit', ' rows: the last ones'), { least: 1, default: null }), [
    'around',
    'tree',
  ]),
  around: text('--around <ref>', 'print only what is around an entry'),
  context: optionalText(
    ...shared('context', ' entry, with --around (default: 5); without --around the same as --tokens'),
  ),
  tokens: flag('--tokens', 'print how many tokens the request behind each answer carried'),
  ids: flag(
    '--ids',
    'print the id of every row, not only of prompts; an id is a REF for show, checkout and others',
  ),
}

/** `context`: how many entries are printed around one. */
type LogOptions = Omit<Values<typeof OPTIONS>, 'context'> & { readonly context: number | null }

export const logCommand: AddCommand = defineCommand({
  usage: 'log [session|ref]',
  description: 'Print a conversation; branches and subagents are folded to one line each.',
  options: OPTIONS,
  examples: [
    'dagline log',
    'dagline log latest --graph',
    'dagline log -n 20',
    'dagline log --tree 019c5be1',
    'dagline log 019c5be1 --live',
    'dagline log --around d5b5d498 -C 10',
    'dagline log latest --context',
    'dagline log 019c5be1 --branch @07e8e1e4',
    "dagline log '019c5be1#agent-aecb6038'",
    'dagline log session.jsonl --json | jq .rows',
  ],
  run: async (console, [session], typed) => {
    const { given, ...chosen } = readContext(typed, session)
    const options = { ...typed, ...chosen }
    const word = wordOf(given, options.around)
    // The next request, and a tree, have entries of other sessions.
    const summaries = options.live || options.tree ? 'project' : 'session'
    const found = await console.history.graphOf(word, { summaries, isLinkedOnly: true })
    const contents = await console.history.contentsOf(found)
    if (options.tree) await logTree(console, found, contents, options)
    else await logSession(console, found, contents, options)
    contents.close()
  },
})

/** `--context`: a number belongs to `--around`; alone it is the column of tokens, and a word behind it is the session. */
function readContext(
  { around, context, tokens }: Values<typeof OPTIONS>,
  given: string | undefined,
): Pick<LogOptions, 'context' | 'tokens'> & { readonly given: string | undefined } {
  const isAlone = around === null
  if (context === null || (context === '' && !isAlone)) return { context: null, tokens, given }
  if (isAlone && context === '') return { context: null, tokens: true, given }
  const isCount = /^\d+$/.test(context)
  if (isAlone && !isCount && given === undefined) return { context: null, tokens: true, given: context }
  if (!isCount) throw new UserError(`--context ${context} is not valid. Give a whole number of 0 or more.`)
  if (isAlone)
    throw new UserError(
      '--context with a number is for --around. Give --around REF, too, or no number to print tokens.',
    )
  return { context: Number(context), tokens, given }
}

/** What is printed: an entry is looked for in the session, where one is named. */
function wordOf(given: string | undefined, around: string | null): string {
  if (around === null) return given ?? 'latest'
  const isOfSession = given !== undefined && /^[^/\\]+$/.test(given) && /^[0-9a-f][0-9a-f-]*$/i.test(around)
  return isOfSession ? `${given}:${around}` : around
}

async function logSession(
  console: Console,
  found: SessionGraph,
  contents: Contents,
  options: LogOptions,
): Promise<void> {
  const { branch, live: isLive, all: isAll } = options
  const { graph } = found
  const named = branch === null ? null : labelNamed(console.history.labels(), branch)
  const own = viewOf(found, { ...options, branch: named?.id ?? branch })
  const isSide = branch !== null || found.line !== null
  // G6: a fork or checkout that nobody continued has only entries of other sessions.
  const isShared = own.rows.length === 0 && !isSide && !isLive
  const view = isShared ? viewOf(found, { ...options, live: true }) : own
  const part = partOf(found, view, options)
  const queue = isAll && !isSide && part === null ? queueEvents(graph, found.session.id) : []
  const page = { contents, labels: console.history.labels(), lanes: layOutLanes(view.rows) }
  if (console.options.json)
    return await console.printJson('log', {
      session: found.session.id,
      ...labelFacts(page.labels.get(found.session.id)),
      rows: { list: [...rowFacts(graph, view, page)].slice(part?.from, part?.to) },
      left: view.left,
      ...(queue.length > 0 ? { queue: { list: queue.map(queueFact) } } : {}),
      ...unreadField(console),
    })
  const flags = { isSide, isLive, isShared, ...flagsOf(options) }
  await console.page(() => logLines(console, { found, view, queue, part, ...page, ...flags }))
  if (part !== null) return
  if (!isShared) noteOmitted(console, view.left, options)
  noteDiagnostics(console, found, isAll)
}

/** Rows before and after an entry unless another number is given. */
const CONTEXT = 5

/** H13: the last rows, or those around the entry that was asked for; null for all. One that is not shown counts as the one before it. */
function partOf(
  { graph, entry, line }: SessionGraph,
  { rows }: View,
  { around, context, limit }: LogOptions,
): LogPart | null {
  if (limit !== null) return { from: Math.max(0, rows.length - limit), to: rows.length, marked: null }
  if (around === null) return null
  const node = entry ?? line?.head ?? null
  if (node === null)
    throw new UserError(
      `${around} is not an entry. Give an id that \`dagline search\` or \`log --ids\` prints.`,
    )
  const { row: written, file } = graph.node(node)
  const isBefore = (row: ViewRow): boolean => {
    const each = graph.node(row.node)
    return each.file === file && each.row <= written
  }
  const at = rows.findIndex(row => row.node === node)
  const marked = at >= 0 ? at : Math.max(0, rows.findLastIndex(isBefore))
  const count = context ?? CONTEXT
  return { from: Math.max(0, marked - count), to: marked + count + 1, marked }
}

function flagsOf({
  graph,
  ids,
  tokens,
}: LogOptions): Required<Pick<LogPage, 'isDrawn' | 'ids' | 'hasTokens'>> {
  return { isDrawn: graph, ids: ids ? 'all' : 'prompts', hasTokens: tokens }
}

/** What is shown of a session, or of one line of it. */
function viewOf(found: SessionGraph, { graph: isDrawn, all, live, branch }: LogOptions): View {
  const { graph } = found
  if (live) return walkNodes(graph, liveNodes(found))
  const line = branch === null ? found.line : findLine(graph, branch)
  const unfolded = isDrawn || all ? 'show' : 'fold'
  const shows = all ? () => true : isSpoken
  const options = { branches: unfolded, agents: unfolded, shows, warmups: all } as const
  return walkSession(graph, found.session.id, line === null ? options : { ...options, line })
}

/** What the next request of the session's current file would carry. */
function liveNodes({ graph, session, line }: SessionGraph): readonly number[] {
  const file = line === null ? graph.currentFile(session.id) : agentFile(graph, line)
  const path = file?.facts.path
  if (path === undefined) throw new UserError('The session has no transcript here. Give the path of one.')
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

function queueFact({
  kind,
  time,
  file,
  row,
  text: words,
}: ReturnType<typeof queueEvents>[number]): QueueEventJson {
  return { kind, time: isoTime(time), file, row, text: words }
}

/** What rows are printed with. */
interface RowContext {
  readonly lanes: readonly LaneRow[]
  readonly contents: Contents
  readonly labels: Labels
}

/** The rows of a view as the contract has them. */
export function* rowFacts(
  graph: Graph,
  { rows }: View,
  { lanes, contents, labels }: RowContext,
): Generator<LogRowJson> {
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

/** Counts the warnings about the session's files; with `--all` it lists them. */
function noteDiagnostics(console: Console, { diagnostics, session }: SessionGraph, isAll: boolean): void {
  const files = new Set(session.files.map(({ facts }) => String(facts.path)))
  const odd = diagnostics().filter(({ severity, file }) => severity !== 'info' && files.has(file))
  if (odd.length === 0) return
  console.note(`${plural(odd.length, 'diagnostic')} about this session${isAll ? ':' : '; --all lists them.'}`)
  if (!isAll) return
  for (const { rule, row, message } of odd.slice(0, MOST_DIAGNOSTICS))
    console.note(`  ${cleanLine(`${row === null ? '' : `row ${row}: `}${message} (${rule})`)}`)
  const more = odd.length - MOST_DIAGNOSTICS
  if (more > 0)
    console.note(
      `  and ${more} more. Run \`dagline graph ${shortId(session.id)} --json\` to list all of them.`,
    )
}

const MOST_DIAGNOSTICS = 50

/** L6: notes what the view omits. */
function noteOmitted(console: Console, left: View['left'], { graph, all, live }: LogOptions): void {
  const { branches, agents, structural } = left
  const parts = [
    ...(branches > 0 ? [`${plural(branches, 'branch', 'branches')} folded`] : []),
    ...(agents > 0 ? [`${plural(agents, 'subagent')} folded`] : []),
    ...(structural > 0
      ? [`${plural(structural, 'hook, attachment or note', 'hooks, attachments and notes')} omitted`]
      : []),
  ]
  if (parts.length === 0 || all || live) return
  const drawing = graph || branches + agents === 0 ? '' : '--graph draws them, '
  console.note(`${parts.join(', ')}; ${drawing}--all shows everything.`)
}

/** S1: a session of a tree, with what is shown of it. */
interface LoggedSession {
  readonly found: SessionGraph
  readonly depth: number
  readonly view: View
  readonly lanes: readonly LaneRow[]
}

/** Prints all sessions of a tree, depth first, each below its header. */
async function logTree(
  console: Console,
  found: SessionGraph,
  contents: Contents,
  options: LogOptions,
): Promise<void> {
  const { graph } = found
  const context = { contents, labels: console.history.labels() }
  const logged = treeOf(found, options)
  const left = sumLeft(logged)
  if (console.options.json)
    return await console.printJson('log', {
      session: found.session.id,
      sessions: { list: logged.map(each => headerFacts(each, context.labels)) },
      rows: { list: treeRows(graph, logged, context) },
      left,
    })
  await console.page(function* () {
    for (const [at, { found: each, view, lanes }] of logged.entries()) {
      if (at > 0) yield ''
      const queue = options.all ? queueEvents(graph, each.session.id) : []
      yield* logLines(console, { found: each, view, lanes, queue, ...context, ...flagsOf(options) })
    }
  })
  noteOmitted(console, left, options)
  for (const { found: each } of logged) noteDiagnostics(console, each, options.all)
}

function treeOf(found: SessionGraph, options: LogOptions): readonly LoggedSession[] {
  const steps = [...walkTree(found.graph, { session: found.session.id })]
  return steps.flatMap((step): LoggedSession[] => {
    if (step.kind !== 'session') return []
    const each = { ...found, session: step.session, line: null, file: null }
    const view = viewOf(each, options)
    return [{ found: each, depth: step.depth, view, lanes: layOutLanes(view.rows) }]
  })
}

function sumLeft(logged: readonly LoggedSession[]): View['left'] {
  return {
    branches: sumOf(logged, ({ view }) => view.left.branches),
    agents: sumOf(logged, ({ view }) => view.left.agents),
    structural: sumOf(logged, ({ view }) => view.left.structural),
  }
}

function headerFacts({ found: { graph, session }, depth }: LoggedSession, labels: Labels): LoggedSessionJson {
  const { id, parent } = session
  return {
    session: id,
    title: session.title,
    depth,
    parent: parent && { session: graph.node(parent.at).session, at: graph.id(parent.at), how: parent.how },
    ...labelFacts(labels.get(id)),
  }
}

function* treeRows(
  graph: Graph,
  logged: readonly LoggedSession[],
  context: Omit<RowContext, 'lanes'>,
): Generator<LogRowJson> {
  for (const { found, view, lanes } of logged)
    for (const row of rowFacts(graph, view, { ...context, lanes }))
      yield { session: found.session.id, ...row }
}
