/** Every public name of the library, one by one. */

export { readBlocks, readResults } from './content/blocks.js'
export {
  type CallSummary,
  mainArgument,
  summarizeCalls,
  type TouchedFile,
  touchedFiles,
} from './content/calls.js'
export { cleanLine, cleanText } from './content/clean.js'
export { missingIn } from './content/cut.js'
export { messageText, type Summary, type SummaryKind, summarize, summaryKind } from './content/summary.js'
export { type RecordText, textsOf } from './content/texts.js'
export { readMessageUsage } from './content/usage.js'
export { type PlanProof, proofOf, type Reread, type Rereading, startRereading } from './edit/check.js'
export { planCheckout } from './edit/checkout.js'
export { planFork } from './edit/fork.js'
export { planPick } from './edit/pick.js'
export {
  type Change,
  type ChangeKind,
  DAMAGED_ROW,
  type EditCommand,
  type EditPlan,
  type PlannedCopy,
  type PlannedRows,
  REPAIR_KINDS,
  type RepairKind,
  type RowPatch,
  type TrimWishes,
} from './edit/plan.js'
export { deriveId } from './edit/rename.js'
export {
  needsWhole,
  type ReducedRow,
  type Renderer,
  renderSidecarRow,
  startRender,
  type TextChange,
} from './edit/render.js'
export { countChanges, planRepair, REPAIR_WAYS, type RepairWay, type RepairWishes } from './edit/repair.js'
export type { EditMake, EditSource } from './edit/source.js'
export { planSplit } from './edit/split.js'
export { planTrim } from './edit/trim.js'
export { type Saved, savedTokens, trimsNothing } from './edit/trim-content.js'
export { endBefore, endOfFile, endOfLine, endsOpen, promptOf } from './edit/turns.js'
export {
  type ExamOptions,
  examine,
  isIll,
  type Reach,
  reachableIn,
  reachOf,
  type SessionHealth,
} from './faults/examine.js'
export type { Effect, Fault, FaultKind } from './faults/fault.js'
export { FAULT_KINDS } from './faults/kinds.js'
export type { Actor } from './graph/actors.js'
export { actorName } from './graph/actors.js'
export type { Agent, AgentSource, AgentSpawn, AgentState, SpawnEvidence } from './graph/agents.js'
export type { Domain } from './graph/domains.js'
export type { TypedEdge, TypedEdgeKind } from './graph/edges.js'
export type { Epoch } from './graph/epochs.js'
export { epochLabel, isUnfinished } from './graph/epochs.js'
export { type Because, statusHere } from './graph/explain.js'
export { entriesIn, type FileRecord } from './graph/file-record.js'
export type { Fork } from './graph/fork-list.js'
export type { ForkKind, ForkRule } from './graph/forks/verdict.js'
export type {
  FileRows,
  Folded,
  GraphBuilder,
  GraphNode,
  SessionJunction,
  ToolEnds,
  Totals,
} from './graph/graph.js'
export { appendRows, buildGraph, Graph, startGraph } from './graph/graph.js'
export type { Layout, Line, LineKind, LineStatus } from './graph/lines.js'
export type { Operation, OperationKind } from './graph/operations.js'
export type { Fate, QueueStep } from './graph/queue.js'
export type { Attachment, Session } from './graph/sessions.js'
export { plainHead } from './graph/sessions.js'
export type { ToolEnd, ToolSummary } from './graph/tools.js'
export type { WorkflowAgent, WorkflowPhase, WorkflowRun, WorkflowState } from './graph/workflows.js'
export { type AgentRun, measureAgents, type SessionAgents } from './measure/agent-runs.js'
export type { AgentStats } from './measure/agents.js'
export { countAgents, joinAgents } from './measure/agents.js'
export { listComparable } from './measure/comparable.js'
export {
  type CallWords,
  type ComparedPlace,
  type CompareOptions,
  compareApart,
  compareLines,
} from './measure/compare.js'
export { costOf, createPricer } from './measure/cost.js'
export { countDelegation, type DelegationStats, joinDelegation } from './measure/delegation.js'
export { type Durations, quantileOf } from './measure/durations.js'
export {
  type CompactionStats,
  countCompactions,
  countHours,
  countQueue,
  countRewinds,
  type LeftStats,
  type LostPrompt,
  type QueueStats,
  type RewindStats,
} from './measure/events.js'
export { countFlows, type FlowKind, type FlowStats } from './measure/flows.js'
export { nodeNamed, pathThrough } from './measure/paths.js'
export { countPatterns, type PatternKind, type PatternStats } from './measure/patterns.js'
export {
  findPrice,
  type LongRates,
  MODEL_PRICES,
  type ModelPrice,
  modelFamily,
  PRICES_AS_OF,
  type PricePeriod,
  type Rates,
} from './measure/prices.js'
export {
  countLostCalls,
  type Invocation,
  type MeasureOptions,
  type MeasureScope,
  openScope,
  type Turn,
} from './measure/scope.js'
export type { Spent } from './measure/spent.js'
export { measureGraph, mergeStats, noStats, type Stats, type StatsTotals } from './measure/stats.js'
export { countTools, type ToolStats } from './measure/tools.js'
export {
  type DayOf,
  tallyUsage,
  type Undercount,
  USAGE_KEYS,
  type UsageGroup,
  type UsageKey,
  type UsageSum,
  type UsageTally,
} from './measure/usage.js'
export { mergeRows, mergeUsage, uniqueMessages } from './measure/usage-messages.js'
export { branchOf, type ProjectOf, placeUsage, type UsagePart } from './measure/usage-rows.js'
export type { MessageUsage, UsageRow, UsageStatus } from './model/billing.js'
export type { Diagnostic, DiagnosticRule, Severity } from './model/diagnostic.js'
export { DIAGNOSTIC_HELP, type DiagnosticHelp, helpFor } from './model/diagnostic-help.js'
export type {
  AssistantEntry,
  AttachmentEntry,
  Compaction,
  Entry,
  EntryBase,
  JournalNote,
  Note,
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
} from './model/entry.js'
export { isConversation, never } from './model/entry.js'
export { groupBy, pushTo } from './model/group.js'
export type {
  AgentId,
  Brand,
  EntryId,
  FileId,
  Instant,
  MessageId,
  SessionId,
  ToolUseId,
} from './model/ids.js'
export { agentId, entryId, fileId, instant, messageId, sessionId, toolUseId } from './model/ids.js'
export { isProjectFolder, projectFolder } from './model/project-folder.js'
export { type ParsedRow, type RowDiagnostic, recordsWithCarried } from './model/row.js'
export { shellWord } from './model/shell.js'
export type { AgentMeta, FileFacts, FileKind, RawRow, RunRecord, SourceSpan } from './model/source.js'
export { carriedRecord } from './parse/entries/progress.js'
export { createRecordFinder, type RecordFinder, type RecordPlace } from './parse/find.js'
export { asList, asNumber, asObject, asObjects, asText, asTexts, type Json } from './parse/json.js'
export { isKnownField, isKnownType, PARTS_OF, unknownType } from './parse/known.js'
export { packRows, unpackRows } from './parse/pack.js'
export { parseLastRow, parseRow, recordsIn, type SeeRecord, withCarried } from './parse/row.js'
export { MOST_WAITING, type PutRow, parseTranscript, type RowParser, startRows } from './parse/rows.js'
export { writeJson } from './parse/write-json.js'
export {
  type Block,
  CONTENT_LIMIT,
  type CutText,
  type ImageContent,
  type RowContent,
  type ToolCallContent,
  type ToolResultContent,
} from './protocol/content.js'
export {
  FILE_CHUNK_ROWS,
  FILE_DATA_TYPE,
  FILE_PAGES_ID,
  FILE_SESSIONS_ID,
  type FilePages,
  type FileSession,
  fileChunkId,
  fileSheetId,
} from './protocol/file.js'
export type {
  AgentKind,
  AgentsPage,
  ComparableFork,
  ComparableWay,
  CompareChoices,
  ComparedCall,
  ComparedSide,
  ComparedTurn,
  Comparison,
  Delegation,
  GivenLabel,
  Headway,
  HealthKind,
  HealthPage,
  Home,
  NodePlace,
  Reply,
  SearchHit,
  SearchPage,
  ServerEvent,
  SessionCard,
  SessionShape,
  SheetUpdate,
  SweptCard,
  SyncStatus,
  UnreadPath,
  UsageCell,
  UsageDay,
  UsageGroupCell,
  UsagePage,
  Why,
} from './protocol/messages.js'
export { isBareCopy } from './protocol/messages.js'
export {
  isSearchRole,
  SEARCH_ROLES,
  type SearchRole,
  speakerOf,
  type TextField,
} from './protocol/search-roles.js'
export {
  EDGE_KINDS,
  FROM_PROGRESS,
  ROW_KINDS,
  ROW_MARKS,
  type RowKind,
  type Sheet,
  type SheetAgent,
  type SheetDiagnostic,
  type SheetEpoch,
  type SheetFork,
  type SheetJunction,
  type SheetLine,
  type SheetQueued,
  type SheetRows,
  type SheetSession,
} from './protocol/sheet.js'
export {
  createMessageQueue,
  type Delivered,
  type MessageQueue,
  type Onto,
  type QueueOptions,
  type Waiting,
} from './queue/message-queue.js'
export {
  type Answer,
  type AnswerBlock,
  type PromptContent,
  type SessionClock,
  type SessionOrigin,
  type SessionWriter,
  startSession,
  type ToolAnswer,
} from './queue/session-writer.js'
export { type StreamedMessage, type StreamedRun, streamRuns, type Uuid } from './queue/streamed.js'
export { findSecrets, SECRET_KINDS } from './redact/find.js'
export type { Found } from './redact/found.js'
export {
  createRedactor,
  type KindCount,
  REDACT_WHAT,
  type RedactOptions,
  type Redactor,
  type RedactWhat,
} from './redact/redactor.js'
export { type Survey, type Surveyor, startSurvey } from './resume/content-marks.js'
export { type Loaded, type LoadOptions, loadedBy, NEWEST_VERSION } from './resume/load.js'
export { compareVersions, RELEASES, type Release, releaseOf } from './resume/releases.js'
export {
  type ContentMarks,
  type DiskFacts,
  type EndNotes,
  type ExtrasGatherer,
  type FileExtras,
  gatherExtras,
  gatherRowFacts,
  type LoaderExtras,
  NO_EXTRAS,
  type RowFacts,
  type RowFactsGatherer,
  type SecretPlace,
  type SpilledOutput,
} from './resume/survey.js'
export { type FoldedRow, type FoldedSheet, type FoldedWay, foldSheet } from './view/fold.js'
export {
  type DetailLevel,
  FIRST_CHOICE,
  type FoldChoice,
  isMarked,
  joinOf,
  kindAt,
  LEVELS,
  reveal,
  showsKind,
  tailKey,
  wayAt,
} from './view/fold-choice.js'
export { type Labels, labelNodes } from './view/labels.js'
export { type LaneRow, layOutLanes } from './view/lanes.js'
export { countMessages } from './view/messages.js'
export { isLandmark, isSpoken } from './view/order.js'
export { originLabel } from './view/origin-labels.js'
export type { EdgeKind, LeftOut, View, ViewEdge, ViewRow } from './view/rows.js'
export { shapeSessions } from './view/shape.js'
export { makeSheet, type SheetOptions } from './view/sheet.js'
export { statusLabel, statusLabels } from './view/status-labels.js'
export {
  type Glyphs,
  type PaintedRow,
  type PaintOptions,
  paintLanes,
  renderText,
  UNICODE_GLYPHS,
} from './view/text.js'
export {
  queueEvents,
  type TimelineEvent,
  type TimelineKind,
  timelineOf,
  workflowLabel,
} from './view/timeline.js'
export { type TreeOptions, type TreeStep, walkTree } from './view/tree.js'
export { type WalkOptions, walkNodes, walkSession } from './view/walk.js'
