/**
 * The history of a user's sessions: what one can do with it, for every face. A method loads what it needs when it is
 * called, so that opening a history costs nothing. Results are plain data, or graphs that stay as they are.
 */
import type { Graph } from '@dagline/core'
import type { UsageRow } from '@dagline/core/measure'
import type {
  BlamedFile,
  CommitSessions,
  ContextDifference,
  ContextReport,
  NowPage,
} from '@dagline/core/protocol'
import type { EditRecord, Label, Labelled, Labels, SweptSession } from '@dagline/store'
import type { ArchiveCheck, ArchiveReport, KeepOptions, KeepReport } from './archive/archive.js'
import type { ForgetChoice, ForgetOptions, ForgetReport, HoldReport } from './archive/forget.js'
import type { RestoreOptions, RestoreReport } from './archive/restore.js'
import type { ContextOptions } from './compare/contexts.js'
import type { Dropped } from './compare/dropped.js'
import type { NamedComparison } from './compare/sides.js'
import type { Contents } from './contents/records.js'
import type { CheckoutOptions, PickOptions, SplitOptions, TrimOptions } from './edits/edits.js'
import type { MoveOptions, MoveSums, PlannedMove } from './edits/move.js'
import type { RepairDone, RepairFailed, RepairNeedless, RepairTask } from './edits/repair.js'
import type { EditReport } from './edits/run.js'
import type { EditOptions } from './edits/target.js'
import type { Exporter, ExportReport } from './export/export.js'
import type { ExportOptions } from './export/options.js'
import { changeLabel, type LabelChange, labelsFor } from './files/labels.js'
import type { ProjectInfo } from './files/projects.js'
import type { LoadOptions } from './graphs/project.js'
import type { Examined } from './health/examine.js'
import { type Host, lookingOnce, silentHost } from './host/host.js'
import type { SyncedIndex } from './index/open.js'
import type { FollowedSession } from './live/followed-session.js'
import type { ListFilter } from './locate/list-filter.js'
import type { ConversationOptions, FoundNode } from './locate/ref.js'
import type { SessionGraph, SessionLocation } from './locate/session.js'
import type { LessonItem } from './measure/lessons.js'
import type { AgentItem, BranchItem, FileItem, PromptItem } from './measure/lists.js'
import type { MeasuredCost } from './measure/part-cost.js'
import type { SessionFigures } from './measure/sessions.js'
import type { MeasuredStats } from './measure/stats.js'
import type { UsageFilter } from './measure/usage-filter.js'
import type { WasteReport } from './measure/waste.js'
import type { SessionSearchResult } from './search/history.js'
import type { SearchOptions, SearchResult } from './search/search.js'

/** How a history is opened. */
export interface HistoryOptions {
  /** The projects roots to read; without any the default ones of Claude Code. */
  readonly roots?: readonly string[]
  /** The index file; without one the usual one in the cache folder. */
  readonly index?: string | null
  /** Receives notes, progress and what could not be read. Its roots count where `roots` is not given. */
  readonly host?: Host
}

/** An entry in the graph of its project. */
export interface EntryGraph extends Omit<FoundNode, 'loaded'> {
  readonly graph: Graph
  /** The absolute path of the folder that paths of files are relative to. */
  readonly root: string
}

/** A repair, beside what it is a repair of. */
export type RepairOptions = Omit<RepairTask, 'host' | 'word'>

