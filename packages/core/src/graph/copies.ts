/**
 * G7, F7: nodes that repeat other nodes under new uuids. Three things make them: a resume of 1.0.x (the history
 * again in a new file, or before each streamed message in the same file), SDK forks (stamped `forkedFrom`), and
 * rows written twice with the same times (2.1.1). A copy is folded under its original, and what hangs on a
 * copy hangs on the original in the lines.
 *
 * Evidence, strongest first: the stamp; message id and tool ids; then, from such a pair upwards, parents that
 * look the same; last, the same text at the same time under the same parent.
 */
import { firstPartOf, partsOf } from './messages.js'
import { compareFiles, compareWritten } from './order.js'
import { isOwned, isPlaced, sightingOf } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { resultsOf, toolsOf } from './tools.js'

/** Finds all copies, from scratch. */
export function findCopies(state: State): void {
  state.table.copyOf.fill(t.none)
  state.originals.clear()
  findStamped(state)
  const messages = state.messages.names.list.length
  for (let message = 0; message < messages; message++) pairParts(state, message)
  pairRepeatedTurns(state)
  resolveOriginals(state)
}

/** The original of a node, or the node itself. */
export function originalOf(table: t.Table, node: number): number {
  const owner = t.int(table.owner, node)
  const original = t.int(table.copyOf, owner)
  return original === t.none ? owner : original
}

function findStamped(state: State): void {
  const { table } = state
  for (let node = 0; node < table.size; node++) {
    if (!t.marked(table, node, t.Stamped) || !isOwned(table, node)) continue
    const from = table.entries[node]?.forkedFrom?.entry ?? ''
    const original = sightingOf(state, from)
    if (original !== t.none && from !== t.idOf(table, node)) table.copyOf[node] = t.int(table.owner, original)
  }
}

/** Pairs the parts of one message that say the same under different uuids. */
function pairParts(state: State, message: number): void {
  const { table } = state
  const first = firstPartOf(state, message)
  if (t.int(table.nextPart, first) === t.none || !hasEqualParts(state, first)) return
  const seen = new Map<number, number>()
  for (const part of partsInOrder(state, message)) {
    const look = partLook(state, part)
    const original = look === 0 ? undefined : seen.get(look)
    if (original === undefined) seen.set(look, part)
    else if (!hangsOn(table, part, original)) pairUpwards(state, part, original)
  }
}

/** Whether two parts say the same; most messages have a few parts, all different. */
function hasEqualParts(state: State, first: number): boolean {
  const { table } = state
  let steps = 0
  for (let a = first; a !== t.none; a = t.int(table.nextPart, a)) {
    for (let b = t.int(table.nextPart, a); b !== t.none; b = t.int(table.nextPart, b)) {
      if (partLook(state, a) === partLook(state, b) || ++steps > 64) return true
    }
  }
  return false
}

function partsInOrder(state: State, message: number): readonly number[] {
  // A stamp is stronger than any look: what has one is not an original.
  const parts = partsOf(state, message).filter(part => isPlaced(state, part))
  return parts.sort((a, b) => compareWritten(state, a, b))
}

/** What a part says: its first call, else the hash of its words. */
function partLook(state: State, part: number): number {
  const tool = toolsOf(state, part)[0]
  return tool === undefined ? t.real(state.table.hash, part) : -1 - tool
}

/** Two equal parts of one message stand close together on one chain; copies do not. */
function hangsOn(table: t.Table, node: number, ancestor: number): boolean {
  let up = t.int(table.parent, node)
  for (let steps = 0; up !== t.none && steps < 64; steps++) {
    if (up === ancestor) return true
    up = t.int(table.parent, up)
  }
  return false
}

/** Marks a copy, and its ancestors as long as they look like those of the original. */
function pairUpwards(state: State, copy: number, original: number): void {
  const { table } = state
  let a = copy
  let b = original
  while (a !== t.none && b !== t.none && a !== b && isFreePair(table, a, b)) {
    if (looksSame(state, a, b)) {
      table.copyOf[a] = b
      a = ownerOf(table, t.int(table.parent, a))
      b = ownerOf(table, t.int(table.parent, b))
    } else if (isPieceOf(table, a, b)) {
      table.copyOf[a] = b
      a = ownerOf(table, t.int(table.parent, a))
      if (a === t.none || !isPieceOf(table, a, b)) b = ownerOf(table, t.int(table.parent, b))
    } else if (t.int(table.message, b) === t.int(table.message, original)) {
      // A part that is not sent again (a call without result) is not copied either.
      b = ownerOf(table, t.int(table.parent, b))
    } else return
  }
}

/**
 * 2.1.1 to 2.1.2x in an editor: a prompt of several blocks is written again as one entry per block, at its time. Other
 * prompts can carry the same time, so the text must be that of a block.
 */
function isPieceOf(table: t.Table, piece: number, whole: number): boolean {
  if (t.byte(table.says, piece) !== t.SaysPrompt || t.byte(table.says, whole) !== t.SaysPrompt) return false
  if (t.real(table.time, piece) !== t.real(table.time, whole)) return false
  const entry = table.entries[whole]
  return entry?.kind === 'user' && entry.blocks.includes(t.real(table.hash, piece))
}

function ownerOf(table: t.Table, node: number): number {
  return node === t.none ? t.none : t.int(table.owner, node)
}

function isFreePair(table: t.Table, a: number, b: number): boolean {
  return t.int(table.copyOf, a) === t.none && t.int(table.copyOf, b) === t.none && isOwned(table, a)
}

