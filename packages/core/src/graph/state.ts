/**
 * What a graph is made of: the table of sightings, the files, and the names that were seen. `addRecord` is the
 * only way in; it files a record and decides nothing. Linking is `settle.ts`'s work.
 */
import type { Diagnostic } from '../model/diagnostic.js'
import type { Entry, Note, QueueNote, TitleNote, ToolCall, TranscriptRecord, Usage } from '../model/entry.js'
import type { ParsedRow } from '../model/row.js'
import type { FileFacts } from '../model/source.js'
import type { CompactionRecord } from './compactions.js'
import type { DomainBook } from './domains.js'
import type { Verdict } from './forks/verdict.js'
import * as t from './table.js'

/** A file and what was read of it. */
export interface FileRecord {
  readonly index: number
  readonly facts: FileFacts
  /** Sightings in the order of rows; repeated rows are left out. */
  readonly nodes: number[]
  readonly queue: QueueNote[]
  readonly titles: TitleNote[]
  /** Rows on which a writing process ended, by either mark. */
  readonly costStates: number[]
  readonly lastPrompts: number[]
  readonly repeats: number[]
  rows: number
  entries: number
  blank: number
  damaged: number
  bytes: number
  /** Time of the first dated row, entry or note: which of two copies is the original. */
  firstTime: number
  /** Time of the first dated note. Notes are never copied. */
  firstNote: number
  stamped: boolean
  background: boolean
  cwd: string | null
  compactions: CompactionRecord[]
}

/** Calls and results that share a tool id; sightings of all files. */
export interface ToolRecord {
  readonly calls: number[]
  readonly results: number[]
}

/** A call that starts an agent, and the entry it stands in. */
export interface SpawnCall {
  readonly node: number
  readonly call: ToolCall
}

export interface State {
  readonly table: t.Table
  readonly files: FileRecord[]
  readonly fileByPath: Map<string, number>
  /** The first sighting of each uuid; more follow by `sameId`. */
  readonly byId: Map<string, number>
  readonly sessions: Names
  readonly versions: Names
  readonly subtypes: Names
  readonly messages: Names
  readonly firstPart: number[]
  readonly lastPart: number[]
  /** T3: the usage of each message, by its largest output. */
  readonly usage: (Usage | undefined)[]
  /** Which compactions keep or follow a sighting. */
  readonly keptBy: Map<number, CompactionRecord[]>
  readonly tools: Map<string, ToolRecord>
  /** Sightings whose results or progress name an agent. */
  readonly spawns: number[]
  /** Calls that start agents, in the order of reading. */
  readonly spawnCalls: SpawnCall[]
  /** Uuids that are named as a parent but were never read. */
  readonly wanted: Set<string>
  readonly orphans: Set<number>
  readonly cuts: number[]
  readonly shared: Set<string>
  domains: DomainBook
  /** Settled verdicts by the node they are about (roots by `rootsKey`); dropped when something below changes. */
  readonly verdicts: Map<number, Verdict>
  /** Copied turns by the original they were hung on. */
  readonly replays: Map<number, number[]>
  /** How many sightings are linked; the rest waits for `settle`. */
  settled: number
  readonly findings: Diagnostic[]
  /** Live conversations by file, with the number of sightings they were computed at. */
  readonly live: Map<number, { readonly at: number; readonly nodes: readonly number[] }>
  /** Something was added that may change what is already linked. */
  stale: boolean
}

/** Strings as small integers. */
export interface Names {
  readonly list: string[]
  readonly index: Map<string, number>
}

/** An empty list of names. */
export function createNames(): Names {
  return { list: [], index: new Map() }
}

/** The number of a name, given once. */
export function intern(names: Names, name: string): number {
  const known = names.index.get(name)
  if (known !== undefined) return known
  names.index.set(name, names.list.length)
  return names.list.push(name) - 1
}

/** The name behind a number. */
export function nameOf(names: Names, index: number): string {
  return names.list[index] ?? ''
}

