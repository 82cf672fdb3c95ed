/** Tools that find sessions and texts. */
import {
  type BranchItem,
  type FileItem,
  type Hit,
  hitLabels,
  type LessonItem,
  type SessionFigures,
} from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, exactMoney, plural, shortId } from '@dagline/core/format'
import { LESSON_OUTCOMES } from '@dagline/core/lessons'
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
    subagents: z.boolean().default(false).describe('Only what subagents said, called and got.'),
    agent: text('Only subagents of this type.'),
    branch: z
      .enum(['live', 'abandoned'])
      .optional()
      .describe('Only the current branch, or only abandoned ones.'),
    live: z
      .boolean()
      .default(false)
      .describe('Only what the model of that session still has: the next request would carry it.'),
    before_compaction: z
      .boolean()
      .default(false)
      .describe('Only what a compaction came after: the model no longer has it.'),
    seen_at: text('Only what the model saw when it gave this answer; a REF of it.'),
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
      seen_at: seenAt,
      subagents,
      agent = subagents ? '' : null,
      sort,
      from,
      everywhere: _,
      max_tokens: __,
      ...filter
    } = given
    const limit = Math.min(from + MOST_HITS, 1000)
    const result = await history.search(query, {
      filter: { ...filter, agent, beforeCompaction, seenAt },
      limit,
      sort,
    })
    const { total, isComplete, note, warning, nothing, hits } = result
    const found = `${plural(total, 'match', 'matches')}${isComplete ? '' : ' at least'}.`
    return {
      head: [nothing ?? found, note ?? [], warning ?? []].flat(),
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

export const listBranches: Tool = defineTool({
  name: 'list_branches',
  title: 'List abandoned attempts',
  description:
    'Lists abandoned branches, the newest first: attempts that were given up by going back to an earlier prompt, what was asked instead, and what they cost. Each has a REF for get_conversation.',
  input: z.object({ session: text(SESSION), ...SCOPE, from: FROM, max_tokens: MAX_TOKENS }),
  run: async (history, { session, project, since, until, from }) => {
    const branches = await history.branches({ session, project, since, until })
    return {
      head: [`${plural(branches.length, 'abandoned branch', 'abandoned branches')}.`],
      items: branches.map(branchText),
      names: ['branch', 'branches'],
      from,
    }
  },
})

function branchText({ line, status, first, messages, prompt, instead, costUSD, title }: BranchItem): string {
  const place = [
    line,
    status,
    dayAndTime(first),
    plural(messages, 'message'),
    exactMoney(costUSD),
    title ?? '',
  ]
  const asked = `  Asked: ${cleanLine(prompt ?? '(no prompt)')}`
  const next = instead === null ? [] : [`  Asked instead: ${cleanLine(instead)}`]
  return [`- REF ${place.map(part => cleanLine(part)).join(' | ')}`, asked, ...next].join('\n')
}

export const lessons: Tool = defineTool({
  name: 'lessons',
  title: 'List what was tried and given up',
  description:
    'Lists what was tried in this project or a session and how it ended, the newest first: turns that the user rewound, edits that were undone later, commands that failed until something changed. Use it before you propose or repeat an approach, and when a command fails, so that you do not try again what was rejected. Each has REFs for get_conversation. "rejected": the user asked for something else, or it was undone. "solved": it worked in the end. "open": the transcript does not tell.',
  input: z.object({
    outcome: z.enum(LESSON_OUTCOMES).optional().describe('Only lessons with this outcome.'),
    limit: z.number().int().min(1).max(1000).optional().describe('At most so many, the newest ones.'),
    session: text(SESSION),
    ...SCOPE,
    from: FROM,
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, { outcome, limit, session, project, since, until, from }) => {
    const all = await history.lessons({ session, project, since, until })
    const found = all.filter(lesson => outcome === undefined || lesson.outcome === outcome)
    const shown = found.slice(0, limit)
    const part = shown.length < found.length ? `${shown.length} of ` : ''
    return {
      head: [`${part}${plural(found.length, 'lesson')}, the newest first.`],
      items: shown.map(lesson => () => lessonText(lesson)),
      names: ['lesson', 'lessons'],
      from,
    }
  },
})

function lessonText({ kind, outcome, session, asked, tried, ended, refs, time }: LessonItem): string {
  // The id of a branch begins with that of its session.
  const named = refs.map(ref =>
    ref.startsWith(session) ? ref.replace(session, shortId(session)) : refTo(session, ref),
  )
  return [
    `- ${outcome} ${kind} | ${dayAndTime(time)} | ${named.map(ref => `REF ${cleanLine(ref)}`).join(', ')}`,
    ...(asked === null ? [] : [`  Asked: ${cleanLine(asked)}`]),
    ...(tried.length === 0 ? [] : [`  Tried: ${cleanLine(tried.join('; '))}`]),
    // The reader is a model, and the sentence speaks to the user.
    `  Ended: ${cleanLine(ended).replace(/^You /, 'The user ')}`,
  ].join('\n')
}

export const filesTouched: Tool = defineTool({
  name: 'files_touched',
  title: 'List files that were touched',
  description:
    'Lists the files that tool calls read, edited or wrote, the last touched first, with the sessions: of one session, of this project, or everywhere.',
  input: z.object({
    file: text('Only files whose path ends so.'),
    session: text(SESSION),
    ...SCOPE,
    from: FROM,
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, { file, session, project, since, until, from }) => {
    const files = await history.files({ file, session, project, since, until })
    return {
      head: [`${plural(files.length, 'file')}, the last touched first.`],
      items: files.map(fileText),
      names: ['file', 'files'],
      from,
    }
  },
})

/** More sessions of a file than these are only counted. */
const MOST_SESSIONS = 5

function fileText({ path, reads, edits, writes, subagents, sessions, last }: FileItem): string {
  const counts = [
    reads > 0 ? plural(reads, 'read') : '',
    edits > 0 ? plural(edits, 'edit') : '',
    writes > 0 ? plural(writes, 'write') : '',
    subagents > 0 ? `${subagents} by subagents` : '',
  ].filter(part => part !== '')
  const named = sessions.slice(0, MOST_SESSIONS).map(shortId)
  const more = sessions.length > named.length ? [`${sessions.length - named.length} more`] : []
  const where = `sessions ${[...named, ...more].join(', ')}`
  return `- ${cleanLine(path)} | ${counts.join(', ')} | ${dayAndTime(last)} | ${where}`
}