function looksSame(state: State, a: number, b: number): boolean {
  const { table } = state
  if (t.byte(table.kind, a) !== t.byte(table.kind, b)) return false
  if (t.byte(table.says, a) !== t.byte(table.says, b)) return false
  if (t.byte(table.kind, a) === t.Assistant) return t.int(table.message, a) === t.int(table.message, b)
  if (t.byte(table.says, a) === t.SaysResult) return toolsOf(state, a)[0] === toolsOf(state, b)[0]
  return (
    t.word(table.subtype, a) === t.word(table.subtype, b) && t.real(table.hash, a) === t.real(table.hash, b)
  )
}

/**
 * F7: user entries that repeat a sibling: the same words, or an answer to the same call, at the same time under
 * the same parent; or at the time of the copied parent under it. Walked in the order of writing, so a parent is
 * judged before its children.
 */
function pairRepeatedTurns(state: State): void {
  const { table } = state
  // Only siblings can repeat each other: the first child of a parent is entered when a second one comes.
  const only = new Int32Array(table.size).fill(t.none)
  const roots = new Map<number, number>()
  const seen = new Map<string, number>()
  for (const file of [...state.files].sort(compareFiles)) {
    for (const node of file.nodes) {
      if (t.byte(table.kind, node) !== t.User || !isOwned(table, node)) continue
      if (t.int(table.copyOf, node) !== t.none || isOrphan(table, node)) continue
      if (pairResult(state, node)) continue
      const over = parentOriginal(table, node)
      const first = over === t.none ? (roots.get(file.index) ?? t.none) : t.int(only, over)
      if (first !== t.none) pairWithSibling(state, node, first, seen)
      else if (over === t.none) roots.set(file.index, node)
      else only[over] = node
    }
  }
}

/** A result in a replayed history answers the call that the original answers; their parents may differ. */
function pairResult(state: State, node: number): boolean {
  const { table } = state
  const tool = toolsOf(state, node)[0]
  if (tool === undefined || !isAtCopiedParent(table, node)) return false
  const others = resultsOf(state, tool).filter(other => other !== node && isOwned(table, other))
  const original = others.sort((a, b) => compareWritten(state, a, b))[0]
  if (original === undefined || compareWritten(state, node, original) < 0) return false
  table.copyOf[node] = original
  return true
}

function isOrphan(table: t.Table, node: number): boolean {
  return t.int(table.parent, node) === t.none && table.parentIds[node] !== null
}

/** The original of the parent; none for roots. */
function parentOriginal(table: t.Table, node: number): number {
  const parent = t.int(table.parent, node)
  return parent === t.none ? t.none : originalOf(table, parent)
}

function pairWithSibling(state: State, node: number, first: number, seen: Map<string, number>): void {
  const { table } = state
  if (!seen.has(lookAt(state, first))) enter(state, first, seen)
  const inCopy = isAtCopiedParent(table, node) ? seen.get(look(state, node)) : undefined
  const original = inCopy ?? seen.get(lookAt(state, node))
  if (original === undefined) enter(state, node, seen)
  else if (t.idOf(table, original) !== t.idOf(table, node)) table.copyOf[node] = original
}

function enter(state: State, node: number, seen: Map<string, number>): void {
  seen.set(lookAt(state, node), node)
  if (!seen.has(look(state, node))) seen.set(look(state, node), node)
}

/** What a user entry says, and under which parent. */
function look(state: State, node: number): string {
  const { table } = state
  const result = t.byte(table.says, node) === t.SaysResult
  const words = result ? `tool ${toolsOf(state, node)[0]}` : t.real(table.hash, node)
  const over = parentOriginal(table, node)
  // Roots are siblings only within a file: warm-up agents all begin alike, some at the same time.
  return `${over === t.none ? `file ${t.int(table.file, node)}` : over} ${words}`
}

/** The same, and when. */
function lookAt(state: State, node: number): string {
  return `${look(state, node)} ${t.real(state.table.time, node)}`
}

/** Replayed histories carry one new time: that of the copied parent. */
export function isAtCopiedParent(table: t.Table, node: number): boolean {
  const parent = t.int(table.parent, node)
  if (parent === t.none || originalOf(table, parent) === t.int(table.owner, parent)) return false
  return t.real(table.time, parent) === t.real(table.time, node)
}

/** A copy of a copy is a copy of the first. */
function resolveOriginals(state: State): void {
  const { table } = state
  for (let node = 0; node < table.size; node++) {
    let original = t.int(table.copyOf, node)
    for (let steps = 0; original !== t.none && steps < 64; steps++) {
      const further = t.int(table.copyOf, original)
      if (further === t.none || further === node) break
      original = further
    }
    table.copyOf[node] = original === node ? t.none : original
    if (original !== t.none && original !== node) state.originals.add(original)
  }
}

/**
 * The entries of a list that repeat an earlier one of it, each with the first. Both may be copies of an entry elsewhere. A stamp
 * alone does not make one: the words must be the same, too.
 */
export function repeatsIn(table: t.Table, nodes: readonly number[]): ReadonlyMap<number, number> {
  const repeats = new Map<number, number>()
  if (!nodes.some(node => t.int(table.copyOf, node) !== t.none)) return repeats
  const firsts = new Map<number, number>()
  for (const node of nodes) {
    const copied = t.int(table.copyOf, node)
    const original = copied === t.none ? node : copied
    const first = firsts.get(original)
    if (first === undefined) firsts.set(original, node)
    else if (!t.marked(table, node, t.Stamped) || saysTheSame(table, node, first)) repeats.set(node, first)
  }
  return repeats
}

function saysTheSame(table: t.Table, a: number, b: number): boolean {
  const isKind =
    t.byte(table.kind, a) === t.byte(table.kind, b) && t.byte(table.says, a) === t.byte(table.says, b)
  const isText = t.real(table.hash, a) === t.real(table.hash, b)
  return isKind && isText && t.int(table.tool, a) === t.int(table.tool, b)
}
