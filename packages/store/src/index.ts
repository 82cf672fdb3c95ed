/** Everything that reads, and later keeps, transcripts on disk. */
export {
  type Archive,
  type ArchivedFile,
  type ArchiveWriter,
  archivePath,
  findRun,
  hasArchive,
  openArchive,
  openArchiveWriter,
} from './archive/archive.js'
export { type ForgetPlan, planForget } from './archive/forget.js'
export type { KeepOptions, KeepProgress, KeepResult } from './archive/keep.js'
export type { MarkedSession } from './archive/marks.js'
export { type ArchivedSession, archivedOnly, archivedProjects, archivedRoots } from './archive/only.js'
export { stampOf } from './archive/original.js'
export { cutPieces, PART as PIECE_BYTES } from './archive/pieces.js'
export { type RestoredFile, type RestoreOptions, restoreFiles } from './archive/restore.js'
export { type ArchiveStats, archiveStats } from './archive/stats.js'
export { type SweptSession, sweepDays, sweptWithin } from './archive/sweep.js'
export type { ArchiveFault } from './archive/verify.js'
export {
  type VerifyResult,
  verifyArchive,
} from './archive/verify.js'
export { checkPages, DamagedIndex, nameOfFile, setAside, withErrors } from './db/damage.js'
export { type Database, openDatabase, type Row, takeLock } from './db/driver.js'
export type { IndexedFacts } from './db/facts.js'
export { type Chunk, FIELDS, type ReadJob } from './db/facts.js'
export type { KnownLine } from './db/index-store.js'
export {
  type AgentFact,
  type BranchFact,
  type FileDraft,
  type FoundText,
  type GroupedFile,
  type IndexStore,
  isUndelivered,
  type Judgement,
  type KeptAnswer,
  type KnownFile,
  type Phrase,
  type SessionCount,
  type SessionFact,
  type TextFilter,
  type TextsAround,
} from './db/index-store.js'
export { wantKey } from './db/link-keys.js'
export { HIT_ORDER, TEXT_ORDER } from './db/rank.js'
export { INDEX_VERSION, isOwnIndex, nodeId } from './db/schema.js'
export { openIndex } from './db/sqlite.js'
export { FILE_CELLS, fileCells, fileFrom } from './db/sqlite-facts.js'
export {
  fatesIn,
  likeText,
  MOST_LOOKED_AT,
  queuedGroups,
  SPOKEN,
  textFrom,
  textOrNull,
} from './db/sqlite-texts.js'
export { type TouchSource, touchesOf } from './db/sqlite-touches.js'
export { messagesOf, type UsageSource, usageOf } from './db/sqlite-usage.js'
export { GROUP_CELLS, isSameRun, LINE_CELLS, lineCells, type Run, runsOf } from './db/sqlite-verdicts.js'
export { createTokenizer } from './db/tokens.js'
export { readBuckets, readDays } from './db/usage-buckets.js'
export { isRunning, removeAbandoned } from './files/abandoned.js'
export type { Sidecar } from './files/discover.js'
export {
  discover,
  type FoundFile,
  type FoundRoot,
  lookInto,
  type Project,
} from './files/discover.js'
export { failureOf, isDiskError, isReadFailure, StoreError } from './files/failures.js'
export { cacheFolder, configFolder, dataFolder, defaultRoots } from './files/folders.js'
export { joinMoved } from './files/moved.js'
export { parseTranscript } from './files/parse.js'
export { type ClaudeProcess, listProcesses, processFolder } from './files/processes.js'
export { openPushedRanges, openRangeReader, type RangeReader, rememberingLast } from './files/ranges.js'
export { renameFile } from './files/rename.js'
export {
  type RowLocation,
  readRows,
} from './files/rows.js'
export { redactionKey, viewerToken } from './files/secret-keys.js'
export type { ByteSource } from './files/source.js'
export { bytesSource, folderAtStart, namedSession, openFile } from './files/source.js'
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
export type { MovedKind, MovePlanOptions } from './move/plan.js'
export { type LeftFile, type MovedFile, type MovePlan, planMove } from './move/plan.js'
export { undoEdit } from './move/undo.js'
export { changeLabels, labelsPath, readLabels } from './names/file.js'
export type { LabelKind } from './names/labels.js'
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
export type { SearchedInstead } from './query/second-try.js'
export { countHits, inOrder, searchSessions } from './query/session-search.js'
export { snippetOf } from './query/snippet.js'
export { parseQuery } from './query/words.js'
export {
  type ArchiveSessionStore,
  type ArchiveStoreOptions,
  createArchiveStore,
} from './session-store/archive-store.js'
export { fromFileName, type SessionKey, toFileName, transcriptPath } from './session-store/keys.js'
export type { StoredSession } from './session-store/session-store.js'
export {
  createSessionStore,
  type FolderSessionStore,
  type FoldSessionSummary,
  type SessionStoreOptions,
  type SessionSummaryEntry,
} from './session-store/session-store.js'
export {
  addStored,
  isMetadata,
  noRows,
  notStored,
  type SessionStoreEntry,
  type StoredRows,
} from './session-store/stored-rows.js'
export { entriesIn } from './session-store/transcript-file.js'
export {
  type BatchMessage,
  readBatch,
  readBatchHere,
  readerFrom,
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
  type SyncOptions,
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
export type {
  Backup,
  EditedFile,
  EditIntent,
  EditRecord,
  Move,
  MoveRecord,
  RecordedFile,
} from './write/journal.js'
export { listEdits } from './write/recover.js'
