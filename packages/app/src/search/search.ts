/** Full text search over a history. */
import { plural } from '@dagline/core/format'
import { isSearchRole, SEARCH_ROLES, type SearchSort, type TextField } from '@dagline/core/protocol'
import {
  type Hit,
  type IndexStore,
  type RangeReader,
  type SearchedInstead,
  search,
  searchPattern,
  type TextFilter,
} from '@dagline/store'
import { silentHost } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { findScope, pushedScope } from '../locate/project.js'
import { spanOf } from '../text/dates.js'
import type { ScanResult } from './scan.js'
import { secondTryNote } from './second-try.js'

/** Which texts are searched, as it was typed. What is null, missing or an empty text does not narrow the search. */
export interface SearchFilter {
  readonly project?: string | null | undefined
  /** The names of the folders that `project` stands for; where it was not given, of the project here. */
  readonly projects?: readonly string[] | undefined
  readonly session?: string | null | undefined
  readonly since?: string | null | undefined
  readonly until?: string | null | undefined
  /** Several, with commas between them. */
  readonly role?: string | null | undefined
  readonly tool?: string | null | undefined
  readonly file?: string | null | undefined
  /** The type of a subagent; an empty text for any. */
  readonly agent?: string | null | undefined
  readonly branch?: string | null | undefined
  readonly beforeCompaction?: boolean | undefined
  readonly errors?: boolean | undefined
  /** Only what the next request would carry. */
  readonly live?: boolean | undefined
  /** H14: only what the model saw when it gave an answer: a REF of that answer. */
  readonly seenAt?: string | null | undefined
  /** The entries that `seenAt` stands for, by their uuids. */
  readonly nodes?: readonly string[] | undefined
  /** A regular expression that texts must match, too. */
  readonly regex?: string | null | undefined
}

/** What is searched beside the words. */
export interface SearchOptions {
  readonly index?: string | null
  readonly filter?: SearchFilter
  /** How many hits; 20 unless given. */
  readonly limit?: number
  /** H12: where more bytes than these are to be read beside the newest sessions, they are not indexed, but searched as they are. */
  readonly scanAbove?: number
  /** `rank`: the best first, and the default where there are words. `time`: the newest first. */
  readonly sort?: SearchSort | undefined
  /** H13: how many texts before and after each hit are given along with it; none unless given. */
  readonly context?: number
}

/**
 * The filter for the index. H13: where filters alone are the question, a file means the calls that name it, else the
 * sessions that have such calls. Throws `UserError` where a date or a role is not valid.
 */
