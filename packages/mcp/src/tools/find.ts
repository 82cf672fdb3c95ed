/** Tools that find sessions and texts. */
import { type Hit, hitLabels, type SessionFigures } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, plural, shortId } from '@dagline/core/format'
import { SEARCH_ROLES, speakerOf } from '@dagline/core/protocol'
import { z } from 'zod'
import { defineTool, FROM, MAX_TOKENS, SCOPE, SESSION, type Tool, text } from '../tool.js'

/** More hits than these are asked for by narrowing the question. */
const MOST_HITS = 100

export const search: Tool = defineTool({
  name: 'search',
  title: 'Search earlier work',
  description:
    'Full text search over all Claude Code sessions of this user: prompts, answers, thinking, tool calls and outputs. Words are combined with AND, the last may be the beginning of a word, "quoted words" must follow each other. Each match says whether it is live, on an abandoned branch, in a subagent or from before a compaction, and has a REF for get_conversation and explain. Filters alone are a question, too: {"file": "auth.ts"} finds the calls that touched a file, {"errors": true} failed calls.',
  input: z.object({
    query: z.string().max(1000).default('').describe('Words. May be empty where a filter is given.'),
    regex: text('A regular expression that texts must match, too. Slow: give words beside it.'),
    role: z.enum(Object.keys(SEARCH_ROLES)).optional().describe('Only texts of this role.'),
    tool: text('Only calls and outputs of this tool: Bash, Edit.'),
    file: text('Only sessions that touched this file; the end of its path suffices.'),
    agent: text('Only subagents of this type.'),
    branch: z
      .enum(['live', 'abandoned'])
      .optional()
      .describe('Only the current branch, or only abandoned ones.'),
    before_compaction: z
      .boolean()
      .default(false)
      .describe('Only what a compaction came after: the model no longer has it.'),
    errors: z.boolean().default(false).describe('Only failed calls and requests.'),
    session: text(SESSION),
    ...SCOPE,
    sort: z.enum(['rank', 'time']).optional().describe('The best first, or the newest first.'),
    from: FROM,
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, given) => {
    const {
      query,
      before_compaction: beforeCompaction,
      sort,
      from,
      everywhere: _,
      max_tokens: __,
      ...filter
    } = given
    const limit = Math.min(from + MOST_HITS, 1000)
    const result = await history.search(query, { filter: { ...filter, beforeCompaction }, limit, sort })
    const { total, isComplete, note, warning, nothing, hits } = result
    const found = `${plural(total, 'match', 'matches')}${isComplete ? '' : ' at least'}.`
    return {
      head: [
        total === 0 ? (nothing ?? 'Nothing found. Try fewer or other words.') : found,
        note ?? [],
        warning ?? [],
      ].flat(),
      items: hits.map(hitText),
      names: ['match', 'matches'],
      from,
    }
  },
})

function hitText(hit: Hit): string {
  const { node, session, time, field, tool, line, snippet, project } = hit
  const who = `${speakerOf(field, line?.agentName ?? null)}${tool === null ? '' : ` (${tool})`}`
  const place = [who, dayAndTime(time), project, ...hitLabels(hit)].filter(part => part !== '')
  return `- REF ${refTo(session, node)} | ${place.map(part => cleanLine(part)).join(' | ')}\n  ${cleanLine(snippet)}`
}

/** How answers name an entry. */
export function refTo(session: string | null, node: string | null): string {
  return [session, node].flatMap(id => (id === null ? [] : [shortId(id)])).join(':')
}

export const listSessions: Tool = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description:
    'Lists Claude Code sessions, the newest first: id, title, time, turns, branches, subagents, compactions. Use it to find out what was worked on, in this project or everywhere.',
  input: z.object({
    ...SCOPE,
    file: text('Only sessions that touched this file; the end of its path suffices.'),
    from: FROM,
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, { project, since, until, file, from }) => {
    const all = await history.sessions([], { project, since, until, file })
    const sessions = all.filter(({ isIdle }) => !isIdle).toSorted((a, b) => (b.last ?? 0) - (a.last ?? 0))
    return {
      head: [`${plural(sessions.length, 'session')}, the newest first.`],
      items: sessions.map(sessionText),
      names: ['session', 'sessions'],
      from,
    }
  },
})

function sessionText(figures: SessionFigures): string {
  const { session, title, cwd, project, first, last, turns, branches, agents, compactions, problems } =
    figures
  const counts = [
    plural(turns, 'turn'),
    branches > 0 ? plural(branches, 'branch', 'branches') : '',
    agents > 0 ? plural(agents, 'subagent') : '',
    compactions > 0 ? plural(compactions, 'compaction') : '',
    problems > 0 ? plural(problems, 'problem') : '',
  ].filter(part => part !== '')
  const when = `${dayAndTime(first)} to ${dayAndTime(last)}`
  return `- ${shortId(session)} | ${cleanLine(title ?? '(no title)')} | ${when} | ${counts.join(', ')} | ${cleanLine(cwd ?? project)}`
}
