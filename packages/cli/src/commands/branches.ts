/** `dagline branches`: the forks of a session. */
import { type Bill, type BranchItem, noRows, openBill, type SessionGraph, UserError } from '@dagline/app'
import { type Fork, type Graph, type Line, plainHead } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, exactMoney, isoTime, plural, shortId } from '@dagline/core/format'
import { branchLineOf, pathFrom, timesOf } from '@dagline/core/measure'
import { sumCosts } from '@dagline/core/model'
import { countMessages } from '@dagline/core/view'
import { type AddCommand, defineCommand, flag, type Values } from '../command.js'
import type { Console } from '../console.js'
import type { BranchForkJson } from '../json/conversation.js'
import type { AbandonedBranchJson } from '../json/lists.js'
import {
  LIST_OPTIONS,
  printList,
  printTable,
  projectColumn,
  type SortKeys,
  sortOption,
  sortRows,
} from '../list.js'
import { shared } from '../options.js'
import { labelFacts, labelledTitle } from '../print/names.js'
import { type Column, figureColumn } from '../print/table.js'
import { fit, pad, widthOf, wrap } from '../print/width.js'

const SORT_KEYS: SortKeys<BranchItem> = {
  last: ({ last }) => last,
  first: ({ first }) => first,
  messages: ({ messages }) => messages,
  tokens: ({ tokens }) => tokens,
  cost: ({ costUSD }) => costUSD,
}

const OPTIONS = {
  ...LIST_OPTIONS,
  sort: sortOption(SORT_KEYS),
  all: flag(...shared('all', ', of a session also forks that are not branches, each with the reason')),
}

type BranchOptions = Values<typeof OPTIONS>

export const branchesCommand: AddCommand = defineCommand({
  usage: 'branches [session|path]',
  description:
    'List the abandoned branches and what replaced them: the forks of a session, or the branches of all.',
  options: OPTIONS,
  examples: [
    'dagline branches latest',
    'dagline branches 019c5be1 --all',
    'dagline branches --since 30d --sort cost',
    'dagline branches latest --json | jq .forks',
  ],
  run: async (console, [word], options) =>
    word === undefined || (await console.history.namesProject(word))
      ? await listAll(console, word ?? null, options)
      : await listForks(console, word, options),
})

/** X14: one row for each branch of a project, or of all. */
async function listAll(console: Console, project: string | null, options: BranchOptions): Promise<void> {
  const { sort, limit, jsonl, all: isAll, ...filter } = options
  if (isAll) throw new UserError('--all is for the forks of one session. Give the session, too.')
  const found = await console.history.branches({ ...filter, session: project })
  const labels = console.history.labels()
  await printTable(console, options, {
    command: 'branches',
    rows: sortRows(found, SORT_KEYS, sort).slice(0, limit ?? undefined),
    facts: ({ line, first, last, ...branch }): AbandonedBranchJson => ({
      ref: line,
      ...branch,
      line,
      first: isoTime(first),
      last: isoTime(last),
      ...labelFacts(labels.get(line)),
    }),
    json: branches => ({ branches }),
    columns: branchColumns(console),
  })
}

function branchColumns({ style, history }: Console): readonly Column<BranchItem>[] {
  const labels = history.labels()
  const ref = ({ line, session }: BranchItem): string => line.replace(session, shortId(session))
  const words = ({ line, prompt }: BranchItem): string =>
    cleanLine(labelledTitle(labels.get(line), prompt ?? ''))
  return [
    { title: 'ref', text: ref, paint: style.id },
    { title: 'last', text: ({ last }) => dayAndTime(last), paint: style.faint, dropRank: 3 },
    projectColumn(4),
    { title: 'status', text: ({ status }) => status, dropRank: 5 },
    figureColumn('messages', ({ messages }) => messages, 1),
    {
      title: 'cost',
      text: ({ costUSD }) => (costUSD === null ? '' : exactMoney(costUSD)),
      align: 'right',
      dropRank: 2,
    },
    { title: 'abandoned prompt', text: words, flexible: true },
  ]
}

