/**
 * One record for every kind of entry and of content block: those of recordings, and those that the types of the API's
 * SDK list. Each holds a word of its own, so that a test can look for it wherever contents are read.
 */
import type { Json } from '@dagline/testkit'

/** A kind, and a record of it. */
export interface ContentKind {
  /** `block/mcp_tool_use`, `result/document`, `attachment/hook_success`, `system/api_error`. */
  readonly kind: string
  /** The word that stands in its text; null where the kind has no text. */
  readonly word: string | null
  /** What names it in a view: a tool, or the type of a note. */
  readonly name: string | null
  /** An entry without a place in a chain. */
  readonly record: Json
  /** `conversation` is in every view, `beside` only where all entries are shown. */
  readonly shown: 'conversation' | 'beside'
  /** H3: settings and figures of the client are not searched. */
  readonly isSearched: boolean
}

type Make = (word: string) => Json

/** The word of a kind: letters only, so that it is one word for every index. */
function wordFor(kind: string): string {
  const letters = kind.replace(/[^a-z]+(\w)?/gi, (_, next: string = '') => next.toUpperCase())
  return `needle${letters.charAt(0).toUpperCase()}${letters.slice(1)}`
}

function kindOf(
  kind: string,
  make: Make,
  more: Partial<Omit<ContentKind, 'kind' | 'record'>> = {},
): ContentKind {
  const word = more.word === null ? null : wordFor(kind)
  const record = make(word ?? '')
  return { kind, name: null, shown: 'conversation', isSearched: word !== null, ...more, word, record }
}

const user = (content: unknown, more: Json = {}): Json => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})

const assistant = (...content: unknown[]): Json => ({
  type: 'assistant',
  message: { role: 'assistant', type: 'message', model: 'claude-opus-4-5', content },
})

const block = (type: string, make: Make, more: Partial<ContentKind> = {}): ContentKind =>
  kindOf(`block/${type}`, word => assistant({ type: type.replace(/ .*/, ''), ...make(word) }), more)

const typed = (type: string, make: Make, more: Partial<ContentKind> = {}): ContentKind =>
  kindOf(`typed/${type}`, word => user([{ type: type.replace(/ .*/, ''), ...make(word) }]), more)

/** The result of a call that the client answers. */
const result = (kind: string, make: (word: string) => unknown, more: Json = {}): ContentKind =>
  kindOf(`result/${kind}`, word =>
    user([{ type: 'tool_result', tool_use_id: `toolu_${kind}`, content: make(word), ...more }]),
  )

const image = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQ=' }

/** Kinds of blocks that a person's messages may have. */
const TYPED: readonly ContentKind[] = [
  kindOf('typed/string', word => user(`${word} as a string`)),
  typed('text', word => ({ text: `${word} in a block` })),
  typed('image', () => ({ source: image }), { word: null, name: 'image' }),
  typed('image (address)', word => ({ source: { type: 'url', url: `https://example.com/${word}` } }), {
    name: 'image',
  }),
  typed('image (file)', word => ({ source: { type: 'file', file_id: word } }), { name: 'image' }),
  typed('document', word => ({ title: word, source: pdf }), { name: 'document' }),
  typed('document (text)', word => ({ source: { type: 'text', media_type: 'text/plain', data: word } }), {
    name: 'document',
  }),
  typed(
    'document (blocks)',
    word => ({ source: { type: 'content', content: [{ type: 'text', text: word }] } }),
    {
      name: 'document',
    },
  ),
  typed('document (address)', word => ({ source: { type: 'url', url: `https://example.com/${word}` } }), {
    name: 'document',
  }),
  typed('document (file)', word => ({ source: { type: 'file', file_id: word } }), { name: 'document' }),
  typed(
    'search_result',
    word => ({ title: 'Docs', source: 'https://example.com', content: [{ type: 'text', text: word }] }),
    { name: 'search_result' },
  ),
  typed('container_upload', word => ({ file_id: word }), { name: 'container_upload' }),
  typed('tool_reference', word => ({ tool_name: word }), { name: 'tool_reference' }),
  typed('tool_addition', word => ({ tool: { type: 'tool_reference', tool_name: word } }), {
    name: 'tool_addition',
  }),
  typed('tool_removal', word => ({ tool: { type: 'tool_reference', tool_name: word } }), {
    name: 'tool_removal',
  }),
  typed('tool_result', word => ({ content: word }), { name: 'tool_result' }),
  typed('hologram', word => ({ depth: 3, layers: [{ caption: word }] }), { name: 'hologram' }),
]

