/** `dagline branches`: the forks of a session. */
import { type Fork, type Graph, type Line, plainHead } from '@dagline/core'
import type { Labels } from '@dagline/store'
import type { Console } from '../console.js'
import { cleanLine } from '../print/clean.js'
import { clock, count, dayAndTime, isoTime, shortId } from '../print/figures.js'
import { jsonLines } from '../print/json.js'
import { fit, pad, widthOf } from '../print/width.js'
import { labelFacts, labelledTitle, labelsFor } from '../read/names.js'
import { type FoundSession, openSession } from '../read/session.js'

/** One side of a fork. */
interface Side {
  readonly node: number
  readonly line: Line
  /** False for what stays on the line: no branch. */
  readonly isBranch: boolean
  readonly nodes: readonly number[]
  readonly prompt: string | null
  readonly first: number | null
  readonly last: number | null
}

/** Prints the forks of a session: those that make branches, or all. */
export async function branches(console: Console, word: string, isAll: boolean): Promise<void> {
  const found = openSession(word, console)
  const { graph } = found.loaded
  const all = forksOf(found)
  const shown = isAll ? all : all.filter(fork => fork.kind === 'rewind' || fork.kind === 'two-writers')
  if (console.options.json) {
    const places = placesOn()
    const list = shown.map(fork => forkFacts(graph, fork, { places, labels: labelsFor(console) }))
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['session', found.session.id],
        ['forks', { list }],
      ]),
    )
    return
  }
  await console.print(lines(console, graph, shown))
  if (shown.length === 0) console.note(`Session ${shortId(found.session.id)} has no branches.`)
  const rest = all.length - shown.length
  if (rest > 0)
    console.note(
      `${count(rest, 'fork')} in the file ${rest === 1 ? 'is no branch' : 'are no branches'}; --all shows them with the reason.`,
    )
}

function forksOf({ loaded: { graph }, session }: FoundSession): readonly Fork[] {
  const own = new Set(
    graph.lines().flatMap(line => (line.domain.session === session.index ? [line.domain.index] : [])),
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

function sidesOf(graph: Graph, fork: Fork, places: Places): readonly Side[] {
  const heads = new Set(fork.branches)
  const placed = fork.children.flatMap(node => {
    const line = graph.lineOf(node)
    return line === null ? [] : [{ node, line, place: places(line, node) }]
  })
  const taken = new Set(placed.map(({ node }) => node))
  return placed.map(({ node, line, place }) => {
    const isBranch = heads.has(node)
    const nodes = isBranch ? line.nodes.slice(place) : stretch(graph, line, place, taken)
    return { node, line, isBranch, nodes, ...reach(graph, nodes) }
  })
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

function reach(graph: Graph, nodes: readonly number[]): Pick<Side, 'prompt' | 'first' | 'last'> {
  let prompt: string | null = null
  let first: number | null = null
  let last: number | null = null
  for (const node of nodes) {
    const { time, head, type } = graph.node(node)
    if (prompt === null && head !== null && (type === 'prompt' || type === 'command'))
      prompt = plainHead(head)
    if (time === null) continue
    first = Math.min(first ?? time, time)
    last = Math.max(last ?? time, time)
  }
  return { prompt, first, last }
}

/** What is told of sides beside what they are. */
interface BesideSides {
  readonly places: Places
  readonly labels: Labels
}

function forkFacts(
  graph: Graph,
  fork: Fork,
  { places, labels }: BesideSides,
): Readonly<Record<string, unknown>> {
  const { at, kind, rule, evidence } = fork
  const line = at < 0 ? graph.lines().find(({ domain }) => domain.index === fork.domain) : graph.lineOf(at)
  const children = sidesOf(graph, fork, places).map(side => ({
    node: graph.id(side.node),
    line: side.line.id,
    status: side.line.status,
    nodes: side.nodes.length,
    prompt: side.prompt,
    first: isoTime(side.first),
    last: isoTime(side.last),
    ...labelFacts(labels.get(side.isBranch ? side.line.id : graph.id(side.node))),
  }))
  return { at: at < 0 ? null : graph.id(at), line: line?.id ?? null, kind, rule, children, evidence }
}

function* lines(console: Console, graph: Graph, forks: readonly Fork[]): Generator<string> {
  const { style, width } = console
  const places = placesOn()
  for (const [index, fork] of forks.entries()) {
    if (index > 0) yield ''
    const at = fork.at < 0 ? 'at the beginning' : `after ${style.id(shortId(graph.id(fork.at)))}`
    const time = fork.at < 0 ? '' : `, ${dayAndTime(graph.node(fork.at).time)}`
    yield `${style.strong(fork.kind)} ${at}${time}  ${style.faint(`${fork.rule}: ${fork.evidence}`)}`
    for (const side of sidesOf(graph, fork, places)) yield sideLine(console, graph, side, width)
  }
}

function sideLine(console: Console, graph: Graph, side: Side, width: number): string {
  const { style } = console
  const { line, isBranch, nodes } = side
  const isLive = line.status === 'live'
  const name = isBranch ? line.id.slice(line.id.lastIndexOf('@')) : shortId(graph.id(side.node))
  const status = isBranch ? line.status : 'on the line'
  const messages = nodes.filter(node => ['user', 'assistant'].includes(graph.node(node).kind)).length
  const start = `  ${isLive ? '●' : '○'} ${pad(name, 13)}  `
  const size = `  ${pad(count(messages, 'message'), 12, 'left')}  ${clock(side.first)}  `
  const label = labelsFor(console).get(isBranch ? line.id : graph.id(side.node))
  const words = fit(
    cleanLine(labelledTitle(label, side.prompt ?? '')),
    width - widthOf(start) - 11 - widthOf(size),
  )
  const colour = isLive ? style.good : style.faint
  return `${start}${colour(pad(status, 11))}${size}${words}`.trimEnd()
}
