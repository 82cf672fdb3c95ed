/**
 * Naive models for property tests: as short and as slow as can be, on parsed rows. They are oracles, so they share no
 * code with the generator and none with the core.
 */
import { isJson, type Json, parseJson } from '../src/base/json.js'

/** The records of a transcript's text; rows that are not JSON are left out. */
export function parseRows(text: string): Json[] {
  return text.split('\n').flatMap(line => {
    const row = parseJson(line)
    return row ? [row] : []
  })
}

/**
 * The live user and assistant entries by the `full` method of the recorder's notes: the entry written last, its parent
 * chain up to the newest boundary, all parts of the messages in it, the results of their calls, what the boundary
 * preserved. A set: the order of sending is not its concern. Side chains count only in files that hold nothing else.
 */
export function naiveFull(rows: readonly Json[]): Set<string> {
  const nodes = nodesOf(rows)
  const chain = chainOf(nodes)
  const parts = nodes.filter(node => chain.some(part => sameMessage(part, node)))
  const calls = new Set([...chain, ...parts].flatMap(callIds))
  const results = nodes.filter(node => resultIds(node).some(id => calls.has(id)))
  const kept = new Set(chain.flatMap(preservedIds))
  const preserved = nodes.filter(node => kept.has(node.uuid))
  const spoken = [...chain, ...parts, ...results, ...preserved].filter(isSpoken)
  return new Set(spoken.map(node => String(node.uuid)))
}

/**
 * The same, less what is never sent (rules L3 and L7): API error notices (1.x sends them from the next turn on), calls
 * without a result and messages of thinking only, unless they are in the last message.
 */
export function naiveLive(rows: readonly Json[]): Set<string> {
  const full = naiveFull(rows)
  const nodes = nodesOf(rows).filter(node => full.has(String(node.uuid)))
  const lastPrompt = nodes.findLastIndex(node => node.type === 'user' && resultIds(node).length === 0)
  const live = nodes.filter(
    (node, at) =>
      node.isApiErrorMessage !== true || (String(node.version).startsWith('1.') && at < lastPrompt),
  )
  const answered = new Set(live.flatMap(resultIds))
  const last = live.findLast(node => messageId(node) !== null)
  const sent = live.filter(node => {
    const calls = callIds(node)
    return calls.length === 0 || calls.some(id => answered.has(id)) || sameMessage(node, last)
  })
  const spoken = sent.filter(node => {
    const parts = sent.filter(part => part === node || sameMessage(part, node))
    return !parts.every(isThinking) || sameMessage(node, last)
  })
  return new Set(spoken.map(node => String(node.uuid)))
}

function nodesOf(rows: readonly Json[]): Json[] {
  const nodes = rows.filter(row => typeof row.uuid === 'string')
  const main = nodes.filter(node => node.isSidechain !== true)
  return main.length > 0 ? main : nodes
}

function chainOf(nodes: readonly Json[]): Json[] {
  const chain: Json[] = []
  // The seeds mark the live side; else the row written last decides.
  let at = nodes.findLast(node => node.is_active === true) ?? nodes.at(-1)
  while (at && !chain.includes(at)) {
    chain.push(at)
    const { parentUuid } = at
    at = isBoundary(at) ? undefined : nodes.find(({ uuid }) => uuid === parentUuid)
  }
  return chain
}

function isBoundary({ subtype, type }: Json): boolean {
  return subtype === 'compact_boundary' || type === 'compact_prelude'
}

/** `human`, `tool_result` and `compact_recap` are words of public descriptions. */
function isSpoken({ type }: Json): boolean {
  return ['user', 'assistant', 'human', 'tool_result', 'compact_recap'].includes(String(type))
}

function messageId({ message, type }: Json): unknown {
  return type === 'assistant' && isJson(message) && message.id !== undefined ? message.id : null
}

function sameMessage(one: Json, other: Json | undefined): boolean {
  return (
    one === other || (other !== undefined && messageId(one) !== null && messageId(one) === messageId(other))
  )
}

function blocksOf({ message }: Json): Json[] {
  return isJson(message) && Array.isArray(message.content) ? message.content.filter(isJson) : []
}

function callIds(node: Json): unknown[] {
  return blocksOf(node).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
}

function resultIds(node: Json): unknown[] {
  return blocksOf(node).flatMap(block => (block.type === 'tool_result' ? [block.tool_use_id] : []))
}

function isThinking(node: Json): boolean {
  const blocks = blocksOf(node)
  return blocks.length > 0 && blocks.every(({ type }) => type === 'thinking')
}

function preservedIds({ compactMetadata }: Json): unknown[] {
  const kept = isJson(compactMetadata) ? compactMetadata.preservedMessages : null
  return isJson(kept) && Array.isArray(kept.uuids) ? kept.uuids : []
}
