/** `dagline branches`: the forks of a session. */

import { type Bill, type FoundSession, jsonLines, type Labels, openBill } from '@dagline/app'
import { type Fork, type Graph, type Line, plainHead } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, exactMoney, isoTime, plural, shortId } from '@dagline/core/format'
import { branchOf } from '@dagline/core/measure'
import { countMessages } from '@dagline/core/view'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { labelFacts, labelledTitle } from '../print/names.js'
import { fit, pad, widthOf, wrap } from '../print/width.js'

/** Adds `dagline branches`. */
export function addBranches(program: Command): void {
  const made = command(
    program,
    'branches <session>',
    'List the forks of a session: the abandoned branches, and what replaced them.',
  ).option('-a, --all', 'include forks that are not branches, each with the reason')
  const act: Action = async (console, [session = ''], { all }) => {
    await branches(console, session, all === true)
  }
  finish(made, act, [
    'dagline branches latest',
    'dagline branches a2a9607f --all',
    'dagline branches latest --json | jq .forks',
  ])
}

/** One side of a fork. */
interface Side {
  readonly node: number
  readonly line: Line
  /** False for what stays on the line: no branch. */
  readonly isBranch: boolean
  readonly nodes: readonly number[]
  readonly prompt: string | null
  /** When that was said. */
  readonly asked: number | null
  /** In USD, agents that it spawned included; null where it is not a branch or no price is known. */
  readonly cost: number | null
  readonly first: number | null
  readonly last: number | null
}

/** Prints the forks of a session: those that make branches, or all. */
async function branches(console: Console, word: string, isAll: boolean): Promise<void> {
  const bill = openBill()
  const found = await console.history.graphOf(word, { see: bill.see })
  const { graph } = found.loaded
  const all = forksOf(found)
  const shown = isAll ? all : all.filter(fork => fork.kind === 'rewind' || fork.kind === 'two-writers')
  if (console.options.json) {
    const sides = sidesIn(graph, bill)
    const list = shown.map(fork => forkFacts(graph, fork, { sides, labels: console.history.labels() }))
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['session', found.session.id],
        ['forks', { list }],
      ]),
    )
    return
  }
  await console.print(lines(console, graph, shown, sidesIn(graph, bill)))
  if (shown.length === 0) console.note(`Session ${shortId(found.session.id)} has no branches.`)
  const rest = all.length - shown.length
  if (rest > 0)
    console.note(
      `${plural(rest, 'fork')} in the file ${rest === 1 ? 'is not a branch' : 'are not branches'}; --all shows the reason.`,
    )
}

function forksOf({ loaded: { graph }, session }: FoundSession): readonly Fork[] {
  const own = new Set(
    graph.lines().flatMap(({ domain }) => (domain.session === session.id ? [domain.index] : [])),
  )
  return graph.forks().filter(fork => own.has(fork.domain))
}

/** Where nodes stand on their lines. */
type Places = (line: Line, node: number) => number

function placesOn(): Places {
  const lines = new Map<Line, Map<number, number>>()
  return (line, node) => {
    const known = lines.get(line) ?? new Map(line.nodes.map((each, place) => [each, place]))
    lines.set(line, known)
    return known.get(node) ?? -1
  }
}

/** What a fork leads to. */
type SidesOf = (fork: Fork) => readonly Side[]

function sidesIn(graph: Graph, bill: Bill): SidesOf {
  const places = placesOn()
  const costOf = branchCosts(graph, bill)
  return fork => {
    const heads = new Set(fork.branches)
    const placed = fork.children.flatMap(node => {
      const line = graph.lineOf(node)
      return line === null ? [] : [{ node, line, place: places(line, node) }]
    })
    const taken = new Set(placed.map(({ node }) => node))
    return placed.map(({ node, line, place }) => {
      const isBranch = heads.has(node)
      const nodes = isBranch ? line.nodes.slice(place) : stretch(graph, line, place, taken)
      return { node, line, isBranch, nodes, cost: isBranch ? costOf(line) : null, ...reach(graph, nodes) }
    })
  }
}

