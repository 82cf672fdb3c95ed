/** The lines of a log: time, lanes, who, and the first words. */
import type { Contents, Labels, SessionGraph } from '@dagline/app'
import {
  type Actor,
  type Agent,
  actorName,
  epochLabel,
  type Graph,
  type LaneRow,
  type View,
  type ViewRow,
} from '@dagline/core'
import { cleanLine, type Summary } from '@dagline/core/content'
import { clock, isoDay, plural, shortId, tokens } from '@dagline/core/format'
import { promptTokens } from '@dagline/core/measure'
import { AGENTS_ONLY, FROM_PROGRESS } from '@dagline/core/protocol'
import {
  continuationLabel,
  type PaintedRow,
  paintLanes,
  type TimelineEvent,
  workflowLabel,
} from '@dagline/core/view'
import type { Console } from '../console.js'
import { labelAt, labelLines, labelWords, shortAgentId } from './names.js'
import { uncolored } from './style.js'
import { fit, pad, widthOf, wrap } from './width.js'

export interface LogPage {
  readonly found: SessionGraph
  readonly view: View
  readonly lanes: readonly LaneRow[]
  readonly contents: Contents
  readonly labels: Labels
  /** Whether lanes are drawn; in a list the lane of a row is an indent. */
  readonly isDrawn: boolean
  /** A branch or a subagent instead of the whole session. */
  readonly isSide?: boolean
  readonly isLive?: boolean
  /** The session has no entries of its own, and the history that it shares is shown instead. */
  readonly isShared?: boolean
  /** Rows that end with the first characters of their uuid. */
  readonly ids: 'prompts' | 'all' | 'none'
  /** X18: a column with the tokens of the request behind each answer. */
  readonly hasTokens?: boolean
  /** Q1: events of the queue, shown between the rows; by time. */
  readonly queue: readonly TimelineEvent[]
  /** H13: the rows that are printed, where not all are, and the one that was asked for. */
  readonly part?: LogPart | null
}

/** H13: some rows of a log. */
export interface LogPart {
  readonly from: number
  /** The first row that is not printed any more. */
  readonly to: number
  /** The row that was asked for. */
  readonly marked: number | null
}

/** A page with its subagents, by conversation. */
interface PageWithAgents extends LogPage {
  readonly agents: ReadonlyMap<number, Agent>
}

/** Returns a function that yields the date before the first line of each day. */
export function createDayHeading(
  { faint }: Console['style'],
  today = '',
): (time: number | null) => Iterable<string> {
  let last = today
  return time => {
    const day = isoDay(time)
    if (day === '' || day === last) return []
    last = day
    return [faint(day)]
  }
}

/** All lines; texts are read as their lines are asked for. */
export function* logLines(console: Console, page: LogPage): Generator<string> {
  const { style } = console
  const { graph } = page.found
  const epochs = new Map(graph.epochs().map(epoch => [epoch.boundary, epochLabel(epoch)]))
  const agents = new Map(graph.agents().map(agent => [agent.domain.index, agent]))
  const runs = new Map(graph.workflows().map(run => [run.call, run]))
  const painted = paint(console, page)
  const tokensAt = page.hasTokens === true ? requestTokens(graph) : null
  const dayHeading = createDayHeading(style)
  yield* headLines(console, page)
  let shown = 0
  for (const [at, row] of page.view.rows.entries()) {
    const { time, file, row: written } = graph.node(row.node)
    const lanes = painted.next().value ?? { graph: '', below: '' }
    if (!isPrinted(page.part, at)) continue
    yield* dayHeading(time)
    const due = firstAfter(page.queue, file, written, shown)
    yield* queueLines(console, page.queue.slice(shown, due))
    shown = due
    const landmark = row.landmark ? (epochs.get(row.node) ?? 'Conversation compacted') : null
    const gap = at === page.part?.marked ? ` ${style.strong('▸')}` : '  '
    const carried = tokensAt === null ? '' : style.faint(`  ${pad(tokensAt(row.node), 6, 'right')}`)
    const start = `${style.faint(pad(clock(time), 5))}${carried}${gap}${lanes.graph}${lanes.graph === '' ? '' : ' '}`
    const room = console.width - widthOf(uncolored(start))
    if (landmark === null) yield `${start}${rowText(console, { ...page, agents }, row, room)}`.trimEnd()
    else if (row.unfinished) yield `${start}${style.faint(fit(landmark, room))}`
    else yield `${start}${style.strong(acrossLine(landmark, room))}`
    const run = runs.get(row.node)
    if (run !== undefined && row.kind === 'node')
      yield `       ${lanes.below} ${style.faint(cleanLine(`workflow ${workflowLabel(run)}`))}`
    for (const { session, how } of row.junctions)
      yield `       ${lanes.below} ${style.faint(`↗ ${continuationLabel(how).toLowerCase()} here as session`)} ${style.id(shortId(session))}`
  }
  yield* queueLines(console, page.queue.slice(shown))
}

