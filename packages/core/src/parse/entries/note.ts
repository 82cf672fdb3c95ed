/** Records without a uuid: titles, queue operations, journals, marks. */
import type { Note, QueueNote, QueueOperation, TitleNote } from '../../model/entry.js'
import { agentId, entryId, type SessionId, sessionId } from '../../model/ids.js'
import type { SourceSpan } from '../../model/source.js'
import { readAgentMeta } from '../agent-meta.js'
import { textOf } from '../content.js'
import { digestText } from '../digest.js'
import { asId, asObjects, asText, type Json } from '../json.js'
import { readTime } from './base.js'

/** Reads a record that is not a node. */
export function readNote(json: Json, type: string, source: SourceSpan): Note {
  const base = { session: asId(json.sessionId, sessionId), time: readTime(json), source }
  if (type === 'queue-operation') return readQueue(json, base)
  if (type === 'cost-state' || type === 'last-prompt') return { ...base, kind: 'process-end', by: type }
  if (type === 'started' || type === 'launched' || (type === 'result' && 'agentId' in json)) {
    const agent = asId(json.agentId, agentId)
    return {
      ...base,
      kind: 'journal',
      step: type,
      agent,
      label: asText(json.label),
      phase: asText(json.phase),
    }
  }
  if (type === 'agent_metadata')
    return { ...base, kind: 'agent-meta', meta: readAgentMeta(name => json[name]) }
  return readTitle(json, type, base) ?? { ...base, kind: 'other', type }
}

type NoteBase = { session: SessionId | null; time: Note['time']; source: SourceSpan }

function readQueue(json: Json, base: NoteBase): QueueNote {
  const text = asText(json.content) ?? textOf(asObjects(json.content))
  return {
    ...base,
    kind: 'queue',
    operation: operations.find(operation => operation === json.operation) ?? 'other',
    text: text === null ? null : digestText(text),
    command: asText(json.commandUuid),
    delivery: asText(json.deliveryId),
  }
}

const operations: readonly QueueOperation[] = ['enqueue', 'dequeue', 'remove', 'popAll']

function readTitle(json: Json, type: string, base: NoteBase): TitleNote | null {
  const form = titleForms.get(type)
  const title = form === undefined ? null : asText(json[form.field])
  if (form === undefined || title === null) return null
  return { ...base, kind: 'title', by: form.by, title, leaf: asId(json.leafUuid, entryId) }
}

const titleForms: ReadonlyMap<string, { readonly by: TitleNote['by']; readonly field: string }> = new Map([
  ['custom-title', { by: 'custom', field: 'customTitle' }],
  ['ai-title', { by: 'ai', field: 'aiTitle' }],
  ['summary', { by: 'summary', field: 'summary' }],
  ['agent-name', { by: 'agent', field: 'agentName' }],
])
