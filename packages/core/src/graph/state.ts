/**
 * What a graph is made of: the table of sightings, the files, and the names that were seen. add-rows.ts fills it, link.ts
 * links it. Only files of this folder see it.
 */

import type { Diagnostic } from '../model/diagnostic.js'
import type { ToolCall } from '../model/entry.js'
import type { SessionId } from '../model/ids.js'
import type { FileFacts } from '../model/source.js'
import type { CompactionRecord, OpenCompaction } from './compactions.js'
import { createDomains, type DomainIndex } from './domains.js'
import { createFile, type OpenFile } from './file-record.js'
import type { Graph } from './graph.js'
import type { LiveMemory } from './live-memory.js'
import { createMessages, type MessageIndex } from './messages.js'
import { createNames, createSlots, type Names, type Slots } from './names.js'
import * as t from './table.js'
import { createTools, type ToolIndex } from './tools.js'

/** A call that starts an agent, and the entry it stands in. */
export interface SpawnCall {
  readonly node: number
  readonly call: ToolCall
}

export interface State {
  readonly table: t.Table
  readonly files: OpenFile[]
  readonly fileByPath: Map<string, number>
  /** The files in the order of their paths; null until somebody asks, and after a file was added. */
  filesByPath: readonly OpenFile[] | null
  /** The first sighting of each uuid; more follow by `sameId`. */
  readonly byId: Slots
  readonly sessions: Names<SessionId>
  readonly versions: Names
  readonly subtypes: Names
  readonly messages: MessageIndex
  /** Which compactions keep or follow a sighting. */
  readonly keptBy: Map<number, CompactionRecord[]>
  /** The compaction that a boundary or summary belongs to. */
  readonly compactionOf: Map<number, OpenCompaction>
  readonly tools: ToolIndex
  /** Sightings whose results or progress name an agent. */
  readonly spawns: number[]
  /** Calls that start agents, in the order of reading. */
  readonly spawnCalls: SpawnCall[]
  /** Uuids that are named as a parent but were not read yet, with the entries that wait for them. */
  readonly wanted: Map<string, number[]>
  /** Uuids that compactions name and that were not read yet. */
  readonly named: Set<string>
  readonly orphans: Set<number>
  /** G2: entries that name no parent and do not begin a conversation, with the entry they go on from. */
  readonly adopted: Map<number, number>
  readonly cuts: number[]
  /** Links over compactions or copies that closed a cycle, with where they led. */
  readonly upCuts: Map<number, number>
  /** Time and text hash of every user entry without a parent. */
  readonly rootLooks: Set<string>
  /** Nodes that have copies, and uuids that fork stamps name. */
  readonly originals: Set<number>
  readonly stamps: Set<string>
  readonly shared: Set<string>
  domains: DomainIndex
  /** Copied turns by the original they were hung on. */
  readonly replays: Map<number, number[]>
  /** How many sightings are linked; the rest waits for `linkRows`. */
  linked: number
  readonly diagnostics: Diagnostic[]
  /** Live conversations by file, with the number of sightings they were computed at. */
  readonly live: Map<number, LiveMemory>
  /** Something was added that may change what is already linked. */
  stale: boolean
}

/** A graph of nothing. */
export function createState(): State {
  return {
    table: t.createTable(),
    files: [],
    fileByPath: new Map(),
    filesByPath: null,
    byId: createSlots(),
    sessions: createNames(),
    versions: createNames(),
    subtypes: createNames(),
    messages: createMessages(),
    keptBy: new Map(),
    compactionOf: new Map(),
    tools: createTools(),
    spawns: [],
    spawnCalls: [],
    wanted: new Map(),
    named: new Set(),
    orphans: new Set(),
    adopted: new Map(),
    cuts: [],
    upCuts: new Map(),
    rootLooks: new Set(),
    originals: new Set(),
    stamps: new Set(),
    shared: new Set(),
    domains: createDomains(),
    replays: new Map(),
    linked: 0,
    diagnostics: [],
    live: new Map(),
    stale: false,
  }
}

/** The file's record, made when it is first heard of. */
export function openFile(state: State, facts: FileFacts): OpenFile {
  const known = state.fileByPath.get(facts.path)
  const file = known === undefined ? undefined : state.files[known]
  if (file !== undefined) return file
  const made = createFile(state.files.length, facts)
  state.fileByPath.set(facts.path, made.index)
  state.files.push(made)
  state.filesByPath = null
  return made
}

let readState: (graph: Graph) => State = () => {
  throw new RangeError('no graph was built yet')
}

/** The state of a graph. Throws where the graph was appended to. */
export function stateOf(graph: Graph): State {
  return readState(graph)
}

/** The class `Graph` keeps its state private and lends it to this folder alone. */
export function lendState(read: (graph: Graph) => State): void {
  readState = read
}
