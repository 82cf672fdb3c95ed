/**
 * Strings as small integers. A graph of a million entries holds as many ids; a plain `Map` of them costs more time
 * and memory than all else together, so names are found by open addressing over integers.
 */

/** A list of distinct strings, each found by its text. */
export interface Names<T extends string = string> {
  readonly list: T[]
  readonly slots: Slots
}

/**
 * Where each string of a list stands: by hash, linear probing, at most half full. A look at a large table is a cache
 * miss, and most looks are for strings that are not there: a byte per slot answers those, and stays in the cache.
 */
export interface Slots {
  /** Zero for an empty slot, else some bits of the hash. */
  tags: Uint8Array
  positions: Int32Array
  /** Read only when the slots are widened. */
  hashes: Int32Array
  size: number
}

const absent = -1
const smallest = 64

/** An empty list of names. */
export function createNames<T extends string = string>(): Names<T> {
  return { list: [], slots: createSlots() }
}

/** Slots for no strings yet. */
export function createSlots(): Slots {
  return { ...emptySlots(smallest), size: 0 }
}

function emptySlots(count: number): Pick<Slots, 'tags' | 'positions' | 'hashes'> {
  return { tags: new Uint8Array(count), positions: new Int32Array(count), hashes: new Int32Array(count) }
}

/** The number of a name, given once. */
export function intern<T extends string>(names: Names<T>, name: T): number {
  const known = findOrInsert(names.slots, names.list, name, names.list.length)
  if (known !== absent) return known
  return names.list.push(name) - 1
}

/** The number of a name, or -1. */
export function find(names: Names, name: string): number {
  return findIn(names.slots, names.list, name)
}

/** The name behind a number. */
export function nameOf<T extends string>(names: Names<T>, index: number): T {
  return names.list[index] ?? ('' as T)
}

/** The position of a text in the list that the slots index, or -1. */
export function findIn(slots: Slots, list: readonly string[], text: string): number {
  return positionAt(slots, slotOf(slots, list, text, hashOf(text)))
}

/** The position of a text that is there already; or -1, and the text is entered at the given position. */
export function findOrInsert(slots: Slots, list: readonly string[], text: string, position: number): number {
  if (slots.size * 2 >= slots.tags.length) widen(slots)
  const hash = hashOf(text)
  const slot = slotOf(slots, list, text, hash)
  const known = positionAt(slots, slot)
  if (known === absent) {
    enter(slots, slot, hash, position)
    slots.size++
  }
  return known
}

function positionAt({ tags, positions }: Slots, slot: number): number {
  return tags[slot] === 0 ? absent : (positions[slot] ?? absent)
}

function enter({ tags, positions, hashes }: Slots, slot: number, hash: number, position: number): void {
  tags[slot] = tagOf(hash)
  positions[slot] = position
  hashes[slot] = hash
}

/** Never zero. The slot is chosen by the low bits of the hash, so the tag takes the high ones. */
function tagOf(hash: number): number {
  return (hash >>> 24) | 1
}

/** The slot of a text, or the empty one where it belongs. */
function slotOf({ tags, positions }: Slots, list: readonly string[], text: string, hash: number): number {
  const mask = tags.length - 1
  const tag = tagOf(hash)
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const here = tags[slot]
    if (here === 0 || (here === tag && list[positions[slot] ?? absent] === text)) return slot
  }
}

function widen(slots: Slots): void {
  const { tags, positions, hashes } = slots
  Object.assign(slots, emptySlots(tags.length * 4))
  const mask = slots.tags.length - 1
  for (let old = 0; old < tags.length; old++) {
    if (tags[old] === 0) continue
    const hash = hashes[old] ?? 0
    let slot = hash & mask
    while (slots.tags[slot] !== 0) slot = (slot + 1) & mask
    enter(slots, slot, hash, positions[old] ?? absent)
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
