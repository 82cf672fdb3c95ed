/** Copies of a conversation: resumed into a new file, replayed in the same one, forked, branched. */
import { isJson, type Json } from '../base/json.js'
import { noteRow } from './bodies.js'
import { memoryOf, sendingOf } from './memory.js'
import type { Item, Node, Process, State, TranscriptFile } from './model.js'
import { EMPTY_STATE, openSession, startProcess } from './process.js'
import { addNode, emit, note, tick } from './recorder.js'
import type { Style } from './styles.js'

/** 1.0.66: resuming copies what is sent into a new file, under new uuids and one new time. */
export function resumeAsCopy(p: Process, style: Style): Process {
  const next = startProcess(p.world, style, openSession(p.world), EMPTY_STATE)
  const leaf = p.state.tip?.uuid
  if (leaf && p.world.rng.chance(0.7))
    note(next, { type: 'summary', summary: 'Earlier work', leafUuid: leaf })
  repeatSent(next, p.state, true)
  return next
}

/** 1.0.66 with several messages on stdin: before each, the whole history again in the same file, from a new root. */
export function replayInPlace(p: Process): void {
  repeatSent(p, p.state, false)
}

function repeatSent(to: Process, state: State, asBlocks: boolean): void {
  const time = tick(to.world)
  const items: Item[] = []
  for (const item of sendingOf(state.memory)) {
    const parent = items.at(-1)?.node ?? null
    const uuid = to.world.rng.uuid()
    const row = repeatRow(item.node.row ?? {}, { asBlocks, time, sessionId: to.file.session })
    items.push({ ...item, node: place(to, to.file, { ...row, uuid }, parent) })
    rememberCopy(to, uuid, item.node.uuid)
  }
  to.state = { ...EMPTY_STATE, tip: items.at(-1)?.node ?? null, memory: memoryOf(items) }
  to.file.owner = to
}

interface Repeat {
  readonly asBlocks: boolean
  readonly time: string
  readonly sessionId: string
}

function repeatRow(row: Json, { asBlocks, time, sessionId }: Repeat): Json {
  const { requestId: _, ...rest } = asBlocks ? withBlocks(row) : row
  return { ...rest, timestamp: time, sessionId }
}

/** A prompt's string as a text block. */
function withBlocks(row: Json): Json {
  const { message } = row
  if (!isJson(message) || typeof message.content !== 'string') return row
  return { ...row, message: { ...message, content: [{ type: 'text', text: message.content }] } }
}

function rememberCopy({ world }: Process, copy: string, original: string): void {
  world.ledger.copies[copy] = world.ledger.copies[original] ?? original
}

/** Writes a copied row under the given parent. */
function place(p: Process, file: TranscriptFile, row: Json, parent: Node | null): Node {
  const linked = { ...row, parentUuid: parent ? parent.uuid : null }
  const node = addNode(p.world, file, { uuid: String(row.uuid), parent, row: linked, before: parent })
  emit(p.world, file, { row: linked, node, late: false })
  return node
}

/** `--fork-session`: what the process remembers goes into a new file, under the same uuids. */
export function forkSession(p: Process, style: Style): Process {
  const next = startProcess(p.world, style, openSession(p.world), EMPTY_STATE)
  const edit = (row: Json): Json =>
    style.fork === 'keep' ? withBlocks(row) : { ...row, sessionId: next.file.session }
  copyMemory(p, next, { edit, oneLine: false })
  return next
}

/** `/branch`: the same as one line, each row stamped with where it comes from. */
export function branchSession(p: Process, style: Style): Process {
  const next = startProcess(p.world, style, openSession(p.world), EMPTY_STATE)
  const edit = (row: Json): Json => ({
    ...row,
    sessionId: next.file.session,
    forkedFrom: { sessionId: p.file.session, messageUuid: row.uuid },
  })
  copyMemory(p, next, { edit, oneLine: true })
  note(next, noteRow(next, 'custom-title', { customTitle: 'work (Branch)' }))
  return next
}

interface MemoryCopy {
  readonly edit: (row: Json) => Json
  readonly oneLine: boolean
}

/**
 * Copies all that is in memory, in its order. What a compaction preserved is linked behind its anchor, with zero
 * usage, and what hung on the anchor goes on behind it: the same uuid has another parent here.
 */
function copyMemory(from: Process, to: Process, { edit, oneLine }: MemoryCopy): void {
  const copies = new Map<Node, Node>()
  const items: Item[] = []
  let highest: Item | null = null
  for (const item of itemsInOrder(from.state)) {
    const kept: boolean = highest !== null && item.node.place < highest.node.place
    const before: Node | null = items.at(-1)?.node ?? null
    const parent = kept || oneLine ? before : copiedAncestor(item.node, copies)
    const row = edit(item.node.row ?? {})
    const node = place(to, to.file, kept ? withoutUsage(row) : row, parent)
    copies.set(item.node, node)
    if (kept && highest) copies.set(highest.node, node)
    else highest = item
    items.push({ ...item, node })
  }
  to.state = { ...EMPTY_STATE, tip: items.at(-1)?.node ?? null, memory: memoryOf(items) }
  to.file.owner = to
}

function itemsInOrder({ memory }: State): Item[] {
  const items: Item[] = []
  for (let at = memory; at; at = at.before) items.push(at.item)
  return items.reverse()
}

/** The copy of the nearest ancestor that was copied. */
function copiedAncestor(node: Node, copies: ReadonlyMap<Node, Node>): Node | null {
  for (let at = node.parent; at; at = at.parent) {
    const copy = copies.get(at)
    if (copy) return copy
  }
  return null
}

function withoutUsage(row: Json): Json {
  const { message } = row
  if (!isJson(message) || !isJson(message.usage)) return row
  const usage = { ...message.usage, input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 }
  return { ...row, message: { ...message, usage } }
}
