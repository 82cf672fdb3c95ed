/**
 * The conversation graph of a project: a value to ask. Everything is computed when it is first asked for and kept;
 * `append` gives the next graph at a cost in proportion to what was appended.
 *
 *   const graph = buildGraph([{ facts, rows }])
 *   graph.lines()         every trunk, branch and agent, each node on exactly one
 *   graph.live(path)      what the next request of that file would carry
 *   graph.contextAt(id)   what the request behind an answer carried
 *   graph.forks()         every node with several children, with its verdict and evidence
 *   graph.explain(id)     why a node is where it is
 */

import type { Diagnostic } from '../model/diagnostic.js'
import type { Usage } from '../model/entry.js'
import { groupBy } from '../model/group.js'
import {
  type AgentId,
  type EntryId,
  entryId,
  type FileId,
  type Instant,
  instant,
  type MessageId,
  type SessionId,
  type ToolUseId,
} from '../model/ids.js'
import type { ParsedRow } from '../model/row.js'
import type { FileFacts } from '../model/source.js'
import { type Actor, actorOf, type Speakers } from './actors.js'
import { addRow } from './add-rows.js'
import { type Agent, type AgentSpawn, findAgents } from './agents.js'
import { subtypeOf } from './compactions.js'
import { type Context, clearedIn, contextAt, contextsIn } from './contexts.js'
import { diagnose } from './diagnose.js'
import { domainOf } from './domains.js'
import { findEdges, type TypedEdge } from './edges.js'
import { type Epoch, findEpochs } from './epochs.js'
import { type Because, explainNode } from './explain.js'
import { entriesIn, type FileRecord, type OpenFile } from './file-record.js'
import { type Fork, findForks, isRewind } from './fork-list.js'
import { type Layout, type Line, layOutLines } from './lines.js'
import { linkRows } from './link.js'
import { liveOf } from './live-memory.js'
import { messageIdOf, usageOf } from './messages.js'
import { nameOf } from './names.js'
import { findOperations, type Operation } from './operations.js'
import { compareTimes, currentFile, filesInOrder } from './order.js'
import { type QueueStep, replayQueue, stepsByNode } from './queue.js'
import { findSessions, type Session, type SessionLinkKind } from './sessions.js'
import { fileOf, isPlaced, sessionOf, sightingOf } from './sightings.js'
import { createState, lendState, openFile, type State } from './state.js'
import * as t from './table.js'
import { callsOf, findTool, resultsOf, summariseTools, type ToolSummary, toolId, toolsOf } from './tools.js'
import { findTurnStarts, isLocal } from './turns.js'
import { findWorkflows, type WorkflowRun } from './workflows.js'

/** A file and its rows, or the rows that were appended to it. */
export interface FileRows {
  readonly facts: FileFacts
  readonly rows: Iterable<ParsedRow>
}

/** A node: one entry of the conversation, identified by its uuid. */
export interface GraphNode {
  readonly id: EntryId
  readonly kind: (typeof t.kinds)[number]
  /** The subtype of system, attachment, progress and unknown entries; the meaning of user entries. */
  readonly type: string
  readonly parent: EntryId | null
  readonly session: SessionId
  readonly agent: AgentId | null
  readonly file: FileId
  /** From 1. */
  readonly row: number
  /** Where its row begins, and how long it is, in bytes. */
  readonly offset: number
  readonly length: number
  readonly time: Instant | null
  readonly version: string
  readonly message: MessageId | null
  /** The first words of a prompt, as far as they are kept; the whole text is in the file. */
  readonly head: string | null
}

/** A node from which another session goes on, and how. */
export interface SessionJunction {
  readonly at: number
  readonly session: SessionId
  readonly how: SessionLinkKind
}

/** A tool id with the sightings that call it and those that answer it. */
export interface ToolEnds {
  readonly id: ToolUseId
  readonly calls: readonly number[]
  readonly results: readonly number[]
}

/** A copy: it is on no line, and is kept under the node that it repeats. */
export interface Folded {
  readonly node: number
  readonly under: number
  readonly why: 'replay' | 'copy'
}

/** Counts of files, rows and nodes. */
export interface Totals {
  readonly files: number
  readonly bytes: number
  readonly rows: number
  readonly entries: number
  readonly blank: number
  readonly damaged: number
  /** `rows + joined = entries + blank + damaged + continuation`, always. */
  readonly continuation: number
  readonly joined: number
  readonly pieces: number
  readonly nodes: number
  readonly placed: number
  readonly folded: number
  readonly forks: number
  readonly rewinds: number
}