/** What a result of a call that the client answers may hold. */
const RESULTS: readonly ContentKind[] = [
  result('string', word => word),
  result('text', word => [{ type: 'text', text: word }]),
  result('text and image', word => [
    { type: 'image', source: image },
    { type: 'text', text: word },
  ]),
  result('image (address)', word => [
    { type: 'image', source: { type: 'url', url: `https://x.dev/${word}` } },
  ]),
  result('document', word => [{ type: 'document', title: word, source: pdf }]),
  result('search_result', word => [{ type: 'search_result', title: word, source: 'x', content: [] }]),
  result('tool_reference', word => [{ type: 'tool_reference', tool_name: word }]),
  result('browser_state', word => [
    { type: 'browser_state', tabs: [{ tab_id: '1', title: word, url: 'https://example.com', active: true }] },
  ]),
  result('hologram', word => [{ type: 'hologram', layers: [{ caption: word }] }]),
  result('error', word => word, { is_error: true }),
]

const calls = (kind: string, type: string, name: string, shownName = name): ContentKind =>
  kindOf(
    `block/${kind}`,
    word => assistant({ type, id: `call_${kind}`, name, server_name: 'docs', input: { query: word } }),
    { name: shownName },
  )

/** The result of a tool that the API runs itself: it stands in the assistant's message. */
const apiResult = (kind: string, make: (word: string) => unknown): ContentKind =>
  block(kind, word => ({ tool_use_id: `srv_${kind}`, content: make(word) }))

const failed =
  (type: string) =>
  (word: string): Json => ({ type, error_code: word })

/** Kinds of blocks that the assistant's messages may have. */
const ANSWERED: readonly ContentKind[] = [
  block('text', word => ({ text: word, citations: null })),
  block('thinking', word => ({ thinking: word, signature: 'c2ln' }), { shown: 'beside' }),
  block('thinking (signature)', () => ({ thinking: '', signature: 'c2ln' }), {
    word: null,
    name: 'thinking',
    shown: 'beside',
  }),
  block('redacted_thinking', () => ({ data: 'c2VjcmV0' }), { word: null, name: 'thinking', shown: 'beside' }),
  calls('tool_use', 'tool_use', 'Grep'),
  calls('server_tool_use', 'server_tool_use', 'web_search'),
  calls('mcp_tool_use', 'mcp_tool_use', 'lookup', 'mcp__docs__lookup'),
  apiResult('mcp_tool_result', word => [{ type: 'text', text: word }]),
  apiResult('web_search_tool_result', word => [
    {
      type: 'web_search_result',
      title: word,
      url: 'https://example.com',
      encrypted_content: 'ZW5j',
      page_age: null,
    },
  ]),
  apiResult('web_search_tool_result (error)', failed('web_search_tool_result_error')),
  apiResult('web_fetch_tool_result', word => ({
    type: 'web_fetch_result',
    url: `https://example.com/${word}`,
    content: {
      type: 'document',
      title: 'Page',
      source: { type: 'text', media_type: 'text/plain', data: 'A page' },
    },
  })),
  apiResult('web_fetch_tool_result (error)', failed('web_fetch_tool_result_error')),
  apiResult('code_execution_tool_result', word => ({
    type: 'code_execution_result',
    stdout: word,
    stderr: '',
    return_code: 0,
    content: [],
  })),
  apiResult('code_execution_tool_result (encrypted)', word => ({
    type: 'encrypted_code_execution_result',
    encrypted_stdout: 'ZW5j',
    stderr: word,
    return_code: 1,
    content: [],
  })),
  apiResult('code_execution_tool_result (error)', failed('code_execution_tool_result_error')),
  apiResult('bash_code_execution_tool_result', word => ({
    type: 'bash_code_execution_result',
    stdout: '',
    stderr: '',
    return_code: 0,
    content: [{ type: 'bash_code_execution_output', file_id: word }],
  })),
  apiResult('text_editor_code_execution_tool_result (view)', word => ({
    type: 'text_editor_code_execution_view_result',
    content: word,
    file_type: 'text',
  })),
  apiResult('text_editor_code_execution_tool_result (str_replace)', word => ({
    type: 'text_editor_code_execution_str_replace_result',
    lines: [`+${word}`],
  })),
  apiResult(
    'text_editor_code_execution_tool_result (error)',
    failed('text_editor_code_execution_tool_result_error'),
  ),
  apiResult('tool_search_tool_result', word => ({
    type: 'tool_search_tool_search_result',
    tool_references: [{ type: 'tool_reference', tool_name: word }],
  })),
  apiResult('tool_search_tool_result (error)', failed('tool_search_tool_result_error')),
  apiResult('advisor_tool_result', word => ({ type: 'advisor_result', text: word, stop_reason: null })),
  apiResult('advisor_tool_result (error)', failed('advisor_tool_result_error')),
  apiResult('hologram_tool_result', word => ({ type: 'hologram_result', layers: [word] })),
  block('container_upload', word => ({ file_id: word }), { name: 'container_upload' }),
  block('compaction', word => ({ content: word, encrypted_content: null }), { name: 'compaction' }),
  block('fallback', word => ({ from: { model: 'a' }, to: { model: word }, trigger: { type: 'refusal' } }), {
    name: 'fallback',
  }),
  block('mcp_tool_listing', word => ({ mcp_server_name: 'docs', tools: [{ name: word }] }), {
    name: 'mcp_tool_listing',
  }),
  block('hologram', word => ({ depth: 3, layers: [{ caption: word }] }), { name: 'hologram' }),
]

