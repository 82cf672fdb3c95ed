/** U3: which subagents a word means. */

/** Enough of an id to mean a subagent where nothing else in the word says so. Of other ids all is needed. */
const AGENT_START = /^[0-9a-f]{7,}$/i
const MAYBE_AGENT = /^[\w-]+$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{0,4}/i

/** A word that may mean a subagent. */
export interface AgentWord {
  /** The id, or its beginning. */
  readonly id: string
  /** `#agent-id`, `#id` and `agent-id` can only mean a subagent. */
  readonly isMarked: boolean
  readonly matches: (agent: string) => boolean
}

/** What a word says of a subagent; null for a word that cannot mean one. */
export function agentWord(word: string): AgentWord | null {
  const [, marked] = /^(?:#agent-|#|agent-)(.+)$/.exec(word) ?? []
  const id = marked ?? word
  if (marked !== undefined || AGENT_START.test(word))
    return { id, isMarked: marked !== undefined, matches: agent => agent.startsWith(id) }
  const mayMean = MAYBE_AGENT.test(word) && !UUID.test(word)
  return mayMean ? { id, isMarked: false, matches: agent => agent === id } : null
}
