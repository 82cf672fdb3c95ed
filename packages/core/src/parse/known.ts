/**
 * The types and fields of transcripts that are known, as data: from docs/FORMAT.md and from recordings of the real
 * recorder. A field inside of a part is written `part.field`. What is not here is not wrong, but new.
 */

import type { TranscriptRecord } from '../model/entry.js'
import { namesIn } from '../model/group.js'
import { asObject, asText, type Json } from './json.js'

/** Parts of records whose fields are looked at too. */
const PARTS = ['message', 'attachment', 'data', 'compactMetadata', 'snapshot'] as const

/** Fields of every node. */
const NODE = namesIn(`
  agentId agentName cwd entrypoint forkedFrom gitBranch isMeta isSidechain parentUuid sessionId sessionKind
  session_id slug subtype teamName timestamp type userType uuid version`)

/** Fields of every record that is in no chain. */
const NOTE = namesIn('agentId sessionId timestamp type uuid version')

/** Types whose subtype is the type of a part, and the fields that all of them have. */
const SUBTYPED = new Map([
  [
    'attachment',
    {
      part: 'attachment',
      fields: namesIn(`
    attachment attachment.type rendered renderedBesideToolResult renderedInHumanTurn renderedRole`),
    },
  ],
  ['progress', { part: 'data', fields: namesIn('data data.type toolUseID parentToolUseID') }],
])

const NODES = new Set(['user', 'assistant', 'system', 'attachment', 'progress', 'human', 'tool_result'])