/** Edits: each writes a new session, proves it, and returns what was done. Nothing is written with `dryRun`. */
export interface Edits {
  readonly repair: (
    session: string,
    options: RepairOptions,
  ) => Promise<RepairDone | RepairFailed | RepairNeedless>
  /** Writes a repair that was only checked. */
  readonly write: (checked: RepairDone) => Promise<EditReport>
  /** The conversation up to a point, as a session of its own. `dryRun` only plans it: the report has the plan. */
  readonly checkout: (ref: string, options?: Partial<CheckoutOptions>) => Promise<EditReport>
  readonly fork: (ref: string, options?: Partial<EditOptions>) => Promise<EditReport>
  readonly pick: (refs: readonly string[], options: PickOptions) => Promise<EditReport>
  readonly trim: (session: string, options: TrimOptions) => Promise<EditReport>
  readonly split: (session: string, options: SplitOptions) => Promise<readonly EditReport[]>
  /** Takes back the last edit, or the one of a number. */
  readonly undo: (number: number | null) => Promise<EditRecord>
  /** What was edited, the oldest first. */
  readonly list: () => Promise<readonly EditRecord[]>
  /** Plans the move of a project that was moved or renamed. */
  readonly planMove: (from: string, to: string, options: MoveOptions) => Promise<PlannedMove>
  readonly move: (planned: PlannedMove) => Promise<MoveSums>
}

/** The archive keeps what Claude Code deletes. `archive` names another file than the usual one. */
export interface ArchiveActions {
  /** Copies what is new. Null where `isStopped` returned true. */
  readonly keep: (paths?: readonly string[], options?: Partial<KeepOptions>) => Promise<KeepReport | null>
  /** Checks every byte of the archive: the usual one unless a file is named. */
  readonly check: (archive?: string | null) => Promise<ArchiveCheck>
  readonly describe: (archive?: string | null) => Promise<ArchiveReport>
  /** Writes the files of a session to their original locations, or below the folder `to`. Files that differ stay as they are. */
  readonly restore: (session: string, options?: Partial<RestoreOptions>) => Promise<RestoreReport>
  /**
   * Removes sessions from the archive for good, with all bytes that no other session has; they are not kept again. With
   * `dryRun` it only tells what would be removed. Throws `UserError` where the session is held.
   */
  readonly forget: (choice: ForgetChoice, options: ForgetOptions) => Promise<ForgetReport>
  /** Protects a session from being forgotten, or with `release` ends that. */
  readonly hold: (
    session: string,
    options?: { readonly archive?: string | null; readonly release?: boolean },
  ) => Promise<HoldReport>
  /** Sessions that Claude Code deletes soon. */
  readonly sweptSoon: (paths?: readonly string[]) => Promise<readonly SweptSession[]>
}

/**
 * The history of a user's sessions.
 *
 * `session` is a session id, a unique prefix of one, `latest`, a name, or the path of a transcript or project folder.
 * `ref` is the uuid of an entry or a unique prefix of one, `SESSION:uuid`, the id of a branch or subagent, or a name.
 * `paths` are transcripts, project folders, projects roots or sessions; the roots of the history where it is empty.
 * Methods throw `UserError` where they find nothing, or more than one.
 */
