/** Writes a told story as the transcripts that Claude Code 2.1.x would have left: main file, subagents, sidecars. */
import { createHash } from 'node:crypto'

/** A file below a projects root. */
export interface SampleFile {
  readonly path: string
  readonly text: string
}

/** A tool call: name, input, the text of its result, and what the client keeps of the result. */
export type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>, result: string]

/** A subagent that a turn starts. */
export interface Helper {
  readonly type: string
  readonly task: string
  readonly prompt: string
  readonly calls: readonly Call[]
  readonly report: string
  /** It runs on while the conversation continues; its report arrives as a notification, which gets this answer. */
  readonly inBackground?: { readonly answer: string }
}

/** A prompt and what follows it. */
export interface Turn {
  readonly ask: string
  readonly thinking?: string
  readonly calls?: readonly Call[]
  readonly helpers?: readonly Helper[]
  readonly answer: string
  /** The prompt was typed while the turn before it was still running. */
  readonly isQueued?: boolean
  /** The user rewinds to before this turn afterwards. */
  readonly isAbandoned?: boolean
  /** The conversation is compacted before this turn, to this summary. */
  readonly summary?: string
}

/** One session. */
export interface Story {
  readonly project: string
  readonly title: string
  readonly model: string
  readonly start: string
  readonly gitBranch: string
  readonly turns: readonly Turn[]
  /** The session is a fork of another one: it repeats the other's first turns under the same uuids. */
  readonly forkOf?: { readonly title: string; readonly turns: number }
}

interface Draft {
  readonly session: string
  readonly story: Story
  readonly rows: Row[]
  readonly files: SampleFile[]
  time: number
  /** Tokens of the conversation so far, with what is before it: the system prompt and the tools. */
  tokens: number
  /** So many of them were in the last request, and are in the cache. */
  cached: number
}

/** A block of an answer, as the API gives it. */
type Block = Readonly<Record<string, unknown>>

type Row = Readonly<Record<string, unknown>>

const VERSION = '2.1.325'
const SECOND = 1000

/** What stands before a conversation, in tokens: the system prompt and the tools, of a session and of a subagent. */
const SYSTEM_TOKENS = 18_000
const SUBAGENT_SYSTEM_TOKENS = 9000
/** Characters of a token, about: of prompts and answers, and of what tools print. */
const PROSE = 3.7
const OUTPUT = 2.6

/** The files of all stories, the same at every call. */
export function writeStories(stories: readonly Story[]): SampleFile[] {
  return stories.flatMap(story => writeStory(story, stories))
}

/** The id of the session with this title. */
export function sessionIdOf(title: string): string {
  return uuidOf(`session ${title}`)
}

function writeStory(story: Story, stories: readonly Story[]): SampleFile[] {
  const base = stories.find(({ title }) => title === story.forkOf?.title)
  const draft = base === undefined ? startDraft(story) : forkDraft(story, base)
  let leaf = base === undefined ? null : lastEntry(draft)
  for (const turn of story.turns) {
    if (turn.summary !== undefined) leaf = writeCompaction(draft, leaf, turn.summary)
    const end = writeTurn(draft, leaf, turn)
    if (turn.isAbandoned !== true) leaf = end
  }
  draft.rows.push({ type: 'custom-title', customTitle: story.title, sessionId: draft.session })
  return [fileOf(draft, `${draft.session}.jsonl`, draft.rows), ...draft.files]
}

function startDraft(story: Story): Draft {
  const session = sessionIdOf(story.title)
  const time = Date.parse(story.start)
  return { session, story, rows: [], files: [], time, tokens: SYSTEM_TOKENS, cached: 0 }
}

/** A fork repeats the rows of its base under its own session id, then goes on by itself. */
function forkDraft(story: Story, base: Story): Draft {
  const origin = startDraft(base)
  let leaf: string | null = null
  for (const turn of base.turns.slice(0, story.forkOf?.turns)) {
    const end = writeTurn(origin, leaf, turn)
    if (turn.isAbandoned !== true) leaf = end
  }
  const draft = startDraft(story)
  for (const row of origin.rows) draft.rows.push({ ...row, sessionId: draft.session })
  draft.tokens = origin.tokens
  draft.cached = origin.cached
  return draft
}

function lastEntry({ rows }: Draft): string | null {
  const uuid = rows.findLast(row => row['uuid'] !== undefined)?.['uuid']
  return typeof uuid === 'string' ? uuid : null
}

function fileOf({ story }: Draft, path: string, rows: readonly Row[]): SampleFile {
  const text = rows.map(row => `${JSON.stringify(row)}\n`).join('')
  return { path: `-home-dev-${story.project}/${path}`, text }
}

