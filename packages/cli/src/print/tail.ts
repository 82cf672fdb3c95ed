/** The lines of `tail`: new entries as they come, and what they tell, each with time, speaker and place. */

import type { AbandonedLine, Contents, SessionEvent } from '@dagline/app'
import { type Actor, type Agent, actorName, type Graph, type Line } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { clock, duration, isoDay, isoTime, plural } from '@dagline/core/format'
import type { Console } from '../console.js'
import { acrossLine, colourOf } from './log.js'
import { fit, pad, widthOf } from './width.js'

/** What lines are made of. */
export interface TailScene {
  readonly graph: Graph
  readonly contents: Contents
  readonly session: string
}

/** The day of the last line that was printed; the date stands before the first line of a day. */
export interface Today {
  day: string
}

/** The lines of one piece of news. */
export function* newsLines(
  console: Console,
  scene: TailScene,
  news: SessionEvent,
  today: Today,
): Generator<string> {
  const { style } = console
  const time = timeOf(scene, news)
  if (isoDay(time) !== '' && isoDay(time) !== today.day) {
    today.day = isoDay(time)
    yield style.faint(today.day)
  }
  const depth = 'node' in news ? depthOf(scene.graph, news) : 0
  const start = `${style.faint(pad(clock(time), 5))}  ${'  '.repeat(Math.min(depth, 12))}`
  const room = console.width - 7 - 2 * Math.min(depth, 12)
  yield `${start}${bodyOf(console, scene, news, room)}`.trimEnd()
}

function timeOf({ graph }: TailScene, news: SessionEvent): number | null {
  return 'node' in news ? graph.node(news.node).time : news.time
}

function agentOn(graph: Graph, line: Line | null): Agent | undefined {
  return line === null ? undefined : graph.agents().find(({ domain }) => domain.index === line.domain.index)
}

/** Agents around it; an agent's own beginning and end stand where its entries do. */
function depthOf(graph: Graph, news: Extract<SessionEvent, { readonly node: number }>): number {
  const agent = 'agent' in news ? news.agent : agentOn(graph, graph.lineOf(news.node))
  return agent?.depth ?? 0
}

function bodyOf(console: Console, scene: TailScene, news: SessionEvent, room: number): string {
  const { style } = console
  switch (news.kind) {
    case 'entry':
      return entryText(console, scene, news.node, room)
    case 'compaction':
      return style.strong(acrossLine(news.label, room))
    case 'rewind':
    case 'two-writers':
      return style.strong(fit(newsText(scene, news), room))
    case 'lost':
      return style.bad(fit(newsText(scene, news), room))
    default:
      return style.faint(fit(newsText(scene, news), room))
  }
}

/** One sentence for what is not an entry. */
function newsText({ graph }: TailScene, news: Exclude<SessionEvent, { readonly kind: 'entry' }>): string {
  switch (news.kind) {
    case 'compaction':
      return news.label
    case 'agent-start':
      return `▸ ${nameOf(graph, news.agent)} starts`
    case 'agent-end':
      return `■ ${nameOf(graph, news.agent)} ends${lengthOf(graph, news.agent)}`
    case 'rewind':
      return `↩ went back: new branch ${shortLine(news.line)}${leftText(news.left)}`
    case 'two-writers':
      return `⑂ a second process writes to the session: branch ${shortLine(news.line)}${leftText(news.left)}`
    case 'queued':
      return `⋯ queued: ${cleanLine(news.text)}`
    case 'recalled':
      return `⋯ taken out of the queue: ${cleanLine(news.text)}`
    default:
      return `✗ queued and never sent: ${cleanLine(news.text)}`
  }
}

function leftText(left: readonly AbandonedLine[]): string {
  const parts = left
    .filter(({ messages }) => messages > 0)
    .map(({ line, messages }) => `${plural(messages, 'message')} in ${shortLine(line)}`)
  return parts.length === 0 ? '' : `; leaves ${parts.join(', ')}`
}

const BRANCH = 9

/** `@7e083490`: as much of a branch's id as commands need. */
function shortLine({ id }: Line): string {
  const at = id.lastIndexOf('@')
  return id.slice(at, at + BRANCH)
}

