/**
 * The types and fields of transcripts that are known, as data: from docs/FORMAT.md and from recordings of the real
 * recorder. A field inside of a part is written `part.field`. What is not here is not wrong, but new.
 */

import type { TranscriptRecord } from '../model/entry.js'

/** Parts of records whose fields are looked at too. */
export const PARTS_OF = ['message', 'attachment', 'data', 'compactMetadata', 'snapshot'] as const

/** Fields of every node. */
const NODE =
  'agentId agentName cwd entrypoint forkedFrom gitBranch isMeta isSidechain parentUuid sessionId sessionKind session_id slug subtype teamName timestamp type userType uuid version'

/** Fields of every record without a place in the chain. */
const NOTE = 'agentId sessionId timestamp type uuid version'

/** Fields of all attachments and of all progress entries. */
const ATTACHMENT =
  'attachment attachment.type rendered renderedBesideToolResult renderedInHumanTurn renderedRole'
const PROGRESS = 'data data.type toolUseID parentToolUseID'

const NODES = new Set(['user', 'assistant', 'system', 'attachment', 'progress', 'human', 'tool_result'])

/** Own fields by type. */
const OWN: Readonly<Record<string, string>> = {
  'agent-color': 'agentColor',
  'agent-name': 'agentName',
  'agent-setting': 'agentSetting',
  'ai-title': 'aiTitle',
  'api-request': 'base cacheControl id keep params querySource requestDigest shapeHash tail',
  'api-request-blob': 'hash message message.content message.output_config message.role',
  'api-request-shape': 'shape shapeHash',
  assistant: [
    'apiBlockIndex apiError apiErrorStatus apiErrorType attributionAgent attributionMcpServer',
    'attributionMcpTool attributionPlugin attributionSkill effort error failedResponseHadNoToolCall',
    'isAbortedMidStream isApiErrorMessage madeBy message message.container message.content',
    'message.context_management message.diagnostics message.id message.model message.provider',
    'message.role message.stop_details message.stop_reason message.stop_sequence message.type',
    'message.usage perTurnEffort promptCacheRequested requestId requestRef requestedModel',
    'serverClassifierRequest streamCutCause thinkingDisplay thinkingDurationMs toolInputStreamMs',
  ].join(' '),
  'atis-latch': 'atis',
  'attachment/agent_listing_delta': [
    'attachment.addedLines attachment.addedTypes attachment.builtInPluginTypes attachment.builtInTypes',
    'attachment.isInitial attachment.removedTypes attachment.showConcurrencyNote',
  ].join(' '),
  'attachment/auto_mode': [
    'attachment.autoModeConsentFlow attachment.bashFirst attachment.bashFirstSteer attachment.bypass',
    'attachment.finishExposedWork attachment.reminderType attachment.steerOnly',
  ].join(' '),
  'attachment/auto_mode_exit': '',
  'attachment/command_permissions': 'attachment.allowedTools',
  'attachment/compact_file_reference': 'attachment.displayPath attachment.filename',
  'attachment/date': 'attachment.date',
  'attachment/date_change': 'attachment.newDate',
  'attachment/deferred_tools_delta': [
    'attachment.addedLines attachment.addedNames attachment.failedMcpServers',
    'attachment.needsAuthMcpServers attachment.pendingMcpServers attachment.readdedNames',
    'attachment.removedNames attachment.surfacedNames attachment.wireHiddenNames',
  ].join(' '),
  'attachment/deferred_tools_record': 'attachment.entries',
  'attachment/directory': 'attachment.content attachment.displayPath attachment.path',
  'attachment/edited_text_file': 'attachment.filename attachment.snippet',
  'attachment/environment': 'attachment.changes attachment.snapshot',
  'attachment/file': [
    'attachment.content attachment.displayPath attachment.filename attachment.savedCopyFraming',
  ].join(' '),
  'attachment/fork_briefing': 'attachment.text',
  'attachment/hook_additional_context': [
    'attachment.content attachment.hookEvent attachment.hookName attachment.toolUseID',
  ].join(' '),
  'attachment/hook_blocking_error': [
    'attachment.blockingError attachment.hookEvent attachment.hookName attachment.toolUseID',
  ].join(' '),
  'attachment/hook_cancelled': [
    'attachment.command attachment.durationMs attachment.hookEvent attachment.hookName',
    'attachment.timedOut attachment.timeoutMs attachment.toolUseID',
  ].join(' '),
  'attachment/hook_non_blocking_error': [
    'attachment.command attachment.durationMs attachment.exitCode attachment.hookEvent',
    'attachment.hookName attachment.stderr attachment.stdout attachment.toolUseID',
  ].join(' '),
  'attachment/hook_success': [
    'attachment.command attachment.content attachment.durationMs attachment.exitCode',
    'attachment.hookEvent attachment.hookName attachment.stderr attachment.stdout attachment.toolUseID',
  ].join(' '),
  'attachment/hook_system_message': [
    'attachment.content attachment.hookEvent attachment.hookName attachment.toolUseID',
  ].join(' '),
  'attachment/instructions': 'attachment.files',
  'attachment/invoked_skills': 'attachment.skills',
  'attachment/mcp_instructions_delta': 'attachment.addedBlocks attachment.addedNames attachment.removedNames',
  'attachment/model': 'attachment.identity attachment.text',
  'attachment/nested_memory': 'attachment.content attachment.displayPath attachment.path',
  'attachment/opened_file_in_ide': 'attachment.filename',
  'attachment/plan_mode': [
    'attachment.isSubAgent attachment.planExists attachment.planFilePath attachment.reminderType',
  ].join(' '),
  'attachment/plan_mode_exit': 'attachment.planExists attachment.planFilePath',
  'attachment/plan_mode_reentry': 'attachment.planExists attachment.planFilePath',
  'attachment/prompt_snapshot': [
    'attachment.cliPrefix attachment.contextRendering attachment.echoWireToolInputs',
    'attachment.inlineTools attachment.keptReminders attachment.reminderFold attachment.systemPrompt',
    'attachment.systemTurns attachment.toolChangeHeader attachment.tools',
  ].join(' '),
  'attachment/queued_command': [
    'attachment.commandMode attachment.delivery_id attachment.humanTurn attachment.origin',
    'attachment.prompt attachment.runId attachment.source_uuid attachment.timestamp',
    'attachment.toolsUsedDelta attachment.usage',
  ].join(' '),
  'attachment/read_truncation_notice': 'attachment.banner attachment.toolUseID',
  'attachment/remote_session_change': [
    'attachment.commit attachment.managedCommit attachment.managedPr attachment.pr',
    'attachment.sendUserFileHint attachment.url',
  ].join(' '),
  'attachment/selected_lines_in_ide': [
    'attachment.content attachment.displayPath attachment.filename attachment.ideName',
    'attachment.lineEnd attachment.lineStart',
  ].join(' '),
  'attachment/session_context': 'attachment.context',
  'attachment/silent_turn_reminder': 'attachment.text',
  'attachment/skill_listing': [
    'attachment.content attachment.digests attachment.isInitial attachment.names attachment.skillCount',
  ].join(' '),
  'attachment/task_reminder': 'attachment.content attachment.itemCount',
  'attachment/task_status': [
    'attachment.canContinueAgent attachment.deltaSummary attachment.description',
    'attachment.outputFilePath attachment.status attachment.taskId attachment.taskType',
  ].join(' '),
  'attachment/todo_reminder': 'attachment.content attachment.itemCount',
  'attachment/total_tokens_reminder': 'attachment.text',
  'attachment/workflow_keyword_request': '',
  'bridge-session': 'bridgeSessionId lastSequenceNum',
  compact_prelude: 'compactMetadata content logicalParentUuid',
  compact_recap: 'content',
  'cost-state': [
    'hasUnknownModelCost modelUsage startTime totalAPIDuration totalAPIDurationWithoutRetries',
    'totalCostUSD totalDuration totalLinesAdded totalLinesRemoved totalToolDuration',
  ].join(' '),
  'custom-title': 'customTitle',
  'file-history-delta': 'backup messageId snapshotMessageId trackingPath',
  'file-history-snapshot': [
    'isSnapshotUpdate messageId snapshot snapshot.messageId snapshot.timestamp',
    'snapshot.trackedFileBackups',
  ].join(' '),
  'frame-link': 'frameUrl path title',
  human: 'message',
  'last-prompt': 'explicit lastPrompt leafUuid',
  launched: '',
  mode: 'mode',
  'permission-mode': 'permissionMode',
  'pr-link': 'prNumber prRepository prUrl',
  'progress/agent_progress': 'data.agentId data.message data.normalizedMessages data.prompt data.resume',
  'progress/bash_progress': [
    'data.elapsedTimeSeconds data.fullOutput data.output data.taskId data.timeoutMs data.totalBytes',
    'data.totalLines',
  ].join(' '),
  'progress/hook_progress': 'data.command data.hookEvent data.hookName data.statusMessage',
  'progress/mcp_progress': 'data.elapsedTimeMs data.serverName data.status data.toolName',
  'progress/query_update': 'data.query',
  'progress/search_results_received': 'data.query data.resultCount',
  'progress/waiting_for_task': 'data.taskDescription data.taskType',
  'queue-operation': 'commandUuid content deliveryId operation reason',
  relocated: 'relocatedCwd',
  result: 'key remoteControlDeviceReport result toolsUsed',
  started: 'key label phase',
  summary: 'leafUuid summary',
  'system/(none)': 'content level toolUseID',
  'system/api_error': 'cause error level maxRetries retryAttempt retryInMs source',
  'system/away_summary': 'content level',
  'system/bridge_status': 'content level url',
  'system/compact_boundary': [
    'compactMetadata compactMetadata.cumulativeDroppedTokens compactMetadata.durationMs',
    'compactMetadata.messagesSummarized compactMetadata.postTokens',
    'compactMetadata.preCompactDiscoveredTools compactMetadata.preTokens',
    'compactMetadata.preservedMessages compactMetadata.preservedSegment',
    'compactMetadata.runningTurnPrompt compactMetadata.trigger content level logicalParentUuid',
  ].join(' '),
  'system/informational': 'content level preventContinuation promptSubmitEnding',
  'system/local_command': 'commandRun content isDisplayOnly level',
  'system/microcompact_boundary': 'content level microcompactMetadata',
  'system/model_fallback': 'content fallbackModel level originalModel trigger',
  'system/model_refusal_fallback': [
    'content direction fallbackModel level originalModel refusedUserMessageUuid trigger',
  ].join(' '),
  'system/scheduled_task_fire': 'content level',
  'system/stop_hook_summary': [
    'hasOutput hookAdditionalContext hookCount hookErrors hookInfos level preventedContinuation',
    'stopReason toolUseID',
  ].join(' '),
  'system/turn_duration': 'durationMs messageCount pendingBackgroundAgentCount pendingWorkflowCount',
  tag: 'tag',
  tool_result: 'message toolUseResult',
  'tools-used': 'tools',
  user: [
    'classifierMetaLines imagePasteIds interruptedMessageId isCompactSummary isVisibleInTranscriptOnly',
    'joinedNoticeLengths joinedNoticeOwn joinedNoticeRunIds mcpCallNotReadOnly mcpMeta message',
    'message.content message.role origin permissionDecision permissionMode planContent promptId',
    'promptSource queuePriority queueSkipAttachments refusedMessageId sandboxed sourceToolAssistantUUID',
    'sourceToolUseID summarizeMetadata summarizedTurnPromptUuids thinkingMetadata todos toolDenialKind',
    'toolUseResult turnCompanion turnOrigin turnPosition',
  ].join(' '),
  'worktree-state': 'worktreeSession',
}

const FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(OWN).map(([type, own]) => [type, new Set(`${sharedBy(type)} ${own}`.split(' '))]),
)

function sharedBy(type: string): string {
  const group = type.split('/')[0] ?? type
  if (group === 'attachment') return `${NODE} ${ATTACHMENT}`
  if (group === 'progress') return `${NODE} ${PROGRESS}`
  return NODES.has(group) || type.startsWith('compact_') ? NODE : NOTE
}

/** Whether the type is known, with its subtype: `system/turn_duration`. */
export function isKnownType(type: string): boolean {
  return FIELDS.has(type)
}

/** Whether a known type may have the field. */
export function isKnownField(type: string, field: string): boolean {
  return FIELDS.get(type)?.has(field) ?? false
}

/** P2: the type of a record where it is not known, with its subtype; null where it is, or is read as one that is. */
export function unknownType(record: TranscriptRecord): string | null {
  switch (record.kind) {
    case 'system':
      return record.subtype === 'compact_prelude' ? null : unknownSubtype(record.kind, record.subtype)
    case 'attachment':
    case 'progress':
      return unknownSubtype(record.kind, record.subtype)
    case 'opaque':
      return unknownName(named(record.subtype))
    case 'other':
      return unknownName(named(record.type))
    default:
      return null
  }
}

function unknownName(type: string): string | null {
  return isKnownType(type) ? null : type
}

/** Asked for every row beside the conversation: names are joined only where one is not known. */
function unknownSubtype(kind: string, subtype: string): string | null {
  const name = named(subtype)
  return SUBTYPES.get(kind)?.has(name) === true ? null : `${kind}/${name}`
}

/** The known subtypes of each type that has some. */
const SUBTYPES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  ['system', 'attachment', 'progress'].map(kind => [
    kind,
    new Set(
      [...FIELDS.keys()].filter(type => type.startsWith(`${kind}/`)).map(type => type.slice(kind.length + 1)),
    ),
  ]),
)

function named(type: string): string {
  return type === '' || type === 'none' ? '(none)' : type
}
