/**
 * L2, L3: what the conversation's next request carries, in the order of sending.
 *
 *   leaf -> chain of parents -> cut at the newest compaction, kept entries put in at its anchor
 *        -> all parts of every message on it, the results of their calls -> less what is never sent
 */
import { compactionBetween, continuesAt, isSummary, lastBefore } from './compactions.js'
import { originalOf } from './copies.js'
import { unitOf } from './facts.js'
import { endOfTurnBefore } from './late-rows.js'
import { firstPartOf } from './message-book.js'
import { nameOf } from './names.js'
import { comparePlaces, compareTimes } from './order.js'
import { createNodeList, type Positions, positionsIn } from './positions.js'
import { lastProcessEnd } from './processes.js'
import { type FileRecord, fileOf, type State } from './state.js'
import * as t from './table.js'
import { resultFor, resultsOf, toolId, toolsOf } from './tool-book.js'

/** What the next request of a file carries, and what is needed to carry on from it. */
export interface Live {
  readonly leaf: number
  readonly nodes: readonly number[]
  /** The last prompt on the chain: what stands before it will not change by ordinary rows. */
  readonly prompt: number
  readonly loadedUpTo: number
  /** The other files that the chain passes through. */
  readonly others: ReadonlySet<number>
}

/** The live conversation of a file, from its leaf up. */
export function liveConversation(state: State, file: FileRecord): Live {
  const leaf = liveLeaf(state, file)
  if (leaf === t.none) return { leaf, nodes: [], prompt: t.none, loadedUpTo: 0, others: new Set() }
  return sendChain(state, file, liveChain(state, leaf, t.none), leaf)
}

/** From a chain, or the lower part of one, to what is sent. */
export function sendChain(state: State, file: FileRecord, chain: readonly number[], leaf: number): Live {
  return sendFrom(state, file, chain, { leaf, isWhole: false })
}

/** The same for a process that starts from the file: it sends every message whole, also one resumed in the middle. */
export function resumeChain(state: State, file: FileRecord, chain: readonly number[], leaf: number): Live {
  return sendFrom(state, file, chain, { leaf, isWhole: true })
}

function sendFrom(
  state: State,
  file: FileRecord,
  chain: readonly number[],
  how: Pick<Sending, 'isWhole'> & { readonly leaf: number },
): Live {
  const { leaf } = how
  const prompt = chain.find(node => t.byte(state.table.says, node) === t.SaysPrompt) ?? t.none
  const loadedUpTo = lastProcessEnd(state, file, prompt)
  const files = new Set(filesOn(state.table, chain))
  const nodes = sendingOrder(state, file, chain, { ...how, loadedUpTo, files })
  const others = new Set([...files].filter(index => index !== file.index))
  return { leaf, nodes, prompt, loadedUpTo, others }
}

/** L2: the conversation entry written last; `is_active` decides where it is used. */
export function liveLeaf(state: State, file: FileRecord): number {
  const { table } = state
  const last = file.nodes.findLast(node => isMain(state, file, node) && isConversation(table, node)) ?? t.none
  const active = file.active ? file.nodes.findLast(node => t.marked(table, node, t.Active)) : undefined
  return active ?? deepest(state, file, last)
}

function isMain(state: State, file: FileRecord, node: number): boolean {
  return file.facts.kind === 'agent' || !t.marked(state.table, node, t.Sidechain)
}

export function isConversation(table: t.Table, node: number): boolean {
  const kind = t.byte(table.kind, node)
  return kind === t.User || kind === t.Assistant
}

/** D5: a reply can stand on a row before its prompt (2.1.101); such rows are near each other. */
function deepest(state: State, file: FileRecord, last: number): number {
  const { table } = state
  let leaf = last
  for (let i = file.nodes.length - 1, end = Math.max(0, i - nearRows); i >= end; i--) {
    const node = file.nodes[i] ?? t.none
    if (t.int(table.parent, node) !== leaf || node === leaf || !isConversation(table, node)) continue
    if (!isMain(state, file, node)) continue
    leaf = node
    i = file.nodes.length
  }
  return leaf
}

const nearRows = 64

/**
 * The chain of a leaf, last entry first: up to the root, or to the boundary of the newest compaction; or only up
 * to a given entry.
 */
export function liveChain(state: State, leaf: number, upTo: number): readonly number[] {
  const { table } = state
  const chain: number[] = []
  const kept = keptAfter(state, leaf)
  pushKept(chain, kept, kept.length)
  for (let node = leaf, left = table.size; node !== t.none && left > 0; left--) {
    chain.push(node)
    if (node === upTo) break
    const staying = stayingBefore(state, node)
    if (staying === t.none && endsEpoch(state, node)) break
    node = staying === t.none ? stepUp(state, node, chain) : staying
  }
  return chain
}

