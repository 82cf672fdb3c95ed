/**
 * The interface of the index. `sqlite.ts` implements it; the tests compare that with a plain implementation in memory.
 * An index keeps facts and verdicts and returns them; it decides nothing.
 */
import type { Diagnostic, LineStatus, ParsedRow } from '@dagline/core'
import type { ListedAgent, MessageUsage, UsageRow } from '@dagline/core/measure'
import type { SearchSort, SessionShape, TextField } from '@dagline/core/protocol'
import type { TabulatedSession } from '@dagline/core/tables'

import type { Chunk, IndexedFacts, ReadState } from './facts.js'

/** A file as the index knows it. */
export interface KnownFile {
  readonly id: number
  readonly path: string
  /** The folder below the root. */
  readonly project: string
  readonly facts: IndexedFacts
  /** Null where reading failed or did not end: the file is read again from its start. */
  readonly state: ReadState | null
  readonly diagnostics: readonly Diagnostic[]
  readonly bytes: number

  readonly isArchived: boolean
  /** The file group: files that are judged together. Null until they are judged. */
  readonly group: number | null
}

export type FileDraft = Omit<KnownFile, 'id' | 'group'>

/** A line as it is kept. */
export interface KnownLine {
  readonly name: string
  readonly kind: 'trunk' | 'branch' | 'agent'
  readonly status: LineStatus
  readonly session: string
  readonly agent: string | null
  readonly agentName: string | null
  /** For an agent's line: the line of the session that it was spawned on, in the end; else its own name. */
  readonly branch: string
  readonly branchStatus: LineStatus
}

/** The verdicts on the entries of a file, in their order. */
export interface FileVerdicts {
  readonly file: number
  /** The node (`nodeId`) that owns each entry. */
  readonly owner: Float64Array
  /** Index into the judgement's lines; -1 for none. */
  readonly line: Int32Array
  readonly live: Uint8Array
  readonly compacted: Uint16Array
}

/** What became of one step of the queue. */
export interface QueueFact {
  readonly file: number
  readonly row: number
  readonly operation: string
  readonly became: string
  readonly node: string | null
}

/** Whether a queued text stands nowhere else: all others are found where they arrived. */
export function isUndelivered(became: string): boolean {
  return became === 'lost' || became === 'recalled'
}

/** A session as it is listed. */
export interface SessionFact extends TabulatedSession {
  readonly shape: SessionShape | null
}

/** X13: a subagent as it is listed. */
export interface AgentFact extends ListedAgent {
  readonly project: string
}

/** X14: an abandoned branch as it is listed. */
export interface BranchFact {
  /** Its id, which is a REF. */
  readonly line: string
  readonly session: string
  /** The subagent whose branch it is; null for one of the session. */
  readonly agent: string | null
  readonly project: string
  readonly status: LineStatus
  /** What kind of fork it begins at: `rewind`, `two-writers`; null where it begins at none. */
  readonly kind: string | null
  /** The entry it hangs on; null where it begins the conversation. */
  readonly at: string | null
  readonly first: number | null
  readonly last: number | null
  readonly messages: number
  /** What was asked first on it, and what was asked in its place; null where nothing was. */
  readonly prompt: string | null
  readonly instead: string | null
}

/** X15: a call that names a file. */
export interface TouchFact {
  readonly path: string
  readonly tool: string
  /** The entry that makes it. */
  readonly node: string
  readonly project: string
  readonly session: string
  /** The subagent that made it, by its id; null for the main conversation. */
  readonly agentId: string | null
  readonly time: number | null
}

