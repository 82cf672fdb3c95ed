/** The bodies of entries, per kind, in the words of the process's style. */
import type { Json } from '../base/json.js'
import type { ApiMessage, Node, Process } from './model.js'
import { instant } from './recorder.js'

/** A user entry: a prompt, a note, whatever has the role `user` and is not a tool result. */
export function userBody(p: Process, content: unknown, extra: Json = {}): Json {
  if (p.style.words === 'seed') return { type: 'human', message: { role: 'user', content }, ...extra }
  const promptId = p.style.headlessQueue === 'both' ? { promptId: p.promptId } : {}
  return { ...promptId, type: 'user', message: { role: 'user', content }, ...extra }
}

/** An answer to a call. */
interface ResultBody {
  readonly id: string
  readonly content: unknown
  readonly source: Node
  readonly error?: boolean
  readonly extra?: Json
}

/** A tool result. */
export function resultBody(p: Process, { id, content, source, error, extra }: ResultBody): Json {
  const block = { tool_use_id: id, type: 'tool_result', content, is_error: error === true }
  const message = { role: 'user', content: [block] }
  if (p.style.words === 'seed') return { type: 'tool_result', message }
  const from = p.style.results === 'tree' ? { sourceToolAssistantUUID: source.uuid } : {}
  return { ...userBody(p, [block]), ...from, ...extra }
}

/** One part of an API message, or the whole of it where the style does not split. */
export function assistantBody(p: Process, message: ApiMessage, content: readonly Json[]): Json {
  if (p.style.words === 'seed') return { type: 'assistant', message: { role: 'assistant', content } }
  const final = p.style.usage === 'final'
  const calls = content.some(({ type }) => type === 'tool_use')
  return {
    message: {
      id: message.id,
      type: 'message',
      role: 'assistant',
      model: p.style.model,
      content,
      stop_reason: final ? (calls ? 'tool_use' : 'end_turn') : null,
      stop_sequence: null,
      usage: usage(final ? message.output : 1, 100),
    },
    requestId: message.requestId,
    type: 'assistant',
    ...(p.style.name === '2.1.325' ? { apiBlockIndex: message.parts } : {}),
  }
}

/** An assistant entry that the client wrote by itself. */
export function syntheticBody(p: Process, text: string, extra: Json = {}): Json {
  return {
    type: 'assistant',
    message: {
      id: p.world.rng.uuid(),
      type: 'message',
      role: 'assistant',
      model: '<synthetic>',
      content: [{ type: 'text', text }],
      stop_reason: 'stop_sequence',
      stop_sequence: '',
      usage: usage(0, 0),
    },
    ...extra,
  }
}

/** A system entry. */
export function systemBody(subtype: string, fields: Json = {}): Json {
  return { type: 'system', subtype, level: 'info', isMeta: false, ...fields }
}

/** An attachment. */
export function attachmentBody(type: string, fields: Json = {}): Json {
  return { type: 'attachment', attachment: { type, ...fields } }
}

/** A progress entry of 2.1.9 to 2.1.81. */
export function progressBody(type: string, toolUseID: string, fields: Json = {}): Json {
  return { type: 'progress', data: { type, ...fields }, toolUseID, parentToolUseID: toolUseID }
}

/** A record without uuid. */
export function noteRow(p: Process, type: string, fields: Json = {}): Json {
  return { type, ...fields, sessionId: p.file.session }
}

/** A queue operation. */
export function queueRow(p: Process, operation: string, fields: Json = {}): Json {
  return {
    type: 'queue-operation',
    operation,
    timestamp: instant(p.world),
    sessionId: p.file.session,
    ...fields,
  }
}

/** Token counts. Every part of a message repeats those of the input. */
function usage(output: number, cached: number): Json {
  return {
    input_tokens: cached === 0 ? 0 : 10,
    cache_creation_input_tokens: cached,
    cache_read_input_tokens: cached * 4,
    output_tokens: output,
    service_tier: 'standard',
  }
}
