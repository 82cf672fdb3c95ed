/**
 * Q1, Q2, Q3, S5: what became of queued input. The queue is first in, first out; its rows carry no ids before 2.1.2xx, so
 * the queue is played back, and what left it is looked for by id, then by text.
 */

import type { QueueNote } from '../model/entry.js'
import { pushTo } from '../model/group.js'
import type { OpenFile } from './file-record.js'
import { countBefore } from './positions.js'
import type { State } from './state.js'
import * as t from './table.js'

/** What became of a queued text. `dequeued`: it left the queue, and its entry is not written yet. */
export type Fate =
  | 'prompt'
  | 'merged'
  | 'attachment'
  | 'notification'
  | 'recalled'
  | 'dequeued'
  | 'lost'
  | 'unknown'

/** An operation on the queue of typed messages, and what became of its text. */
export interface QueueStep {
  readonly note: QueueNote
  readonly became: Fate
  /** The entry that the text became; null where there is none. */
  readonly node: number | null
}

/** The same while the queue is played back. */
type OpenStep = { -readonly [Field in keyof QueueStep]: QueueStep[Field] }

/** A queue as it is played back. */
interface Playback {
  readonly state: State
  readonly file: OpenFile
  readonly waiting: OpenStep[]
  /** Entries that are the delivery of some text already. */
  readonly spent: Set<number>
}

/** Every queue operation of a file with what became of it. */
export function replayQueue(state: State, file: OpenFile): readonly QueueStep[] {
  const steps = withoutRepeats(file.queue).map((note): OpenStep => ({ note, became: 'unknown', node: null }))
  const playback: Playback = { state, file, waiting: [], spent: new Set() }
  for (const step of steps) play(playback, step)
  for (const step of playback.waiting) decideWaiting(playback, step)
  return steps
}

/**
 * Q5: operations without those that stand in the file a second time. A session that is imported into a store twice gets
 * its entries once, by their uuids, and its rows without a uuid again, in their order. Nobody types the same words twice
 * in one millisecond. Operations without words can coincide, but then they are neighbours.
 */
function withoutRepeats(queue: readonly QueueNote[]): readonly QueueNote[] {
  const first = new Map<string, number>()
  let repeated = -1
  return queue.filter((note, at) => {
    if (note.time === null) return true
    const key = keyOf(note)
    const next = queue[repeated + 1]
    const isNext = repeated >= 0 && next !== undefined && keyOf(next) === key
    const earlier = isNext ? repeated + 1 : first.get(key)
    const isRepeat = earlier !== undefined && (isNext || hasWords(note) || isOutOfPlace(note, queue[at - 1]))
    repeated = isRepeat ? earlier : -1
    if (earlier === undefined) first.set(key, at)
    return !isRepeat
  })
}

/** Whether an operation cannot be of the same moment as the one before it in the file. */
function isOutOfPlace({ source, time }: QueueNote, before: QueueNote | undefined): boolean {
  return before === undefined || source.row > before.source.row + 1 || (before.time ?? 0) > (time ?? 0)
}

function keyOf({ operation, time, text, command, delivery }: QueueNote): string {
  return [operation, time, text?.hash, command, delivery].join(' ')
}

function hasWords({ text, command, delivery }: QueueNote): boolean {
  return text !== null || command !== null || delivery !== null
}

/** Queue operations by the entry that they became. */
export function stepsByNode(steps: readonly QueueStep[]): ReadonlyMap<number, readonly QueueStep[]> {
  const found = new Map<number, QueueStep[]>()
  for (const step of steps) if (step.node !== null) pushTo(found, step.node, step)
  return found
}

function play(playback: Playback, step: OpenStep): void {
  const { waiting } = playback
  switch (step.note.operation) {
    case 'enqueue':
      waiting.push(step)
      break
    case 'popAll':
      recall(waiting)
      step.became = 'recalled'
      break
    case 'dequeue':
      takeOut(playback, step)
      break
    case 'remove': {
      const queued = takeRemoved(waiting, step.note)
      deliver(step, queued, findAttachment(playback, step, queued ?? null))
      break
    }
    default:
  }
}

/** Q1: what people typed goes back to where it was typed; notices of background tasks stay in the queue. */
function recall(waiting: OpenStep[]): void {
  for (const queued of waiting.splice(0)) {
    if (isNotice(queued)) waiting.push(queued)
    else queued.became = 'recalled'
  }
}

type Delivery = Pick<QueueStep, 'became' | 'node'>

function deliver(step: OpenStep, queued: OpenStep | undefined, delivery: Delivery): void {
  Object.assign(step, delivery)
  if (queued !== undefined) Object.assign(queued, delivery)
}

/** The queued text a `remove` speaks of: by its text where it has one, else the oldest. */
function takeRemoved(waiting: OpenStep[], note: QueueNote): OpenStep | undefined {
  const hash = note.text?.hash
  const at = hash === undefined ? 0 : waiting.findIndex(queued => queued.note.text?.hash === hash)
  return at < 0 ? undefined : waiting.splice(at, 1)[0]
}

/**
 * A text leaves the queue to become a prompt: the next input in the file says which one it was. Texts that a killed
 * process never took out stay at the head of the queue for good, so being the oldest is not enough.
 */
