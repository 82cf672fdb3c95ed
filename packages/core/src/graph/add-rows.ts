/** Rows on their way into the columns. Here records are filed and nothing is decided: linking is the work of link.ts. */
import type {
  AssistantEntry,
  AttachmentEntry,
  Entry,
  Note,
  TranscriptRecord,
  UserEntry,
} from '../model/entry.js'
import type { ParsedRow } from '../model/row.js'
import type { SourceSpan } from '../model/source.js'
import type { OpenFile } from './file-record.js'
import { addPart, noteUsage } from './messages.js'
import { addLastPrompt, countWritten, writtenFrom } from './midway.js'
import { findOrInsert, intern } from './names.js'
import { fileOf, leavesStopsOut, sightings } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { addCall, addResult, severalTools } from './tools.js'

/** P1: files one row: its records, and what was odd about it. */
export function addRow(state: State, file: OpenFile, row: ParsedRow): void {
  const { rows = 1, pieces = 0 } = row
  file.rows = row.row + rows - 1
  file.entries += row.records.length
  if (row.state === 'blank') file.blank += rows
  else if (row.state === 'damaged') file.damaged += rows
  else {
    file.continuation += rows - 1
    file.joined += row.records.length - 1
  }
  file.pieces += pieces
  const isWhole = row.state === 'damaged'
  if (isWhole || pieces > 0)
    file.damagedRows.push({ row: row.row, offset: row.offset ?? 0, length: row.length, isWhole })
  for (const record of row.records) addRecord(state, file, record)
  for (const diagnostic of row.diagnostics) {
    state.diagnostics.push({ ...diagnostic, file: file.facts.path, row: row.row, node: null })
  }
}

/** Files one record. */
function addRecord(state: State, file: OpenFile, record: TranscriptRecord): void {
  const first = Number.isNaN(file.firstTime)
  if (first && record.time !== null) {
    file.firstTime = record.time
    if (file.nodes.length > 0) state.stale = true
  }
  if (!('id' in record)) addNote(state, file, record)
  else {
    addEntry(state, file, record)
    if (record.kind === 'progress' && record.carried !== null) addCarried(state, file, record.carried)
  }
}

function addNote(state: State, file: OpenFile, note: Note): void {
  if (Number.isNaN(file.firstNote) && note.time !== null) {
    file.firstNote = note.time
    // G1, G7: it may decide which of two copies is the original.
    if (file.shares || state.originals.size > 0) state.stale = true
    else if (!(file.firstOwn <= note.time)) file.firstOwn = note.time
  }
  if (note.kind === 'queue') {
    file.queue.push(note)
    if (note.operation === 'enqueue' && note.text?.head.trim() === '/clear') file.isCleared = true
  } else if (note.kind === 'title') file.titles.push(note)
  else if (note.kind === 'journal') file.journal.push(note)
  else if (note.kind === 'agent-meta') file.agentMeta = note.meta
  else if (note.kind === 'process-end') {
    if (note.by === 'cost-state') file.costStates.push(note.source.row)
    else addLastPrompt(file, state.table, note.source)
  }
}

function addEntry(state: State, file: OpenFile, entry: Entry): void {
  const { table } = state
  const node = t.takeRow(table)
  writeCells(state, file, entry, node)
  if (!fileSighting(state, file, node)) {
    file.repeats.push(node)
    noteRepeat(state, entry, node)
    return
  }
  file.nodes.push(node)
  countWritten(file, entry.source, entry.time)
  noteCleared(file, entry)
  if (isSpoken(file, entry)) file.spoken.push(node)
  noteLink(state, file, entry)
  noteFolder(file, entry.cwd, node)
  file.stamped ||= entry.forkedFrom !== null
  if (entry.forkedFrom !== null) state.stamps.add(entry.forkedFrom.entry)
  file.background ||= entry.background
  file.active ||= entry.active === true
  if (entry.kind === 'assistant') {
    file.attribution ??= entry.attribution
    noteReply(file, entry)
    addParts(state, entry, node)
  }
  if (entry.kind === 'user') {
    if (isOnOpenReply(file, entry)) addStart(file, entry.source)
    addResults(state, entry, node)
  }
  if (entry.kind === 'attachment' && entry.startsProcess) noteStart(state, file, entry)
  if (entry.kind === 'progress') {
    if (entry.startsProcess) addStart(file, entry.source)
    if (entry.spawned !== null) state.spawns.push(node)
  }
}

/**
 * L19: the hooks that run at the start of a process, or its list of all skills, which comes with its first prompt. A compaction has the
 * list behind it, too.
 */