/** The tokens of the request behind an answer, at its first entry; empty elsewhere. */
function requestTokens(graph: Graph): (node: number) => string {
  const usages = new Map([...graph.usage()].map(({ message, usage }) => [message, usage]))
  return node => {
    const { message } = graph.node(node)
    const usage = message === null ? undefined : usages.get(message)
    if (message === null || usage === undefined) return ''
    usages.delete(message)
    return tokens(promptTokens(usage))
  }
}

function isPrinted(part: LogPart | null | undefined, at: number): boolean {
  return part == null || (at >= part.from && at < part.to)
}

/** The first event, from `shown` on, that was not written before a row of the same file. */
function firstAfter(events: readonly TimelineEvent[], file: string, row: number, shown: number): number {
  let at = shown
  while (events[at]?.file === file && (events[at]?.row ?? 0) < row) at++
  return at
}

function* queueLines({ style, width }: Console, events: readonly TimelineEvent[]): Generator<string> {
  for (const { time, kind, text } of events) {
    const room = width - 7 - WIDEST_EVENT - 2
    yield `${style.faint(pad(clock(time), 5))}  ${style.tool(pad(`⧖ ${kind}`, WIDEST_EVENT))}  ${style.faint(fit(cleanLine(text), room))}`
  }
}

const WIDEST_EVENT = 11

/** S2: the session, and where it comes from. */
function* headLines(console: Console, page: LogPage): Generator<string> {
  const { style, width } = console
  const { found, isLive, isSide, isShared } = page
  const { graph, session } = found
  const { parent } = session
  const title = cleanLine(session.title ?? '(no title)')
  yield `${style.id(session.id)}  ${style.strong(fit(title, width - session.id.length - 2))}`
  const line = isSide ? page.view.rows[0]?.line : undefined
  for (const id of new Set([session.id, line?.id ?? ''])) yield* labelLines(console, page.labels.get(id))
  if (isLive) yield style.faint('what the next request would carry')
  if (session.files.every(({ facts }) => facts.kind === 'agent')) yield style.faint(AGENTS_ONLY)
  if (parent === null || isLive || isSide) return
  const from = graph.node(parent.at)
  const rest = isShared
    ? 'nothing was added since, so this is the history it shares'
    : '--live shows the history it shares'
  const note = `↖ ${continuationLabel(parent.how)} from session ${shortId(from.session)} after ${shortId(from.id)}; ${rest}`
  for (const text of wrap(note, width)) yield style.faint(text)
}

function* paint({ style }: Console, { view, lanes, isDrawn }: LogPage): Generator<PaintedRow> {
  if (isDrawn) yield* paintLanes(view.rows, lanes, { color: style.lane })
  else {
    for (const { lane } of lanes) {
      const indent = '  '.repeat(Math.min(lane, 12)).slice(1)
      yield { graph: indent, below: indent }
    }
  }
}

/** `── Conversation compacted (115k tokens, manual) ─────`. */
export function acrossLine(label: string, room: number): string {
  const start = `── ${label} `
  return `${start}${'─'.repeat(Math.max(3, Math.min(room, 100) - widthOf(start)))}`
}

function rowText(console: Console, page: PageWithAgents, row: ViewRow, room: number): string {
  const { graph } = page.found
  const summary = page.contents.summary(row.node)
  const actor = graph.actor(row.node)
  const isTyped = row.kind === 'node' && actor.kind === 'human' && summary.kind === 'prompt'
  const isNamed = page.ids === 'all' || (page.ids === 'prompts' && (isTyped || isTurn(graph, row)))
  const short = shortId(graph.id(row.node))
  const mark = headMark(page, row)
  const id = isNamed && !mark.includes(`@${short}`) ? `  ${short}` : ''
  if (row.kind !== 'node')
    return foldedText(console, page, `${fit(foldedLabel(page, row, summary), room - 2 - id.length)}${id}`)
  const who = speaker(page, row, actor, summary)
  const end = `${mark}${id}`
  return spokenText(console, { who, actor, summary, end, room, isFaint: row.line.status !== 'live' })
}