export interface History {
  readonly host: Host
  /** The folders with transcripts that are there. */
  readonly projects: (paths?: readonly string[]) => Promise<readonly ProjectInfo[]>
  /** Sessions, the latest project and session first: from the index, or from the files of `paths`. */
  readonly sessions: (
    paths?: readonly string[],
    options?: IndexChoice &
      Omit<ListFilter, 'session'> & {
        /** Receives the newest sessions where it takes longer to read the others, which the result has, too. */
        readonly onNewest?: (sessions: readonly SessionFigures[]) => void
      },
  ) => Promise<readonly SessionFigures[]>
  /** Subagents, the newest first: those of a session or project, or all. Calls that left no conversation are listed, too. */
  readonly agents: (options?: ListFilter & IndexChoice) => Promise<readonly AgentItem[]>
  /** Branches that were abandoned, the newest first. */
  readonly branches: (options?: ListFilter & IndexChoice) => Promise<readonly BranchItem[]>
  /** The files that tool calls name, the last touched first. */
  readonly files: (options?: ListFilter & IndexChoice) => Promise<readonly FileItem[]>
  /** What was tried and given up, or failed until something changed; the newest first. */
  readonly lessons: (options?: ListFilter & IndexChoice) => Promise<readonly LessonItem[]>
  /** What people typed, the newest first; at most `limit` of it. */
  readonly prompts: (
    options?: ListFilter & IndexChoice & { readonly limit?: number | null },
  ) => Promise<readonly PromptItem[]>
  /** What a session, a branch, a subagent or an entry is, from what was typed. */
  readonly find: (ref: string) => Promise<Labelled>
  /** Where the transcript of a session is. Its project is not read. */
  readonly locate: (session: string) => Promise<SessionLocation>
  /** The session, branch or subagent in its graph. */
  readonly graphOf: (session: string, options?: ConversationOptions) => Promise<SessionGraph>
  /** An entry in its graph. */
  readonly entryOf: (ref: string, options?: LoadOptions) => Promise<EntryGraph>
  /** The records of a graph, read from their files as they are asked for; to be closed. */
  readonly contentsOf: (source: Pick<SessionGraph, 'graph' | 'root' | 'summaries'>) => Promise<Contents>
  /** Full text search. */
  readonly search: (text: string, options?: SearchOptions) => Promise<SearchResult>
  /** The same, counted session by session. Without `limit` all sessions are given. */
  readonly searchSessions: (text: string, options?: SearchOptions) => Promise<SessionSearchResult>
  /** What each API message cost, each once. */
  readonly usage: (
    paths?: readonly string[],
    options?: Partial<UsageFilter> & IndexChoice,
  ) => Promise<readonly UsageRow[]>
  /** What was paid for in vain, or for longer than needed; never more than `usage` has for the same options. */
  readonly waste: (options?: ListFilter & IndexChoice) => Promise<WasteReport>
  /** What a session, a branch, a subagent, or the turn of an entry used, by itself and with its subagents. */
  readonly costOf: (ref: string) => Promise<MeasuredCost>
  /** Agents, delegation, tools, rewinds and more, added up. */
  readonly stats: (paths?: readonly string[], options?: IndexChoice) => Promise<MeasuredStats>
  /** The faults of one session, of all sessions of a folder, or of all. */
  readonly health: (path?: string | null, options?: IndexChoice) => Promise<readonly Examined[]>
  /** The sessions that are running now, and what each is doing. */
  readonly now: (options?: IndexChoice) => Promise<NowPage>
  /** Names, tags and notes that people gave. */
  readonly labels: () => Labels
  /** Changes the names, tags and notes, and returns the label of what was changed. */
  readonly label: (thing: Labelled, change: LabelChange) => Label
  /** Brings the index up to date. */
  readonly sync: (options?: IndexChoice) => Promise<SyncedIndex>
  /** Follows a session as its files grow. */
  readonly follow: (session: string, options?: FollowOptions) => Promise<FollowedSession>
  /** Compares two sessions, branches or entries; one alone with what is live in its session. */
  readonly compare: (a: string, b: string | null) => Promise<NamedComparison>
  /** What the compaction that a reference means dropped. */
  readonly dropped: (ref: string) => Promise<Dropped>
  /** What the request behind an answer held: of a session the last, of an entry the next at or behind it. */
  readonly context: (ref: string, options?: ContextOptions) => Promise<ContextReport>
  /** What entered and left the context between two answers. */
  readonly contextDiff: (a: string, b: string) => Promise<ContextDifference>
  /** Z1: a file, line by line: which call of which session wrote it, and the prompt behind it. `file` is a path. */
  readonly blame: (file: string, options?: IndexChoice) => Promise<BlamedFile>
  /** Z6: the sessions behind a commit or a range `A..B` of the repository that `folder` is in, the newest first. */
  readonly commits: (rev: string, options: CommitOptions) => Promise<readonly CommitSessions[]>
  readonly edit: Edits
  readonly archive: ArchiveActions
  /** Writes sessions as HTML, Markdown, JSON, transcripts or tables. Without a session `options.project` says which. */
  readonly export: (
    session: string | null,
    options: ExportOptions,
    exporter: Omit<Exporter, 'host'>,
  ) => Promise<ExportReport>
  /** Closes all contents that are still open, and ends all following. */
  readonly close: () => void
}