function writeTurn(draft: Draft, parent: string | null, turn: Turn): string {
  if (turn.isQueued === true) writeQueue(draft, turn.ask)
  else draft.time += 150 * SECOND
  const { calls = [], helpers = [] } = turn
  const thinking = thinkingOf(turn)
  let leaf = addPrompt(draft, parent, turn.ask)
  for (const [index, call] of calls.entries())
    leaf = writeCall(draft, leaf, call, index === 0 ? thinking : [])
  leaf = writeHelpers(draft, leaf, helpers)
  leaf = addAnswer(draft, leaf, [...(calls.length === 0 ? thinking : []), textBlock(turn.answer)]).last
  for (const helper of helpers) leaf = writeNotification(draft, leaf, helper)
  return leaf
}

/** Claude thinks in the message of its first call, or of its answer. */
function thinkingOf({ thinking }: Turn): Block[] {
  return thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: 'c2lnbmF0dXJl' }]
}

const textBlock = (text: string): Block => ({ type: 'text', text })

function writeQueue(draft: Draft, content: string): void {
  const note = { type: 'queue-operation', sessionId: draft.session }
  draft.rows.push({ ...note, operation: 'enqueue', timestamp: timeOf(draft), content })
  draft.time += 20 * SECOND
  draft.rows.push({ ...note, operation: 'dequeue', timestamp: timeOf(draft) })
}

function writeCall(
  draft: Draft,
  parent: string,
  [name, input, result]: Call,
  thinking: readonly Block[] = [],
): string {
  const id = `toolu_${uuidOf(`${parent} ${name}`).slice(0, 12)}`
  const call = addAnswer(draft, parent, [...thinking, { type: 'tool_use', id, name, input }]).last
  const content = [{ tool_use_id: id, type: 'tool_result', content: result, is_error: isFailure(result) }]
  const message = { role: 'user', content }
  const fields = { type: 'user', message, sourceToolAssistantUUID: call }
  const kept = keptResult(name, input, result)
  draft.tokens += tokensIn(result, OUTPUT)
  return addEntry(draft, call, kept === null ? fields : { ...fields, toolUseResult: kept })
}

function isFailure(result: string): boolean {
  return result.startsWith('Exit code') || result.startsWith('Error')
}

/** What the client keeps of a result for itself. */
function keptResult(name: string, input: Readonly<Record<string, unknown>>, result: string): object | null {
  if (isFailure(result)) return null
  const { file_path: filePath, old_string: oldString, new_string: newString } = input
  if (name === 'Bash') return { stdout: result, stderr: '', interrupted: false, isImage: false }
  if (name === 'Edit' && typeof oldString === 'string' && typeof newString === 'string')
    return {
      filePath,
      oldString,
      newString,
      structuredPatch: [patchOf(oldString, newString)],
      replaceAll: false,
    }
  return null
}

function patchOf(before: string, after: string): object {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const lines = [...old.map(line => `-${line}`), ...fresh.map(line => `+${line}`)]
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: fresh.length, lines }
}

/** All calls go out in one message, one row each; results hang on the row of their own call. */
function writeHelpers(draft: Draft, parent: string, helpers: readonly Helper[]): string {
  if (helpers.length === 0) return parent
  const { rows, last } = addAnswer(
    draft,
    parent,
    helpers.map(helper => helperCall(draft, helper)),
  )
  const begun = draft.time
  let leaf = last
  for (const [index, helper] of helpers.entries())
    leaf = writeReport(draft, rows[index] ?? last, helper, begun)
  return leaf
}

function helperCall(draft: Draft, helper: Helper): Block {
  const { type, task, prompt, inBackground } = helper
  const input = { description: task, prompt, subagent_type: type }
  const background = inBackground === undefined ? {} : { run_in_background: true }
  return { type: 'tool_use', id: callOf(draft, helper), name: 'Agent', input: { ...input, ...background } }
}

function writeReport(draft: Draft, call: string, helper: Helper, begun: number): string {
  const end = writeHelperFile(draft, helper, begun)
  const isBackground = helper.inBackground !== undefined
  if (!isBackground) draft.time = Math.max(draft.time, end)
  const text = isBackground ? 'The agent was started in the background.' : helper.report
  const status = isBackground ? 'async_launched' : 'completed'
  const result = {
    tool_use_id: callOf(draft, helper),
    type: 'tool_result',
    content: [textBlock(text)],
  }
  draft.tokens += tokensIn(text, OUTPUT)
  return addEntry(draft, call, {
    type: 'user',
    message: { role: 'user', content: [result] },
    toolUseResult: { status, agentId: agentOf(draft, helper), agentType: helper.type, prompt: helper.prompt },
    sourceToolAssistantUUID: call,
  })
}

