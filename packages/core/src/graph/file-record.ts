/** A file of a graph: what was read of it, and the entries it holds. */
import type { JournalNote, QueueNote, TitleNote } from '../model/entry.js'
import type { FileFacts, SourceSpan } from '../model/source.js'
import type { CompactionRecord } from './compactions.js'
import { none } from './table.js'

/** A row with damage. */
interface DamagedRow extends SourceSpan {
  /** It holds no record at all. */
  readonly isWhole: boolean
}

/** A file of a graph and what was read of it. */
export interface FileRecord {
  readonly index: number
  readonly facts: FileFacts
  /** Sightings in the order of rows; repeated rows are left out. */
  readonly nodes: readonly number[]
  /** Those of them that are user and assistant entries of the file's own conversation, not of an inline subagent. */
  readonly spoken: readonly number[]
  /** Subagents' messages that progress rows of the file carry, in the order of rows. They are not rows of their own. */
  readonly carried: readonly number[]
  /** The last of them, by subagent: the next one follows it. */
  readonly lastCarried: ReadonlyMap<string, number>
  readonly queue: readonly QueueNote[]
  /** The rows of a workflow run's journal. */
  readonly journal: readonly JournalNote[]
  readonly titles: readonly TitleNote[]
  /** Rows with the marks that a process leaves when it ends; see processes.ts. */
  readonly costStates: readonly number[]
  readonly lastPrompts: readonly number[]
  /** Rows that only a process which resumes a conversation that was broken off writes: its first row. */
  readonly starts: readonly number[]
  /** The last assistant row of the file where it does not say why the reply ended: it may have been broken off. */
  readonly openReply: string | null
  /** The last release that said why a reply ended. */
  readonly stopVersion: string | null
  readonly repeats: readonly number[]
  readonly rows: number
  readonly entries: number
  readonly blank: number
  readonly damaged: number
  /** Rows that only go on with the record of a row before (P10). */
  readonly continuation: number
  /** Records beyond the first of their row (P9). */
  readonly joined: number
  /** Damaged pieces on rows that hold records, too (P9). */
  readonly pieces: number
  /** Rows that are damaged, or hold damaged pieces: edits keep their bytes. */
  readonly damagedRows: readonly DamagedRow[]
  readonly bytes: number
  /** Time of the first dated row, entry or note: which of two copies is the original. */
  readonly firstTime: number
  /** Time of the first dated note. Notes are never copied. */
  readonly firstNote: number
  /** Time of the first thing that is in no other file: a note, or an entry. */
  readonly firstOwn: number
  readonly stamped: boolean
  /** Some entry of it stands in another file, too. */
  readonly shares: boolean
  readonly background: boolean
  /** The agent's name, as its answers carry it. */
  readonly attribution: string | null
  /** Some entry carries `is_active`. */
  readonly active: boolean
  /** The working folder of the last entry that names one. */
  readonly cwd: string | null
  /** Whether any entry names a parent: of the conversation, and of sidechains inside a session's file. */
  readonly links: { readonly main: boolean; readonly side: boolean }
  /** How many entries came before the first that does. */
  readonly unlinked: { readonly main: number; readonly side: number }
  /** The first entry with a call that has this prompt, by the hash of its words. */
  readonly callPrompts: ReadonlyMap<number, number>
  /** Entries from which on the work went on in another folder. */
  readonly moves: readonly { readonly node: number; readonly to: string }[]
  readonly compactions: readonly CompactionRecord[]
  readonly lastSession: Named
  readonly lastVersion: Named
}

/** The same while rows are added to it. */
export type OpenFile = {
  -readonly [Field in keyof FileRecord]: Open<FileRecord[Field]>
}

type Open<T> = T extends readonly (infer Item)[]
  ? Item[]
  : T extends ReadonlyMap<infer Key, infer Value>
    ? Map<Key, Value>
    : T extends { readonly main: infer Side }
      ? { main: Side; side: Side }
      : T

interface Named {
  readonly name: string | null
  readonly index: number
}

/** The record of a file of which nothing was read yet. */
export function createFile(index: number, facts: FileFacts): OpenFile {
  return {
    index,
    facts,
    nodes: [],
    spoken: [],
    carried: [],
    lastCarried: new Map(),
    queue: [],
    journal: [],
    titles: [],
    costStates: [],
    lastPrompts: [],
    starts: [],
    openReply: null,
    stopVersion: null,
    repeats: [],
    rows: 0,
    entries: 0,
    blank: 0,
    damaged: 0,
    continuation: 0,
    joined: 0,
    pieces: 0,
    damagedRows: [],
    bytes: 0,
    firstTime: Number.NaN,
    firstNote: Number.NaN,
    firstOwn: Number.NaN,
    stamped: false,
    shares: false,
    background: false,
    attribution: null,
    active: false,
    cwd: null,
    links: { main: false, side: false },
    unlinked: { main: 0, side: 0 },
    callPrompts: new Map(),
    moves: [],
    compactions: [],
    lastSession: { name: null, index: none },
    lastVersion: { name: null, index: none },
  }
}

/** All sightings of a file in the order of rows: its own entries, and the messages that its progress rows carry. */
export function entriesIn({ nodes, carried }: FileRecord): readonly number[] {
  return carried.length === 0 ? nodes : [...nodes, ...carried].sort((a, b) => a - b)
}
