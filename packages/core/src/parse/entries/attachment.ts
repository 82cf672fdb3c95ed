/** `attachment` entries: context beside the conversation, and messages queued in mid turn. */
import type { AttachmentEntry, EntryBase, QueuedCommand } from '../../model/entry.js'
import { textOf } from '../content.js'
import { digestText } from '../digest.js'
import { asObject, asObjects, asText, type Json } from '../json.js'

/** Reads an attachment entry. */
export function readAttachment(json: Json, base: EntryBase): AttachmentEntry {
  const attachment = asObject(json.attachment) ?? {}
  const subtype = asText(attachment.type) ?? 'none'
  return { ...base, kind: 'attachment', subtype, queued: queuedOf(subtype, attachment) }
}

function queuedOf(subtype: string, attachment: Json): QueuedCommand | null {
  if (subtype !== 'queued_command') return null
  const text = asText(attachment.prompt) ?? textOf(asObjects(attachment.prompt)) ?? ''
  return {
    text: digestText(text),
    typed: (asText(attachment.commandMode) ?? 'prompt') === 'prompt',
    source: asText(attachment.source_uuid),
    delivery: asText(attachment.delivery_id),
  }
}
