/** U8: the sentences for empty answers: why an answer is empty, and what to try next. Every face prints them unchanged. */

/** No folder that was looked in has a transcript; without a folder: a hub has none to show. */
export function noTranscripts(folders: readonly string[]): string {
  if (folders.length === 0)
    return 'The hub shows you no session. Push your own with `dagline hub push`, or ask a colleague to share one: `dagline hub share`.'
  return `No transcripts in ${folders.join(', ')}. Give another PATH or --root, or set CLAUDE_CONFIG_DIR.`
}

/** What a list is of. */
export type Listed = 'sessions' | 'subagents' | 'branches' | 'files' | 'prompts' | 'lessons' | 'API messages'

/** A list without rows. */
interface EmptyList {
  readonly of: Listed
  /** The folders that were looked in, where there are no transcripts at all; else null. */
  readonly looked: readonly string[] | null
  /** Which rows were asked for. */
  readonly filter: {
    readonly session?: string | null | undefined
    readonly project?: string | null | undefined
    readonly since?: string | null | undefined
    readonly until?: string | null | undefined
    readonly file?: string | null | undefined
  }
}

const NONE: Readonly<Record<Listed, { readonly all: string; readonly session?: string }>> = {
  sessions: { all: 'There are no sessions.' },
  subagents: { all: 'There are no subagents.', session: 'The session has no subagents.' },
  branches: { all: 'There are no abandoned branches.', session: 'The session has no branches.' },
  files: { all: 'No call names a file.', session: 'No call of the session names a file.' },
  prompts: { all: 'There are no prompts.', session: 'The session has no prompts.' },
  lessons: { all: 'There are no lessons.', session: 'The session has no lessons.' },
  'API messages': { all: 'No API messages with usage were found.' },
}

/** Why a list has no rows. */
export function noRows({ of, looked, filter }: EmptyList): string {
  if (looked !== null) return noTranscripts(looked)
  const { session, project, since, until, file } = filter
  const given = Object.entries({ project, since, until, file }).flatMap(([name, value]) =>
    value == null ? [] : [`--${name}`],
  )
  if (given.length > 0)
    return `No ${of} match ${given.join(', ')}. Remove ${given.length === 1 ? 'it' : 'one of them'}, or give a wider one.`
  const { all, session: ofSession = all } = NONE[of]
  return session == null ? all : ofSession
}

/** X4: there is usage, and none of it on an abandoned branch. */
export function noAbandonedUsage(): string {
  return 'No abandoned branch has usage: everything that was counted is live.'
}

/** No call names a file with this end of its path. */
export function noFile(path: string): string {
  return `No call names a file whose path ends with ${path}. Run \`dagline files\` to list the files.`
}

/** No call is of this tool. */
export function noTool(tool: string): string {
  return `No tool is called ${tool}. Run \`dagline stats\` to list the tools.`
}

/** No subagent is of this type. */
export function noAgent(type: string): string {
  return `No subagent is of the type ${type}. Run \`dagline agents\` to list the subagents.`
}

/** A search without hits. */
interface EmptySearch {
  readonly words: string
  readonly hasPattern: boolean
  /** There was a filter beside the words and the pattern. */
  readonly isFiltered: boolean
}

/** Why a search found nothing, as far as the question is the reason. */
export function noMatch({ words, hasPattern, isFiltered }: EmptySearch): string {
  if (words !== '' && !/[\p{L}\p{N}]/u.test(words))
    return 'Nothing found. Give at least one letter or digit, or use --regex to search for punctuation.'
  const advice = isFiltered ? 'Remove a filter, or try' : 'Try'
  if (words === '') return `Nothing found. ${advice} ${hasPattern ? 'another pattern' : 'another value'}.`
  return `Nothing found. ${advice} fewer or other words: a text must contain all of them. --regex searches for any text.`
}
