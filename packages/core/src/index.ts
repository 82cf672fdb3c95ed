/** Every public name of the library, one by one. */

export type { Actor } from './graph/actors.js'
export { actorName } from './graph/actors.js'
export type { Agent, AgentSpawn, AgentState, SpawnEvidence } from './graph/agents.js'
export type { Domain } from './graph/domains.js'
export type { TypedEdge, TypedEdgeKind } from './graph/edges.js'
export type { Epoch } from './graph/epochs.js'
export { epochLabel } from './graph/epochs.js'
export type { Because } from './graph/explain.js'
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
export type { FileRecord } from './graph/state.js'
export type { ToolEnd, ToolSummary } from './graph/tools.js'
export type { AgentStats } from './measure/agents.js'
export { countAgents } from './measure/agents.js'
export { costOf, createPricer } from './measure/cost.js'
export { countDelegation, type DelegationStats } from './measure/delegation.js'
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
export {
  type Ground,
  type Invocation,
  type MeasureOptions,
  surveyGraph,
  type Turn,
} from './measure/ground.js'
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
  TextPrint,
  TitleNote,
  ToolCall,
  ToolResult,
  TranscriptRecord,
  Usage,
  UserEntry,
  UserMeaning,
} from './model/entry.js'
export { isConversation, never } from './model/entry.js'
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
export type { ParsedRow, RowFinding } from './model/row.js'
export type { AgentMeta, FileFacts, FileKind, RawRow, SourceSpan } from './model/source.js'
export { readBilling } from './parse/billing.js'
export type { Json } from './parse/json.js'
export { packRows, unpackRows } from './parse/pack.js'
export { parseLastRow, parseRow, type SeeRecord } from './parse/row.js'
export { type RecordText, type TextField, type TouchedFile, textsOf, touchedFiles } from './parse/texts.js'
export {
  type Block,
  CONTENT_LIMIT,
  type CutText,
  type ImageContent,
  type RowContent,
  type ToolCallContent,
  type ToolResultContent,
} from './protocol/content.js'
export type {
  AgentKind,
  AgentsPage,
  ComparedSide,
  ComparedTurn,
  Comparison,
  Delegation,
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
  SyncStatus,
  UsageCell,
  UsagePage,
  Why,
} from './protocol/messages.js'
export {
  EDGE_KINDS,
  ROW_KINDS,
  ROW_MARKS,
  type RowKind,
  type Sheet,
  type SheetAgent,
  type SheetEpoch,
  type SheetFinding,
  type SheetFork,
  type SheetJunction,
  type SheetLine,
  type SheetQueued,
  type SheetRows,
  type SheetSession,
} from './protocol/sheet.js'
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
  tailKey,
  wayAt,
} from './view/fold-choice.js'
export { type Labels, labelNodes } from './view/labels.js'
export { type LaneRow, layOutLanes } from './view/lanes.js'
export { isLandmark, isSpoken } from './view/order.js'
export type { EdgeKind, LeftOut, View, ViewEdge, ViewRow } from './view/rows.js'
export { makeSheet, type SheetOptions } from './view/sheet.js'
export {
  type Glyphs,
  type PaintedRow,
  type PaintOptions,
  paintLanes,
  renderText,
  UNICODE_GLYPHS,
} from './view/text.js'
export { type WalkOptions, walkNodes, walkSession } from './view/walk.js'
