/** Records beside the conversation: attachments, notices of the client, progress, and types that are not known. */
import { namesIn } from '../model/group.js'
import { blocksOf, textOf } from '../parse/content.js'
import { asNumber, asObject, asObjects, asText, asTexts, type Json } from '../parse/json.js'
import { stringsIn } from './kinds.js'
import type { NotePart, Part } from './parts.js'

/** An attachment that is not a queued message. */
export function attachmentPart(attachment: Json, isKnown: boolean): NotePart {
  const { type, ...value } = attachment
  const label = asText(type) ?? 'attachment'
  const text = isKnown ? readers[groupOf(label)](value) : onlyText(value)
  return { kind: 'note', label, subject: subjectOf(value), text, value }
}

function subjectOf({ hookName, displayPath, filename, path }: Json): string | null {
  return asText(hookName) ?? asText(displayPath) ?? asText(filename) ?? asText(path)
}

type AttachmentGroup = 'memory' | 'skill' | 'hook' | 'file' | 'context'

/** The group of an attachment by the name of its type, so that types of later releases have one, too. */
export function groupOf(type: string): AttachmentGroup {
  if (type.includes('hook')) return 'hook'
  if (type.includes('memor') || type === 'instructions') return 'memory'
  if (type.includes('skill')) return 'skill'
  return /file|directory|selected_lines/.test(type) ? 'file' : 'context'
}

const readers: Readonly<Record<AttachmentGroup, (attachment: Json) => string | null>> = {
  hook: hookText,
  memory: fileText,
  skill: attachment => plainText(attachment) ?? stringsIn(attachment.skills),
  file: fileText,
  context: attachment => deltaText(attachment) ?? plainText(attachment),
}

/** What a hook returned, printed, or failed with; otherwise its command. */
function hookText(attachment: Json): string | null {
  const { blockingError, stdout, stderr, command } = attachment
  const blocked = asText(asObject(blockingError)?.blockingError)
  const texts = [blocked, plainText(attachment), asText(stdout), asText(stderr)]
  return linesOf([...new Set(texts.filter(text => text?.trim() !== ''))]) ?? asText(command)
}

/** The text of a file; `instructions` have several, each below its path. */
function fileText(attachment: Json): string | null {
  const files = asObjects(attachment.files)
  if (files.length === 0) return plainText(attachment)
  return linesOf(files.flatMap(file => [asText(file.path), plainText(file)]))
}

/** What was added to a listing, and what was removed from it. */
function deltaText({ addedLines, addedBlocks, removedNames, removedTypes }: Json): string | null {
  const added = [...asTexts(addedLines), ...asTexts(addedBlocks)]
  const removed = [...asTexts(removedNames), ...asTexts(removedTypes)].map(name => `removed: ${name}`)
  return added.length === 0 ? null : linesOf([...added, ...removed])
}

/** The text of an attachment, whichever field holds it. */
function plainText(json: Json): string | null {
  for (const field of ['content', 'text', 'snippet', 'banner', 'message', 'prompt']) {
    const value = json[field]
    const text =
      asText(value) ?? textOf(asObjects(value)) ?? linesOf(asTexts(value)) ?? innerText(asObject(value))
    if (text !== null) return text
  }
  return null
}

/** A file as the Read tool records it, or a message. */
function innerText(object: Json | null): string | null {
  if (object === null) return null
  const file = asObject(object.file)
  return asText(file?.content) ?? asText(object.content) ?? textOf(blocksOf(object))
}

function linesOf(lines: readonly (string | null)[]): string | null {
  const known = lines.filter(line => line !== null)
  return known.length === 0 ? null : known.join('\n')
}

/** A `system` entry, or the boundary of a compaction as descriptions of the format have it. */
export function systemPart(json: Json, isKnown: boolean): Part {
  const subtype = asText(json.subtype) ?? asText(json.type) ?? 'system'
  const content = asText(json.content) ?? textOf(blocksOf(asObject(json.message)))
  if (subtype === 'api_error') return { kind: 'error', text: apiError(json) }
  if (subtype === 'local_command' && content !== null)
    return { kind: 'text', text: withCommand(json, content) }
  const known = isKnown ? noticeText(json, content) : null
  const value = known === null ? ownFields(json) : noFields
  return { kind: 'note', label: subtype, subject: null, text: known ?? onlyText(value), value }
}

function apiError(json: Json): string {
  const error = asObject(json.error)
  const reason =
    error === null
      ? asText(json.error)
      : (asText(error.formatted) ?? asText(error.message) ?? asText(asObject(error.error)?.message))
  const attempt = asNumber(json.retryAttempt)
  const most = asNumber(json.maxRetries)
  const tries = attempt === null ? '' : ` (try ${attempt}${most === null ? '' : ` of ${most}`})`
  const code = asText((asObject(json.cause) ?? asObject(error?.cause))?.code)
  const failed = code === null ? 'The request failed.' : `The request failed: ${code}.`
  return `${reason ?? asText(json.content) ?? failed}${tries}`
}

/** Since 2.1.3xx the command stands beside its output; before, it is an entry of its own in these tags. */
function withCommand(json: Json, content: string): string {
  const run = asObject(json.commandRun)
  const name = run === null ? null : asText(run.command)
  if (name === null) return content
  const args = (run && asText(run.args)) ?? ''
  return `<command-name>/${name.replace(/^\//, '')}</command-name>\n<command-args>${args}</command-args>\n${content}`
}

/** The text of a notice; for a summary of hooks, the commands that ran and their errors. */
function noticeText(json: Json, content: string | null): string | null {
  if (content !== null && json.subtype !== 'stop_hook_summary') return content
  return figuresOf(json) ?? content
}

function figuresOf(json: Json): string | null {
  const duration = asNumber(json.durationMs)
  if (duration !== null) return `${(duration / 1000).toFixed(1)} s`
  const hooks = asObjects(json.hookInfos).map(info => asText(info.command))
  return linesOf([...hooks, ...asTexts(json.hookErrors), asText(json.stopReason)])
}

/** A `progress` entry. The message of a subagent in it is a record of its own. */
export function progressPart(data: Json, isKnown: boolean): NotePart {
  const { type, ...value } = data
  const label = asText(type) ?? 'progress'
  const text = isKnown ? progressText(value) : onlyText(value)
  return { kind: 'note', label, subject: asText(data.hookName), text, value }
}

function progressText(data: Json): string | null {
  const { output, fullOutput, query, command, message } = data
  return (
    asText(output) ??
    asText(fullOutput) ??
    asText(query) ??
    asText(command) ??
    textOf(blocksOf(asObject(asObject(message)?.message))) ??
    plainText(data)
  )
}

/** A record of a type that is not known, or that has no message. */
export function recordPart(json: Json): NotePart {
  const value = ownFields(json)
  return { kind: 'note', label: asText(json.type) ?? 'record', subject: null, text: onlyText(value), value }
}

/** The text of an unknown kind; null where it has other fields, which would not be shown with the text. */
export function onlyText(value: Json): string | null {
  const fields = Object.values(value)
  return fields.length === 1 ? asText(fields[0]) : null
}

/** Fields that any record may have, whatever its kind. */
const shared: ReadonlySet<string> = new Set(
  namesIn(`agentId cwd entrypoint gitBranch isMeta isSidechain level logicalParentUuid parentUuid sessionId
    session_id slug subtype timestamp toolUseID type userType uuid version`),
)

const noFields: Json = {}

function ownFields(json: Json): Json {
  return Object.fromEntries(Object.entries(json).filter(([field]) => !shared.has(field)))
}