/** How a session is followed. */
export interface FollowOptions {
  /** The latest session was asked for: following ends where a newer one begins in its folder (`next`). */
  readonly isLatest?: boolean
}

/** Where commits are looked for. */
export interface CommitOptions extends IndexChoice {
  /** A folder of the repository. */
  readonly folder: string
}

/** Which index. */
export interface IndexChoice {
  readonly index?: string | null
}

/** I16: does work on what some words name, with what the index knows of their files. */
type Linked = <T>(words: readonly string[], work: (host: Host) => T | Promise<T>) => Promise<T>

/** The index that a method is asked to use, or else the one of the history. */
type IndexOf = (choice?: IndexChoice) => { readonly index: string | null }

/** Opens a history. Nothing is read yet. */
export function openHistory(options: HistoryOptions = {}): History {
  const given = options.host ?? silentHost([])
  const host = options.roots === undefined ? given : { ...given, roots: options.roots }
  const indexOf: IndexOf = (choice = {}) => ({ index: choice.index ?? options.index ?? null })
  const opened = new Set<() => void>()
  /** What closes something now, or with the history. */
  const closing = (close: () => void): (() => void) => {
    const closeOnce = (): void => {
      if (opened.delete(closeOnce)) close()
    }
    opened.add(closeOnce)
    return closeOnce
  }
  const linked: Linked = async (words, work) =>
    (await import('./index/known-files.js')).withKnownFiles(host, { ...indexOf(), words }, work)
  return {
    host,
    projects: async (paths = []) => (await import('./files/projects.js')).listProjects(paths, host),
    sessions: async (paths = [], choice) => {
      const { sessionsOf } = await import('./measure/sessions.js')
      return await sessionsOf(lookingOnce(host), paths, { ...choice, ...indexOf(choice) })
    },
    ...listsOf(host, indexOf, linked),
    ...measuresOf(host, indexOf, linked),
    find: async ref => {
      const { findLabelled } = await import('./locate/label-target.js')
      return await linked([ref], at => findLabelled(ref, at))
    },
    locate: async session => {
      const { sessionWordOf } = await import('./locate/ref.js')
      return (await import('./locate/session.js')).findSession(sessionWordOf(session, host), host)
    },
    graphOf: async (session, load = {}) => {
      const { sessionGraph } = await import('./locate/session.js')
      const { noteEntry, openConversation } = await import('./locate/ref.js')
      const open = (at: Host): SessionGraph =>
        sessionGraph(noteEntry(openConversation(session, at, load), at))
      return load.isLinkedOnly === true ? await linked([session], open) : open(host)
    },
    entryOf: async (ref, load = {}) => {
      const { openRef } = await import('./locate/ref.js')
      const { loaded, ...found } =
        load.isLinkedOnly === true
          ? await linked([ref], at => openRef(ref, at, load))
          : openRef(ref, host, load)
      return { ...found, graph: loaded.graph, root: loaded.root }
    },
    contentsOf: async ({ graph, root, summaries }) => {
      const { openContents, withNotes } = await import('./contents/records.js')
      const { close, ...contents } = withNotes(openContents(root, graph, summaries), host)
      return { ...contents, close: closing(close) }
    },
    search: async (text, query = {}) => {
      const { searchHistory } = await import('./search/history.js')
      const asked = await withSeen(linked, query)
      return await searchHistory(lookingOnce(host), text, { ...asked, ...indexOf(query) })
    },
    health: async (path = null, choice) => {
      const { examineAt } = await import('./health/examine.js')
      const examine = (at: Host): Promise<readonly Examined[]> => examineAt(path, at, indexOf(choice))
      return path === null ? await examine(lookingOnce(host)) : await linked([path], examine)
    },
    lessons: async choice =>
      (await import('./measure/lessons.js')).listLessons(host, { ...choice, ...indexOf(choice) }),
    now: async choice => (await import('./pages/now.js')).nowIn(lookingOnce(host), indexOf(choice)),
    labels: () => labelsFor(host),
    label: changeLabel,
    sync: async choice => (await import('./index/open.js')).syncRoots(host, indexOf(choice)),
    follow: async (session, following) => {
      const { sessionWordOf } = await import('./locate/ref.js')
      const location = (await import('./locate/session.js')).findSession(sessionWordOf(session, host), host)
      const { openFollowed } = await import('./live/followed-session.js')
      const { stop, ...followed } = openFollowed(location, host, following)
      return { ...followed, stop: closing(stop) }
    },
    ...comparisonsOf(linked),
    ...blameOf(host, indexOf),
    edit: editsOf(host, linked),
    archive: archiveOf(host),
    export: async (session, chosen, exporter) => {
      const { exportSessions } = await import('./export/export.js')
      const write = (at: Host): Promise<ExportReport> =>
        exportSessions({ host: at, ...exporter }, session, chosen)
      return session === null ? await write(host) : await linked([session], write)
    },
    close: () => {
      for (const close of opened) close()
    },
  }
}