/** C1: a boundary; or, in agents of 2.0.x, a summary that stands in the chain without any boundary. */
function endsEpoch(state: State, node: number): boolean {
  const { table } = state
  if (t.marked(table, node, t.Boundary)) return true
  if (!isSummary(state, node)) return false
  return !state.compactionOf.has(node)
}

/** C2: the last entry that stays before a compaction which summarized only what follows it. */
function stayingBefore(state: State, node: number): number {
  if (!t.marked(state.table, node, t.Boundary)) return t.none
  const record = state.compactionOf.get(node)
  return record?.followsLogical === true && record.summary !== t.none ? record.logical : t.none
}

/** One step towards the root; entries that a compaction kept are put in on the way. */
function stepUp(state: State, node: number, chain: number[]): number {
  const parent = t.int(state.table.parent, node)
  if (parent === t.none) return stepOverGap(state, node)
  if (isLaterCommand(state, node, parent)) return lastBefore(state, node)
  const compaction = compactionBetween(state, node, parent)
  if (compaction === null) {
    const end = endInMemory(state, node, chain)
    const next = end === t.none ? parent : end
    const kept = keptAfter(state, next)
    pushKept(chain, kept, kept.length)
    return next
  }
  const position = compaction.preserved.indexOf(parent)
  pushKept(chain, compaction.preserved, position < 0 ? compaction.preserved.length : position + 1)
  return compaction.anchoredAtBoundary ? compaction.boundary : continuesAt(compaction, node)
}

/**
 * F8: 1.0.x hangs every local command of a process on its one caveat, however much was said in between. The command
 * goes on from what was written before it.
 */
function isLaterCommand({ table }: State, node: number, parent: number): boolean {
  return t.byte(table.says, parent) === t.SaysCaveat && t.byte(table.says, node) === t.SaysCommand
}

/**
 * The end of the turn before, where rows written late stand between: for the process that wrote the entry. One that has
 * loaded the file walks parents (lab: P5 of random-2.1.75/9164; walks 2003 and 2008 of 2.1.197).
 */
function endInMemory(state: State, node: number, chain: readonly number[]): number {
  const end = endOfTurnBefore(state, node)
  return end === t.none || wasLoaded(state, node, chain) ? t.none : end
}

/** Whether the process of the last prompt on a chain has loaded an entry above it from a file. */
function wasLoaded(state: State, node: number, chain: readonly number[]): boolean {
  const { table } = state
  const prompt = chain.find(at => t.byte(table.says, at) === t.SaysPrompt)
  if (prompt === undefined) return false
  const file = fileOf(state, node)
  if (fileOf(state, prompt) !== file) return true
  return t.int(table.row, node) < lastProcessEnd(state, file, prompt)
}

/**
 * G2: a parent that was never written is the recorder's fault; the process had the conversation before it in
 * memory, so the chain goes on at the entry written before. A cut cycle likewise. A true root ends it.
 */
function stepOverGap(state: State, node: number): number {
  const missing = state.table.parentIds[node] !== null
  return missing ? lastBefore(state, node) : t.none
}

function pushKept(chain: number[], kept: readonly number[], count: number): void {
  for (let i = count - 1; i >= 0; i--) chain.push(kept[i] ?? t.none)
}

/** C2: what a compaction carries on right after this entry, where it is the anchor. */
function keptAfter(state: State, node: number): readonly number[] {
  const { table } = state
  const boundary = t.marked(table, node, t.Boundary)
  if (!boundary && !isSummary(state, node)) return []
  const record = state.compactionOf.get(node)
  return record !== undefined && record.anchoredAtBoundary === boundary ? record.preserved : []
}

/** The conversation of a file as it is about to be sent. */
interface Sending {
  readonly state: State
  readonly file: FileRecord
  readonly chain: readonly number[]
  /** The files that the chain passes through: a conversation may have begun in another one. */
  readonly files: ReadonlySet<number>
  /** Position on the chain, counted from the leaf; a smaller one is nearer to the end. */
  readonly positions: Positions
  readonly lastUnit: number
  /** The row of the newest process end before the last prompt: what stands above was loaded from the file. */
  readonly loadedUpTo: number
  /** No message is cut where it was resumed. */
  readonly isWhole: boolean
}

