/**
 * Strings as small integers. A graph of a million entries holds as many ids; a plain `Map` of them costs more time
 * and memory than all else together, so names are found by open addressing over integers.
 */

/** A list of distinct strings, each found by its text. */
export interface Names {
  readonly list: string[]
  readonly slots: Slots
}

/** Where each string of a list stands: positions by hash, linear probing, at most half full. */
export interface Slots {
  positions: Int32Array
  hashes: Int32Array
  size: number
}

const empty = -1

/** An empty list of names. */
export function createNames(): Names {
  return { list: [], slots: createSlots() }
}

/** Slots for no strings yet. */
export function createSlots(): Slots {
  return { positions: new Int32Array(64).fill(empty), hashes: new Int32Array(64), size: 0 }
}

/** The number of a name, given once. */
export function intern(names: Names, name: string): number {
  const hash = hashOf(name)
  const known = findIn(names.slots, names.list, name, hash)
  if (known !== empty) return known
  const position = names.list.push(name) - 1
  insert(names.slots, position, hash)
  return position
}

/** The number of a name, or -1. */
export function find(names: Names, name: string): number {
  return findIn(names.slots, names.list, name, hashOf(name))
}

/** The name behind a number. */
export function nameOf(names: Names, index: number): string {
  return names.list[index] ?? ''
}

/** The position of a text in the list that the slots index, or -1. */
export function findIn(slots: Slots, list: readonly string[], text: string, hash: number): number {
  const mask = slots.positions.length - 1
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const position = slots.positions[slot] ?? empty
    if (position === empty) return empty
    if (slots.hashes[slot] === hash && list[position] === text) return position
  }
}

/** Enters a position. The caller knows that its text is not there yet. */
export function insert(slots: Slots, position: number, hash: number): void {
  if (slots.size * 2 >= slots.positions.length) widen(slots)
  place(slots, position, hash)
  slots.size++
}

function place(slots: Slots, position: number, hash: number): void {
  const mask = slots.positions.length - 1
  let slot = hash & mask
  while (slots.positions[slot] !== empty) slot = (slot + 1) & mask
  slots.positions[slot] = position
  slots.hashes[slot] = hash
}

function widen(slots: Slots): void {
  const { positions, hashes } = slots
  slots.positions = new Int32Array(positions.length * 4).fill(empty)
  slots.hashes = new Int32Array(positions.length * 4)
  for (let slot = 0; slot < positions.length; slot++) {
    const position = positions[slot] ?? empty
    if (position !== empty) place(slots, position, hashes[slot] ?? 0)
  }
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