/** Rows are added to a builder as they are read; `build` links them. */
export interface GraphBuilder {
  readonly addRow: (facts: FileFacts, row: ParsedRow) => void
  /** Tells the size of a file, also of one without any row. */
  readonly addFile: (facts: FileFacts, bytes: number) => void
  readonly build: () => Graph
}

/**
 * Builds a graph from the rows of files, in any order. Rows come from `parseTranscript` or `parseRow`.
 *
 *   buildGraph([{ facts: { path: fileId('s1.jsonl'), kind: 'session', ... }, rows: parseTranscript(text) }])
 */
export function buildGraph(files: Iterable<FileRows>): Graph {
  return addAll(startGraph(), files).build()
}

function addAll(builder: GraphBuilder, files: Iterable<FileRows>): GraphBuilder {
  for (const { facts, rows } of files) for (const row of rows) builder.addRow(facts, row)
  return builder
}

/** Returns a builder to add rows to as they are read: of a new graph, or of the next one of `base`, as `appendRows` makes it. */
export function startGraph(base?: Graph): GraphBuilder {
  const state = base === undefined ? createState() : takeState(base)
  let facts: FileFacts | null = null
  let file: OpenFile | null = null
  const open = (wanted: FileFacts): OpenFile => {
    if (file === null || facts !== wanted) file = openFile(state, wanted)
    facts = wanted
    return file
  }
  return {
    addRow: (wanted, row) => addRow(state, open(wanted), row),
    addFile: (wanted, bytes) => {
      open(wanted).bytes = bytes
    },
    build: () => {
      linkRows(state)
      return makeGraph(state)
    },
  }
}

/**
 * Returns the graph with more rows, at a cost in proportion to them. The given graph hands its storage over: its methods
 * throw `RangeError` from then on.
 */
export function appendRows(graph: Graph, files: Iterable<FileRows>): Graph {
  return addAll(startGraph(graph), files).build()
}

/** The counts that a file and all files together have. */
type FileCount = Exclude<keyof FileRecord & keyof Totals, 'nodes'>

function superseded(): never {
  throw new RangeError('this graph was appended to: ask the graph that append returned')
}

/** Made by the class: its state is private, and so is its constructor. */
let makeGraph: (state: State) => Graph
let takeState: (graph: Graph) => State

/** Answers that are kept once they were asked for. */
interface Known {
  layout: Layout
  agents: readonly Agent[]
  forks: readonly Fork[]
  sessions: readonly Session[]
  sessionsById: ReadonlyMap<string, Session>
  tools: ToolSummary
  children: ReadonlyMap<string, readonly number[]>
  queued: ReadonlyMap<number, readonly QueueStep[]>
  speakers: Speakers
  turnStarts: ReadonlySet<number>
}

/**
 * The conversation graph of a project. Nodes are numbers, valid for the graph that gave them; `id` and `index` translate
 * between numbers and uuids. Answers are computed when they are first asked for, and kept. A graph that was appended to
 * throws `RangeError` from then on.
 *
 *   const graph = buildGraph([{ facts, rows: parseTranscript(text) }])
 *   for (const line of graph.lines()) console.log(line.kind, line.status, line.nodes.length)
 */
export class Graph {
  static {
    lendState(graph => graph.#columns)
    makeGraph = state => new Graph(state)
    takeState = graph => graph.#supersede()
  }

  #state: State | null
  #known: Partial<Known> = {}

  private constructor(state: State) {
    this.#state = state
  }

  /** Hands the columns over to the next graph. */
  #supersede(): State {
    const state = this.#columns
    this.#state = null
    this.#known = {}
    return state
  }