/** From the chain to what is sent: whole messages with their results, in order. */
function sendingOrder(
  state: State,
  file: FileRecord,
  chain: readonly number[],
  how: Pick<Live, 'leaf'> & Pick<Sending, 'loadedUpTo' | 'files' | 'isWhole'>,
): readonly number[] {
  const { table } = state
  const positions = positionsIn(chain, table.size)
  const { leaf } = how
  const sending: Sending = { ...how, state, file, chain, positions, lastUnit: unitOf(state, leaf) }
  const sent = createNodeList(chain.length, table.size)
  const whole = new Set<number>()
  for (let i = chain.length - 1; i >= 0; i--) {
    const node = chain[i] ?? t.none
    if (!isConversation(table, node) || isUnsentNotice(state, node, leaf)) continue
    const message = t.byte(table.kind, node) === t.Assistant ? t.int(table.message, node) : t.none
    if (message === t.none) sent.add(node)
    else if (!whole.has(message)) for (const part of sentUnit(sending, message)) sent.add(part)
    whole.add(message)
  }
  return sent.list
}

/** The files of the entries of a chain; neighbours nearly always stand in the same one. */
function* filesOn(table: t.Table, chain: readonly number[]): Generator<number> {
  let last = t.none
  for (const node of chain) {
    const file = t.int(table.file, node)
    if (file !== last) yield file
    last = file
  }
}

/**
 * Notices of failed requests are not sent. 2.0.31 still sent them on as the model's words (lab, s17 and s18c);
 * 2.0.64 does not.
 */
function isUnsentNotice(state: State, node: number, leaf: number): boolean {
  if (!t.marked(state.table, node, t.ApiError)) return false
  const version = nameOf(state.versions, t.word(state.table.version, node))
  return node === leaf || !/^2\.0\.([12]?\d|3[01])$/.test(version)
}

/** A message as it is sent: its parts by their chain, then the results of their calls. */
function sentUnit(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const isLast = message === sending.lastUnit
  const all = partsIn(sending, message)
  const whole = isLast ? all : all.filter(part => !isUnanswered(state, part))
  const parts = cutWhereResumed(sending, whole)
  if (!isLast && parts.every(part => isDroppedThought(state, part))) return []
  return [...parts, ...resultsIn(sending, parts)]
}

/**
 * D4: a message of thinking only is not sent later. 2.0.x did send it.
 */
function isDroppedThought(state: State, part: number): boolean {
  return t.marked(state.table, part, t.ThinkingOnly) && !isEarly(state, part)
}

/** Whether an entry was written by 1.x or 2.0.x. */
function isEarly(state: State, node: number): boolean {
  return /^[01]\.|^2\.0\./.test(nameOf(state.versions, t.word(state.table.version, node)))
}

/**
 * D2: `--resume-session-at` in the middle of a message. The process that was started so sends the message cut at
 * that part; a later plain resume sends it whole. Both were really sent: the process of the last prompt decides.
 */
function cutWhereResumed(sending: Sending, parts: readonly number[]): readonly number[] {
  if (sending.isWhole) return parts
  const { table } = sending.state
  const last = parts.findLastIndex(part => sending.positions.has(part))
  const part = parts[last]
  if (part === undefined) return parts
  const next = nextOnChain(sending, part)
  if (next === t.none || t.byte(table.says, next) !== t.SaysPrompt) return parts
  if (!isOwn(sending, next) || t.int(table.row, next) < sending.loadedUpTo) return parts
  // 2.0.x loads the bare chain: a call whose result was cut off is not sent. Later ones put the result back in.
  const bare = t.marked(table, part, t.HasCalls) && isEarly(sending.state, next)
  return parts.slice(0, bare ? last : last + 1)
}

/** Whether an entry stands in the file whose conversation it is, not in one that the conversation began in. */
function isOwn({ state, file }: Sending, node: number): boolean {
  return t.int(state.table.file, node) === file.index
}

/** The next conversation entry towards the leaf. */
function nextOnChain(sending: Sending, node: number): number {
  for (let i = (sending.positions.get(node) ?? 0) - 1; i >= 0; i--) {
    const next = sending.chain[i] ?? t.none
    if (isConversation(sending.state.table, next)) return next
  }
  return t.none
}

/** The parts of a message in the files of the chain, once each where the history is repeated, in the order of their chain. */
function partsIn(sending: Sending, message: number): readonly number[] {
  const { state } = sending
  const { table } = state
  const parts: number[] = []
  let part = firstPartOf(state, message)
  for (; part !== t.none; part = t.int(table.nextPart, part)) if (isAtHand(sending, part)) parts.push(part)
  if (parts.length < 2) return parts
  const depths = new Map(parts.map(each => [each, depthIn(state, each)]))
  const depth = (each: number): number => depths.get(each) ?? 0
  return withoutRepeated(sending, parts).sort((a, b) => depth(a) - depth(b) || comparePlaces(state, a, b))
}

