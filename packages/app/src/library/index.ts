/** The library `dagline`: `openHistory`, and the types of what its methods take and return. */

export type { OpenedProject } from '@dagline/core/open'
export type { EditRecord, Label, Labelled, Labels } from '@dagline/store'
export {
  type ArchiveSessionStore,
  type ArchiveStoreOptions,
  createArchiveStore,
  createSessionStore,
  type FolderSessionStore,
  type FoldSessionSummary,
  type SessionKey,
  type SessionStoreEntry,
  type SessionStoreOptions,
  type SessionSummaryEntry,
} from '@dagline/store'
export type { ArchiveCheck, ArchiveReport, KeepReport } from '../archive/archive.js'
export type { ForgetChoice, ForgetOptions, ForgetReport, HoldReport } from '../archive/forget.js'
export type { RestoreOptions, RestoreReport } from '../archive/restore.js'
export type { Dropped } from '../compare/dropped.js'
export type { NamedComparison } from '../compare/sides.js'
export type { Contents } from '../contents/records.js'
export type { CheckoutOptions, PickOptions, SplitOptions, TrimOptions } from '../edits/edits.js'
export type { MoveOptions, PlannedMove } from '../edits/move.js'
export type { RepairDone, RepairFailed, RepairNeedless } from '../edits/repair.js'
export type { EditReport } from '../edits/run.js'
export type { EditOptions } from '../edits/target.js'
export type { Exporter, ExportReport } from '../export/export.js'
export type { ExportOptions } from '../export/options.js'
export type { LabelChange } from '../files/labels.js'
export type { ProjectInfo } from '../files/projects.js'
export type { LoadOptions } from '../graphs/project.js'
export { graphOf, type LoadableStore, openStored, type StoredSessionKey } from '../graphs/stored-session.js'
export type { Examined } from '../health/examine.js'
export {
  type ArchiveActions,
  type CommitOptions,
  type Edits,
  type EntryGraph,
  type History,
  type HistoryOptions,
  type IndexChoice,
  openHistory,
  type RepairOptions,
} from '../history.js'
export type { Host, Unread } from '../host/host.js'
export { UserError, type UserErrorCode } from '../host/user-error.js'
export type { SyncedIndex } from '../index/open.js'
export type { FollowedBatch, FollowedSession } from '../live/followed-session.js'
export type { SessionEvent } from '../live/session-events.js'
export type { ListFilter } from '../locate/list-filter.js'
export type { SessionGraph, SessionLocation } from '../locate/session.js'
export type { LessonItem } from '../measure/lessons.js'
export type { AgentItem, BranchItem, FileItem, OfSession, PromptItem } from '../measure/lists.js'
export type { MeasuredCost } from '../measure/part-cost.js'
export type { SessionFigures } from '../measure/sessions.js'
export type { MeasuredStats } from '../measure/stats.js'
export type { UsageFilter } from '../measure/usage-filter.js'
export type { WasteItem, WasteOfKind, WasteReport, WasteSum } from '../measure/waste.js'
export type { SessionHits, SessionSearchResult } from '../search/history.js'
export type { ScannedHit, ScanResult } from '../search/scan.js'
export type {
  HitContext,
  SearchedSession,
  SearchFilter,
  SearchOptions,
  SearchResult,
} from '../search/search.js'