  get #columns(): State {
    return this.#state ?? superseded()
  }

  /** All files, in the order of their paths. */
  files(): readonly FileRecord[] {
    return filesInOrder(this.#columns)
  }

  /** The node of a uuid; null where no file that was read has it. */
  index(id: EntryId): number | null {
    const node = sightingOf(this.#columns, id)
    return node === t.none ? null : t.int(this.#columns.table.owner, node)
  }

  /** The uuid of a node; empty for a number that is not a node. */
  id(node: number): EntryId {
    return entryId(t.idOf(this.#columns.table, node))
  }

  /** A node's kind, parent, session, time and location. Throws `RangeError` for a number that is not a node. */
  node(node: number): GraphNode {
    const state = this.#columns
    const { table } = state
    const domain = domainOf(state, node)
    const message = t.int(table.message, node)
    const time = t.real(table.time, node)
    return {
      id: this.id(node),
      kind: t.kinds[t.byte(table.kind, node)] ?? 'opaque',
      type: this.#typeOf(node),
      parent: t.int(table.parent, node) === t.none ? null : this.id(t.int(table.parent, node)),
      session: sessionOf(state, node),
      agent: domain.agent,
      file: fileOf(state, node).facts.path,
      row: t.int(table.row, node),
      offset: t.real(table.offset, node),
      length: t.real(table.length, node),
      time: Number.isNaN(time) ? null : instant(time),
      version: nameOf(state.versions, t.word(table.version, node)),
      message: message === t.none ? null : messageIdOf(state, message),
      head: this.#headOf(node),
    }
  }

  #typeOf(node: number): string {
    const { table } = this.#columns
    const kind = t.byte(table.kind, node)
    if (kind === t.User) return t.meanings[t.byte(table.says, node)] ?? 'none'
    return kind === t.Assistant ? 'assistant' : subtypeOf(this.#columns, node)
  }

  #headOf(node: number): string | null {
    const entry = this.#columns.table.entries[node]
    if (entry?.kind === 'user') return entry.text?.head ?? null
    return entry?.kind === 'attachment' ? (entry.queued?.text.head ?? null) : null
  }

  /** Every node: each uuid once, in the order of files and rows. */
  *nodes(): Generator<number> {
    const { table } = this.#columns
    for (const file of this.files()) {
      for (const node of entriesIn(file)) if (t.int(table.owner, node) === node) yield node
    }
  }

  /** The nodes that name no parent, in the order of files and rows. A copy is not listed beside its original. */
  roots(): readonly number[] {
    const { table } = this.#columns
    return this.#placed(node => (table.parentIds[node] ?? null) === null)
  }

  /** G2: the nodes whose parent is in no file that was read, in the order of files and rows. */
  orphans(): readonly number[] {
    return this.#placed(node => this.#columns.orphans.has(node))
  }

  #placed(test: (node: number) => boolean): readonly number[] {
    const found: number[] = []
    for (const node of this.nodes()) if (isPlaced(this.#columns, node) && test(node)) found.push(node)
    return found
  }

  /**
   * The nodes that name this one as their parent, in the order of writing: branches, subagents and other sessions alike.
   * `forks()` says which of several are real branches.
   */
  childrenOf(node: number): readonly number[] {
    const id = this.id(node)
    this.#known.children ??= groupBy(
      this.#placed(child => (this.#columns.table.parentIds[child] ?? null) !== null),
      child => this.#columns.table.parentIds[child] ?? '',
    )
    return this.#known.children.get(id) ?? []
  }

  /** T1: the node that answers a call, by the call's id; null where no file read has a result. */
  resultOf(toolUseId: ToolUseId): number | null {
    const state = this.#columns
    const tool = findTool(state, toolUseId)
    const results = tool === t.none ? [] : resultsOf(state, tool)
    const result = results.find(node => isPlaced(state, node)) ?? results[0]
    return result === undefined ? null : this.originalOf(t.int(state.table.owner, result))
  }

  /** L1: every trunk, branch and subagent. Each node is on exactly one line, or folded under a node that is. */
  lines(): readonly Line[] {
    return this.layout().lines
  }

  /** The lines, and a column with the index of each node's line: for programs that look up very many nodes. */
  layout(): Layout {
    this.#known.layout ??= layOutLines(this.#columns, this.agents())
    return this.#known.layout
  }

  /** The line that a node is on; that of the original for a copy; null for a node without a line. */
  lineOf(node: number): Line | null {
    const placed = isPlaced(this.#columns, node) ? node : this.originalOf(node)
    return this.layout().lines[t.int(this.layout().lineOf, placed)] ?? null
  }

  /** L12: the line that the branch of a line begins with: an abandoned branch goes on over its own forks. */
  branchStart(line: Line): Line {
    let start = line
    for (;;) {
      const above = start.kind === 'branch' && start.at !== null ? this.lineOf(start.at) : null
      const isOne =
        above?.status === 'abandoned' && start.status === 'abandoned' && above.next === start.index
      if (!isOne) return start
      start = above
    }
  }

  /** S6: whether a turn begins with a node: a prompt, or a command that the model answered. */
  startsTurn(node: number): boolean {
    return this.#turnStarts().has(node)
  }

  /** S6: whether a local command wrote a node, such as `/exit` or its output: it belongs to no turn. */
  isLocal(node: number): boolean {
    return isLocal(this.#columns, node, this.#turnStarts())
  }

  #turnStarts(): ReadonlySet<number> {
    this.#known.turnStarts ??= findTurnStarts(this.#columns, this.lines())
    return this.#known.turnStarts
  }

  /** G7: the node that a copy repeats; the node itself where it is not a copy. */
  originalOf(node: number): number {
    const original = t.int(this.#columns.table.copyOf, node)
    return original === t.none ? node : original
  }

  /** The file in which a session goes on: of several the one with the newest entry; null for a session without files. */
  currentFile(session: SessionId): FileRecord | null {
    return currentFile(this.#columns, this.session(session)?.files ?? [], session)
  }

  /**
   * L3: the `user` and `assistant` nodes that the next request of a file carries, in the order of sending. They may stand in
   * several files where the conversation began in another one. Empty for a path that is not in the graph.
   */
  live(path: FileId): readonly number[] {
    const file = this.#columns.files[this.#columns.fileByPath.get(path) ?? t.none]
    return file === undefined ? [] : liveOf(this.#columns, file)
  }

  /**
   * L13: what the request behind an answer carried, by any entry of the answer; null for an entry that is not an answer of
   * the model. `contextEntries` lists it. A sighting in a copy of a session has the context of the copy.
   */
  contextAt(node: number): Context | null {
    return contextAt(this.#columns, node)
  }

  /** L15: results that a request carried without their content, which had been cleared before. */
  clearedIn(context: Context): readonly number[] {
    return clearedIn(this.#columns, context)
  }

  /**
   * L13: the contexts of all answers in a file, in the order of rows. Each holds what it has more than an earlier one, so all
   * of them together cost about as much as the last. Empty for a path that is not in the graph.
   */
  contexts(path: FileId): readonly Context[] {
    const file = this.#columns.files[this.#columns.fileByPath.get(path) ?? t.none]
    return file === undefined ? [] : contextsIn(this.#columns, file)
  }

  /** Every node with several children, with the verdict on it: a rewind, parallel tool calls, a retry, and so on. */
  forks(): readonly Fork[] {
    this.#known.forks ??= findForks(this.#columns)
    return this.#known.forks
  }

  /** The forks that a node is the parent or a child of. */
  forksAbout(node: number): readonly Fork[] {
    return this.forks().filter(fork => fork.at === node || fork.children.includes(node))
  }

  /** Every subagent with its state and the call that started it. */
  agents(): readonly Agent[] {
    this.#known.agents ??= findAgents(this.#columns)
    return this.#known.agents
  }

  /** The call that started a subagent; null where it is not known. */
  spawnOf(agent: AgentId): AgentSpawn | null {
    return this.agents().find(known => known.id === agent)?.spawnedBy ?? null
  }

  /** All sessions by their first time, each with its title, its files and the session that it goes on from. */
  sessions(): readonly Session[] {
    this.#known.sessions ??= findSessions(this.#columns)
    return this.#known.sessions
  }

  /** The session with this id; null where the graph has none. */
  session(id: SessionId): Session | null {
    this.#known.sessionsById ??= new Map(this.sessions().map(session => [session.id, session]))
    return this.#known.sessionsById.get(id) ?? null
  }

  /** C3: every compaction, in the order of files and rows, with what the transcript says of it. */
  epochs(): readonly Epoch[] {
    return findEpochs(this.#columns)
  }

  /** Q1: the operations on the queue of typed messages, by file, each with what became of its text. */
  queues(): readonly { readonly file: FileRecord; readonly steps: readonly QueueStep[] }[] {
    return filesInOrder(this.#columns)
      .filter(file => file.queue.length > 0)
      .map(file => ({ file, steps: replayQueue(this.#columns, file) }))
  }

  /** Q1: the queue operations that became a node: when its text was queued, and when it was delivered. */
  queueOf(node: number): readonly QueueStep[] {
    this.#known.queued ??= stepsByNode(this.queues().flatMap(({ steps }) => steps))
    return this.#known.queued.get(node) ?? []
  }

  /** A6: every workflow run with its phases, its subagents and its state. */
  workflows(): readonly WorkflowRun[] {
    return findWorkflows(this.#columns)
  }

  /** T1: how many tool calls and results there are, and which of them have no counterpart. */
  tools(): ToolSummary {
    this.#known.tools ??= summariseTools(this.#columns)
    return this.#known.tools
  }

  /** T1: the tool ids that a node calls or answers, each with the nodes that call and those that answer. */
  toolEnds(node: number): readonly ToolEnds[] {
    const state = this.#columns
    return toolsOf(state, node).map(tool => ({
      id: toolId(state, tool),
      calls: callsOf(state, tool),
      results: resultsOf(state, tool),
    }))
  }

  /** T3: the token usage of each API message, once, however many rows and copies it has. */
  *usage(): Generator<{ readonly message: MessageId; readonly usage: Usage }> {
    const { messages } = this.#columns
    for (const [index, message] of messages.names.list.entries()) {
      const usage = usageOf(messages, index)
      if (usage !== null) yield { message, usage }
    }
  }

  /** G5: relations between nodes other than that of parent and child. */
  edges(): Generator<TypedEdge> {
    return findEdges(this.#columns, this.agents())
  }

  /** C6: what people did to the conversation: compactions, rewinds, clears, forks, resumes and moves, by time. */
  operations(): readonly Operation[] {
    return findOperations(this.#columns, {
      sessions: this.sessions(),
      epochs: this.epochs(),
      forks: this.forks(),
    })
  }

  /** S2: the nodes from which another session goes on, by the time of that session. */
  junctions(): readonly SessionJunction[] {
    const { time } = this.#columns.table
    const begun = ({ domain }: Session): number => t.real(time, domain?.roots[0] ?? t.none)
    const attached = this.sessions().filter(({ parent }) => parent !== null)
    return attached
      .sort((a, b) => compareTimes(begun(a), begun(b)))
      .flatMap(({ id, parent }) => (parent === null ? [] : [{ at: parent.at, session: id, how: parent.how }]))
  }

  /** G7: the copies, each with the node that it repeats. */
  folded(): readonly Folded[] {
    const { table } = this.#columns
    const folded: Folded[] = []
    for (const file of this.files()) {
      for (const node of entriesIn(file)) {
        const under = t.int(table.copyOf, node)
        if (under === t.none || t.int(table.owner, node) !== node) continue
        folded.push({ node, under, why: t.marked(table, node, t.Stamped) ? 'copy' : 'replay' })
      }
    }
    return folded
  }

  /** A1: who speaks in a node: a person, Claude, a subagent, a tool or the client. */
  actor(node: number): Actor {
    this.#known.speakers ??= this.#findSpeakers()
    return actorOf(this.#columns, node, this.#known.speakers)
  }

  #findSpeakers(): Speakers {
    const names = new Map(this.agents().map(agent => [agent.domain.index, agent.name]))
    const callers = new Map<number, Actor>()
    for (const { domain, at } of this.agents()) {
      const above = at === null ? null : domainOf(this.#columns, at)
      if (above?.kind === 'agent')
        callers.set(domain.index, { kind: 'agent', name: names.get(above.index) ?? 'unknown' })
    }
    return { names, callers }
  }

  /** Everything odd in the files, by file and row, each with one sentence that says what to make of it. */
  diagnostics(): readonly Diagnostic[] {
    const [agents, forks, tools, queues] = [this.agents(), this.forks(), this.tools(), this.queues()]
    return diagnose(this.#columns, { agents, forks, tools, queues, layout: this.layout() })
  }

  /** Why a node is on its line and live or not: rules of docs/SPEC.md, each with its evidence. */
  explain(node: number): readonly Because[] {
    return explainNode(this, node)
  }

  /** Counts over all files. `placed + folded = nodes` always holds. */
  totals(): Totals {
    const files = this.files()
    const sum = (name: FileCount): number => files.reduce((total, file) => total + file[name], 0)
    let nodes = 0
    for (const _ of this.nodes()) nodes++
    const forks = this.forks()
    return {
      files: files.length,
      bytes: sum('bytes'),
      rows: sum('rows'),
      entries: sum('entries'),
      blank: sum('blank'),
      damaged: sum('damaged'),
      continuation: sum('continuation'),
      joined: sum('joined'),
      pieces: sum('pieces'),
      nodes,
      placed: this.lines().reduce((total, line) => total + line.nodes.length, 0),
      folded: this.folded().length,
      forks: forks.length,
      rewinds: forks.filter(isRewind).length,
    }
  }
}