function comparisonsOf(linked: Linked): Pick<History, 'compare' | 'dropped' | 'context' | 'contextDiff'> {
  return {
    compare: async (a, b) => {
      const { compareSides } = await import('./compare/sides.js')
      return await linked(b === null ? [a] : [a, b], at => compareSides(at, a, b))
    },
    dropped: async ref => {
      const { findDropped } = await import('./compare/dropped.js')
      return await linked([ref], at => findDropped(at, ref))
    },
    context: async (ref, options) => {
      const { reportContext } = await import('./compare/contexts.js')
      return await linked([ref], at => reportContext(at, ref, options))
    },
    contextDiff: async (a, b) => {
      const { compareContexts } = await import('./compare/contexts.js')
      return await linked([a, b], at => compareContexts(at, a, b))
    },
  }
}

function measuresOf(
  host: Host,
  indexOf: IndexOf,
  linked: Linked,
): Pick<History, 'usage' | 'waste' | 'costOf' | 'stats'> {
  return {
    usage: async (paths = [], choice = {}) => {
      const { usageOf } = await import('./measure/usage.js')
      return await usageOf(lookingOnce(host), paths, { ...choice, ...indexOf(choice) })
    },
    waste: async choice =>
      (await import('./measure/waste.js')).reportWaste(lookingOnce(host), { ...choice, ...indexOf(choice) }),
    costOf: async ref => {
      const { costOfRef } = await import('./measure/part-cost.js')
      return await linked([ref], at => costOfRef(ref, at))
    },
    stats: async (paths = [], choice) =>
      (await import('./measure/stats.js')).measureAll(paths, lookingOnce(host), indexOf(choice)),
  }
}

type Lists = Pick<History, 'agents' | 'branches' | 'files' | 'prompts' | 'searchSessions'>

function listsOf(host: Host, indexOf: IndexOf, linked: Linked): Lists {
  const lists = (): Promise<typeof import('./measure/lists.js')> => import('./measure/lists.js')
  const once = (): Host => lookingOnce(host)
  return {
    agents: async choice => (await lists()).listAgents(once(), { ...choice, ...indexOf(choice) }),
    branches: async choice => (await lists()).listBranches(once(), { ...choice, ...indexOf(choice) }),
    files: async choice => (await lists()).listFiles(once(), { ...choice, ...indexOf(choice) }),
    prompts: async choice => (await lists()).listPrompts(once(), { ...choice, ...indexOf(choice) }),
    searchSessions: async (text, query = {}) => {
      const { searchHistorySessions } = await import('./search/history.js')
      const asked = await withSeen(linked, query)
      return await searchHistorySessions(once(), text, { ...asked, ...indexOf(query) })
    },
  }
}