/** Own fields by type: of an attachment or a progress entry, those of its part. */
const OWN: Readonly<Record<string, string>> = {
  'agent-color': 'agentColor',
  'agent-name': 'agentName',
  'agent-setting': 'agentSetting',
  agent_metadata: `
    agentType color description finished isBuiltIn launchedWithDefaults model name parentAgentId
    permissionMode pickedEffortModel planModeRequired requestNonInteractive requestShape spawnDepth
    spawnedAgentType taskKind teamName toolUseId workflowPhase worktreeCleanlyRemoved worktreePath`,
  'ai-title': 'aiTitle',
  'api-request': 'base cacheControl id keep params querySource requestDigest shapeHash tail',
  'api-request-blob': 'hash message message.content message.output_config message.role',
  'api-request-shape': 'shape shapeHash',
  assistant: `
    apiBlockIndex apiError apiErrorStatus apiErrorType attributionAgent attributionMcpServer
    attributionMcpTool attributionPlugin attributionSkill effort error failedResponseHadNoToolCall
    isAbortedMidStream isApiErrorMessage madeBy message message.container message.content
    message.context_management message.diagnostics message.id message.model message.provider message.role
    message.stop_details message.stop_reason message.stop_sequence message.type message.usage perTurnEffort
    promptCacheRequested requestId requestRef requestedModel serverClassifierRequest streamCutCause
    thinkingDisplay thinkingDurationMs toolInputStreamMs`,
  'atis-latch': 'atis',
  'attachment/agent_listing_delta': `
    addedLines addedTypes builtInPluginTypes builtInTypes isInitial removedTypes showConcurrencyNote`,
  'attachment/auto_mode': `
    autoModeConsentFlow bashFirst bashFirstSteer bypass finishExposedWork reminderType steerOnly`,
  'attachment/auto_mode_exit': '',
  'attachment/command_permissions': 'allowedTools',
  'attachment/compact_file_reference': 'displayPath filename',
  'attachment/date': 'date',
  'attachment/date_change': 'newDate',
  'attachment/deferred_tools_delta': `
    addedLines addedNames failedMcpServers needsAuthMcpServers pendingMcpServers readdedNames removedNames
    surfacedNames wireHiddenNames`,
  'attachment/deferred_tools_record': 'entries',
  'attachment/directory': 'content displayPath path',
  'attachment/edited_text_file': 'filename snippet',
  'attachment/environment': 'changes snapshot',
  'attachment/file': 'content displayPath filename savedCopyFraming',
  'attachment/fork_briefing': 'text',
  'attachment/hook_additional_context': 'content hookEvent hookName toolUseID',
  'attachment/hook_blocking_error': 'blockingError hookEvent hookName toolUseID',
  'attachment/hook_cancelled': 'command durationMs hookEvent hookName timedOut timeoutMs toolUseID',
  'attachment/hook_non_blocking_error': `
    command durationMs exitCode hookEvent hookName stderr stdout toolUseID`,
  'attachment/hook_success': 'command content durationMs exitCode hookEvent hookName stderr stdout toolUseID',
  'attachment/hook_system_message': 'content hookEvent hookName toolUseID',
  'attachment/instructions': 'files',
  'attachment/invoked_skills': 'skills',
  'attachment/mcp_instructions_delta': 'addedBlocks addedNames removedNames',
  'attachment/model': 'identity text',
  'attachment/nested_memory': 'content displayPath path',
  'attachment/opened_file_in_ide': 'filename',
  'attachment/plan_mode': 'isSubAgent planExists planFilePath reminderType',
  'attachment/plan_mode_exit': 'planExists planFilePath',
  'attachment/plan_mode_reentry': 'planExists planFilePath',
  'attachment/prompt_snapshot': `
    cliPrefix contextRendering echoWireToolInputs inlineTools keptReminders reminderFold systemPrompt
    systemTurns toolChangeHeader tools`,
  'attachment/queued_command': `
    commandMode delivery_id humanTurn origin prompt runId source_uuid timestamp toolsUsedDelta usage`,
  'attachment/read_truncation_notice': 'banner toolUseID',
  'attachment/remote_session_change': 'commit managedCommit managedPr pr sendUserFileHint url',
  'attachment/selected_lines_in_ide': 'content displayPath filename ideName lineEnd lineStart',
  'attachment/session_context': 'context',
  'attachment/silent_turn_reminder': 'text',
  'attachment/skill_listing': 'content digests isInitial names skillCount',
  'attachment/task_reminder': 'content itemCount',
  'attachment/task_status': 'canContinueAgent deltaSummary description outputFilePath status taskId taskType',
  'attachment/todo_reminder': 'content itemCount',
  'attachment/total_tokens_reminder': 'text',
  'attachment/workflow_keyword_request': '',
  'bridge-session': 'bridgeSessionId lastSequenceNum',
  compact_prelude: 'compactMetadata content logicalParentUuid',
  compact_recap: 'content',
  'cost-state': `
    hasUnknownModelCost modelUsage startTime totalAPIDuration totalAPIDurationWithoutRetries totalCostUSD
    totalDuration totalLinesAdded totalLinesRemoved totalToolDuration`,
  'custom-title': 'customTitle',
  'file-history-delta': 'backup messageId snapshotMessageId trackingPath',
  'file-history-snapshot': `
    isSnapshotUpdate messageId snapshot snapshot.messageId snapshot.timestamp snapshot.trackedFileBackups`,
  'frame-link': 'frameUrl path title',
  human: 'message',
  'last-prompt': 'explicit lastPrompt leafUuid',
  launched: '',
  mode: 'mode',
  'permission-mode': 'permissionMode',
  'pr-link': 'prNumber prRepository prUrl',
  'progress/agent_progress': 'agentId message normalizedMessages prompt resume',
  'progress/bash_progress': 'elapsedTimeSeconds fullOutput output taskId timeoutMs totalBytes totalLines',
  'progress/hook_progress': 'command hookEvent hookName statusMessage',
  'progress/mcp_progress': 'elapsedTimeMs serverName status toolName',
  'progress/query_update': 'query',
  'progress/search_results_received': 'query resultCount',
  'progress/waiting_for_task': 'taskDescription taskType',
  'queue-operation': 'commandUuid content deliveryId operation reason',
  relocated: 'relocatedCwd',
  result: 'key remoteControlDeviceReport result toolsUsed',
  started: 'key label phase',
  summary: 'leafUuid summary',
  'system/(none)': 'content level toolUseID',
  'system/api_error': 'cause error level maxRetries retryAttempt retryInMs source',
  'system/away_summary': 'content level',
  'system/bridge_status': 'content level url',
  'system/compact_boundary': `
    compactMetadata compactMetadata.cumulativeDroppedTokens compactMetadata.durationMs
    compactMetadata.messagesSummarized compactMetadata.postTokens compactMetadata.preCompactDiscoveredTools
    compactMetadata.preTokens compactMetadata.preservedMessages compactMetadata.preservedSegment
    compactMetadata.runningTurnPrompt compactMetadata.trigger content level logicalParentUuid`,
  'system/informational': 'content level preventContinuation promptSubmitEnding',
  'system/local_command': 'commandRun content isDisplayOnly level',
  'system/microcompact_boundary': 'content level microcompactMetadata',
  'system/model_fallback': 'content fallbackModel level originalModel trigger',
  'system/model_refusal_fallback': `
    content direction fallbackModel level originalModel refusedUserMessageUuid trigger`,
  'system/scheduled_task_fire': 'content level',
  'system/stop_hook_summary': `
    hasOutput hookAdditionalContext hookCount hookErrors hookInfos level preventedContinuation stopReason
    toolUseID`,
  'system/turn_duration': 'durationMs messageCount pendingBackgroundAgentCount pendingWorkflowCount',
  tag: 'tag',
  tool_result: 'message toolUseResult',
  'tools-used': 'tools',
  user: `
    classifierMetaLines imagePasteIds interruptedMessageId isCompactSummary isVisibleInTranscriptOnly
    joinedNoticeLengths joinedNoticeOwn joinedNoticeRunIds mcpCallNotReadOnly mcpMeta message
    message.content message.role origin permissionDecision permissionMode planContent promptId promptSource
    queuePriority queueSkipAttachments refusedMessageId sandboxed sourceToolAssistantUUID sourceToolUseID
    summarizeMetadata summarizedTurnPromptUuids thinkingMetadata todos toolDenialKind toolUseResult
    turnCompanion turnOrigin turnPosition`,
  'worktree-state': 'worktreeSession',
}

const FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(OWN).map(([type, own]) => [type, fieldsOf(type, namesIn(own))]),
)

function fieldsOf(type: string, own: readonly string[]): ReadonlySet<string> {
  const [group = type] = type.split('/')
  const shared = SUBTYPED.get(group)
  if (shared !== undefined)
    return new Set([...NODE, ...shared.fields, ...own.map(field => `${shared.part}.${field}`)])
  return new Set([...(NODES.has(group) || type.startsWith('compact_') ? NODE : NOTE), ...own])
}

/** Whether the type is known, with its subtype: `system/turn_duration`. */
export function isKnownType(type: string): boolean {
  return FIELDS.has(type)
}

/** The type of a record with its subtype: `user`, `system/turn_duration`, `attachment/file`. */
export function typeName(json: Json): string {
  const type = asText(json.type) ?? '(none)'
  const part = SUBTYPED.get(type)?.part
  if (type !== 'system' && part === undefined) return type
  const subtype = part === undefined ? json.subtype : asObject(json[part])?.type
  return `${type}/${asText(subtype) ?? '(none)'}`
}

/** The fields of a record that its type, which is known, is not known to have. */
export function unknownFields(type: string, json: Json): readonly string[] {
  const inParts = PARTS.flatMap(part =>
    Object.keys(asObject(json[part]) ?? {}).map(field => `${part}.${field}`),
  )
  return [...Object.keys(json), ...inParts].filter(field => FIELDS.get(type)?.has(field) !== true)
}

/** P2: the type of a record where it is not known, with its subtype; null where it is, or is read as one that is. */
export function unknownType(record: TranscriptRecord): string | null {
  const type = typeOf(record)
  return type === null || isKnownType(type) ? null : type
}

function typeOf(record: TranscriptRecord): string | null {
  switch (record.kind) {
    case 'system':
      return record.subtype === 'compact_prelude' ? record.subtype : `system/${named(record.subtype)}`
    case 'attachment':
    case 'progress':
      return `${record.kind}/${named(record.subtype)}`
    case 'opaque':
      return named(record.subtype)
    case 'other':
      return named(record.type)
    default:
      return null
  }
}

function named(type: string): string {
  return type === '' || type === 'none' ? '(none)' : type
}
