/**
 * B9: what a transcript of a store holds, and which of further entries are not in it yet.
 *
 * An entry with a uuid is stored once. Rows without one have no identity: the same note may be written twice for good
 * reason. Therefore notes are compared only within an import of what is there already: as long as its entries are
 * stored, so are its notes, as many of each as the file has. Their order may differ: what a running session writes
 * through the SDK is not in all details what stands in its transcript.
 */
import { hash } from 'node:crypto'

/** A row of a transcript, as the Agent SDK gives it. */
export interface SessionStoreEntry {
  type: string
  uuid?: string
  timestamp?: string
  [name: string]: unknown
}

/** What was stored so far. */
export interface StoredRows {
  /** The uuids of entries, numbered in their order from 1. */
  readonly entries: Map<string, number>
  /** How many notes of each text there are. */
  readonly notes: Map<string, number>
  /** The notes before the first entry, in their order. Journals of workflow runs have nothing else. */
  readonly first: string[]
  /** The last row about a subagent itself, as a key of its text. */
  metadata: string | null
  /** How far an import has come that repeats what is stored; null outside of one. */
  again: Again | null
}

interface Again {
  /** The number of the last entry. */
  readonly entry: number
  /** How many notes of each text came so far. */
  readonly notes: Map<string, number>
}

/** Takes back what `notStored` has noted, where the entries could not be written: they come again. */
export function beforeWriting({ again }: StoredRows): (rows: StoredRows) => void {
  const before = again === null ? null : { ...again, notes: new Map(again.notes) }
  return rows => {
    rows.again = before
  }
}

/** Of a transcript without rows. */
export function noRows(): StoredRows {
  return { entries: new Map(), notes: new Map(), first: [], metadata: null, again: null }
}

/** Adds a row that was written. */
export function addStored(rows: StoredRows, entry: SessionStoreEntry): void {
  const { entries, notes, first } = rows
  if (typeof entry.uuid === 'string') {
    if (!entries.has(entry.uuid)) entries.set(entry.uuid, entries.size + 1)
    return
  }
  const key = keyOf(entry)
  if (isMetadata(entry)) rows.metadata = key
  if (entries.size === 0) first.push(key)
  notes.set(key, (notes.get(key) ?? 0) + 1)
}

/** Those of some entries that are not stored yet, in their order. */
export function notStored(
  rows: StoredRows,
  entries: readonly SessionStoreEntry[],
): readonly SessionStoreEntry[] {
  const before = entryBefore(rows, entries)
  // An import that goes back is another one.
  const isNext = rows.again !== null && (before === null || before >= rows.again.entry)
  if (!isNext) rows.again = before === null ? null : { entry: before, notes: new Map() }
  const fresh = new Set<string>()
  return entries.filter(entry => !isStored(rows, entry, fresh))
}

/** The number of the stored entry that some entries come after; null where they do not begin with what is stored. */
function entryBefore({ entries, first }: StoredRows, given: readonly SessionStoreEntry[]): number | null {
  const { uuid } = given.find(hasUuid) ?? {}
  const number = uuid === undefined ? undefined : entries.get(uuid)
  if (number !== undefined) return number - 1
  // One note may be written again for good reason; several that begin as the file does are an import.
  const both = Math.min(first.length, given.length)
  const isStart = both >= 2 && given.slice(0, both).every((entry, at) => keyOf(entry) === first[at])
  return isStart ? 0 : null
}

function hasUuid({ uuid }: SessionStoreEntry): boolean {
  return typeof uuid === 'string'
}

function isStored(rows: StoredRows, entry: SessionStoreEntry, fresh: Set<string>): boolean {
  const { uuid } = entry
  if (typeof uuid !== 'string')
    return isMetadata(entry) ? rows.metadata === keyOf(entry) : isSameNote(rows, entry)
  const number = rows.entries.get(uuid)
  rows.again = number === undefined ? null : { entry: number, notes: rows.again?.notes ?? new Map() }
  const isTwice = fresh.has(uuid)
  fresh.add(uuid)
  return number !== undefined || isTwice
}

function isSameNote({ again, notes }: StoredRows, entry: SessionStoreEntry): boolean {
  if (again === null) return false
  const key = keyOf(entry)
  const count = (again.notes.get(key) ?? 0) + 1
  again.notes.set(key, count)
  return count <= (notes.get(key) ?? 0)
}

/** Whether an entry is about a subagent itself: the SDK gives its `.meta.json` so. */
export function isMetadata({ type }: SessionStoreEntry): boolean {
  return type === 'agent_metadata'
}

function keyOf(entry: SessionStoreEntry): string {
  return hash('sha1', JSON.stringify(inOrder(entry)), 'base64url')
}

/** The same value with its fields in one order: a store may change it. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, field]) => [name, inOrder(field)])
}