/** A graph of nothing. */
export function createState(): State {
  return {
    table: t.createTable(),
    files: [],
    fileByPath: new Map(),
    byId: new Map(),
    sessions: createNames(),
    versions: createNames(),
    subtypes: createNames(),
    messages: createNames(),
    firstPart: [],
    lastPart: [],
    usage: [],
    keptBy: new Map(),
    tools: new Map(),
    spawns: [],
    spawnCalls: [],
    wanted: new Set(),
    orphans: new Set(),
    cuts: [],
    shared: new Set(),
    domains: { list: [], index: new Map() },
    verdicts: new Map(),
    replays: new Map(),
    settled: 0,
    findings: [],
    live: new Map(),
    stale: false,
  }
}

/** The file's record, made when it is first heard of. */
export function openFile(state: State, facts: FileFacts): FileRecord {
  const known = state.fileByPath.get(facts.path)
  const file = known === undefined ? undefined : state.files[known]
  if (file !== undefined) return file
  const made = createFile(state.files.length, facts)
  state.fileByPath.set(facts.path, made.index)
  state.files.push(made)
  return made
}

function createFile(index: number, facts: FileFacts): FileRecord {
  return {
    index,
    facts,
    nodes: [],
    queue: [],
    titles: [],
    costStates: [],
    lastPrompts: [],
    repeats: [],
    rows: 0,
    entries: 0,
    blank: 0,
    damaged: 0,
    bytes: 0,
    firstTime: Number.NaN,
    firstNote: Number.NaN,
    stamped: false,
    background: false,
    cwd: null,
    compactions: [],
  }
}

/** The file a sighting stands in. */
export function fileOf(state: State, node: number): FileRecord {
  const file = state.files[t.int(state.table.file, node)]
  if (file === undefined) throw new RangeError(`sighting ${node} outside 0..${state.table.size - 1}`)
  return file
}

/** P1: files one row: its records, and what was odd about it. */
export function addRow(state: State, file: FileRecord, row: ParsedRow): void {
  file.rows = row.row
  file.entries += row.records.length
  if (row.state === 'blank') file.blank++
  else if (row.state === 'damaged') file.damaged++
  for (const record of row.records) addRecord(state, file, record)
  for (const finding of row.findings) {
    state.findings.push({ ...finding, file: file.facts.path, row: row.row, node: null })
  }
}

/** Files one record. */
export function addRecord(state: State, file: FileRecord, record: TranscriptRecord): void {
  const first = Number.isNaN(file.firstTime)
  if (first && record.time !== null) {
    file.firstTime = record.time
    if (file.nodes.length > 0) state.stale = true
  }
  if ('id' in record) addEntry(state, file, record)
  else addNote(file, record)
}

function addNote(file: FileRecord, note: Note): void {
  if (Number.isNaN(file.firstNote) && note.time !== null) file.firstNote = note.time
  if (note.kind === 'queue') file.queue.push(note)
  else if (note.kind === 'title') file.titles.push(note)
  else if (note.kind === 'process-end') {
    const ends = note.by === 'cost-state' ? file.costStates : file.lastPrompts
    ends.push(note.source.row)
  }
}

function addEntry(state: State, file: FileRecord, entry: Entry): void {
  const { table } = state
  const node = t.takeRow(table)
  writeCells(state, file, entry, node)
  if (!fileSighting(state, file, node)) {
    file.repeats.push(node)
    return
  }
  file.nodes.push(node)
  file.cwd ??= entry.cwd
  file.stamped ||= entry.forkedFrom !== null
  file.background ||= entry.background
  if (entry.kind === 'assistant') addParts(state, entry, node)
  if (entry.kind === 'user') addResults(state, entry, node)
  if (entry.kind === 'progress' && entry.spawned !== null) state.spawns.push(node)
}

function writeCells(state: State, file: FileRecord, entry: Entry, node: number): void {
  const { table } = state
  const id: string = entry.id
  table.ids[node] = id
  table.parentIds[node] = entry.parent
  table.entries[node] = saysMore(entry) ? entry : null
  table.kind[node] = t.kinds.indexOf(entry.kind)
  table.says[node] = entry.kind === 'user' ? t.meanings.indexOf(entry.says) : 0
  table.marks[node] = marksOf(entry)
  table.subtype[node] = 'subtype' in entry ? intern(state.subtypes, entry.subtype) : 0
  table.file[node] = file.index
  table.row[node] = entry.source.row
  table.offset[node] = entry.source.offset
  table.length[node] = entry.source.length
  table.time[node] = entry.time ?? Number.NaN
  table.session[node] = intern(state.sessions, entry.session ?? file.facts.session ?? file.facts.path)
  table.version[node] = intern(state.versions, entry.version ?? '')
  table.print[node] = 'text' in entry && entry.text !== null ? entry.text.hash : 0
  table.owner[node] = node
}

