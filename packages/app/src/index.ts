/**
 * What one can do with a history, once for every face: command, page and library. `library` has the names that the
 * installed package offers, too; the names below are for the faces of this repository.
 */
export {
  type ArchivedSession,
  type ArchiveStats,
  archivePath,
  countTags,
  type Hit,
  type KeepResult,
  type LeftFile,
  labelNamed,
  labelOf,
  type MarkedSession,
  plainTag,
  type RestoredFile,
  type SweptSession,
  type SyncReport,
  type VerifyResult,
} from '@dagline/store'
export { SWEPT_SOON_DAYS } from './archive/archive.js'
export type { SummarizedEntry } from './compare/dropped.js'
export type { RootMove } from './edits/move.js'
export { coverageSentence, EDIT_DONE, editName, goneSentence, undoneText } from './edits/report-text.js'
export { FORMATS } from './export/options.js'
export { placeholderHash } from './export/placeholders.js'
export { redactedText } from './export/report.js'
export { type SecretCount, secretsFound } from './export/secrets.js'
export type { TablesReport } from './export/tables.js'
export { exportInWorker, findInWorker } from './export/worker.js'
export type { Pieces } from './export/write.js'
export { type FaceHistory, openFaceHistory } from './face-history.js'
export type { ShownRoots } from './files/projects.js'
export { diagnosticJson, PARTS, type Part, type ProjectFacts } from './graphs/facts.js'
export type { HealthResult } from './health/examiner.js'
export { POLICY, type PolicyPart, type PolicyReport, type Violation } from './health/policy.js'
export { silentHost } from './host/host.js'
export { networkReason } from './host/network.js'
export { hasOwnPrices } from './host/prices.js'
export {
  applySettings,
  changeSetting,
  findSetting,
  readSettings,
  SETTINGS,
  type Setting,
  settingsFile,
  unknownSetting,
} from './host/settings.js'
export { unknownKind, userErrorOf } from './host/user-error.js'
export * from './library/index.js'
export type { AbandonedLine } from './live/session-events.js'
export type { Sync } from './live/syncing.js'
export { watchFolders } from './live/watch.js'
export { type LiveHistory, openLive, openPushed, type PushedHistory } from './live-history.js'
export { projectPaths } from './locate/project-paths.js'
export { findLine } from './locate/ref.js'
export { currentGitBranch, gitFolderOf } from './locate/worktrees.js'
export type { Census, CensusType, UnknownField } from './measure/census.js'
export { type Bill, openBill } from './measure/stats.js'
export type { GraphSummary, RuleCount } from './measure/summary.js'
export type { ReportKey, UsageReport } from './measure/usage-report.js'
export type { HubAnswer, HubAnswers, HubQuestion, HubQuestions } from './questions/hub.js'
export { gatherHealth, sumStats, sumUsage } from './questions/report.js'
export { hitLabels } from './search/labels.js'
export { SQL_FORMATS, type SqlValue, sqlPieces } from './sql/format.js'
export { BUILT_IN_QUERIES } from './sql/queries.js'
export type { SqlAnswer } from './sql/sql.js'
export { runAsWorker } from './tasks.js'
export { spanOf } from './text/dates.js'
export { jsonLine, jsonLines } from './text/json.js'
export { noRows } from './text/nothing.js'
export { claimStatus, readStatus, STATUS_AGE, type StatusFigures } from './text/status-file.js'
export { VERSION } from './text/version.js'
export type { Viewer } from './viewer.js'