function noteStart({ table }: State, file: OpenFile, { parent, source, subtype }: AttachmentEntry): void {
  if (subtype !== 'skill_listing') {
    addStart(file, source)
    return
  }
  const prompt = file.spoken.at(-1) ?? t.none
  if (t.byte(table.says, prompt) !== t.SaysPrompt || t.idOf(table, prompt) !== parent) return
  if (file.spoken.length > 1)
    addStart(file, { row: t.int(table.row, prompt), offset: t.real(table.offset, prompt) })
}

function addStart(file: OpenFile, { row, offset }: Pick<SourceSpan, 'offset' | 'row'>): void {
  file.starts.push(row)
  file.written = writtenFrom(offset)
}

/** A process that clears its conversation goes on in another file: what follows in this one is of another process. */
function noteCleared(file: OpenFile, entry: Entry): void {
  if (!file.isCleared || !isSpoken(file, entry)) return
  file.isCleared = false
  // 2.1.8 says that it cannot, in the same file.
  if (entry.kind === 'user' && entry.says === 'prompt') addStart(file, entry.source)
}

function isSpoken({ facts }: OpenFile, { kind, sidechain }: Entry): boolean {
  return (kind === 'user' || kind === 'assistant') && (!sidechain || facts.kind === 'agent')
}

/** A stub, "No response requested.", stands for an answer that never came. */
function noteReply(
  file: OpenFile,
  { id, source, version, synthetic, apiError, stopReason }: AssistantEntry,
): void {
  if (synthetic && !apiError) addStart(file, source)
  file.openReply = stopReason === null ? id : null
  if (stopReason !== null && !synthetic && !leavesStopsOut(version)) file.stopVersion = version
}

/**
 * A prompt right behind a row before the end of a reply. The process that wrote the reply would have written its end, a
 * notice or an interruption, so another one has loaded the file.
 */
function isOnOpenReply({ openReply, stopVersion }: OpenFile, { says, parent, version }: UserEntry): boolean {
  return says === 'prompt' && parent !== null && parent === openReply && version === stopVersion
}

/**
 * A9: files the message inside a progress row as a sighting of the subagent's entry. The row does not say what it
 * follows: that is the message before it in the same file.
 */
function addCarried(state: State, file: OpenFile, entry: UserEntry | AssistantEntry): void {
  const { table } = state
  const node = t.takeRow(table)
  writeCells(state, file, entry, node)
  t.mark(table, node, t.Carried)
  if (!fileSighting(state, file, node)) {
    noteRepeat(state, entry, node)
    return
  }
  const agent = entry.agent ?? ''
  const before = file.lastCarried.get(agent)
  table.parentIds[node] = before === undefined ? null : t.idOf(table, before)
  table.entries[node] = entry
  file.carried.push(node)
  file.lastCarried.set(agent, node)
  if (entry.kind === 'assistant') addParts(state, entry, node)
  else addResults(state, entry, node)
}

/**
 * A row with a uuid that was read before is not indexed, but may say more of what its message used. Its cells name
 * message and tools all the same: it can be another entry that carries the uuid, and Claude Code reads that one.
 */
function noteRepeat({ table, tools, messages }: State, entry: Entry, node: number): void {
  if (entry.kind === 'user')
    for (const { id } of entry.results) noteTool(table, node, intern(tools.names, id))
  if (entry.kind !== 'assistant') return
  for (const { id } of entry.calls) noteTool(table, node, intern(tools.names, id))
  if (entry.message === null) return
  const message = intern(messages.names, entry.message)
  table.message[node] = message
  if (entry.usage !== null) noteUsage(messages, message, entry.usage)
}

/** G2: what names no parent is read another way once any entry does. */
function noteLink(state: State, file: OpenFile, { parent, sidechain }: Entry): void {
  const side = sidechain && file.facts.kind !== 'agent' ? 'side' : 'main'
  if (file.links[side]) return
  if (parent === null) file.unlinked[side]++
  else {
    file.links[side] = true
    if (file.unlinked[side] > 1) state.stale = true
  }
}

function noteFolder(file: OpenFile, cwd: string | null, node: number): void {
  if (cwd === null || cwd === file.cwd) return
  if (file.cwd !== null && file.facts.kind === 'session') file.moves.push({ node, to: cwd })
  file.cwd = cwd
}

function writeCells(state: State, file: OpenFile, entry: Entry, node: number): void {
  const { table } = state
  table.ids[node] = entry.id
  // Mostly the row before: its text is held once.
  const before = table.ids[node - 1]
  table.parentIds[node] = before === entry.parent ? before : entry.parent
  table.entries[node] = saysMore(entry) ? entry : null
  table.kind[node] = t.kindIndex[entry.kind]
  table.marks[node] = marksOf(entry)
  table.file[node] = file.index
  table.row[node] = entry.source.row
  table.offset[node] = entry.source.offset
  table.length[node] = entry.source.length
  table.time[node] = entry.time ?? Number.NaN
  table.session[node] = sessionOf(state, file, entry.session)
  table.version[node] = versionOf(state, file, entry.version)
  writeKindCells(state, entry, node)
}