const says = (
  kind: string,
  make: (word: string) => string,
  more: Json = {},
  shown: ContentKind['shown'] = 'conversation',
): ContentKind => kindOf(`says/${kind}`, word => user(make(word), more), { shown })

/** Texts that the client writes as those of the user. */
const CLIENT_TEXTS: readonly ContentKind[] = [
  says('command', word => `<command-name>/${word}</command-name><command-args>now</command-args>`),
  says('shell', word => `<bash-input>echo ${word}</bash-input>`),
  says('memory', word => `<user-memory-input>${word}</user-memory-input>`),
  says('output', word => `<local-command-stdout>${word}</local-command-stdout>`),
  says('errors', word => `<bash-stdout></bash-stdout><bash-stderr>${word}</bash-stderr>`),
  says('task-notification', word => `<task-notification><summary>${word}</summary></task-notification>`),
  says('agent-notification', word => `<agent-notification><status>${word}</status></agent-notification>`),
  says('teammate-message', word => `<teammate-message teammate_id="lead">${word}</teammate-message>`),
  says('agent-message', word => `<agent-message>${word}</agent-message>`),
  says('scheduled-task', word => `<scheduled-task>${word}</scheduled-task>`),
  says('ci-monitor-event', word => `<ci-monitor-event>${word}</ci-monitor-event>`),
  says('interrupt', word => `[Request interrupted by user] ${word}`),
  says('summary', word => word, { isCompactSummary: true }),
  says('caveat', word => `<local-command-caveat>${word}</local-command-caveat>`, {}, 'beside'),
  says('meta', word => word, { isMeta: true }, 'beside'),
  says('hook', word => `<session-start-hook>${word}</session-start-hook>`, {}, 'beside'),
]

const attachment = (type: string, make: Make, more: Partial<ContentKind> = {}): ContentKind =>
  kindOf(`attachment/${type}`, word => ({ type: 'attachment', attachment: { type, ...make(word) } }), {
    shown: 'beside',
    name: type,
    ...more,
  })

const setting = (type: string, make: Make): ContentKind => attachment(type, make, { isSearched: false })
const content: Make = word => ({ content: word })
const text: Make = word => ({ text: word })
const plan: Make = word => ({ planFilePath: word, planExists: true })
const hook =
  (more: Make): Make =>
  word => ({ hookName: 'Stop', hookEvent: 'Stop', ...more(word) })

