/**
 * The columns of the graph: one row per **sighting**, which is an entry in a file. Integers and typed arrays
 * inside; uuids and strings sit at the border. A uuid seen in several files has several sightings, one of which
 * owns the node.
 *
 *   parent    the sighting this one hangs on, as recorded, in its own file's view first
 *   up        where it hangs in the tree of lines: over compactions, past copies (docs/SPEC.md, C1, G7)
 *   hash      of its text; 0 without text
 *   tool      the one tool an entry calls or answers, see tools.ts
 *   ending    how the call that a result answers ended
 *   first, last, next   the children by `up`, in the order of writing
 *   span, facts         what lies below it, see facts.ts
 */
import type { Entry } from '../model/entry.js'

/** No sighting, no file, no message. */
export const none = -1

/** The columns by the width of their cells. */
const bytes = ['kind', 'says', 'ending', 'facts'] as const
const words = ['marks', 'subtype', 'version'] as const
const reals = ['offset', 'length', 'time', 'hash'] as const
const links = ['parent', 'up', 'first', 'last', 'next', 'owner', 'copyOf', 'sameId', 'nextPart'] as const
const numbers = ['file', 'row', 'session', 'message', 'tool', 'domain', 'span'] as const

type Columns = Record<(typeof bytes)[number], Uint8Array> &
  Record<(typeof words)[number], Uint16Array> &
  Record<(typeof reals)[number], Float64Array> &
  Record<(typeof links)[number] | (typeof numbers)[number], Int32Array>

export interface Table extends Columns {
  size: number
  capacity: number
  ids: string[]
  /** The parent's uuid as written; null for roots. */
  parentIds: (string | null)[]
  /** Kept only where the entry says more than the columns: calls, results, prompts, boundaries. */
  entries: (Entry | null)[]
}

/** The kinds of entries as the kind column holds them. */
export const kinds = ['user', 'assistant', 'system', 'attachment', 'progress', 'opaque'] as const
export const User = 0
export const Assistant = 1
export const System = 2
export const Attachment = 3
export const Progress = 4

/** The meanings of user entries as the says column holds them; 0 for other kinds. */
export const meanings = [
  'none',
  'prompt',
  'result',
  'summary',
  'caveat',
  'command',
  'output',
  'interrupt',
  'notification',
  'meta',
] as const
export const SaysPrompt = 1
export const SaysResult = 2
export const SaysSummary = 3
export const SaysCaveat = 4
export const SaysCommand = 5
export const SaysOutput = 6
export const SaysInterrupt = 7
export const SaysNotification = 8
export const SaysMeta = 9

/** The same the other way round; looked up for every row. */
export const kindIndex: Readonly<Record<(typeof kinds)[number], number>> = numbered(kinds)
export const meaningIndex: Readonly<Record<(typeof meanings)[number], number>> = numbered(meanings)

function numbered<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name, number) => [name, number])) as Record<Name, number>
}

/** How calls end, as the ending column holds it. */
export const endings = ['ok', 'error', 'denied', 'interrupted', 'spilled'] as const

/** Bits of the marks column: what an entry is by itself. */
export const Sidechain = 1
export const ApiError = 2
export const Synthetic = 4
export const ThinkingOnly = 8
/** The same uuid again in the same file: no new node. */
export const Repeated = 16
export const Active = 32
export const HasCalls = 64
export const Boundary = 128
export const Stamped = 256
export const Background = 512
/** Typed text delivered in mid turn. */
export const QueuedPrompt = 1024
/** The parent link was cut: it closed a cycle. */
export const CutParent = 2048
/** Some compaction keeps the entry, or goes on from it. */
export const Kept = 4096
/** The message of a subagent that stands inside a progress row of this file. */
export const Carried = 8192
/** Calls or results of tools that the API itself runs. */
export const ApiTools = 16384
/** A block of another kind than text, thinking, calls and results. */
export const OtherBlocks = 32768

/** Rows that a new table has room for: most projects of an archive have a few, and many graphs may be open at a time. */
const firstCapacity = 128

/** An empty table. */
export function createTable(): Table {
  const capacity = firstCapacity
  return { size: 0, capacity, ids: [], parentIds: [], entries: [], ...emptyColumns(capacity) }
}

/** All columns lie in one buffer, the widest cells first: that is a fraction of the work of one buffer for each. */
function emptyColumns(size: number): Columns {
  const cells = 8 * reals.length + 4 * (links.length + numbers.length) + 2 * words.length + bytes.length
  const buffer = new ArrayBuffer(size * cells)
  let offset = 0
  const take = (width: number): number => {
    const start = offset
    offset += size * width
    return start
  }
  const realColumns = columnsOf(reals, () => new Float64Array(buffer, take(8), size))
  const names = [...links, ...numbers]
  // A cell that was not written means `none`.
  new Int32Array(buffer, offset, size * names.length).fill(none)
  return {
    ...realColumns,
    ...columnsOf(names, () => new Int32Array(buffer, take(4), size)),
    ...columnsOf(words, () => new Uint16Array(buffer, take(2), size)),
    ...columnsOf(bytes, () => new Uint8Array(buffer, take(1), size)),
  }
}

function columnsOf<Name extends string, Column>(
  names: readonly Name[],
  make: () => Column,
): Record<Name, Column> {
  return Object.fromEntries(names.map(name => [name, make()])) as Record<Name, Column>
}

/** Takes the next row of the table; columns double when they are full, so adding is constant on average. */
export function takeRow(table: Table): number {
  if (table.size === table.capacity) grow(table)
  return table.size++
}

function grow(table: Table): void {
  // In large steps at first: a project has thousands of entries, and every step copies all columns.
  table.capacity *= table.capacity < 65_536 ? 4 : 2
  const columns = emptyColumns(table.capacity)
  for (const name of [...bytes, ...words, ...reals, ...links, ...numbers]) columns[name].set(table[name])
  Object.assign(table, columns)
}

/**
 * Cells. Indices come from the table itself, so a miss cannot happen; `none` keeps the types honest. One reader
 * per width, because a reader shared by all widths would be slow in the engine.
 */
export const byte = (column: Uint8Array, index: number): number => column[index] ?? none
export const word = (column: Uint16Array, index: number): number => column[index] ?? none
export const int = (column: Int32Array, index: number): number => column[index] ?? none
export const real = (column: Float64Array, index: number): number => column[index] ?? none
export const idOf = (table: Table, index: number): string => table.ids[index] ?? ''

/** The same for everybody outside: null where the columns say none. */
export const orNull = (index: number): number | null => (index === none ? null : index)

/** The nodes that hang on one by `up`, in the order in which they were hung. */
export function childrenOf({ first, next }: Table, node: number): number[] {
  const children: number[] = []
  for (let child = int(first, node); child !== none; child = int(next, child)) children.push(child)
  return children
}

/** Marks the sighting. */
export function mark(table: Table, index: number, mark: number): void {
  table.marks[index] = word(table.marks, index) | mark
}

/** Whether the sighting is marked so. */
export function marked(table: Table, index: number, mark: number): boolean {
  return (word(table.marks, index) & mark) !== 0
}