/** Whether the columns cannot hold all that linking asks of the entry. */
function saysMore(entry: Entry): boolean {
  if (entry.forkedFrom !== null || entry.nesting !== null) return true
  switch (entry.kind) {
    case 'assistant':
      return entry.calls.length > 0
    case 'user':
      return entry.says !== 'meta'
    case 'system':
      return entry.compaction !== null
    case 'attachment':
      return entry.queued !== null
    case 'progress':
      return entry.spawned !== null
    default:
      return false
  }
}

function marksOf(entry: Entry): number {
  let marks = 0
  if (entry.sidechain) marks |= t.Sidechain
  if (entry.active === true) marks |= t.Active
  if (entry.forkedFrom !== null) marks |= t.Stamped
  if (entry.background) marks |= t.Background
  if (entry.kind === 'assistant') {
    if (entry.apiError) marks |= t.ApiError
    if (entry.synthetic) marks |= t.Synthetic
    if (entry.thinkingOnly) marks |= t.ThinkingOnly
    if (entry.calls.length > 0) marks |= t.HasCalls
  }
  if (entry.kind === 'system' && entry.compaction !== null) marks |= t.Boundary
  if (entry.kind === 'attachment' && entry.queued?.typed === true) marks |= t.QueuedPrompt
  return marks
}

/** Enters the uuid. False where the same file already has it: the row was written again. */
function fileSighting(state: State, file: FileRecord, node: number): boolean {
  const { table } = state
  const id = t.idOf(table, node)
  const first = state.byId.get(id)
  if (first === undefined) {
    state.byId.set(id, node)
    return true
  }
  let last = first
  for (let seen = first; seen !== t.none; seen = t.int(table.sameId, seen)) {
    if (t.int(table.file, seen) === file.index) {
      table.marks[node] = t.word(table.marks, node) | t.Repeated
      return false
    }
    last = seen
  }
  table.sameId[last] = node
  state.shared.add(id)
  state.stale = true
  return true
}

function addParts(state: State, entry: Entry & { kind: 'assistant' }, node: number): void {
  const { table } = state
  if (entry.message !== null) {
    const message = intern(state.messages, entry.message)
    table.message[node] = message
    const last = state.lastPart[message]
    if (last === undefined) state.firstPart[message] = node
    else table.nextPart[last] = node
    state.lastPart[message] = node
    const usage = state.usage[message]
    if (entry.usage !== null && (usage?.output ?? -1) < entry.usage.output) state.usage[message] = entry.usage
  }
  for (const call of entry.calls) {
    toolRecord(state, call.id).calls.push(node)
    if (call.prompt !== null || call.name === 'Workflow') state.spawnCalls.push({ node, call })
  }
}

function addResults(state: State, entry: Entry & { kind: 'user' }, node: number): void {
  for (const result of entry.results) toolRecord(state, result.id).results.push(node)
  if (entry.spawn !== null) state.spawns.push(node)
}

function toolRecord(state: State, id: string): ToolRecord {
  const known = state.tools.get(id)
  if (known !== undefined) return known
  const made: ToolRecord = { calls: [], results: [] }
  state.tools.set(id, made)
  return made
}

/** Every sighting of a uuid. */
export function* sightings(state: State, id: string): Generator<number> {
  let node = state.byId.get(id) ?? t.none
  for (; node !== t.none; node = t.int(state.table.sameId, node)) yield node
}

/** The sighting of a uuid in a file, or none. */
export function sightingIn(state: State, id: string, file: number): number {
  let node = state.byId.get(id) ?? t.none
  for (; node !== t.none; node = t.int(state.table.sameId, node)) {
    if (t.int(state.table.file, node) === file) return node
  }
  return t.none
}
