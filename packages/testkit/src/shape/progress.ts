/** Subagents as Claude Code 2.1.9 to 2.1.63 repeated them: in `agent_progress` rows of the session's file. */
import { isJson, type Json, parseJson } from '../base/json.js'
import type { TextFile } from './expand.js'

export interface CarryOptions {
  /** The subagent's id: its file is `agent-{id}.jsonl`. */
  readonly agent: string
  /** The id of the call that started it. */
  readonly call: string
  /** Whether its own file stays; without it the progress rows are all there is. */
  readonly keepsFile?: boolean
}

/**
 * The files with the subagent's messages in progress rows before the call's result, or at the end where there is none.
 * The last answer is left out, as the recorder did: it is the result of the call.
 */
export function carryInProgress(files: readonly TextFile[], options: CarryOptions): readonly TextFile[] {
  const { agent, call, keepsFile = false } = options
  const own = files.find(({ path }) => path.endsWith(`agent-${agent}.jsonl`))
  if (own === undefined) throw new RangeError(`no file of agent ${agent}`)
  const rest = files.filter(file => keepsFile || file !== own)
  return rest.map(file => {
    const rows = rowsOf(file)
    const from = rows.findIndex(row => row.includes(`"type":"tool_use","id":"${call}"`))
    if (file === own || from < 0) return file
    const result = rows.findIndex(row => row.includes(`"tool_use_id":"${call}"`))
    const at = result < 0 ? rows.length : result
    const carried = progressRows(carriedFrom(own), parseRow(rows[from] ?? ''), options)
    return { ...file, text: [...rows.slice(0, at), ...carried, ...rows.slice(at)].map(endRow).join('') }
  })
}

function rowsOf({ text }: TextFile): readonly string[] {
  return text.split('\n').filter(row => row !== '')
}

function endRow(row: string): string {
  return `${row}\n`
}

function parseRow(row: string): Json {
  const json = parseJson(row)
  if (!isJson(json)) throw new RangeError(`not an object: ${row.slice(0, 80)}`)
  return json
}

function carriedFrom(own: TextFile): readonly Json[] {
  const rows = rowsOf(own).map(parseRow)
  const spoken = rows.filter(({ type }) => type === 'user' || type === 'assistant')
  return spoken.at(-1)?.['type'] === 'assistant' && spoken.length > 1 ? spoken.slice(0, -1) : spoken
}

function progressRows(messages: readonly Json[], caller: Json, options: CarryOptions): readonly string[] {
  const ids = messages.map(({ uuid }) => rowUuid(String(uuid)))
  return messages.map((message, nth) => {
    const parent = nth === 0 ? caller['uuid'] : ids[nth - 1]
    return JSON.stringify(progressRow(message, { ...caller, parentUuid: parent, uuid: ids[nth] }, options))
  })
}

/** Of another version than any recorded uuid: the row is not an entry of the subagent. */
function rowUuid(uuid: string): string {
  return `${uuid.slice(0, 14)}f${uuid.slice(15)}`
}

function progressRow(message: Json, envelope: Json, { agent, call }: CarryOptions): Json {
  const { message: _, requestId: __, ...rest } = envelope
  const { type, uuid, timestamp, message: inner, requestId, toolUseResult } = message
  const carried = { type, message: inner, requestId, toolUseResult, uuid, timestamp }
  return {
    ...rest,
    version: '2.1.39',
    type: 'progress',
    data: { type: 'agent_progress', message: carried, normalizedMessages: [], prompt: '', agentId: agent },
    toolUseID: `agent_${String(uuid)}`,
    parentToolUseID: call,
    timestamp,
  }
}