const ATTACHMENTS: readonly ContentKind[] = [
  attachment('agent_listing_delta', word => ({ addedLines: [word], addedTypes: ['Explore'] })),
  setting('auto_mode', word => ({ reminderType: word })),
  attachment('auto_mode_exit', () => ({}), { word: null }),
  setting('command_permissions', word => ({ allowedTools: [word] })),
  attachment('compact_file_reference', word => ({ filename: word, displayPath: word })),
  setting('date', word => ({ date: word })),
  setting('date_change', word => ({ newDate: word })),
  setting('deferred_tools_delta', word => ({ addedLines: [word], addedNames: [word] })),
  setting('deferred_tools_record', word => ({ entries: [{ name: word }] })),
  attachment('directory', word => ({ path: 'src', displayPath: 'src', content: word })),
  attachment('edited_text_file', word => ({ filename: 'a.ts', snippet: word })),
  setting('environment', word => ({ snapshot: { platform: word } })),
  attachment('file', word => ({ filename: 'a.ts', content: { type: 'text', file: { content: word } } })),
  attachment('fork_briefing', text),
  attachment(
    'hook_additional_context',
    hook(word => ({ content: [word] })),
  ),
  attachment(
    'hook_blocking_error',
    hook(word => ({ blockingError: { blockingError: word } })),
  ),
  attachment(
    'hook_cancelled',
    hook(word => ({ command: word })),
  ),
  attachment(
    'hook_non_blocking_error',
    hook(word => ({ stderr: word })),
  ),
  attachment(
    'hook_success',
    hook(word => ({ stdout: word })),
  ),
  attachment('hook_system_message', hook(content)),
  attachment('instructions', word => ({ files: [{ path: 'CLAUDE.md', content: word }] })),
  attachment('invoked_skills', word => ({ skills: [{ name: 'pdf', content: word }] })),
  attachment('mcp_instructions_delta', word => ({ addedBlocks: [word], addedNames: ['maps'] })),
  setting('model', word => ({ identity: word, text: word })),
  attachment('nested_memory', word => ({ path: 'CLAUDE.md', content: { path: 'CLAUDE.md', content: word } })),
  attachment('opened_file_in_ide', word => ({ filename: word })),
  attachment('plan_mode', plan),
  attachment('plan_mode_exit', plan),
  attachment('plan_mode_reentry', plan),
  setting('prompt_snapshot', word => ({ systemPrompt: [word] })),
  attachment('queued_command', word => ({ prompt: word, commandMode: 'prompt' }), {
    shown: 'conversation',
    name: null,
  }),
  attachment('read_truncation_notice', word => ({ banner: word })),
  setting('remote_session_change', word => ({ url: word })),
  attachment('selected_lines_in_ide', word => ({ filename: 'a.ts', content: word })),
  attachment('session_context', word => ({ context: word })),
  attachment('silent_turn_reminder', text),
  attachment('skill_listing', content),
  attachment('task_reminder', word => ({ content: [{ id: '1', subject: word }], itemCount: 1 })),
  attachment('task_status', word => ({ taskId: 'x', description: word, status: 'done' })),
  attachment('todo_reminder', word => ({ content: [{ content: word }], itemCount: 1 })),
  setting('total_tokens_reminder', text),
  attachment('workflow_keyword_request', () => ({}), { word: null }),
  attachment('weather_report', word => ({ text: 'Forecast', forecast: { today: word } })),
]

const notice = (subtype: string, make: Make, more: Partial<ContentKind> = {}): ContentKind =>
  kindOf(`system/${subtype}`, word => ({ type: 'system', subtype, level: 'info', ...make(word) }), {
    shown: 'beside',
    ...more,
  })

const NOTICES: readonly ContentKind[] = [
  kindOf('system/(none)', word => ({ type: 'system', content: word, level: 'info' }), { shown: 'beside' }),
  notice('api_error', word => ({ error: { formatted: word }, retryAttempt: 1, maxRetries: 10 })),
  notice('away_summary', content),
  notice('bridge_status', content),
  notice('informational', content),
  notice('local_command', word => ({ content: `<local-command-stdout>${word}</local-command-stdout>` }), {
    shown: 'conversation',
  }),
  notice('microcompact_boundary', content),
  notice('model_fallback', content),
  notice('model_refusal_fallback', content),
  notice('scheduled_task_fire', content),
  notice('stop_hook_summary', word => ({ hookInfos: [{ command: word }], hookErrors: [], hookCount: 1 }), {
    name: 'stop_hook_summary',
  }),
  notice('turn_duration', () => ({ durationMs: 1234 }), { word: null, name: 'turn_duration' }),
  notice('weather_report', word => ({ content: 'Forecast', forecast: { today: word } }), {
    name: 'weather_report',
  }),
]

