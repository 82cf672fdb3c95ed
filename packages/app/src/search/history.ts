/** Searching a history: the index is brought up to date first. */
import type { SearchSort } from '@dagline/core/protocol'
import {
  countHits,
  createTextReader,
  type Hit,
  inOrder,
  isNarrowed,
  type SessionFact,
  searchPattern,
  searchSessions,
  snippetOf,
  type TextFilter,
} from '@dagline/store'
import { nothingFound } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { askIndex } from '../index/open.js'
import { scopeOf } from '../locate/project.js'
import { sessionIdOf } from '../locate/ref.js'
import { noAgent, noFile, noMatch, noTool } from '../text/nothing.js'
import { canScan, scanWithMeter } from './scan.js'
import {
  type HitContext,
  patternIn,
  type SearchedSession,
  type SearchFilter,
  type SearchOptions,
  type SearchResult,
  type SearchSource,
  searchSource,
  slowWarning,
  textFilter,
} from './search.js'
import { secondTryNote } from './second-try.js'

/** What is asked, with everything checked. */
interface Question {
  readonly text: string
  readonly filter: SearchFilter
  readonly narrowed: TextFilter
  readonly pattern: RegExp | null
}

/** Checks a question. Throws `UserError` where a filter is not valid, or there is nothing to search for. */
function questionOf(host: Host, text: string, given: SearchFilter): Question {
  const pattern = patternIn(given)
  const isAlone = text.trim() === '' && pattern === null
  const session = given.session ? sessionIdOf(given.session, host) : null
  if (isAlone && !given.project && !isNarrowed(textFilter(given)))
    throw new UserError(
      'There is nothing to search for. Give words, a pattern with --regex, or a filter such as --file or --errors.',
    )
  // A session may be of any project, and so may be what the model saw.
  const isAnywhere = session !== null || given.nodes !== undefined
  const scope = !isAnywhere || given.project ? scopeOf(given.project || null, host) : null
  const projects = scope === null ? undefined : [...scope.names]
  const filter = { ...given, session: session ?? given.session, projects }
  return { text, filter, narrowed: textFilter(filter, isAlone), pattern }
}

/** Finds texts that hold all words and pass the filter, in an index that is brought up to date first. */
export async function searchHistory(
  host: Host,
  words: string,
  { filter: given = {}, limit = 20, index = null, sort, scanAbove, context = 0 }: SearchOptions,
): Promise<SearchResult> {
  const question = questionOf(host, words, given)
  const { text, filter, narrowed, pattern } = question
  const isScannable = pattern === null && canScan(text, narrowed)
  const mostBytes = isScannable ? scanAbove : undefined
  return await askIndex(host, { index, mostBytes }, async indexed => {
    const countAll = text.trim() !== ''
    const answer = await searchSource(indexed, text, { filter, limit, sort, countAll })
    const known = new Set(answer.hits.map(({ node }) => node))
    const scan =
      indexed.isCurrent || !isScannable
        ? null
        : await scanWithMeter(host, indexed.missing(), { text, filter: narrowed, limit, known })
    // H10: other words count only where no text has the ones that were typed.
    const isReplaced = answer.replaced.length > 0 && (scan?.hits.length ?? 0) > 0
    const first = isReplaced ? { ...answer, total: 0, hits: [], note: null, replaced: [] } : answer
    const isEmpty = first.hits.length === 0 && (scan?.hits.length ?? 0) === 0
    return {
      ...first,
      scan,
      nothing: isEmpty ? whyNothing(host, indexed, question) : null,
      around: context === 0 ? [] : first.hits.map(hit => contextOf(indexed, hit, context)),
      sessions: host.pushed === undefined ? sessionsOf(indexed, first.hits) : [],
    }
  })
}

function sessionsOf({ index, roots }: SearchSource, hits: readonly Hit[]): readonly SearchedSession[] {
  if (hits.length === 0) return []
  const wanted = new Set(hits.map(({ session }) => session))
  const found = index.sessions(roots).filter(({ session }) => wanted.has(session))
  return found.map(fact => ({ session: fact.session, cwd: fact.cwd, title: fact.title ?? fact.prompt }))
}

