/** What one can do with a history, for every face: command, page and library. */
export { type Dropped, findDropped, type SaidEntry } from './compare/dropped.js'
export { branchOfSession, liveWay, type OpenWay, openBeside, openWay, optionsFor } from './compare/sides.js'
export type { ReadGraph, Reading } from './contents/reading.js'
export { isBelow, openReading } from './contents/reading.js'
export { type Contents, openContents } from './contents/records.js'
export { type ContentOptions, readSpilled, rowContents } from './contents/rows.js'
export { fileAt } from './edits/file.js'
export { adviceFor, plainPath, plansFor, refuseOdd, refuseRunning, sumMoves } from './edits/move.js'
export { type RepairFailed, type RepairNeedless, repairSession } from './edits/repair.js'
export {
  attempt,
  carryOut,
  type EditReport,
  makeSession,
  planned,
  type ReadyEdit,
  readyEdit,
} from './edits/run.js'
export { type EditedPoint, type EditedSession, openEditedSession, openPoint } from './edits/source.js'
export { type EditWishes, refuseBusy } from './edits/target.js'
export { type ExportReport, exportSessions } from './export/export.js'
export { type ExportOptions, FORMATS, type Format } from './export/options.js'
export { type SecretCount, secretsFound } from './export/secrets.js'
export { exportInWorker } from './export/worker.js'
export type { Pieces } from './export/write.js'
export { alreadyTold, type LeftLine, type News, newsOf, type Told } from './graphs/events.js'
export { diagnosticJson, PARTS, type Part, type ProjectFacts, titleOf } from './graphs/facts.js'
export { type Batch, followSession } from './graphs/follow.js'
export { allDiagnostics } from './graphs/project.js'
export { addRules, addTotals, countRules, type RuleCount } from './graphs/summary.js'
export { closeContents, noteFailures, unreadField } from './graphs/unread.js'
export { type Examined, examineSession } from './health/examine.js'
export type { Examine, HealthResult } from './health/examiner.js'
export { createExaminer } from './health/examiner.js'
export type { Host, Unread } from './host.js'
export { withArchive } from './index/archive.js'
export { type Indexed, type IndexOptions, openIndexed } from './index/open.js'
export { type Exhibit, findExhibit } from './index/served.js'
export { type LiveHistory, openLive } from './live/live.js'
export type { LiveOptions } from './live/open.js'
export type { Sync } from './live/syncing.js'
export { createWaker, type Waker } from './live/watch.js'
export { findLabelled } from './locate/label-target.js'
export {
  labelAt,
  labelFacts,
  labelledTitle,
  labelsFor,
  labelsOn,
  labelWords,
  namedBy,
  relabel,
} from './locate/labels.js'
export { findPlaces, isFolder, nothingFound, placesOf, rootsOf, samplesRoot } from './locate/places.js'
export { type FoundNode, findLine, openConversation, openRef } from './locate/ref.js'
export {
  ambiguous,
  type FoundSession,
  findSession,
  isPath,
  openSession,
  pathsOf,
  type Spot,
  sessionIn,
} from './locate/session.js'
export { type Census, type CensusType, takeCensus, type UnknownField } from './measure/census.js'
export { type SessionFigures, sessionsOfRoots } from './measure/sessions.js'
export { analyseSessions, type Bill, openBill } from './measure/stats.js'
export { usageOfRoots, usageRows } from './measure/usage.js'
export { chooseRows, type UsageChoice } from './measure/usage-filter.js'
export { inStore, userErrorOf } from './store-errors.js'
export { runAsWorker } from './tasks.js'
export { timeOf } from './text/dates.js'
export {
  bytes,
  clock,
  clockSeconds,
  count,
  day,
  dayAndTime,
  grouped,
  isoTime,
  shortId,
  smallMoney,
} from './text/figures.js'
export { jsonLines } from './text/json.js'
export { workMeter } from './text/meter.js'
export type { UserErrorCode } from './user-error.js'
export { UserError } from './user-error.js'
export { VERSION } from './version.js'
export { runOnProjects } from './workers/projects.js'
export { createSyncer } from './workers/sync.js'
