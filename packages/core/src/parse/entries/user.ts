/** `user` entries: one type, many meanings. Descriptions call it `human`, a result `tool_result`, a summary `compact_recap`. */
import type { EntryBase, Spawn, UserEntry, UserMeaning } from '../../model/entry.js'
import { agentId } from '../../model/ids.js'
import { blocksOf, resultsIn, textOf } from '../content.js'
import { digestPrompt, digestText, hashBlock } from '../digest.js'
import { asId, asObject, asText, type Json } from '../json.js'
import { COMMAND_TAGS, firstTag, MESSAGE_TAGS, NOTIFICATION_TAGS, OUTPUT_TAGS } from '../tags.js'

/** Reads a user entry. */
export function readUser(json: Json, base: EntryBase): UserEntry {
  const blocks = blocksOf(asObject(json.message) ?? json)
  const results = resultsIn(blocks, json)
  const text = results.length > 0 ? null : textOf(blocks)
  const says = results.length > 0 ? 'result' : meaningOf(json, text ?? '')
  return {
    ...base,
    kind: 'user',
    says,
    text:
      text === null ? null : base.sidechain && base.parent === null ? digestPrompt(text) : digestText(text),
    blocks:
      says === 'prompt' && blocks.length > 1 ? blocks.map(block => hashBlock(asText(block.text))) : NO_BLOCKS,
    results,
    spawn: json.toolUseResult === undefined ? null : spawnOf(json),
    promptId: asText(json.promptId),
  }
}

const NO_BLOCKS: readonly number[] = []

function meaningOf(json: Json, text: string): UserMeaning {
  if (json.isCompactSummary === true || json.type === 'compact_recap') return 'summary'
  const start = text.trimStart().slice(0, 60)
  const first = firstTag(start)
  // A tag with attributes may also begin a prompt (`<scheduled-task name=...>`).
  const tag = start.startsWith(`<${first}>`) ? first : ''
  if (tag === 'local-command-caveat' || start.startsWith('Caveat: The messages below')) return 'caveat'
  if (COMMAND_TAGS.has(tag)) return 'command'
  if (OUTPUT_TAGS.has(tag)) return 'output'
  if (start.startsWith('[Request interrupted by user')) return 'interrupt'
  if (NOTIFICATION_TAGS.has(tag) || MESSAGE_TAGS.has(first) || isNotification(json, start))
    return 'notification'
  return json.isMeta === true || isFromHook(start) ? 'meta' : 'prompt'
}

/** Text of a hook for the model: in 1.x and early 2.0.x a user entry like a prompt. */
function isFromHook(start: string): boolean {
  return /^<[a-z-]+-hook>|^Stop hook feedback:|^Operation stopped by hook:/.test(start)
}

function isNotification(json: Json, start: string): boolean {
  const origin = asText(asObject(json.origin)?.kind)
  if ((origin !== null && origin !== 'human') || json.promptSource === 'system') return true
  return start.startsWith('Another Claude session sent a message')
}

/** A2: the agent, team mate or workflow run that the call has started, as its result says. */
function spawnOf(json: Json): Spawn | null {
  const result = asObject(json.toolUseResult)
  if (result === null) return null
  const mate = result.status === 'teammate_spawned'
  const agent = asId(result.agentId, agentId) ?? asId(result.agent_id, agentId)
  const run = asText(result.runId)
  if (agent === null && run === null) return null
  const async = result.isAsync === true || result.status === 'async_launched'
  const workflow = run === null ? null : asText(result.workflowName)
  return { agent, run, workflow, mate, async }
}
