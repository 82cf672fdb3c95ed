/**
 * What one can do with a history, once for every face: command, page and library. `openHistory` is the way in; the other
 * exports are the types of what it takes and returns, and what faces need to print an answer.
 */
export {
  type ArchivedSession,
  type ArchiveStats,
  countTags,
  type EditRecord,
  type Hit,
  type KeepResult,
  type Label,
  type Labelled,
  type Labels,
  type LeftFile,
  labelNamed,
  labelOf,
  plainTag,
  type RestoredFile,
  type SweptSession,
  type SyncReport,
  type VerifyResult,
} from '@dagline/store'
export { type ArchiveCheck, type ArchiveReport, type KeepReport, SWEPT_SOON_DAYS } from './archive/archive.js'
export type { RestoreOptions, RestoreReport } from './archive/restore.js'
export type { Dropped, SummarizedEntry } from './compare/dropped.js'
export type { NamedComparison } from './compare/sides.js'
export type { Contents } from './contents/records.js'
export type { CheckoutOptions, PickOptions, SplitOptions, TrimOptions } from './edits/edits.js'
export type { MoveOptions, PlannedMove, RootMove } from './edits/move.js'
export type { RepairDone, RepairFailed, RepairNeedless } from './edits/repair.js'
export type { EditReport } from './edits/run.js'
export type { EditOptions } from './edits/target.js'
export type { Exporter, ExportReport } from './export/export.js'
export { type ExportOptions, FORMATS } from './export/options.js'
export { type SecretCount, secretsFound } from './export/secrets.js'
export type { Pieces } from './export/write.js'
export type { LabelChange } from './files/labels.js'
export { isFolder, type ProjectInfo, type ShownRoots } from './files/projects.js'
export { diagnosticJson, PARTS, type Part, type ProjectFacts, titleOf } from './graphs/facts.js'
export { allDiagnostics, type LoadOptions } from './graphs/project.js'
export type { Examined } from './health/examine.js'
export type { HealthResult } from './health/examiner.js'
export {
  type ArchiveActions,
  type Edits,
  type EntryGraph,
  type History,
  type HistoryOptions,
  type IndexChoice,
  openHistory,
  type RepairOptions,
  type SessionGraph,
} from './history.js'
export type { Host, Unread } from './host/host.js'
export { UserError, type UserErrorCode, userErrorOf } from './host/user-error.js'
export type { SyncedIndex } from './index/open.js'
export type { FollowedBatch, FollowedSession } from './live/followed-session.js'
export type { AbandonedLine, SessionEvent } from './live/session-events.js'
export type { Sync } from './live/syncing.js'
export { type LiveHistory, openLive } from './live-history.js'
export { type FoundNode, findLine } from './locate/ref.js'
export type { FoundSession, SessionLocation } from './locate/session.js'
export type { ShownLocation } from './locate/shown.js'
export type { Census, CensusType, UnknownField } from './measure/census.js'
export type { SessionFigures } from './measure/sessions.js'
export { type Bill, type MeasuredStats, openBill } from './measure/stats.js'
export type { GraphSummary, RuleCount } from './measure/summary.js'
export type { UsageFilter } from './measure/usage.js'
export type { SearchFilter, SearchOptions, SearchResult } from './search/search.js'
export { runAsWorker } from './tasks.js'
export { jsonLines } from './text/json.js'
export { VERSION } from './text/version.js'
export type { Viewer } from './viewer.js'
