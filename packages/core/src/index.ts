/** The graph of transcripts: what most programs need. The rest is in the folders, each an entry point of its own. */

export { type Actor, actorName } from './graph/actors.js'
export type { Agent, AgentSource, AgentSpawn, AgentState, SpawnEvidence } from './graph/agents.js'
export type { CompactionRecord } from './graph/compactions.js'
export {
  type Context,
  type ContextChange,
  contextAttachments,
  contextEntries,
  contextSize,
  type ListChange,
  type UnknownContext,
} from './graph/contexts.js'
export type { Domain } from './graph/domains.js'
export type { TypedEdge, TypedEdgeKind } from './graph/edges.js'
export { type Epoch, epochLabel } from './graph/epochs.js'
export { type Because, statusHere } from './graph/explain.js'
export { type DamagedRow, entriesIn, type FileRecord } from './graph/file-record.js'
export type { Fork } from './graph/fork-list.js'
export type { ForkKind, ForkRule } from './graph/forks/fork.js'
export {
  appendRows,
  buildGraph,
  type FileRows,
  type Folded,
  Graph,
  type GraphBuilder,
  type GraphNode,
  type SessionJunction,
  startGraph,
  type ToolEnds,
  type Totals,
} from './graph/graph.js'
export type { Layout, Line, LineKind, LineStatus } from './graph/lines.js'
export { isSummary } from './graph/nodes.js'
export type { Operation, OperationKind } from './graph/operations.js'
export type { TimeRange } from './graph/order.js'
export type { Fate, QueueStep } from './graph/queue.js'
export type { Session, SessionLinkKind } from './graph/sessions.js'
export type { ToolEnd, ToolSummary } from './graph/tools.js'
export type { WorkflowAgent, WorkflowPhase, WorkflowRun, WorkflowState } from './graph/workflows.js'
export {
  type Diagnostic,
  type DiagnosticRule,
  diagnosticAdvice,
  diagnosticTitle,
  type Severity,
} from './model/diagnostic.js'
export {
  type AgentId,
  agentId,
  type Brand,
  type EntryId,
  entryId,
  type FileId,
  fileId,
  type Instant,
  type MessageId,
  type SessionId,
  sessionId,
  type ToolUseId,
  toolUseId,
} from './model/ids.js'
export { plainHead } from './model/prompt-words.js'
export type { ParsedRow, RowDiagnostic } from './model/row.js'
export type { AgentMeta, FileFacts, FileKind, RawRow, RunRecord, SourceSpan } from './model/source.js'
export { parseRow, type SeeRecord } from './parse/row.js'
export { type PutRow, parseTranscript, type RowParser, startRows } from './parse/rows.js'
export { liveConversation, wholeConversation } from './view/conversation.js'
export { type LaneRow, layOutLanes } from './view/lanes.js'
export { isSpoken } from './view/order.js'
export type { EdgeKind, LeftOut, View, ViewEdge, ViewRow } from './view/rows.js'
export { type Glyphs, type PaintOptions, renderText } from './view/text.js'
export { type TreeOptions, type TreeStep, walkTree } from './view/tree.js'
export { type WalkOptions, walkSession } from './view/walk.js'
