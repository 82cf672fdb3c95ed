/**
 * `dagline/types`: what has no name in the other entry points, that is the types of fields of what functions take and return,
 * down to the last one.
 */

export type {
  Change,
  EditCommand,
  EditPlan,
  KeptEntries,
  PlannedCopy,
  PlannedRows,
  RowPatch,
  Saved,
  TextChange,
  TrimScope,
} from '@dagline/core/edit'
export type { Effect, Fault, RepairCoverage, ResumeCoverage, SessionHealth } from '@dagline/core/faults'
export type { SidecarKind } from '@dagline/core/files'
export type { Lesson, LessonKind, LessonOutcome } from '@dagline/core/lessons'
export type {
  ContextCategory,
  ContextPiece,
  EditFate,
  FileChange,
  OriginEvidence,
  Replacement,
  TextKind,
} from '@dagline/core/model'
export type { EntryContents } from '@dagline/core/open'
export type {
  AgentMetaNote,
  AssistantEntry,
  AttachmentEntry,
  Compaction,
  Entry,
  EntryBase,
  JournalNote,
  Json,
  Note,
  NoteBase,
  OpaqueEntry,
  OtherNote,
  ProcessNote,
  ProgressEntry,
  QueuedCommand,
  QueueNote,
  QueueOperation,
  ResultState,
  Spawn,
  SystemEntry,
  TextDigest,
  TitleNote,
  ToolCall,
  ToolResult,
  TranscriptRecord,
  Usage,
  UserEntry,
  UserMeaning,
} from '@dagline/core/parse'
export type {
  AttachedField,
  BlamedAgent,
  BlamedCommit,
  BlamedEdit,
  BlamedFile,
  BlamedLine,
  BlamedPrompt,
  Block,
  CommitSession,
  CommitSessions,
  ComparableBranch,
  ComparableFork,
  CompareChoices,
  ComparedCall,
  ComparedSide,
  ComparedTurn,
  Comparison,
  ContextBand,
  ContextConversation,
  ContextDifference,
  ContextItem,
  ContextMark,
  ContextReport,
  CutText,
  ImageContent,
  LeftOutEntries,
  LeftOutReason,
  NowPage,
  RequestContext,
  RequestTokens,
  RowContent,
  RowKind,
  RunningAgent,
  RunningSession,
  RunningState,
  SearchSort,
  SessionShape,
  Sheet,
  SheetAgent,
  SheetDiagnostic,
  SheetEpoch,
  SheetFork,
  SheetJunction,
  SheetLine,
  SheetQueued,
  SheetRows,
  SheetSession,
  TextField,
  ToolCallContent,
  ToolResultContent,
} from '@dagline/core/protocol'
export type { RedactWhat } from '@dagline/core/redact'
export type { TabulatedSession } from '@dagline/core/tables'
export type { Waste, WasteKind, WasteShare } from '@dagline/core/waste'
export type {
  AgentFact,
  ArchivedFile,
  ArchivedSession,
  ArchiveFault,
  ArchiveStats,
  Backup,
  BranchFact,
  Edit,
  EditedFile,
  EditIntent,
  Fingerprint,
  ForgetPlan,
  FoundFile,
  FoundText,
  Hit,
  IndexedFacts,
  KeepResult,
  KnownLine,
  LabelKind,
  LeftFile,
  MarkedSession,
  Move,
  MovedFile,
  MovedKind,
  MovePlan,
  MovePlanOptions,
  MoveRecord,
  PresentFile,
  Project,
  RecordedFile,
  RestoredFile,
  ScannedText,
  SearchedInstead,
  SessionFact,
  Sidecar,
  StoredSession,
  SweptSession,
  SyncReport,
  VerifyResult,
  WholeSources,
} from '@dagline/store'
export type { KeepOptions } from '../archive/archive.js'
export type { ContextOptions } from '../compare/contexts.js'
export type { SummarizedEntry } from '../compare/dropped.js'
export type { Summaries } from '../contents/summaries.js'
export type { MoveSums, RootMove } from '../edits/move.js'
export type { RepairTask } from '../edits/repair.js'
export type { CoverageOf, ReadyEdit } from '../edits/run.js'
export type { Format } from '../export/options.js'
export type { Redacted, ReplacedKind } from '../export/report.js'
export type { SecretCount, SecretLocation } from '../export/secrets.js'
export type { Print } from '../export/session.js'
export type { Pieces } from '../export/write.js'
export type { ProjectLocation } from '../files/projects.js'
export type { LoadedProject, SeeInFile } from '../graphs/project.js'
export type { FollowOptions } from '../history.js'
export type { Batch } from '../live/follow.js'
export type { AbandonedLine } from '../live/session-events.js'
export type { ConversationOptions, FoundNode } from '../locate/ref.js'
export type { FoundSession } from '../locate/session.js'
export type { Cost } from '../measure/lists.js'
export type { DateSpan } from '../text/dates.js'
