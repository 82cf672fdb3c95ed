/** Message content: a string or blocks, of either role. */
import type { ResultState, TextDigest, ToolCall, ToolResult } from '../model/entry.js'
import { toolUseId } from '../model/ids.js'
import { digestPrompt } from './digest.js'
import { asObject, asObjects, asText, type Json } from './json.js'

/** The blocks of a message's content; a plain string is one text block. */
export function blocksOf(message: Json | null): readonly Json[] {
  if (message === null) return []
  const text = asText(message.content)
  return text === null ? asObjects(message.content) : [{ type: 'text', text }]
}

/** The text of all blocks, joined by newlines; null where there is none. */
export function textOf(blocks: readonly Json[]): string | null {
  if (blocks.length === 1 && blocks[0] !== undefined) return asText(blocks[0].text)
  const texts = blocks.map(block => asText(block.text)).filter(text => text !== null)
  return texts.length === 0 ? null : texts.join('\n')
}

/** The tool results among the blocks. */
export function resultsIn(blocks: readonly Json[], entry: Json): readonly ToolResult[] {
  if (!blocks.some(isResult)) return noResults
  return blocks.filter(isResult).map(block => ({
    id: toolUseId(asText(block.tool_use_id) ?? ''),
    state: resultState(block, entry),
  }))
}

const noResults: readonly ToolResult[] = []

function isResult(block: Json): boolean {
  return block.type === 'tool_result' && asText(block.tool_use_id) !== null
}

/** T2: how a call ended, by the strongest evidence. `entry` is the record of the result. */
export function resultState(block: Json, entry: Json): ResultState {
  const denial = asText(entry.toolDenialKind)
  if (denial === 'interrupted') return 'interrupted'
  if (denial !== null) return 'denied'
  const text = asText(block.content) ?? textOf(asObjects(block.content)) ?? ''
  if (text.startsWith('<persisted-output>')) return 'spilled'
  if (text.startsWith("The user doesn't want to proceed")) return 'denied'
  if (text.startsWith('[Request interrupted by user')) return 'interrupted'
  return block.is_error === true || isErrorObject(block.content) ? 'error' : 'ok'
}

/** The result of a failed tool of the API is an object instead of a list. */
function isErrorObject(content: unknown): boolean {
  return asText(asObject(content)?.type)?.endsWith('_error') === true
}

/** The tool calls among the blocks. */
export function callsIn(blocks: readonly Json[]): readonly ToolCall[] {
  if (!blocks.some(isCall)) return noCalls
  return blocks.filter(isCall).map(block => {
    const name = asText(block.name) ?? ''
    return { id: toolUseId(asText(block.id) ?? ''), name, ...spawnFields(name, asObject(block.input)) }
  })
}

const noCalls: readonly ToolCall[] = []

/** Calls that the client answers. Server tools are answered within the same message. */
function isCall(block: Json): boolean {
  return block.type === 'tool_use' && asText(block.id) !== null
}

/** The prompt and type of the agent that a call starts; nulls for every other tool. */
export function spawnFields(
  name: string,
  input: Json | null,
): { prompt: TextDigest | null; agentType: string | null } {
  if (input === null || !spawns(name)) return noSpawn
  const prompt = asText(input.prompt)
  return { prompt: prompt === null ? null : digestPrompt(prompt), agentType: asText(input.subagent_type) }
}

const noSpawn = { prompt: null, agentType: null }

/** `Task` up to 2.1.62, `Agent` from 2.1.63; `Workflow` starts runs of agents. */
function spawns(name: string): boolean {
  return name === 'Task' || name === 'Agent' || name === 'Workflow'
}