/** X4: an agent's messages are on the branch that spawned it. Each counts once, where it was met first. */
function branchCosts(graph: Graph, { costOf }: Bill): (branch: Line) => number | null {
  const costs = new Map<Line, number>()
  const seen = new Set<string>()
  for (const line of graph.lines()) {
    const branch = branchOf(graph, line)
    for (const node of line.nodes) {
      const { message } = graph.node(node)
      if (message === null || seen.has(message)) continue
      seen.add(message)
      const cost = costOf(message)
      if (cost !== null) costs.set(branch, (costs.get(branch) ?? 0) + cost)
    }
  }
  return branch => costs.get(branch) ?? null
}

/** What follows a child that stays on the line: up to the next child or the next prompt. */
function stretch(
  graph: Graph,
  { nodes }: Line,
  place: number,
  taken: ReadonlySet<number>,
): readonly number[] {
  let end = place + 1
  for (; end < nodes.length; end++) {
    const node = nodes[end] ?? -1
    if (taken.has(node) || graph.node(node).type === 'prompt') break
  }
  return nodes.slice(place, end)
}

function reach(graph: Graph, nodes: readonly number[]): Pick<Side, 'prompt' | 'asked' | 'first' | 'last'> {
  let prompt: string | null = null
  let asked: number | null = null
  let first: number | null = null
  let last: number | null = null
  for (const node of nodes) {
    const { time, head, type } = graph.node(node)
    if (prompt === null && head !== null && (type === 'prompt' || type === 'command')) {
      prompt = plainHead(head)
      asked = time
    }
    if (time === null) continue
    first = Math.min(first ?? time, time)
    last = Math.max(last ?? time, time)
  }
  return { prompt, asked: asked ?? first, first, last }
}

/** What is told of sides beside what they are. */
interface BesideSides {
  readonly sides: SidesOf
  readonly labels: Labels
}

function forkFacts(
  graph: Graph,
  fork: Fork,
  { sides, labels }: BesideSides,
): Readonly<Record<string, unknown>> {
  const { at, kind, rule, evidence } = fork
  const line =
    at === null ? graph.lines().find(({ domain }) => domain.index === fork.domain) : graph.lineOf(at)
  const children = sides(fork).map(side => ({
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

/** Where the fork is, and why it is one: beside it where there is room, else below. */
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

/** Words need so many columns before dates and costs are shown. */
const LEAST_WORDS = 14

function sideLine(console: Console, graph: Graph, side: Side): string {
  const { style, width } = console
  const { line, isBranch, nodes, cost } = side
  const isLive = line.status === 'live'
  const name = isBranch ? line.id.slice(line.id.lastIndexOf('@')) : shortId(graph.id(side.node))
  const status = isBranch ? line.status : 'on the line'
  const start = `  ${isLive ? '●' : '○'} ${pad(name, 13)}  `
  const figures = [
    pad(plural(countMessages(graph, nodes), 'message'), 12, 'left'),
    dayAndTime(side.asked),
    pad(cost === null ? '' : exactMoney(cost), 8, 'left'),
  ]
  const room = width - widthOf(start) - 11
  const size = shownFigures(figures, room - LEAST_WORDS)
  const label = console.history.labels().get(isBranch ? line.id : graph.id(side.node))
  const words = fit(cleanLine(labelledTitle(label, side.prompt ?? '')), room - widthOf(size))
  const colour = isLive ? style.good : style.faint
  return `${start}${colour(pad(status, 11))}${size}${words}`.trimEnd()
}

/** As many figures as there is room for, the first ones first. */
function shownFigures(figures: readonly string[], room: number): string {
  let text = '  '
  for (const figure of figures) {
    if (widthOf(`${text}${figure}  `) > room) break
    text += `${figure}  `
  }
  return text
}