/** The verdict of the graph on a file group. */
export interface Judgement {
  readonly root: number
  readonly files: readonly number[]
  /** The groups that these files were in before. */
  readonly before: readonly number[]
  readonly lines: readonly KnownLine[]
  readonly verdicts: readonly FileVerdicts[]
  readonly sessions: readonly SessionFact[]
  readonly agents: readonly AgentFact[]
  readonly branches: readonly BranchFact[]
  readonly queue: readonly QueueFact[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The file group of a file. */
export interface GroupedFile {
  readonly path: string
  /** Null until it was judged. */
  readonly group: number | null
  readonly isArchived: boolean
  /** It was read to its end. */
  readonly isRead: boolean
}

/** I12: what was computed for a part of a file group, and kept. */
export interface KeptAnswer {
  readonly group: number
  /** The project that the files are in: a group may have files of several. Empty for all of its files. */
  readonly part: string
  /** What the value was computed from; where that is something else now, the value does not count. */
  readonly basis: string
  readonly value: string
}

/** I12: answers of a kind for the groups of a root, added up. */
export type RootAnswer = Pick<KeptAnswer, 'basis' | 'value'>

/** Which texts to look at. Every part that is given must hold. */
export interface TextFilter {
  readonly roots?: readonly number[]
  /** Names of project folders. */
  readonly projects?: readonly string[]
  readonly session?: string
  readonly since?: number
  readonly until?: number
  readonly fields?: readonly TextField[]
  readonly tool?: string
  /** The end of the path of a file: sessions that touched one. */
  readonly touched?: string
  /** The same for single calls: their inputs. */
  readonly touching?: string
  /** An agent's type or id; an empty text for any agent. */
  readonly agent?: string
  readonly branch?: 'live' | 'abandoned'
  /** What the next request would carry. */
  readonly live?: boolean
  readonly beforeCompaction?: boolean
  readonly failed?: boolean
  /** Entries by their uuids. */
  readonly nodes?: readonly string[]
}

/** Words that must all be in a text; those of a phrase one after another. */
export interface Phrase {
  readonly words: readonly string[]
  /** The last word may go on. */
  readonly isPrefix: boolean
  /** Words any of which may be in the text instead. */
  readonly others?: readonly string[]
}

/** A text that was found. */
export interface FoundText {
  readonly text: number
  readonly file: number
  readonly path: string
  readonly root: string
  readonly project: string
  readonly row: number
  readonly offset: number
  readonly length: number
  /** Null for a queued text, which is not an entry. */
  readonly node: string | null
  readonly session: string | null
  readonly time: number | null
  readonly field: TextField
  readonly tool: string | null
  readonly failed: boolean
  readonly isArchived: boolean
  readonly live: boolean
  /** Compactions of its line that came after it. */
  readonly compacted: number
  readonly line: KnownLine | null
  /** For a queued text: what became of it. */
  readonly became: string | null
}

/** How many texts of a session were found. */
export interface SessionCount {
  readonly session: string | null
  readonly count: number
  /** The time of the newest one. */
  readonly last: number | null
}

/** A file that has an id. */
interface LocatedId {
  readonly id: string
  readonly root: number
  readonly path: string
  /** The session of the file. */
  readonly session: string | null
  readonly isArchived: boolean
}

/** What stands before and after a text in its conversation. */
export interface TextsAround {
  readonly before: readonly FoundText[]
  readonly after: readonly FoundText[]
}

export interface IndexStore {
  /** What is done between `begin` and `commit` is kept whole or, after `rollback`, not at all. */
  readonly begin: () => void
  readonly commit: () => void
  readonly rollback: () => void
  /** The number of a root, given once. */
  readonly rootId: (path: string) => number
  /** The number of a root that is known, or null. */
  readonly findRoot: (path: string) => number | null
  /** What was there when all of a root was known; null while that is not so. */
  readonly listing: (root: number) => string | null
  readonly keepListing: (root: number, listing: string | null) => void

  readonly files: (root: number) => readonly KnownFile[]
  readonly addFile: (root: number, file: FileDraft) => number
  /** Changes what is known of a file; its rows and its group stay. */
  readonly updateFile: (id: number, file: FileDraft) => void
  readonly removeFile: (id: number) => void
  readonly addChunk: (file: number, chunk: Chunk) => void
  /** Removes the chunks from a row on, from row 0 all of them and the link keys. Returns how many entries are left. */
  readonly dropRows: (file: number, from: number) => number
  /** The rows of a file in their order, unpacked as they are asked for. */
  readonly rowsOf: (file: number) => Iterable<ParsedRow>

  /**
   * Other files of the same root that are linked to a file by one of the keys, or by a uuid of its entries from the nth
   * on. For each key or uuid only the first file: all others that have it are already linked to that one.
   */
  readonly linkedTo: (file: number, nth: number, keys: ReadonlySet<string>) => readonly number[]
  /** I10: whether the index is filled for the first time: it has no order of uuids yet, and entries are added quickly. */
  readonly isFilling: () => boolean
  /** Makes the order of uuids. */
  readonly endFilling: () => void
  /** All links between the files of a root, as pairs; links that follow from others may be left out. */
  readonly links: (root: number) => readonly (readonly [number, number])[]
  /** Dissolves a group. Its files have no group until they are judged again; their verdicts stay until then. */
  readonly release: (group: number) => void
  readonly judge: (judgement: Judgement) => void
  /** Removes verdicts on groups that no file is in. */
  readonly sweep: () => void
  /**
   * Texts that hold all phrases, without phrases all texts; at most `limit` of them, the newest first unless another
   * order is given. Where very many hold them, only some thousands are ranked (rank.ts).
   */
  readonly find: (
    phrases: readonly Phrase[],
    filter: TextFilter,
    limit: number,
    sort?: SearchSort,
  ) => readonly FoundText[]
  /** The numbers of the same texts: where more are counted than shown. */
  readonly findIds: (
    phrases: readonly Phrase[],
    filter: TextFilter,
    limit: number,
    sort: SearchSort,
  ) => readonly number[]
  /** The texts of some numbers, in their order. */
  readonly texts: (ids: readonly number[]) => readonly FoundText[]
  /** All texts that pass the filter, in order, read as they are asked for. */
  readonly each: (filter: TextFilter, sort: SearchSort) => Iterable<FoundText>
  /** How many there are of each session, the session with the newest one first. */
  readonly countBySession: (phrases: readonly Phrase[], filter: TextFilter) => readonly SessionCount[]
  /** What was said and called right before and after a text on its line, at most so many texts each, in their order. */
  readonly around: (found: FoundText, count: number) => TextsAround
  /** How many there are, counted up to `most`; without it all of them are looked at. */
  readonly count: (phrases: readonly Phrase[], filter: TextFilter, most?: number) => number

  /** The words of all texts, a line for each: the word, a tab, in how many texts it is. The first call may take a second. */
  readonly vocabulary: () => string

  readonly sessions: (roots?: readonly number[]) => readonly SessionFact[]
  /** The subagents of all groups. */
  readonly agents: (roots?: readonly number[]) => readonly AgentFact[]
  /** The branches of all groups that are not live. */
  readonly branches: (roots?: readonly number[]) => readonly BranchFact[]
  /** The calls that name a file, each once, by file and row. */
  readonly touches: (roots?: readonly number[]) => readonly TouchFact[]
  /** The same for the files of one group. */
  readonly groupTouches: (group: number) => readonly TouchFact[]
  readonly usage: (roots?: readonly number[]) => readonly UsageRow[]
  /** The same for the files of one group. */
  readonly groupUsage: (group: number) => readonly UsageRow[]
  /** What the messages of some files cost, each once. Looks at no other file. */
  readonly messages: (files: readonly number[]) => readonly MessageUsage[]
  readonly diagnostics: (roots?: readonly number[]) => readonly Diagnostic[]
  /** Files with an entry whose uuid begins so, or with a row of a session whose id does; at most `most`, or 100. */
  readonly locate: (what: 'uuid' | 'session', start: string, most?: number) => readonly LocatedId[]

  /** The group of each file of a root. */
  readonly grouping: (root: number) => readonly GroupedFile[]
  /** The sessions of each group of a root. */
  readonly groupSessions: (root: number) => ReadonlyMap<number, readonly SessionFact[]>
  /** All answers of a kind for groups of a root. */
  readonly answers: (root: number, kind: string) => Iterable<KeptAnswer>
  /** The groups of a root that have no answer of a kind for all of their files that was computed from `basis`. */
  readonly unanswered: (root: number, kind: string, basis: string) => readonly number[]
  /** Keeps an answer in place of the previous one, until its group is released. */
  readonly keepAnswer: (kind: string, answer: KeptAnswer) => void
  /** I15: reads the value of an answer, which whoever kept it wrote as JSON. A damaged one fails like any other read. */
  readonly parseKept: <T>(value: string) => T
  /** What the answers of a kind for a root add up to; null where it was not kept, or one of them was dropped since. */
  readonly rootAnswer: (root: number, kind: string) => RootAnswer | null
  readonly keepRootAnswer: (root: number, kind: string, answer: RootAnswer) => void

  /** Statements run so far. */
  readonly statements: () => number
  readonly close: () => void
}