/** S6: a turn of the main conversation, such as a skill that was called. */
function isTurn(graph: Graph, { kind, node, line }: ViewRow): boolean {
  return kind === 'node' && line.domain.kind === 'session' && graph.startsTurn(node)
}

interface Spoken {
  readonly who: string
  readonly actor: Actor
  readonly summary: Summary
  /** What stands after the text. */
  readonly end: string
  readonly room: number
  readonly isFaint: boolean
}

/** Who speaks, and the words that fit. */
export function spokenText({ style }: Console, { who, actor, summary, end, room, isFaint }: Spoken): string {
  const name = pad(cleanLine(who), 6)
  const text = fit(summary.text, Math.max(10, room - widthOf(name) - 2 - widthOf(end)))
  const isQuiet = isFaint || actor.kind === 'tool' || actor.kind === 'system'
  return `${colorOf(style, actor, summary)(name)}  ${isQuiet ? style.faint(text) : text}${style.faint(end)}`
}

function foldedLabel({ agents, labels }: PageWithAgents, row: ViewRow, summary: Summary): string {
  const size = plural(row.folded, 'message')
  const label = cleanLine(labelWords(labels.get(row.line.id)))
  const given = label === '' ? '' : ` ${label}`
  if (row.kind === 'agent') {
    const agent = agents.get(row.line.domain.index)
    const state = agent?.state === 'complete' ? '' : `, ${agent?.state ?? 'unknown'}`
    const source = agent?.source === 'progress' ? `, ${FROM_PROGRESS}` : ''
    return `${agent?.name ?? 'subagent'} ${agentRef(row, agent)}${given}, ${size}${state}${source}: ${summary.text}`
  }
  const id = row.line.id.slice(row.line.id.lastIndexOf('@'))
  return `${row.line.status} branch ${id}${given}, ${size}: ${summary.text}`
}

/** What `log` takes: the id alone names a subagent by its transcript, and others need their session. */
function agentRef({ line: { domain } }: ViewRow, agent: Agent | undefined): string {
  const id = shortAgentId(domain.agent ?? '')
  return agent?.source === 'file' ? id : `${shortId(domain.session)}#${id}`
}

function foldedText({ style }: Console, { isDrawn }: LogPage, label: string): string {
  return style.faint(isDrawn ? label : `↳ ${label}`)
}

/** The status of a branch on its first row, unless the branch is read as a conversation; and names. */
function headMark({ view, labels, found, isLive, isShared }: LogPage, row: ViewRow): string {
  const given = cleanLine(labelWords(labelAt(labels, found.graph, row)))
  const above = row.parents[0] === undefined ? undefined : view.rows[row.parents[0].row]
  const isAbandoned = row.line.kind === 'branch' && row.line.status !== 'live' && !isLive && !isShared
  const isFirst = isAbandoned && above?.line !== row.line
  const marks = isFirst ? [row.line.status, row.line.id.slice(row.line.id.lastIndexOf('@')), given] : [given]
  const mark = marks.filter(word => word !== '').join(' ')
  return mark === '' ? '' : `  [${mark}]`
}

/** A1: in the conversation of a subagent, the user is the one who called it: `Claude → Explore`. */
function speaker({ agents }: PageWithAgents, row: ViewRow, actor: Actor, summary: Summary): string {
  const name = actorName(actor)
  if (row.line.domain.kind !== 'agent' || summary.kind !== 'prompt') return name
  const agent = agents.get(row.line.domain.index)
  return `${name} → ${agent?.name ?? 'unknown'}`
}

/** The color of a speaker. */
function colorOf(style: Console['style'], { kind }: Actor, summary: Summary): (text: string) => string {
  if (summary.kind === 'error') return style.bad
  if (kind === 'human') return style.human
  if (kind === 'claude') return style.claude
  return kind === 'agent' ? style.agent : style.tool
}