export function textFilter(filter: SearchFilter, isAlone = false): TextFilter {
  const { projects, session, role, tool, file, agent, branch, nodes } = filter
  const [[from, to], fields] = [spanOf(filter), fieldsOf(role)]
  return {
    ...(projects === undefined ? {} : { projects }),
    ...(session ? { session } : {}),
    ...(from === null ? {} : { since: from }),
    ...(to === null ? {} : { until: to }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(tool ? { tool } : {}),
    ...(file ? { [isAlone ? 'touching' : 'touched']: file } : {}),
    ...(agent == null ? {} : { agent }),
    ...(branch === 'live' || branch === 'abandoned' ? { branch } : {}),
    ...(filter.beforeCompaction ? { beforeCompaction: true } : {}),
    ...(filter.errors ? { failed: true } : {}),
    ...(filter.live ? { live: true } : {}),
    ...(nodes === undefined ? {} : { nodes }),
  }
}

function fieldsOf(role: string | null | undefined): readonly TextField[] {
  const roles = (role ?? '').split(',').filter(part => part !== '')
  return roles.flatMap(name => {
    if (isSearchRole(name)) return SEARCH_ROLES[name]
    const known = Object.keys(SEARCH_ROLES).join(', ')
    throw new UserError(`${name} is not a role: give one of ${known}.`)
  })
}

/** The pattern of a filter; null where it has none. Throws `UserError` where it is not valid. */
export function patternIn({ regex }: SearchFilter): RegExp | null {
  if (regex == null || regex === '') return null
  try {
    return new RegExp(regex, 'giu')
  } catch {
    const advice = /^\(\?[a-z]+\)/.test(regex)
      ? 'remove the flags at its beginning. Case is ignored anyway.'
      : 'put a backslash before characters like (, [ and * to search for them.'
    throw new UserError(`${regex} is not a valid pattern: ${advice}`)
  }
}

/** The hits, in order. */
export interface SearchResult {
  /** How many there are in all. */
  readonly total: number
  /** Whether `total` counts them all. */
  readonly isComplete: boolean
  readonly hits: readonly Hit[]
  /** What was searched for in place of words that no entry has. */
  readonly replaced: readonly SearchedInstead[]
  /** The same in one sentence; null where every word was searched for as it was typed. */
  readonly note: string | null
  /** H7: where a pattern took too long on texts: what was not searched. */
  readonly warning: string | null
  /** U8: where nothing was found: why, and what to try; else null. */
  readonly nothing: string | null
  /** H12: what was found in files that are not indexed; null where all are. */
  readonly scan: ScanResult | null
  /** H13: what stands around each of `hits`, in their order; empty unless `context` was given. */
  readonly around: readonly HitContext[]
  /** H6: what is known of the sessions of `hits`; none on a hub. */
  readonly sessions: readonly SearchedSession[]
}

/** H6: a session that has hits, as its heading names it. */
export interface SearchedSession {
  readonly session: string
  readonly cwd: string | null
  readonly title: string | null
}

/** H13: what was said and called right before and after a hit, in one line each. */
export interface HitContext {
  readonly before: readonly Hit[]
  readonly after: readonly Hit[]
}

/** Where texts are found. */
export interface SearchSource {
  readonly index: IndexStore
  readonly ranges: RangeReader
  /** The roots that are searched; all of the index where there are none. */
  readonly roots: readonly number[]
}

/** Which hits are wanted. */
interface Wanted {
  readonly filter: SearchFilter
  readonly sort?: SearchSort | undefined
  readonly offset?: number
  readonly limit: number
  /** Counts all hits, also where there are very many. */
  readonly countAll?: boolean
  /** Ends a search by a pattern, which then returns what it has. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Finds texts that hold all words, for every face. Throws `UserError` where a filter is not valid. This is the place
 * where hits of other sources than the index would join.
 */
export async function searchSource(
  source: SearchSource,
  text: string,
  wanted: Wanted,
): Promise<Omit<SearchResult, 'nothing' | 'scan' | 'around' | 'sessions'>> {
  const { roots, index, ranges } = source
  const { filter, sort, offset = 0, limit, countAll = false, signal } = wanted
  const pattern = patternIn(filter)
  const isAlone = text.trim() === '' && pattern === null
  const narrowed = { ...textFilter(filter, isAlone), ...(roots.length === 0 ? {} : { roots }) }
  const options = { text, filter: narrowed, offset, limit, countAll, ...(sort === undefined ? {} : { sort }) }
  if (pattern === null) {
    const answer = search(index, ranges, options)
    return { ...answer, note: secondTryNote(answer.replaced), warning: null }
  }
  const { slow, isGivenUp, ...found } = await searchPattern(index, ranges, { ...options, pattern, signal })
  return { ...found, replaced: [], note: null, warning: slowWarning(slow, isGivenUp) }
}

export function slowWarning(slow: number, isGivenUp: boolean): string | null {
  if (slow === 0) return null
  const advice = 'Avoid repeated groups such as (a+)+ and several .* in a row, or add a word to search for.'
  const rest = isGivenUp ? ' The search was stopped, and the remaining texts were not searched.' : ''
  return `The pattern takes too long on ${plural(slow, 'text')}, which ${slow === 1 ? 'was' : 'were'} skipped.${rest} ${advice}`
}

/** A filter with the project that it names, as an index knows it. HU48: of pushed files only what was pushed is looked at. */
export function withProjects<T extends SearchFilter>(
  { index, roots, isPushed }: Omit<SearchSource, 'ranges'> & { readonly isPushed: boolean },
  filter: T,
): T {
  const { project } = filter
  if (!project) return filter
  const listed = index.sessions(roots)
  const { names } = isPushed
    ? pushedScope(project, listed)
    : findScope(project, silentHost([]), { roots: [], listed })
  return { ...filter, projects: [...names] }
}
