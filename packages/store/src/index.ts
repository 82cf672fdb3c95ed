/** Everything that reads, and later keeps, transcripts on disk. */
export {
  type Archive,
  type ArchivedFile,
  type ArchiveWriter,
  archivePath,
  openArchive,
  openArchiveWriter,
} from './archive/archive.js'
export { type ForgetPlan, planForget } from './archive/forget.js'
export type { KeepOptions, KeepProgress, KeepResult } from './archive/keep.js'
export type { MarkedSession } from './archive/marks.js'
export { type ArchivedSession, archivedOnly, archivedRoots } from './archive/only.js'
export { type RestoredFile, type RestoreOptions, restoreFiles } from './archive/restore.js'
export { type ArchiveStats, archiveStats } from './archive/stats.js'
export { type SweptSession, sweepDays, sweptWithin } from './archive/sweep.js'
export {
  type VerifyResult,
  verifyArchive,
} from './archive/verify.js'
export { checkPages, DamagedIndex, nameOfFile, setAside, withErrors } from './db/damage.js'
export { takeLock } from './db/driver.js'
export type { ReadJob } from './db/facts.js'
export type {
  AgentFact,
  BranchFact,
  FoundText,
  GroupedFile,
  IndexStore,
  KeptAnswer,
  KnownFile,
  SessionFact,
  TextFilter,
} from './db/index-store.js'
export { INDEX_VERSION, isOwnIndex } from './db/schema.js'
export { openIndex } from './db/sqlite.js'
export { readBuckets, readDays } from './db/usage-buckets.js'
export { removeAbandoned } from './files/abandoned.js'
export {
  discover,
  type FoundFile,
  type FoundRoot,
  lookInto,
  type Project,
} from './files/discover.js'
export { failureOf, isDiskError, isReadFailure, StoreError } from './files/failures.js'
export { cacheFolder, configFolder, defaultRoots } from './files/folders.js'
export { joinMoved } from './files/moved.js'
export { parseTranscript } from './files/parse.js'
export { type ClaudeProcess, listProcesses, processFolder } from './files/processes.js'
export { openRangeReader, type RangeReader, rememberingLast } from './files/ranges.js'
export { renameFile } from './files/rename.js'
export {
  type RowLocation,
  readRows,
} from './files/rows.js'
export { redactionKey, viewerToken } from './files/secret-keys.js'
export type { ByteSource } from './files/source.js'
export { folderAtStart, namedSession } from './files/source.js'
export { changeOf, type FileState, stateOf } from './files/state.js'
export { type Reading, readTranscript } from './files/transcript.js'
export { createUsageScanner, type UsageScanner } from './files/usage-scan.js'
export { isWithin } from './files/walk.js'
export {
  type Fingerprint,
  notWhole,
  readingSource,
  verifySources,
  type WholeSources,
  wholeSources,
} from './files/whole.js'
export { makeMove } from './move/make.js'
export { isBelow } from './move/paths.js'
export { type LeftFile, type MovedFile, type MovePlan, planMove } from './move/plan.js'
export { undoEdit } from './move/undo.js'
export { changeLabels, labelsPath, readLabels } from './names/file.js'
export {
  addTags,
  BadLabel,
  countTags,
  giveName,
  giveNote,
  type Label,
  type Labelled,
  type Labels,
  labelNamed,
  labelOf,
  NO_LABELS,
  plainTag,
  removeTags,
} from './names/labels.js'
export { findsParts } from './query/match.js'
export { searchPattern } from './query/pattern-search.js'
export { createTextReader } from './query/read.js'
export { type Hit, isNarrowed, type SearchOptions, search } from './query/search.js'
export type { Replacement } from './query/second-try.js'
export { countHits, inOrder, searchSessions } from './query/session-search.js'
export { snippetOf } from './query/snippet.js'
export { parseQuery } from './query/words.js'
export type { SessionKey } from './session-store/keys.js'
export {
  createSessionStore,
  type FolderSessionStore,
  type FoldSessionSummary,
  type SessionStoreOptions,
  type SessionSummaryEntry,
} from './session-store/session-store.js'
export type { SessionStoreEntry } from './session-store/stored-rows.js'
export {
  type BatchMessage,
  readBatch,
  readBatchHere,
  readHere,
  receiveMessage,
} from './sync/batch.js'
export { type Batch, batchesOf, batchesOfRest } from './sync/batches.js'
export { type ArchivedPart, allPresent, bytesBehind } from './sync/behind.js'
export type { PresentFile } from './sync/plan.js'
export { type ScannedText, scanFile, unindexedFiles } from './sync/scan.js'
export { type SessionFile, sessionFacts } from './sync/session-facts.js'
export { type FirstStage, NO_FIRST_STAGE, shareStage } from './sync/stages.js'
export {
  isSynced,
  type Reader,
  type ReadSink,
  type SyncProgress,
  type SyncReport,
  syncRoot,
} from './sync/sync.js'
export { writerOf } from './write/busy.js'
export {
  type Edit,
  type EditTrial,
  type Prover,
  type Proving,
  proveHere,
  tryEdit,
  UnprovedEdit,
  writeEdit,
} from './write/commit.js'
export type { EditRecord } from './write/journal.js'
export { listEdits } from './write/recover.js'