/** Writes the subagent's own transcript and its sidecar; gives the time when it ended. */
function writeHelperFile(draft: Draft, helper: Helper, begun: number): number {
  const inner: Draft = {
    ...draft,
    ...{ rows: [], files: [], time: begun, tokens: SUBAGENT_SYSTEM_TOKENS, cached: 0 },
  }
  let leaf = addPrompt(inner, null, helper.prompt)
  for (const call of helper.calls) leaf = writeCall(inner, leaf, call)
  addAnswer(inner, leaf, [textBlock(helper.report)])
  const agentId = agentOf(draft, helper)
  const rows = inner.rows.map(row => ({ ...row, isSidechain: true, agentId }))
  const place = `${draft.session}/subagents/agent-${agentId}`
  const meta = {
    agentType: helper.type,
    description: helper.task,
    toolUseId: callOf(draft, helper),
    spawnDepth: 1,
  }
  draft.files.push(fileOf(draft, `${place}.jsonl`, rows), fileOf(draft, `${place}.meta.json`, [meta]))
  return inner.time
}

function callOf({ session }: Draft, { task }: Helper): string {
  return `toolu_${uuidOf(`${session} call ${task}`).slice(0, 12)}`
}

function agentOf({ session }: Draft, { task }: Helper): string {
  return `a${uuidOf(`${session} agent ${task}`).replaceAll('-', '').slice(0, 16)}`
}

function writeNotification(draft: Draft, parent: string, helper: Helper): string {
  if (helper.inBackground === undefined) return parent
  draft.time += 90 * SECOND
  const content = [
    '<task-notification>',
    `<task-id>${agentOf(draft, helper)}</task-id>`,
    `<tool-use-id>${callOf(draft, helper)}</tool-use-id>`,
    '<status>completed</status>',
    `<summary>Agent "${helper.task}" completed</summary>`,
    `<result>${helper.report}</result>`,
    '</task-notification>',
  ].join('\n')
  writeQueue(draft, content)
  const origin = { kind: 'task-notification' }
  const told = addPrompt(draft, parent, content, { origin })
  return addAnswer(draft, told, [textBlock(helper.inBackground.answer)]).last
}

function writeCompaction(draft: Draft, parent: string | null, summary: string): string {
  draft.time += 30 * SECOND
  const content = `This session is being continued from a previous conversation that ran out of context.\n\n${summary}`
  const [preTokens, postTokens] = [draft.tokens, SYSTEM_TOKENS + tokensIn(content, PROSE)]
  const compactMetadata = { trigger: 'auto', preTokens, postTokens, durationMs: 24_300 }
  const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' }
  const at = addEntry(draft, null, { ...boundary, logicalParentUuid: parent, compactMetadata })
  draft.tokens = SYSTEM_TOKENS
  draft.cached = SYSTEM_TOKENS
  return addPrompt(draft, at, content, { isCompactSummary: true })
}

function addPrompt(draft: Draft, parent: string | null, content: string, fields: Row = {}): string {
  draft.tokens += tokensIn(content, PROSE)
  return addEntry(draft, parent, { type: 'user', ...fields, message: { role: 'user', content } })
}

/** One message of the model, a row for each block. Its request reads from the cache what the one before had. */
function addAnswer(draft: Draft, parent: string, blocks: readonly Block[]): { rows: string[]; last: string } {
  const output = blocks.reduce((sum, block) => sum + tokensIn(JSON.stringify(block), PROSE), 0)
  const usage = {
    input_tokens: 6,
    output_tokens: output,
    cache_read_input_tokens: draft.cached,
    cache_creation_input_tokens: draft.tokens - draft.cached - 6,
  }
  draft.cached = draft.tokens - 6
  draft.tokens += output
  const id = `msg_${uuidOf(`${draft.story.title} ${parent}`).replaceAll('-', '').slice(0, 20)}`
  const isCall = blocks.some(({ type }) => type === 'tool_use')
  const stop = { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }
  const frame = { id, type: 'message', role: 'assistant', model: draft.story.model, ...stop, usage }
  const rows: string[] = []
  let last = parent
  for (const block of blocks) {
    last = addEntry(draft, last, { type: 'assistant', message: { ...frame, content: [block] } })
    rows.push(last)
  }
  return { rows, last }
}

/** A part of a message costs some tokens beside its characters. */
function tokensIn(text: string, charactersPerToken: number): number {
  return 30 + Math.ceil(text.length / charactersPerToken)
}

function addEntry(draft: Draft, parentUuid: string | null, fields: Row): string {
  const { story, session, rows } = draft
  const uuid = uuidOf(`${story.title} ${parentUuid} ${rows.length} ${JSON.stringify(fields)}`)
  draft.time += (4 + (rows.length % 5) * 3) * SECOND
  rows.push({
    parentUuid,
    isSidechain: false,
    ...fields,
    uuid,
    timestamp: timeOf(draft),
    userType: 'external',
    entrypoint: 'cli',
    cwd: `/home/dev/${story.project}`,
    sessionId: session,
    version: VERSION,
    gitBranch: story.gitBranch,
  })
  return uuid
}

function timeOf({ time }: Draft): string {
  return new Date(time).toISOString()
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