const progress = (type: string, make: Make, more: Partial<ContentKind> = {}): ContentKind =>
  kindOf(`progress/${type}`, word => ({ type: 'progress', toolUseID: 't', data: { type, ...make(word) } }), {
    shown: 'beside',
    name: type,
    isSearched: false,
    ...more,
  })

const PROGRESS: readonly ContentKind[] = [
  progress('agent_progress', word => ({ prompt: word })),
  progress('bash_progress', word => ({ output: word })),
  progress('hook_progress', word => ({ hookName: 'Stop', command: word })),
  progress('mcp_progress', word => ({ serverName: word, status: 'started' })),
  progress('query_update', word => ({ query: word })),
  progress('search_results_received', word => ({ query: word, resultCount: 3 })),
  progress('waiting_for_task', word => ({ taskDescription: word })),
  progress('weather_report', word => ({ forecast: { today: word } }), { isSearched: true }),
]

/** Entries as descriptions of the format have them, entries of types that are not known, and requests that failed. */
const OTHERS: readonly ContentKind[] = [
  kindOf('assistant (failed request)', word => ({
    ...assistant({ type: 'text', text: word }),
    isApiErrorMessage: true,
  })),
  kindOf('human', word => ({ ...user(word), type: 'human' })),
  kindOf('tool_result', word => ({
    ...user([{ type: 'tool_result', tool_use_id: 'described', content: word }]),
    type: 'tool_result',
  })),
  kindOf('compact_recap', word => ({ type: 'compact_recap', content: word })),
  kindOf(
    'assistant/tool_use',
    word => ({
      type: 'assistant',
      subtype: 'tool_use',
      toolName: 'Grep',
      toolArguments: { pattern: word },
    }),
    { name: 'Grep' },
  ),
  kindOf('agent-setting', word => ({ type: 'agent-setting', agentSetting: word }), {
    shown: 'beside',
    name: 'agent-setting',
    isSearched: false,
  }),
  kindOf(
    'weather-report',
    word => ({ type: 'weather-report', headline: 'Forecast', forecast: { today: word } }),
    {
      shown: 'beside',
      name: 'weather-report',
    },
  ),
]

/** They end the list: what stands before a boundary is compacted. Views show them as a line across. */
const BOUNDARIES: readonly ContentKind[] = [
  kindOf('compact_prelude', word => ({ type: 'compact_prelude', content: word, compactMetadata: {} }), {
    shown: 'beside',
  }),
  notice('compact_boundary', word => ({ content: word, compactMetadata: { trigger: 'manual' } })),
]

/** All kinds. */
export const CONTENT_KINDS: readonly ContentKind[] = [
  ...TYPED,
  ...RESULTS,
  ...ANSWERED,
  ...CLIENT_TEXTS,
  ...ATTACHMENTS,
  ...NOTICES,
  ...PROGRESS,
  ...OTHERS,
  ...BOUNDARIES,
]

/** The kinds as the rows of one session, each with the uuid `kind-N` and hanging on the row before. */
export function contentRows(session: string, kinds: readonly ContentKind[] = CONTENT_KINDS): string {
  const rows = kinds.map(({ record }, at) => ({
    parentUuid: at === 0 ? null : kindId(at - 1),
    uuid: kindId(at),
    isSidechain: false,
    cwd: '/home/ada/proj',
    sessionId: session,
    version: '2.1.325',
    timestamp: new Date(Date.UTC(2026, 0, 1, 10, 0, at)).toISOString(),
    ...withMessageId(record, at),
  }))
  return `${rows.map(row => JSON.stringify(row)).join('\n')}\n`
}

/** The uuid of the nth kind in `contentRows`. */
export function kindId(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
}

/** Each answer is a message of its own. */
function withMessageId(record: Json, at: number): Json {
  const { message } = record
  if (record['type'] !== 'assistant' || typeof message !== 'object' || message === null) return record
  return { ...record, message: { id: `msg_${at}`, ...message } }
}
