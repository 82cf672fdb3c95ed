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

/** A file and what was read of it. */
export interface FileRecord {
  readonly index: number
  readonly facts: FileFacts
  /** Sightings in the order of rows; repeated rows are left out. */
  readonly nodes: number[]
  /** Those of them that are user and assistant entries of the file's own conversation, not of an inline subagent. */
  readonly spoken: number[]
  /** Subagents' messages that progress rows of the file carry, in the order of rows. They are no rows of their own. */
  readonly carried: number[]
  /** The last of them, by subagent: the next one follows it. */
  readonly lastCarried: Map<string, number>
  readonly queue: QueueNote[]
  /** The rows of a workflow run's journal. */
  readonly journal: JournalNote[]
  readonly titles: TitleNote[]
  /** Rows with the marks that a process leaves when it ends; see processes.ts. */
  readonly costStates: number[]
  readonly lastPrompts: number[]
  /** Rows that only a process which resumes a conversation that was broken off writes: its first row. */
  readonly starts: number[]
  /** The last assistant row of the file where it does not say why the reply ended: it may have been broken off. */
  openReply: string | null
  /** The last release that said why a reply ended. */
  stopVersion: string | null
  readonly repeats: number[]
  rows: number
  entries: number
  blank: number
  damaged: number
  /** Rows that only go on with the record of a row before (P10). */
  continuation: number
  /** Records beyond the first of their row (P9). */
  joined: number
  /** Damaged pieces on rows that hold records, too (P9). */
  pieces: number
  /** Rows that are damaged, or hold damaged pieces: edits keep their bytes. */
  readonly damagedRows: DamagedRow[]
  bytes: number
  /** Time of the first dated row, entry or note: which of two copies is the original. */
  firstTime: number
  /** Time of the first dated note. Notes are never copied. */
  firstNote: number
  /** Time of the first thing that is in no other file: a note, or an entry. */
  firstOwn: number
  stamped: boolean
  /** Some entry of it stands in another file, too. */
  shares: boolean
  background: boolean
  /** The agent's name, as its answers carry it. */
  attribution: string | null
  /** Some entry carries `is_active`. */
  active: boolean
  /** The working folder of the last entry that names one. */
  cwd: string | null
  /** Whether any entry names a parent: of the conversation, and of sidechains inside a session's file. */
  readonly links: { main: boolean; side: boolean }
  /** How many entries came before the first that does. */
  readonly unlinked: { main: number; side: number }
  /** The first entry with a call that has this prompt, by the hash of its words. */
  readonly callPrompts: Map<number, number>
  /** Entries from which on the work went on in another folder. */
  readonly moves: { readonly node: number; readonly to: string }[]
  compactions: CompactionRecord[]
  lastSession: Named
  lastVersion: Named
}

interface Named {
  readonly name: string | null
  readonly index: number
}

/** The record of a file of which nothing was read yet. */
export function createFile(index: number, facts: FileFacts): FileRecord {
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
