/** A file of a graph: what was read of it, and the entries it holds. */
import type { JournalNote, QueueNote, TitleNote } from '../model/entry.js'
import type { AgentMeta, FileFacts, SourceSpan } from '../model/source.js'
import type { CompactionRecord } from './compactions.js'
import { type Written, writtenFrom } from './midway.js'
import { none } from './table.js'

/** A row with damage. */
export interface DamagedRow extends SourceSpan {
  /** It holds no record at all. */
  readonly isWhole: boolean
}

/** A file of a graph and what was read of it. Nodes of one file ascend in the order of its rows. */
export interface FileRecord {
  /** Its number in the graph: `Domain.files` holds such numbers. */
  readonly index: number
  /** What its path and its sidecar say of it. */
  readonly facts: FileFacts
  /** The nodes on its rows, in their order. A row that repeats an earlier one of the file has none. */
  readonly nodes: readonly number[]
  /** A9: subagents' messages that its progress rows carry, in the order of rows. They are not rows of their own. */
  readonly carried: readonly number[]
  /** The operations on the queue of typed messages. */
  readonly queue: readonly QueueNote[]
  /** The rows of a workflow run's journal. */
  readonly journal: readonly JournalNote[]
  readonly titles: readonly TitleNote[]
  /** Rows with the mark that a process of a newer release leaves when it ends. */
  readonly costStates: readonly number[]
  /** Rows that were written again. */
  readonly repeats: readonly number[]
  /** How many rows it has; `rows + joined = entries + blank + damaged + continuation`. */
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
  /** Whether it is a copy that says so: some entry of it names the entry that it was forked from. */
  readonly stamped: boolean
  /** The working folder of the last entry that names one. */
  readonly cwd: string | null
  /** Entries from which on the work went on in another folder. */
  readonly moves: readonly { readonly node: number; readonly to: string }[]
  /** The compactions on its rows. */
  readonly compactions: readonly CompactionRecord[]
}

/** What linking needs to know of a file beside that. */
interface LinkingFacts {
  /** The user and assistant entries of the file's own conversation, not of an inline subagent. */
  readonly spoken: readonly number[]
  /** The last of the carried messages, by subagent: the next one follows it. */
  readonly lastCarried: ReadonlyMap<string, number>
  /** Rows with the mark that a process of an older release leaves when it ends; see processes.ts. */
  readonly lastPrompts: readonly number[]
  /** Those of them that a process has written in its course. */
  readonly midway: readonly number[]
  readonly written: Written
  /** Rows that only a process which has just started writes: its first row. */
  readonly starts: readonly number[]
  /** The last assistant row of the file where it does not say why the reply ended: it may have been broken off. */
  readonly openReply: string | null
  /** What was typed last was a command to clear the conversation. */
  readonly isCleared: boolean
  /** The last release that wrote why a reply ended. */
  readonly stopVersion: string | null
  /** Time of the first dated row, entry or note: which of two copies is the original. */
  readonly firstTime: number
  /** Time of the first dated note. Notes are never copied. */
  readonly firstNote: number
  /** Time of the first thing that is in no other file: a note, or an entry. */
  readonly firstOwn: number
  /** Some entry of it stands in another file, too. */
  readonly shares: boolean
  readonly background: boolean
  /** A12: what the last row about the agent itself says; null without one. */
  readonly agentMeta: AgentMeta | null
  /** The agent's name, as its answers carry it. */
  readonly attribution: string | null
  /** Some entry carries `is_active`. */
  readonly active: boolean
  /** Whether any entry names a parent: of the conversation, and of sidechains inside a session's file. */
  readonly links: { readonly main: boolean; readonly side: boolean }
  /** How many entries came before the first that does. */
  readonly unlinked: { readonly main: number; readonly side: number }
  /** The first entry with a call that has this prompt, by the hash of its words. */
  readonly callPrompts: ReadonlyMap<number, number>
  readonly lastSession: Named
  readonly lastVersion: Named
}

/** A file as linking sees it, while rows are added to it. */
export type OpenFile = Opened<FileRecord & LinkingFacts>

type Opened<File> = {
  -readonly [Field in keyof File]: Open<File[Field]>
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
    midway: [],
    written: writtenFrom(0),
    starts: [],
    openReply: null,
    isCleared: false,
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
    agentMeta: null,
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

/** All nodes of a file in the order of rows: its own entries, and the messages that its progress rows carry. */
export function entriesIn({ nodes, carried }: FileRecord): readonly number[] {
  return carried.length === 0 ? nodes : [...nodes, ...carried].sort((a, b) => a - b)
}

/** A12: what is known of the agent whose file this is: its sidecar, else a row; null for neither. */
export function agentMetaOf({ facts, agentMeta }: OpenFile): AgentMeta | null {
  return facts.meta ?? agentMeta
}
