/**
 * E1: edits are plans: which rows a new session file has, where each comes from, and what is changed in it. A plan names
 * rows by their location in their file and holds no contents, so that it is small for any session. `render.ts` makes rows
 * of it, `check.ts` proves that they say what the plan promises, and the store writes them.
 */
import { createNames, intern } from '../graph/names.js'
import type { EntryId, FileId, SessionId } from '../model/ids.js'
import type { Json } from '../parse/json.js'

/** The commands that write sessions. */
export type EditCommand = 'repair' | 'checkout' | 'fork' | 'pick' | 'trim' | 'split'

/** A new session, or a session repaired in place. */
export interface EditPlan {
  readonly command: EditCommand
  /** The id of the session that is written; the old one where it is repaired in place. */
  readonly session: SessionId
  readonly title: string | null
  /** What it was made from; the node is null where that is a whole session. */
  readonly from: { readonly session: SessionId; readonly node: EntryId | null }
  /** Copies get new uuids and say what they are copies of; a session repaired in place keeps its own. */
  readonly copies: boolean
  /** `line`: each entry hangs on the one before it. `tree`: entries hang where they did, unless a patch says otherwise. */
  readonly shape: 'line' | 'tree'
  readonly rows: PlannedRows
  readonly trim: TrimScope | null
  /** Agents, spilled results and other files that come along. */
  readonly sidecars: readonly PlannedCopy[]
  readonly changes: readonly Change[]
  /** The uuids of the live conversation of the result, in the order of sending. */
  readonly promise: readonly EntryId[]
  /**
   * `exact`: a resume loads what was promised, and our reader finds just that. `at-least`: more may be loaded, since repaired
   * links can lead to what nobody could count on. `no-loss`: some faults stay, and it only must not load less than today.
   */
  readonly check: 'exact' | 'at-least' | 'no-loss'
  /** The uuids, in the source, of what a resume of it loads today and the result can hold. */
  readonly today: readonly EntryId[]
  /** A resume may load less of the result than it loads of the source. */
  readonly mayLose: boolean
}

/** What plans of copies have in common: the source stays, so a resume of the copy may load less. */
export const COPY = { copies: true, trim: null, check: 'exact', today: [], mayLose: true } as const

/** The rows of the new file, in order: columns, because a session may have a million of them. */
export interface PlannedRows {
  readonly files: readonly FileId[]
  /** Number of the file a row comes from; none for a row that is new. */
  readonly file: readonly number[]
  readonly offset: readonly number[]
  readonly length: readonly number[]
  /** Which record of the row, from 0: rows may hold several. Below 0 it is not a record: `DAMAGED_ROW`, `DAMAGED_PIECES`. */
  readonly nth: readonly number[]
  /** By position in these columns; rows without one are copied with new names only. */
  readonly patches: ReadonlyMap<number, RowPatch>
  readonly made: ReadonlyMap<number, Json>
}

/** The bytes of a row without any record, as they are. */
export const DAMAGED_ROW = -1
/** What stands beside the records of a row, each piece in a row of its own. */
export const DAMAGED_PIECES = -2

/** What is changed in one row. Ids are those of the source; they are renamed with all others. */
export interface RowPatch {
  /** Another parent; absent where the row's own stays. */
  readonly parent?: EntryId | null
  /** Blocks that cannot be sent are taken out. */
  readonly clean?: true
  /** The message gets the role of the entry's type. */
  readonly role?: true
  /** The message of an answer gets an id. */
  readonly messageId?: true
  /** The row is a progress row: written is the message with this uuid that it carries. */
  readonly carried?: EntryId
  /** The row has the call of this tool: written is the prompt that it gave to its subagent. */
  readonly promptOf?: string
  /** When it was written, where the entry does not say it. */
  readonly time?: string
  /** Results for these tools are taken out: nothing in the conversation asked for them. */
  readonly strayTools?: readonly string[]
  /** Calls of these tools are taken out: nothing answers them. */
  readonly openTools?: readonly string[]
  /** Other ids for tools, where two calls had the same. */
  readonly tools?: ReadonlyMap<string, string>
  /** What a boundary goes on from. */
  readonly logical?: EntryId | null
  /** What a boundary says it keeps; null where the kept entries follow it as rows. */
  readonly kept?: KeptEntries | null
  /** The row was damaged: the record that was saved of it is written, never its bytes. */
  readonly recovered?: true
  /** A summary of an earlier compaction becomes plain text: a file has one for each boundary in it. */
  readonly plain?: true
  /** A trim leaves its thoughts. */
  readonly keepsThoughts?: true
  /** An agent's entry becomes one of a conversation of its own. */
  readonly main?: true
}

/** The entries a compaction carries on, all of them there. */
export interface KeptEntries {
  readonly logicalParent: EntryId | null
  readonly uuids: readonly EntryId[]
}

/** What a trim leaves out. */
export interface TrimScope {
  /** Characters that stay of a tool's output; null to leave outputs whole. */
  readonly outputs: number | null
  readonly images: boolean
  readonly thinking: boolean
  readonly progress: boolean
}

/** A file that belongs to the session: its path, and the path of its copy, both below the projects root. */
export interface PlannedCopy {
  readonly from: FileId
  readonly to: string
  /** Rows are renamed with the session; anything else is copied byte for byte. */
  readonly rows: boolean
}

/** What was changed and why. `node` is the uuid in the source. */
export interface Change {
  /** The kind of the fault that is repaired, or `left-out`, `cut-here`, `shortened`, `moved-out`, `picked`. */
  readonly what: string
  readonly node: EntryId | null
  readonly row: number | null
  readonly why: string
}

/** Where a row stands in its file. */
export interface RowLocation {
  readonly file: FileId
  readonly offset: number
  readonly length: number
  readonly nth: number
  /** The row was read in spite of damage. */
  readonly isDamaged: boolean
  /** An answer without a message id: clients join all of those. */
  readonly isUnnamed?: boolean
}

/** Rows are added to a list as a plan is made. */
export interface RowList {
  readonly add: (location: RowLocation, patch?: RowPatch) => void
  readonly addNew: (record: Json) => void
  readonly rows: PlannedRows
}

/** An empty list of rows. */
export function createRowList(): RowList {
  const files = createNames<FileId>()
  const [file, offset, length, nth]: [number[], number[], number[], number[]] = [[], [], [], []]
  const patches = new Map<number, RowPatch>()
  const made = new Map<number, Json>()
  const push = (number: number, location: Pick<RowLocation, 'offset' | 'length' | 'nth'>): void => {
    file.push(number)
    offset.push(location.offset)
    length.push(location.length)
    nth.push(location.nth)
  }
  return {
    rows: { files: files.list, file, offset, length, nth, patches, made },
    add: (location, patch) => {
      const recovered = location.isDamaged ? { ...patch, recovered: true as const } : patch
      const named = location.isUnnamed === true ? { ...recovered, messageId: true as const } : recovered
      if (named !== undefined && Object.keys(named).length > 0) patches.set(file.length, named)
      push(intern(files, location.file), location)
    },
    addNew: record => {
      made.set(file.length, record)
      push(-1, { offset: 0, length: 0, nth: 0 })
    },
  }
}
