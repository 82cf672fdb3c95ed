/** The lines of `tail`: new entries and events as they come, each with its time. */
import type { AbandonedLine, Contents, SessionEvent } from '@dagline/app'
import { type Actor, type Agent, actorName, type Graph, type Line } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { clock, duration, isoTime, plural } from '@dagline/core/format'
import { timesOf } from '@dagline/core/measure'
import { isLive } from '@dagline/core/view'
import type { Console } from '../console.js'
import type { LogRowJson, TailJson } from '../json/conversation.js'
import { acrossLine, spokenText } from './log.js'
import { fit, pad } from './width.js'

/** What lines are made of. */
export interface TailScene {
  readonly graph: Graph
  readonly contents: Contents
  readonly session: string
}

/** The line of an event. */
export function eventLine(console: Console, scene: TailScene, event: SessionEvent): string {
  const depth = Math.min('node' in event ? depthOf(scene.graph, event) : 0, 12)
  const start = `${console.style.faint(pad(clock(timeOf(scene, event)), 5))}  ${'  '.repeat(depth)}`
  return `${start}${bodyOf(console, scene, event, console.width - 7 - 2 * depth)}`.trimEnd()
}

/** When it happened. */
export function timeOf({ graph }: TailScene, event: SessionEvent): number | null {
  return 'node' in event ? graph.node(event.node).time : event.time
}

function agentOn(graph: Graph, line: Line | null): Agent | undefined {
  return line === null ? undefined : graph.agents().find(({ domain }) => domain.index === line.domain.index)
}

/** Subagents around it. The start and end of a subagent are as deep as its entries. */
function depthOf(graph: Graph, event: Extract<SessionEvent, { readonly node: number }>): number {
  const agent = 'agent' in event ? event.agent : agentOn(graph, graph.lineOf(event.node))
  return agent?.depth ?? 0
}

function bodyOf(console: Console, scene: TailScene, event: SessionEvent, room: number): string {
  const { style } = console
  switch (event.kind) {
    case 'entry':
      return entryText(console, scene, event.node, room)
    case 'compaction':
      return style.strong(acrossLine(event.label, room))
    case 'rewind':
    case 'two-writers':
      return style.strong(fit(eventText(scene, event), room))
    case 'lost':
      return style.bad(fit(eventText(scene, event), room))
    default:
      return style.faint(fit(eventText(scene, event), room))
  }
}

/** One sentence for what is not an entry. */
function eventText({ graph }: TailScene, event: Exclude<SessionEvent, { readonly kind: 'entry' }>): string {
  switch (event.kind) {
    case 'compaction':
      return event.label
    case 'agent-start':
      return `▸ ${nameOf(graph, event.agent)} starts`
    case 'agent-end':
      return `■ ${nameOf(graph, event.agent)} ends${lengthOf(graph, event.agent)}`
    case 'rewind':
      return `↩ rewind: new branch ${shortLine(event.line)}${leftText(event.left)}`
    case 'two-writers':
      return `⑂ a second process writes to the session: branch ${shortLine(event.line)}${leftText(event.left)}`
    case 'queued':
      return `⋯ queued: ${cleanLine(event.text)}`
    case 'recalled':
      return `⋯ removed from the queue: ${cleanLine(event.text)}`
    default:
      return `✗ queued, never sent: ${cleanLine(event.text)}`
  }
}

function leftText(left: readonly AbandonedLine[]): string {
  const parts = left
    .filter(({ messages }) => messages > 0)
    .map(({ line, messages }) => `${plural(messages, 'message')} in ${shortLine(line)}`)
  return parts.length === 0 ? '' : `; abandons ${parts.join(', ')}`
}

const BRANCH = 9

/** `@7e083490`: as much of the id of a branch as commands need. */
function shortLine({ id }: Line): string {
  const at = id.lastIndexOf('@')
  return id.slice(at, at + BRANCH)
}

function lengthOf(graph: Graph, { domain }: Agent): string {
  const lines = graph.lines().filter(line => line.domain.index === domain.index)
  const nodes = lines.flatMap(line => line.nodes)
  if (nodes.length === 0) return ''
  const { first, last } = timesOf(graph, nodes)
  const took = first === null || last === null || first === last ? '' : `, ${duration(last - first)}`
  return `: ${plural(nodes.length, 'entry', 'entries')}${took}`
}

/** The name of a subagent; with the start of its id where others have the same name. */
function nameOf(graph: Graph, { id, name, domain }: Agent): string {
  const isShared = graph.agents().some(other => other.name === name && other.domain.index !== domain.index)
  const short = id.replace(/^inline-/, '').slice(0, 6)
  return cleanLine(isShared ? `${name}#${short}` : name)
}

function entryText(console: Console, scene: TailScene, node: number, room: number): string {
  const { graph, contents } = scene
  const line = graph.lineOf(node)
  const actor = graph.actor(node)
  const summary = contents.summary(node)
  const who = speakerOf(graph, line, actor, summary.kind === 'prompt')
  const end = line === null || line.status === 'live' ? '' : `  [${line.status} ${markOf(line)}]`
  return spokenText(console, { who, actor, summary, end, room, isFaint: end !== '' })
}

function markOf(line: Line): string {
  return line.kind === 'branch' ? shortLine(line) : line.kind
}

/** A1: in the conversation of a subagent, every speaker is named with it, because several may run at once. */
function speakerOf(graph: Graph, line: Line | null, actor: Actor, isPrompt: boolean): string {
  const agent = agentOn(graph, line)
  if (agent === undefined) return cleanLine(actorName(actor))
  const name = nameOf(graph, agent)
  if (isPrompt) return `${cleanLine(actorName(actor))} → ${name}`
  return actor.kind === 'agent' ? name : `${name} · ${actorName(actor)}`
}

/** An event as an object: an entry has the fields of a row of `log`, everything else an `event`. */
export function eventFacts(scene: TailScene, event: SessionEvent): TailJson {
  const { graph, session } = scene
  if (!('node' in event)) {
    const { kind, time } = event
    return { session, event: kind, time: isoTime(time), text: cleanLine(event.text) }
  }
  const facts = entryFacts(scene, event.node)
  if (event.kind === 'entry') return facts
  const agent = 'agent' in event ? { agent: event.agent.id } : {}
  const line = 'line' in event ? { left: event.left.map(left => left.line.id) } : {}
  const isRow = event.kind === 'compaction'
  const fields = { event: event.kind, text: eventText(scene, event), ...agent, ...line }
  if (isRow) return { ...facts, ...fields }
  const { time } = graph.node(event.node)
  const at = 'line' in event ? event.line.id : (graph.lineOf(event.node)?.id ?? null)
  return { session, node: graph.id(event.node), line: at, time: isoTime(time), ...fields }
}

function entryFacts(
  { graph, contents, session }: TailScene,
  at: number,
): LogRowJson & { readonly session: string } {
  const node = graph.node(at)
  const line = graph.lineOf(at)
  const summary = contents.summary(at)
  return {
    session,
    node: node.id,
    parent: node.parent,
    line: line?.id ?? null,
    // Rows are printed as they come: nothing is drawn that could have a lane.
    lane: null,
    depth: agentOn(graph, line)?.depth ?? 0,
    actor: actorName(graph.actor(at)),
    kind: summary.kind,
    time: isoTime(node.time),
    live: isLive(graph, at),
    text: summary.text,
    agent: node.agent,
  }
}