/** Whether an entry stands in a file that the chain passes through, on its first row. */
function isAtHand({ state: { table }, files }: Sending, node: number): boolean {
  return files.has(t.int(table.file, node)) && !t.marked(table, node, t.Repeated)
}

/** The parts on the chain, and those beside it that repeat none of them; of a uuid in two files only one. */
function withoutRepeated({ state, positions }: Sending, parts: readonly number[]): number[] {
  const { table } = state
  const onChain = parts.filter(part => positions.has(part))
  const originals = new Set(onChain.map(part => originalOf(table, part)))
  const beside = new Map<number, number>()
  for (const part of parts) {
    if (originals.has(originalOf(table, part))) continue
    const owner = t.int(table.owner, part)
    const known = beside.get(owner)
    if (known === undefined || comparePlaces(state, part, known) < 0) beside.set(owner, part)
  }
  return [...onChain, ...beside.values()]
}

/** How deep a part stands within its message: the parent chain up to the entry before the message. */
function depthIn(state: State, part: number): number {
  const { table } = state
  const unit = t.int(table.message, part)
  let depth = 0
  for (
    let node = t.int(table.parent, part);
    node !== t.none && depth < 512;
    node = t.int(table.parent, node)
  ) {
    if (isConversation(table, node) && unitOf(state, node) !== unit) break
    depth++
  }
  return depth
}

/** D3: a call that never got a result is not sent again, once the conversation has gone on. */
function isUnanswered(state: State, part: number): boolean {
  const tools = toolsOf(state, part)
  return tools.length > 0 && tools.every(tool => isOpen(state, part, tool))
}

/** The described form of a sidechain call has no tool id to answer to: its own uuid stands in. */
function isOpen(state: State, part: number, tool: number): boolean {
  return resultFor(state, tool, part) === t.none && toolId(state, tool) !== t.idOf(state.table, part)
}

/** The results of the calls of these parts, within the file, in the order of sending. */
function resultsIn(sending: Sending, parts: readonly number[]): readonly number[] {
  const { state } = sending
  const results = new Set<number>()
  for (const part of parts) {
    for (const tool of toolsOf(state, part))
      for (const result of resultsSent(sending, tool)) results.add(result)
  }
  if (results.size < 2) return [...results]
  return isLoaded(sending, parts)
    ? loadedOrder(sending, parts, [...results])
    : writtenOrder(state, [...results])
}

/** The results of a tool in the files of the chain; where the history is repeated, only that on the chain, or the last. */
function resultsSent(sending: Sending, tool: number): readonly number[] {
  const { state, positions } = sending
  const here = resultsOf(state, tool).filter(result => isAtHand(sending, result))
  if (here.length < 2) return here
  const onChain = here.filter(result => positions.has(result))
  return onChain.length > 0 ? onChain : here.slice(-1)
}

/** Whether a process that sorts what it loads (up to 2.1.2xx, before `cost-state`) has read these parts from the file. */
function isLoaded(sending: Sending, parts: readonly number[]): boolean {
  if (sending.file.costStates.length > 0) return false
  const { row } = sending.state.table
  return parts.every(part => isOwn(sending, part) && t.int(row, part) < sending.loadedUpTo)
}

/** A process sends results as it got them, which is the order of rows, and of times between files. */
function writtenOrder(state: State, results: readonly number[]): readonly number[] {
  const { file, time } = state.table
  const isApart = (a: number, b: number): boolean => t.int(file, a) !== t.int(file, b)
  return [...results].sort(
    (a, b) =>
      (isApart(a, b) ? compareTimes(t.real(time, a), t.real(time, b)) : 0) || comparePlaces(state, a, b),
  )
}

/**
 * After loading, results on the chain keep their place on it; those beside it are put in behind the last part on
 * the chain, by time (random-2.1.101/505: rows 54, 51, 57 then 63, which carries the conversation on).
 */
function loadedOrder(
  sending: Sending,
  parts: readonly number[],
  results: readonly number[],
): readonly number[] {
  const { table } = sending.state
  const lastPart = Math.min(...parts.map(part => sending.positions.get(part) ?? Number.POSITIVE_INFINITY))
  const place = (result: number): number => sending.positions.get(result) ?? lastPart
  return [...results].sort(
    (a, b) => place(b) - place(a) || compareTimes(t.real(table.time, a), t.real(table.time, b)) || a - b,
  )
}
