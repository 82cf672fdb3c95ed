/** What the rows of a file group are made of: its graph, and what only the index knows of it. */

import type { Agent } from '../graph/agents.js'
import type { Domain } from '../graph/domains.js'
import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { fileOf, messageIdOf, messageOf, nodeCount, none } from '../graph/nodes.js'
import type { SessionLinkKind } from '../graph/sessions.js'
import type { Prices } from '../measure/prices.js'
import { turnsOf } from '../measure/scope.js'
import { lineSession } from '../measure/usage-messages.js'
import type { UsageRow } from '../model/billing.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { lazily } from '../model/group.js'
import { entryId } from '../model/ids.js'
import type { RowContent } from '../protocol/content.js'
import { labelNodes, type NodeLabels } from '../view/labels.js'

/** A session in figures, as lists show it. */
export interface TabulatedSession {
  readonly session: string
  readonly project: string
  readonly cwd: string | null
  readonly title: string | null
  /** The first words that were typed. */
  readonly prompt: string | null
  readonly file: string | null
  /** Milliseconds since 1970; null where no row is dated. */
  readonly first: number | null
  readonly last: number | null
  readonly turns: number
  readonly branches: number
  readonly agents: number
  /** Calls for agents of which no transcript was kept. */
  readonly called: number
  readonly compactions: number
  readonly bytes: number
  readonly problems: number
  readonly isIdle: boolean
  readonly isCleared: boolean
  readonly archivedOnly: boolean
  readonly parent: { readonly session: string; readonly at: string; readonly how: SessionLinkKind } | null
}

/** A file that a tool call names. */
export interface FileTouch {
  readonly path: string
  readonly tool: string
  /** The entry with the call. */
  readonly node: string
}

/** A transcript, as far as the graph does not know it. */
interface TranscriptFacts {
  readonly project: string
  readonly isArchived: boolean
}

/** A part of a graph: what rows are made of where they are not those of the whole file group. */
interface TablePart {
  readonly nodes: readonly number[]
  readonly lines: readonly Line[]
  readonly transcripts: readonly FileRecord[]
  /** Each message once, as `usage` counts it. */
  readonly usage: readonly UsageRow[]
  readonly touches: readonly FileTouch[]
  /** What entries say. */
  readonly contents: () => Iterable<RowContent>
}

/** The rows of a file group come from these. */
interface TableSource {
  readonly graph: Graph
  /** The folder that the transcripts are in. */
  readonly root: string
  /** The transcripts, by their paths below the root. */
  readonly files: ReadonlyMap<string, TranscriptFacts>
  readonly sessions: readonly TabulatedSession[]
  readonly prices: Prices
  /** Each message once, as `usage` counts it. */
  readonly usage: readonly UsageRow[]
  readonly touches: readonly FileTouch[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The same, with what several tables look up. */
export interface TableContext extends TableSource {
  readonly nodes: () => Iterable<number>
  readonly lines: () => readonly Line[]
  readonly transcripts: () => readonly FileRecord[]
  /** What entries say: nothing where only the index is asked. */
  readonly contents: () => Iterable<RowContent>
  readonly labels: () => NodeLabels
  readonly agentOf: (line: Line | null) => Agent | null
  readonly domainOf: (index: number) => Domain | undefined
  /** The node that begins the turn of a node; `none` where it is in no turn. */
  readonly turnOf: (node: number) => number
  /** The first node of each message, by its id. */
  readonly firstOf: (message: string) => number
  readonly usageOf: (message: string) => UsageRow | null
  /** The project of the transcript that owns a node. */
  readonly projectOf: (node: number) => string
  readonly sessionOf: (line: Line | null, node: number) => string
  /** The node of a uuid, or `none`. */
  readonly nodeNamed: (id: string) => number
}

/** Opens the tables of a file group. Nothing is computed yet. */
export function openTables(source: TableSource): TableContext {
  const { graph, files } = source
  const agents = lazily(() => new Map(graph.agents().map(agent => [agent.domain.index, agent])))
  const domains = lazily(() => new Map(graph.lines().map(({ domain }) => [domain.index, domain])))
  const turns = lazily(() => turnStarts(graph))
  const firsts = lazily(() => firstNodes(graph))
  const sessions = lazily(() => graph.lines().map(line => lineSession(graph, line)))
  return {
    ...source,
    nodes: () => graph.nodes(),
    lines: () => graph.lines(),
    transcripts: () => graph.files(),
    contents: () => [],
    labels: lazily(() => labelNodes(graph)),
    agentOf: line => (line === null ? null : (agents().get(line.domain.index) ?? null)),
    domainOf: index => domains().get(index),
    turnOf: node => turns()[node] ?? none,
    firstOf: message => firsts().get(message) ?? none,
    usageOf: usageReader(source.usage),
    projectOf: node => files.get(fileOf(graph, node).facts.path)?.project ?? '',
    nodeNamed: id => graph.index(entryId(id)) ?? none,
    sessionOf: (line, node) =>
      line === null ? graph.node(node).session : (sessions()[line.index] ?? line.domain.session),
  }
}

/** The tables of a part. What was computed for the whole serves all of its parts. */
export function tablesOfPart(whole: TableContext, part: TablePart): TableContext {
  const { nodes, lines, transcripts, usage } = part
  return {
    ...whole,
    ...part,
    nodes: () => nodes,
    lines: () => lines,
    transcripts: () => transcripts,
    usageOf: usageReader(usage),
  }
}

function usageReader(rows: readonly UsageRow[]): TableContext['usageOf'] {
  const usage = lazily(() => new Map(rows.map(row => [row.message, row])))
  return message => usage().get(message) ?? null
}

function turnStarts(graph: Graph): Int32Array {
  const starts = new Int32Array(nodeCount(graph)).fill(none)
  for (const line of graph.lines())
    for (const { prompt, nodes } of turnsOf(graph, line)) for (const node of nodes) starts[node] = prompt
  return starts
}

/** Nodes on lines come first: a copy stands for a message only where nothing else does. */
function firstNodes(graph: Graph): ReadonlyMap<string, number> {
  const firsts = new Map<string, number>()
  const add = (node: number): void => {
    const message = messageOf(graph, node)
    if (message === none) return
    const id = messageIdOf(graph, message)
    if (!firsts.has(id)) firsts.set(id, node)
  }
  for (const { nodes } of graph.lines()) nodes.forEach(add)
  for (const node of graph.nodes()) add(node)
  return firsts
}