function writeKindCells(state: State, entry: Entry, node: number): void {
  const { table } = state
  if (entry.kind === 'user') {
    table.says[node] = t.meaningIndex[entry.says]
    table.hash[node] = entry.text?.hash ?? 0
  } else if (entry.kind === 'assistant') {
    table.hash[node] = entry.text?.hash ?? 0
    table.subtype[node] = intern(state.subtypes, entry.calls[0]?.name ?? '')
  } else {
    table.subtype[node] = intern(state.subtypes, entry.subtype)
    table.hash[node] = entry.kind === 'system' ? (entry.text?.hash ?? 0) : 0
  }
}

/** Rows of a file nearly all name one session and version: the last one is remembered. */
function sessionOf(state: State, file: OpenFile, session: string | null): number {
  const name = session ?? file.facts.session ?? file.facts.path
  if (file.lastSession.name !== name) file.lastSession = { name, index: intern(state.sessions, name) }
  return file.lastSession.index
}

function versionOf(state: State, file: OpenFile, version: string | null): number {
  const name = version ?? ''
  if (file.lastVersion.name !== name) file.lastVersion = { name, index: intern(state.versions, name) }
  return file.lastVersion.index
}

/** Whether the columns cannot hold all that linking asks of the entry. */
function saysMore(entry: Entry): boolean {
  if (entry.forkedFrom !== null || entry.nesting !== null) return true
  switch (entry.kind) {
    case 'assistant':
      return (
        entry.calls.length > 1 || entry.calls.some(call => call.prompt !== null || call.name === 'Workflow')
      )
    case 'user':
      return entry.says === 'result'
        ? entry.results.length > 1 || entry.spawn !== null
        : entry.says !== 'meta'
    case 'system':
      return entry.compaction !== null || entry.cleared.length > 0
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
    if (entry.others !== 'none') marks |= entry.others === 'blocks' ? t.OtherBlocks : t.ApiTools
    if (entry.calls.length > 0) marks |= t.HasCalls
  }
  if (entry.kind === 'system' && entry.compaction !== null) marks |= t.Boundary
  if (entry.kind === 'attachment' && entry.queued?.typed === true) marks |= t.QueuedPrompt
  return marks
}

/** Enters the uuid. False where the same file already has it: the row was written again. */
function fileSighting(state: State, file: OpenFile, node: number): boolean {
  const { table } = state
  const id = t.idOf(table, node)
  const first = findOrInsert(state.byId, table.ids, id, node)
  if (first === t.none) return true
  const isCarried = t.marked(table, node, t.Carried)
  let last = first
  for (let seen = first; seen !== t.none; seen = t.int(table.sameId, seen)) {
    if (t.int(table.file, seen) === file.index && t.marked(table, seen, t.Carried) === isCarried) {
      t.mark(table, node, t.Repeated)
      return false
    }
    last = seen
  }
  table.sameId[last] = node
  state.stale = true
  if (!isCarried) noteShared(state, id)
  return true
}

/** G1: a uuid on rows of several files. What progress rows carry shares nothing: it is never the original. */
function noteShared(state: State, id: string): void {
  const rows = [...sightings(state, id)].filter(seen => !t.marked(state.table, seen, t.Carried))
  if (rows.length < 2) return
  for (const seen of rows) fileOf(state, seen).shares = true
  state.shared.add(id)
}

function addParts(state: State, entry: AssistantEntry, node: number): void {
  const { table } = state
  if (entry.message !== null) {
    const message = addPart(state, entry.message, node)
    if (entry.usage !== null) noteUsage(state.messages, message, entry.usage)
  }
  for (const call of entry.calls) {
    noteTool(table, node, addCall(state.tools, call.id, node))
    if (call.prompt !== null || call.name === 'Workflow') state.spawnCalls.push({ node, call })
    if (call.prompt !== null) noteCallPrompt(state, node, call.prompt.hash)
  }
}

function noteCallPrompt(state: State, node: number, hash: number): void {
  const { callPrompts } = fileOf(state, node)
  if (!callPrompts.has(hash)) callPrompts.set(hash, node)
}

function addResults(state: State, entry: UserEntry, node: number): void {
  const { table } = state
  for (const result of entry.results) {
    noteTool(table, node, addResult(state.tools, result.id, node))
    table.ending[node] = t.endings.indexOf(result.state)
  }
  if (entry.spawn !== null) state.spawns.push(node)
}

function noteTool(table: t.Table, node: number, tool: number): void {
  table.tool[node] = t.int(table.tool, node) === t.none ? tool : severalTools
}
