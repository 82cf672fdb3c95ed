/** `attachment` entries: context beside the conversation, and messages queued in mid turn. */
import type { AttachmentEntry, EntryBase, QueuedCommand } from '../../model/entry.js'
import { textOf } from '../content.js'
import { type Json, objectAt, objectsAt, textAt } from '../json.js'
import { printText } from '../print.js'

/** Reads an attachment entry. */
export function readAttachment(json: Json, base: EntryBase): AttachmentEntry {
  const attachment = objectAt(json, 'attachment') ?? {}
  const subtype = textAt(attachment, 'type') ?? 'none'
  return { ...base, kind: 'attachment', subtype, queued: queuedOf(subtype, attachment) }
}

function queuedOf(subtype: string, attachment: Json): QueuedCommand | null {
  if (subtype !== 'queued_command') return null
  const text = textAt(attachment, 'prompt') ?? textOf(objectsAt(attachment, 'prompt')) ?? ''
  return {
    text: printText(text),
    typed: (textAt(attachment, 'commandMode') ?? 'prompt') === 'prompt',
    source: textAt(attachment, 'source_uuid'),
    delivery: textAt(attachment, 'delivery_id'),
  }
}
