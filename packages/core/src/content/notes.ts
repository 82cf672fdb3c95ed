/** Records beside the conversation: attachments, notices of the client, progress, and what is not known. */

import { blocksOf, textOf } from '../parse/content.js'
import { asNumber, asObject, asObjects, asText, asTexts, type Json } from '../parse/json.js'
import type { Block } from '../protocol/content.js'
import { cutText, cutValues } from './cut.js'
import { readTagged } from './tagged.js'

/** The blocks of a record that is no message. */
export function noteBlocks(json: Json, limit: number): readonly Block[] {
  switch (json.type) {
    case 'attachment':
      return [attachmentBlock(asObject(json.attachment) ?? {}, limit)]
    case 'system':
      return [systemBlock(json, limit)]
    case 'progress':
      return [progressBlock(asObject(json.data) ?? {}, limit)]
    default:
      return [otherBlock(json, limit)]
  }
}

function note(label: string, text: string, limit: number): Block {
  return { kind: 'note', label, text: cutText(text, limit) }
}

function attachmentBlock(attachment: Json, limit: number): Block {
  const type = asText(attachment.type) ?? 'attachment'
  const hook = asText(attachment.hookName)
  if (hook !== null) return note(`${type} ${hook}`, hookText(attachment), limit)
  const file = asText(attachment.displayPath) ?? asText(attachment.filename) ?? asText(attachment.path)
  const label = file === null ? type : `${type} ${file}`
  return note(label, plainText(attachment) ?? pretty(attachment), limit)
}

/** What a hook said, printed, or failed with. */
export function hookText(attachment: Json): string {
  const blocked = asText(asObject(attachment.blockingError)?.blockingError)
  const said = [blocked, plainText(attachment), asText(attachment.stdout), asText(attachment.stderr)].filter(
    part => part !== null && part.trim() !== '',
  )
  return [...new Set(said)].join('\n') || (asText(attachment.command) ?? '')
}

/** The text of a record that has one, wherever its kind keeps it. */
export function plainText(json: Json): string | null {
  for (const field of ['content', 'text', 'snippet', 'banner', 'message', 'prompt']) {
    const value = json[field]
    const text =
      asText(value) ?? textOf(asObjects(value)) ?? joined(asTexts(value)) ?? innerText(asObject(value))
    if (text !== null) return text
  }
  return null
}

function joined(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join('\n')
}

/** A file as the Read tool records it, or a message. */
function innerText(object: Json | null): string | null {
  if (object === null) return null
  const file = asObject(object.file)
  return asText(file?.content) ?? asText(object.content) ?? textOf(blocksOf(object))
}

function pretty(json: Json): string {
  const { type: _, ...rest } = json
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(cutValues(rest, 4000), null, 2)
}

function systemBlock(json: Json, limit: number): Block {
  const subtype = asText(json.subtype) ?? 'system'
  const content = asText(json.content) ?? textOf(blocksOf(asObject(json.message)))
  if (subtype === 'api_error') return { kind: 'error', text: cutText(apiError(json), limit) }
  if (subtype === 'local_command') return localCommand(json, content ?? '', limit)
  if (content !== null && subtype !== 'stop_hook_summary') return note(subtype, content, limit)
  return note(subtype, systemText(json) ?? content ?? '', limit)
}

function apiError(json: Json): string {
  const error = asObject(json.error)
  const said =
    error === null
      ? asText(json.error)
      : (asText(error.formatted) ?? asText(error.message) ?? asText(asObject(error.error)?.message))
  const attempt = asNumber(json.retryAttempt)
  const most = asNumber(json.maxRetries)
  const tries = attempt === null ? '' : ` (try ${attempt}${most === null ? '' : ` of ${most}`})`
  return `${said ?? asText(json.content) ?? 'The request failed.'}${tries}`
}

/** Since 2.1.3xx the command stands beside its output; before, each is an entry of its own. */
function localCommand(json: Json, content: string, limit: number): Block {
  const block = readTagged(content, limit) ?? note('local_command', content, limit)
  const run = asObject(json.commandRun)
  const name = run === null ? null : asText(run.command)
  if (name === null || block.kind !== 'command') return block
  return { ...block, name: `/${name.replace(/^\//, '')}`, args: (run && asText(run.args)) ?? '' }
}

function systemText(json: Json): string | null {
  const duration = asNumber(json.durationMs)
  if (duration !== null) return `${(duration / 1000).toFixed(1)} s`
  const hooks = asObjects(json.hookInfos).map(info => asText(info.command))
  const lines = [...hooks, ...asTexts(json.hookErrors), asText(json.stopReason)].filter(line => line !== null)
  return lines.length === 0 ? null : lines.join('\n')
}

function progressBlock(data: Json, limit: number): Block {
  const type = asText(data.type) ?? 'progress'
  const label = [type, asText(data.hookName)].filter(part => part !== null).join(' ')
  const message = asObject(asObject(data.message)?.message)
  const text =
    asText(data.output) ??
    asText(data.fullOutput) ??
    asText(data.query) ??
    asText(data.command) ??
    textOf(blocksOf(message)) ??
    plainText(data)
  return note(label, text ?? pretty(data), limit)
}

function otherBlock(json: Json, limit: number): Block {
  const label = asText(json.type) ?? 'record'
  const { uuid: _, parentUuid: __, sessionId: ___, timestamp: ____, ...rest } = json
  return note(label, plainText(json) ?? innerText(asObject(json.message)) ?? pretty(rest), limit)
}