/** H14: a search with the entries that the model saw at the answer which its filter names. */
async function withSeen(linked: Linked, query: SearchOptions): Promise<SearchOptions> {
  const ref = query.filter?.seenAt
  if (!ref) return query
  const { entriesSeenAt } = await import('./compare/contexts.js')
  const nodes = await linked([ref], at => entriesSeenAt(at, ref))
  return { ...query, filter: { ...query.filter, nodes } }
}

function blameOf(
  host: Host,
  indexOf: (choice?: IndexChoice) => { readonly index: string | null },
): Pick<History, 'blame' | 'commits'> {
  return {
    blame: async (file, choice) => {
      const { blameFile, readFileState } = await import('./blame/file.js')
      const { askSessions } = await import('./blame/source.js')
      const state = await readFileState(file)
      return await askSessions(host, indexOf(choice), source => blameFile(source, state))
    },
    commits: async (rev, { folder, ...choice }) => {
      const { readCommits, sessionsBehind } = await import('./blame/commits.js')
      const { askSessions } = await import('./blame/source.js')
      const states = await readCommits(folder, rev)
      return await askSessions(host, indexOf(choice), source =>
        states.map(state => sessionsBehind(source, state)),
      )
    },
  }
}

/** What is restored unless something else is asked for: the newest version of each file, to its original location. */
const PLAIN_RESTORE: RestoreOptions = { archive: null, to: null, all: false, touch: false }

function archiveOf(host: Host): ArchiveActions {
  const archive = (): Promise<typeof import('./archive/archive.js')> => import('./archive/archive.js')
  const forgetting = (): Promise<typeof import('./archive/forget.js')> => import('./archive/forget.js')
  return {
    keep: async (paths = [], options) =>
      (await archive()).keepFiles(host, paths, { archive: null, ...options }),
    check: async (path = null) => (await archive()).checkArchive(host, path),
    describe: async (path = null) => (await archive()).describeArchive(host, path),
    restore: async (session, options) =>
      (await import('./archive/restore.js')).restoreSession(host, session, { ...PLAIN_RESTORE, ...options }),
    forget: async (choice, options) => (await forgetting()).forgetSessions(host, choice, options),
    hold: async (session, { archive: path = null, release = false } = {}) =>
      (await forgetting()).holdSession(host, session, { archive: path, release }),
    sweptSoon: async (paths = []) => (await archive()).listSweptSoon(host, paths),
  }
}

/** An edit that is written beside its source. */
const PLAIN_EDIT: EditOptions = { out: null, title: null, snapshot: false, dryRun: false }

function editsOf(host: Host, linked: Linked): Edits {
  const edits = (): Promise<typeof import('./edits/edits.js')> => import('./edits/edits.js')
  return {
    repair: async (word, options) => {
      const { repairSession } = await import('./edits/repair.js')
      return await linked([word], at => repairSession({ ...options, host: at, word }))
    },
    write: async ({ ready }) => (await import('./edits/run.js')).carryOut(host, ready, { dryRun: false }),
    checkout: (ref, options) =>
      linked([ref], async at => (await edits()).checkout(at, ref, { ...PLAIN_EDIT, at: null, ...options })),
    fork: (ref, options) =>
      linked([ref], async at => (await edits()).fork(at, ref, { ...PLAIN_EDIT, ...options })),
    // Turns may be picked from any session of the project.
    pick: async (refs, options) => (await edits()).pick(host, refs, options),
    trim: (session, options) => linked([session], async at => (await edits()).trim(at, session, options)),
    split: (session, options) => linked([session], async at => (await edits()).split(at, session, options)),
    undo: async number => (await import('./edits/run.js')).undoNumber(number),
    list: async () => (await import('./edits/run.js')).editList(),
    planMove: async (from, to, options) =>
      (await import('./edits/move.js')).planMoves(host, { from, to }, options),
    move: async planned => (await import('./edits/move.js')).makeMoves(host, planned),
  }
}