/** The forks of a session, each with where it leads. */
async function listForks(console: Console, word: string, options: BranchOptions): Promise<void> {
  const { all: isAll, limit, jsonl, index: _, ...listed } = options
  if (Object.values(listed).some(value => value !== null))
    throw new UserError(
      '--project, --since, --until and --sort are for the branches of all sessions. Remove them, or leave out the session.',
    )
  const bill = openBill()
  const { graph, session } = await console.history.graphOf(word, { see: bill.see, isLinkedOnly: true })
  const forks = forksOf(graph, session)
  const branching = isAll ? forks : forks.filter(({ kind }) => kind === 'rewind' || kind === 'two-writers')
  const sidesOf = sidesIn(graph, bill)
  await printList(
    console,
    { jsonl },
    {
      command: 'branches',
      rows: branching.slice(0, limit ?? undefined),
      facts: (fork): BranchForkJson => forkFacts(console, graph, fork, sidesOf),
      json: list => ({ session: session.id, forks: list }),
      lines: rows => lines(console, graph, rows, sidesOf),
    },
  )
  if (branching.length === 0)
    console.note(noRows({ of: 'branches', looked: null, filter: { session: word } }))
  const rest = forks.length - branching.length
  if (rest > 0)
    console.note(
      `${plural(rest, 'other fork is not a branch', 'other forks are not branches')}; --all gives the reason.`,
    )
}

function forksOf(graph: Graph, { id }: SessionGraph['session']): readonly Fork[] {
  const own = new Set(graph.lines().flatMap(({ domain }) => (domain.session === id ? [domain.index] : [])))
  return graph.forks().filter(fork => own.has(fork.domain))
}

/** One side of a fork. */
interface Side {
  readonly node: number
  readonly line: Line
  /** False for what stays on the line. */
  readonly isBranch: boolean
  readonly nodes: readonly number[]
  readonly prompt: string | null
  /** The time of the prompt. */
  readonly asked: number | null
  /** In USD, with its subagents; null where it is not a branch or no price is known. */
  readonly cost: number | null
  readonly first: number | null
  readonly last: number | null
}

/** Returns the positions of nodes on their lines. A line is walked once, however many forks it has. */
function createPositions(): (line: Line, node: number) => number {
  const known = new Map<Line, ReadonlyMap<number, number>>()
  return (line, node) => {
    const positions = known.get(line) ?? new Map(line.nodes.map((each, at) => [each, at]))
    known.set(line, positions)
    return positions.get(node) ?? -1
  }
}

/** What a fork leads to. */
type SidesOf = (fork: Fork) => readonly Side[]

function sidesIn(graph: Graph, bill: Bill): SidesOf {
  const positionOf = createPositions()
  const costOf = branchCosts(graph, bill)
  return fork => {
    const heads = new Set(fork.branches)
    const placed = fork.children.flatMap(node => {
      const line = graph.lineOf(node)
      return line === null ? [] : [{ node, line, at: positionOf(line, node) }]
    })
    const siblings = new Set(placed.map(({ node }) => node))
    return placed.map(({ node, line, at }) => {
      const isBranch = heads.has(node)
      const nodes = isBranch ? pathFrom(graph, node) : turnFrom(graph, line, at, siblings)
      return { node, line, isBranch, nodes, cost: isBranch ? costOf(line) : null, ...promptIn(graph, nodes) }
    })
  }
}

/** X4: messages of a subagent count for the branch that called it. Each counts once, where it is met first. */
function branchCosts(graph: Graph, { costOf }: Bill): (branch: Line) => number | null {
  const costs = new Map<Line, number>()
  const seen = new Set<string>()
  for (const line of graph.lines()) {
    const branch = branchLineOf(graph, line)
    for (const node of line.nodes) {
      const { message } = graph.node(node)
      if (message === null || seen.has(message)) continue
      seen.add(message)
      const cost = costOf(message)
      if (cost !== null) costs.set(branch, (costs.get(branch) ?? 0) + cost)
    }
  }
  return branch => sumCosts([...alongBranch(graph, branch)].map(line => costs.get(line) ?? null))
}

/** L12: the lines of a branch to where it ended. */
function* alongBranch(graph: Graph, branch: Line): Generator<Line> {
  for (let line: Line | undefined = branch; line !== undefined; line = graph.lines()[line.next ?? -1])
    yield line
}

