/** What can be searched, and who wrote it. */

/**
 * What a text is: `prompt` of a person, or for a subagent · `answer` · `thinking` · `input` of a tool call ·
 * `output` of one · `note` injected by the client (summaries, commands, notifications) · `queued` typed ahead · and what
 * the client attached: `memory` files · `skill` listings · output of a `hook` · a `file` that was attached or
 * edited · other `context` (listings of subagents, instructions of MCP servers, task lists, briefings).
 */
export type TextField =
  | ('prompt' | 'answer' | 'thinking' | 'input' | 'output' | 'note' | 'queued')
  | AttachedField

/** Texts that Claude Code attaches to what people type. */
export type AttachedField = 'memory' | 'skill' | 'hook' | 'file' | 'context'

/** What a search can be narrowed to. Each kind of attachment is a role of its own. */
export type SearchRole = 'human' | 'claude' | 'thinking' | 'tool' | 'system' | 'queued' | AttachedField

/** The orders of hits: the best first, or the newest. */
export const SEARCH_SORTS = ['rank', 'time'] as const

/** `rank`: the best first. `time`: the newest first. */
export type SearchSort = (typeof SEARCH_SORTS)[number]

/** The fields of each role. */
export const SEARCH_ROLES: Readonly<Record<SearchRole, readonly TextField[]>> = {
  human: ['prompt', 'queued'],
  claude: ['answer'],
  thinking: ['thinking'],
  tool: ['input', 'output'],
  system: ['note', 'memory', 'skill', 'hook', 'file', 'context'],
  queued: ['queued'],
  memory: ['memory'],
  skill: ['skill'],
  hook: ['hook'],
  file: ['file'],
  context: ['context'],
}

/** Whether a word is a role. */
export function isSearchRole(word: string): word is SearchRole {
  return Object.hasOwn(SEARCH_ROLES, word)
}

/** Who speaks in a text: `Human`, `Claude`, `SubAgent(Explore)`, `Tool`, `System`. The agent is that of its line. */
export function speakerOf(field: TextField, agent: string | null): string {
  if (field === 'prompt' || field === 'queued') return agent === null ? 'Human' : 'Claude'
  if (field === 'output') return 'Tool'
  if (SEARCH_ROLES.system.includes(field)) return 'System'
  return agent === null ? 'Claude' : `SubAgent(${agent})`
}