function takeOut(playback: Playback, step: OpenStep): void {
  const { state, file, waiting, spent } = playback
  const near = nodesAfter(state, file, step.note.source.row, 60).filter(
    node => isInput(state, node) && !spent.has(node),
  )
  const next = near[0]
  const at = next === undefined ? -1 : waiting.findIndex(queued => becomes(state, queued, next))
  const queued = at < 0 ? undefined : waiting.splice(at, 1)[0]
  if (next !== undefined && (queued !== undefined || isTextless(step, waiting))) {
    deliver(step, queued, spendInput(playback, queued, next))
  } else if (waiting[0] !== undefined && isCommand(waiting[0])) {
    // A command leaves no entry of its own text; what else does not show up stays in the queue, and is lost.
    deliver(step, waiting.shift(), { became: 'unknown', node: null })
  } else if (waiting[0] !== undefined && isUnderWay(playback, step)) {
    deliver(step, waiting.shift(), { became: 'dequeued', node: null })
  }
}

/** The transcript ends here for now: no entry follows, and no row says that the process ended. */
function isUnderWay({ state, file }: Playback, { note }: QueueStep): boolean {
  const { row } = note.source
  const last = file.nodes.at(-1)
  const isLast = last === undefined || t.int(state.table.row, last) < row
  return isLast && [...file.costStates, ...file.lastPrompts].every(end => end < row)
}

function isCommand({ note }: QueueStep): boolean {
  return note.text === null || note.text.head.startsWith('/')
}

/** 2.0.64 writes a bare `dequeue` before each headless prompt, with nothing enqueued. */
function isTextless(step: QueueStep, waiting: readonly QueueStep[]): boolean {
  return step.note.text === null && waiting.length === 0
}

/** Whether a queued text is this input, or part of it where several were merged. */
function becomes(state: State, queued: QueueStep, node: number): boolean {
  const text = queued.note.text
  if (text === null) return true
  return t.real(state.table.hash, node) === text.hash || isMergedInto(state, text.head, node)
}

function isMergedInto(state: State, head: string, node: number): boolean {
  return head !== '' && `\n${headOf(state, node)}\n`.includes(`\n${head}\n`)
}

/** A merged prompt stays open for the other texts that went into it. */
function spendInput({ state, spent }: Playback, queued: QueueStep | undefined, node: number): Delivery {
  const text = queued?.note.text ?? null
  if (text !== null && t.real(state.table.hash, node) !== text.hash) return { became: 'merged', node }
  return spend(spent, node, inputFate(state, node))
}

function spend(spent: Set<number>, node: number, became: Fate): Delivery {
  spent.add(node)
  return { became, node }
}

function isInput(state: State, node: number): boolean {
  const says = t.byte(state.table.says, node)
  return says === t.SaysPrompt || says === t.SaysNotification || says === t.SaysCommand
}

function inputFate(state: State, node: number): Fate {
  return t.byte(state.table.says, node) === t.SaysNotification ? 'notification' : 'prompt'
}

function headOf(state: State, node: number): string {
  const entry = state.table.entries[node]
  return entry?.kind === 'user' ? (entry.text?.head ?? '') : ''
}

/** The attachment that carried a text into the running turn; before 2.1.105 there is none. */
function findAttachment(
  { state, file, spent }: Playback,
  step: QueueStep,
  queued: QueueStep | null,
): Delivery {
  const text = step.note.text ?? queued?.note.text ?? null
  const near = nodesAround(state, file, step.note.source.row, 60)
  const found = near.find(node => !spent.has(node) && isDelivery(state, node, step.note, text?.hash ?? null))
  if (found === undefined) return { became: 'unknown', node: null }
  return spend(spent, found, t.marked(state.table, found, t.QueuedPrompt) ? 'attachment' : 'notification')
}

function isDelivery(state: State, node: number, note: QueueNote, hash: number | null): boolean {
  const entry = state.table.entries[node]
  if (entry?.kind !== 'attachment' || entry.queued === null) return false
  if (note.delivery !== null && entry.queued.delivery !== null) return entry.queued.delivery === note.delivery
  if (note.command !== null && entry.queued.source !== null) return entry.queued.source === note.command
  return hash === null || entry.queued.text.hash === hash
}

/** Q3: still waiting at the end of the file. A later entry with the same text means it was delivered after all. */
function decideWaiting({ state, file, spent }: Playback, step: OpenStep): void {
  const { text } = step.note
  if (text === null) return
  const after = nodesAfter(state, file, step.note.source.row, Number.POSITIVE_INFINITY).filter(node =>
    isInput(state, node),
  )
  const same = after.find(node => !spent.has(node) && t.real(state.table.hash, node) === text.hash)
  const merged = after.find(node => isMergedInto(state, text.head, node))
  if (same !== undefined) Object.assign(step, spend(spent, same, inputFate(state, same)))
  else if (merged !== undefined) Object.assign(step, { became: 'merged', node: merged })
  else step.became = isTyped(step) ? 'lost' : 'unknown'
}

/** Notices of tasks and tools pass through the queue, too, and are merged or dropped at will; commands leave no entry. */
function isTyped(step: QueueStep): boolean {
  return !isNotice(step) && !/^\s*\//.test(step.note.text?.head ?? '')
}

function isNotice({ note }: QueueStep): boolean {
  return /^\s*[<{]/.test(note.text?.head ?? '')
}

function nodesAfter({ table }: State, { nodes }: OpenFile, row: number, count: number): readonly number[] {
  const from = countBefore(table, nodes, row + 1)
  return nodes.slice(from, from + count)
}

function nodesAround({ table }: State, { nodes }: OpenFile, row: number, count: number): readonly number[] {
  const from = countBefore(table, nodes, row + 1)
  return nodes.slice(Math.max(0, from - count), from + count)
}