/** What follows a child that stays on the line, up to the next child or the next prompt. */
function turnFrom(
  graph: Graph,
  { nodes }: Line,
  start: number,
  siblings: ReadonlySet<number>,
): readonly number[] {
  let end = start + 1
  for (; end < nodes.length; end++) {
    const node = nodes[end] ?? -1
    if (siblings.has(node) || graph.node(node).type === 'prompt') break
  }
  return nodes.slice(start, end)
}

function promptIn(graph: Graph, nodes: readonly number[]): Pick<Side, 'prompt' | 'asked' | 'first' | 'last'> {
  const times = timesOf(graph, nodes)
  for (const node of nodes) {
    const { time, head, type } = graph.node(node)
    if (head !== null && (type === 'prompt' || type === 'command'))
      return { prompt: plainHead(head), asked: time ?? times.first, ...times }
  }
  return { prompt: null, asked: times.first, ...times }
}

function forkFacts(console: Console, graph: Graph, fork: Fork, sidesOf: SidesOf): BranchForkJson {
  const { at, kind, rule, evidence } = fork
  const line =
    at === null ? graph.lines().find(({ domain }) => domain.index === fork.domain) : graph.lineOf(at)
  const labels = console.history.labels()
  const children = sidesOf(fork).map(side => ({
    node: graph.id(side.node),
    line: side.line.id,
    status: side.line.status,
    nodes: side.nodes.length,
    prompt: side.prompt,
    first: isoTime(side.first),
    last: isoTime(side.last),
    asked: isoTime(side.asked),
    messages: countMessages(graph, side.nodes),
    costUSD: side.cost,
    ...labelFacts(labels.get(side.isBranch ? side.line.id : graph.id(side.node))),
  }))
  return { at: at === null ? null : graph.id(at), line: line?.id ?? null, kind, rule, children, evidence }
}

function* lines(console: Console, graph: Graph, forks: readonly Fork[], sidesOf: SidesOf): Generator<string> {
  for (const [index, fork] of forks.entries()) {
    if (index > 0) yield ''
    yield* headLines(console, graph, fork)
    for (const side of sidesOf(fork)) yield sideLine(console, graph, side)
  }
}

/** Where the fork is; the reason follows on the same line, or below where it does not fit. */
function* headLines({ style, width }: Console, graph: Graph, fork: Fork): Generator<string> {
  const id = fork.at === null ? '' : shortId(graph.id(fork.at))
  const at = fork.at === null ? ' at the beginning' : ' after '
  const time = fork.at === null ? '' : `, ${dayAndTime(graph.node(fork.at).time)}`
  const why = `${fork.rule}: ${fork.evidence}`
  const start = `${style.strong(fork.kind)}${at}${style.id(id)}${time}`
  if (widthOf(`${fork.kind}${at}${id}${time}  ${why}`) <= width) yield `${start}  ${style.faint(why)}`
  else {
    yield start
    for (const line of wrap(why, width - 2)) yield `  ${style.faint(line)}`
  }
}

/** Columns that a prompt gets before dates and costs are shown. */
const LEAST_PROMPT = 14

function sideLine(console: Console, graph: Graph, side: Side): string {
  const { style, width } = console
  const { line, isBranch, nodes, cost } = side
  const isLive = line.status === 'live'
  const name = isBranch ? line.id.slice(line.id.lastIndexOf('@')) : shortId(graph.id(side.node))
  const status = isBranch ? line.status : 'on the line'
  const start = `  ${isLive ? '●' : '○'} ${pad(name, 13)}  `
  const figures = [
    pad(plural(countMessages(graph, nodes), 'message'), 12, 'right'),
    dayAndTime(side.asked),
    pad(cost === null ? '' : exactMoney(cost), 8, 'right'),
  ]
  const room = width - widthOf(start) - 11
  const size = shownFigures(figures, room - LEAST_PROMPT)
  const label = console.history.labels().get(isBranch ? line.id : graph.id(side.node))
  const words = fit(cleanLine(labelledTitle(label, side.prompt ?? '')), room - widthOf(size))
  const color = isLive ? style.good : style.faint
  return `${start}${color(pad(status, 11))}${size}${words}`.trimEnd()
}

/** The first figures, as many as there is room for. */
function shownFigures(figures: readonly string[], room: number): string {
  let text = '  '
  for (const figure of figures) {
    if (widthOf(`${text}${figure}  `) > room) break
    text += `${figure}  `
  }
  return text
}
