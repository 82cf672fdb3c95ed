/**
 * Strings as small integers. A graph of a million entries holds as many ids; a plain `Map` of them costs more time
 * and memory than all else together, so names are found by open addressing over integers.
 */

/** A list of distinct strings, each found by its text. */
export interface Names {
  readonly list: string[]
  readonly slots: Slots
}

/**
 * Where each string of a list stands: by hash, linear probing, at most half full. Position and hash stand side by side,
 * since every look at a large table is a cache miss.
 */
export interface Slots {
  /** Two cells a slot: position, hash. */
  cells: Int32Array
  size: number
}

const empty = -1

/** An empty list of names. */
export function createNames(): Names {
  return { list: [], slots: createSlots() }
}

/** Slots for no strings yet. */
export function createSlots(): Slots {
  return { cells: new Int32Array(128).fill(empty), size: 0 }
}

/** The number of a name, given once. */
export function intern(names: Names, name: string): number {
  const known = findOrInsert(names.slots, names.list, name, names.list.length)
  if (known !== empty) return known
  return names.list.push(name) - 1
}

/** The number of a name, or -1. */
export function find(names: Names, name: string): number {
  return findIn(names.slots, names.list, name)
}

/** The name behind a number. */
export function nameOf(names: Names, index: number): string {
  return names.list[index] ?? ''
}

/** The position of a text in the list that the slots index, or -1. */
export function findIn(slots: Slots, list: readonly string[], text: string): number {
  return slots.cells[2 * slotOf(slots, list, text, hashOf(text))] ?? empty
}

/** The position of a text that is there already; or -1, and the text is entered at the given position. */
export function findOrInsert(slots: Slots, list: readonly string[], text: string, position: number): number {
  if (slots.size * 4 >= slots.cells.length) widen(slots)
  const hash = hashOf(text)
  const slot = slotOf(slots, list, text, hash)
  const known = slots.cells[2 * slot] ?? empty
  if (known !== empty) return known
  slots.cells[2 * slot] = position
  slots.cells[2 * slot + 1] = hash
  slots.size++
  return empty
}

/** The slot of a text, or the empty one where it belongs. */
function slotOf({ cells }: Slots, list: readonly string[], text: string, hash: number): number {
  const mask = (cells.length >> 1) - 1
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const position = cells[2 * slot] ?? empty
    if (position === empty) return slot
    if (cells[2 * slot + 1] === hash && list[position] === text) return slot
  }
}

function widen(slots: Slots): void {
  const { cells } = slots
  const wider = new Int32Array(cells.length * 4).fill(empty)
  const mask = (wider.length >> 1) - 1
  for (let at = 0; at < cells.length; at += 2) {
    const position = cells[at] ?? empty
    if (position === empty) continue
    const hash = cells[at + 1] ?? 0
    let slot = hash & mask
    while (wider[2 * slot] !== empty) slot = (slot + 1) & mask
    wider[2 * slot] = position
    wider[2 * slot + 1] = hash
  }
  slots.cells = wider
}

/** FNV-1a with a final mix, over the whole text, or both ends of a very long one. */
export function hashOf(text: string): number {
  const { length } = text
  let hash = 0x811c9dc5 ^ length
  const head = length <= 128 ? length : 64
  for (let i = 0; i < head; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  for (let i = Math.max(head, length - 64); i < length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