/** H13: a session with how many texts of it were found. */
export interface SessionHits {
  readonly session: string | null
  readonly project: string
  readonly cwd: string | null
  readonly title: string | null
  readonly count: number
  /** The time of the newest one. */
  readonly last: number | null
}

/** H13: the sessions that have what was searched for. */
export interface SessionSearchResult
  extends Pick<SearchResult, 'total' | 'isComplete' | 'note' | 'replaced' | 'warning' | 'nothing'> {
  readonly sessions: readonly SessionHits[]
}

/** H13: counts what is found, session by session. */
export async function searchHistorySessions(
  host: Host,
  words: string,
  { filter: given = {}, limit, index = null, sort }: SearchOptions,
): Promise<SessionSearchResult> {
  const question = questionOf(host, words, given)
  return await askIndex(host, { index }, async indexed => {
    const { sessions: counts, replaced, ...rest } = await countSessions(indexed, question, sort)
    const facts = new Map(indexed.index.sessions(indexed.roots).map(fact => [fact.session, fact]))
    return {
      ...rest,
      replaced,
      total: counts.reduce((sum, { count }) => sum + count, 0),
      note: secondTryNote(replaced),
      sessions: counts.slice(0, limit).map(each => ({ ...each, ...nameOf(facts.get(each.session ?? '')) })),
      nothing: counts.length === 0 ? whyNothing(host, indexed, question) : null,
    }
  })
}

type SessionCounts = Pick<ReturnType<typeof searchSessions>, 'sessions' | 'isComplete' | 'replaced'> &
  Pick<SearchResult, 'warning'>

async function countSessions(
  { index, ranges, roots }: SearchSource,
  { text, narrowed, pattern }: Question,
  sort: SearchSort | undefined,
): Promise<SessionCounts> {
  const options = { text, filter: { ...narrowed, roots }, ...(sort === undefined ? {} : { sort }) }
  if (pattern === null) return { ...searchSessions(index, ranges, options), warning: null }
  const all = { ...options, pattern, limit: Number.MAX_SAFE_INTEGER }
  const { hits, isComplete, slow, isGivenUp } = await searchPattern(index, ranges, all)
  const sessions = inOrder(countHits(hits), sort ?? 'time')
  return { sessions, isComplete, replaced: [], warning: slowWarning(slow, isGivenUp) }
}

function nameOf(fact: SessionFact | undefined): Pick<SessionHits, 'project' | 'cwd' | 'title'> {
  return { project: fact?.project ?? '', cwd: fact?.cwd ?? null, title: fact?.title ?? fact?.prompt ?? null }
}

function contextOf({ index, ranges }: SearchSource, hit: Hit, count: number): HitContext {
  const texts = createTextReader(ranges)
  const { before, after } = index.around(hit, count)
  const shown = (found: (typeof before)[number]): Hit => {
    const { text: snippet, marks } = snippetOf(texts(found, []) ?? '', [])
    return { ...found, isWhole: null, snippet, marks }
  }
  return { before: before.map(shown), after: after.map(shown) }
}

/** Why nothing was found: no transcripts, a filter that no text passes whatever else is asked, or the question. */
function whyNothing(
  host: Host,
  { index, roots, report }: SearchSource & { readonly report: { readonly present: number } | null },
  { text, filter, narrowed, pattern }: Question,
): string {
  if (report?.present === 0) return nothingFound([], host)
  const { tool, touched, touching, agent } = narrowed
  const isUnknown = (wanted: TextFilter): boolean => index.count([], { ...wanted, roots }, 1) === 0
  const file = touched ?? touching
  if (tool !== undefined && isUnknown({ tool })) return noTool(tool)
  if (file !== undefined && isUnknown({ touching: file })) return noFile(file)
  if (agent !== undefined && agent !== '' && isUnknown({ agent })) return noAgent(agent)
  const { projects: _, regex: __, ...typed } = filter
  const isFiltered = Object.values(typed).some(value => value != null && value !== false)
  return noMatch({ words: text.trim(), hasPattern: pattern !== null, isFiltered })
}