function lengthOf(graph: Graph, { domain }: Agent): string {
  const lines = graph.lines().filter(line => line.domain.index === domain.index)
  const times = lines
    .flatMap(line => line.nodes.map(node => graph.node(node).time))
    .filter(time => time !== null)
  const size = lines.reduce((sum, line) => sum + line.nodes.length, 0)
  if (size === 0) return ''
  const span =
    times.reduce((most, time) => Math.max(most, time), 0) - times.reduce((a, b) => Math.min(a, b), Infinity)
  return `: ${plural(size, 'entry', 'entries')}${times.length < 2 ? '' : `, ${duration(span)}`}`
}

/** The agent's name; with the start of its id where others are called the same. */
function nameOf(graph: Graph, { id, name, domain }: Agent): string {
  const isShared = graph.agents().some(other => other.name === name && other.domain.index !== domain.index)
  const short = id.replace(/^inline-/, '').slice(0, 6)
  return cleanLine(isShared ? `${name}#${short}` : name)
}

function entryText(console: Console, scene: TailScene, node: number, room: number): string {
  const { graph, contents } = scene
  const { style } = console
  const line = graph.lineOf(node)
  const actor = graph.actor(node)
  const summary = contents.summary(node)
  const who = pad(speakerOf(graph, line, actor, summary.kind === 'prompt'), 6)
  const mark = line === null || line.status === 'live' ? '' : `  [${line.status} ${markOf(line)}]`
  const text = fit(summary.text, Math.max(10, room - widthOf(who) - 2 - widthOf(mark)))
  const isFaint = mark !== '' || actor.kind === 'tool' || actor.kind === 'system'
  return `${colourOf(console, actor, summary)(who)}  ${isFaint ? style.faint(text) : text}${style.faint(mark)}`
}

function markOf(line: Line): string {
  return line.kind === 'branch' ? shortLine(line) : line.kind
}

/** A1: in an agent's conversation everybody is named with the agent: several may run at once. */
function speakerOf(graph: Graph, line: Line | null, actor: Actor, isPrompt: boolean): string {
  const agent = agentOn(graph, line)
  if (agent === undefined) return cleanLine(actorName(actor))
  const name = nameOf(graph, agent)
  if (isPrompt) return `${cleanLine(actorName(actor))} → ${name}`
  return actor.kind === 'agent' ? name : `${name} · ${actorName(actor)}`
}

/** One piece of news as an object: an entry has the fields of a row of `log`, everything else an `event`. */
export function newsFacts(
  scene: TailScene,
  news: SessionEvent,
  live: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const { graph, session } = scene
  if (!('node' in news)) {
    const { kind, time } = news
    return { dagline: 1, session, event: kind, time: isoTime(time), text: cleanLine(news.text) }
  }
  const facts = entryFacts(scene, news.node, live)
  if (news.kind === 'entry') return facts
  const agent = 'agent' in news ? { agent: news.agent.id } : {}
  const line = 'line' in news ? { left: news.left.map(left => left.line.id) } : {}
  const isRow = news.kind === 'compaction'
  const event = { event: news.kind, text: newsText(scene, news), ...agent, ...line }
  if (isRow) return { ...facts, ...event }
  const { time } = graph.node(news.node)
  const at = 'line' in news ? news.line.id : (graph.lineOf(news.node)?.id ?? null)
  return { dagline: 1, session, node: graph.id(news.node), line: at, time: isoTime(time), ...event }
}

function entryFacts(
  { graph, contents, session }: TailScene,
  at: number,
  live: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const node = graph.node(at)
  const line = graph.lineOf(at)
  const summary = contents.summary(at)
  return {
    dagline: 1,
    session,
    node: node.id,
    parent: node.parent,
    line: line?.id ?? null,
    // Rows are told as they come: there is no drawing in which they could have a lane.
    lane: null,
    depth: agentOn(graph, line)?.depth ?? 0,
    actor: actorName(graph.actor(at)),
    kind: summary.kind,
    time: isoTime(node.time),
    live: live.has(node.id),
    text: summary.text,
    agent: node.agent,
  }
}
