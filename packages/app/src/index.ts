/** What one can do with a history, for every face: command, page and library. `openHistory` is the way in. */
export {
  type Archive,
  type ArchivedFile,
  type ArchivedSession,
  type ArchiveStats,
  archivedOnly,
  archivePath,
  archiveStats,
  countTags,
  type EditRecord,
  type FoundRoot,
  type Hit,
  type KeepResult,
  type Label,
  type Labelled,
  type Labels,
  type LeftFile,
  labelOf,
  labelsPath,
  type MovePlan,
  type MovePlanOptions,
  makeMove,
  openArchive,
  openArchiveWriter,
  plainTag,
  type RestoredFile,
  restoreFiles,
  StoreError,
  type SweptSession,
  type SyncReport,
  sweepDays,
  sweptWithin,
  type TextFilter,
  undoEdit,
  type VerifyResult,
  verifyArchive,
} from '@dagline/store'
export { type Dropped, findDropped, type SummarizedEntry } from './compare/dropped.js'
export {
  abandonedSide,
  compareOptions,
  liveSide,
  type OpenSide,
  openOtherSide,
  openSide,
} from './compare/sides.js'
export { type Contents, closeContents, openContents } from './contents/records.js'
export type { CheckoutOptions, PickOptions, SplitOptions, TrimOptions } from './edits/edits.js'
export { adviceFor, plainPath, plansFor, refuseOdd, refuseRunning, sumMoves } from './edits/move.js'
export type { RepairDone, RepairFailed, RepairNeedless } from './edits/repair.js'
export type { EditReport } from './edits/run.js'
export type { EditOptions } from './edits/target.js'
export type { Exporter, ExportReport } from './export/export.js'
export { type ExportOptions, FORMATS, type Format } from './export/options.js'
export { type SecretCount, secretsFound } from './export/secrets.js'
export { exportInWorker } from './export/worker.js'
export type { Pieces } from './export/write.js'
export { findRoots, isFolder, nothingFound, type ProjectInfo, samplesRoot } from './files/projects.js'
export { noteFailures, unreadField } from './files/unread.js'
export { diagnosticJson, PARTS, type Part, type ProjectFacts, titleOf } from './graphs/facts.js'
export { allDiagnostics, type LoadOptions } from './graphs/project.js'
export type { Examined } from './health/examine.js'
export { createExaminer, type HealthResult } from './health/examiner.js'
export {
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
export { inStore, userErrorOf } from './host/store-errors.js'
export { UserError, type UserErrorCode } from './host/user-error.js'
export { withArchive } from './index/archive.js'
export type { IndexOptions, SyncedIndex } from './index/open.js'
export { createSyncer } from './index/sync.js'
export type { Batch, Follow } from './live/follow.js'
export {
  type AbandonedLine,
  type ReportedEvents,
  reportedSoFar,
  type SessionEvent,
  sessionEvents,
} from './live/session-events.js'
export type { Sync } from './live/syncing.js'
export { findViewerSource, type ViewerSource } from './live/viewer-source.js'
export { createWaker, type Waker } from './live/watch.js'
export { type LiveHistory, openLive } from './live-history.js'
export {
  type LabelChange,
  labelAt,
  labelFacts,
  labelledTitle,
  labelsOn,
  labelWords,
  namedBy,
} from './locate/labels.js'
export { type FoundNode, findLine, openRef } from './locate/ref.js'
export {
  ambiguous,
  type FoundSession,
  findSession,
  isPath,
  type SessionLocation,
  sessionIn,
} from './locate/session.js'
export type { Census, CensusType, UnknownField } from './measure/census.js'
export { knownSessions, type SessionFigures } from './measure/sessions.js'
export { type Bill, type MeasuredStats, openBill } from './measure/stats.js'
export type { GraphSummary, RuleCount } from './measure/summary.js'
export type { UsageFilter } from './measure/usage-filter.js'
export { invalidPattern } from './pages/search.js'
export type { SearchOptions, SearchResult } from './search/search.js'
export { runAsWorker } from './tasks.js'
export { timeOf } from './text/dates.js'
export { jsonLines } from './text/json.js'
export { workMeter } from './text/meter.js'
export { VERSION } from './text/version.js'
